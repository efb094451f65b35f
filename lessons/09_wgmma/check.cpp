// SPDX-License-Identifier: MIT
// Check of exercise 09: D[m][n] is 100*m + n, so every element in the matrix says what it is. Looks
// at all of them, at what lies around the tile, says what the answer looks like if it is not right,
// and goes through the waits: on a card the numbers are right without them, since ptxas puts one in
// (docs/experiments/wgmma_registers.md).
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mistakes.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<float>, std::vector<int>> store_on_device(int size, int first, int stride,
                                                                const char* trace);

namespace {

using namespace exercise_09;

constexpr float kBefore = -1;  // what the registers hold until their product is there

float number(Element e) { return static_cast<float>(100 * e.row + e.col); }

/// Of a wait of thread 0: how many groups it leaves, what was stored before it, and what was read
/// since the one before. The last one is none: it is the end of the answer.
struct Wait {
  int under_way;
  bool stored[2], read[2];  // left, right
};
constexpr int kEnd = 9;

struct Answer {
  int stride, first;
  std::vector<float> matrix;  // NaN where nothing was written
  std::vector<Wait> waits;

  float at(Element e) const {
    return matrix.at(static_cast<std::size_t>(first + e.row * stride + e.col));
  }
};

Answer ask(int stride, const char* trace) {
  const int first = kGuard + 3 * stride + 5;
  const auto [matrix, notes] =
      store_on_device(first + kRows * stride + kGuard, first, stride, trace);
  Answer answer{stride, first, matrix, {}};
  for (const int note : notes)
    if (note >= 0)
      answer.waits.push_back({note / 100 % 10,
                              {note / 10 % 10 == 1, note % 10 == 1},
                              {note / 1000 % 2 == 1, note / 2000 == 1}});
  return answer;
}

// ---- What mistake is it? ------------------------------------------------------------------------

struct Verdict {
  std::string words, advice;
};

std::string waits_of(const Answer& answer) {
  std::string text;
  bool stored[2] = {};
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  for (const Wait& wait : answer.waits) {
    for (const int half : {0, 1}) {
      const bool now = wait.stored[half] && !stored[half];
      stored[half] = wait.stored[half];
      if (now || wait.read[half])
        add(std::string(half == 0 ? "left" : "right") + (wait.read[half] ? " read" : "") +
            (now && wait.read[half] ? " and" : "") + (now ? " stored" : ""));
    }
    if (wait.under_way != kEnd) add("wait<" + std::to_string(wait.under_way) + ">");
  }
  return text;
}

/// What the order of thread 0's waits, reads and stores breaks; no words when it is right.
Verdict waits_broken(const Answer& answer) {
  bool there[2] = {}, early[2] = {}, together = false;
  for (const Wait& wait : answer.waits) {
    for (const int half : {0, 1}) {
      early[half] = early[half] || (wait.read[half] && !there[half]);
      there[half] = there[half] || wait.under_way <= 1 - half;
    }
    together = together || (wait.under_way == 0 && !wait.stored[0]);
  }
  if (answer.waits.size() == 1)
    return {
        "nobody waits",
        "groups.wait<1>() before left is read, groups.wait<0>() before right is: no other wait is "
        "seen here"};
  if (early[0])
    return {"left is read while its group may still be under way",
            "one group was committed after left's: wait<1>() before left is read, be it into a "
            "variable"};
  if (early[1])
    return {"right is read while its group may still be under way",
            "no group was committed after right's: wait<0>() before right is read, be it into a "
            "variable"};
  if (together)
    return {"left is stored only when right is done, too",
            "wait<1>() leaves one group under way: store left behind it, and then wait<0>()"};
  return {};
}

/// Which half has elements from before the product.
Verdict read_too_early(const Answer& answer) {
  bool early[2] = {};
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col)
      if (answer.at({row, col}) == kBefore) early[col / kHalf] = true;
  const Verdict order = waits_broken(answer);
  if (!early[0] && !early[1]) return {};
  if (!order.words.empty()) return order;
  return {"some threads read their registers before the product is there",
          "all 128 threads wait: look for an `if` around the waits"};
}

