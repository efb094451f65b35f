// SPDX-License-Identifier: MIT
// Check of exercise 02: runs pack_a on tiles whose numbers differ, compares every four bits of
// every register with the atlas, and says what the answer looks like if it is not right.
//
// Four bits cannot tell 1024 elements apart, so four tiles are packed: one tells the row, two tell
// the column, one has signs everywhere. An answer has to be right on all of them.
// Source of the expected places: common/layout (PTX ISA 9.2, 9.7.14.5.11).
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "layout/instruction.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> pack_a_on_device(const std::vector<std::int8_t>& matrix, int first,
                                            int stride, const char* trace);

namespace {

using lanescope::layout::Element;
using lanescope::layout::Fragment;

constexpr const char* kInstruction = "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32";
constexpr int kWords = 128, kParts = 8;
constexpr int kGuard = 4096;  // bytes around the matrix
constexpr std::int8_t kOutside = 0x55;

struct Tile {
  const char* numbers;  // what they say about their place
  int (*number)(int row, int col);
  int stride, row, col;  // of the matrix, and where the tile begins in it
};

struct Answer {
  Tile tile;
  std::vector<std::int8_t> matrix;
  std::vector<std::uint32_t> words;  // by lane * 4 + register

  /// The number at a place counted from the tile's beginning; it may lie outside the tile.
  std::int8_t at(int row, int col, int stride) const {
    return matrix.at(
        static_cast<std::size_t>(kGuard + tile.row * tile.stride + tile.col + row * stride + col));
  }
};

Answer ask(const Tile& tile, const char* trace) {
  constexpr int kMatrixRows = 24;
  Answer answer{tile,
                std::vector<std::int8_t>(
                    static_cast<std::size_t>(2 * kGuard + kMatrixRows * tile.stride), kOutside),
                {}};
  for (int row = 0; row < kMatrixRows; ++row)
    for (int col = 0; col < tile.stride; ++col)
      answer.matrix[static_cast<std::size_t>(kGuard + row * tile.stride + col)] =
          static_cast<std::int8_t>(tile.number(row, col));
  answer.words = pack_a_on_device(answer.matrix, kGuard + tile.row * tile.stride + tile.col,
                                  tile.stride, trace);
  REQUIRE(answer.words.size() == kWords);
  return answer;
}

const Fragment& fragment() {
  const lanescope::layout::Instruction* instruction = lanescope::layout::find(kInstruction);
  REQUIRE(instruction != nullptr);
  return instruction->A;
}
Element place(int lane, int reg, int part) { return fragment().element(lane, reg * kParts + part); }

// ---- What mistake is it? ------------------------------------------------------------------------

using Word = std::function<std::uint32_t(const Answer&, int lane, int reg)>;

/// A mistake explains an answer when it predicts every word of it.
struct Mistake {
  const char* name;
  const char* advice;
  Word word;
};

using Where = std::function<Element(int lane, int reg, int part)>;

/// The word that comes of packing, as it should be, elements from the wrong places.
Word packed(const Where& where) {
  return [where](const Answer& answer, int lane, int reg) {
    std::uint32_t word = 0;
    for (int part = 0; part < kParts; ++part) {
      const Element e = where(lane, reg, part);
      word |= (static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride)) & 0xf)
              << (4 * part);
    }
    return word;
  };
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"negative numbers are not cut to four bits: their sign runs over the neighbours",
       "`& 0xf` before the shift: -1 is 0xffffffff as an int, and 0xf in four bits",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           word |= static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride))
                   << (4 * part);
         }
         return word;
       }},
      {"a number takes eight bits, not four",
       "part p of a register is its bits 4p to 4p + 3: shift by 4 * p",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < 4; ++part) {
           const Element e = place(lane, reg, part);
           word |= (static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride)) & 0xf)
                   << (8 * part);
         }
         return word;
       }},
      {"the sign is a bit of its own, and the other three are the magnitude",
       "two's complement: -1 is 0xf, -8 is 0x8; the low four bits of the byte are right as they "
       "are",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           const int number = answer.at(e.row, e.col, answer.tile.stride);
           const int magnitude = number < 0 ? -number : number;
           word |= static_cast<std::uint32_t>((number < 0 ? 8 : 0) | (magnitude & 7)) << (4 * part);
         }
         return word;
       }},
      {"the numbers are counted from -8: 8 was added to each",
       "two's complement, not an offset: the low four bits of the byte are right as they are",
       [](const Answer& answer, int lane, int reg) {
         return packed([](int l, int r, int p) { return place(l, r, p); })(answer, lane, reg) ^
                0x88888888u;
       }},
      {"the parts of every register are in reverse order",
       "the element with the lowest column belongs into the lowest four bits",
       packed([](int lane, int reg, int part) { return place(lane, reg, 7 - part); })},
      {"the two numbers of every byte have changed places",
       "part p is bits 4p to 4p + 3, so the element with the even column comes first",
       packed([](int lane, int reg, int part) { return place(lane, reg, part ^ 1); })},
      {"registers a[1] and a[2] are exchanged",
       "a[1] is 8 rows further down, a[2] is 32 columns further right",
       packed([](int lane, int reg, int part) {
         constexpr int kExchanged[] = {0, 2, 1, 3};
         return place(lane, kExchanged[reg], part);
       })},
      {"the + 8 of the rows is missing", "a[1] and a[3] hold row (lane >> 2) + 8",
       packed([](int lane, int reg, int part) { return place(lane, reg & 2, part); })},
      {"the + 32 of the columns is missing", "a[2] and a[3] begin at column 8 * (lane % 4) + 32",
       packed([](int lane, int reg, int part) { return place(lane, reg & 1, part); })},
      {"a[2] and a[3] are 8 columns further right, as in lesson 01",
       "the step is four times the parts of a register: 8 for 16-bit types, 32 for 4-bit types",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg & 1, part);
         return Element{e.row, e.col + (reg & 2 ? 8 : 0)};
       })},
      {"a lane begins at column 2 * (lane % 4), as in lesson 01",
       "a register holds eight columns, so the next lane begins eight columns further right",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg, part);
         return Element{e.row, e.col - 6 * (lane % 4)};
       })},
      {"every lane has packed what lane 0 should pack",
       "the row and the column depend on the lane: lane >> 2 and lane % 4",
       packed([](int, int reg, int part) { return place(0, reg, part); })},
      {"lane >> 2 and lane % 4 have changed places",
       "four neighbouring lanes share a row: the row is lane >> 2, the column comes from lane % 4",
       packed([](int lane, int reg, int part) {
         return Element{lane % 4 + reg % 2 * 8, (lane >> 2) * 8 + part + reg / 2 * 32};
       })},
      {"everything is one column too far right",
       "columns are counted from 0: lane 0 begins with A[0][0]",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg, part);
         return Element{e.row, e.col + 1};
       })},
      {"everything is one row too far down", "rows are counted from 0: lane 0 begins with A[0][0]",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg, part);
         return Element{e.row + 1, e.col};
       })},
      {"all eight parts of a register hold its first element",
       "part p is the element p columns further right",
       packed([](int lane, int reg, int) { return place(lane, reg, 0); })},
      {"rows are taken to be 64 bytes apart",
       "the tile lies in a wider matrix: the next row begins `stride` bytes further on",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           word |= (static_cast<std::uint32_t>(answer.at(e.row, e.col, 64)) & 0xf) << (4 * part);
         }
         return word;
       }},
      {"only lane 0 has packed its registers",
       "all 32 lanes run the kernel, and each packs its own: look for an `if (lane == 0)`",
       [](const Answer& answer, int lane, int reg) {
         return lane == 0 ? packed(place)(answer, lane, reg) : 0;
       }},
  };
  return all;
}

