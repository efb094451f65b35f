// SPDX-License-Identifier: MIT
// Check of exercise 06: C of several sizes, ragged ones too, with rows further apart than they are
// long, in memory where every other element must stay as it is. All numbers are whole and f32 has
// them exactly, so only the last rounding is left: no tolerance. The mistakes: mistakes.hpp.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "06_naive_hgemm/mistakes.hpp"
#include "06_naive_hgemm/steps.hpp"

// exercise.cu or solution.cu
std::vector<std::uint16_t> hgemm_on_device(const std::vector<std::uint16_t>& A,
                                           const std::vector<std::uint16_t>& B,
                                           const std::vector<std::uint16_t>& memory, int first,
                                           const int (&mnk_ldc)[4], const float (&alpha_beta)[2],
                                           const char* trace);

using namespace exercise_06;

namespace {

constexpr int kShown = 3;
constexpr const char* kTodo = ".\n  What to do: ";

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", number);
  return std::isnan(number) ? "NaN" : text;
}
std::string number(std::uint16_t bits) {
  return bits == kForeign ? "untouched memory" : text_of(value_of(bits));
}

/// Where blocks write each other's places it depends on their turns what is left there: not so what
/// nobody has stored. "" when nothing of C is left out, or something is written that is not C's.
std::string left_out(const Problem& p, const Memory& found) {
  const Memory before = memory_before(p);
  bool below = p.M > 16, beside = p.N > 8;  // rows from 16 on, columns from 8 on, left as they were
  for (std::size_t at = 0; at < found.size(); ++at) {
    if (found[at] == before[at]) continue;
    const int offset = static_cast<int>(at) - kGuard;
    if (offset < 0 || offset / p.ldc >= p.M || offset % p.ldc >= p.N) return "";
    below = below && offset / p.ldc < 16;
    beside = beside && offset % p.ldc < 8;
  }
  if (below && beside) return "only the first tile of C is stored: a tile's beginning";
  if (below) return "only the uppermost tiles of C are stored: first_row";
  return beside ? "only the leftmost tiles of C are stored: first_col" : "";
}

Memory ask(const Problem& p, const char* trace) {
  std::vector<std::uint16_t> A, B;
  for (int row = 0; row < p.M; ++row)
    for (int k = 0; k < p.K; ++k) A.push_back(f16(p.a_at(row, k)));
  for (int k = 0; k < p.K; ++k)
    for (int col = 0; col < p.N; ++col) B.push_back(f16(b_at(k, col)));
  return hgemm_on_device(A, B, memory_before(p), kGuard, {p.M, p.N, p.K, p.ldc},
                         {static_cast<float>(p.alpha), static_cast<float>(p.beta)}, trace);
}

/// What predicts what was found, of two ragged sizes as well: a mistake that is known, or steps of
/// another size; else a mistake that predicts this size, as one of two may do.
std::string explained(const Problem& p, const Memory& found) {
  const Problem ragged[] = {{12, 15, 26, 17, 2, 3, false}, {20, 10, 26, 17, 2, 3, false}};
  const Memory others[] = {ask(ragged[0], nullptr), ask(ragged[1], nullptr)};
  const auto predicts_others = [&](const Epilogue& e) {
    return apply(e, ragged[0]) == others[0] && apply(e, ragged[1]) == others[1];
  };
  const auto words = [](const Mistake& mistake) {
    return std::string(mistake.name) + kTodo + mistake.advice;
  };
  const Mistake* of_this = nullptr;
  for (const Mistake& mistake : mistakes()) {
    Epilogue e = right_one();
    mistake.make(e);
    if (apply(e, p) != found) continue;
    if (predicts_others(e)) return words(mistake);
    if (of_this == nullptr) of_this = &mistake;
  }
  for (const std::vector<Step>& choice : choices()) {
    const Epilogue e = with(choice);
    if (apply(e, p) == found && predicts_others(e))
      return words_of(choice) + kTodo + "look for that factor where you calculate row or column";
  }
  return of_this != nullptr ? words(*of_this) : "";
}

/// Whether the old C is read where rows of it would be N elements apart. Asked where that leads
/// between two rows, to what nobody stores.
bool reads_by_N() {
  const Problem apart{2, 8, 16, 20, 2, 3, false};
  Epilogue e = right_one();
  e.reads_by_N = true;
  return ask(apart, nullptr) == apply(e, apart);
}

