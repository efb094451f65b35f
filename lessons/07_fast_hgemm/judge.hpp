// SPDX-License-Identifier: MIT
// Do the notes of exercise 07's threads promise a right answer? They are gone through with the
// rules of lesson 05 for the stages and of registers for the two buffers; the first rule that is
// broken is named.
//
// Source of the rules: PTX ISA 9.2, 9.7.9.25.3 (cp.async groups and waits), 9.7.13.1 (bar.sync).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace exercise_07 {

inline constexpr int kStages = 3, kSlices = 4, kParts = 3;

enum What { kCopy = 1, kCommit, kWait, kBarrier, kLoad, kMultiply };

struct Note {
  int what, first, second, third;  // what it was given, in this order
};

struct Broken {
  std::string rule;  // "" when none is
  std::string advice;
};

/// Goes through the notes of a thread, all of whose siblings do the same.
class Judge {
 public:
  Judge(const std::vector<Note>& notes, int steps) : steps_(steps) {
    for (const Note& note : notes) {
      if (note.what == kCopy && note.first < steps_) copy(note.first, note.second);
      if (note.what == kCommit) ++groups_;
      if (note.what == kWait) wait(note.first);
      if (note.what == kBarrier) seen_ = landed_, released_ = loads_;
      if (note.what == kLoad && note.second < steps_) load(note.first, note.second, note.third);
      if (note.what == kMultiply) multiply(note.first);
      if (!broken_.rule.empty()) return;
    }
    if (multiplied_ < steps_ * kSlices)
      say("not every slice is multiplied", "multiply() once in each slice: also in the last one");
  }
  const Broken& broken() const { return broken_; }
  bool loads_ahead() const { return loads_ahead_; }
  bool copies_ahead() const { return copies_ahead_; }
  /// "step 1, slice 3": where it was, counted by the multiplications.
  std::string where() const { return place(std::min(multiplied_, steps_ * kSlices - 1)); }

 private:
  struct Part {
    int step = -1, group = 0;
  };

  static std::string place(int slice) {
    return "step " + std::to_string(slice / kSlices) + ", slice " + std::to_string(slice % kSlices);
  }
  void say(const std::string& rule, const std::string& advice) {
    if (broken_.rule.empty()) broken_ = {rule, advice};
  }

  void copy(int step, int part) {
    if (part < 0 || part >= kParts)
      return say("a part is started that there is not: part " + std::to_string(part),
                 "the parts are 0 to 2: none is left for the last slice of a step");
    if (step < 0)
      return say("a step is started that there is not: step " + std::to_string(step),
                 "two steps are under way, so the next one is step + 2");
    if (step < multiplied_ / kSlices + kStages - 1 && was_started(step, part))
      return say("a part is started twice: part " + std::to_string(part) + " of step " +
                     std::to_string(step),
                 "start_part(step + 2, slice) in the slices 0 to 2; steps are counted through, and "
                 "which stage that is start_part() works out");
    // Whoever read this stage last has to be behind a barrier.
    const std::size_t stage = static_cast<std::size_t>(step % kStages);
    const int reader = last_load_[stage];
    if (reader > released_ && last_slice_[stage] < (step - kStages + 1) * kSlices - 1)
      say("a stage is filled again before all of its slices are loaded",
          "step " + std::to_string(step) + " goes where step " + std::to_string(step - kStages) +
              " is: two steps are under way, so the next one is step + 2");
    else if (reader > released_)
      say("a stage is filled while other warps may still read it",
          "the barrier comes between the last load from a stage and the first copy into it: step " +
              std::to_string(step) + " goes where step " + std::to_string(step - kStages) + " is");
    Part& there = parts_[stage][static_cast<std::size_t>(part)];
    if (there.step == step)
      say("a part is started twice: part " + std::to_string(part) + " of step " +
              std::to_string(step),
          "part `slice` of step + 2, in the slices 0 to 2");
    there = {step, groups_};
  }

  void wait(int groups) {
    landed_ = std::max(landed_, groups_ - groups);
    waited_at_ = multiplied_, ++waits_;
    waited_in_no_group_ = in_no_group();
  }

  void load(int buffer, int step, int of_step) {
    if (no_buffer(buffer)) return;
    if (step < 0)
      return say("a step is loaded that there is not: step " + std::to_string(step),
                 "behind slice 3 of a step comes slice 0 of the next step");
    if (of_step < 0 || of_step >= kSlices)
      return say("slice " + std::to_string(of_step) + " of a step is loaded, which there is not",
                 "behind slice 3 of a step comes slice 0 of the next step");
    const int slice = step * kSlices + of_step;
    if (slice > newest_ + 1)
      return say("the fragments of " + place(slice) + " are loaded where those of " +
                     place(newest_ + 1) + " are the next",
                 "load(buffer, step, slice), of the slice behind this one");
    if (step < multiplied_ / kSlices)
      return say("step " + std::to_string(step) + " is loaded again",
                 "steps are counted through, not % kStages: which stage that is load() works out");
    newest_ = std::max(newest_, slice);
    ++loads_;
    const std::size_t stage = static_cast<std::size_t>(slice / kSlices % kStages);
    last_load_[stage] = loads_, last_slice_[stage] = slice;
    for (const Part& part : parts_[stage]) {
      if (part.step != slice / kSlices)
        return say("fragments are loaded from a stage that was never started, or not all of it",
                   "three parts of step + 2 are started in every step, one in each slice but the "
                   "last");
      if (part.group >= groups_)
        return say("fragments are loaded of a copy that is in no group",
                   "commit() once a step, when its three parts are started");
      if (part.group >= landed_) return still_under_way(slice);
      if (part.group >= seen_)
        return say("fragments are loaded that other threads may still be copying",
                   "a wait is about the thread's own copies: first wait(), then pipe.barrier(), "
                   "then load(); of a bare __syncthreads() the check knows nothing");
    }
    if (slice < multiplied_)
      return say("the fragments of " + place(slice) + " are loaded again",
                 "behind slice 3 of a step comes slice 0 of the next step");
    int& there = buffers_[static_cast<std::size_t>(buffer)];
    if (there == slice)
      return say("the fragments of " + place(slice) + " are loaded again",
                 "those of slice `slice` are there already: load the next one's");
    if (there >= multiplied_)
      return say("a buffer is overwritten before it is multiplied",
                 "slice `slice` is in buffer slice % 2: the next one goes into the other");
    there = slice;
  }