std::uint32_t right(const Answer& answer, int word) {
  return packed(place)(answer, word / 4, word % 4);
}

/// "It looks as if ...": a mistake must explain all answers, so that no tile misleads.
std::string diagnosis(const std::vector<Answer>& answers) {
  bool empty = true, constant = true;
  for (const Answer& answer : answers)
    for (const std::uint32_t word : answer.words) {
      empty = empty && word == 0;
      constant = constant && word == answer.words[0];
    }
  if (empty)
    return "All registers are 0: the gap is still empty, or nothing arrives in a[0] .. a[3].\n"
           "  What to do: lessons/02_data_types/exercise.cu, between the two `your code` lines.";
  if (constant)
    return "It looks as if every register of every lane is the same.\n"
           "  What to do: load from `tile`; which element depends on lane, register and part.";
  for (const Mistake& mistake : mistakes()) {
    bool explained = true;
    for (const Answer& answer : answers)
      for (int word = 0; word < kWords && explained; ++word)
        explained = answer.words[static_cast<std::size_t>(word)] ==
                    mistake.word(answer, word / 4, word % 4);
    if (explained)
      return std::string("It looks as if ") + mistake.name + ".\n  What to do: " + mistake.advice +
             ".";
  }
  return "This is not one of the mistakes this check knows.\n"
         "  What to do: take one line above and work it out by hand with the formulas of the "
         "README.";
}

