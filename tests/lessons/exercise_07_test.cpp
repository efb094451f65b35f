// SPDX-License-Identifier: MIT
// Exercise 07 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

// The solution is INNER else { TURN } MULTIPLY.
#define LOAD "pipe.load((slice + 1) % 2, step, slice + 1); "
#define PART "pipe.start_part(step + 2, slice); "
#define INNER "if (slice + 1 < kSlices) { " LOAD PART "} else "
#define NEXT "pipe.load((slice + 1) % 2, step + 1, 0); "
#define TURN "{ pipe.commit(); pipe.wait<1>(); pipe.barrier(); " NEXT "} "
#define LOAD_IF_INNER "if (slice + 1 < kSlices) " LOAD
#define TURN_IF_LAST "if (slice + 1 == kSlices) " TURN
#define MULTIPLY "pipe.multiply(slice % 2);"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "07_fast_hgemm", "multiply_on_device",
      {
          {"one_group_too_many",
           INNER "{ pipe.commit(); pipe.wait<2>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "while their copy may still be under way"},
          {"no_wait", INNER "{ pipe.commit(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "while their copy may still be under way: nothing in the loop has waited"},
          {"turn_too_early",
           "if (slice == 0) { pipe.commit(); pipe.wait<1>(); pipe.barrier(); } "
           "pipe.load((slice + 1) % 2, slice < 3 ? step : step + 1, (slice + 1) % 4); "
           "if (slice < 3) " PART MULTIPLY,
           "still be under way: the last wait was at step 1, slice 0"},
          {"commit_behind_the_wait",
           INNER "{ pipe.wait<1>(); pipe.commit(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "what was started behind it is in no group"},
          {"no_commit_of_nothing",
           INNER "{ if (step + 2 < pipe.steps) pipe.commit(); pipe.wait<1>(); pipe.barrier(); " NEXT
                 "} " MULTIPLY,
           "a step has gone by without a commit"},
          {"a_fifth_slice",
           "pipe.load((slice + 1) % 2, step, slice + 1); if (slice + 1 < kSlices) " PART
           "else { pipe.commit(); pipe.wait<1>(); pipe.barrier(); } " MULTIPLY,
           "slice 4 of a step is loaded, which there is not"},
          {"loaded_again",
           "pipe.load(slice % 2, step, slice); if (slice + 1 < kSlices) " PART
           "else { pipe.commit(); pipe.wait<1>(); pipe.barrier(); } " MULTIPLY,
           "the fragments of step 0, slice 0 are loaded again"},
          {"multiplied_twice", MULTIPLY INNER TURN MULTIPLY,
           "the fragments of step 0, slice 0 are multiplied again"},
          {"waits_for_all",
           INNER "{ pipe.commit(); pipe.wait<0>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "it waits for too much"},
          {"group_a_part",
           "if (slice + 1 < kSlices) { " LOAD PART
           "pipe.commit(); } else { pipe.wait<1>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "not all copies of a step are under way"},
          {"no_barrier", INNER "{ pipe.commit(); pipe.wait<1>(); " NEXT "} " MULTIPLY,
           "that other threads may still be copying"},
          {"barrier_first",
           INNER "{ pipe.commit(); pipe.barrier(); pipe.wait<1>(); " NEXT "} " MULTIPLY,
           "that other threads may still be copying"},
          {"barrier_after_load",
           INNER "{ pipe.commit(); pipe.wait<1>(); " NEXT "pipe.barrier(); } " MULTIPLY,
           "that other threads may still be copying"},
          {"no_commit", INNER "{ pipe.wait<1>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "what was started behind it is in no group"},
          {"a_fourth_part", LOAD_IF_INNER PART TURN_IF_LAST MULTIPLY,
           "at step 0, slice 3, a part is started that there is not: part 3.\n"},
          {"a_part_before",
           "if (slice > 0) pipe.start_part(step + 2, slice - 1); " LOAD_IF_INNER
           "if (slice == 0) pipe.start_part(1, -1); " TURN_IF_LAST MULTIPLY,
           "a part is started that there is not: part -1.\n"},
          {"a_part_before_as_told",
           "pipe.start_part(step + 2, slice - 1); " LOAD_IF_INNER TURN_IF_LAST MULTIPLY,
           "did: start_part(2, -1), load(1, 0, 1), MULTIPLY(0), "},
          {"a_step_before", "pipe.start_part(step - 1, slice); " INNER TURN MULTIPLY,
           "a step is started that there is not: step -1.\n"},
          {"loaded_of_the_step_before",
           "if (slice + 1 < kSlices) { pipe.load((slice + 1) % 2, step - 1, slice + 1); " PART
           "} else " TURN MULTIPLY,
           "a step is loaded that there is not: step -1.\n"},
          {"step_and_slice_exchanged",
           "if (slice + 1 < kSlices) { pipe.load((slice + 1) % 2, slice + 1, step); " PART
           "} else " TURN MULTIPLY,
           "the fragments of step 1, slice 0 are loaded where those of step 0, slice 1 are the "
           "next"},
          {"a_slice_before", "pipe.load((slice + 1) % 2, step, slice - 1); " INNER TURN MULTIPLY,
           "slice -1 of a step is loaded, which there is not"},
          {"a_buffer_a_slice_loaded",
           "if (slice + 1 < kSlices) { pipe.load(slice + 1, step, slice + 1); " PART
           "} else " TURN MULTIPLY,
           "at step 0, slice 1, buffer 2 is used, which there is not"},
          {"a_buffer_a_slice", INNER TURN "pipe.multiply(slice);",
           "buffer 2 is used, which there is not"},
          {"no_buffer", INNER TURN "pipe.multiply(slice % 2 - 1);",
           "buffer -1 is used, which there is not"},
          {"no_commit_waits_for_all", INNER "{ pipe.wait<0>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "of a copy that is in no group"},
          {"commit_of_each_part",
           "if (slice + 1 < kSlices) { " LOAD PART
           "pipe.commit(); } else { pipe.wait<4>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "while their copy may still be under way"},
          {"one_step_further",
           "if (slice + 1 < kSlices) { " LOAD
           "pipe.start_part(step + 3, slice); } else " TURN MULTIPLY,
           "a stage is filled again before all of its slices are loaded"},
          {"race",
           "if (slice + 1 < kSlices) { " LOAD "if (step == 0) " PART
           "} else { for (int part = 0; part < 3; ++part) pipe.start_part(step + 3, part); "
           "pipe.commit(); pipe.wait<1>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "a stage is filled while other warps may still read it"},
          {"two_parts_only",
           "if (slice + 1 < kSlices) { " LOAD "if (slice < 2) " PART "} else " TURN MULTIPLY,
           "never started, or not all of it"},
          {"the_same_part",
           "if (slice + 1 < kSlices) { " LOAD "pipe.start_part(step + 2, 0); } else " TURN MULTIPLY,
           "a part is started twice"},
          {"off_by_one_step",
           "if (slice + 1 < kSlices) { " LOAD
           "pipe.start_part(step + 1, slice); } else " TURN MULTIPLY,
           "a part is started twice"},
          {"nothing_started", "if (slice + 1 < kSlices) { " LOAD "} else " TURN MULTIPLY,
           "never started, or not all of it"},
          {"same_buffer",
           "if (slice + 1 < kSlices) { pipe.load(slice % 2, step, slice + 1); " PART
           "} else " TURN MULTIPLY,
           "a buffer is overwritten before it is multiplied"},
          {"buffers_swapped", INNER TURN "pipe.multiply((slice + 1) % 2);",
           "the fragments of step 0, slice 1 are multiplied"},
          {"this_slice_again",
           "if (slice + 1 < kSlices) { pipe.load((slice + 1) % 2, step, slice); " PART
           "} else " TURN MULTIPLY,
           "the fragments of step 0, slice 0 are multiplied"},
          {"stays_in_the_stage",
           INNER "{ pipe.commit(); pipe.wait<1>(); pipe.barrier(); "
                 "pipe.load((slice + 1) % 2, step, 0); } " MULTIPLY,
           "the fragments of step 0, slice 0 are loaded again"},
          {"load_after_multiply", "pipe.multiply(slice % 2); " INNER TURN,
           "It is right, but no pipeline"},
          {"constant_buffer", INNER TURN "pipe.multiply(0);",
           "the fragments of step 0, slice 2 are multiplied"},
          {"last_slice_forgotten", INNER TURN "if (slice + 1 < kSlices) " MULTIPLY,
           "a buffer is overwritten before it is multiplied"},
          {"only_thread_0",
           "if (slice + 1 < kSlices) { " LOAD "if (threadIdx.x == 0) " PART "} else " TURN MULTIPLY,
           "does something else than thread 0"},
          {"bare_barrier",
           INNER "{ pipe.commit(); pipe.wait<1>(); __syncthreads(); " NEXT "} " MULTIPLY,
           "of a bare __syncthreads() the check knows nothing"},
          {"stage_for_step",
           INNER "{ pipe.commit(); pipe.wait<1>(); pipe.barrier(); "
                 "pipe.load((slice + 1) % 2, (step + 1) % kStages, 0); } " MULTIPLY,
           "at step 2, slice 3, step 0 is loaded again."},
          {"copy_of_a_stage",
           "if (slice + 1 < kSlices) { " LOAD
           "pipe.start_part((step + 2) % kStages, slice); } else " TURN MULTIPLY,
           "at step 1, slice 0, a part is started twice: part 0 of step 0."},
          {"commit_before_the_last_part",
           "if (slice + 1 < kSlices) { " LOAD "if (slice == 2) pipe.commit(); " PART
           "} else { pipe.wait<1>(); pipe.barrier(); " NEXT "} " MULTIPLY,
           "part 2 was started behind the commit of the others"},
          {"part_and_step_exchanged",
           "if (slice + 1 < kSlices) { " LOAD
           "pipe.start_part(slice, step + 2); } else " TURN MULTIPLY,
           "at step 0, slice 0, a part is started twice: part 2 of step 0."},
          {"no_turn_at_the_end",
           INNER
           "{ if (step + 2 < pipe.steps) { pipe.commit(); pipe.wait<1>(); pipe.barrier(); } " NEXT
           "} " MULTIPLY,
           "in the last slice of every step"},
          {"only_warp_0",
           "if (slice + 1 < kSlices) { " LOAD "if (threadIdx.x < 32) " PART "} else " TURN MULTIPLY,
           "Thread 32 does something else than thread 0"},
      },
      {
          {"waits_in_every_slice", INNER TURN "pipe.wait<1>();" MULTIPLY,
           "One thing more: 35 waits and 7 barriers for 7 steps, and one of each a step is enough"},
          {"a_barrier_in_every_slice", INNER TURN "pipe.barrier();" MULTIPLY,
           "One thing more: 7 waits and 35 barriers for 7 steps, and one of each a step is enough"},
          {"a_slice_earlier",
           "pipe.load((slice + 1) % 2, step + (slice + 1) / 4, (slice + 1) % 4);"
           "if (slice < 3) " PART
           "if (slice == 2) { pipe.commit(); pipe.wait<1>(); pipe.barrier(); }" MULTIPLY,
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("07", "The gap is still empty")
TEST_CASE("a right answer to exercise 07 is told what it could do without") {
  exercise().right_answers_pass();
}
TEST_CASE("exercise 07: of a stage that is filled too early the check says what was expected") {
  const Ran ran = exercise().check("race");
  CAPTURE(ran.output);
  CHECK(says(ran, "C is right, but by luck:"));
  CHECK(says(ran, "and a barrier before it is filled again\n"));
}
