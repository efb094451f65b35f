// SPDX-License-Identifier: MIT
// Check of exercise 03: loads two matrices whose elements are all different, compares every half of
// every register with the atlas, and names the mistake by the addresses that the lanes computed;
// see mistakes.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "mistakes.hpp"
#include "strides.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> load_on_device(const std::vector<std::uint16_t>& a_t,
                                          const std::vector<std::uint16_t>& b, const char* trace);

namespace {

using namespace exercise_03;

constexpr int kOut = 12;  // of a lane: 4 of a, 4 of b, 4 numbers

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

// ---- What mistake is it? ------------------------------------------------------------------------

/// Which factor of row or column is not as it should be; "": it is something else.
std::string wrong_factor(const Answer& answer, char operand) {
  const auto place = [](Element e) { return strides::Place{e.row, e.col}; };
  const auto lane = [](const std::vector<int>& v) { return v[0] + v[1] * 8 + v[2] * 16; };
  const auto found = [&](const std::vector<int>& v) { return answer.address(operand, lane(v)); };
  const strides::Maps maps{
      {{"lane % 8", 8}, {"lane / 8 % 2", 2}, {"lane / 16", 2}},
      [&](const std::vector<int>& v) { return place(named(operand, lane(v))); },
      [&](const std::vector<int>& v) { return std::optional(place(found(v))); },
      [&](const std::vector<int>& v, strides::Place at) {
        return found(v) == Element{at.row, at.col};
      }};
  const auto has = [&](int reg, int other) {
    for (int row = 0; row < 8; ++row)
      if (answer.address(operand, reg * 8 + row) != named(operand, other * 8 + row)) return false;
    return true;
  };
  const std::string registers = strides::wrong_registers(operand == 'A' ? "a" : "b", 4, has);
  if (!registers.empty()) return registers;
  const std::string steps = wrong_steps(maps);
  return !steps.empty() ? steps : wrong_where(maps);
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
    if (e == Element{-1, -1})
      return "It looks as if lane " + std::to_string(lane) + " named no row" + in +
             "all 32 lanes hand in an address, for x4: is row and column set in every one?";
    const bool row = e.row < 0 || e.row > 15;
    if (row || (e.col != 0 && e.col != 8))
      return "It looks as if lane " + std::to_string(lane) +
             (row ? " named row " : " began at column ") + std::to_string(row ? e.row : e.col) +
             in + "the tile has rows 0 to 15, and a lane's eight elements begin at column 0 or 8.";
  }
  if (const std::string wrong = wrong_factor(answer, operand); !wrong.empty())
    return "It looks as if " + wrong + in +
           "which lanes name the rows of which of the four blocks?";
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
