// SPDX-License-Identifier: MIT
// Dense mma.sync: shapes, fragment maps, types, and what each needs. Pure data.
//
//        col 0 1   2 3   4 5   6 7       B, k by n, is A's picture turned: thread bits 0 and 1 move
//  row 0   lane 0| 1   | 2   | 3         down k, thread bits 2 to 4 move along n.
//      1   lane 4| 5   | 6   | 7
//      ...                               g = lane >> 2 is the group (the row in an 8x8 tile),
//      7   lane 28 29    30    31        t = lane % 4 the thread in the group (the columns).
//
// Not here: sparse A (mma_sp_table.hpp), the sm_120 kinds (kinds.cpp).
// Source: PTX ISA 9.2, 9.7.14.5.1 to .13 (fragments), 9.7.14.5.14 (types, versions, targets).
#pragma once

#include <array>
#include <string_view>

#include "layout/table_line.hpp"

namespace lanescope::layout {

// Thread bits of an 8-row tile whose thread holds `run` neighbouring columns (A, C) or rows (B).
constexpr Moves a_thread(int run) { return {col(run), col(2 * run), row(1), row(2), row(4)}; }
constexpr Moves b_thread(int run) { return {row(run), row(2 * run), col(1), col(2), col(4)}; }

// Accumulators. 16x8 is the same in every m16n8 shape: row = g + 8*(i >> 1), col = 2t + (i & 1);
// 8x8 in every m8n8 shape but m8n8k4 .f16: row = g, col = 2t + i.
inline constexpr Map kAccumulator16x8{a_thread(2), {col(1), row(8)}};
inline constexpr Map kAccumulator8x8{a_thread(2), {col(1)}};

// m8n8k4 .f16 multiplies four pairs of matrices at once, one a quad-pair: lanes 4q to 4q+3 and
// 16+4q to 16+4q+3. Thread bits 2 and 3 say which matrix, bit 4 which half of it.
constexpr Moves quad_pair(Move bit0, Move bit1, Move high) {
  return {bit0, bit1, matrix(1), matrix(2), high};
}
inline constexpr Map kQuadPairARow{quad_pair(row(1), row(2), row(4)), {col(1), col(2)}};
inline constexpr Map kQuadPairACol{quad_pair(col(1), col(2), row(4)), {row(1), row(2)}};
inline constexpr Map kQuadPairBRow{quad_pair(row(1), row(2), col(4)), {col(1), col(2)}};
inline constexpr Map kQuadPairBCol{quad_pair(col(1), col(2), col(4)), {row(1), row(2)}};
inline constexpr Map kQuadPairF16{quad_pair(row(1), row(2), row(4)), {col(1), col(2), col(4)}};
// row = (lane & 1) + (i & 2) + 4*(lane >= 16), col = (i & 4) + (lane & 2) + (i & 1)
inline constexpr Map kQuadPairF32{quad_pair(row(1), col(2), row(4)), {col(1), row(2), col(4)}};

// One shape for one container width.
struct MmaShape {
  int M, N, K;
  int element_bits;  // of A and B
  std::string_view source;
  Map A, B, C;
};

// clang-format off
inline constexpr std::array kMmaShapes{
    MmaShape{8, 8, 4, 64, "PTX ISA 9.2, 9.7.14.5.2",
             {a_thread(1), {}}, {b_thread(1), {}}, kAccumulator8x8},
    MmaShape{8, 8, 16, 8, "PTX ISA 9.2, 9.7.14.5.3",
             {a_thread(4), {col(1), col(2)}}, {b_thread(4), {row(1), row(2)}}, kAccumulator8x8},
    MmaShape{8, 8, 32, 4, "PTX ISA 9.2, 9.7.14.5.4",
             {a_thread(8), {col(1), col(2), col(4)}},
             {b_thread(8), {row(1), row(2), row(4)}}, kAccumulator8x8},
    MmaShape{8, 8, 128, 1, "PTX ISA 9.2, 9.7.14.5.5",
             {a_thread(32), {col(1), col(2), col(4), col(8), col(16)}},
             {b_thread(32), {row(1), row(2), row(4), row(8), row(16)}}, kAccumulator8x8},
    MmaShape{16, 8, 4, 32, "PTX ISA 9.2, 9.7.14.5.6 (.tf32)",
             {a_thread(1), {row(8)}}, {b_thread(1), {}}, kAccumulator16x8},
    MmaShape{16, 8, 4, 64, "PTX ISA 9.2, 9.7.14.5.6 (.f64)",
             {a_thread(1), {row(8)}}, {b_thread(1), {}}, kAccumulator16x8},
    MmaShape{16, 8, 8, 16, "PTX ISA 9.2, 9.7.14.5.7 (.f16, .bf16)",
             {a_thread(2), {col(1), row(8)}}, {b_thread(2), {row(1)}}, kAccumulator16x8},
    MmaShape{16, 8, 8, 32, "PTX ISA 9.2, 9.7.14.5.7 (.tf32)",
             {a_thread(1), {row(8), col(4)}}, {b_thread(1), {row(4)}}, kAccumulator16x8},
    MmaShape{16, 8, 8, 64, "PTX ISA 9.2, 9.7.14.5.7 (.f64)",
             {a_thread(1), {row(8), col(4)}}, {b_thread(1), {row(4)}}, kAccumulator16x8},
    MmaShape{16, 8, 16, 16, "PTX ISA 9.2, 9.7.14.5.8 (.f16, .bf16)",
             {a_thread(2), {col(1), row(8), col(8)}},
             {b_thread(2), {row(1), row(8)}}, kAccumulator16x8},
    MmaShape{16, 8, 16, 64, "PTX ISA 9.2, 9.7.14.5.8 (.f64)",
             {a_thread(1), {row(8), col(4), col(8)}},
             {b_thread(1), {row(4), row(8)}}, kAccumulator16x8},
    MmaShape{16, 8, 16, 8, "PTX ISA 9.2, 9.7.14.5.9",
             {a_thread(4), {col(1), col(2), row(8)}},
             {b_thread(4), {row(1), row(2)}}, kAccumulator16x8},
    MmaShape{16, 8, 32, 4, "PTX ISA 9.2, 9.7.14.5.10 (.s4, .u4)",
             {a_thread(8), {col(1), col(2), col(4), row(8)}},
             {b_thread(8), {row(1), row(2), row(4)}}, kAccumulator16x8},
    MmaShape{16, 8, 32, 8, "PTX ISA 9.2, 9.7.14.5.10 (8-bit containers)",
             {a_thread(4), {col(1), col(2), row(8), col(16)}},
             {b_thread(4), {row(1), row(2), row(16)}}, kAccumulator16x8},
    MmaShape{16, 8, 64, 4, "PTX ISA 9.2, 9.7.14.5.11",
             {a_thread(8), {col(1), col(2), col(4), row(8), col(32)}},
             {b_thread(8), {row(1), row(2), row(4), row(32)}}, kAccumulator16x8},
    MmaShape{16, 8, 128, 1, "PTX ISA 9.2, 9.7.14.5.12",
             {a_thread(32), {col(1), col(2), col(4), col(8), col(16), row(8)}},
             {b_thread(32), {row(1), row(2), row(4), row(8), row(16)}}, kAccumulator16x8},
    // The ISA's text for A says "col = tig*32 + i for i < 64"; it must be (i & 0x1F), or 3,840 of
    // the 4,096 places are hit and the figure contradicted (docs/errata.md, 3).
    MmaShape{16, 8, 256, 1, "PTX ISA 9.2, 9.7.14.5.13 (figure 100)",
             {a_thread(32), {col(1), col(2), col(4), col(8), col(16), row(8), col(128)}},
             {b_thread(32), {row(1), row(2), row(4), row(8), row(16), row(128)}},
             kAccumulator16x8},
};
// clang-format on

// m8n8k4 .f16 is a list of its own: the maps depend on the layouts and on the accumulator's type.
struct QuadPairLayout {
  std::string_view layout;
  Map A, B;
};
inline constexpr std::string_view kQuadPairSource = "PTX ISA 9.2, 9.7.14.5.1";
inline constexpr std::array kQuadPairLayouts{
    QuadPairLayout{"row.row", kQuadPairARow, kQuadPairBRow},
    QuadPairLayout{"row.col", kQuadPairARow, kQuadPairBCol},
    QuadPairLayout{"col.row", kQuadPairACol, kQuadPairBRow},
    QuadPairLayout{"col.col", kQuadPairACol, kQuadPairBCol},
};
// .f16 in C may widen to .f32 in D; .f32 in C asks for .f32 in D (9.7.14.5.14).
inline constexpr AccumulatorList kQuadPairAccumulators{{ElementType::f16, ElementType::f16},
                                                       {ElementType::f32, ElementType::f16},
                                                       {ElementType::f32, ElementType::f32}};

inline constexpr AccumulatorList kIntoF16{{ElementType::f16, ElementType::f16}};
inline constexpr AccumulatorList kIntoF32{{ElementType::f32, ElementType::f32}};
inline constexpr AccumulatorList kIntoF16OrF32{{ElementType::f16, ElementType::f16},
                                               {ElementType::f32, ElementType::f32}};
inline constexpr AccumulatorList kIntoF64{{ElementType::f64, ElementType::f64}};
inline constexpr AccumulatorList kIntoS32{{ElementType::s32, ElementType::s32}};

inline constexpr TypeList kF8{ElementType::e4m3, ElementType::e5m2};
inline constexpr TypeList kInt8{ElementType::s8, ElementType::u8};
inline constexpr TypeList kInt4{ElementType::s4, ElementType::u4};

// PTX ISA 9.2, 9.7.14.5.14 "PTX ISA Notes" and "Target ISA Notes".
inline constexpr std::array kMmaLines{
    TypeLine{8, 8, 4, {ElementType::f64}, kIntoF64, "", "", "7.0", "sm_80"},
    TypeLine{16, 8, 4, {ElementType::f64}, kIntoF64, "", "", "7.8", "sm_90"},
    TypeLine{16, 8, 8, {ElementType::f64}, kIntoF64, "", "", "7.8", "sm_90"},
    TypeLine{16, 8, 16, {ElementType::f64}, kIntoF64, "", "", "7.8", "sm_90"},
    TypeLine{16, 8, 8, {ElementType::f16}, kIntoF16OrF32, "", "", "6.5", "sm_75"},
    TypeLine{16, 8, 16, {ElementType::f16}, kIntoF16OrF32, "", "", "7.0", "sm_80"},
    TypeLine{16, 8, 8, {ElementType::bf16}, kIntoF32, "", "", "7.0", "sm_80"},
    TypeLine{16, 8, 16, {ElementType::bf16}, kIntoF32, "", "", "7.0", "sm_80"},
    TypeLine{16, 8, 4, {ElementType::tf32}, kIntoF32, "", "", "7.0", "sm_80"},
    TypeLine{16, 8, 8, {ElementType::tf32}, kIntoF32, "", "", "7.0", "sm_80"},
    TypeLine{8, 8, 16, kInt8, kIntoS32, "", "", "6.5", "sm_75"},
    TypeLine{16, 8, 16, kInt8, kIntoS32, "", "", "7.0", "sm_80"},
    TypeLine{16, 8, 32, kInt8, kIntoS32, "", "", "7.0", "sm_80"},
    TypeLine{8, 8, 32, kInt4, kIntoS32, "", "", "6.5", "sm_75"},
    TypeLine{16, 8, 32, kInt4, kIntoS32, "", "", "7.0", "sm_80"},
    TypeLine{16, 8, 64, kInt4, kIntoS32, "", "", "7.0", "sm_80"},
    TypeLine{8, 8, 128, {ElementType::b1}, kIntoS32, "", ".xor.popc", "7.0", "sm_75"},
    TypeLine{16, 8, 128, {ElementType::b1}, kIntoS32, "", ".xor.popc", "7.0", "sm_80"},
    TypeLine{16, 8, 256, {ElementType::b1}, kIntoS32, "", ".xor.popc", "7.0", "sm_80"},
    TypeLine{8, 8, 128, {ElementType::b1}, kIntoS32, "", ".and.popc", "7.1", "sm_80"},
    TypeLine{16, 8, 128, {ElementType::b1}, kIntoS32, "", ".and.popc", "7.1", "sm_80"},
    TypeLine{16, 8, 256, {ElementType::b1}, kIntoS32, "", ".and.popc", "7.1", "sm_80"},
    TypeLine{16, 8, 16, kF8, kIntoF16OrF32, "", "", "8.7", "sm_89"},
    TypeLine{16, 8, 32, kF8, kIntoF16, "", "", "8.7", "sm_89"},
    TypeLine{16, 8, 32, kF8, kIntoF32, "", "", "8.4", "sm_89"},
};

}  // namespace lanescope::layout
