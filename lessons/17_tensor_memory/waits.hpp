// SPDX-License-Identifier: MIT
// The calls of an answer to exercise 17 once the products are started: commit, waits, loads, and
// who gives the columns back.
//
// Source: PTX ISA 9.2, 9.7.16.6 (order), .7 (alloc, dealloc), .8 (ld and its wait), .12 (commit).
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "17_tensor_memory/calls.hpp"

namespace exercise_17 {

// ---- Who waits ----------------------------------------------------------------------------------

inline Verdict wrong_commit(const Calls& calls, const Calls& own) {
  const std::set<int> who = threads_of(calls, Call::kCommit);
  const char* advice = "core.commit() once, behind the last step, by the thread that started them";
  if (who.empty()) return {"nothing is committed: the wait would never end", advice};
  if (who.size() > 1)
    return {std::to_string(who.size()) + " threads commit: the mbarrier counts one arrival",
            advice};
  const std::string starter = "thread " + std::to_string(own[0].thread) + ": ";
  if (*who.begin() != own[0].thread)
    return {"another thread commits than the one that started the products: it waits for its own",
            advice, starter + "multiply and commit",
            starter + "multiply, thread " + std::to_string(*who.begin()) + ": commit"};
  if (count_of(own, Call::kCommit) > 1)
    return {"it is committed " + std::to_string(count_of(own, Call::kCommit)) +
                " times: the wait is over with the first",
            advice};
  const std::string order =
      starter + "every multiply, commit, then, as all threads, wait, fence, 2 load, wait_load";
  if (first_of(own, Call::kCommit) < last_of(own, Call::kMultiply))
    return {"it is committed before the last step was started", advice, order, order_of(own)};
  if (const int wait = first_of(own, Call::kWait); wait >= 0 && wait < first_of(own, Call::kCommit))
    return {"the thread waits before it has committed: for ever", advice, order, order_of(own)};
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
    const int load = first_of(own, Call::kLoad), wait = first_of(own, Call::kWait);
    int fence = wait;  // the first one behind the wait: others may follow
    while (fence < static_cast<int>(own.size()) &&
           own[static_cast<std::size_t>(fence)].what != Call::kFence)
      ++fence;
    const auto wrong = [&own](const char* words, const char* advice) -> Verdict {
      return {words, advice, "every thread: wait, fence, 2 load, wait_load", order_of(own)};
    };
    const char* order = "core.wait(), core.fence(), then core.load";
    if (load < wait) return wrong("D is loaded before the wait", order);
    if (fence == static_cast<int>(own.size()))
      return wrong("the fence stands before the wait: it orders what comes behind it", order);
    if (load < fence) return wrong("D is loaded before the fence", order);
    if (last_of(own, Call::kWaitLoad) < last_of(own, Call::kLoad))
      return wrong("core.wait_load() comes before the last load: that one has only started",
                   "both loads, then core.wait_load()");
  }
  return {};
}

// ---- Giving back --------------------------------------------------------------------------------

inline Verdict wrong_dealloc(const Calls& calls) {
  const std::set<int> who = threads_of(calls, Call::kDealloc);
  const char* advice =
      "core.wait_load(), __syncthreads(), then the 32 threads of one warp: if (threadIdx.x < 32) "
      "core.dealloc(tmem)";
  if (who.empty())
    return {"the columns are not given back: the next CTA here would wait for them for ever",
            advice};
  if (who.size() == 128)
    return {"every warp gives the columns back: the first has done it for all", advice};
  if (who.size() != 32 || *who.begin() % 32 != 0 || *who.rbegin() != *who.begin() + 31)
    return {(who.size() == 1 ? "1 thread calls" : std::to_string(who.size()) + " threads call") +
                " core.dealloc: all of one warp do it together",
            advice};
  for (const Call& call : calls)
    if (call.what == Call::kDealloc && call.address != kTmem)
      return {"what is given back is " + hex(call.address) + ", not tmem", advice,
              "core.dealloc(" + hex(kTmem) + ")", "core.dealloc(" + hex(call.address) + ")"};
  const Calls before(calls.begin(), calls.begin() + first_of(calls, Call::kDealloc));
  const int read = count_of(before, Call::kWaitLoad), all = count_of(calls, Call::kWaitLoad);
  if (read < all)
    return {"the columns are given back before all warps have read them", advice,
            "dealloc behind all " + std::to_string(all) + " wait_load",
            "dealloc behind " + std::to_string(read) + " of them"};
  if (count_of(calls, Call::kDealloc) > 32) return {"the columns are given back twice", advice};
  return {};
}

// ---- Right, and yet -----------------------------------------------------------------------------

/// What a right answer could do without; "": nothing.
inline std::string needless(const Calls& calls) {
  const Calls own = calls_of(calls, 0);
  const std::string again = " of each thread; one is enough";
  if (const int waits = count_of(own, Call::kWait); waits > 1)
    return std::to_string(waits) + " core.wait()" + again +
           ": there is one arrival, and what was over stays over";
  if (const int waits = count_of(own, Call::kWaitLoad); waits > 1)
    return std::to_string(waits) + " core.wait_load()" + again +
           ", behind the last load: so the loads are under way together";
  return "";
}

}  // namespace exercise_17
