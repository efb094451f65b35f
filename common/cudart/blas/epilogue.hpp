// SPDX-License-Identifier: MIT
// What cublasLt does to alpha * A * B + beta * C before it is D, and what it leaves beside D for
// the way back through a network. As an H200 has it (tests/programs/lt_training.cu), but for GELU's
// tanh and the order in which a gradient of a bias is summed.
//
//     forward     + bias   keep x (GELU), or whether it is 0 or more (ReLU)   bend
//     backward    round to D's type, bend back by what was kept               sum rows of D
//     of weights  sum rows of A, or columns of B, along k
#pragma once

#include <cstdint>

#include "cudart/blas/element.hpp"

namespace lanescope::cudart {

/// GELU is 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
enum class Activation : std::uint8_t { none, relu, gelu };

/// Of what the gradient of a bias is a sum.
enum class BiasGradient : std::uint8_t { none, rows_of_d, rows_of_a, columns_of_b };

/// What a cublasLtEpilogue_t asks for.
struct EpilogueForm {
  Activation activation = Activation::none;
  bool adds_bias = false;
  bool keeps = false;        // forward: writes what the way back needs
  bool is_backward = false;  // reads it
  BiasGradient gradient = BiasGradient::none;

  bool has_kept() const { return keeps || is_backward; }
  bool names_bias() const { return adds_bias || gradient != BiasGradient::none; }
};

struct Epilogue {
  EpilogueForm form;
  void* bias = nullptr;  // one a row (of columns_of_b: one a column), read or written
  Element bias_element = Element::f32;
  // Of GELU numbers, of ReLU bits, column after column.
  void* kept = nullptr;
  Element kept_element = Element::f32;
  std::int64_t kept_lead = 0;  // numbers or bits
  float factor = 1;
  float* largest = nullptr;   // of what becomes D, without its sign and before the factor
  float* row_sums = nullptr;  // of what becomes D, before it is rounded

  bool is_none() const {
    return !form.names_bias() && form.activation == Activation::none && factor == 1 &&
           largest == nullptr;
  }
};

/// What becomes of one element of a D of that type, in f32.
float finished(const Epilogue& epilogue, Element of_d, std::int64_t row, std::int64_t col,
               float value);

}  // namespace lanescope::cudart
