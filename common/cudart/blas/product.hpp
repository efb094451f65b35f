// SPDX-License-Identifier: MIT
// D = alpha * op(A) * op(B) + beta * C, as the stand-in for cuBLAS computes it: every element one
// sum along k, from k = 0 on, as a kernel without tricks has it. D is C but for cublasLt.
//
//     f16, bf16    the chosen card's tensor core, 16 products at a time, summed in f32 or f16
//     f32          one fma a product; or the tensor core, 8 at a time, where tf32 is allowed
//     f64          one fma a product
//     s8           exact, the lower 32 bits
//     e4m3, e5m2   the chosen card's tensor core, 32 products at a time, summed in f32
//     c32, c64     four fma a product, as cuCfmaf has them: both of the real part first
//
// cuBLAS chooses among kernels, and some cut k into pieces: no promise of a card's bits.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cudart/blas/element.hpp"
#include "cudart/blas/epilogue.hpp"

namespace lanescope::cudart {

/// Column-major as BLAS has it: element (row, col) is at row * row_step + col * col_step.
struct Matrix {
  void* data = nullptr;
  Element element = Element::f32;
  std::int64_t row_step = 1;
  std::int64_t col_step = 1;
  bool conjugates = false;
};

inline Matrix transposed(Matrix matrix) {
  std::swap(matrix.row_step, matrix.col_step);
  return matrix;
}

struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  std::complex<double> alpha = 1, beta = 0;
  Matrix A, B, C;
  Element scale = Element::f32;  // the type of alpha, beta and the sum
  bool allows_tf32 = false;
  std::string arch = "sm_90a";
  std::optional<Matrix> D = std::nullopt;  // where it is not C
  Epilogue epilogue = {};
  bool reads_by_zero = false;  // A and B where alpha is 0: a NaN of them counts
};

/// Whether there is a product of these types, on that card.
bool is_multiplied(const Product& product);

/// Reads C only where beta is not 0, as BLAS promises.
void multiply(const Product& product);

}  // namespace lanescope::cudart
