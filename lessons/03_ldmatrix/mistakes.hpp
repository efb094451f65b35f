// SPDX-License-Identifier: MIT
// Which rows the lanes of exercise 03 have to name, and the mistakes that its check knows: each
// predicts the address of every lane.
//
// Source of the right places: common/layout (PTX ISA 9.2, 9.7.14.5.8, 9.7.14.5.15).
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "layout/instruction.hpp"

namespace exercise_03 {

using lanescope::layout::Element;
using lanescope::layout::Instruction;

inline constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

inline const Instruction& instruction() {
  const Instruction* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  return *found;
}

/// The element that belongs into a half of a register: of A (row m, col k) or of B (row k, col n).
inline Element belongs(char operand, int lane, int reg, int half) {
  if (operand == 'A') return instruction().A.element(lane, reg * 2 + half);
  const Element e = instruction().B.element(lane, reg % 2 * 2 + half);
  return {e.row, e.col + reg / 2 * 8};
}

/// Where it lies in memory: A is stored transposed.
inline Element stored(char operand, Element e) {
  return operand == 'A' ? Element{e.col, e.row} : e;
}

// f16 patterns of whole numbers would do as well; these say where they lie: 0x3000 + 16 * row +
// col.
inline std::uint16_t pattern(char operand, Element in_memory) {
  return static_cast<std::uint16_t>((operand == 'A' ? 0x3000 : 0x4000) + 16 * in_memory.row +
                                    in_memory.col);
}

/// The row that a lane has to name: of block lane / 8, whose first element the atlas knows.
inline Element named(char operand, int lane) {
  const Element block = stored(operand, belongs(operand, 0, lane / 8, 0));
  return {block.row + lane % 8, block.col};
}

struct Mistake {
  const char* name;
  const char* advice;
  std::function<Element(char operand, int lane)> address;
};

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"the addresses are those of the fragment, as lesson 01 has them",
       "a lane names a whole row of eight elements, not its own two: the column is 0 or 8",
       [](char, int lane) {
         return Element{lane >> 2, lane % 4 * 2};
       }},
      {"registers 1 and 2 are exchanged",
       "which block is 8 rows, which 8 columns further on? A is stored transposed, B is not",
       [](char operand, int lane) {
         constexpr int kExchanged[] = {0, 2, 1, 3};
         return named(operand, kExchanged[lane / 8] * 8 + lane % 8);
       }},
      {"the + 8 of the rows is missing",
       "16 rows are needed: two of the four blocks begin at row 8",
       [](char operand, int lane) {
         return Element{lane % 8, named(operand, lane).col};
       }},
      {"the + 8 of the columns is missing", "two of the four blocks begin at column 8",
       [](char operand, int lane) {
         return Element{named(operand, lane).row, 0};
       }},
      {"lane n names row n of a tile that had 32 rows",
       "the tile has 16 rows of 16 columns: two of the four blocks begin at column 8",
       [](char, int lane) {
         return Element{lane, 0};
       }},
      {"every row begins at column 0",
       "x4 loads 16 columns: two of the four blocks begin at column 8, and A is stored transposed",
       [](char, int lane) {
         return Element{lane % 16, 0};
       }},
      {"neighbouring lanes name the two halves of a row",
       "eight neighbouring lanes name the eight rows of one block: lane % 8 is the row in it",
       [](char, int lane) {
         return Element{lane / 2, lane % 2 * 8};
       }},
      {"row and column take their step of 8 together: two blocks are named twice, two never",
       "four blocks: lane / 8 % 2 decides about one of row and column, lane / 16 about the other",
       [](char, int lane) {
         return Element{lane % 8 + lane / 8 % 2 * 8, lane / 8 % 2 * 8};
       }},
      {"row and column take their step of 8 together: two blocks are named twice, two never",
       "four blocks: lane / 8 % 2 decides about one of row and column, lane / 16 about the other",
       [](char, int lane) {
         return Element{lane % 8 + lane / 16 * 8, lane / 16 * 8};
       }},
      {"all lanes from 8 on repeat what lanes 0 to 7 name",
       "lanes 8 to 15 name the rows of register 1, and so on: lane / 8 says which block",
       [](char operand, int lane) { return named(operand, lane % 8); }},
      {"lanes 16 to 31 repeat what lanes 0 to 15 name",
       "x4 takes addresses from all 32 lanes; lanes 16 to 31 name the rows of registers 2 and 3",
       [](char operand, int lane) { return named(operand, lane % 16); }},
      {"lane 16 names the row of lane 0, as if it were not one of the upper half",
       "lanes 16 to 31 name the rows of registers 2 and 3: lane / 16, or lane >= 16, not lane > 16",
       [](char operand, int lane) { return named(operand, lane == 16 ? 0 : lane); }},
      {"everything is one row too far down", "rows are counted from 0: lane 0 names row 0",
       [](char operand, int lane) {
         const Element e = named(operand, lane);
         return Element{e.row + 1, e.col};
       }},
      {"the column counts blocks, not elements", "the second block begins at column 8",
       [](char operand, int lane) {
         const Element e = named(operand, lane);
         return Element{e.row, e.col / 8};
       }},
      {"the row counts bytes, or rows of another tile", "row and column are counted in elements",
       [](char operand, int lane) {
         const Element e = named(operand, lane);
         return Element{e.row * 2, e.col * 2};
       }},
      {"row and column are exchanged", "a row is 0 to 15, a column is 0 or 8",
       [](char operand, int lane) {
         const Element e = named(operand, lane);
         return Element{e.col, e.row};
       }},
      {"lane / 8 and lane % 8 have changed places",
       "neighbouring lanes name neighbouring rows: lane % 8 is the row, lane / 8 the block",
       [](char, int lane) {
         return Element{lane / 8 + lane % 2 * 8, lane / 2 % 2 * 8};
       }},
  };
  return all;
}

}  // namespace exercise_03
