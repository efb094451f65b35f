// SPDX-License-Identifier: MIT
// Check of exercise 17: first who asks the tensor core for what, and in which order; nothing is
// computed yet, so that a wait may be forgotten without anybody waiting for ever. Then D itself,
// which has to be exact. Mistakes are named by the calls: mistakes.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "mistakes.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int steps, bool real,
    const char* trace);

using namespace exercise_17;

namespace {

int a(int row, int k) { return (row * 7 + k * 3 + row / 16) % 16; }
int b(int k, int col) { return (k * 5 + col * 3 + col / 16) % 11; }

std::pair<std::vector<float>, std::vector<int>> run(int steps, bool real, const char* trace) {
  std::vector<std::uint16_t> A, B;
  for (int row = 0; row < kM; ++row)
    for (int k = 0; k < steps * 16; ++k) A.push_back(product_check::f16(a(row, k)));
  for (int col = 0; col < kN; ++col)
    for (int k = 0; k < steps * 16; ++k) B.push_back(product_check::f16(b(k, col)));
  return multiply_on_device(A, B, steps, real, trace);
}

Calls calls_made(int steps) {
  const std::vector<int> words = run(steps, false, nullptr).second;
  Calls calls;
  for (std::size_t i = 0; i + 5 < words.size(); i += 6)
    calls.push_back({words[i], words[i + 1], static_cast<std::uint32_t>(words[i + 2]), words[i + 3],
                     words[i + 4], static_cast<std::uint32_t>(words[i + 5])});
  return calls;
}

/// "multiply 4/1, commit 1/1, ...": how many calls, of how many threads.
std::string summary(const Calls& calls) {
  std::string text;
  for (int what = Call::kMultiply; what <= Call::kDealloc; ++what) {
    const std::size_t threads = threads_of(calls, what).size();
    text += (what == Call::kMultiply ? "" : ", ") + std::string(kNames[what]) + " " +
            std::to_string(count_of(calls, what)) + "/" + std::to_string(threads);
  }
  return text;
}

void check_calls(int steps) {
  const Calls calls = calls_made(steps);
  if (calls.empty())
    FAIL(
        "\nNobody asks for anything.\n\nThe gap is still empty.\n  What to do: "
        "lessons/17_tensor_memory/exercise.cu, between the two `your code` lines.\n");
  const Verdict verdict = judge(calls, steps);
  if (verdict.good()) return;
  const bool counted = verdict.expected.empty();
  const std::string of = counted ? " (how many calls / of how many threads)" : "";
  const std::string expected = !counted ? verdict.expected
                                        : "multiply " + std::to_string(steps) +
                                              "/1, commit 1/1, wait 128/128, fence 128/128, load "
                                              "256/128, wait_load 128/128, dealloc 32/32";
  const std::string found = counted ? summary(calls) : verdict.found;
  FAIL("\nThe calls are not what it takes"
       << of << ", K = " << steps * 16 << ":\n  expected " << expected << "\n  found    " << found
       << "\n\nIt looks as if " << verdict.words << ".\n  What to do: " << verdict.advice << ".\n");
}

void check_product(int steps) {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const std::vector<float> D = run(steps, true, trace).first;
  REQUIRE(D.size() == kM * kN);
  const std::string wrong = product_check::wrong_elements("D", D, kM, kN, steps * 16, steps, a, b);
  if (wrong.empty()) return;
  std::string problem = "\n" + wrong +
                        "\nThe calls are right, so what was loaded is changed behind them: this is "
                        "not one of the mistakes this check knows.\n  What to do: d[0] and d[1] "
                        "stay as core.load leaves them.\n";
  if (trace != nullptr)
    problem += std::string("  What the threads held: ./learn view \"") + trace + "\"\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("who asks for what, K = 64") { check_calls(4); }
TEST_CASE("who asks for what, K = 16: the first step is the last") { check_calls(1); }
TEST_CASE("who asks for what, other warps late") {
  for (const int steps : {2, 3}) check_calls(steps);
}
TEST_CASE("D = A*B, K = 64") { check_product(4); }
TEST_CASE("D = A*B, K = 16") { check_product(1); }
TEST_CASE("D = A*B, K = 128") {
  check_product(8);
  if (const std::string more = needless(calls_made(4)); !more.empty())
    MESSAGE("\nOne thing more: " << more << ".\n");
}
