// SPDX-License-Identifier: MIT
// Operands as real_kernel.cpp sums them: f32 values with, beside each, the exponent that the model
// gives it. From the registers' order, whatever the type, to vectors whose lanes are rows of A
// (columns.hpp) and to columns of B one after the other.
#pragma once

#include "emulator/tensor/kernels.hpp"
#include "emulator/tensor/lanes.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {

inline constexpr std::int16_t kNoExponent = -8192;  // of a zero: below anything, even twice
inline constexpr int kF32Bias = 127;

/// A half of a panel of A: 16 bits an exponent, two neighbours along K in a word.
struct WideA {
  alignas(64) float value[kMaxFloatK][kWidth];
  alignas(64) std::uint32_t exponent[kMaxFloatK / 2][kWidth];
  Mask special;  // rows with an infinity or a NaN
};
/// A tile of B, in the same way.
struct WideB {
  alignas(64) float value[kTileCols * kMaxFloatK];  // column after column
  alignas(64) std::uint32_t exponent[kTileCols * kMaxFloatK / 2];
  unsigned special;  // columns
};

/// Elements of a row of A, or of a column of B, in one slab.
int slab_elements(TensorType type);
// Not inlined: called once a panel or tile, and the loops over sums keep the registers.
[[gnu::noinline]] void widen_a(TensorType type, const std::uint32_t* const* rows, int slabs,
                               int half, WideA& out);
[[gnu::noinline]] void widen_b(TensorType type, const std::uint32_t* const* rows, int slabs,
                               WideB& out);

}  // namespace lanescope::emulator::LANESCOPE_HOST
