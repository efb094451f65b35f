// SPDX-License-Identifier: MIT
// Check of exercise 09: D[m][n] is 100*m + n, so every element in the matrix says what it is. Looks
// at all of them, at what lies around the tile, says what the answer looks like if it is not right
// (mistakes.hpp), and goes through the waits (waits.hpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "09_wgmma/waits.hpp"
#include "strides.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<float>, std::vector<int>> store_on_device(int size, int first, int stride,
                                                                const char* trace);

namespace {

using namespace exercise_09;

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

/// What may be in each place of the matrix: where two elements are written to one, either may have
/// come last.
using Image = std::map<int, std::set<float>>;
void put(Image& image, const Answer& answer, int thread, int i, int offset) {
  const int place = answer.first + offset;
  if (place >= 0 && place < static_cast<int>(answer.matrix.size()))
    image[place].insert(number(holds(thread, i)));
}
bool is_of(const Answer& answer, const Image& image) {
  for (std::size_t place = 0; place < answer.matrix.size(); ++place) {
    const float found = answer.matrix[place];
    const auto predicted = image.find(static_cast<int>(place));
    if (std::isnan(found) != (predicted == image.end())) return false;
    if (!std::isnan(found) && predicted->second.count(found) == 0) return false;
  }
  return true;
}

bool explains(const Mistake& mistake, const Answer& answer) {
  Image image;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < kValues; ++i)
      put(image, answer, thread, i, mistake.place(thread, i, answer.stride));
  return is_of(answer, image);
}

/// Which factor of row or column is not as it should be; "": it is something else.
std::string wrong_factor(const Answer& answer) {
  const auto thread = [](const std::vector<int>& v) { return v[0] + v[1] * 4 + v[2] * 32; };
  const auto value = [](const std::vector<int>& v) {
    return v[3] + v[4] * 2 + v[5] * 4 + v[6] * 8;
  };
  Image image;
  const strides::Maps maps{
      {{"lane % 4", 4},
       {"lane / 4", 8},
       {"the warp", 4},
       {"i % 2", 2},
       {"i / 2 % 2", 2},
       {"i / 4", 2},
       {"the half of D", 2}},
      [&](const std::vector<int>& v) {
        const Element e = holds(thread(v), value(v));
        return strides::Place{e.row, e.col};
      },
      [&](const std::vector<int>& v) -> std::optional<strides::Place> {
        for (std::size_t at = 0; at < answer.matrix.size(); ++at)
          if (answer.matrix[at] == number(holds(thread(v), value(v)))) {
            const int offset = static_cast<int>(at) - answer.first;
            return strides::Place{offset / answer.stride, offset % answer.stride};
          }
        return {};
      },
      [&](const std::vector<int>& v, strides::Place at) {
        put(image, answer, thread(v), value(v), at.row * answer.stride + at.col);
        return true;
      }};
  const std::string steps = wrong_steps(maps);
  return is_of(answer, image) ? steps : "";
}

/// A half is where it belongs, and where the other belongs as well; no words: neither is.
Verdict half_twice(const Answer& answer) {
  for (const int half : {0, 1}) {
    bool all = true;
    for (int row = 0; row < kRows; ++row)
      for (int col = 0; col < kCols; ++col)
        all = all && answer.at({row, col}) == number({row, col % kHalf + half * kHalf});
    if (all && half == 0)
      return {"left is stored once more where right belongs",
              "behind wait<0>() it is right[i] that is stored"};
    if (all)
      return {"right is stored once more where left belongs",
              "behind wait<1>() it is left[i] that is stored"};
  }
  return {};
}

bool reads_any(const Answer& answer) {
  return std::any_of(answer.waits.begin(), answer.waits.end(),
                     [](const Wait& wait) { return wait.read[0] || wait.read[1]; });
}

std::string diagnosis(const Answer& answer) {
  const std::string todo = ".\n  What to do: ", looks = "It looks as if ";
  std::set<float> written;
  for (const float value : answer.matrix)
    if (!std::isnan(value)) written.insert(value);
  if (written.empty())
    return reads_any(answer)
               ? "Nothing but NaN is stored, and NaN is what `tile` holds when your code begins" +
                     todo + "tile[...] = left[i], then = right[i]: `=`, not `+=`."
               : "The gap is still empty" + todo +
                     "lessons/09_wgmma/exercise.cu, between the two `your code` lines.";
  const Verdict early = read_too_early(answer);
  if (!early.words.empty()) return looks + early.words + todo + early.advice + ".";
  if (written.size() == 1)
    return looks + "every element were the same" + todo +
           "left[i] goes with i: is the index in the loop used?";
  const Verdict twice = half_twice(answer);
  if (!twice.words.empty()) return looks + twice.words + todo + twice.advice + ".";
  for (const auto* kind : {&mistakes_of_halves(), &mistakes_of_rows(), &mistakes_of_columns()})
    for (const Mistake& mistake : *kind)
      if (explains(mistake, answer)) return looks + mistake.name + todo + mistake.advice + ".";
  if (const std::string factor = wrong_factor(answer); !factor.empty())
    return looks + factor + todo + "look for that factor where you calculate row or column.";
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
