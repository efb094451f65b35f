// SPDX-License-Identifier: MIT
// The calls of an answer to exercise 17, and what is wrong with who starts what. Every thread's are
// known, in the order in which they were made; nothing was computed yet. Who waits: waits.hpp; what
// they ask for: mistakes.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace exercise_17 {

constexpr int kM = 128, kN = 32;
constexpr std::uint32_t kTmem = 32;  // where the calls are only noted
constexpr std::uint32_t kInstruction = 1u << 4 | kN / 8 << 17 | kM / 16 << 24;

struct Call {
  enum What { kMultiply = 1, kCommit, kWait, kFence, kLoad, kWaitLoad, kDealloc };
  int thread, what;
  std::uint32_t address;
  int which, add;  // step or part
  std::uint32_t instruction;
};
using Calls = std::vector<Call>;

/// What is wrong. `expected` and `found`: where the number of calls does not say it.
struct Verdict {
  std::string words, advice, expected = {}, found = {};
  bool good() const { return words.empty(); }
};

inline constexpr const char* kNames[] = {"",      "multiply", "commit",    "wait",
                                         "fence", "load",     "wait_load", "dealloc"};

inline std::string hex(std::uint32_t word) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", word);
  return text;
}
inline std::set<int> threads_of(const Calls& calls, int what) {
  std::set<int> threads;
  for (const Call& call : calls)
    if (call.what == what) threads.insert(call.thread);
  return threads;
}
inline Calls calls_of(const Calls& calls, int thread) {
  Calls own;
  for (const Call& call : calls)
    if (call.thread == thread) own.push_back(call);
  return own;
}
/// Where a thread first (or last) calls it; -1: nowhere.
inline int first_of(const Calls& own, int what) {
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i].what == what) return static_cast<int>(i);
  return -1;
}
inline int last_of(const Calls& own, int what) {
  for (std::size_t i = own.size(); i-- > 0;)
    if (own[i].what == what) return static_cast<int>(i);
  return -1;
}
inline int count_of(const Calls& own, int what) {
  return static_cast<int>(std::count_if(own.begin(), own.end(),
                                        [what](const Call& call) { return call.what == what; }));
}
/// A thread's calls in their order: "thread 5: wait, fence, 2 load, wait_load".
inline std::string order_of(const Calls& own) {
  std::string text = "thread " + std::to_string(own[0].thread) + ": ";
  for (std::size_t i = 0, next; i < own.size(); i = next) {
    for (next = i; next < own.size() && own[next].what == own[i].what;) ++next;
    text += (i == 0 ? "" : ", ") + (next - i == 1 ? "" : std::to_string(next - i) + " ") +
            kNames[own[i].what];
  }
  return text;
}
/// What each multiply says: "add 0, 1, 1, 1".
inline std::string each_says(const char* name, const std::vector<int>& numbers) {
  std::string text = name;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? " " : ", ") + std::to_string(numbers[i]);
  return text;
}

// ---- Who starts what ----------------------------------------------------------------------------

/// Which steps somebody starts.
inline std::set<int> steps_asked(const Calls& calls) {
  std::set<int> steps;
  for (const Call& call : calls)
    if (call.what == Call::kMultiply) steps.insert(call.which);
  return steps;
}
inline Verdict wrong_starter(const Calls& calls) {
  const std::size_t many = threads_of(calls, Call::kMultiply).size();
  const char* advice = "one thread is enough: if (threadIdx.x == 0) { ... }";
  if (many == 0)
    return {"nothing is multiplied", "core.multiply for steps 0 to steps - 1, by one thread"};
  if (many == 128) return {"every thread starts the products: each would count 128 times", advice};
  if (many > 1 &&
      steps_asked(calls).size() == static_cast<std::size_t>(count_of(calls, Call::kMultiply)))
    return {std::to_string(many) +
                " threads share the steps: nothing puts one's products behind "
                "another's, and a commit knows its own thread's alone",
            advice};
  if (many == 4)
    return {"a thread of every warp starts the products: each would count four times", advice};
  if (many > 1) return {std::to_string(many) + " threads start the products", advice};
  return {};
}

inline Verdict wrong_steps(const Calls& own, int steps) {
  std::vector<int> asked, all(static_cast<std::size_t>(steps));
  std::iota(all.begin(), all.end(), 0);
  for (const Call& call : own)
    if (call.what == Call::kMultiply) asked.push_back(call.which);
  const std::string expected = each_says("steps", all), found = each_says("steps", asked);
  for (const int step : asked)
    if (step < 0 || step >= steps)
      return {"core.multiply is asked for step " + std::to_string(step) + ", which is none",
              "steps 0 to steps - 1: a step is 16 of K", expected, found};
  for (const int step : all)
    if (const auto times = std::count(asked.begin(), asked.end(), step); times != 1)
      return {"step " + std::to_string(step) + " is multiplied " + std::to_string(times) + " times",
              "each step once, from 0 to steps - 1", expected, found};
  return {};
}

inline Verdict wrong_adds(const Calls& own) {
  std::vector<int> adds;
  for (const Call& call : own)
    if (call.what == Call::kMultiply) adds.push_back(call.add);
  const auto ones = std::count(adds.begin(), adds.end(), 1);
  if (adds[0] == 0 && ones + 1 == static_cast<long>(adds.size())) return {};
  const auto wrong = [&adds](const char* words) -> Verdict {
    std::vector<int> right(adds.size(), 1);
    right[0] = 0;
    return {
        words,
        "0 in the step that is started first, 1 in the others: from step 0 on that is step != 0",
        each_says("add", right), each_says("add", adds)};
  };
  if (ones == static_cast<long>(adds.size()))
    return wrong("the old sums count: add is 1 in the first step, too, and D holds NaN");
  if (ones == 0 && adds.size() > 1)
    return wrong("add is 0 in every step: only the last step is left in D");
  if (adds[0] == 1 && ones == 1)
    return wrong("add is the wrong way round: 1 in the first step, 0 in the others");
  if (adds[0] == 0 && adds.size() > 1 && adds.back() == 0)
    return wrong("add is 0 in the last step: what the others summed up is forgotten");
  return wrong(adds[0] == 1 ? "the old sums count: add is 1 in the first step, and D holds NaN"
                            : "add is 0 in a step behind the first: the sums so far are forgotten");
}

}  // namespace exercise_17
