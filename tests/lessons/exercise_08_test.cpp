// SPDX-License-Identifier: MIT
// Exercise 08 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "08_sass", "answers",
      {
          {"all_the_same", "letters = \"iiiiiiiiii\";", "all ten lines are from the same one"},
          {"commit_and_wait", "letters = \"ejbfkdiilc\";", "2 and 3 have changed places"},
          {"x4_and_x2", "letters = \"ejfbdkiilc\";", "4 and 5 have changed places"},
          {"arrive_and_wait", "letters = \"ejfbkdiicl\";", "8 and 9 have changed places"},
          {"ada_only", "letters = \"ejfbkdialc\";", "of numbers 6 and 7 one is right"},
          {"hopper_only", "letters = \"ejfbkdailc\";", "of numbers 6 and 7 one is right"},
          {"both_f16", "letters = \"ejfbkdaalc\";", "Look again at number 6"},
          {"too_short", "letters = \"ejfbkdiil\";", "`letters` has 9 letters"},
          {"too_long", "letters = \"ejfbkdiilcc\";", "`letters` has 11 letters"},
          {"empty", "letters = \"\";", "`letters` has 0 letters"},
          {"capitals", "letters = \"EJFBKDIILC\";", "There is no line of PTX 'E'"},
          {"beyond_the_list", "letters = \"ejfbkdiilz\";", "There is no line of PTX 'z'"},
          {"one_left_open", "letters = \"ejf?kdiilc\";", "Number 3 has no letter yet"},
          {"moved_right", "letters = \"cejfbkdiil\";", "one place too far to the right"},
          {"moved_left", "letters = \"jfbkdiilca\";", "one place too far to the left"},
          {"with_blanks", "letters = \"e j f b k d i i l c\";", "nothing between them"},
          {"alphabet", "letters = \"abcdefghij\";", "What to do: "},
          {"warp_barrier", "letters = \"ejfhkdiilc\";", "Look again at number 3"},
          {"waits_exchanged", "letters = \"ejfckdiilb\";",
           "look for what waits for the groups of copies"},
          {"wgmma_wait_for_both", "letters = \"ejfckdiilc\";",
           "look for what waits for the groups of copies"},
          {"copies_wait_for_both", "letters = \"ejfbkdiilb\";",
           "look for what waits for wgmma's groups"},
          {"backwards", "letters = \"cliidkbfje\";", "the letters stand backwards"},
          {"three_so_far", "letters[0] = 'e'; letters[1] = 'j'; letters[2] = 'f';",
           "Number 3 has no letter yet"},
          {"mma_async", "letters = \"ejfbkdiigc\";", "Look again at number 8"},
      });
  return test;
}

}  // namespace

TEST_CASE("exercise 08 and its solution are the same outside the gap") {
  exercise().same_outside_the_gap();
}
TEST_CASE("exercise 08 as shipped fails and says that the gap is empty") {
  exercise().fails_as_shipped("The gap is still empty");
}
TEST_CASE("the solution of exercise 08 passes on every architecture") {
  exercise().solution_passes();
}
TEST_CASE("no wrong answer to exercise 08 passes, and each is called by its name") {
  exercise().planted_answers_fail();
}
