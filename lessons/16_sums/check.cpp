// SPDX-License-Identifier: MIT
// Check of exercise 16: D has to be what the tensor core's sums and the threads' are, to the bit. A
// mistake is named when it predicts all of D; see mistakes.hpp. What thread 0 asked for, and in
// which order, is looked at, too; see calls.hpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "16_sums/calls.hpp"
#include "16_sums/mistakes.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<unsigned char>& A, const std::vector<unsigned char>& B, int steps,
    const char* trace);

using namespace exercise_16;

namespace {

int bits_of(float number) {
  int bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

Ran run(const Problem& problem, const char* trace) {
  Ran ran;
  std::vector<int> notes;
  std::tie(ran.D, notes) = multiply_on_device(problem.A, problem.B, problem.steps, trace);
  int before = 0;
  const std::size_t each = notes.size() / 4;  // of a warp
  for (std::size_t i = notes.size(); i >= 2; i -= 2)
    if (notes[i - 2] % Call::kTouched != notes[(i - 2) % each] % Call::kTouched)
      ran.other = static_cast<int>((i - 2) / each);
  for (std::size_t i = 0; i + 1 < each && notes[i] != -1; i += 2) {
    const bool touched = notes[i] >= Call::kTouched;
    ran.calls.push_back({notes[i] % Call::kTouched, touched, notes[i + 1] != before});
    before = notes[i + 1];
  }
  return ran;
}

bool same(const std::vector<float>& left, const std::vector<float>& right) {
  for (std::size_t i = 0; i < left.size(); ++i)
    if (bits_of(left[i]) != bits_of(right[i]) && !(std::isnan(left[i]) && std::isnan(right[i])))
      return false;
  return true;
}

/// "2 times", "1/16 of": what it should be; "": no power of two makes D what it is.
std::string times_as_large(const std::vector<float>& D, const std::vector<float>& right) {
  for (int power = -10; power <= 10; ++power) {
    bool all = power != 0;
    for (std::size_t i = 0; i < D.size() && all; ++i) all = D[i] == std::ldexp(right[i], power);
    const std::string number = std::to_string(1 << std::abs(power));
    if (all) return power < 0 ? "1/" + number + " of" : number + " times";
  }
  return "";
}

/// Are the four elements of thread 0 right, and all others 0?
bool only_thread_0(const std::vector<float>& D, const std::vector<float>& right) {
  for (std::size_t place = 0; place < D.size(); ++place) {
    const std::size_t row = place / kCols, col = place % kCols;
    const bool its_own = row % 8 == 0 && row < 16 && col < 2;
    if (bits_of(D[place]) != (its_own ? bits_of(right[place]) : 0)) return false;
  }
  return true;
}

std::string diagnosis(const Ran& ran, const Problem& problem) {
  const std::string todo = ".\n  What to do: ", looks = "It looks as if ";
  if (ran.calls.size() == 1 && same(ran.D, std::vector<float>(ran.D.size(), 0)))
    return "The gap is still empty" + todo +
           "lessons/16_sums/exercise.cu, between the two `your code` lines.";
  Verdict early = one_warp_alone(ran);
  if (early.words.empty()) early = order_broken(ran, false);
  if (!early.words.empty()) return looks + early.words + todo + early.advice + ".";
  for (const Mistake& mistake : mistakes()) {
    Answer answer;
    mistake.make(answer);
    if (same(ran.D, D_of(answer, problem)) && agrees(ran, answer, problem.steps))
      return looks + mistake.name + todo + mistake.advice + ".";
  }
  if (same(ran.D, std::vector<float>(ran.D.size(), 0)))
    return looks + "nothing is added to sums" + todo + "sums[i] += d[i], when a group is done.";
  // Any other length of a group, of those that end with the last step.
  for (int count = 3; count < problem.steps; ++count) {
    Answer answer;
    every(answer, count);
    if (same(ran.D, D_of(answer, problem)))
      return looks + "the sums move out every " + std::to_string(count) + " steps" + todo +
             "a step is 32 of K, so 128 are four steps.";
  }
  if (const std::string times = times_as_large(ran.D, D_of(Answer(), problem)); !times.empty())
    return looks + "every sum is " + times + " what it should be" + todo +
           "sums[i] += d[i]: each d once, and as it is.";
  if (only_thread_0(ran.D, D_of(Answer(), problem)))
    return looks + "only thread 0 adds" + todo + "all 128 threads hold four elements of D each.";
  for (int step = 0; step < problem.steps; ++step)
    if (const long times = times_of(ran, step); times != 1)
      return looks + "step " + std::to_string(step) + " is multiplied " + std::to_string(times) +
             " times" + todo + "each step once: a step is 32 of K, so 128 of K are four steps.";
  if (const std::string wrong = wrong_registers(ran.D, problem); !wrong.empty())
    return looks + wrong + todo + "sums[i] += d[i], i from 0 to 3.";
  Verdict order = step_broken(ran, problem.steps);
  if (order.words.empty()) order = order_broken(ran, true);
  if (!order.words.empty()) return looks + order.words + todo + order.advice + ".";
  return "This is not one of the mistakes this check knows" + todo +
         "write down for steps 0 to 5 what is in d and what is in sums.";
}

std::string text_of(float number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g = 0x%08x", static_cast<double>(number),
                static_cast<unsigned>(bits_of(number)));
  return std::isnan(number) ? "NaN" : text;
}

void check(int steps) {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const Problem problem(steps);
  const Ran ran = run(problem, trace);
  const std::vector<float> right = D_of(Answer(), problem);
  REQUIRE(ran.D.size() == right.size());
  int wrong = 0;
  std::string shown, first;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (bits_of(ran.D[i]) == bits_of(right[i])) continue;
    const int row = static_cast<int>(i) / kCols, col = static_cast<int>(i) % kCols;
    if (wrong == 0) first = std::to_string(row) + "," + std::to_string(col);
    if (wrong++ >= 3) continue;
    char exact[32];
    std::snprintf(exact, sizeof exact, "%.9g", problem.exact(row, col));
    shown += "  D[" + std::to_string(row) + "][" + std::to_string(col) + "]: expected " +
             text_of(right[i]) + ", found " + text_of(ran.D[i]) + " (exact: " + exact + ")\n";
  }
  if (wrong == 0) return;
  std::string problem_text =
      "\n" + std::to_string(wrong) +
      " of 512 elements of D are wrong, K = " + std::to_string(steps * kStep) + ":\n" + shown +
      "\n" + diagnosis(ran, problem) + "\n";
  if (trace != nullptr)
    problem_text += std::string("  What the threads held: ./learn view \"") + trace +
                    "\" --select \"D " + first + "\" --product 2\n";
  FAIL(problem_text);
}

}  // namespace

TEST_CASE("K = 512: four groups of four steps") { check(16); }
TEST_CASE("K = 160: the last group is one step") { check(5); }
TEST_CASE("K = 64: no group is whole") { check(2); }
TEST_CASE("fences and waits: those that there have to be, no more") {
  for (const int steps : {16, 5}) {
    const Ran ran = run(Problem(steps), nullptr);
    Verdict verdict = one_warp_alone(ran);
    if (verdict.words.empty()) verdict = order_broken(ran, true);
    if (verdict.words.empty()) verdict = too_many_waits(ran, steps);
    if (verdict.words.empty()) continue;
    FAIL(
        "\nD is as expected, the calls are not:\n  expected fence, four steps, commit, wait, +=, "
        "and again; K = "
        << steps * kStep << "\n\nIt looks as if " << verdict.words
        << ".\n  What to do: " << verdict.advice << ".\n");
  }
}
