// SPDX-License-Identifier: MIT
// What an answer to exercise 01 is, and the mistakes that the check knows: each predicts what is in
// every one of the 256 halves.
//
// Source of the right places: common/layout (PTX ISA 9.2, 9.7.14.5.8).
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "layout/instruction.hpp"

namespace exercise_01 {

using lanescope::layout::Element;
using lanescope::layout::Fragment;

inline constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr std::uint16_t kNotWritten = 0xffff;  // DeviceArray and load_a poison with it
constexpr std::uint16_t kOutside = 0x7e00;     // a NaN too: what lies around the matrix
constexpr int kGuard = 4096;                   // elements of it in front and behind
constexpr int kSlots = 256;                    // 32 lanes, 4 registers, 2 halves

/// A row-major matrix, and the 16 x 16 tile in it that is to be loaded.
struct Tile {
  int rows, cols;      // of the matrix
  int stride;          // elements from one row to the next, at least cols
  int row, col;        // where the tile begins
  bool signs = false;  // some numbers are negative
};

/// The f16 pattern of a whole number from -2048 to 2048. Written out here, so that a check depends
/// on nothing that a lesson could break.
inline std::uint16_t f16(int number) {
  if (number < 0) return static_cast<std::uint16_t>(0x8000 | f16(-number));
  if (number == 0) return 0;
  const int exponent = static_cast<int>(std::log2(number));
  return static_cast<std::uint16_t>(((exponent + 15) << 10) +
                                    ((number - (1 << exponent)) << 10 >> exponent));
}

// 100*row + col of the matrix: a number says where it belongs. No two are alike, none is its own
// mirror image. Of two neighbours the left one, the right one or both are negative.
inline int number_in_matrix(const Tile& tile, int row, int col) {
  const int number = 100 * row + col;
  return tile.signs && (row + col) % 3 > 0 ? -number : number;
}
inline int number_at(const Tile& tile, int row, int col) {
  return number_in_matrix(tile, tile.row + row, tile.col + col);
}

inline std::vector<std::uint16_t> matrix_of(const Tile& tile) {
  std::vector<std::uint16_t> matrix(static_cast<std::size_t>(2 * kGuard + tile.rows * tile.stride),
                                    kOutside);
  for (int row = 0; row < tile.rows; ++row)
    for (int col = 0; col < tile.cols; ++col)
      matrix[static_cast<std::size_t>(kGuard + row * tile.stride + col)] =
          f16(number_in_matrix(tile, row, col));
  return matrix;
}

/// What one half of a register turned out to be.
struct Found {
  std::uint16_t pattern = kNotWritten;
  std::optional<Element> place;  // in the tile's coordinates, when it is an element of the matrix
};

struct Answer {
  Tile tile;
  std::vector<std::uint16_t> matrix;
  std::vector<Found> found;  // by slot: (lane * 4 + register) * 2 + half

