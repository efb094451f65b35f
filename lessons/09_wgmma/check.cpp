// SPDX-License-Identifier: MIT
// Check of exercise 09: D[m][n] is 100*m + n, so every element in the matrix says what it is. Looks
// at all of them, at what lies around the tile, and says what the answer looks like if it is not
// right.
//
// Source of the expected places: common/layout (PTX ISA 9.2, 9.7.15.5.1.1).
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout/instruction.hpp"

// exercise.cu or solution.cu
std::vector<float> store_on_device(int size, int first, int stride, const char* trace);

namespace {

using lanescope::layout::Element;

constexpr const char* kInstruction = "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16";
constexpr int kRows = 64, kCols = 32, kValues = 16;
constexpr int kGuard = 4096;  // elements around the tile

/// What thread t has in d[i].
Element holds(int thread, int i) {
  static const lanescope::layout::Instruction* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  return found->D.element(thread, i);
}
float number(Element e) { return static_cast<float>(100 * e.row + e.col); }

struct Answer {
  int stride, first;
  std::vector<float> matrix;  // NaN where nothing was written

  float at(Element e) const {
    return matrix.at(static_cast<std::size_t>(first + e.row * stride + e.col));
  }
};

Answer ask(int stride, const char* trace) {
  const int first = kGuard + 3 * stride + 5;
  const int size = first + kRows * stride + kGuard;
  return {stride, first, store_on_device(size, first, stride, trace)};
}

// ---- What mistake is it? ------------------------------------------------------------------------

/// Where, in elements from the tile's beginning, a thread puts d[i]. The first that explains an
/// answer is it; those that write less come first.
struct Mistake {
  const char* name;
  const char* advice;
  std::function<int(int thread, int i, int stride)> place;
};

int at(Element e, int stride) { return e.row * stride + e.col; }

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"only warp 0 has written", "all four warps hold a part of D, and all come here",
       [](int thread, int i, int stride) {
         return thread < 32 ? at(holds(thread, i), stride) : kGuard * 1000;
       }},
      {"only thread 0 has written", "each thread writes its own 16 elements",
       [](int thread, int i, int stride) {
         return thread == 0 ? at(holds(thread, i), stride) : kGuard * 1000;
       }},
      {"only d[0] to d[3] have been written", "a thread holds N/2 elements: 16",
       [](int thread, int i, int stride) {
         return i < 4 ? at(holds(thread, i), stride) : kGuard * 1000;
       }},
      {"the four warps write the same 16 rows", "warp w has rows 16*w to 16*w + 15: thread / 32",
       [](int thread, int i, int stride) { return at(holds(thread % 32, i), stride); }},
      {"rows and columns are exchanged: this is D transposed",
       "row major means that the next element of a row is the next in memory: row * stride + col",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.col, e.row}, stride);
       }},
      {"a warp has 32 rows instead of 16", "64 rows are shared by four warps: 16 for each",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row + thread / 32 * 16, e.col}, stride);
       }},
      {"a warp has 8 rows instead of 16",
       "64 rows are shared by four warps, 16 for each: thread / 4 counts 8 a warp",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row - thread / 32 * 8, e.col}, stride);
       }},
      {"the row goes with thread / 4 as well as with the warp",
       "within a warp it is its lane that counts: thread % 32 / 4",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row + thread / 32 * 8, e.col}, stride);
       }},
      {"every thread has written 16 neighbours of a row",
       "a thread's elements are pairs: two columns of a row, then 8 rows down, then 8 columns on",
       [](int thread, int i, int stride) { return thread / 2 * stride + thread % 2 * 16 + i; }},
      {"d[1] and d[2] of every four are exchanged",
       "d[1] is one column right of d[0], d[2] is 8 rows below it",
       [](int thread, int i, int stride) {
         constexpr int kExchanged[] = {0, 2, 1, 3};
         return at(holds(thread, i / 4 * 4 + kExchanged[i % 4]), stride);
       }},
      {"the + 8 of the rows is missing", "d[2] and d[3] are 8 rows below d[0] and d[1]",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row - i / 2 % 2 * 8, e.col}, stride);
       }},
      {"all of a thread's elements are in its first 8 columns",
       "every four registers it goes on 8 columns further right: i / 4 * 8",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row, e.col % 8}, stride);
       }},
      {"every other register goes 8 rows further down: i / 2 * 8 without % 2",
       "d[2] and d[3] are 8 rows below d[0] and d[1]; d[4] begins again in the first row",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row + i / 4 * 16, e.col}, stride);
       }},
      {"all registers go down: none goes 8 columns further right",
       "d[2] and d[3] are 8 rows below d[0] and d[1]; every four registers it goes on 8 columns "
       "further right",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row + i / 4 * 16, e.col % 8}, stride);
       }},
      {"the column is lane % 4, without the factor 2",
       "a lane has two neighbours: columns 2*(lane % 4) and the next",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row, e.col - thread % 4}, stride);
       }},
      {"both elements of a pair are written to the same column", "d[1] is one column right of d[0]",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         return at({e.row, e.col - i % 2}, stride);
       }},
      {"the steps of 8 rows and of 8 columns are exchanged",
       "first come two rows of one 8 x 8 pair (d[0..1], d[2..3]), then the next 8 columns",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i % 2);
         return at({e.row + i / 8 * 8, e.col + i / 2 % 4 * 8}, stride);
       }},
      {"lane >> 2 and lane % 4 have changed places",
       "four neighbouring lanes share a row: the row is lane >> 2, the columns come from lane % 4",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i);
         const int lane = thread % 32;
         return at({e.row - lane / 4 + lane % 4, e.col - lane % 4 * 2 + lane / 4 * 2}, stride);
       }},
      {"rows are taken to be 32 elements apart",
       "the matrix is wider than the tile: a row is `stride` elements",
       [](int thread, int i, int) { return at(holds(thread, i), kCols); }},
      {"everything is one row too far down", "rows are counted from 0",
       [](int thread, int i, int stride) { return at(holds(thread, i), stride) + stride; }},
      {"everything is one column too far right", "columns are counted from 0",
       [](int thread, int i, int stride) { return at(holds(thread, i), stride) + 1; }},
  };
  return all;
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
  const std::string todo = ".\n  What to do: ";
  bool empty = true, constant = true;
  float some = NAN;
  for (const float value : answer.matrix)
    if (!std::isnan(value)) {
      if (!empty && value != some) constant = false;
      empty = false;
      some = value;
    }
  if (empty)
    return "The gap is still empty" + todo +
           "lessons/09_wgmma/exercise.cu, between the two `your code` lines.";
  if (constant)
    return "It looks as if every element were the same" + todo +
           "d[i] goes with i: is the index in the loop used?";
  for (const Mistake& mistake : mistakes())
    if (explains(mistake, answer))
      return std::string("It looks as if ") + mistake.name + todo + mistake.advice + ".";
  return "This is not one of the mistakes this check knows" + todo +
         "take one line above: which thread holds that element, and where did it put it?";
}

// ---- Saying it ----------------------------------------------------------------------------------

std::string name_of(float value) {
  if (std::isnan(value)) return "NaN, never written";
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
  Element first_wrong{-1, -1};
  std::string shown;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col) {
      const Element e{row, col};
      if (answer.at(e) == number(e)) continue;
      if (wrong++ < kShown)
        shown += "  row " + std::to_string(row) + ", col " + std::to_string(col) + ": expected " +
                 name_of(number(e)) + ", found " + name_of(answer.at(e)) + "\n";
      if (first_wrong.row < 0) first_wrong = e;
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
  const Element asked = first_wrong.row < 0 ? Element{0, 0} : first_wrong;
  const std::string place = std::to_string(asked.row) + "," + std::to_string(asked.col);
  if (trace != nullptr)
    problem += std::string("  What the threads held: ./learn view \"") + trace +
               "\" --select \"D " + place + "\"\n";
  problem += std::string("  Who holds it: ./learn layout ") + kInstruction +
             " --operand D --element " + place + "\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("a matrix as wide as the tile") { check(kCols); }
TEST_CASE("a tile of a wider matrix") { check(83); }
