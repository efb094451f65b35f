// SPDX-License-Identifier: MIT
// Check of exercise 07: is C right for one step and for several; and do the notes of the threads
// promise it? Wrong numbers need luck, so the notes are gone through with the rules of lesson 05
// for the stages and of registers for the two buffers; the first rule that is broken is named.
//
// Source of the rules: PTX ISA 9.2, 9.7.9.25.3 (cp.async groups and waits), 9.7.13.1 (bar.sync).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int steps,
    const char* trace);

using product_check::f16;
using product_check::wrong_elements;

namespace {

constexpr int kRows = 32, kCols = 64, kStep = 64, kStages = 3, kSlices = 4, kParts = 3;
constexpr int kThreads = 128;

int a_at(int row, int k) { return (row * 5 + k * 3) % 7; }
int b_at(int k, int col) { return (k + col * 3) % 5; }

enum What { kCopy = 1, kCommit, kWait, kBarrier, kLoad, kMultiply };

struct Note {
  int what, first, second;
};

struct Answer {
  int steps = 0;
  std::vector<float> C;
  std::vector<Note> notes;  // of thread 0
  int other = 0;            // a thread that did something else; 0: none
};

Answer ask(int steps) {
  const int K = steps * kStep;
  std::vector<std::uint16_t> A, B;
  for (int row = 0; row < kRows; ++row)
    for (int k = 0; k < K; ++k) A.push_back(f16(a_at(row, k)));
  for (int k = 0; k < K; ++k)
    for (int col = 0; col < kCols; ++col) B.push_back(f16(b_at(k, col)));
  auto [C, notes] = multiply_on_device(A, B, steps, std::getenv("LANESCOPE_CHECK_TRACE"));
  REQUIRE(C.size() == kRows * kCols);
  REQUIRE(notes.size() % kThreads == 0);
  Answer answer{steps, C, {}, 0};
  const std::size_t each = notes.size() / kThreads;
  for (std::size_t i = 0; i < each && notes[i] >= 0; ++i)
    answer.notes.push_back({notes[i] / 10000, notes[i] / 100 % 100, notes[i] % 100});
  for (int thread = kThreads - 1; thread > 0; --thread)
    if (!std::equal(notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(each),
                    notes.begin() + static_cast<std::ptrdiff_t>(each) * thread))
      answer.other = thread;
  return answer;
}

// ---- What the notes promise ---------------------------------------------------------------------

struct Broken {
  std::string rule;  // "" when none is
  std::string advice;
};

/// Goes through the notes of a thread, all of whose siblings do the same.
class Judge {
 public:
  explicit Judge(const Answer& answer) : steps_(answer.steps) {
    for (const Note& note : answer.notes) {
      if (note.what == kCopy && note.first < steps_) copy(note.first, note.second);
      if (note.what == kCommit) ++groups_;
      if (note.what == kWait) landed_ = std::max(landed_, groups_ - note.first);
      if (note.what == kBarrier) seen_ = landed_, released_ = loads_;
      if (note.what == kLoad && note.first < steps_)
        load(note.second % 2, note.first * kSlices + note.second / 2);
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
    if (part >= kParts) return say("a part is started that there is not", "the parts are 0 to 2");
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
      say("a part is started twice", "part `slice` of step + 2, in the slices 0 to 2");
    there = {step, groups_};
  }

  void load(int buffer, int slice) {
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
      if (part.group >= landed_)
        return say("fragments are loaded while their copy may still be under way",
                   "before the first load from the next stage: a wait that leaves one group, not "
                   "more");
      if (part.group >= seen_)
        return say("fragments are loaded that other threads may still be copying",
                   "a wait is about the thread's own copies: first wait(), then barrier(), then "
                   "load()");
    }
    if (slice < multiplied_)
      return say("the fragments of " + place(slice) + " are loaded again",
                 "behind slice 3 of a step comes slice 0 of the next step");
    int& there = buffers_[static_cast<std::size_t>(buffer)];
    if (there >= multiplied_)
      return say("a buffer is overwritten before it is multiplied",
                 "slice `slice` is in buffer slice % 2: the next one goes into the other");
    there = slice;
  }

