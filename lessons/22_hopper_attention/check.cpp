// SPDX-License-Identifier: MIT
// Check of exercise 22: what each thread does for a block of keys, and in which order. Only then
// attention itself, exact: where the order is wrong it would wait for ever, or be wrong now and
// then.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "22_hopper_attention/order.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<int>, std::vector<float>> attend_on_device(
    const std::vector<std::uint16_t>& Q, const std::vector<std::uint16_t>& K,
    const std::vector<std::uint16_t>& V, const char* trace);

using namespace exercise_22;

namespace {

constexpr int kThreads = 256, kMostCalls = 40, kQueries = 128, kDim = 64, kBlockKeys = 64;

// ---- The order ----------------------------------------------------------------------------------

std::vector<int> calls_of(const std::vector<int>& all, int thread) {
  std::vector<int> calls;
  for (int i = 0; i < kMostCalls; ++i)
    if (const int call = all[static_cast<std::size_t>(thread * kMostCalls + i)]; call >= 0)
      calls.push_back(call);
  return calls;
}

std::string problem_of_order() {
  const std::vector<int> all = attend_on_device({}, {}, {}, nullptr).first;
  REQUIRE(all.size() == static_cast<std::size_t>(kThreads) * kMostCalls);
  const std::vector<int> calls = calls_of(all, 0);
  for (int thread = 1; thread < kThreads; ++thread)
    if (const std::vector<int> others = calls_of(all, thread); others != calls)
      return "\nFor a block of keys:\n  expected the same calls of all threads\n  found thread "
             "0: " +
             words(calls) + "\n  found thread " + std::to_string(thread) + ": " + words(others) +
             "\n\nIt looks as if not all threads did the same.\n  What to do: all 128 of a "
             "warpgroup come to each call; the group knows what one of them does for all.\n";
  if (calls.empty())
    return "\nThe gap is still empty.\n  What to do: lessons/22_hopper_attention/exercise.cu, "
           "between the two `your code` lines.\n";
  if (static_cast<int>(calls.size()) == kMostCalls)
    return "\nFor a block of keys:\n  expected twelve calls\n  found " +
           std::to_string(kMostCalls) + " or more: " + words({calls.begin(), calls.begin() + 12}) +
           ", ...\n\nIt looks as if a call stood in a loop.\n  What to do: each of the twelve "
           "once; what comes behind so many is not looked at.\n";
  const Verdict verdict = broken(calls);
  if (verdict.words.empty()) return "";
  return "\nFor a block of keys:\n  expected " + verdict.expected + "\n  found " +
         words(verdict.calls) + "\n\nIt looks as if " + verdict.words +
         ".\n  What to do: " + verdict.advice + ".\n";
}

// ---- Attention ----------------------------------------------------------------------------------

// Whole numbers for scores, and weights that are powers of two: only the division rounds. Every
// block brings larger scores.
int q(int row, int i) { return i == 0 ? 1 : i <= 4 ? row >> (i - 1) & 1 : 0; }
int k(int key, int i) { return i == 0 ? 20 + key / kBlockKeys : (key * i + key / 5) % 2; }
int v(int key, int col) { return (key * 3 + col * 5 + key / 7) % 4; }
int score(int row, int key) {
  int sum = 0;
  for (int i = 0; i < kDim; ++i) sum += q(row, i) * k(key, i);
  return sum;
}

std::vector<float> expected(int keys) {
  std::vector<float> O;
  for (int row = 0; row < kQueries; ++row) {
    int largest = 0;
    for (int key = 0; key < keys; ++key) largest = std::max(largest, score(row, key));
    std::vector<double> weights;
    double bottom = 0;
    for (int key = 0; key < keys; ++key) {
      weights.push_back(std::ldexp(1.0, score(row, key) - largest));
      bottom += weights.back();
    }
    for (int col = 0; col < kDim; ++col) {
      double top = 0;
      for (int key = 0; key < keys; ++key)
        top += weights[static_cast<std::size_t>(key)] * v(key, col);
      O.push_back(static_cast<float>(top) / static_cast<float>(bottom));
    }
  }
  return O;
}

void check_attention(int blocks) {
  const int keys = blocks * kBlockKeys;
  std::vector<std::uint16_t> Q, K, V;
  for (int i = 0; i < kQueries * kDim; ++i) Q.push_back(product_check::f16(q(i / kDim, i % kDim)));
  for (int i = 0; i < keys * kDim; ++i) K.push_back(product_check::f16(k(i / kDim, i % kDim)));
  for (int i = 0; i < keys * kDim; ++i) V.push_back(product_check::f16(v(i / kDim, i % kDim)));
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const std::vector<float> found = attend_on_device(Q, K, V, trace).second, wanted = expected(keys);
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != wanted[i])
      FAIL(std::string("\nO[" + std::to_string(i / kDim) + "][" + std::to_string(i % kDim) +
                       "]: expected " + product_check::text_of(wanted[i]) + ", found " +
                       product_check::text_of(found[i]) +
                       "\n\nThe order is right, and yet O is wrong.\n  What to do: does step do "
                       "something that the group does not know of?\n"));
}

}  // namespace

TEST_CASE("the order, then attention to 1, 2, 3 and 8 blocks of keys") {
  if (const std::string problem = problem_of_order(); !problem.empty()) FAIL(problem);
  for (const int blocks : {1, 2, 3, 8}) check_attention(blocks);
}
