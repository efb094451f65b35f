// SPDX-License-Identifier: MIT
// Check of exercise 11: two tiles whose bytes say together where they are from (first the row of an
// element, then its column), and what every byte of every register turned out to be. Where an
// element belongs, and which mistakes are known: mistakes.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "mistakes.hpp"
#include "strides.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> load_a_on_device(const std::vector<std::uint8_t>& matrix, int first,
                                            int stride, const char* trace);

namespace {

using namespace exercise_11;

/// What one byte of a register turned out to be: an element, or (nullopt) none of the tile.
using Found = std::optional<Element>;

struct Answer {
  int stride;
  std::vector<Found> found;  // [thread][reg][byte]
  int not_written = 0;

  Found at(int thread, int reg, int byte) const {
    return found.at(static_cast<std::size_t>((thread * 4 + reg) * 4 + byte));
  }
};

std::vector<std::uint32_t> load(int stride, bool rows, const char* trace) {
  std::vector<std::uint8_t> matrix(static_cast<std::size_t>(2 * kGuard + kRows * stride), kOutside);
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col)
      matrix[static_cast<std::size_t>(kGuard + row * stride + col)] =
          static_cast<std::uint8_t>(kSign | (rows ? row : col));
  const std::vector<std::uint32_t> words = load_a_on_device(matrix, kGuard, stride, trace);
  REQUIRE(words.size() == kThreads * 4);
  return words;
}

Answer ask(int stride, const char* trace) {
  const std::vector<std::uint32_t> rows = load(stride, true, nullptr);
  const std::vector<std::uint32_t> cols = load(stride, false, trace);
  Answer answer{stride, {}};
  for (std::size_t word = 0; word < rows.size(); ++word)
    for (int byte = 0; byte < 4; ++byte) {
      const int row = static_cast<int>(rows[word] >> (8 * byte) & 0xff);
      const int col = static_cast<int>(cols[word] >> (8 * byte) & 0xff);
      const Element e{row - kSign, col - kSign};
      const bool inside = e.row >= 0 && e.row < kRows && e.col >= 0 && e.col < kCols;
      answer.found.push_back(inside ? Found(e) : std::nullopt);
      answer.not_written += row == 0xff && col == 0xff;
    }
  return answer;
}

/// What lies so many bytes behind the tile's begin: in memory a row is followed by the next one.
Found inside(int offset, int stride) {
  const Element at{offset / stride, offset % stride};
  return offset >= 0 && at.row < kRows && at.col < kCols ? Found(at) : std::nullopt;
}

// ---- What mistake is it? ------------------------------------------------------------------------

/// Which factor of row or column is not as it should be; "": it is something else.
std::string wrong_factor(const Answer& answer) {
  const auto thread = [](const std::vector<int>& v) { return v[0] + v[1] * 4 + v[2] * 32; };
  const auto reg = [](const std::vector<int>& v) { return v[3] + v[4] * 2; };
  const auto found = [&](const std::vector<int>& v) { return answer.at(thread(v), reg(v), v[5]); };
  strides::Maps maps{{{"lane % 4", 4},
                      {"lane / 4", 8},
                      {"the warp", 4},
                      {"reg % 2", 2},
                      {"reg / 2", 2},
                      {"the byte", 4}},
                     [&](const std::vector<int>& v) {
                       const Element e = expected(thread(v), reg(v), v[5]);
                       return strides::Place{e.row, e.col};
                     },
                     [&](const std::vector<int>& v) {
                       const Found is = found(v);
                       return is ? std::optional(strides::Place{is->row, is->col}) : std::nullopt;
                     },
                     [&](const std::vector<int>& v, strides::Place at) {
                       return found(v) == inside(at.row * answer.stride + at.col, answer.stride);
                     }};
  const std::string steps = wrong_steps(maps);
  return !steps.empty() ? steps : wrong_where(maps);
}

/// Whole registers in each other's place; "": it is something else.
std::string wrong_registers(const Answer& answer) {
  const auto has = [&](int reg, int other) {
    for (int slot = 0; slot < kThreads * 4; ++slot)
      if (answer.at(slot / 4, reg, slot % 4) != Found(expected(slot / 4, other, slot % 4)))
        return false;
    return true;
  };
  return strides::wrong_registers("a", 4, has);
}