  /// What lies `offset` elements from the tile's beginning.
  std::uint16_t at(int offset) const {
    return matrix.at(static_cast<std::size_t>(kGuard + tile.row * tile.stride + tile.col + offset));
  }
};

inline const Fragment& fragment() {
  const lanescope::layout::Instruction* instruction = lanescope::layout::find(kInstruction);
  REQUIRE(instruction != nullptr);
  return instruction->A;
}
inline Element expected(int lane, int reg, int half) {
  return fragment().element(lane, reg * 2 + half);
}

// ---- What mistake is it? ----------------------------------------------------------------------

/// A mistake explains an answer when it predicts what is in every one of the 256 halves: an element
/// of the tile, or (nullopt) nothing, because it was never written.
struct Mistake {
  const char* name;
  const char* advice;
  std::function<std::optional<Element>(int lane, int reg, int half)> predicts;
  int stride = 0;  // what it takes the rows to be apart; 0: as far as they are
};

inline Element moved(Element e, int rows, int cols) { return {e.row + rows, e.col + cols}; }

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"only lane 0 has loaded its registers",
       "all 32 lanes run the kernel, and each loads its own: look for an `if (lane == 0)`",
       [](int lane, int reg, int half) -> std::optional<Element> {
         if (lane != 0) return std::nullopt;
         return expected(lane, reg, half);
       }},
      {"the row is lane / 2", "four neighbouring lanes share a row: lane >> 2, which is lane / 4",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), lane / 2 - lane / 4, 0);
       }},
      {"the row is lane / 8", "four neighbouring lanes share a row: lane >> 2, which is lane / 4",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), lane / 8 - lane / 4, 0);
       }},
      {"rows and columns are exchanged: this is A transposed",
       "row major means that the next element of a row is the next in memory: row * stride + col",
       [](int lane, int reg, int half) {
         const Element e = expected(lane, reg, half);
         return Element{e.col, e.row};
       }},
      {"the pairs lie in columns, as in the fragment of B",
       "a register of A has two neighbours of a row: lane >> 2 is the row, lane % 4 * 2 the column",
       [](int lane, int reg, int half) {
         return Element{lane % 4 * 2 + half + reg % 2 * 8, lane / 4 + reg / 2 * 8};
       }},
      {"registers a[1] and a[2] are exchanged",
       "a[1] is 8 rows further down, a[2] is 8 columns further right",
       [](int lane, int reg, int half) {
         constexpr int kExchanged[] = {0, 2, 1, 3};
         return expected(lane, kExchanged[reg], half);
       }},
      {"the halves of every register are exchanged",
       "the element with the lower column belongs into the low half",
       [](int lane, int reg, int half) { return expected(lane, reg, 1 - half); }},
      {"the + 8 of the rows is missing", "a[1] and a[3] hold row (lane >> 2) + 8",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), reg % 2 == 0 ? 0 : -8, 0);
       }},
      {"the + 8 of the columns is missing",
       "a[2] and a[3] hold columns 2 * (lane % 4) + 8 and the one after it",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), 0, reg / 2 == 0 ? 0 : -8);
       }},
      {"a[1] and a[3] are 8 columns further right, not 8 rows further down",
       "rows lie `stride` elements apart: 8 rows are 8 * stride elements",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), reg % 2 * -8, reg % 2 * 8);
       }},
      {"a[1] and a[3] are one row further down and 8 columns further right",
       "8 rows are 8 * stride elements, not 8 + stride",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), reg % 2 * -7, reg % 2 * 8);
       }},
      {"every lane has loaded row 0 of its block",
       "the row is lane >> 2; `lane >> 2 * stride` shifts by 2 * stride: (lane >> 2) * stride",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), -(lane >> 2), 0);
       }},
      {"a[1] and a[3] are 16 rows further down instead of 8", "a block has 8 rows: row + 8",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), reg % 2 == 0 ? 0 : 8, 0);
       }},
      {"a[2] and a[3] are 16 columns further right instead of 8",
       "a block has 8 columns, and the pointer counts elements, not bytes: col + 8",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), 0, reg / 2 == 0 ? 0 : 8);
       }},
      {"all four registers hold what a[0] should hold",
       "a[1] and a[3] are 8 rows further down, a[2] and a[3] 8 columns further right",
       [](int lane, int, int half) { return expected(lane, 0, half); }},
      {"every lane has loaded what lane 0 should load",
       "the row and the column depend on the lane: lane >> 2 and lane % 4",
       [](int, int reg, int half) { return expected(0, reg, half); }},
      {"both halves of a register hold the same element",
       "the high half is the element one column further right",
       [](int lane, int reg, int) { return expected(lane, reg, 0); }},
      {"the high half is two columns further right",
       "the two of a register are neighbours: col + 1",
       [](int lane, int reg, int half) { return moved(expected(lane, reg, 0), 0, half * 2); }},
      {"the high half of every register is 0: it got one number, not two",  // A[0][0] is 0
       "pack(low, high) makes a register of two neighbours of a row",
       [](int lane, int reg, int half) {
         return half == 0 ? expected(lane, reg, 0) : Element{0, 0};
       }},
      {"the low half of every register is 0: the second number took the place of the first",
       "`a[reg] = x << 16` forgets what was there: pack(low, high) puts both in",
       [](int lane, int reg, int half) {
         return half == 1 ? expected(lane, reg, 1) : Element{0, 0};
       }},
      {"the halves of a register lie below each other",
       "a register of A has two neighbours of a row: the high half is one column further right",
       [](int lane, int reg, int half) { return moved(expected(lane, reg, 0), half, 0); }},
      {"every lane has loaded eight neighbours of a row",
       "a lane has two neighbours in each of four blocks, 8 rows and 8 columns apart",
       [](int lane, int reg, int half) {
         return Element{lane / 2, lane % 2 * 8 + reg * 2 + half};
       }},
      {"eight lanes share a whole row, and each register is 4 rows further down",
       "a row of A is 16 wide, but four lanes share one: a[0] has columns 0 to 7 of it, a[2] the "
       "rest",
       [](int lane, int reg, int half) {
         return Element{lane / 8 + reg * 4, lane % 8 * 2 + half};
       }},
      {"eight lanes share a row",
       "a block has eight columns, two to a lane: four lanes share a row, lane >> 2",
       [](int lane, int reg, int half) {
         return Element{lane / 8 + reg % 2 * 8, lane % 8 * 2 + half + reg / 2 * 8};
       }},
      {"everything is one row too far down", "rows are counted from 0: lane 0 begins with A[0][0]",
       [](int lane, int reg, int half) { return moved(expected(lane, reg, half), 1, 0); }},
      {"everything is one column too far right",
       "columns are counted from 0: lane 0 begins with A[0][0]",
       [](int lane, int reg, int half) { return moved(expected(lane, reg, half), 0, 1); }},
      {"the column is lane % 4, without the factor 2",
       "a register holds two columns, so the next lane begins two columns further right",
       [](int lane, int reg, int half) {
         return moved(expected(lane, reg, half), 0, -(lane % 4));
       }},
      {"lane >> 2 and lane % 4 have changed places",
       "four neighbouring lanes share a row: the row is lane >> 2, the column comes from lane % 4",
       [](int lane, int reg, int half) {
         return Element{lane % 4 + reg % 2 * 8, (lane >> 2) * 2 + half + reg / 2 * 8};
       }},
      {"the row is lane % 8 and the column comes from lane / 8",
       "four neighbouring lanes share a row: the row is lane >> 2, the column comes from lane % 4",
       [](int lane, int reg, int half) {
         return Element{lane % 8 + reg % 2 * 8, lane / 8 * 2 + half + reg / 2 * 8};
       }},
      {"rows are taken to be 16 elements apart",
       "the tile lies in a wider matrix: the next row begins `stride` elements further on",
       [](int lane, int reg, int half) { return expected(lane, reg, half); }, 16},
      {"the row is not multiplied by `stride`",
       "rows lie `stride` elements apart: row * stride + col",
       [](int lane, int reg, int half) { return expected(lane, reg, half); }, 1},
  };
  return all;
}

}  // namespace exercise_01