/// Where two elements are written to one place, either may have come last.
bool explains(const Mistake& mistake, const Answer& answer) {
  std::map<int, std::set<float>> image;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < kValues; ++i) {
      const int place = answer.first + mistake.place(thread, i, answer.stride);
      if (place >= 0 && place < static_cast<int>(answer.matrix.size()))
        image[place].insert(number(holds(thread, i)));
    }
  for (std::size_t place = 0; place < answer.matrix.size(); ++place) {
    const float found = answer.matrix[place];
    const auto predicted = image.find(static_cast<int>(place));
    if (std::isnan(found) != (predicted == image.end())) return false;
    if (!std::isnan(found) && predicted->second.count(found) == 0) return false;
  }
  return true;
}

std::string diagnosis(const Answer& answer) {
  const std::string todo = ".\n  What to do: ", looks = "It looks as if ";
  std::set<float> written;
  for (const float value : answer.matrix)
    if (!std::isnan(value)) written.insert(value);
  if (written.empty())
    return "The gap is still empty" + todo +
           "lessons/09_wgmma/exercise.cu, between the two `your code` lines.";
  const Verdict early = read_too_early(answer);
  if (!early.words.empty()) return looks + early.words + todo + early.advice + ".";
  if (written.size() == 1)
    return looks + "every element were the same" + todo +
           "left[i] goes with i: is the index in the loop used?";
  for (const auto* kind : {&mistakes_of_halves(), &mistakes_of_rows(), &mistakes_of_columns()})
    for (const Mistake& mistake : *kind)
      if (explains(mistake, answer)) return looks + mistake.name + todo + mistake.advice + ".";
  return "This is not one of the mistakes this check knows" + todo +
         "take one line above: which thread holds that element, and where did it put it?";
}

// ---- Saying it ----------------------------------------------------------------------------------

std::string name_of(float value) {
  if (std::isnan(value)) return "NaN, never written";
  if (value == kBefore) return "-1, what its register held before the product";
  const int whole = static_cast<int>(value);
  char text[60];
  std::snprintf(text, sizeof text, "D[%d][%d] = %d", whole / 100, whole % 100, whole);
  return text;
}

void check(int stride) {
  constexpr int kShown = 3;
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  const Answer answer = ask(stride, trace);
  int wrong = 0, outside = 0;
  Element asked{-1, -1};
  std::string shown;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col) {
      const Element e{row, col};
      if (answer.at(e) == number(e)) continue;
      if (wrong++ < kShown)
        shown += "  row " + std::to_string(row) + ", col " + std::to_string(col) + ": expected " +
                 name_of(number(e)) + ", found " + name_of(answer.at(e)) + "\n";
      if (asked.row < 0) asked = e;
    }
  for (std::size_t place = 0; place < answer.matrix.size(); ++place) {
    const int offset = static_cast<int>(place) - answer.first;
    const bool inside = offset >= 0 && offset / stride < kRows && offset % stride < kCols;
    outside += !inside && !std::isnan(answer.matrix[place]);
  }
  if (wrong == 0 && outside == 0) return;
  if (wrong > kShown) shown += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  if (outside > 0)
    shown += "  " + std::to_string(outside) + " elements around the tile are written: expected " +
             "none\n";
  std::string problem = "\n" + std::to_string(wrong) +
                        " of 2048 elements are not in the matrix as they should (stride " +
                        std::to_string(stride) + "):\n" + shown + "\n" + diagnosis(answer) + "\n";
  if (asked.row < 0) asked = {0, 0};
  const std::string place = std::to_string(asked.row) + "," + std::to_string(asked.col % kHalf);
  const char* half = asked.col < kHalf ? "left" : "right";
  if (trace != nullptr)
    problem += std::string("  What the threads held: ./learn view \"") + trace +
               "\" --select \"D " + place + "\"" + (asked.col < kHalf ? "" : " --product 2") + "\n";
  problem += std::string("  Who holds it, of ") + half + ": ./learn layout " + kInstruction +
             " --operand D --element " + place + "\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("a matrix as wide as the tile") { check(kCols); }
TEST_CASE("a tile of a wider matrix") { check(83); }
TEST_CASE("each half is waited for, and no longer than it has to be") {
  const Answer answer = ask(kCols, nullptr);
  const Verdict order = waits_broken(answer);
  if (order.words.empty()) return;
  FAIL(
      "\nD is right, but the waits are not:\n  expected wait<1>, left read and stored, "
      "wait<0>, right read and stored, found "
      << waits_of(answer) << "\n\nIt looks as if " << order.words
      << ".\n  What to do: " << order.advice << ".\n");
}
