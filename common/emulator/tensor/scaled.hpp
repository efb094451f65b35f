// SPDX-License-Identifier: MIT
// Block-scaled products, D = (A * scale_A) * (B * scale_B) + C: along K every row of A and every
// column of B falls into chunks, and each chunk has a scale factor of its own.
//
//               chunk 0      chunk 1                 ue8m0   2^(byte - 127), NaN 0xff
//     row of A |k 0 ... 31 |k 32 ... 63|             ue4m3   e4m3 without a sign, NaN 0x7f
//     scales   | a[row][0] | a[row][1] |   2X
//
// Sums, as published of cards of sm_100 and sm_120 (docs/arithmetic.md): with one scale a row each
// product's exponent grows by those of the scales, and 32 of them are summed as fp8's are. With 2X
// and 4X (4-bit elements) 16 products are summed exactly, multiplied by their two scales, and these
// sums meet c.
//
// Source: PTX ISA 9.2, 9.7.14.3 (block scaling); MMA-Sim (arXiv 2511.10909) for the sums.
#pragma once

#include <cstdint>

#include "emulator/tensor/tensor.hpp"

namespace lanescope::emulator {

enum class ScaleType : std::uint8_t { ue8m0, ue4m3 };

struct BlockScales {
  ScaleType type = ScaleType::ue8m0;
  const std::uint8_t* a = nullptr;  // M x TensorShape::scale_vectors, row after row
  const std::uint8_t* b = nullptr;  // N x TensorShape::scale_vectors, column after column
};

/// The readable way: term by term, as model.cpp has them. multiply_scaled must give the same bits.
void multiply_scaled_reference(const MmaArithmetic& how, const TensorShape& shape,
                               const BlockScales& scales, const std::uint8_t* a,
                               const std::uint8_t* b, const std::uint32_t* c, std::uint32_t* d);

/// Elements a byte each, row-major: A is M x K, B is K x N; C and D are f32 patterns, M x N, and
/// may be the same.
void multiply_scaled(const MmaArithmetic& how, const TensorShape& shape, const BlockScales& scales,
                     const std::uint8_t* a, const std::uint8_t* b, const std::uint32_t* c,
                     std::uint32_t* d);

}  // namespace lanescope::emulator
