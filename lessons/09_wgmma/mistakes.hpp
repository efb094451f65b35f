// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 09 knows: each predicts where an answer puts every
// element of D. Of a thread's sixteen elements, i = 0 to 7 are left's, 8 to 15 right's.
//
// Source of the right places: common/layout (PTX ISA 9.2, 9.7.15.5.1.1).
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "layout/instruction.hpp"

namespace exercise_09 {

using lanescope::layout::Element;

inline constexpr const char* kInstruction = "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16";
constexpr int kRows = 64, kCols = 32, kHalf = 16;  // columns of a half
constexpr int kValues = 16;                        // of a thread, in both halves
constexpr int kGuard = 4096;                       // elements around the tile
constexpr int kNowhere = kGuard * 1000;            // a place for what is not written

/// Which element of D thread t has in left[i], or in right[i - 8].
inline Element holds(int thread, int i) {
  static const lanescope::layout::Instruction* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  const Element e = found->D.element(thread, i % 8);
  return {e.row, e.col + i / 8 * kHalf};
}
inline int at(Element e, int stride) { return e.row * stride + e.col; }
inline Element moved(Element e, int rows, int cols) { return {e.row + rows, e.col + cols}; }

/// Where, in elements from the tile's beginning, a thread puts its element i. The first that
/// explains an answer is it; those that write less come first.
struct Mistake {
  const char* name;
  const char* advice;
  std::function<int(int thread, int i, int stride)> place;
};

/// Of waits and halves.
inline const std::vector<Mistake>& mistakes_of_halves() {
  static const std::vector<Mistake> all{
      {"only left has been written", "right is D's columns 16 to 31: wait for it, too",
       [](int thread, int i, int stride) {
         return i < 8 ? at(holds(thread, i), stride) : kNowhere;
       }},
      {"only right has been written", "left is D's columns 0 to 15",
       [](int thread, int i, int stride) {
         return i < 8 ? kNowhere : at(holds(thread, i), stride);
       }},
      {"only warp 0 has written", "all four warps hold a part of D, and all come here",
       [](int thread, int i, int stride) {
         return thread < 32 ? at(holds(thread, i), stride) : kNowhere;
       }},
      {"only thread 0 has written", "each thread writes its own 16 elements",
       [](int thread, int i, int stride) {
         return thread == 0 ? at(holds(thread, i), stride) : kNowhere;
       }},
      {"only the first four elements of each half have been written",
       "a thread holds N/2 elements of each: 8",
       [](int thread, int i, int stride) {
         return i % 8 < 4 ? at(holds(thread, i), stride) : kNowhere;
       }},
      {"left and right are written to the same columns", "right is D's columns 16 to 31: + 16",
       [](int thread, int i, int stride) { return at(holds(thread, i % 8), stride); }},
      {"left and right are exchanged", "left is D's columns 0 to 15, right 16 to 31",
       [](int thread, int i, int stride) { return at(holds(thread, (i + 8) % kValues), stride); }},
      {"right begins 8 columns behind left", "a half has 16 columns: right begins at 16",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), 0, i / 8 * -8), stride);
       }},
      {"right is 16 rows below left", "right is D's columns 16 to 31: it is added to the column",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), i / 8 * 16, i / 8 * -16), stride);
       }},
  };
  return all;
}