// ---- Saying it ----------------------------------------------------------------------------------

std::string line(const Answer& answer, int word, int part) {
  const std::uint32_t expected = right(answer, word),
                      found = answer.words[static_cast<std::size_t>(word)];
  const Element e = place(word / 4, word % 4, part);
  char text[200];
  std::snprintf(text, sizeof text,
                "  lane %2d, a[%d], bits %2d to %2d: expected A[%d][%d] = %d (0x%x), found 0x%x"
                "  (0x%08x, found 0x%08x)\n",
                word / 4, word % 4, 4 * part, 4 * part + 3, e.row, e.col,
                answer.at(e.row, e.col, answer.tile.stride), expected >> (4 * part) & 0xf,
                found >> (4 * part) & 0xf, expected, found);
  return text;
}

/// "" when everything is right; else `first` is the first element that is not.
std::string complaint(const Answer& answer, Element& first) {
  constexpr int kShown = 4;
  int wrong = 0;
  std::string shown;
  for (int word = 0; word < kWords; ++word)
    for (int part = 0; part < kParts; ++part) {
      const std::uint32_t difference =
          right(answer, word) ^ answer.words[static_cast<std::size_t>(word)];
      if ((difference >> (4 * part) & 0xf) == 0) continue;
      if (wrong == 0) first = place(word / 4, word % 4, part);
      if (wrong++ < kShown) shown += line(answer, word, part);
    }
  if (wrong == 0) return "";
  if (wrong > kShown) shown += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  return "\n" + std::to_string(wrong) + " of 1024 elements are wrong (" + answer.tile.numbers +
         "; tile at " + std::to_string(answer.tile.row) + "," + std::to_string(answer.tile.col) +
         ", stride " + std::to_string(answer.tile.stride) + "):\n" + shown;
}

const std::array<Tile, 4> kTiles{{
    {"numbers tell the row", [](int row, int) { return row % 16 - 8; }, 64, 0, 0},
    {"numbers tell the column mod 16", [](int, int col) { return col % 16 - 8; }, 64, 0, 0},
    {"numbers tell the column by 16",
     [](int row, int col) { return (col / 16 + 5 * row) % 16 - 8; }, 64, 0, 0},
    {"all numbers, rows wider than the tile",
     [](int row, int col) { return (7 * row + 3 * col + row * col / 5) % 16 - 8; }, 83, 3, 9},
}};

/// The tiles in [begin, end) one by one; the trace is of the first that is wrong.
void check(std::size_t begin, std::size_t end) {
  std::vector<Answer> answers;
  std::string problem;
  std::size_t wrong = end;
  Element first{};
  for (std::size_t i = begin; i < end; ++i) {
    answers.push_back(ask(kTiles[i], nullptr));
    if (!problem.empty()) continue;
    problem = complaint(answers.back(), first);
    if (!problem.empty()) wrong = i;
  }
  if (problem.empty()) return;
  problem += "\n" + diagnosis(answers) + "\n";
  const std::string element =
      " \"A " + std::to_string(first.row) + "," + std::to_string(first.col) + "\"\n";
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  if (trace != nullptr) {
    ask(kTiles[wrong], trace);
    problem += std::string("  What you packed: ./learn view \"") + trace + "\" --select" + element +
               "  What it looks like: ./learn diagnose \"" + trace + "\"\n";
  }
  problem += std::string("  What belongs there: ./learn layout ") + kInstruction +
             " --operand A --element " + std::to_string(first.row) + "," +
             std::to_string(first.col) + "\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("16 x 64 tiles, every element in its place") { check(0, 3); }
TEST_CASE("a tile inside a larger matrix, with padding") { check(3, 4); }
