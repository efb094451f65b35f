// SPDX-License-Identifier: MIT
// mma.sp: A keeps half of its elements, and E says which. Pure data.
//
// A is M x K/2, the kept elements in their order along K; column s of it lies in the s-th half of
// each chunk: 2:4 types keep columns 4c..4c+3 of K as stored columns 2c and 2c+1, .tf32 (1:2)
// columns 2c and 2c+1 as c, 4-bit types (4:8 in pairs) columns 8c..8c+7 as 4c..4c+3. E is the
// metadata: an index (2 bits; .tf32: 4) for each kept element, 4-bit types: for each kept pair.
// Column s of E belongs to column s of A (4-bit types: to columns 2s and 2s+1).
//
//   who hands in E                        a lane's 32 bits, low to high
//   one    lane 4g+sel                    row g all of K, row g+8 all of K
//   pair   lanes 4g+2sel, 4g+2sel+1       low and high half of K: row g, row g+8
//   rows   lanes 4g+2sel, 4g+2sel+1       row g and row g+8: all of K
//   all    lanes 4g .. 4g+3               row g low K, g+8 low, g high, g+8 high
//
// Source: PTX ISA 9.2, 9.7.14.6.2.1 to .8. E's order is in the figures only (119 to 147).
#pragma once

#include <array>

#include "layout/instruction.hpp"
#include "layout/mma_table.hpp"

namespace lanescope::layout {

struct SparseShape {
  int M, N, K;
  int element_bits;
  std::string_view source;
  Map A, B, E;
  int index_bits, index_cols;
  int selectors;  // 4: one lane of a quad; 2: a pair; 1: all
  Standing standing;
};

inline constexpr Moves one_lane() { return {stay(), stay(), row(1), row(2), row(4)}; }
inline constexpr Moves pair_halves(int half) { return {col(half), stay(), row(1), row(2), row(4)}; }
inline constexpr Moves pair_rows() { return {row(8), stay(), row(1), row(2), row(4)}; }
inline constexpr Moves all_lanes(int half) { return {row(8), col(half), row(1), row(2), row(4)}; }

// clang-format off
inline constexpr std::array kSparseShapes{
    SparseShape{16, 8, 16, 16, "PTX ISA 9.2, 9.7.14.6.2.1 (metadata: figure 119)",
                {a_thread(2), {col(1), row(8)}},
                {b_thread(2), {row(1), row(8)}},
                {one_lane(), {col(1), col(2), col(4), row(8)}}, 2, 8, 4, Standing::specified},
    SparseShape{16, 8, 32, 16, "PTX ISA 9.2, 9.7.14.6.2.2 (B: figure 121, metadata: figure 122)",
                {a_thread(2), {col(1), row(8), col(8)}},
                {b_thread(2), {row(1), row(8), row(16)}},
                {pair_halves(8), {col(1), col(2), col(4), row(8)}}, 2, 16, 2, Standing::specified},
    SparseShape{16, 8, 16, 32, "PTX ISA 9.2, 9.7.14.6.2.3 (B: figure 124, metadata: figure 125)",
                {a_thread(1), {row(8), col(4)}},
                {b_thread(1), {row(4), row(8)}},
                {pair_halves(4), {col(1), col(2), row(8)}}, 4, 8, 2, Standing::specified},
    SparseShape{16, 8, 8, 32, "PTX ISA 9.2, 9.7.14.6.2.4 (metadata: figure 127)",
                {a_thread(1), {row(8)}},
                {b_thread(1), {row(4)}},
                {one_lane(), {col(1), col(2), row(8)}}, 4, 4, 4, Standing::derived},
    SparseShape{16, 8, 32, 8, "PTX ISA 9.2, 9.7.14.6.2.5 (metadata: figure 129)",
                {a_thread(4), {col(1), col(2), row(8)}},
                {b_thread(4), {row(1), row(2), row(16)}},
                {pair_rows(), {col(1), col(2), col(4), col(8)}}, 2, 16, 2, Standing::derived},
    SparseShape{16, 8, 64, 8, "PTX ISA 9.2, 9.7.14.6.2.6 (B: figures 132-135, metadata: 136, 137)",
                {a_thread(4), {col(1), col(2), row(8), col(16)}},
                {b_thread(4), {row(1), row(2), row(16), row(32)}},
                {all_lanes(16), {col(1), col(2), col(4), col(8)}}, 2, 32, 1, Standing::specified},
    SparseShape{16, 8, 64, 4, "PTX ISA 9.2, 9.7.14.6.2.7 (metadata: figure 139)",
                {a_thread(8), {col(1), col(2), col(4), row(8)}},
                {b_thread(8), {row(1), row(2), row(4), row(32)}},
                {pair_rows(), {col(1), col(2), col(4), col(8)}}, 2, 16, 2, Standing::derived},
    SparseShape{16, 8, 128, 4, "PTX ISA 9.2, 9.7.14.6.2.8 (B: figures 142-145, metadata: 146, 147)",
                {a_thread(8), {col(1), col(2), col(4), row(8), col(32)}},
                {b_thread(8), {row(1), row(2), row(4), row(32), row(64)}},
                {all_lanes(16), {col(1), col(2), col(4), col(8)}}, 2, 32, 1, Standing::specified},
};
// clang-format on

// PTX ISA 9.2, 9.7.14.6.3. `ptx` is mma.sp's; mma.sp::ordered_metadata came with 8.5.
// What the notes say of fp8 ".m16n8k32" and of "sm_120", ptxas refuses (docs/errata.md, 10).
inline constexpr std::array kSparseLines{
    TypeLine{16, 8, 16, {ElementType::f16}, kIntoF16OrF32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 32, {ElementType::f16}, kIntoF16OrF32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 16, {ElementType::bf16}, kIntoF32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 32, {ElementType::bf16}, kIntoF32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 8, {ElementType::tf32}, kIntoF32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 16, {ElementType::tf32}, kIntoF32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 32, kInt8, kIntoS32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 64, kInt8, kIntoS32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 64, kInt4, kIntoS32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 128, kInt4, kIntoS32, "", "", "7.1", "sm_80"},
    TypeLine{16, 8, 64, kF8, kIntoF32, "", "", "8.4", "sm_89"},
};
inline constexpr std::string_view kOrderedPtx = "8.5";

// Only with ordered metadata, and f16 sums of fp8 only on these (ptxas; the notes say "sm_120").
inline constexpr TypeLine kSparseF8IntoF16{
    16, 8, 64, kF8, kIntoF16, "", "", "8.7", "sm_120a sm_121a"};

}  // namespace lanescope::layout
