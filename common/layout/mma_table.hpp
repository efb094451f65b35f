// SPDX-License-Identifier: MIT
// Fragment maps of dense mma.sync, shape by shape: pure data.
//
//        col 0 1   2 3   4 5   6 7       B, k by n, is A's picture turned: thread bits 0 and 1 move
//  row 0   lane 0| 1   | 2   | 3         down k, thread bits 2 to 4 move along n.
//      1   lane 4| 5   | 6   | 7
//      ...                               g = lane >> 2 is the group (the row in an 8x8 tile),
//      7   lane 28 29    30    31        t = lane % 4 the thread in the group (the columns).
//
// Source: PTX ISA 9.1, 9.7.14.5 "Matrix fragments for mma.m...".
#pragma once

#include <array>

#include "layout/fragment.hpp"

namespace lanescope::layout {

/// Shape of the map for one operand, before an element type is put to it.
struct Map {
  Moves thread;
  Moves value;
};

/// One m/n/k shape for one container width.
struct MmaShape {
  int M, N, K;
  int element_bits;  // of A and B
  std::string_view source;
  Map A, B, C;
};

// Thread bits of an 8-row tile whose thread holds `run` neighbouring columns (A, C) or rows (B).
constexpr Moves a_thread(int run) { return {col(run), col(2 * run), row(1), row(2), row(4)}; }
constexpr Moves b_thread(int run) { return {row(run), row(2 * run), col(1), col(2), col(4)}; }

// 16x8 accumulators are the same in every m16n8 shape: row = g + 8*(i >> 1), col = 2t + (i & 1).
inline constexpr Map kAccumulator16x8{a_thread(2), {col(1), row(8)}};

inline constexpr std::array kMmaShapes{
    MmaShape{16,
             8,
             16,
             16,
             "PTX ISA 9.1, 9.7.14.5.8 (mma.m16n8k16, .f16/.bf16)",
             {a_thread(2), {col(1), row(8), col(8)}},
             {b_thread(2), {row(1), row(8)}},
             kAccumulator16x8},
    MmaShape{16,
             8,
             16,
             8,
             "PTX ISA 9.1, 9.7.14.5.9 (mma.m16n8k16, 8-bit types)",
             {a_thread(4), {col(1), col(2), row(8)}},
             {b_thread(4), {row(1), row(2)}},
             kAccumulator16x8},
    MmaShape{16,
             8,
             32,
             8,
             "PTX ISA 9.1, 9.7.14.5.11 (mma.m16n8k32, 8-bit types)",
             {a_thread(4), {col(1), col(2), row(8), col(16)}},
             {b_thread(4), {row(1), row(2), row(16)}},
             kAccumulator16x8},
};

}  // namespace lanescope::layout
