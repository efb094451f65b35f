// SPDX-License-Identifier: MIT
// Multiplication of matrices as they lie in the registers of a warp, so that nothing has to be
// sorted first. One order serves every dense wgmma and every mma.sync with M = 16 (matrix_plan.cpp
// compares it with the atlas), because the tensor cores think in words of 32 bits: 8 rows of A, or
// columns of B, by 4 words along K fill one register in all lanes. Such a piece is a "slab" of K.
//
//     A, 16 rows         lane   0      1      2      3      4            31
//     a[2 * slab]        row 0: word 0 word 1 word 2 word 3 row 1: ...   row 7: word 3
//     a[2 * slab + 1]    row 8: ...                                      row 15: word 3
//     B, 8 columns
//     b[slab]            col 0: word 0 word 1 word 2 word 3 col 1: ...   col 7: word 3
//     C and D, 16 x 8    lane 4 * row + pair
//     c[0], c[1]         32 bits: column 2 * pair, and 2 * pair + 1; c[2], c[3] rows 8 to 15
//     c[0]               16 bits: columns 2 * pair (low half) and 2 * pair + 1; c[1] rows 8 to 15
//
// Larger matrices are panels of 16 rows and tiles of 8 columns: a[panel][slab][2], b[tile][slab],
// c[panel][tile][4 or 2].
#pragma once

#include <cstdint>

#include "emulator/tensor/host.hpp"
#include "emulator/tensor/tensor.hpp"

namespace lanescope::emulator {

/// Pointers to lane 0 of the registers. Registers of D may be those of C, and nothing else's. What
/// a slab has beyond K is zero.
struct Fragments {
  const std::uint32_t* const* a = nullptr;
  const std::uint32_t* const* b = nullptr;
  const std::uint32_t* const* c = nullptr;
  std::uint32_t* const* d = nullptr;
};

inline constexpr int kPanelRows = 16, kTileCols = 8, kSlabWords = 4;
inline constexpr int kFragmentLanes = 32;

/// Bits of an element in a register.
int element_bits(TensorType type);
/// Slabs along K.
int slabs_of(const TensorShape& shape);
/// Registers of C or D of one panel and tile.
int tile_registers(TensorType accumulator);

/// Where an element is: a register of the operand, a word of it, the element's lowest bit there.
struct FragmentPlace {
  int reg = 0, lane = 0, bit = 0;
  friend constexpr bool operator==(const FragmentPlace&, const FragmentPlace&) = default;
};
FragmentPlace place_of_a(const TensorShape& shape, int row, int k);
FragmentPlace place_of_b(const TensorShape& shape, int k, int col);
FragmentPlace place_of_c(const TensorShape& shape, int row, int col);  // and of D

/// Everything but f64. M is a multiple of 16, N of 8.
void multiply_fragments(const MmaArithmetic& how, const TensorShape& shape,
                        const Fragments& fragments, Host host);

}  // namespace lanescope::emulator
