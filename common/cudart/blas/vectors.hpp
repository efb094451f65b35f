// SPDX-License-Identifier: MIT
// What BLAS does to vectors and element by element. A vector is a Matrix of one row. Each element
// of a result is rounded by one fma in `in`, f32 or f64 or complex numbers of these. Sums along a
// vector are made in f64 and rounded once (f64: in pairs): a card makes them as a tree, whose bits
// lie near that, and those of one sum after the other do not.
#pragma once

#include <complex>
#include <cstdint>

#include "cudart/blas/product.hpp"

namespace lanescope::cudart {

/// C = alpha A + beta B: alpha A is rounded, then the sum by an fma, as a card has it. A and B are
/// not read where their factor is 0; C may be one of them.
struct Combination {
  std::int64_t rows = 1, cols = 0;
  std::complex<double> alpha = 1, beta = 0;
  Matrix A, B, C;
  Element in = Element::f32;
  bool reads_a = false;  // though alpha be 0: of a NaN that is a NaN
};
void combine(const Combination& asked);

/// C = A diag(x), or diag(x) A.
void scale_lines(std::int64_t rows, std::int64_t cols, bool from_left, const Matrix& A,
                 const Matrix& x, const Matrix& C, Element in);

/// A += alpha x y', or alpha x y^H.
void add_outer(std::int64_t rows, std::int64_t cols, std::complex<double> alpha, const Matrix& x,
               const Matrix& y, const Matrix& A, Element in);

void copy_elements(std::int64_t count, const Matrix& x, const Matrix& y);
void exchange_elements(std::int64_t count, const Matrix& x, const Matrix& y);

/// x' y, or x^H y where x says that it is conjugated.
std::complex<double> dot(std::int64_t count, const Matrix& x, const Matrix& y);
/// The square root of the sum of squares; no square is too large or too small.
double norm(std::int64_t count, const Matrix& x);
/// Of complex numbers |real| + |imaginary| each, here and below.
double sum_of_magnitudes(std::int64_t count, const Matrix& x);

/// Which one is the largest or smallest, the first of equals, counted from 1; 0 of none.
std::int64_t place_of_largest(std::int64_t count, const Matrix& x);
std::int64_t place_of_smallest(std::int64_t count, const Matrix& x);

}  // namespace lanescope::cudart
