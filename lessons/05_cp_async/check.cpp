// SPDX-License-Identifier: MIT
// Check of exercise 05: is D right for many and for few steps; and do the notes of the threads
// promise it? Wrong numbers need luck, and a barrier that is missing may go well a thousand times:
// so the notes are gone through, judge.hpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "judge.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int K,
    const char* trace);

using namespace exercise_05;
using product_check::f16;
using product_check::wrong_elements;

namespace {

constexpr int kRows = 16, kCols = 32;

/// 0 to 7, without a period: no tile looks like another. (Knuth's multiplicative hash.)
int scattered(int row, int col) {
  return static_cast<int>(static_cast<std::uint32_t>(row * 256 + col + 1) * 2654435761u >> 29);
}
int a_at(int row, int k) { return scattered(row, k); }
int b_at(int k, int col) { return scattered(k + 100, col); }

Answer ask(int steps) {
  const int K = steps * 16;
  std::vector<std::uint16_t> A, B;
  for (int row = 0; row < kRows; ++row)
    for (int k = 0; k < K; ++k) A.push_back(f16(a_at(row, k)));
  for (int k = 0; k < K; ++k)
    for (int col = 0; col < kCols; ++col) B.push_back(f16(b_at(k, col)));
  auto [D, notes] = multiply_on_device(A, B, K, std::getenv("LANESCOPE_CHECK_TRACE"));
  REQUIRE(D.size() == kRows * kCols);
  REQUIRE(notes.size() % kThreads == 0);
  Answer answer{steps, D, std::vector<Notes>(kThreads)};
  const std::size_t each = notes.size() / kThreads;
  for (std::size_t thread = 0; thread < kThreads; ++thread)
    for (std::size_t i = each * thread; i < each * (thread + 1) && notes[i] != 0; i += 2)
      answer.threads[thread].push_back({notes[i], notes[i + 1]});
  return answer;
}

// ---- Saying it ----------------------------------------------------------------------------------

std::string words(const Notes& notes) {
  std::string text;
  int shown = 0;
  for (const auto& [what, which] : notes) {
    if (++shown > 16) return text + " ...";
    constexpr const char* kNames[] = {"", "start(", "commit", "wait<", "barrier", "MULTIPLY("};
    text += (text.empty() ? "" : ", ") + std::string(kNames[std::min(std::max(what, 0), 5)]);
    if (what == kStart || what == kMultiply) text += std::to_string(which) + ")";
    if (what == kWait) text += std::to_string(which) + ">";
  }
  return text;
}

bool untouched(const Answer& answer) {
  return std::all_of(answer.threads.begin(), answer.threads.end(), [](const Notes& notes) {
    int others = 0;
    for (const auto& [what, which] : notes) others += what != kMultiply;
    return others <= 4;  // the two tiles started before the loop
  });
}

/// What the notes cannot have: barriers and waits that the learner called by other names.
std::string not_seen(const Answer& answer) {
  const Notes& notes = answer.threads[0];
  const auto noted = [&](int kind) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const auto& note) { return note.first == kind; });
  };
  std::string text;
  if (!noted(kWait)) text += "  Is there a wait? The check sees pipe.wait<N>() alone.\n";
  if (!noted(kBarrier))
    text += "  Is there a barrier? The check sees pipe.barrier() alone, not __syncthreads().\n";
  return text;
}

/// `wrong`: D is, so a tile that was read too early may show.
void fail(const Answer& answer, const std::string& what, bool wrong = false) {
  const Judge judge(answer.threads[0], answer.steps);
  const Other other = other_broken(answer);
  std::string problem = "\n" + what + "\n";
  if (untouched(answer))
    problem +=
        "The gap is still empty.\n  What to do: lessons/05_cp_async/exercise.cu, between the two "
        "`your code` lines.\n";
  else if (!judge.broken().rule.empty())
    problem += "It looks as if, in step " + std::to_string(judge.broken().step) + ", " +
               judge.broken().rule + ".\n  What to do: " + judge.broken().advice + ".\n" +
               not_seen(answer);
  else if (!other.broken.rule.empty())
    problem += "Thread 0 does all of it in the right order, thread " +
               std::to_string(other.thread) + " does not: in step " +
               std::to_string(other.broken.step) + " " + other.broken.rule +
               ".\n  What to do: all 128 threads do the same: is there an `if`?\n";
  else if (fewest_under_way(answer) < 2 && judge.empty_groups())
    problem +=
        "The numbers are right, but it waits for too much: a group without a copy is committed, "
        "and the wait\nleaves that one under way instead of a tile's.\n  What to do: one commit() "
        "in every step, behind the start.\n";
  else if (fewest_under_way(answer) < 2)
    problem +=
        "The numbers are right, but it waits for too much: the next step's copy has to be done "
        "too.\n  What to do: let the wait leave more groups under way: a larger N in wait<N>.\n";
  else
    problem +=
        "The threads do all of it in the right order, and yet it is wrong.\n"
        "  What to do: is something done here that the building blocks do not know of?\n";
  problem += "  What thread 0 did: " + words(answer.threads[0]) + "\n";
  if (other.thread > 0)
    problem += "  What thread " + std::to_string(other.thread) +
               " did: " + words(answer.threads[static_cast<std::size_t>(other.thread)]) + "\n";
  if (const char* trace = std::getenv("LANESCOPE_CHECK_TRACE"))
    problem += std::string("  What warp 0 read: ./learn view \"") + trace + "\"\n" +
               (wrong ? std::string("  Whether one of the first four tiles came too late: ") +
                            "./learn diagnose \"" + trace + "\"\n"
                      : "");
  FAIL(problem);
}

void check(int steps) {
  const Answer answer = ask(steps);
  const std::string wrong =
      wrong_elements("D", answer.D, kRows, kCols, steps * 16, steps, a_at, b_at);
  if (!wrong.empty()) fail(answer, wrong, true);
}

}  // namespace

TEST_CASE("D with 9 steps, three times around the stages") { check(9); }
TEST_CASE("D with 1, 2 and 3 steps, and with 10 and 11") {
  for (const int steps : {1, 2, 3, 10, 11}) check(steps);
}
TEST_CASE("no tile is read too early, no stage is filled too early") {
  for (const int steps : {9, 10, 11, 1}) {
    const Answer answer = ask(steps);
    const Judge judge(answer.threads[0], steps);
    if (!judge.broken().rule.empty() || !other_broken(answer).broken.rule.empty())
      fail(answer,
           "D is right, but by luck:\n  expected a wait and a barrier before a tile is read, and a "
           "barrier before its stage is filled again");
  }
}
TEST_CASE("two tiles are under way while one is multiplied") {
  const Answer answer = ask(9);
  if (const int fewest = fewest_under_way(answer); fewest < 2)
    fail(answer, "While a tile is multiplied:\n  expected 2 tiles under way, found " +
                     std::to_string(fewest));
  if (const std::string more = needless(answer); !more.empty())
    MESSAGE("\nOne thing more: " << more << ".\n");
}
