// SPDX-License-Identifier: MIT
// Check of exercise 14: attention over one block of keys, and over several whose largest scores
// grow, fall and both. Weights are powers of two and the sums exact, so there is no tolerance. A
// mistake is named when it predicts all that comes back, of all problems; see mistakes.hpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "14_attention/mistakes.hpp"
#include "14_attention/parts.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<float>, std::vector<float>> attend_on_device(
    const std::vector<std::uint16_t>& Q, const std::vector<std::uint16_t>& K,
    const std::vector<std::uint16_t>& V, int keys, const char* trace);

using namespace exercise_14;
using product_check::f16;
using product_check::text_of;

namespace {

Result ask(const Problem& p, const char* trace) {
  std::vector<std::uint16_t> Q, K, V;
  for (int i = 0; i < kQueries * kDim; ++i) Q.push_back(f16(p.q(i / kDim, i % kDim)));
  for (int i = 0; i < p.keys() * kDim; ++i) K.push_back(f16(p.k(i / kDim, i % kDim)));
  for (int i = 0; i < p.keys() * kDim; ++i) V.push_back(f16(p.v(i / kDim, i % kDim)));
  auto [O, sum] = attend_on_device(Q, K, V, p.keys(), trace);
  REQUIRE(O.size() == kQueries * kDim);
  REQUIRE(sum.size() == kQueries + 1);
  Result result{O, sum};
  result.behind = static_cast<int>(sum.back());
  result.sum.pop_back();
  return result;
}

const Problem kProblems[] = {
    {{20}}, {{20, 22, 24, 26}}, {{27, 24, 23, 22}}, {{20, 26, 22, 24, 27}}};

Result with(const Mistake& mistake, const Problem& p) {
  Answer answer;
  mistake.make(answer);
  return apply(answer, p);
}
/// Does the mistake predict what comes back, of all problems? `found`: of one of them.
bool explains(const Mistake& mistake, const Problem& problem, const Result& found) {
  if (!same(with(mistake, problem), found)) return false;
  for (const Problem& p : kProblems)
    if (!same(with(mistake, p), ask(p, nullptr))) return false;
  return true;
}
/// One of two mistakes: where the sums are wrong, what predicts them, of all problems; where they
/// are right, what predicts O of this one. nullptr: nothing.
const Mistake* one_of_two(const Problem& problem, const Result& found) {
  const bool sums = !same(found.sum, apply(Answer(), problem).sum);
  const auto is_0 = [](float element) { return element == 0; };
  if (!sums && std::all_of(found.O.begin(), found.O.end(), is_0)) return nullptr;  // too many do
  for (const Mistake& mistake : mistakes()) {
    if (!(sums ? same(with(mistake, problem).sum, found.sum) : same(with(mistake, problem), found)))
      continue;
    bool all = true;
    for (const Problem& p : kProblems)
      all = all && (!sums || same(with(mistake, p).sum, ask(p, nullptr).sum));
    if (all) return &mistake;
  }
  return nullptr;
}
/// As after an empty gap: 0 / 0 everywhere.
bool nothing_added() {
  for (const Problem& p : kProblems) {
    const Result found = ask(p, nullptr);
    for (const float sum : found.sum)
      if (sum != 0) return false;
    for (const float element : found.O)
      if (!std::isnan(element)) return false;
  }
  return true;
}

/// The part that is wrong, with its indices: the sums first, then A, then the factors.
std::string wrong_parts() {
  const Ask ask_it = [](const Problem& p) { return ask(p, nullptr); };
  const Problem apart{{0}, true};
  std::string words = wrong_sums(ask_it, {apart, kProblems[0]});
  if (const std::string a = wrong_a(ask_it(apart), apart); !a.empty())
    words += (words.empty() ? "" : "; ") + a;
  return !words.empty() ? words
                        : wrong_factors(ask_it, {std::begin(kProblems), std::end(kProblems)});
}

/// What to do about them.
std::string advice_of(const std::string& wrong) {
  const auto has = [&wrong](const char* words) { return wrong.find(words) != std::string::npos; };
  if (has(kDivided))
    return "sum grows to the end, and only the kernel, behind your code, divides by it.";
  if (has(kUnrounded))
    return "a register of A has two f16 numbers: pack makes them of two f32 ones.";
  if (has("exp")) return "factor is a power of two already: multiply by it as it is.";
  return "a lane has row lane / 4 in p[.][0] and p[.][1], row lane / 4 + 8 in p[.][2] and p[.][3].";
}

std::string diagnosis(const Problem& p, const Result& found) {
  constexpr const char* kTodo = ".\n  What to do: ";
  constexpr int kFragments = kDim / 8;
  if (found.behind > 0)
    return "It looks as if o had " + std::to_string(kFragments + found.behind) +
           " fragments: what lies behind o[" + std::to_string(kFragments - 1) + "] is changed" +
           kTodo + "o has kDim / 8 fragments, of 8 columns each: o[0] to o[3].";
  for (const Mistake& mistake : mistakes())
    if (explains(mistake, p, found))
      return std::string("It looks as if ") + mistake.name + kTodo + mistake.advice + ".";
  if (nothing_added())
    return std::string("The gap is still empty, or puts nothing into sum and a") + kTodo +
           "lessons/14_attention/exercise.cu, between the two `your code` lines.";
  if (const Mistake* mistake = one_of_two(p, found); mistake != nullptr)
    return std::string("It looks as if ") + mistake->name + ", and that is not all" + kTodo +
           mistake->advice + ".";
  if (const std::string wrong = wrong_parts(); !wrong.empty())
    return "It looks as if " + wrong + kTodo + advice_of(wrong);
  if (same(found.sum, apply(Answer(), p).sum))
    return std::string(
               "The sums of weights are right, O is not, and this is not one of the "
               "mistakes this check knows") +
           kTodo + "is it o's factor, or A? Only A counts where there are 16 keys.";
  return std::string(
             "This is not one of the mistakes this check knows; the sums of weights are "
             "wrong, too") +
         kTodo + "begin with sum: its row's factor, then the four weights of that row.";
}

void check(const Problem& p) {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const Result found = ask(p, trace), right = apply(Answer(), p);
  int wrong = 0, first = 0;
  std::string shown;
  for (int i = 0; i < kQueries * kDim; ++i) {
    const float is = found.O[static_cast<std::size_t>(i)];
    const float should = right.O[static_cast<std::size_t>(i)];
    if (is == should) continue;
    if (wrong == 0) first = i / kDim;
    if (wrong++ < 3)
      shown += "  O[" + std::to_string(i / kDim) + "][" + std::to_string(i % kDim) +
               "]: expected " + text_of(should) + ", found " + text_of(is) + "\n";
  }
  if (wrong == 0 && found.behind == 0) return;
  const std::string keys = ", with " + std::to_string(p.keys()) + " keys:\n";
  std::string problem = "\n" + std::to_string(wrong) + " of " + std::to_string(kQueries * kDim) +
                        " elements of O are wrong" + keys + shown;
  if (wrong == 0)
    problem =
        "\nO is right" + keys + "  expected nothing behind o to be changed, found that it is\n";
  problem += "\n" + diagnosis(p, found) + "\n";
  if (trace != nullptr)
    problem += std::string("  The weights and your A: ./learn view \"") + trace +
               "\" --select \"A " + std::to_string(first) +
               ",0\"\n  Whether A is right: " + "./learn diagnose \"" + trace + "\"\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("one block of 16 keys: the weights in A, and their sum") { check(kProblems[0]); }
TEST_CASE("the largest score grows with every block") { check(kProblems[1]); }
TEST_CASE("the largest score is in the first block") { check(kProblems[2]); }
TEST_CASE("up and down") { check(kProblems[3]); }
