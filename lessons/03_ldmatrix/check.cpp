// SPDX-License-Identifier: MIT
// Check of exercise 03: loads two matrices whose elements are all different, compares every half of
// every register with the atlas, and names the mistake by the addresses that the lanes computed.
//
// Source of the expected places: common/layout (PTX ISA 9.2, 9.7.14.5.8, 9.7.14.5.15).
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "layout/instruction.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> load_on_device(const std::vector<std::uint16_t>& a_t,
                                          const std::vector<std::uint16_t>& b, const char* trace);

namespace {

using lanescope::layout::Element;
using lanescope::layout::Instruction;

constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr int kOut = 12;  // of a lane: 4 of a, 4 of b, 4 numbers

const Instruction& instruction() {
  const Instruction* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  return *found;
}

/// The element that belongs into a half of a register: of A (row m, col k) or of B (row k, col n).
Element belongs(char operand, int lane, int reg, int half) {
  if (operand == 'A') return instruction().A.element(lane, reg * 2 + half);
  const Element e = instruction().B.element(lane, reg % 2 * 2 + half);
  return {e.row, e.col + reg / 2 * 8};
}

/// Where it lies in memory: A is stored transposed.
Element stored(char operand, Element e) { return operand == 'A' ? Element{e.col, e.row} : e; }

// f16 patterns of whole numbers would do as well; these say where they lie: 0x3000 + 16 * row +
// col.
std::uint16_t pattern(char operand, Element in_memory) {
  return static_cast<std::uint16_t>((operand == 'A' ? 0x3000 : 0x4000) + 16 * in_memory.row +
                                    in_memory.col);
}

struct Answer {
  std::vector<std::uint32_t> out;

  std::uint16_t half_at(char operand, int lane, int reg, int half) const {
    const std::uint32_t word =
        out.at(static_cast<std::size_t>(lane * kOut + (operand == 'A' ? 0 : 4) + reg));
    return static_cast<std::uint16_t>(half == 0 ? word : word >> 16);
  }
  Element address(char operand, int lane) const {
    const std::size_t at = static_cast<std::size_t>(lane * kOut + 8 + (operand == 'A' ? 0 : 2));
    return {static_cast<int>(out.at(at)), static_cast<int>(out.at(at + 1))};
  }
};

Answer ask(const char* trace) {
  std::vector<std::uint16_t> a_t, b;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 16; ++col) {
      a_t.push_back(pattern('A', {row, col}));
      b.push_back(pattern('B', {row, col}));
    }
  Answer answer{load_on_device(a_t, b, trace)};
  REQUIRE(answer.out.size() == 32 * kOut);
  return answer;
}

/// The row that a lane has to name: of block lane / 8, whose first element the atlas knows.
Element named(char operand, int lane) {
  const Element block = stored(operand, belongs(operand, 0, lane / 8, 0));
  return {block.row + lane % 8, block.col};
}

// ---- What mistake is it? ------------------------------------------------------------------------

struct Mistake {
  const char* name;
  const char* advice;
  std::function<Element(char operand, int lane)> address;
};

const std::vector<Mistake>& mistakes() {
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

/// "It looks as if ..., in A". What explains the address of every lane is the mistake.
std::string diagnosis(const Answer& answer, char operand) {
  const std::string in = std::string(" (") + operand + ").\n  What to do: ";
  bool untouched = true, constant = true;
  for (int lane = 0; lane < 32; ++lane) {
    untouched = untouched && answer.address(operand, lane) == Element{-1, -1};
    constant = constant && answer.address(operand, lane) == answer.address(operand, 0);
  }
  if (untouched)
    return "The gap is still empty, or does not set row and column" + in +
           "lessons/03_ldmatrix/exercise.cu, between the two `your code` lines.";
  if (constant)
    return "It looks as if every lane names the same row" + in +
           "row and column depend on the lane.";
  bool only_lane_0 = true;
  for (int lane = 0; lane < 32; ++lane)
    only_lane_0 = only_lane_0 && answer.address(operand, lane) ==
                                     (lane == 0 ? named(operand, 0) : Element{-1, -1});
  if (only_lane_0)
    return "It looks as if only lane 0 names a row" + in +
           "all 32 lanes hand in an address: is there an `if (lane == 0)`?";
  for (const Mistake& mistake : mistakes()) {
    bool explains = true;
    for (int lane = 0; lane < 32; ++lane)
      explains = explains && answer.address(operand, lane) == mistake.address(operand, lane);
    if (explains) return std::string("It looks as if ") + mistake.name + in + mistake.advice + ".";
  }
  for (int lane = 0; lane < 32; ++lane) {
    const Element e = answer.address(operand, lane);
    const bool row = e.row < 0 || e.row > 15;
    if (row || (e.col != 0 && e.col != 8))
      return "It looks as if lane " + std::to_string(lane) +
             (row ? " named row " : " began at column ") + std::to_string(row ? e.row : e.col) +
             in + "the tile has rows 0 to 15, and a lane's eight elements begin at column 0 or 8.";
  }
  return "This is not one of the mistakes this check knows" + in +
         "take one line above: which lane names that row, and which should?";
}

// ---- Saying it ----------------------------------------------------------------------------------

std::string line(const Answer& answer, char operand, int lane, int reg, int half) {
  const Element e = belongs(operand, lane, reg, half);
  const std::uint16_t found = answer.half_at(operand, lane, reg, half);
  const int place = found - pattern(operand, {0, 0});
  std::string is = "NaN, from no row of the tile";
  if (place >= 0 && place < 256) {
    const Element from = stored(operand, {place / 16, place % 16});  // its own inverse
    is = std::string(1, operand) + "[" + std::to_string(from.row) + "][" +
         std::to_string(from.col) + "]";
  }
  const int server = reg * 8 + stored(operand, e).row % 8;
  const Element address = answer.address(operand, server);
  char text[220];
  std::snprintf(text, sizeof text,
                "  lane %2d, %c[%d], %s half: expected %c[%d][%d], found %s\n"
                "      lane %d serves it, and names row %d from column %d\n",
                lane, operand == 'A' ? 'a' : 'b', reg, half == 0 ? "low" : "high", operand, e.row,
                e.col, is.c_str(), server, address.row, address.col);
  return text;
}

void check(char operand) {
  constexpr int kShown = 3;
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  const Answer answer = ask(trace);
  int wrong = 0, first_lane = -1, first_reg = -1;
  std::string shown;
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg)
      for (int half = 0; half < 2; ++half) {
        const Element e = belongs(operand, lane, reg, half);
        if (answer.half_at(operand, lane, reg, half) == pattern(operand, stored(operand, e)))
          continue;
        if (wrong++ < kShown) shown += line(answer, operand, lane, reg, half);
        if (first_lane < 0) first_lane = lane, first_reg = reg;
      }
  if (wrong == 0) return;
  if (wrong > kShown) shown += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  const Element e = belongs(operand, first_lane, first_reg, 0);
  std::string problem = "\n" + std::to_string(wrong) + " of 256 elements of " + operand +
                        " are not where they belong:\n" + shown + "\n" +
                        diagnosis(answer, operand) + "\n";
  if (trace != nullptr)
    problem += std::string("  What you loaded: ./learn view \"") + trace + "\" --select \"" +
               operand + " " + std::to_string(e.row) + "," + std::to_string(e.col % 8) + "\"\n";
  problem += std::string("  What belongs there: ./learn layout ") + kInstruction + " --operand " +
             operand + " --lane " + std::to_string(first_lane) + "\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("A, stored transposed") { check('A'); }
TEST_CASE("B, two tiles of eight columns") { check('B'); }
