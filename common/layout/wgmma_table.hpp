// SPDX-License-Identifier: MIT
// wgmma: D and, where it comes from registers, A, over the 128 threads of a warpgroup. Pure data.
//
//   warp 0  rows  0..15     within a warp as in mma.m16n8: g = lane >> 2 picks the row,
//   warp 1  rows 16..31     t = lane % 4 the columns; value bits 0 and 1 are the 2 x 2 of an
//   warp 2  rows 32..47     8x8 pair, the others step through N (D) or K (A)
//   warp 3  rows 48..63
//
// B, and A where it is not in registers, lie in shared memory: descriptor.hpp.
// Source: PTX ISA 9.2, 9.7.15.5.1.1 (figures 148 to 155) and 9.7.15.6.2 (figures 175 to 181). The
// ISA gives figures only; the maps are theirs. A of .b1 was derived from mma.m16n8k256. A card has
// confirmed them all (tests/golden).
#pragma once

#include <array>

#include "layout/instruction.hpp"
#include "layout/mma_table.hpp"

namespace lanescope::layout {

// The seven thread bits: a quad's columns, eight rows, and the warp's sixteen.
constexpr Moves warpgroup(int run) {
  return {col(run), col(2 * run), row(1), row(2), row(4), row(16), row(32)};
}

// D: row = 16*warp + g + 8*((i >> 1) & 1), col = 8*(i >> 2) + 2t + (i & 1); N/2 values.
inline constexpr Map kWgmmaD{warpgroup(2),
                             {col(1), row(8), col(8), col(16), col(32), col(64), col(128)}};

struct WgmmaShape {
  int K;  // of the dense form; the sparse one multiplies twice as many with the same A
  int element_bits;
  std::string_view source, sparse_source;
  Map A;
  Standing standing;
};
// clang-format off
inline constexpr std::array kWgmmaShapes{
    WgmmaShape{16, 16, "PTX ISA 9.2, 9.7.15.5.1.1.1 (figures 148, 149)",
               "PTX ISA 9.2, 9.7.15.6.2.1 (figures 175, 176)",
               {warpgroup(2), {col(1), row(8), col(8)}}, Standing::specified},
    WgmmaShape{8, 32, "PTX ISA 9.2, 9.7.15.5.1.1.2 (figures 150, 151)",
               "PTX ISA 9.2, 9.7.15.6.2.2 (figures 177, 178)",
               {warpgroup(1), {row(8), col(4)}}, Standing::specified},
    WgmmaShape{32, 8, "PTX ISA 9.2, 9.7.15.5.1.1.3 (figures 152, 153)",
               "PTX ISA 9.2, 9.7.15.6.2.3 (figures 179 to 181)",
               {warpgroup(4), {col(1), col(2), row(8), col(16)}}, Standing::specified},
    WgmmaShape{256, 1, "PTX ISA 9.2, 9.7.15.5.1.1.4 (figures 154, 155)", "",
               {warpgroup(32), {col(1), col(2), col(4), col(8), col(16), row(8), col(128)}},
               Standing::derived},
};
// clang-format on

// E of the sparse forms: as mma.sp's, with two more thread bits for the warp.
struct WgmmaMetadata {
  int element_bits;
  Map E;
  int index_bits, index_cols, selectors;
};
inline constexpr std::array kWgmmaMetadata{
    WgmmaMetadata{16,
                  {{col(8), stay(), row(1), row(2), row(4), row(16), row(32)},
                   {col(1), col(2), col(4), row(8)}},
                  2,
                  16,
                  2},
    WgmmaMetadata{
        32,
        {{col(4), stay(), row(1), row(2), row(4), row(16), row(32)}, {col(1), col(2), row(8)}},
        4,
        8,
        2},
    WgmmaMetadata{8,
                  {{row(8), col(16), row(1), row(2), row(4), row(16), row(32)},
                   {col(1), col(2), col(4), col(8)}},
                  2,
                  32,
                  1},
};

// PTX ISA 9.2, 9.7.15.2 (shapes), 9.7.15.5.2 and 9.7.15.6.3 (types and versions).
struct WgmmaLine {
  int K;  // dense
  TypeList inputs;
  AccumulatorList accumulators;  // c is not written: D = A*B + D
  std::string_view suffix;
  bool every_n;                      // 8, 16, ... 256; else the 18 of s8/u8 and b1
  std::string_view ptx, sparse_ptx;  // "" for no sparse form; mixed signs came with 8.4
};
inline constexpr std::array kWgmmaLines{
    WgmmaLine{16, {ElementType::f16}, kIntoF16OrF32, "", true, "8.0", "8.2"},
    WgmmaLine{16, {ElementType::bf16}, kIntoF32, "", true, "8.0", "8.2"},
    WgmmaLine{8, {ElementType::tf32}, kIntoF32, "", true, "8.0", "8.2"},
    WgmmaLine{32, kF8, kIntoF16OrF32, "", true, "8.0", "8.2"},
    WgmmaLine{32, kInt8, kIntoS32, "", false, "8.0", "8.2"},
    WgmmaLine{256, {ElementType::b1}, kIntoS32, ".and.popc", false, "8.0", ""},
};
inline constexpr std::string_view kMixedSignsPtx = "8.4";
inline constexpr std::string_view kWgmmaTarget = "sm_90a";

}  // namespace lanescope::layout
