// SPDX-License-Identifier: MIT
// Matrices of which a triangle counts: systems of equations solved by substitution, and products
// of a matrix with itself. What lies in the other triangle is neither read nor written.
#pragma once

#include <complex>
#include <cstdint>

#include "cudart/blas/product.hpp"

namespace lanescope::cudart {

struct Triangle {
  std::int64_t size = 0;
  Matrix A;
  bool is_upper = false;
  bool has_ones = false;  // on its diagonal, which is not read then
};

/// The triangle transposed: the same memory.
Triangle transposed(Triangle triangle);

/// B = the X of A X = alpha B, of so many columns. Of each equation one fma a product, unknown
/// after unknown, and one division, in `in`: f32 or f64 or complex numbers of these.
void solve(const Triangle& triangle, std::complex<double> alpha, std::int64_t cols, const Matrix& B,
           Element in);

/// The product, of which C gets a triangle.
void multiply_triangle(const Product& product, bool is_upper);

}  // namespace lanescope::cudart
