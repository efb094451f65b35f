// SPDX-License-Identifier: MIT
// Exercise 13 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define ARRIVALS "s.arrivals = 4; "
#define BYTES "s.bytes = 40960; "
#define HALF "s.first_row = rank * 96; "
#define TELLS "s.tells = thread < 2 ? thread : -1;"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "13_hopper_hgemm", "share_on_device",
      {
          {"own_loads", ARRIVALS "s.bytes = (128 + 96) * 128; " HALF TELLS,
           "bytes were what this block loads itself"},
          {"whole_cluster", ARRIVALS "s.bytes = (2 * 128 + 192) * 128; " HALF TELLS,
           "bytes were what the whole cluster loads"},
          {"b_twice", ARRIVALS "s.bytes = (128 + 2 * 192) * 128; " HALF TELLS,
           "B's tile came twice"},
          {"elements", ARRIVALS "s.bytes = (128 + 192) * 64; " HALF TELLS, "bytes were elements"},
          {"only_b", ARRIVALS "s.bytes = 192 * 128; " HALF TELLS, "only B's bytes were counted"},
          {"one_consumer", ARRIVALS "s.bytes = (64 + 192) * 128; " HALF TELLS,
           "one consumer's rows of A were counted"},
          {"four_bytes", ARRIVALS "s.bytes = (128 + 192) * 64 * 4; " HALF TELLS,
           "an element had four bytes"},
          {"whole_ring", ARRIVALS "s.bytes = kStages * (128 + 192) * 128; " HALF TELLS,
           "all three stages were announced at once"},
          {"no_bytes", ARRIVALS HALF TELLS, "found -1\n\nNot everything is set: bytes stays"},
          {"one_thread_other_bytes",
           ARRIVALS "s.bytes = 40960 + 16 * (rank == 1 && thread == 0); " HALF TELLS,
           "This is not one of the mistakes this check knows"},
          {"no_halves", ARRIVALS BYTES TELLS,
           "found -1 and -1\n\nNot everything is set: first_row stays"},
          {"no_half", ARRIVALS BYTES "if (rank == 0) s.first_row = 0; " TELLS,
           "found 0 and -1\n\nNot everything is set: first_row stays"},
          {"other_rows", ARRIVALS BYTES "s.first_row = rank * 128; " TELLS,
           "say with which row each begins."},
          {"same_half", ARRIVALS BYTES "s.first_row = 0; " TELLS,
           "both blocks loaded the same half"},
          {"whole_tile", ARRIVALS BYTES "s.first_row = rank * 192; " TELLS,
           "a block's share were a whole tile of B"},
          {"half_in_bytes", ARRIVALS BYTES "s.first_row = rank * 96 * 128; " TELLS,
           "first_row were counted in bytes"},
          {"half_of_a", ARRIVALS BYTES "s.first_row = rank * 64; " TELLS,
           "the half were half of A's tile"},
          {"rank_only", ARRIVALS BYTES "s.first_row = rank; " TELLS,
           "first_row were the block's rank"},
          {"tells_own", ARRIVALS BYTES HALF "s.tells = thread == 0 ? rank : -1;",
           "a consumer told only its own block"},
          {"tells_other", ARRIVALS BYTES HALF "s.tells = thread == 0 ? 1 - rank : -1;",
           "a consumer told only the other block"},
          {"tells_block_0", ARRIVALS BYTES HALF "s.tells = thread < 2 ? 0 : -1;",
           "everybody told block 0"},
          {"too_many_blocks", ARRIVALS BYTES HALF "s.tells = thread < 2 ? rank + thread : -1;",
           "there were more blocks than two"},
          {"tells_block_1", ARRIVALS BYTES HALF "s.tells = thread == 0 ? 1 : -1;",
           "everybody told block 1"},
          {"rank_0_tells", ARRIVALS BYTES HALF "s.tells = rank == 0 && thread < 2 ? thread : -1;",
           "the consumers of one block alone told anybody"},
          {"nobody_told", ARRIVALS BYTES HALF, "Nobody tells anybody"},
          {"all_but_one", ARRIVALS BYTES HALF "s.tells = thread == 1 ? 1 : 0;",
           "expected arrivals 508, as your consumers tell it, found 4"},
          {"own_consumers", "s.arrivals = 2; " BYTES HALF TELLS,
           "only one block's consumers were waited for"},
          {"first_is_enough", "s.arrivals = 1; " BYTES HALF TELLS, "the first arrival were enough"},
          {"every_thread", "s.arrivals = 512; " BYTES HALF TELLS,
           "every thread of a consumer arrived"},
          {"threads_of_a_block", "s.arrivals = 256; " BYTES HALF TELLS,
           "every thread of one block's consumers arrived"},
          {"threads_of_a_consumer", "s.arrivals = 128; " BYTES HALF TELLS,
           "every thread of one consumer arrived"},
          {"no_arrivals", BYTES HALF TELLS, "found -1\n\nNot everything is set: arrivals stays"},
          {"twice", "s.arrivals = 8; " BYTES HALF TELLS, "twice as many arrived as do"},
          {"producer_too", "s.arrivals = 5; " BYTES HALF TELLS, "the producer arrived, too"},
          {"both_producers", "s.arrivals = 6; " BYTES HALF TELLS,
           "both blocks' producers arrived, too"},
          {"all_stages", "s.arrivals = 12; " BYTES HALF TELLS,
           "the arrivals of all three stages were counted"},
          {"all_warps_uncounted",
           ARRIVALS BYTES HALF "s.tells = thread % 32 < 2 ? thread % 32 : -1;",
           "expected arrivals 16, as your consumers tell it, found 4\n\nIt looks as if one thread"},
      },
      {
          {"own_oftener",
           "s.arrivals = kConsumers * 128; " BYTES HALF "s.tells = thread == 0 ? rank ^ 1 : rank;",
           ""},
          {"block_1_twice",
           "s.arrivals = 4 * (rank == 0 ? 1 : 2); " BYTES HALF
           "s.tells = thread == 0 ? 0 : thread < 3 ? 1 : -1;",
           ""},
          {"other_half", ARRIVALS BYTES "s.first_row = 96 - rank * 96; " TELLS, ""},
          {"all_warps",
           "s.arrivals = 16; " BYTES HALF "s.tells = thread % 32 < 2 ? thread % 32 : -1;", ""},
          {"late_threads", ARRIVALS BYTES HALF "s.tells = thread >= 126 ? thread - 126 : -1;", ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("13", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 13") {
  exercise().right_answers_pass();
}
