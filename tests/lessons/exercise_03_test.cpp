// SPDX-License-Identifier: MIT
// Exercise 03 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define A_RIGHT "a_row = lane % 8 + lane / 16 * 8; a_col = lane / 8 % 2 * 8; "
#define B_RIGHT "b_row = lane % 16; b_col = lane / 16 * 8; "

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "03_ldmatrix", "load_on_device",
      {
          {"diagonal",
           "a_row = lane % 8 + lane / 8 % 2 * 8; a_col = lane / 8 % 2 * 8;"
           "b_row = lane % 16; b_col = lane / 16 * 8;",
           "row and column take their step of 8 together"},
          {"diagonal_of_b",
           "a_row = lane % 8 + lane / 16 * 8; a_col = lane / 8 % 2 * 8;"
           "b_row = lane % 8 + lane / 16 * 8; b_col = lane / 16 * 8;",
           "row and column take their step of 8 together: two blocks are named twice, two never "
           "(B)"},
          {"a_as_if_not_transposed", "a_row = lane % 16; a_col = lane / 16 * 8; " B_RIGHT,
           "registers 1 and 2 are exchanged (A)"},
          {"b_as_if_transposed",
           A_RIGHT "b_row = lane % 8 + lane / 16 * 8; b_col = lane / 8 % 2 * 8;",
           "registers 1 and 2 are exchanged (B)"},
          {"fragment_of_a", "a_row = lane >> 2; a_col = lane % 4 * 2; " B_RIGHT,
           "those of the fragment, as lesson 01 has them (A)"},
          {"fragment_of_b", A_RIGHT "b_row = lane >> 2; b_col = lane % 4 * 2;",
           "those of the fragment, as lesson 01 has them (B)"},
          {"a_no_row_8", "a_row = lane % 8; a_col = lane / 8 % 2 * 8; " B_RIGHT,
           "the + 8 of the rows is missing (A)"},
          {"a_no_col_8", "a_row = lane % 8 + lane / 16 * 8; a_col = 0; " B_RIGHT,
           "the + 8 of the columns is missing (A)"},
          {"b_no_row_8", A_RIGHT "b_row = lane % 8; b_col = lane / 16 * 8;",
           "the + 8 of the rows is missing (B)"},
          {"a_first_block_only", "a_row = lane % 8; a_col = 0; " B_RIGHT,
           "all lanes from 8 on repeat what lanes 0 to 7 name (A)"},
          {"a_four_columns", "a_row = lane % 8; a_col = lane / 8 * 8; " B_RIGHT,
           "lane 16 began at column 16 (A)"},
          {"b_row_16", A_RIGHT "b_row = lane % 17; b_col = lane / 16 * 8;",
           "lane 16 named row 16 (B)"},
          {"a_lane_n_row_n", "a_row = lane; a_col = 0; " B_RIGHT,
           "lane n names row n of a tile that had 32 rows (A)"},
          {"a_column_0", "a_row = lane % 16; a_col = 0; " B_RIGHT,
           "every row begins at column 0 (A)"},
          {"halves_of_a_row", A_RIGHT "b_row = lane / 2; b_col = lane % 2 * 8;",
           "neighbouring lanes name the two halves of a row (B)"},
          {"b_as_x2", A_RIGHT "b_row = lane % 16; b_col = 0;",
           "the + 8 of the columns is missing (B)"},
          {"a_as_x2", "a_row = lane % 8; a_col = lane / 8 % 2 * 8; a_row += 0; " B_RIGHT,
           "the + 8 of the rows is missing (A)"},
          {"one_row_down",
           "a_row = lane % 8 + lane / 16 * 8 + 1; a_col = lane / 8 % 2 * 8; " B_RIGHT,
           "everything is one row too far down (A)"},
          {"column_in_blocks", A_RIGHT "b_row = lane % 16; b_col = lane / 16;",
           "the column counts blocks, not elements (B)"},
          {"bytes", A_RIGHT "b_row = lane % 16 * 2; b_col = lane / 16 * 16;",
           "the row counts bytes"},
          {"row_and_column_exchanged", A_RIGHT "b_col = lane % 16; b_row = lane / 16 * 8;",
           "row and column are exchanged (B)"},
          {"constant", "a_row = 3; a_col = 8; " B_RIGHT, "every lane names the same row (A)"},
          {"only_lane_0", "if (lane == 0) a_row = a_col = 0; " B_RIGHT,
           "only lane 0 names a row (A)"},
          {"only_a", A_RIGHT, "does not set row and column (B)"},
          {"neighbours_in_blocks",
           "a_row = lane / 8 + lane % 2 * 8; a_col = lane / 2 % 2 * 8; " B_RIGHT,
           "lane / 8 and lane % 8 have changed places (A)"},
          {"from_lane_17_a",
           "a_row = lane % 8 + (lane > 16 ? 8 : 0); a_col = lane / 8 % 2 * 8; " B_RIGHT,
           "lane 16 names the row of lane 0, as if it were not one of the upper half (A)"},
          {"from_lane_17_b", A_RIGHT "b_row = lane % 16; b_col = lane > 16 ? 8 : 0;",
           "lane 16 names the row of lane 0, as if it were not one of the upper half (B)"},
          // What no mistake is written down for.
          {"lower_half_only", "a_row = lane % 8 + 8; a_col = lane / 8 % 2 * 8; " B_RIGHT,
           "a[0] has what belongs into a[2]; a[1] has what belongs into a[3] (A)"},
          {"odd_lanes_right", A_RIGHT "b_row = lane % 16; b_col = lane % 2 * 8;",
           "with bit 0 of lane % 8 the column grows by 8, not by 0; with lane / 16 the column "
           "grows "
           "by 0, not by 8 (B)"},
          {"clockwise",
           "const int block = lane / 8; a_row = lane % 8 + (block == 1 || block == 2 ? 8 : 0);"
           "a_col = block / 2 * 8; " B_RIGHT,
           "a[1] has what belongs into a[2]; a[2] has what belongs into a[3]; a[3] has what "
           "belongs into a[1] (A)"},
          {"half_of_b", A_RIGHT "if (lane < 16) { b_row = lane; b_col = 0; }",
           "lane 16 named no row (B)"},
          {"one_lane_wrong", A_RIGHT B_RIGHT "if (lane == 21) a_row = 4;",
           "the columns are right, the rows are not, wherever lane % 8 is 5 and lane / 8 % 2 is 0 "
           "and lane / 16 is 1 (A)"},
          {"two_lanes_wrong",
           A_RIGHT B_RIGHT "if (lane == 21) a_row = 4; if (lane == 10) a_col = 0;",
           "This is not one of the mistakes this check knows (A)"},
          {"one_lane_counted", A_RIGHT B_RIGHT "if (lane == 21) b_row = 4;",
           "8 of 256 elements of B are not where they belong"},
      },
      {
          {"bits",
           "a_row = (lane & 7) | (lane & 16) >> 1; a_col = lane & 8; b_row = lane & 15;"
           "b_col = (lane & 16) / 2;",
           ""},
          {"by_blocks",
           "const int block = lane >> 3, row = lane & 7; a_row = row + (block >= 2 ? 8 : 0);"
           "a_col = block % 2 ? 8 : 0; b_row = row + (block % 2 ? 8 : 0); b_col = block < 2 ? 0 : "
           "8;",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("03", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 03") {
  exercise().right_answers_pass();
}
TEST_CASE("a wrong answer to exercise 03 names the lane whose address it was") {
  const Ran ran = exercise().check("one_lane_counted");
  CAPTURE(ran.output);
  CHECK(says(ran, "lane 21 serves it, and names row 4 from column 8"));
}
TEST_CASE("diagnose names the mistake in the trace of a wrong answer to exercise 03") {
  const Ran a = exercise().diagnosed("a_as_if_not_transposed");
  CAPTURE(a.output);
  CHECK(a.status == 1);
  CHECK(says(a, "A of launch 0, block 0,0,0, warp 0: registers A.r1 and A.r2 are exchanged\n"));
  CHECK(says(a, "B of launch 0, block 0,0,0, warp 0: right, all 128 elements of \"b\"\n"));
  const Ran lane = exercise().diagnosed("one_lane_wrong");
  CAPTURE(lane.output);
  CHECK(says(lane, "lane 21 names a wrong row to ldmatrix"));
  const Ran right = exercise().diagnosed("solution");
  CAPTURE(right.output);
  CHECK(right.status == 0);
  CHECK(says(right, "3 of 3 fragments compared; all are right\n"));
}