  void multiply(int buffer) {
    const int expected = multiplied_, found = buffers_[static_cast<std::size_t>(buffer & 1)];
    if (expected >= steps_ * kSlices)
      return say("more is multiplied than there is", "multiply() once in each slice");
    if (found != expected)
      return say(found < 0 ? "a buffer is multiplied that nothing was loaded into"
                           : "the fragments of " + place(found) + " are multiplied",
                 "slice `slice` is multiplied from buffer slice % 2, the next one loaded into the "
                 "other; behind the last slice comes slice 0 of the next step");
    const bool more = expected + 1 < steps_ * kSlices;
    if (more && buffers_[static_cast<std::size_t>(1 - buffer)] != expected + 1)
      loads_ahead_ = false;
    // After a turn to the next stage a whole step is still to come, if there is one.
    if (expected / kSlices + 2 < steps_ && under_way() < kParts) copies_ahead_ = false;
    ++multiplied_;
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
  int loads_ = 0, released_ = 0, multiplied_ = 0;
  bool loads_ahead_ = true, copies_ahead_ = true;
  Broken broken_;
};

std::string words(const Answer& answer) {
  constexpr int kMost = 30;
  std::string text;
  int shown = 0;
  for (const Note& note : answer.notes) {
    if (++shown <= 11) continue;  // before the loop: as it was
    if (shown > kMost) return text + " ...";
    text += text.empty() ? "" : ", ";
    const std::string first = std::to_string(note.first), second = std::to_string(note.second);
    if (note.what == kCopy) text += "start_part(" + first + ", " + second + ")";
    if (note.what == kCommit) text += "commit";
    if (note.what == kWait) text += "wait<" + first + ">";
    if (note.what == kBarrier) text += "barrier";
    if (note.what == kLoad)
      text += "load(" + std::to_string(note.second % 2) + ", " + first + ", " +
              std::to_string(note.second / 2) + ")";
    if (note.what == kMultiply) text += "MULTIPLY(" + first + ")";
  }
  return text;
}

void fail(const Answer& answer, const std::string& what) {
  const Judge judge(answer);
  std::string problem = "\n" + what + "\n";
  if (answer.notes.size() <= 11)
    problem +=
        "The gap is still empty.\n  What to do: lessons/07_fast_hgemm/exercise.cu, between the two "
        "`your code` lines.\n";
  else if (answer.other > 0)
    problem += "Thread " + std::to_string(answer.other) +
               " does something else than thread 0.\n"
               "  What to do: all 128 threads do the same: is there an `if` about a thread?\n";
  else if (!judge.broken().rule.empty())
    problem += "It looks as if, at " + judge.where() + ", " + judge.broken().rule +
               ".\n  What to do: " + judge.broken().advice + ".\n";
  else if (!judge.loads_ahead())
    problem +=
        "It is right, but no pipeline: a slice is multiplied before the next one is loaded, so "
        "nothing hides the load.\n  What to do: load() comes before multiply(), into the other "
        "buffer.\n";
  else if (!judge.copies_ahead())
    problem +=
        "It is right, but it waits for too much: not all copies of a step are under way while it "
        "multiplies.\n"
        "  What to do: one group a step, its three parts, and a wait that leaves one group.\n";
  else
    problem +=
        "The threads do everything in the right order, and yet it is wrong.\n"
        "  What to do: is something computed here that the building blocks do not know of?\n";
  if (!words(answer).empty()) problem += "  In the loop, thread 0 did: " + words(answer) + "\n";
  if (const char* trace = std::getenv("LANESCOPE_CHECK_TRACE"))
    problem += std::string("  What came out: ./learn view \"") + trace + "\" --select \"D 0,0\"\n";
  FAIL(problem);
}

void check(int steps) {
  const Answer answer = ask(steps);
  const std::string wrong =
      wrong_elements("C", answer.C, kRows, kCols, steps * kStep, steps, a_at, b_at);
  if (!wrong.empty()) fail(answer, wrong);
}

}  // namespace

TEST_CASE("C with 7 steps, more than twice around the stages") { check(7); }
TEST_CASE("C with 1, 2 and 3 steps, and with 8") {
  for (const int steps : {1, 2, 3, 8}) check(steps);
}
TEST_CASE("nothing is read too early, nothing is overwritten too early") {
  for (const int steps : {7, 8, 1}) {
    const Answer answer = ask(steps);
    if (answer.other > 0 || !Judge(answer).broken().rule.empty())
      fail(answer, "C is right, but not by right:\n  expected a wait, a barrier, then the load");
  }
}
TEST_CASE("fragments and copies come ahead of the slice multiplied") {
  const Answer answer = ask(7);
  const Judge judge(answer);
  if (!judge.loads_ahead() || !judge.copies_ahead())
    fail(answer,
         "While a slice is multiplied:\n  expected the next one loaded and a group of "
         "copies under way");
}