/// Of rows.
inline const std::vector<Mistake>& mistakes_of_rows() {
  static const std::vector<Mistake> all{
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
         return at(moved(holds(thread, i), thread / 32 * 16, 0), stride);
       }},
      {"a warp has 8 rows instead of 16",
       "64 rows are shared by four warps, 16 for each: thread / 4 counts 8 a warp",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), thread / 32 * -8, 0), stride);
       }},
      {"the row goes with thread / 4 as well as with the warp",
       "within a warp it is its lane that counts: thread % 32 / 4",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), thread / 32 * 8, 0), stride);
       }},
      {"the + 8 of the rows is missing",
       "of every four elements the third and the fourth are 8 rows below the first two",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), i / 2 % 2 * -8, 0), stride);
       }},
      {"every other pair goes 8 rows further down: i / 2 * 8 without % 2",
       "elements 2 and 3 are 8 rows below 0 and 1; element 4 begins again in the first row",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), i % 8 / 4 * 16, 0), stride);
       }},
      {"all pairs go down: none goes 8 columns further right",
       "elements 2 and 3 are 8 rows below 0 and 1; with element 4 it goes on 8 columns further "
       "right",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), i % 8 / 4 * 16, i % 8 / 4 * -8), stride);
       }},
      {"rows are taken to be 32 elements apart",
       "the matrix is wider than the tile: a row is `stride` elements",
       [](int thread, int i, int) { return at(holds(thread, i), kCols); }},
      {"everything is one row too far down", "rows are counted from 0",
       [](int thread, int i, int stride) { return at(holds(thread, i), stride) + stride; }},
  };
  return all;
}

/// Of columns, and of pairs.
inline const std::vector<Mistake>& mistakes_of_columns() {
  static const std::vector<Mistake> all{
      {"every thread has written 8 neighbours of a row in each half",
       "a thread's elements are pairs: two columns of a row, then 8 rows down, then 8 columns on",
       [](int thread, int i, int stride) {
         return thread / 2 * stride + thread % 2 * 8 + i % 8 + i / 8 * kHalf;
       }},
      {"a thread's eight elements of a half lie side by side, from its first column on",
       "they are pairs: two columns of a row, the same two 8 rows down, then 8 columns on",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, 0), 0, i % 8 + i / 8 * kHalf), stride);
       }},
      {"a thread has four neighbours in each of two rows",
       "a lane has two neighbours: columns 2*(lane % 4) and the next, then 8 columns on",
       [](int thread, int i, int stride) {
         const Element e = moved(holds(thread, 0), 0, thread % 4 * 2);
         return at(moved(e, i % 8 / 4 * 8, i % 4 + i / 8 * kHalf), stride);
       }},
      {"elements 1 and 2 of every four are exchanged",
       "element 1 is one column right of element 0, element 2 is 8 rows below it",
       [](int thread, int i, int stride) {
         constexpr int kExchanged[] = {0, 2, 1, 3};
         return at(holds(thread, i / 4 * 4 + kExchanged[i % 4]), stride);
       }},
      {"all of a thread's elements are in the first 8 columns of their half",
       "every four elements it goes on 8 columns further right: i / 4 * 8",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), 0, i % 8 / 4 * -8), stride);
       }},
      {"the column is lane % 4, without the factor 2",
       "a lane has two neighbours: columns 2*(lane % 4) and the next",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), 0, -(thread % 4)), stride);
       }},
      {"both elements of a pair are written to the same column",
       "element 1 is one column right of element 0",
       [](int thread, int i, int stride) {
         return at(moved(holds(thread, i), 0, -(i % 2)), stride);
       }},
      {"the steps of 8 rows and of 8 columns are exchanged",
       "first come two rows of one 8 x 8 pair (elements 0, 1 and 2, 3), then the next 8 columns",
       [](int thread, int i, int stride) {
         const Element e = holds(thread, i % 2);
         return at(moved(e, i % 8 / 4 * 8, i / 2 % 2 * 8 + i / 8 * kHalf), stride);
       }},
      {"lane >> 2 and lane % 4 have changed places",
       "four neighbouring lanes share a row: the row is lane >> 2, the columns come from lane % 4",
       [](int thread, int i, int stride) {
         const int row = thread % 32 / 4, in_row = thread % 4;
         return at(moved(holds(thread, i), in_row - row, (row - in_row) * 2), stride);
       }},
      {"everything is one column too far right", "columns are counted from 0",
       [](int thread, int i, int stride) { return at(holds(thread, i), stride) + 1; }},
  };
  return all;
}

}  // namespace exercise_09
