// SPDX-License-Identifier: MIT
// The calls of an answer to exercise 17, and what is wrong with who makes them and when. Every
// thread's are known, in the order in which they were made; nothing was computed yet. What they ask
// for: mistakes.hpp.
//
// Source: PTX ISA 9.2, 9.7.16.6 (order), .7 (alloc, dealloc), .8 (ld and its wait), .12 (commit).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
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

struct Verdict {
  std::string words, advice;
  bool good() const { return words.empty(); }
};

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

// ---- Who starts what ----------------------------------------------------------------------------

inline Verdict wrong_starter(const Calls& calls) {
  const std::size_t many = threads_of(calls, Call::kMultiply).size();
  const char* advice = "one thread is enough: if (threadIdx.x == 0) { ... }";
  if (many == 0)
    return {"nothing is multiplied", "core.multiply for steps 0 to steps - 1, by one thread"};
  if (many == 128) return {"every thread starts the products: each would count 128 times", advice};
  if (many == 4)
    return {"a thread of every warp starts the products: each would count four times", advice};
  if (many > 1) return {std::to_string(many) + " threads start the products", advice};
  return {};
}

inline Verdict wrong_steps(const Calls& own, int steps) {
  std::vector<int> times(static_cast<std::size_t>(steps), 0);
  for (const Call& call : own) {
    if (call.what != Call::kMultiply) continue;
    if (call.which < 0 || call.which >= steps)
      return {"core.multiply is asked for step " + std::to_string(call.which) + ", which is none",
              "steps 0 to steps - 1: a step is 16 of K"};
    ++times[static_cast<std::size_t>(call.which)];
  }
  for (int step = 0; step < steps; ++step)
    if (const int found = times[static_cast<std::size_t>(step)]; found != 1)
      return {"step " + std::to_string(step) + " is multiplied " + std::to_string(found) + " times",
              "each step once, from 0 to steps - 1"};
  return {};
}

inline Verdict wrong_adds(const Calls& own) {
  std::vector<int> adds;
  for (const Call& call : own)
    if (call.what == Call::kMultiply) adds.push_back(call.add);
  const auto ones = std::count(adds.begin(), adds.end(), 1);
  if (adds[0] == 0 && ones + 1 == static_cast<long>(adds.size())) return {};
  const char* advice = "0 in the first step, 1 in the others: step != 0";
  if (ones == static_cast<long>(adds.size()))
    return {"the old sums count: add is 1 in the first step, too, and D holds NaN", advice};
  if (ones == 0 && adds.size() > 1)
    return {"add is 0 in every step: only the last step is left in D", advice};
  if (adds[0] == 1 && ones == 1)
    return {"add is the wrong way round: 1 in the first step, 0 in the others", advice};
  if (adds[0] == 0 && adds.size() > 1 && adds.back() == 0)
    return {"add is 0 in the last step: what the others summed up is forgotten", advice};
  return {adds[0] == 1 ? "the old sums count: add is 1 in the first step, and D holds NaN"
                       : "add is 0 in a step behind the first: the sums so far are forgotten",
          advice};
}

// ---- Who waits ----------------------------------------------------------------------------------

inline Verdict wrong_commit(const Calls& calls, const Calls& own) {
  const std::set<int> who = threads_of(calls, Call::kCommit);
  const char* advice = "core.commit() once, behind the last step, by the thread that started them";
  if (who.empty()) return {"nothing is committed: the wait would never end", advice};
  if (who.size() > 1)
    return {std::to_string(who.size()) + " threads commit: the mbarrier counts one arrival",
            advice};
  if (*who.begin() != own[0].thread)
    return {"another thread commits than the one that started the products: it waits for its own",
            advice};
  if (count_of(own, Call::kCommit) > 1)
    return {"it is committed " + std::to_string(count_of(own, Call::kCommit)) +
                " times: the wait is over with the first",
            advice};
  if (first_of(own, Call::kCommit) < last_of(own, Call::kMultiply))
    return {"it is committed before the last step was started", advice};
  if (const int wait = first_of(own, Call::kWait); wait >= 0 && wait < first_of(own, Call::kCommit))
    return {"the thread waits before it has committed: for ever", advice};
  return {};
}

/// "", or the words for threads that do not call it at all.
inline std::string missing(const Calls& calls, int what, const std::string& call) {
  const std::set<int> who = threads_of(calls, what);
  if (who.size() == 128) return {};
  if (who.empty()) return "nobody calls " + call;
  return "only " + std::to_string(who.size()) + " of 128 threads " +
         (who.size() == 1 ? "calls " : "call ") + call;
}

inline Verdict wrong_waits(const Calls& calls) {
  const std::string all = ": all 128 threads, outside of the if";
  if (const std::string words = missing(calls, Call::kWait, "core.wait()"); !words.empty())
    return {words + ", and yet all read D", "core.wait() behind the commit" + all};
  if (const std::string words = missing(calls, Call::kLoad, "core.load"); !words.empty())
    return {words, "core.load(d, 0, ...) and core.load(d, 1, ...)" + all};
  if (const std::string words = missing(calls, Call::kFence, "core.fence()"); !words.empty())
    return {words + ": a load may be earlier than the wait", "core.fence() behind the wait" + all};
  if (const std::string words = missing(calls, Call::kWaitLoad, "core.wait_load()"); !words.empty())
    return {words + ": a load has only started", "core.wait_load() behind the loads" + all};
  for (int thread = 0; thread < 128; ++thread) {
    const Calls own = calls_of(calls, thread);
    const int load = first_of(own, Call::kLoad), fence = last_of(own, Call::kFence);
    if (load < first_of(own, Call::kWait))
      return {"D is loaded before the wait", "core.wait(), core.fence(), then core.load"};
    if (fence < first_of(own, Call::kWait))
      return {"the fence stands before the wait: it orders what comes behind it",
              "core.wait(), core.fence(), then core.load"};
    if (load < fence)
      return {"D is loaded before the fence", "core.wait(), core.fence(), then core.load"};
    if (last_of(own, Call::kWaitLoad) < last_of(own, Call::kLoad))
      return {"core.wait_load() comes before the last load: that one has only started",
              "both loads, then core.wait_load()"};
  }
  return {};
}

// ---- Giving back --------------------------------------------------------------------------------

inline Verdict wrong_dealloc(const Calls& calls) {
  const std::set<int> who = threads_of(calls, Call::kDealloc);
  const char* advice =
      "__syncthreads(), then the 32 threads of one warp: if (threadIdx.x < 32) core.dealloc(tmem)";
  if (who.empty())
    return {"the columns are not given back: the next CTA here would wait for them for ever",
            advice};
  if (who.size() == 128)
    return {"every warp gives the columns back: the first has done it for all", advice};
  if (who.size() != 32 || *who.begin() % 32 != 0 || *who.rbegin() != *who.begin() + 31)
    return {(who.size() == 1 ? "1 thread calls" : std::to_string(who.size()) + " threads call") +
                " core.dealloc: all of one warp do it together",
            advice};
  int last_wait = 0, dealloc = static_cast<int>(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].what == Call::kWaitLoad) last_wait = static_cast<int>(i);
    if (calls[i].what != Call::kDealloc) continue;
    dealloc = std::min(dealloc, static_cast<int>(i));
    if (calls[i].address != kTmem)
      return {"what is given back is " + hex(calls[i].address) + ", not tmem", advice};
  }
  if (dealloc < last_wait)
    return {"the columns are given back before all warps have read them", advice};
  if (count_of(calls, Call::kDealloc) > 32) return {"the columns are given back twice", advice};
  return {};
}

}  // namespace exercise_17
