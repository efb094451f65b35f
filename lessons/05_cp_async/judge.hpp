// SPDX-License-Identifier: MIT
// Do the notes of exercise 05's threads promise a right answer? They are gone through with the
// manual's rules, and the first one that is broken is named.
//
// Source of the rules: PTX ISA 9.2, 9.7.9.25.3: groups land in order, a wait counts the groups of
// its own thread, other threads' copies are seen after a barrier.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace exercise_05 {

inline constexpr int kStages = 3, kThreads = 128;
inline constexpr int kCopying = 96;  // the other threads have nothing to copy
inline constexpr int kStart = 1, kCommit = 2, kWait = 3, kBarrier = 4, kMultiply = 5;

using Notes = std::vector<std::pair<int, int>>;  // of a thread: what and which

struct Answer {
  int steps = 0;
  std::vector<float> D;
  std::vector<Notes> threads;
};

struct Broken {
  std::string rule;    // "" when none is: what was broken
  std::string advice;  // what to do
  int step = -1;
};

/// Goes through the notes of a thread, all of whose siblings do the same.
class Judge {
 public:
  Judge(const Notes& notes, int steps) : steps_(steps), group_of_(1000, -1) {
    for (const auto& [what, which] : notes) {
      if (what == kStart && which < steps_) start(which);
      if (what == kCommit) commit();
      if (what == kWait) landed_groups_ = std::max(landed_groups_, groups_ - which);
      if (what == kWait) waited_ = waits_now_ = true;
      if (what == kBarrier) barrier();
      if (what == kMultiply) multiply(which);
      if (!broken_.rule.empty()) return;
    }
  }
  const Broken& broken() const { return broken_; }
  /// The fewest tiles that were under way at a multiplication with two still to come.
  int fewest_under_way() const { return fewest_under_way_; }
  /// A group was committed in which there is no copy, though there were tiles to start.
  bool empty_groups() const { return empty_groups_; }

 private:
  void start(int tile) {
    started_.push_back(tile);
    const int step = multiplied_;  // of the loop: what is missing stands before multiply_tile()
    if (tile < 0) {
      broken_ = {"tile " + std::to_string(tile) + " is started, which there is not",
                 "two tiles are under way already: the next one is step + 2", step};
      return;
    }
    // The stage's last reader must be behind a barrier.
    const int before = tile - kStages;
    if (before >= multiplied_)
      broken_ = {"a stage is filled again before its tile has been multiplied",
                 "tile " + std::to_string(tile) + " goes where tile " + std::to_string(before) +
                     " still waits: two tiles are under way, so the next one is step + 2",
                 step};
    else if (before >= 0 && before >= released_)
      broken_ = {"a stage is filled again while other warps may still read it",
                 "the barrier has to come before the start: tile " + std::to_string(tile) +
                     " goes where tile " + std::to_string(before) + " is read",
                 step};
    if (group_of_[static_cast<std::size_t>(tile)] >= 0)
      broken_ = {"a tile is started twice", "each step starts one tile: step + 2", step};
  }
  void commit() {
    const auto not_started = std::count(group_of_.begin(), group_of_.begin() + steps_, -1);
    empty_groups_ = empty_groups_ || (started_.empty() && not_started > 0);
    for (const int tile : started_) group_of_[static_cast<std::size_t>(tile)] = groups_;
    started_.clear();
    ++groups_;
  }
  void barrier() {
    seen_groups_ = landed_groups_;
    released_ = multiplied_;
  }
  void multiply(int tile) {
    if (tile != multiplied_) {
      broken_ = {"tile " + std::to_string(tile) + " is multiplied, not tile " +
                     std::to_string(multiplied_),
                 "the line behind the gap multiplies tile `step`, each once: leave `step` as it "
                 "is, and multiply nothing yourself",
                 multiplied_};
    } else if (!started_.empty()) {
      broken_ = {"a copy that is in no group is not waited for",
                 "a wait counts groups: commit() after every start()", tile};
    } else if (group_of_[static_cast<std::size_t>(tile)] < 0) {
      broken_ = {"a tile is multiplied that was never started",
                 "two tiles are under way already: the next one is step + 2", tile};
    } else if (group_of_[static_cast<std::size_t>(tile)] >= landed_groups_ && waited_ &&
               !waits_now_) {
      broken_ = {
          "a tile is read while its copy may still be under way: the steps before it waited, "
          "this one did not",
          "wait, barrier and commit in every step, also where no tile is left to start: only "
          "the start may be left out there",
          tile};
    } else if (group_of_[static_cast<std::size_t>(tile)] >= landed_groups_ && groups_ < tile + 3) {
      broken_ = {
          "a tile is read while its copy may still be under way: there was no commit() behind it",
          "commit() in every step, also where no tile is left to start: a wait counts empty "
          "groups, too",
          tile};
    } else if (group_of_[static_cast<std::size_t>(tile)] >= landed_groups_) {
      broken_ = {"a tile is read while its copy may still be under way",
                 "count the groups committed after the one you need: that many may be under way, "
                 "not one more",
                 tile};
    } else if (group_of_[static_cast<std::size_t>(tile)] >= seen_groups_) {
      broken_ = {"a tile is read that other threads may still be copying",
                 "a wait is about the thread's own copies: first wait(), then barrier(), then read",
                 tile};
    }
    const auto under_way = std::count_if(group_of_.begin(), group_of_.end(),
                                         [&](int group) { return group >= landed_groups_; });
    if (tile + 2 < steps_)
      fewest_under_way_ = std::min(fewest_under_way_, static_cast<int>(under_way));
    multiplied_ = tile + 1;
    waits_now_ = false;
  }

