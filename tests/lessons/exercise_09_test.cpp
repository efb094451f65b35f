// SPDX-License-Identifier: MIT
// Exercise 09 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

// One half: what `half` ("left" or "right") has goes to `place`.
#define HALF(half, place) "for (int i = 0; i < 8; ++i) tile[" place "] = " half "[i];"
#define BOTH(row, col, place)                     \
  "const int row = " row "; const int col = " col \
  "; groups.wait<1>();" HALF("left", place) "groups.wait<0>();" HALF("right", "16 + " place)
#define ROW "thread / 32 * 16 + thread % 32 / 4"
#define COL "thread % 4 * 2"
#define PLACE "(row + i / 2 % 2 * 8) * stride + col + i / 4 * 8 + i % 2"
#define DOWN "row + i / 2 % 2 * 8 + (col + i / 4 * 8 + i % 2) * stride"
#define ROW_COL "const int row = " ROW "; const int col = " COL ";"
#define LEFT HALF("left", PLACE)
#define RIGHT HALF("right", "16 + " PLACE)

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "09_wgmma", "store_on_device",
      {
          {"copied_early",
           ROW_COL "float early[8]; for (int i = 0; i < 8; ++i) early[i] = right[i];"
                   "groups.wait<1>();" LEFT "groups.wait<0>();"
                   "for (int i = 0; i < 8; ++i) tile[16 + " PLACE "] = early[i];",
           "right is read while its group may still be under way"},
          {"elements_of_others",
           ROW_COL "groups.wait<1>(); for (int i = 0; i < 16; ++i) tile[" PLACE "] = left[i];"
                   "groups.wait<0>();" RIGHT,
           "trap"},
          {"waits_of_its_own",
           ROW_COL "ptx::wgmma_wait_group_sync_aligned<1>();" LEFT
                   "ptx::wgmma_wait_group_sync_aligned<0>();" RIGHT,
           "no other wait is seen here"},
          {"added_to_what_is_there",
           ROW_COL "groups.wait<1>(); for (int i = 0; i < 8; ++i) tile[" PLACE "] += left[i];"
                   "groups.wait<0>(); for (int i = 0; i < 8; ++i) tile[16 + " PLACE
                   "] += right[i];",
           "Nothing but NaN is stored, and NaN is what `tile` holds"},
          {"same_rows", BOTH("thread % 32 / 4", COL, PLACE),
           "the four warps write the same 16 rows"},
          {"transposed",
           ROW_COL "groups.wait<1>();" HALF("left", DOWN) "groups.wait<0>();" HALF(
               "right", "16 * stride + " DOWN),
           "rows and columns are exchanged"},
          {"warp_32", BOTH("thread / 32 * 32 + thread % 32 / 4", COL, PLACE),
           "a warp has 32 rows instead of 16"},
          {"thread_as_lane", BOTH("thread / 4", COL, PLACE), "a warp has 8 rows instead of 16"},
          {"thread_on_top", BOTH("thread / 32 * 16 + thread / 4", COL, PLACE),
           "the row goes with thread / 4 as well as with the warp"},
          {"neighbours", BOTH("thread / 2", "thread % 2 * 8", "row * stride + col + i"),
           "every thread has written 8 neighbours of a row in each half"},
          {"side_by_side", BOTH(ROW, COL, "row * stride + col + i"),
           "a thread's eight elements of a half lie side by side"},
          {"two_rows_of_four",
           BOTH(ROW, "thread % 4 * 4", "(row + i / 4 * 8) * stride + col + i % 4"),
           "a thread has four neighbours in each of two rows"},
          {"d1_d2_exchanged",
           BOTH(ROW, COL, "(row + i % 2 * 8) * stride + col + i / 4 * 8 + i / 2 % 2"),
           "elements 1 and 2 of every four are exchanged"},
          {"no_row_8", BOTH(ROW, COL, "row * stride + col + i / 4 * 8 + i % 2"),
           "the + 8 of the rows is missing"},
          {"no_col_8", BOTH(ROW, COL, "(row + i / 2 % 2 * 8) * stride + col + i % 2"),
           "all of a thread's elements are in the first 8 columns of their half"},
          {"row_without_modulo",
           BOTH(ROW, COL, "(row + i / 2 * 8) * stride + col + i / 4 * 8 + i % 2"),
           "every other pair goes 8 rows further down"},
          {"only_down", BOTH(ROW, COL, "(row + i / 2 * 8) * stride + col + i % 2"),
           "none goes 8 columns further right"},
          {"no_factor_2", BOTH(ROW, "thread % 4", PLACE), "without the factor 2"},
          {"no_pair", BOTH(ROW, COL, "(row + i / 2 % 2 * 8) * stride + col + i / 4 * 8"),
           "both elements of a pair are written to the same column"},
          {"steps_exchanged",
           BOTH(ROW, COL, "(row + i / 4 * 8) * stride + col + i / 2 % 2 * 8 + i % 2"),
           "the steps of 8 rows and of 8 columns are exchanged"},
          {"group_and_thread_exchanged",
           BOTH("thread / 32 * 16 + thread % 4", "thread % 32 / 4 * 2", PLACE),
           "lane >> 2 and lane % 4 have changed places"},
          {"stride_32", BOTH(ROW, COL, "(row + i / 2 % 2 * 8) * 32 + col + i / 4 * 8 + i % 2"),
           "rows are taken to be 32 elements apart"},
          {"one_row_down", BOTH(ROW " + 1", COL, PLACE), "everything is one row too far down"},
          {"one_col_right", BOTH(ROW, COL " + 1", PLACE), "everything is one column too far right"},
          {"only_warp_0", "if (thread < 32) {" BOTH(ROW, COL, PLACE) "}",
           "only warp 0 has written"},
          {"only_thread_0",
           ROW_COL "groups.wait<1>(); groups.wait<0>(); if (thread == 0) {" LEFT RIGHT "}",
           "only thread 0 has written"},
          {"four_registers",
           ROW_COL "groups.wait<1>(); for (int i = 0; i < 4; ++i) tile[" PLACE
                   "] = left[i]; groups.wait<0>(); for (int i = 0; i < 4; ++i) tile[16 + " PLACE
                   "] = right[i];",
           "only the first four elements of each half have been written"},
          {"constant",
           ROW_COL "groups.wait<1>(); groups.wait<0>(); for (int i = 0; i < 16; ++i) tile[" PLACE
                   "] = 7;",
           "every element were the same"},
          {"no_waits", ROW_COL LEFT RIGHT, "nobody waits"},
          {"waits_behind", ROW_COL LEFT "groups.wait<1>();" RIGHT "groups.wait<0>();",
           "left is read while its group may still be under way"},
          {"waits_for_one", ROW_COL "groups.wait<1>();" LEFT RIGHT,
           "right is read while its group may still be under way"},
          {"waits_for_one_twice", ROW_COL "groups.wait<1>();" LEFT "groups.wait<1>();" RIGHT,
           "right is read while its group may still be under way"},
          {"counts_from_two", ROW_COL "groups.wait<2>();" LEFT "groups.wait<1>();" RIGHT,
           "left is read while its group may still be under way"},
          {"right_first", ROW_COL "groups.wait<1>();" RIGHT "groups.wait<0>();" LEFT,
           "right is read while its group may still be under way"},
          {"waits_for_both", ROW_COL "groups.wait<0>();" LEFT RIGHT,
           "left is stored only when right is done, too"},
          // What is copied before the wait, the compiler reads behind it: the numbers are right.
          {"copied_before_the_wait",
           ROW_COL
           "float l[8], r[8]; for (int i = 0; i < 8; ++i) l[i] = left[i], r[i] = right[i];"
           "groups.wait<1>();" HALF("l", PLACE) "groups.wait<0>();" HALF("r", "16 + " PLACE),
           "left is read while its group may still be under way"},
          {"right_copied_with_left",
           ROW_COL "float r[8]; groups.wait<1>(); for (int i = 0; i < 8; ++i) r[i] = right[i];" LEFT
                   "groups.wait<0>();" HALF("r", "16 + " PLACE),
           "right is read while its group may still be under way"},
          {"all_but_the_first",
           ROW_COL "groups.wait<1>();" LEFT "for (int i = 1; i < 8; ++i) tile[16 + " PLACE
                   "] = right[i];"
                   "groups.wait<0>(); tile[row * stride + 16 + col] = right[0];",
           "right is read while its group may still be under way"},
          {"left_kept_until_right_is_there",
           ROW_COL "groups.wait<1>(); float l[8]; for (int i = 0; i < 8; ++i) l[i] = left[i];"
                   "groups.wait<0>();" HALF("l", PLACE) RIGHT,
           "left is stored only when right is done, too"},
          {"only_warp_0_waits",
           ROW_COL "if (thread < 32) groups.wait<1>();" LEFT
                   "if (thread < 32) groups.wait<0>();" RIGHT,
           "some threads read their registers before the product is there"},
          {"waits_without_notes",
           ROW_COL "ptx::wgmma_wait_group_sync_aligned<1>();" LEFT
                   "ptx::wgmma_wait_group_sync_aligned<0>();" RIGHT,
           "nobody waits"},
          {"only_left", ROW_COL "groups.wait<1>();" LEFT, "only left has been written"},
          {"only_right", ROW_COL "groups.wait<0>();" RIGHT, "only right has been written"},
          {"left_twice",
           ROW_COL "groups.wait<1>();" LEFT "groups.wait<0>();" HALF("left", "16 + " PLACE),
           "left is stored once more where right belongs"},
          {"right_twice", ROW_COL "groups.wait<0>();" HALF("right", PLACE) RIGHT,
           "right is stored once more where left belongs"},
          {"same_columns",
           ROW_COL "groups.wait<1>();" LEFT "groups.wait<0>();" HALF("right", PLACE),
           "left and right are written to the same columns"},
          {"halves_exchanged",
           ROW_COL "groups.wait<0>();" HALF("left", "16 + " PLACE) HALF("right", PLACE),
           "left and right are exchanged"},
          {"half_too_near",
           ROW_COL "groups.wait<1>();" LEFT "groups.wait<0>();" HALF("right", "8 + " PLACE),
           "right begins 8 columns behind left"},
          {"half_below",
           ROW_COL "groups.wait<1>();" LEFT
                   "groups.wait<0>();" HALF("right", "16 * stride + " PLACE),
           "right is 16 rows below left"},
          // Any factor that no mistake is written down for.
          {"four_rows_down",
           BOTH(ROW, COL, "(row + i / 2 % 2 * 4) * stride + col + i / 4 * 8 + i % 2"),
           "with i / 2 % 2 the row grows by 4, not by 8.\n"},
          {"halves_interleaved",
           ROW_COL "groups.wait<1>();" HALF("left",
                                            "(row + i / 2 % 2 * 8) * stride + col + i / 4 * 16 + i "
                                            "% 2") "groups.wait<0>();" HALF("right",
                                                                            "8 + (row + i / 2 % 2 "
                                                                            "* 8) * stride + col + "
                                                                            "i / 4 * 16 + i % 2"),
           "with i / 4 the column grows by 16, not by 8; with the half of D the column grows by 8, "
           "not by 16.\n"},
          {"one_element_wrong",
           BOTH(ROW, COL, PLACE) "if (thread == 77) tile[(row + 8) * stride + col] = 0;",
           "1 of 2048 elements"},
          {"one_too_many", BOTH(ROW, COL, PLACE) "if (thread == 0) tile[-1] = 5;",
           "1 elements around the tile are written"},
      },
      {
          {"by_blocks",
           "const int warp = thread >> 5, group = thread >> 2 & 7, quad = thread & 3;"
           "const auto put = [&](const Half& half, int first) {"
           "  for (int block = 0; block < 2; ++block) for (int down = 0; down < 2; ++down) {"
           "    float* at = tile + (16 * warp + group + 8 * down) * stride + first + 8 * block + 2 "
           "* "
           "quad;"
           "    at[0] = half[4 * block + 2 * down]; at[1] = half[4 * block + 2 * down + 1]; } };"
           "groups.wait<1>(); put(left, 0); groups.wait<0>(); put(right, 16);",
           ""},
          {"copied_behind_the_wait",
           ROW_COL "float l[8]; groups.wait<1>();"
                   "for (int i = 7; i >= 0; --i) l[i] = left[i];" HALF(
                       "l", PLACE) "groups.wait<0>();" RIGHT,
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("09", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 09") {
  exercise().right_answers_pass();
}
