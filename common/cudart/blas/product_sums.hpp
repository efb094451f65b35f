// SPDX-License-Identifier: MIT
// The ways in which a product is summed (product_fma.cpp, product_tensor.cpp, product_complex.cpp),
// and what they read and write matrices with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cudart/blas/product.hpp"
#include "emulator/tensor/tensor.hpp"

namespace lanescope::cudart {

inline std::byte* address(const Matrix& matrix, std::int64_t row, std::int64_t col) {
  return static_cast<std::byte*>(matrix.data) +
         (row * matrix.row_step + col * matrix.col_step) * bytes_of(matrix.element);
}

/// D's element of this sum. Real numbers are scaled in f32 or f64, as they were summed.
void store(const Product& product, std::int64_t row, std::int64_t col, double sum);

/// Sums `depth` products of each element in f32 where A is f32, else in f64.
void multiply_by_fma(const Product& product, std::int64_t depth);

/// Sums `depth` complex products of each element, and scales them, in A's own type.
void multiply_complex(const Product& product, std::int64_t depth);

/// Whether A and B are of 8 bits, which only tensor cores multiply.
inline bool is_of_8_bits(const Product& product) {
  const auto is_8_bits = [](Element element) {
    return element == Element::e4m3 || element == Element::e5m2;
  };
  return is_8_bits(product.A.element) && is_8_bits(product.B.element);
}
/// What the tensor core does of it; nullopt where it is left to fma.
std::optional<emulator::TensorShape> tensor_shape(const Product& product);
/// Whether the card's tensor core has it.
bool has_tensor_core(const Product& product, const emulator::TensorShape& shape);
void multiply_by_tensor_core(const Product& product, const emulator::TensorShape& shape,
                             std::int64_t depth);

}  // namespace lanescope::cudart
