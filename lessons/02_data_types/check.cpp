// SPDX-License-Identifier: MIT
// Check of exercise 02: runs pack_a on tiles whose numbers differ, compares every four bits of
// every register with the atlas, and says what the answer looks like if it is not right.
//
// Four bits cannot tell 1024 elements apart, so four tiles are packed: one tells the row, two tell
// the column, one has signs everywhere. An answer has to be right on all of them.
// Where an element belongs, and which mistakes are known: mistakes.hpp.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "mistakes.hpp"
#include "strides.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> pack_a_on_device(const std::vector<std::int8_t>& matrix, int first,
                                            int stride, const char* trace);

namespace {

using namespace exercise_02;

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

// ---- What mistake is it? ------------------------------------------------------------------------

std::uint32_t right(const Answer& answer, int word) {
  return packed(place)(answer, word / 4, word % 4);
}

/// "" unless all that is wrong is that some parts, the same ones in every lane, were left 0.
std::string left_out(const std::vector<Answer>& answers) {
  std::array<std::uint32_t, 4> kept{};  // by register, the parts in which anything arrived
  for (const Answer& answer : answers)
    for (int word = 0; word < kWords; ++word)
      for (int part = 0; part < kParts; ++part)
        if ((answer.words[static_cast<std::size_t>(word)] >> (4 * part) & 0xf) != 0)
          kept[static_cast<std::size_t>(word % 4)] |= 0xfu << (4 * part);
  for (const Answer& answer : answers)
    for (int word = 0; word < kWords; ++word)
      if (answer.words[static_cast<std::size_t>(word)] !=
          (right(answer, word) & kept[static_cast<std::size_t>(word % 4)]))
        return "";
  std::string registers, parts;
  for (int reg = 0; reg < 4; ++reg)
    if (kept[static_cast<std::size_t>(reg)] == 0) registers += " a[" + std::to_string(reg) + "]";
  for (int part = 0; part < kParts; ++part)
    if ((kept[0] >> (4 * part) & 0xf) == 0) parts += " " + std::to_string(part);
  const std::string where =
      !registers.empty() ? registers + ".\n  What to do: a lane has four registers, a[0] to a[3]"
                         : (parts.size() > 2 ? " parts" : " part") + parts +
                               " of a register.\n  What to do: a register has eight parts, 0 to 7";
  return "nothing arrives in" + where + ": is a loop too short?";
}

/// Four bits that the answer has.
int found_at(const Answer& answer, int lane, int reg, int part) {
  return static_cast<int>(answer.words[static_cast<std::size_t>(lane * 4 + reg)] >> (4 * part) &
                          0xf);
}

/// Where an element was taken from, by the parts of lane, register and bits. The first three tiles
/// tell: the row, the column modulo 16, and the column divided by 16.
strides::Maps maps_of(const std::vector<Answer>& answers) {
  struct Asked {
    int lane, reg, part;
  };
  const auto asked = [](const std::vector<int>& v) {
    return Asked{v[0] + v[1] * 4, v[2] + v[3] * 2, v[4]};
  };
  return {{{"lane % 4", 4}, {"lane / 4", 8}, {"reg % 2", 2}, {"reg / 2", 2}, {"the part", 8}},
          [asked](const std::vector<int>& v) {
            const auto [lane, reg, part] = asked(v);
            const Element e = place(lane, reg, part);
            return strides::Place{e.row, e.col};
          },
          [asked, &answers](const std::vector<int>& v) -> std::optional<strides::Place> {
            const auto [lane, reg, part] = asked(v);
            const int row = (found_at(answers[0], lane, reg, part) + 8) % 16;
            const int col = (found_at(answers[1], lane, reg, part) + 8) % 16;
            const int by_16 = (found_at(answers[2], lane, reg, part) + 8 + 11 * row) % 16;
            return by_16 < 4 ? std::optional(strides::Place{row, by_16 * 16 + col}) : std::nullopt;
          },
          [asked, &answers](const std::vector<int>& v, strides::Place at) {
            const auto [lane, reg, part] = asked(v);
            for (const Answer& answer : answers) {
              const int place = kGuard + at.row * answer.tile.stride + at.col;
              if (place < 0 || place >= static_cast<int>(answer.matrix.size()) ||
                  (answer.at(at.row, at.col, answer.tile.stride) & 0xf) !=
                      found_at(answer, lane, reg, part))
                return false;
            }
            return true;
          }};
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
  if (constant && answers[0].words[0] == kNeverStored)
    return "The kernel stored nothing: it returns before its end, or the compiler has dropped what "
           "your code computes.\n"
           "  What to do: no `return`; and C++ leaves undefined what a shift by 32 or more gives "
           "and what is beyond a[3]:\n  shift by 4 * p.";
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
  if (const std::string parts = left_out(answers); !parts.empty()) return "It looks as if " + parts;
  if (const std::string numbers = numbers_changed(answers); !numbers.empty())
    return "It looks as if the places were right, the numbers not: " + numbers +
           ".\n  What to do: two's complement: the low four bits of the byte are the number, `& "
           "0xf`.";
  constexpr std::size_t kTelling = 3;  // answers that tell where an element was taken from
  if (answers.size() >= kTelling) {
    const char* advice =
        ".\n  What to do: look for that where you calculate the place; the command below shows it.";
    const strides::Maps maps = maps_of(answers);
    if (const std::string steps = wrong_steps(maps); !steps.empty())
      return "It looks as if " + steps + advice;
    if (const std::string where = wrong_where(maps); !where.empty())
      return "It looks as if " + where + advice;
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
    // Below the tile they run backwards: row 16 is not row 0 again.
    {"numbers tell the row", [](int row, int) { return row < 16 ? row - 8 : 23 - row; }, 64, 0, 0},
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