std::string diagnosis(const Problem& p, const Memory& found) {
  if (!p.nan && found == memory_before(p))
    return std::string("The gap is still empty, or stores nothing") + kTodo +
           "lessons/06_naive_hgemm/exercise.cu, between the two `your code` lines.";
  if (const std::string words = explained(p, found); !words.empty())
    return "It looks as if " + words + ".";
  if (reads_by_N())
    return std::string("It looks as if the old C is read from rows N elements apart") + kTodo +
           "it is C[row * ldc + col], where the new one is stored.";
  if (const std::string words = left_out(p, found); !words.empty())
    return "It looks as if " + words + " is left out" + kTodo +
           "a tile begins at C[first_row][first_col]: add them to row and column.";
  return std::string("This is not one of the mistakes this check knows") + kTodo +
         "take one line above: which lane has that sum, and where did it store it?";
}

// ---- The check ----------------------------------------------------------------------------------

std::string place(const Problem& p, int at) {
  const int offset = at - kGuard;
  if (offset < 0) return "before C";
  if (offset >= p.M * p.ldc) return "behind C, " + std::to_string(offset / p.ldc) + " rows down";
  const int row = offset / p.ldc, col = offset % p.ldc;
  return "C[" + std::to_string(row) + "][" + std::to_string(col) + "]" +
         (col >= p.N ? " beyond the row's end" : "");
}

void check(const Problem& p) {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const Memory found = ask(p, trace);
  const Memory expected = apply(right_one(), p);
  REQUIRE(found.size() == expected.size());
  int wrong = 0, first_row = 0, first_col = 0;
  std::string shown;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;
    const int offset = static_cast<int>(i) - kGuard;
    if (wrong == 0 && offset >= 0) first_row = offset / p.ldc % 16, first_col = offset % p.ldc % 8;
    if (wrong++ < kShown)
      shown += "  " + place(p, static_cast<int>(i)) + ": expected " + number(expected[i]) +
               ", found " + number(found[i]) + "\n";
  }
  if (wrong == 0) return;
  std::string problem =
      "\n" + std::to_string(wrong) + " elements are wrong, with M, N, K = " + std::to_string(p.M) +
      ", " + std::to_string(p.N) + ", " + std::to_string(p.K) + ", ldc = " + std::to_string(p.ldc) +
      ", alpha = " + text_of(p.alpha) + ", beta = " + text_of(p.beta) + ":\n" + shown + "\n" +
      diagnosis(p, found) + "\n";
  const std::string select = std::to_string(first_row) + "," + std::to_string(first_col);
  if (trace != nullptr)
    problem += std::string("  The sums you got: ./learn view \"") + trace + "\" --select \"D " +
               select + "\"\n  Where they went: ./learn diagnose \"" + trace + "\"\n";
  problem += std::string("  Who has which sum: ./learn layout ") + kInstruction +
             " --operand D --element " + select + "\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("one tile") { check({16, 8, 16, 8, 2, 3, false}); }
TEST_CASE("several tiles, rows further apart than they are long") {
  check({32, 24, 50, 40, 1, 2, false});
}
TEST_CASE("ragged edges") {
  check({20, 12, 26, 12, 2, 3, false});
  check({17, 9, 33, 13, 3, 1, false});
  check({1, 1, 1, 5, 2, 1, false});
  check({5, 31, 16, 31, 1, 2, false});
}
TEST_CASE("one rounding, at the end") {
  check({20, 12, 26, 14, 1001, 3, false});
  check({20, 12, 26, 14, 3, 3, false, true});
  // Of which f16 has no 1024.5, and f32 every sum.
  check({20, 12, 26, 14, 1024.5, 3, false});
  check({20, 12, 26, 14, 3, 1024.5, false});
}
TEST_CASE("nothing is read that is not C's") { check({17, 9, 16, 13, 2, 3, false, false, true}); }
TEST_CASE("beta is below 0") { check({20, 12, 26, 14, -2, -1, false}); }
TEST_CASE("beta is not 0, and C was NaN") { check({20, 12, 26, 17, 2, 3, true}); }
// The last one: from its C can be told, in the trace that a check leaves, which sums were stored.
TEST_CASE("beta is 0, and C was NaN") { check({20, 12, 26, 17, 2, 0, true}); }
