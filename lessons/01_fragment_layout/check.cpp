// SPDX-License-Identifier: MIT
// Check of exercise 01: runs load_a on tiles whose elements are all different, compares every half
// of every register with the atlas, and says what the answer looks like if it is not right.
//
// Source of the expected places: common/layout (PTX ISA 9.2, 9.7.14.5.8). The registers are the
// learner's own, from the device that the program runs on.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "layout/instruction.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> load_a_on_device(const std::vector<std::uint16_t>& matrix, int first,
                                            int stride, const char* trace);

namespace {

using lanescope::layout::Element;
using lanescope::layout::Fragment;

constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr std::uint16_t kNotWritten = 0xffff;  // DeviceArray and load_a poison with it
constexpr std::uint16_t kOutside = 0x7e00;     // a NaN too: what lies around the matrix
constexpr int kGuard = 4096;                   // elements of it in front and behind
constexpr int kSlots = 256;                    // 32 lanes, 4 registers, 2 halves

/// A row-major matrix, and the 16 x 16 tile in it that is to be loaded.
struct Tile {
  int rows, cols;  // of the matrix
  int stride;      // elements from one row to the next, at least cols
  int row, col;    // where the tile begins
};

/// The f16 pattern of a whole number from 0 to 2048. Written out here, so that a check depends on
/// nothing that a lesson could break.
std::uint16_t f16(int number) {
  if (number == 0) return 0;
  const int exponent = static_cast<int>(std::log2(number));
  return static_cast<std::uint16_t>(((exponent + 15) << 10) +
                                    ((number - (1 << exponent)) << 10 >> exponent));
}

// 100*row + col: a number says where it belongs. No two are alike, none is its own mirror image.
int number_at(const Tile& tile, int row, int col) {
  return 100 * (tile.row + row) + tile.col + col;
}

std::vector<std::uint16_t> matrix_of(const Tile& tile) {
  std::vector<std::uint16_t> matrix(static_cast<std::size_t>(2 * kGuard + tile.rows * tile.stride),
                                    kOutside);
  for (int row = 0; row < tile.rows; ++row)
    for (int col = 0; col < tile.cols; ++col)
      matrix[static_cast<std::size_t>(kGuard + row * tile.stride + col)] = f16(100 * row + col);
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

Answer ask(const Tile& tile, const char* trace) {
  Answer answer{tile, matrix_of(tile), {}};
  const std::vector<std::uint32_t> registers = load_a_on_device(
      answer.matrix, kGuard + tile.row * tile.stride + tile.col, tile.stride, trace);
  for (int slot = 0; slot < kSlots; ++slot) {
    const std::uint32_t word = registers.at(static_cast<std::size_t>(slot / 2));
    Found found{static_cast<std::uint16_t>(slot % 2 == 0 ? word : word >> 16), std::nullopt};
    for (int row = 0; row < tile.rows; ++row)
      for (int col = 0; col < tile.cols; ++col)
        if (found.pattern == f16(100 * row + col))
          found.place = Element{row - tile.row, col - tile.col};
    answer.found.push_back(found);
  }
  return answer;
}

const Fragment& fragment() {
  const lanescope::layout::Instruction* instruction = lanescope::layout::find(kInstruction);
  REQUIRE(instruction != nullptr);
  return instruction->A;
}
Element expected(int lane, int reg, int half) { return fragment().element(lane, reg * 2 + half); }

// ---- What mistake is it? ----------------------------------------------------------------------

/// A mistake explains an answer when it predicts what is in every one of the 256 halves: an element
/// of the tile, or (nullopt) nothing, because it was never written.
struct Mistake {
  const char* name;
  const char* advice;
  std::function<std::optional<Element>(int lane, int reg, int half)> predicts;
  bool tight_rows = false;  // takes the rows to be 16 elements apart
};

Element moved(Element e, int rows, int cols) { return {e.row + rows, e.col + cols}; }

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"only lane 0 has loaded its registers",
       "all 32 lanes run the kernel, and each loads its own: look for an `if (lane == 0)`",
       [](int lane, int reg, int half) -> std::optional<Element> {
         if (lane != 0) return std::nullopt;
         return expected(lane, reg, half);
       }},
      {"rows and columns are exchanged: this is A transposed",
       "row major means that the next element of a row is the next in memory: row * stride + col",
       [](int lane, int reg, int half) {
         const Element e = expected(lane, reg, half);
         return Element{e.col, e.row};
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
      {"all four registers hold what a[0] should hold",
       "a[1] and a[3] are 8 rows further down, a[2] and a[3] 8 columns further right",
       [](int lane, int, int half) { return expected(lane, 0, half); }},
      {"every lane has loaded what lane 0 should load",
       "the row and the column depend on the lane: lane >> 2 and lane % 4",
       [](int, int reg, int half) { return expected(0, reg, half); }},
      {"both halves of a register hold the same element",
       "the high half is the element one column further right",
       [](int lane, int reg, int) { return expected(lane, reg, 0); }},
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
       [](int lane, int reg, int half) { return expected(lane, reg, half); }, true},
  };
  return all;
}

