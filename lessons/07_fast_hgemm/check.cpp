// SPDX-License-Identifier: MIT
// Check of exercise 07: is C right for one step and for several; and do the notes of the threads
// promise it? Wrong numbers need luck, so judge.hpp goes through the notes by the rules.
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
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int steps,
    const char* trace);

using namespace exercise_07;
using product_check::f16;
using product_check::wrong_elements;

namespace {

constexpr int kRows = 32, kCols = 64, kStep = 64, kThreads = 128;

int a_at(int row, int k) { return (row * 5 + k * 3) % 7; }
int b_at(int k, int col) { return (k + col * 3) % 5; }

struct Answer {
  int steps = 0;
  std::vector<float> C;
  std::vector<Note> notes;  // of thread 0
  int other = 0;            // a thread that did something else; 0: none
};

Answer ask(int steps) {
  const int K = steps * kStep;
  std::vector<std::uint16_t> A, B;
  for (int row = 0; row < kRows; ++row)
    for (int k = 0; k < K; ++k) A.push_back(f16(a_at(row, k)));
  for (int k = 0; k < K; ++k)
    for (int col = 0; col < kCols; ++col) B.push_back(f16(b_at(k, col)));
  auto [C, notes] = multiply_on_device(A, B, steps, std::getenv("LANESCOPE_CHECK_TRACE"));
  REQUIRE(C.size() == kRows * kCols);
  REQUIRE(notes.size() % kThreads == 0);
  Answer answer{steps, C, {}, 0};
  const std::size_t each = notes.size() / kThreads;
  for (std::size_t i = 0; i + 3 < each && notes[i] >= 0; i += 4)
    answer.notes.push_back({notes[i], notes[i + 1], notes[i + 2], notes[i + 3]});
  for (int thread = kThreads - 1; thread > 0; --thread)
    if (!std::equal(notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(each),
                    notes.begin() + static_cast<std::ptrdiff_t>(each) * thread))
      answer.other = thread;
  return answer;
}

std::string words(const Answer& answer) {
  constexpr int kMost = 30;
  std::string text;
  int shown = 0;
  for (const Note& note : answer.notes) {
    if (++shown <= 11) continue;  // before the loop: as it was
    if (shown > kMost) return text + " ...";
    text += text.empty() ? "" : ", ";
    const std::string first = std::to_string(note.first), second = std::to_string(note.second);
    if (note.what == kCopy) text += "start_part(" + first + ", " + second + ")";
    if (note.what == kCommit) text += "commit";
    if (note.what == kWait) text += "wait<" + first + ">";
    if (note.what == kBarrier) text += "barrier";
    if (note.what == kLoad)
      text += "load(" + first + ", " + second + ", " + std::to_string(note.third) + ")";
    if (note.what == kMultiply) text += "MULTIPLY(" + first + ")";
  }
  return text;
}

void fail(const Answer& answer, const std::string& what) {
  const Judge judge(answer.notes, answer.steps);
  std::string problem = "\n" + what + "\n";
  if (answer.notes.size() <= 11)
    problem +=
        "The gap is still empty.\n  What to do: lessons/07_fast_hgemm/exercise.cu, between the two "
        "`your code` lines.\n";
  else if (answer.other > 0)
    problem += "Thread " + std::to_string(answer.other) +
               " does something else than thread 0.\n"
               "  What to do: all 128 threads do the same: is there an `if` about a thread?\n";
  else if (!judge.broken().rule.empty())
    problem += "It looks as if, at " + judge.where() + ", " + judge.broken().rule +
               ".\n  What to do: " + judge.broken().advice + ".\n";
  else if (!judge.loads_ahead())
    problem +=
        "It is right, but no pipeline: a slice is multiplied before the next one is loaded, so "
        "nothing hides the load.\n  What to do: load() comes before multiply(), into the other "
        "buffer.\n";
  else if (!judge.copies_ahead())
    problem +=
        "It is right, but it waits for too much: not all copies of a step are under way while it "
        "multiplies.\n"
        "  What to do: one group a step, its three parts, and a wait that leaves one group.\n";
  else
    problem +=
        "The threads do everything in the right order, and yet it is wrong.\n"
        "  What to do: is something computed here that the building blocks do not know of?\n";
  if (!words(answer).empty()) problem += "  In the loop, thread 0 did: " + words(answer) + "\n";
  if (const char* trace = std::getenv("LANESCOPE_CHECK_TRACE"))
    problem += std::string("  What came out: ./learn view \"") + trace + "\" --select \"D 0,0\"\n";
  FAIL(problem);
}

void check(int steps) {
  const Answer answer = ask(steps);
  const std::string wrong =
      wrong_elements("C", answer.C, kRows, kCols, steps * kStep, steps, a_at, b_at);
  if (!wrong.empty()) fail(answer, wrong);
}

}  // namespace

TEST_CASE("C with 7 steps, more than twice around the stages") { check(7); }
TEST_CASE("C with 1, 2 and 3 steps, and with 8") {
  for (const int steps : {1, 2, 3, 8}) check(steps);
}
TEST_CASE("nothing is read too early, nothing is overwritten too early") {
  for (const int steps : {7, 8, 1}) {
    const Answer answer = ask(steps);
    if (answer.other > 0 || !Judge(answer.notes, answer.steps).broken().rule.empty())
      fail(
          answer,
          "C is right, but by luck:\n  expected a wait and a barrier before a stage is read, and a "
          "barrier before it is filled again");
  }
}
/// What a right answer could do without; "": nothing.
std::string needless(const Answer& answer) {
  const auto count = [&](int what) {  // one of each stands before the loop
    return std::count_if(answer.notes.begin(), answer.notes.end(),
                         [what](const Note& note) { return note.what == what; }) -
           1;
  };
  const auto waits = count(kWait), barriers = count(kBarrier);
  if (waits <= answer.steps && barriers <= answer.steps) return "";
  return std::to_string(waits) + " waits and " + std::to_string(barriers) + " barriers for " +
         std::to_string(answer.steps) +
         " steps, and one of each a step is enough, in its last slice:\nthe others hold up "
         "threads whose next fragments are there";
}

TEST_CASE("fragments and copies come ahead of the slice multiplied") {
  const Answer answer = ask(7);
  const Judge judge(answer.notes, answer.steps);
  if (!judge.loads_ahead() || !judge.copies_ahead())
    fail(answer,
         "While a slice is multiplied:\n  expected the next one loaded and a group of "
         "copies under way");
  if (const std::string more = needless(answer); !more.empty())
    MESSAGE("\nOne thing more: " << more << ".\n");
}