  int steps_;
  std::vector<int> group_of_;                // of a tile
  std::vector<int> started_;                 // tiles that no commit has covered yet
  int groups_ = 0;                           // committed
  int landed_groups_ = 0, seen_groups_ = 0;  // for this thread; for all
  int multiplied_ = 0, released_ = 0;        // tiles read; read before the last barrier
  int fewest_under_way_ = 1000;
  bool empty_groups_ = false;
  bool waited_ = false, waits_now_ = false;  // at all; since the last multiplication
  Broken broken_;
};

/// How many barriers stand before each multiplication.
inline std::vector<long> barriers_before(const Notes& notes) {
  std::vector<long> all;
  long barriers = 0;
  for (const auto& [what, which] : notes) {
    barriers += what == kBarrier;
    if (what == kMultiply) all.push_back(barriers);
  }
  return all;
}

/// The first thread that does something else than thread 0 and breaks a rule by it; no rule: none
/// does. Where all multiply between the same barriers, a thread's own notes tell.
struct Other {
  int thread = 0;
  Broken broken = {};
};
inline Other other_broken(const Answer& answer) {
  const Notes& first = answer.threads[0];
  for (int thread = 1; thread < static_cast<int>(answer.threads.size()); ++thread) {
    const Notes& notes = answer.threads[static_cast<std::size_t>(thread)];
    if (notes == first) continue;
    const std::vector<long> is = barriers_before(notes), should = barriers_before(first);
    if (is != should) {
      const auto at = std::mismatch(is.begin(), is.end(), should.begin(), should.end()).first;
      return {thread,
              {"it has come to another barrier than thread 0 when it reads", "",
               static_cast<int>(at - is.begin())}};
    }
    if (thread >= kCopying) continue;
    if (const Judge judge(notes, answer.steps); !judge.broken().rule.empty())
      return {thread, judge.broken()};
  }
  return {};
}

/// The fewest tiles that any of those who copy has under way.
inline int fewest_under_way(const Answer& answer) {
  int fewest = 1000;
  for (std::size_t thread = 0; thread < kCopying; ++thread)
    if (thread == 0 || answer.threads[thread] != answer.threads[0])
      fewest = std::min(fewest, Judge(answer.threads[thread], answer.steps).fewest_under_way());
  return fewest;
}

/// What a right answer could do without; "": nothing.
inline std::string needless(const Answer& answer) {
  const Notes& notes = answer.threads[0];
  const auto a_step = [&](int kind) {
    return std::count_if(notes.begin(), notes.end(),
                         [kind](const auto& note) { return note.first == kind; }) /
           answer.steps;
  };
  const auto waits = a_step(kWait), barriers = a_step(kBarrier);
  if (waits <= 1 && barriers <= 1) return "";
  return std::to_string(barriers > 1 ? barriers : waits) + (barriers > 1 ? " barriers" : " waits") +
         " in every step, and one is enough: behind wait() and barrier() the tile is there for "
         "all, "
         "and\nthe stage of the tile before it is free";
}

}  // namespace exercise_05
