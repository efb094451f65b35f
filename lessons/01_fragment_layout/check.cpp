// SPDX-License-Identifier: MIT
// Check of exercise 01: runs load_a on tiles whose elements are all different, compares every half
// of every register with the atlas, and says what the answer looks like if it is not right.
//
// The registers are the learner's own, from the device that the program runs on. Where an element
// belongs, and which mistakes are known: mistakes.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mistakes.hpp"
#include "strides.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> load_a_on_device(const std::vector<std::uint16_t>& matrix, int first,
                                            int stride, const char* trace);

namespace {

using namespace exercise_01;

Answer ask(const Tile& tile, const char* trace) {
  Answer answer{tile, matrix_of(tile), {}};
  const std::vector<std::uint32_t> registers = load_a_on_device(
      answer.matrix, kGuard + tile.row * tile.stride + tile.col, tile.stride, trace);
  for (int slot = 0; slot < kSlots; ++slot) {
    const std::uint32_t word = registers.at(static_cast<std::size_t>(slot / 2));
    Found found{static_cast<std::uint16_t>(slot % 2 == 0 ? word : word >> 16), std::nullopt};
    for (int row = 0; row < tile.rows; ++row)
      for (int col = 0; col < tile.cols; ++col)
        if (found.pattern == f16(number_in_matrix(tile, row, col)))
          found.place = Element{row - tile.row, col - tile.col};
    answer.found.push_back(found);
  }
  return answer;
}

// ---- What mistake is it? ----------------------------------------------------------------------

bool explains(const Mistake& mistake, const Answer& answer) {
  for (int slot = 0; slot < kSlots; ++slot) {
    const std::optional<Element> e = mistake.predicts(slot / 8, slot / 2 % 4, slot % 2);
    const int stride = mistake.stride != 0 ? mistake.stride : answer.tile.stride;
    const std::uint16_t predicted = e ? answer.at(e->row * stride + e->col) : kNotWritten;
    if (predicted != answer.found[static_cast<std::size_t>(slot)].pattern) return false;
  }
  return true;
}

/// Where an element is looked for, by the parts of lane, register and half.
strides::Maps maps_of(const Answer& answer) {
  const auto slot = [](const std::vector<int>& v) {
    return static_cast<std::size_t>(((v[0] + v[1] * 4) * 4 + v[2] + v[3] * 2) * 2 + v[4]);
  };
  return {{{"lane % 4", 4}, {"lane / 4", 8}, {"reg % 2", 2}, {"reg / 2", 2}, {"the half", 2}},
          [](const std::vector<int>& v) {
            const Element e = expected(v[0] + v[1] * 4, v[2] + v[3] * 2, v[4]);
            return strides::Place{e.row, e.col};
          },
          [&answer, slot](const std::vector<int>& v) {
            const std::optional<Element> is = answer.found[slot(v)].place;
            return is ? std::optional(strides::Place{is->row, is->col}) : std::nullopt;
          },
          [&answer, slot](const std::vector<int>& v, strides::Place at) {
            return answer.found[slot(v)].pattern == answer.at(at.row * answer.tile.stride + at.col);
          }};
}

/// Registers that are made of the right two numbers, and how; "": they are not.
std::string wrong_packing(const Answer& answer) {
  const auto are = [&](const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& word) {
    for (int slot = 0; slot < kSlots; slot += 2) {
      const auto number = [&](int half) -> std::uint32_t {
        const Element e = expected(slot / 8, slot / 2 % 4, half);
        return answer.at(e.row * answer.tile.stride + e.col);
      };
      const auto half = static_cast<std::size_t>(slot);
      if (word(number(0), number(1)) !=
          (answer.found[half].pattern | std::uint32_t{answer.found[half + 1].pattern} << 16))
        return false;
    }
    return true;
  };
  const auto extended = [](std::uint32_t number) {
    return number | (number >> 15 != 0 ? 0xffff0000u : 0);
  };
  const std::string todo = ".\n  What to do: ";
  if (are([&](auto low, auto high) { return extended(low) | high << 16; }) ||
      are([&](auto low, auto high) { return extended(low) + (high << 16); }))
    return "the numbers are signed ones of 16 bits: the sign of the low half runs over the high "
           "half" +
           todo + "std::uint16_t, as tile has them, and pack(low, high).";
  for (std::uint32_t bits = 1; bits < 32; ++bits)
    if (bits != 16 && are([&](auto low, auto high) { return low | high << bits; }))
      return "the second number is shifted by " + std::to_string(bits) + " bits, not by 16" + todo +
             "the high half is bits 16 to 31: pack(low, high).";
  return "";
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
  if (const std::string packing = wrong_packing(answer); !packing.empty())
    return "It looks as if " + packing;
  if (not_written > 0)
    return "Some halves were never written: " + std::to_string(not_written) +
           " of 256.\n"
           "  What to do: every lane writes all four registers; is there an `if` or a loop too "
           "short?";
  const std::string advice =
      ".\n  What to do: look for that where you calculate the place; the command below shows it.";
  const auto has = [&](int reg, int other) {
    for (int slot = 0; slot < 64; ++slot)
      if (answer.found[static_cast<std::size_t>(slot / 2 * 8 + reg * 2 + slot % 2)].place !=
          expected(slot / 2, other, slot % 2))
        return false;
    return true;
  };
  if (const std::string registers = strides::wrong_registers("a", 4, has); !registers.empty())
    return "It looks as if " + registers +
           ".\n  What to do: a[1] is 8 rows further down, a[2] 8 columns further right, a[3] both.";
  if (const std::string steps = wrong_steps(maps_of(answer)); !steps.empty())
    return "It looks as if " + steps + advice;
  const std::string where = wrong_where(maps_of(answer));
  if (outside > 0)
    return "Some reads went outside the matrix: " + std::to_string(outside) + " of 256" +
           (where.empty() ? "" : "; " + where) +
           ".\n  What to do: rows lie `stride` elements apart (half as many 32-bit words), and the "
           "tile has 16 rows and columns.";
  if (!where.empty()) return "It looks as if " + where + advice;
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
    const bool other = answer.found[static_cast<std::size_t>(slot ^ 1)].pattern != kNotWritten;
    is = other ? "NaN, all bits 1" : "NaN, never written";
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
TEST_CASE("negative numbers") { check({16, 16, 16, 0, 0, true}); }