std::string diagnosis(const Answer& answer) {
  const std::string todo = ".\n  What to do: ";
  const int slots = kThreads * 16;
  if (answer.not_written == slots)
    return "The gap is still empty" + todo +
           "lessons/11_wgmma_types/exercise.cu, between the two `your code` lines.";
  bool warp_0_only = answer.not_written == slots / 4 * 3;
  for (int slot = 0; slot < slots / 4; ++slot)
    warp_0_only = warp_0_only && answer.found[static_cast<std::size_t>(slot)];
  if (warp_0_only)
    return "Warps 1 to 3 have written nothing" + todo +
           "all four warps come here, thread 0 to 127: look for an `if`.";
  bool sign = true;  // the first byte is right, and its sign stands in the others
  for (int slot = 0; slot < slots; ++slot)
    sign = sign && (slot % 4 == 0 ? answer.at(slot / 16, slot / 4 % 4, 0) ==
                                        Found(expected(slot / 16, slot / 4 % 4, 0))
                                  : !answer.found[static_cast<std::size_t>(slot)]);
  if (sign)
    return "It looks as if bytes were signed: the sign of each runs over those behind it" + todo +
           "std::uint8_t, as tile has them, or & 0xff before the shift.";
  if (answer.not_written > 0)
    return "Some bytes were never written: " + std::to_string(answer.not_written) + " of " +
           std::to_string(slots) + todo + "every thread fills a[0] to a[3], four bytes each.";
  bool constant = true;
  for (const Found& found : answer.found) constant = constant && found == answer.found[0];
  if (constant)
    return "It looks as if every byte came from the same element" + todo +
           "row and column depend on the thread.";
  for (const Mistake& mistake : mistakes()) {
    bool explains = true;
    for (int thread = 0; thread < kThreads; ++thread)
      for (int slot = 0; slot < 16; ++slot) {
        const Element from = mistake.from(thread, slot / 4, slot % 4);
        const int begin = from.row * (mistake.tight_rows ? kCols : answer.stride);
        const int offset = (mistake.row_words ? begin / 4 * 4 : begin) + from.col;
        explains =
            explains && answer.at(thread, slot / 4, slot % 4) == inside(offset, answer.stride);
      }
    if (explains)
      return std::string("It looks as if ") + mistake.name + todo + mistake.advice + ".";
  }
  if (const std::string wrong = wrong_registers(answer); !wrong.empty())
    return "It looks as if " + wrong + todo +
           "a[1] is 8 rows further down, a[2] 16 columns further right, a[3] both.";
  if (const std::string wrong = wrong_factor(answer); !wrong.empty())
    return "It looks as if " + wrong + todo +
           "look for that factor where you calculate it; the command below shows a lane's places.";
  return "This is not one of the mistakes this check knows" + todo +
         "take one line above: which element does that byte want, and what did you load?";
}

// ---- Saying it ----------------------------------------------------------------------------------

void check(int stride) {
  constexpr int kShown = 3;
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  const Answer answer = ask(stride, trace);
  int wrong = 0, first_thread = -1, first_reg = -1;
  std::string shown;
  for (int thread = 0; thread < kThreads; ++thread)
    for (int slot = 0; slot < 16; ++slot) {
      const int reg = slot / 4, byte = slot % 4;
      const Element e = expected(thread, reg, byte);
      const Found found = answer.at(thread, reg, byte);
      if (found == Found(e)) continue;
      const std::string is =
          found ? "A[" + std::to_string(found->row) + "][" + std::to_string(found->col) + "]"
                : "no element of the tile";
      char text[160];
      std::snprintf(text, sizeof text,
                    "  thread %3d, a[%d], byte %d: expected A[%d][%d], found %s\n", thread, reg,
                    byte, e.row, e.col, is.c_str());
      if (wrong++ < kShown) shown += text;
      if (first_thread < 0) first_thread = thread, first_reg = reg;
    }
  if (wrong == 0) return;
  if (wrong > kShown) shown += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  const Element e = expected(first_thread, first_reg, 0);
  std::string problem = "\n" + std::to_string(wrong) +
                        " of 2048 elements of A are not where they belong (stride " +
                        std::to_string(stride) + "):\n" + shown + "\n" + diagnosis(answer) + "\n";
  if (trace != nullptr)
    problem += std::string("  What you loaded: ./learn view \"") + trace + "\" --select \"A " +
               std::to_string(e.row) + "," + std::to_string(e.col) + "\"\n";
  problem += std::string("  What belongs there: ./learn layout ") + kInstruction +
             " --operand A --lane " + std::to_string(first_thread) + " --register " +
             std::to_string(first_reg) + "\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("a matrix as wide as A") { check(kCols); }
TEST_CASE("a tile of a wider matrix") { check(77); }
