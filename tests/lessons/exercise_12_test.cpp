// SPDX-License-Identifier: MIT
// Exercise 12 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define ANSWER(stage_, full_, empty_) \
  "stage = " stage_ "; full_parity = " full_ "; empty_parity = " empty_ ";"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "12_tma_mbarrier",
      {"std::vector<std::uint32_t>", "ring_on_device",
       "const std::vector<std::uint32_t>& tiles, bool runs, const char* trace",
       "tiles, runs, trace"},
      {
          {"every_tile", ANSWER("tile % 4", "tile % 2", "1 - tile % 2"),
           "the parity changed with every tile"},
          {"never", ANSWER("tile % 4", "0", "1"), "the parity never changed"},
          {"exchanged", ANSWER("tile % 4", "1 - tile / 4 % 2", "tile / 4 % 2"),
           "full and empty were exchanged"},
          {"same", ANSWER("tile % 4", "tile / 4 % 2", "tile / 4 % 2"),
           "producer and consumers waited for the same parity"},
          {"both_of_the_producer", ANSWER("tile % 4", "1 - tile / 4 % 2", "1 - tile / 4 % 2"),
           "both waited for the parity that the producer needs"},
          {"round", ANSWER("tile % 4", "tile / 4", "1 - tile / 4 % 2"),
           "the parity of full were the number of the round"},
          {"rounds", ANSWER("tile % 4", "tile / 4", "tile / 4 + 1"),
           "both parities were the number of the round"},
          {"not_cut", ANSWER("tile % 4", "tile / 4", "tile / 4 ^ 1"),
           "a parity had more than one bit"},
          {"two_rounds", ANSWER("tile % 4", "tile / 8 % 2", "1 - tile / 8 % 2"),
           "a parity lasted two rounds"},
          {"too_early", ANSWER("tile % 4", "(tile + 1) / 4 % 2", "1 - (tile + 1) / 4 % 2"),
           "the parity changed one tile too early"},
          {"three_stages", ANSWER("tile % 3", "tile / 3 % 2", "1 - tile / 3 % 2"),
           "the ring had three stages"},
          {"no_wrap", ANSWER("tile", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "the stage were the tile"},
          {"places_changed", ANSWER("tile / 4 % 4", "tile % 4 % 2", "1 - tile % 4 % 2"),
           "tile / 4 and tile % 4 had changed places"},
          {"from_one", ANSWER("(tile + 1) % 4", "(tile + 1) / 4 % 2", "1 - (tile + 1) / 4 % 2"),
           "the first tile went into stage 1"},
          {"first_round", ANSWER("tile % 4", "tile / 4 % 2", "tile < 4 ? 0 : 1 - tile / 4 % 2"),
           "the producer waited in the first round, too"},
          {"no_waiting", ANSWER("tile % 4", "tile / 4 % 2", "1"), "the producer never had to wait"},
          {"only_stage", "stage = tile % 4;", "full_parity stays as it was"},
          {"no_empty", "stage = tile % 4; full_parity = tile / 4 % 2;",
           "empty_parity stays as it was"},
          {"one_wrong",
           ANSWER("tile % 4", "tile / 4 % 2", "1 - tile / 4 % 2") "if (tile == 21) stage = 2;",
           "1 of 64 tiles"},
      });
  return test;
}

}  // namespace

TEST_CASE("exercise 12 and its solution are the same outside the gap") {
  exercise().same_outside_the_gap();
}
TEST_CASE("exercise 12 as shipped fails and says that the gap is empty") {
  exercise().fails_as_shipped("The gap is still empty");
}
TEST_CASE("the solution of exercise 12 passes on sm_90a") { exercise().solution_passes(); }
TEST_CASE("the checker has nothing to report of the solution of exercise 12") {
  exercise().solution_is_checked();
}
TEST_CASE("no wrong answer to exercise 12 passes, and each is called by its name") {
  exercise().planted_answers_fail();
}
