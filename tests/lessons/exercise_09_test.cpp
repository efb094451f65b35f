// SPDX-License-Identifier: MIT
// Exercise 09 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define STORE(row, col, place)                    \
  "const int row = " row "; const int col = " col \
  "; for (int i = 0; i < 16; ++i)"                \
  " tile[" place "] = d[i];"
#define ROW "thread / 32 * 16 + thread % 32 / 4"
#define COL "thread % 4 * 2"
#define PLACE "(row + i / 2 % 2 * 8) * stride + col + i / 4 * 8 + i % 2"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "09_wgmma",
      {"std::vector<float>", "store_on_device",
       "int size, int first, int stride, const char* trace", "size, first, stride, trace"},
      {
          {"same_rows", STORE("thread % 32 / 4", COL, PLACE),
           "the four warps write the same 16 rows"},
          {"transposed",
           STORE(ROW, COL, "row + i / 2 % 2 * 8 + (col + i / 4 * 8 + i % 2) * stride"),
           "rows and columns are exchanged"},
          {"warp_32", STORE("thread / 32 * 32 + thread % 32 / 4", COL, PLACE),
           "a warp has 32 rows instead of 16"},
          {"thread_as_lane", STORE("thread / 4", COL, PLACE), "a warp has 8 rows instead of 16"},
          {"thread_on_top", STORE("thread / 32 * 16 + thread / 4", COL, PLACE),
           "the row goes with thread / 4 as well as with the warp"},
          {"neighbours",
           "for (int i = 0; i < 16; ++i) tile[thread / 2 * stride + thread % 2 * 16 + i] = d[i];",
           "every thread has written 16 neighbours of a row"},
          {"d1_d2_exchanged",
           STORE(ROW, COL, "(row + i % 2 * 8) * stride + col + i / 4 * 8 + i / 2 % 2"),
           "d[1] and d[2] of every four are exchanged"},
          {"no_row_8", STORE(ROW, COL, "row * stride + col + i / 4 * 8 + i % 2"),
           "the + 8 of the rows is missing"},
          {"no_col_8", STORE(ROW, COL, "(row + i / 2 % 2 * 8) * stride + col + i % 2"),
           "all of a thread's elements are in its first 8 columns"},
          {"row_without_modulo",
           STORE(ROW, COL, "(row + i / 2 * 8) * stride + col + i / 4 * 8 + i % 2"),
           "every other register goes 8 rows further down"},
          {"only_down", STORE(ROW, COL, "(row + i / 2 * 8) * stride + col + i % 2"),
           "none goes 8 columns further right"},
          {"no_factor_2", STORE(ROW, "thread % 4", PLACE), "without the factor 2"},
          {"no_pair", STORE(ROW, COL, "(row + i / 2 % 2 * 8) * stride + col + i / 4 * 8"),
           "both elements of a pair are written to the same column"},
          {"steps_exchanged",
           STORE(ROW, COL, "(row + i / 8 * 8) * stride + col + i / 2 % 4 * 8 + i % 2"),
           "the steps of 8 rows and of 8 columns are exchanged"},
          {"group_and_thread_exchanged",
           STORE("thread / 32 * 16 + thread % 4", "thread % 32 / 4 * 2", PLACE),
           "lane >> 2 and lane % 4 have changed places"},
          {"stride_32", STORE(ROW, COL, "(row + i / 2 % 2 * 8) * 32 + col + i / 4 * 8 + i % 2"),
           "rows are taken to be 32 elements apart"},
          {"one_row_down", STORE(ROW " + 1", COL, PLACE), "everything is one row too far down"},
          {"one_col_right", STORE(ROW, COL " + 1", PLACE),
           "everything is one column too far right"},
          {"only_warp_0", "if (thread < 32) {" STORE(ROW, COL, PLACE) "}",
           "only warp 0 has written"},
          {"only_thread_0", "if (thread == 0) {" STORE(ROW, COL, PLACE) "}",
           "only thread 0 has written"},
          {"four_registers",
           "const int row = " ROW "; const int col = " COL
           "; for (int i = 0; i < 4; ++i) tile[" PLACE "] = d[i];",
           "only d[0] to d[3] have been written"},
          {"constant",
           "const int row = " ROW "; const int col = " COL
           "; for (int i = 0; i < 16; ++i) tile[" PLACE "] = 7;",
           "every element were the same"},
          {"one_element_wrong",
           STORE(ROW, COL, PLACE) "if (thread == 77) tile[(row + 8) * stride + col] = 0;",
           "1 of 2048 elements"},
          {"one_too_many", STORE(ROW, COL, PLACE) "if (thread == 0) tile[-1] = 5;",
           "1 elements around the tile are written"},
      });
  return test;
}

}  // namespace

TEST_CASE("exercise 09 and its solution are the same outside the gap") {
  exercise().same_outside_the_gap();
}
TEST_CASE("exercise 09 as shipped fails and says that the gap is empty") {
  exercise().fails_as_shipped("The gap is still empty");
}
TEST_CASE("the solution of exercise 09 passes on sm_90a") { exercise().solution_passes(); }
TEST_CASE("no wrong answer to exercise 09 passes, and each is called by its name") {
  exercise().planted_answers_fail();
}
