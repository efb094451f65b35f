// SPDX-License-Identifier: MIT
// What is compiled once per host instruction set (real_kernel.cpp, integer_kernel.cpp), and its way
// in. fragments.cpp asks, and does by the model what a kernel leaves.
#pragma once

#include <cstdint>

#include "emulator/tensor/fragments.hpp"

namespace lanescope::emulator {

inline constexpr int kMaxFloatK = 64;     // mma.sp on fp8; b1 alone goes further, and is not here
inline constexpr int kMaxPanels = 4;      // M = 64
inline constexpr int kMaxIntegerK = 128;  // mma.sp on s4

/// A multiplication in units of panels, tiles and slabs.
struct TileJob {
  TensorType a = TensorType::f16, b = TensorType::f16, accumulator = TensorType::f32;
  int panels = 1, tiles = 1, slabs = 1, K = 16;
  // floating point
  int block = 8;  // products of one sum
  int fraction_bits = 24, zero_exponent = -132;
  bool drops_ten_bits = false;
  // integers
  bool satfinite = false;
};

struct TileKernels {
  /// Elements that the kernel cannot do keep C in D, and get a bit: flags[panel][tile][column], one
  /// bit a row. False: there are none, and flags says nothing.
  bool (*real)(const TileJob&, const Fragments&, std::uint16_t* flags);
  /// s8, u8, s4 and u4.
  void (*integer)(const TileJob&, const Fragments&);
  /// d = d + c, rounded to nearest, with the tensor cores' NaN: `count` registers.
  void (*add)(TensorType type, int count, const std::uint32_t* const* c, std::uint32_t* const* d);
};

namespace avx2 {
const TileKernels& tile_kernels();
}
namespace avx512 {
const TileKernels& tile_kernels();
}

}  // namespace lanescope::emulator
