// SPDX-License-Identifier: MIT
// C = alpha * op(A) * op(B) + beta * C, as the stand-in for cuBLAS computes it: every element one
// sum along k, from k = 0 on, as a kernel without tricks has it.
//
//     f16, bf16    the chosen card's tensor core, 16 products at a time, summed in f32 or f16
//     f32          one fma a product; or the tensor core, 8 at a time, where tf32 is allowed
//     f64          one fma a product
//     s8           exact, the lower 32 bits
//
// cuBLAS chooses among kernels, and some cut k into pieces: no promise of a card's bits.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope::cudart {

enum class Element : std::uint8_t { f16, bf16, f32, f64, s8, s32 };

int bytes_of(Element element);

/// One number of that type, at that address.
double read_element(Element element, const void* at);

/// Column-major as BLAS has it: element (row, col) is at row * row_step + col * col_step.
struct Matrix {
  void* data = nullptr;
  Element element = Element::f32;
  std::int64_t row_step = 1;
  std::int64_t col_step = 1;
};

struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  double alpha = 1, beta = 0;
  Matrix A, B, C;
  Element scale = Element::f32;  // the type of alpha, beta and the sum
  bool allows_tf32 = false;
  std::string arch = "sm_90a";
};

/// Whether there is a product of these types.
bool is_multiplied(const Product& product);

/// Reads C only where beta is not 0, as BLAS promises.
void multiply(const Product& product);

}  // namespace lanescope::cudart
