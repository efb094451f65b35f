// SPDX-License-Identifier: MIT
// Exercise 04 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "04_banks_and_swizzle", "load_on_device",
      {
          {"in_bytes", "at = (unit ^ row / 2 % 4) * 16;", "a place is counted in bytes"},
          {"in_elements", "at = (unit ^ row / 2 % 4) * 8;", "a place is counted in elements"},
          {"of_the_tile", "at = row * 4 + unit;", "it counts the units of the whole tile"},
          {"negative", "at = (unit - row / 2) % 4;", "a place is negative"},
          {"row_alone", "at = row % 4;", "the unit does not count"},
          {"not_moved", "at = unit;", "nothing is moved"},
          {"leaves_the_row", "at = unit + row;", "a place is not cut to 0 to 3"},
          {"one_bit", "at = (unit + row / 2) & 4;", "one bit of a place is left, 0 or 4"},
          {"cut_before_added", "at = unit + row / 2 % 4;", "a place is not cut to 0 to 3"},
          {"turned_round", "at = 3 - unit;", "every row turns its units in the same way"},
          {"wide_rows", "at = unit ^ row % 8;", "it is the swizzle of rows of 128 bytes"},
          {"every_row", "at = unit ^ row % 4;", "the order repeats every four rows"},
          {"turned_every_row", "at = (unit + row) % 4;", "turned by one place more with every row"},
          {"two_orders", "at = unit ^ row % 2;", "only two orders take turns"},
          {"two_pair_orders", "at = unit ^ row / 2 % 2;", "only two orders take turns"},
          {"every_four_rows", "at = unit ^ row / 4 % 4;", "changes every four rows only"},
          {"not_cut", "at = unit ^ row / 2;", "is not cut to 0 to 3"},
          {"not_cut_and_every_row", "at = row ^ unit;",
           "a place is not cut to 0 to 3, and the order changes with every row"},
          {"product", "at = unit * (row / 2) % 4;", "it is a product"},
          {"and", "at = unit & row / 2 % 4;", "it is `and`, not `exclusive or`"},
          {"or", "at = unit | row / 2 % 4;", "it is `or`, not `exclusive or`"},
          {"no_unit", "at = row / 2 % 4;", "the unit does not count"},
          {"constant", "at = 2;", "every unit gets the same place"},
          {"only_lane_0", "if (threadIdx.x == 0) at = unit ^ row / 2 % 4;",
           "who asks decides where a unit lies"},
          {"one_side", "at = unit ^ threadIdx.x / 2 % 4;", "who asks decides where a unit lies"},
          {"one_row_wrong", "at = unit ^ row / 2 % 4; if (row == 10) at = unit;",
           "rows 8 and 10 both have their unit 0 in banks 0 to 3"},
          {"twice_the_row", "at = unit ^ row * 2 % 4;",
           "rows 0, 2, 4 and 6 all have their unit 0 in banks 0 to 3"},
          {"every_eight_rows", "at = unit ^ row / 8;",
           "rows 0, 2, 4 and 6 all have their unit 0 in banks 0 to 3"},
          {"odd_rows_reversed", "at = row % 2 == 0 ? unit : 3 - unit;",
           "rows 0, 2, 4 and 6 all have their unit 0 in banks 0 to 3"},
          {"three_orders", "at = unit ^ row / 2 % 3;",
           "rows 0 and 6 both have their unit 0 in banks 0 to 3"},
          {"one_unit_lost", "at = unit ^ row / 2 % 4; if (row == 5 && unit == 1) at = 0;",
           "1 of 16 rows lose a unit"},
          {"half_precedence", "at = (unit ^ row) / 2 % 4;",
           "units 0 and 1 of row 0 get the same place, 0"},
      },
      {
          {"turned", "at = (unit + row / 2) % 4;", ""},
          {"turned_back", "at = unit - row / 2 & 3;", ""},
          {"odd_rows_first", "at = unit ^ (row + 1) / 2 % 4;", ""},
          {"orders",
           "const int orders[4][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {1, 0, 3, 2}, {3, 2, 1, 0}};"
           "at = orders[row / 2 % 4][unit];",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("04", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 04") {
  exercise().right_answers_pass();
}
TEST_CASE("a conflict in exercise 04 is named with its lanes and its bank") {
  const Ran ran = exercise().check("not_moved");
  CAPTURE(ran.output);
  CHECK(says(ran, "lanes 0 to 7: expected 1 pass, found 4: lanes 0, 2, 4, 6 all begin at bank 0"));
  CHECK(says(ran, "8 of 8 phases"));
}
TEST_CASE("diagnose finds the solution of exercise 04 right, and a swizzle on one side") {
  const Ran right = exercise().diagnosed("solution");
  CAPTURE(right.output);
  CHECK(right.status == 0);
  CHECK(says(right, "2 of 2 fragments compared; all are right\n"));
  const Ran wrong = exercise().diagnosed("one_side");
  CAPTURE(wrong.output);
  CHECK(wrong.status == 1);
}