bool explains(const Mistake& mistake, const Answer& answer) {
  for (int slot = 0; slot < kSlots; ++slot) {
    const std::optional<Element> e = mistake.predicts(slot / 8, slot / 2 % 4, slot % 2);
    const int stride = mistake.tight_rows ? 16 : answer.tile.stride;
    const std::uint16_t predicted = e ? answer.at(e->row * stride + e->col) : kNotWritten;
    if (predicted != answer.found[static_cast<std::size_t>(slot)].pattern) return false;
  }
  return true;
}

/// "It looks as if ...: ..."
std::string diagnosis(const Answer& answer) {
  bool untouched = true, constant = true;
  int not_written = 0, outside = 0;
  for (const Found& found : answer.found) {
    untouched = untouched && found.pattern == kNotWritten;
    constant = constant && found.pattern == answer.found[0].pattern;
    not_written += found.pattern == kNotWritten;
    outside += found.pattern == kOutside;
  }
  if (untouched)
    return "The gap is still empty: a[0] .. a[3] were never written.\n"
           "  What to do: lessons/01_fragment_layout/exercise.cu, between the two `your code` "
           "lines.";
  if (constant)
    return "It looks as if every half of every register holds the same number.\n"
           "  What to do: load from `tile`; which element depends on lane, register and half.";
  for (const Mistake& mistake : mistakes())
    if (explains(mistake, answer))
      return std::string("It looks as if ") + mistake.name + ".\n  What to do: " + mistake.advice +
             ".";
  if (not_written > 0)
    return "Some halves were never written: " + std::to_string(not_written) +
           " of 256.\n"
           "  What to do: every lane writes all four registers; is there an `if` or a loop too "
           "short?";
  if (outside > 0)
    return "Some reads went outside the matrix: " + std::to_string(outside) +
           " of 256.\n"
           "  What to do: rows lie `stride` elements apart, and the tile has 16 rows and columns.";
  return "This is not one of the mistakes this check knows.\n"
         "  What to do: take one line above and work it out by hand with the formulas of the "
         "README.";
}

// ---- Saying it --------------------------------------------------------------------------------

std::string text(const Answer& answer, int slot) {
  const int lane = slot / 8, reg = slot / 2 % 4, half = slot % 2;
  const Element e = expected(lane, reg, half);
  const Found& found = answer.found[static_cast<std::size_t>(slot)];
  char line[200];
  std::string is;
  if (found.pattern == kNotWritten) {
    is = "NaN, never written";
  } else if (found.pattern == kOutside) {
    is = "NaN, from outside the matrix";
  } else if (!found.place) {
    is = "no element of the matrix";
  } else {
    is = "A[" + std::to_string(found.place->row) + "][" + std::to_string(found.place->col) +
         "] = " + std::to_string(number_at(answer.tile, found.place->row, found.place->col));
  }
  std::snprintf(line, sizeof line,
                "  lane %2d, a[%d], %s half: expected A[%d][%d] = %d (0x%04x), found %s (0x%04x)\n",
                lane, reg, half == 0 ? "low" : "high", e.row, e.col,
                number_at(answer.tile, e.row, e.col), f16(number_at(answer.tile, e.row, e.col)),
                is.c_str(), found.pattern);
  return line;
}

/// "" when everything is right.
std::string complaint(const Answer& answer, const char* trace) {
  constexpr int kShown = 4;
  int wrong = 0, first = -1;
  std::string shown;
  for (int slot = 0; slot < kSlots; ++slot) {
    const Found& found = answer.found[static_cast<std::size_t>(slot)];
    if (found.place == expected(slot / 8, slot / 2 % 4, slot % 2)) continue;
    if (wrong++ < kShown) shown += text(answer, slot);
    if (first < 0) first = slot;
  }
  if (wrong == 0) return "";
  const Tile& tile = answer.tile;
  const int lane = first / 8, reg = first / 2 % 4;
  const Element e = expected(lane, reg, first % 2);
  std::string all = "\n" + std::to_string(wrong) +
                    " of 256 elements are not where they belong (tile at " +
                    std::to_string(tile.row) + "," + std::to_string(tile.col) + " of a " +
                    std::to_string(tile.rows) + " x " + std::to_string(tile.cols) +
                    " matrix, stride " + std::to_string(tile.stride) + "):\n" + shown;
  if (wrong > kShown) all += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  all += "\n" + diagnosis(answer) + "\n";
  if (trace != nullptr)
    all += std::string("  What you loaded: ./learn view \"") + trace + "\" --select \"A " +
           std::to_string(e.row) + "," + std::to_string(e.col) + "\"\n";
  all += std::string("  What belongs there: ./learn layout ") + kInstruction +
         " --operand A --lane " + std::to_string(lane) + " --register " + std::to_string(reg) +
         "\n";
  return all;
}

void check(const Tile& tile) {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  const std::string problem = complaint(ask(tile, trace), trace);
  if (!problem.empty()) FAIL(problem);
}

}  // namespace

TEST_CASE("a 16 x 16 matrix") { check({16, 16, 16, 0, 0}); }
TEST_CASE("a tile inside a larger matrix") { check({20, 48, 48, 3, 10}); }
TEST_CASE("a tile at an odd place, rows with padding") { check({19, 33, 37, 2, 15}); }