  bool no_buffer(int buffer) {
    if (buffer == 0 || buffer == 1) return false;
    say("buffer " + std::to_string(buffer) + " is used, which there is not",
        "there are two buffers: slice `slice` is in buffer slice % 2, the next one goes into the "
        "other");
    return true;
  }

  /// Why the last wait was not enough.
  void still_under_way(int slice) {
    const std::string rule = "fragments are loaded while their copy may still be under way";
    if (waited_at_ != multiplied_)
      return say(rule + (waits_ == 1 ? ": nothing in the loop has waited"
                                     : ": the last wait was at " + place(waited_at_)),
                 "commit, wait and barrier: in the last slice of every step, before the load from "
                 "the next "
                 "stage");
    if (const int part = part_behind_the_commit(slice); part >= 0)
      return say(
          rule + ": part " + std::to_string(part) + " was started behind the commit of the others",
          "start_part() of all three, then commit(), once a step");
    if (waited_in_no_group_)
      return say(rule + ": what was started behind it is in no group",
                 "commit() before the wait: a wait counts groups");
    if (groups_ < slice / kSlices + kStages - 1)
      return say(rule + ": a step has gone by without a commit",
                 "commit() in every step, where nothing was left to start, too: a wait counts "
                 "groups");
    say(rule, "before the first load from the next stage: a wait that leaves one group, not more");
  }

  void multiply(int buffer) {
    if (no_buffer(buffer)) return;
    const int expected = multiplied_, found = buffers_[static_cast<std::size_t>(buffer)];
    if (expected >= steps_ * kSlices)
      return say("more is multiplied than there is", "multiply() once in each slice");
    if (found != expected)
      return say(found < 0 ? "a buffer is multiplied that nothing was loaded into"
                           : "the fragments of " + place(found) + " are multiplied" +
                                 (found < expected ? " again" : ""),
                 "slice `slice` is multiplied from buffer slice % 2, the next one loaded into the "
                 "other; behind the last slice comes slice 0 of the next step");
    const bool more = expected + 1 < steps_ * kSlices;
    if (more && buffers_[static_cast<std::size_t>(1 - buffer)] != expected + 1)
      loads_ahead_ = false;
    // After a turn to the next stage a whole step is still to come, if there is one.
    if (expected / kSlices + 2 < steps_ && under_way() < kParts) copies_ahead_ = false;
    ++multiplied_;
  }

  /// Whether a part was started and not committed.
  bool in_no_group() const {
    for (const auto& stage : parts_)
      for (const Part& part : stage)
        if (part.step >= 0 && part.group >= groups_) return true;
    return false;
  }

  /// Which part of the stage that has a slice is a group behind its siblings; -1: none.
  int part_behind_the_commit(int slice) const {
    const auto& parts = parts_[static_cast<std::size_t>(slice / kSlices % kStages)];
    int late = -1, first = groups_;
    for (const Part& part : parts) first = std::min(first, part.group);
    for (int i = 0; i < kParts; ++i) {
      const int behind = parts[static_cast<std::size_t>(i)].group - first;
      if (behind > 1) return -1;  // a group a part, not one too late
      if (behind == 1) late = i;
    }
    return late;
  }

  /// Whether a part of a step before the next one to be started has been started already: it is
  /// there, or a later step has its stage.
  bool was_started(int step, int part) const {
    const std::size_t stage = static_cast<std::size_t>(step % kStages);
    return parts_[stage][static_cast<std::size_t>(part)].step >= step;
  }

  int under_way() const {
    int count = 0;
    for (const auto& stage : parts_)
      for (const Part& part : stage) count += part.step >= 0 && part.group >= landed_;
    return count;
  }

  int steps_;
  std::array<std::array<Part, kParts>, kStages> parts_{};
  std::array<int, kStages> last_load_{};   // number of the last load from a stage
  std::array<int, kStages> last_slice_{};  // and what it loaded, counted through all steps
  std::array<int, 2> buffers_{-1, -1};     // which slice, counted through all steps
  int groups_ = 0, landed_ = 0, seen_ = 0;
  int waits_ = 0, waited_at_ = 0;  // how many, and how many slices were multiplied at the last one
  bool waited_in_no_group_ = false;
  int loads_ = 0, released_ = 0, multiplied_ = 0;
  int newest_ = -1;  // slice of those that were loaded
  bool loads_ahead_ = true, copies_ahead_ = true;
  Broken broken_;
};

}  // namespace exercise_07
