// SPDX-License-Identifier: MIT
// What thread 0 asked of core in exercise 16, and what is wrong with it: steps, scale_d, reads of
// d, commits, waits and fences. On a card D is right without a fence or a wait, since ptxas puts
// them in (docs/experiments/wgmma_registers.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "16_sums/mistakes.hpp"

namespace exercise_16 {

/// A call that thread 0 made of core; since the one before it `touched` an element of d, and
/// `added` to sums[0]. The last one is the end of the answer.
struct Call {
  enum { kFence = 1, kCommit, kWait, kNoStep, kEnd, kMultiply = 1000, kTouched = 10000 };
  int what;
  bool touched, added;
};

struct Ran {
  std::vector<float> D;
  std::vector<Call> calls;
  int other = 0;  // a warp that asks for something else than warp 0; 0: none
};

struct Verdict {
  std::string words, advice;
};

/// A warp that does not do what warp 0 does.
inline Verdict one_warp_alone(const Ran& ran) {
  if (ran.other == 0) return {};
  return {"warp " + std::to_string(ran.other) + " asks core for something else than warp 0",
          "all 128 threads fence, multiply, commit and wait together: look for an `if`"};
}

/// What the order of the calls breaks, of reads of d and steps, and of fences; no words when it is
/// right.
inline Verdict order_broken(const Ran& ran, bool look_at_fences) {
  bool fenced = !look_at_fences, waited_early = false;  // with steps that nobody had committed
  int started = 0, committed = 0, groups = 0;           // started and committed: not yet done
  for (const Call& call : ran.calls) {
    if (call.touched) {
      fenced = !look_at_fences;
      if (started > 0)
        return {"d is read before its group is committed, and so before any wait for it",
                "core.commit(), core.wait(), and then sums[i] += d[i]"};
      if (committed > 0 && waited_early)
        return {
            "d is read before the wait: the one that there is stands before the commit",
            "a wait is for what has been committed: core.commit(), core.wait(), sums[i] += d[i]"};
      if (committed > 0)
        return {"d is read before the wait",
                "core.commit(), core.wait(), and then sums[i] += d[i]: a copy of d is a read, too"};
    }
    if (call.what == Call::kNoStep)
      return {"core.multiply is asked for a step that is none",
              "steps 0 to steps - 1: the last group may be shorter than four"};
    if (call.what == Call::kFence) fenced = true;
    if (call.what == Call::kCommit) committed += started, started = 0;
    if (call.what == Call::kWait) waited_early = started > 0;
    if (call.what == Call::kWait) groups += committed > 0, committed = 0;
    if (call.what >= Call::kMultiply && !fenced)
      return {groups == 0 ? "no fence stands before the first multiply"
                          : "no fence stands between reading d and the next multiply",
              "core.fence() before the first step of every group: the threads have touched d"};
    started += call.what >= Call::kMultiply;
  }
  return {};
}

/// D is right; is there more waiting than there has to be?
inline Verdict too_many_waits(const Ran& ran, int steps) {
  int waits = 0;
  for (const Call& call : ran.calls) waits += call.what == Call::kWait;
  if (waits <= (steps + kGroup - 1) / kGroup) return {};
  return {"D is right, but there are " + std::to_string(waits) + " waits for " +
              std::to_string(steps) + " steps",
          "a wait leaves the tensor core idle: four steps run one behind the other, then one wait"};
}

inline long times_of(const Ran& ran, int step) {
  return std::count_if(ran.calls.begin(), ran.calls.end(), [step](const Call& call) {
    return call.what >= Call::kMultiply && (call.what - Call::kMultiply) / 2 == step;
  });
}

/// Whether thread 0 asked for what the answer would: D alone does not tell all of them apart.
inline bool agrees(const Ran& ran, const Answer& answer, int steps) {
  int step = 0, added = 0, adds = 0;
  for (const Call& call : ran.calls) {
    added += call.added;
    if (call.what < Call::kMultiply) continue;
    if (step >= steps || (answer.scale_d(step, steps) != 0) != (call.what % 2 == 1)) return false;
    adds += answer.adds(step++, steps);
  }
  return std::isnan(ran.D.at(0)) || (added > 1) == (adds > 1);
}

/// The first step whose scale_d is wrong, that comes in the wrong order, or after which sums[0]
/// was added to and should not have been, or the other way round.
inline Verdict step_broken(const Ran& ran, int steps) {
  const Answer right;
  const auto number = [](int step) { return std::to_string(step); };
  const auto a_step = [&](int step) {
    return step < 0 ? std::string("the first step") : "step " + number(step);
  };
  int step = -1, turn = 0;  // step: the last one that was multiplied
  bool added = false;       // since then
  const auto added_wrong = [&]() -> Verdict {
    const bool should = step >= 0 && right.adds(step, steps);
    if (added == should || std::isnan(ran.D.at(0))) return {};
    return {added ? "d is added " + std::string(step < 0 ? "before " : "after ") + a_step(step)
                  : "d is not added after step " + number(step),
            "a group ends with step % 4 == 3, or with the last step: there d is added"};
  };
  for (const Call& call : ran.calls) {
    added = added || call.added;
    if (call.what != Call::kEnd && call.what < Call::kMultiply) continue;
    if (const Verdict wrong = added_wrong(); !wrong.words.empty()) return wrong;
    if (call.what == Call::kEnd) break;
    step = (call.what - Call::kMultiply) / 2;
    added = false;
    if (step != turn)
      return {"step " + number(step) + " is multiplied where step " + number(turn) + " should be",
              "steps 0 to steps - 1, in this order"};
    if (const int scale_d = call.what % 2; scale_d != right.scale_d(step, steps))
      return {"scale_d of step " + number(step) + " is " + number(scale_d),
              "0 in the first step of a group, 1 in the others: step % 4 != 0"};
    ++turn;
  }
  return {};
}

/// "nothing is added to sums[3]"; "": each is right, or has something else.
inline std::string wrong_registers(const std::vector<float>& D, const Problem& problem) {
  std::string words;
  for (int i = 0; i < 4; ++i) {
    constexpr int kUnknown = -2;
    int added = kUnknown;
    for (int from = -1; from < 4; ++from) {
      Answer answer;
      answer.from = [from](int) { return from; };
      const std::vector<float> predicted = D_of(answer, problem);
      bool same = true;
      for (std::size_t row = 0; row < kRows; ++row)
        for (std::size_t col = 0; col < kCols; ++col)
          if (static_cast<int>(row / 8 % 2 * 2 + col % 2) == i)
            same = same && D[row * kCols + col] == predicted[row * kCols + col];
      if (same) added = from;
    }
    if (added == kUnknown) return "";
    if (added == i) continue;
    words += (words.empty() ? "" : ", ") +
             (added < 0 ? std::string("nothing") : "d[" + std::to_string(added) + "]") +
             " is added to sums[" + std::to_string(i) + "]";
  }
  return words;
}

}  // namespace exercise_16
