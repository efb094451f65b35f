// SPDX-License-Identifier: MIT
// Exercise 23 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define SHAPE "{4, 8, 2, 2, 2, 2, 2, 2}"
#define A_OF(strides) "of.A = {" SHAPE ", {" strides "}};"
#define B_OF(strides) "of.B = {" SHAPE ", {" strides "}};"
#define D_OF(strides) "of.D = {{4, 8, 2, 2, 2, 2, 2}, {" strides "}};"
#define S_OF(layout) "of.shared = {" layout "};"
#define A A_OF("64, 1, 16, 0, 32, 8, 256, 512")
#define B B_OF("64, 1, 0, 8, 32, 256, 16, 512")
#define D D_OF("64, 1, 16, 256, 32, 8, 512")
#define S S_OF("{32, 32}, {40, 1}")

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "23_shape_stride", "multiply_on_device",
      {
          // ---- A
          {"only_b", B D S, "The gap is still empty, or does not set of.A"},
          {"row_after_row", A_OF("2, 32, 512, 0, 1, 256, 8, 16") B D S,
           "elements are numbered row after row (A)"},
          {"sixteen_rows", A_OF("32, 1, 16, 0, 16, 8, 128, 256") B D S,
           "the matrix has 16 rows, as in lesson.cu's first layouts (A)"},
          {"sixty_four_rows", A_OF("128, 1, 16, 0, 64, 8, 512, 1024") B D S,
           "the matrix has 64 rows, as in lesson.cu's larger ones (A)"},
          {"bytes", A_OF("128, 2, 32, 0, 64, 16, 512, 1024") B D S, "strides count bytes (A)"},
          {"no_warps", A_OF("64, 1, 0, 0, 32, 8, 256, 512") B D S, "all warps have the same (A)"},
          {"warps_exchanged", A_OF("64, 1, 0, 16, 32, 8, 256, 512") B D S,
           "the strides of w % 2 and w / 2 have changed places (A)"},
          {"lanes_exchanged", A_OF("1, 64, 16, 0, 32, 8, 256, 512") B D S,
           "the strides of lane % 4 and lane / 4 have changed places (A)"},
          {"registers_exchanged", A_OF("64, 1, 16, 0, 32, 256, 8, 512") B D S,
           "the strides of A.r1 and A.r2 have changed places (A)"},
          {"step_first", A_OF("64, 1, 16, 0, 32, 8, 512, 256") B D S,
           "the strides of A.r2 and the step have changed places (A)"},
          {"other_warp_moves", A_OF("64, 1, 16, 8, 32, 8, 256, 512") B D S,
           "w / 2 moves something, by 8 (A)"},
          {"one_step", A_OF("64, 1, 16, 0, 32, 8, 256, 0") B D S,
           "the step moves nothing: its stride is 0 (A)"},
          {"as_b", A_OF("64, 1, 0, 8, 32, 256, 16, 512") B D S, "this is the layout of B (A)"},
          {"exchanged", "of.A = {{64, 1, 16, 1, 32, 8, 256, 512}, " SHAPE "};" B D S,
           "shape and strides have changed places (A)"},
          {"digit_missing", "of.A = {{4, 8, 2, 2, 2, 2, 2}, {64, 1, 16, 0, 32, 8, 256}};" B D S,
           "yours count to 1024, 128 threads and 16 values are 2048 (A)"},
          {"no_other_warp", "of.A = {{4, 8, 2, 2, 2, 2, 2}, {64, 1, 16, 32, 8, 256, 512}};" B D S,
           "yours count to 1024, 128 threads and 16 values are 2048 (A)"},
          {"one_column", A_OF("32, 1, 16, 0, 32, 8, 256, 512") B D S,
           "with lane % 4 the k grows by 1, not by 2 (A)"},
          {"rows_by_two", A_OF("64, 2, 16, 0, 32, 8, 256, 512") B D S,
           "with lane / 4 the m grows by 2, not by 1 (A)"},
          {"warps_of_eight", A_OF("64, 1, 8, 0, 32, 8, 256, 512") B D S,
           "with w % 2 the m grows by 8, not by 16 (A)"},
          {"eight_lanes_first",
           "of.A = {{8, 4, 2, 2, 2, 2, 2, 2}, {1, 64, 16, 0, 32, 8, 256, 512}};" B D S,
           "lane % 4 the "},
          {"outside", A_OF("64, 1, 16, 0, 32, 8, 256, 1024") B D S,
           "with the step the k grows by 32, not by 16 (A)"},
          {"negative", A_OF("64, 1, 16, 0, 32, -8, 256, 512") B D S, "no element of A"},
          // ---- B
          {"only_a", A D S, "does not set of.B"},
          {"b_as_a", A B_OF("64, 1, 16, 0, 32, 8, 256, 512") D S, "this is the layout of A (B)"},
          {"b_row_after_row", A B_OF("2, 32, 0, 256, 1, 8, 512, 16") D S,
           "elements are numbered row after row (B)"},
          {"b_eight_rows", A B_OF("16, 1, 0, 8, 8, 64, 16, 128") D S,
           "the matrix has 8 rows, as B in lesson.cu (B)"},
          {"b_tiles_together", A B_OF("64, 1, 0, 16, 32, 256, 8, 512") D S,
           "the strides of w / 2 and the tile have changed places (B)"},
          {"b_of_all_warps", A B_OF("64, 1, 0, 0, 32, 256, 16, 512") D S,
           "all warps have the same (B)"},
          {"b_first_warps", A B_OF("64, 1, 8, 0, 32, 256, 16, 512") D S,
           "the strides of w % 2 and w / 2 have changed places (B)"},
          {"b_first_warps_too", A B_OF("64, 1, 16, 8, 32, 256, 16, 512") D S,
           "w % 2 moves something, by 16 (B)"},
          {"b_tile_of_eight", A B_OF("64, 1, 0, 8, 32, 256, 8, 512") D S,
           "with the tile the n grows by 8, not by 16 (B)"},
          {"b_step_before_tile", A B_OF("64, 1, 0, 8, 32, 256, 512, 16") D S,
           "the strides of the tile and the step have changed places (B)"},
          // ---- D
          {"no_d", A B S, "does not set of.D"},
          {"d_row_after_row", A B D_OF("2, 32, 512, 8, 1, 256, 16") S,
           "elements are numbered row after row (D)"},
          {"d_as_a", A B D_OF("64, 1, 16, 0, 32, 8, 256") S, "this is the layout of A (D)"},
          {"d_one_row", A B D_OF("64, 1, 16, 8, 32, 8, 16") S,
           "with w / 2 the m grows by 8, not by 0; with w / 2 the n grows by 0, not by 8"},
          {"d_registers", A B D_OF("64, 1, 16, 256, 8, 32, 512") S,
           "the strides of D.r1 and D.r2 have changed places (D)"},
          {"d_tiles_together", A B D_OF("64, 1, 16, 512, 32, 8, 256") S,
           "the strides of w / 2 and the tile have changed places (D)"},
          // ---- in shared memory
          {"no_tile", A B D, "does not set of.shared"},
          {"dense", A B D S_OF("{32, 32}, {32, 1}"),
           "eight rows do not fill the 32 banks: rows 0 and 1 begin 32 elements apart, banks 0 and "
           "16"},
          {"columns", A B D S_OF("{32, 32}, {1, 32}"),
           "neighbours along k do not lie beside each other"},
          {"k_first", A B D S_OF("{32, 32}, {1, 40}"),
           "neighbours along k do not lie beside each other"},
          {"padded_by_two", A B D S_OF("{32, 32}, {34, 1}"), "32 of 32 loads have bank conflicts"},
          {"padded_by_four", A B D S_OF("{32, 32}, {36, 1}"), "32 of 32 loads have bank conflicts"},
          {"padded_by_one", A B D S_OF("{32, 32}, {33, 1}"), "rows begin in the middle of a word"},
          {"padded_by_much", A B D S_OF("{32, 32}, {72, 1}"), "rows or columns lie too far apart"},
          {"overlapping", A B D S_OF("{32, 32}, {16, 1}"), "two digits are worth the same"},
          {"one_row", A B D S_OF("{32}, {40}"), "its digits count to 32, A has 1024 elements"},
          {"blocks_by_columns", A B D S_OF("{8, 4, 8, 4}, {1, 64, 8, 256}"),
           "neighbours along k do not lie beside each other"},
      },
      {
          {"blocks", A B D S_OF("{8, 4, 8, 4}, {8, 64, 1, 256}"), ""},
          {"more_than_there_is", A B D S_OF("{32, 40}, {40, 1}"), ""},
          {"merged", "of.A = {{4, 8, 2, 2, 2, 2, 4}, {64, 1, 16, 0, 32, 8, 256}};" B D S, ""},
          {"apart", "of.D = {{2, 2, 8, 2, 2, 2, 2, 2}, {64, 128, 1, 16, 256, 32, 8, 512}};" A B S,
           ""},
          {"blocks_of_rows", A B D S_OF("{8, 4, 32}, {40, 320, 1}"), ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("23", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 23") {
  exercise().right_answers_pass();
}
TEST_CASE("a wrong answer to exercise 23 is shown thread by thread, and bank by bank") {
  const Ran a = exercise().check("sixteen_rows");
  CAPTURE(a.output);
  CHECK(says(a, "thread 1 (lane 1, w 0), value 0: expected 64, A[0][2], found 32, A[0][1]\n"));
  const Ran dense = exercise().check("dense");
  CAPTURE(dense.output);
  CHECK(says(dense,
             "w 0, A.r0 of step 0: expected 1 pass, found 4: lanes 0 and 8 want different "
             "words of bank 0\n"));
}
TEST_CASE("diagnose finds the solution of exercise 23 right") {
  const Ran right = exercise().diagnosed("solution");
  CAPTURE(right.output);
  CHECK(right.status != 1);
}
