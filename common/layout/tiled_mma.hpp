// SPDX-License-Identifier: MIT
// CuTe's TiledMMA: an atom that several warps (or warpgroups) repeat over a tile, as one
// instruction of that size, so that all that can be asked of an instruction can be asked of it.
//
//   make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{})
//
//        n 0..7    8..15   16..23   24..31        2 x 2 atoms of 16 x 8 side by side, a warp each;
//  m  0  warp 0   warp 2   warp 0   warp 2        what of the tile is left they take as further
//    16  warp 1   warp 3   warp 1   warp 3        values
//
// Threads count through the atoms as the layout of atoms says. An operand that does not have one of
// its directions (A has no n) is held once for each. In the place of a number the tile may have a
// permutation, Tile<_32,Layout<Shape<_8,_2,_2>,Stride<_1,_16,_8>>,_16>: what would be column n of
// the picture is column 1 (n % 8) + 16 (n / 8 % 2) + 8 (n / 16) of the matrix.
//
// Not here: quad-pairs, metadata.
// Source: CUTLASS, include/cute/atom/mma_atom.hpp (thrfrg_A, thrfrg_B, thrfrg_C). Derived.
#pragma once

#include <string>
#include <string_view>

#include "layout/instruction.hpp"

namespace lanescope::layout {

/// Whether words are meant as one: "make_tiled_mma(...", "TiledMMA<...".
bool is_tiled_mma(std::string_view words);

struct TiledMma {
  const Instruction* instruction = nullptr;  // kept as long as the program runs
  std::string problem;                       // one line, where there is none
};
TiledMma tiled_mma(std::string_view words);

}  // namespace lanescope::layout
