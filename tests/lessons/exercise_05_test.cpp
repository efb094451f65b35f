// SPDX-License-Identifier: MIT
// Exercise 05 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "05_cp_async", "multiply_on_device",
      {
          {"other_barrier", "pipe.wait<1>(); __syncthreads(); pipe.start(step + 2); pipe.commit();",
           "The check sees pipe.barrier() alone, not __syncthreads()."},
          {"other_wait",
           "ptx::cp_async_wait_group<1>(); pipe.barrier(); pipe.start(step + 2); pipe.commit();",
           "The check sees pipe.wait<N>() alone."},
          {"multiplied_twice",
           "pipe.wait<1>(); pipe.barrier(); multiply_tile(pipe, d, step, recorder);"
           "pipe.start(step + 2); pipe.commit();",
           "in step 1, tile 0 is multiplied, not tile 1"},
          {"step_changed", "pipe.wait<1>(); pipe.barrier(); pipe.start(step++ + 2); pipe.commit();",
           "in step 0, tile 1 is multiplied, not tile 0"},
          {"one_too_many", "pipe.wait<2>(); pipe.barrier(); pipe.start(step + 2); pipe.commit();",
           "a tile is read while its copy may still be under way"},
          {"one_too_many_started_first",
           "pipe.start(step + 2); pipe.commit(); pipe.wait<3>(); pipe.barrier();",
           "a tile is read while its copy may still be under way"},
          {"no_wait", "pipe.barrier(); pipe.start(step + 2); pipe.commit();",
           "a tile is read while its copy may still be under way"},
          {"waits_for_all", "pipe.wait<0>(); pipe.barrier(); pipe.start(step + 2); pipe.commit();",
           "let the wait leave more groups under way: a larger N in wait<N>"},
          {"commit_twice",
           "pipe.wait<1>(); pipe.barrier(); pipe.start(step + 2); pipe.commit(); pipe.commit();",
           "a group without a copy is committed"},
          {"no_barrier", "pipe.wait<1>(); pipe.start(step + 2); pipe.commit();",
           "a tile is read that other threads may still be copying"},
          {"barrier_first", "pipe.barrier(); pipe.wait<1>(); pipe.start(step + 2); pipe.commit();",
           "a tile is read that other threads may still be copying"},
          {"race", "pipe.wait<1>(); pipe.start(step + 2); pipe.commit(); pipe.barrier();",
           "in step 1, a stage is filled again while other warps may still read it"},
          {"started_first", "pipe.start(step + 2); pipe.commit(); pipe.wait<1>(); pipe.barrier();",
           "in step 1, a stage is filled again while other warps may still read it"},
          {"no_commit", "pipe.wait<1>(); pipe.barrier(); pipe.start(step + 2);",
           "a copy that is in no group is not waited for"},
          {"commit_before_start",
           "pipe.wait<1>(); pipe.barrier(); pipe.commit(); pipe.start(step + 2);",
           "a copy that is in no group is not waited for"},
          {"no_empty_commit",
           "pipe.wait<1>(); pipe.barrier(); "
           "if (step + 2 < K / 16) { pipe.start(step + 2); pipe.commit(); }",
           "commit() in every step, also where no tile is left to start"},
          {"no_wait_at_the_end",
           "if (step + 2 < K / 16) { pipe.wait<1>(); pipe.barrier(); pipe.start(step + 2); "
           "pipe.commit(); }",
           "the steps before it waited, this one did not"},
          {"off_by_one", "pipe.wait<1>(); pipe.barrier(); pipe.start(step + 1); pipe.commit();",
           "a tile is started twice"},
          {"one_further", "pipe.wait<1>(); pipe.barrier(); pipe.start(step + 3); pipe.commit();",
           "in step 0, a stage is filled again before its tile has been multiplied"},
          {"one_before", "pipe.wait<1>(); pipe.barrier(); pipe.start(step - 1); pipe.commit();",
           "in step 0, tile -1 is started, which there is not"},
          {"one_before_as_told",
           "pipe.wait<1>(); pipe.barrier(); pipe.start(step - 1000); pipe.commit();",
           "commit, wait<1>, barrier, start(-1000), commit, "},
          {"same_tile", "pipe.wait<1>(); pipe.barrier(); pipe.start(2); pipe.commit();",
           "a tile is started twice"},
          {"never_started", "pipe.wait<1>(); pipe.barrier(); pipe.commit();",
           "a tile is multiplied that was never started"},
          {"only_lane_0",
           "if (threadIdx.x == 0) { pipe.wait<1>(); } pipe.barrier(); pipe.start(step + 2); "
           "pipe.commit();",
           "all 128 threads do the same"},
          {"only_warp_0",
           "pipe.wait<1>(); pipe.barrier(); if (threadIdx.x < 32) pipe.start(step + 2); "
           "pipe.commit();",
           "all 128 threads do the same"},
          // Thread 0 does it right; the numbers are, too.
          {"others_start_first",
           "pipe.wait<1>(); if (threadIdx.x > 0) { pipe.start(step + 2); pipe.commit(); }"
           "pipe.barrier(); if (threadIdx.x == 0) { pipe.start(step + 2); pipe.commit(); }",
           "thread 1 does not: in step 1 a stage is filled again while other warps may still read "
           "it"},
          {"start_of_warp_0_alone_behind_the_barrier",
           "pipe.wait<1>(); if (threadIdx.x < 32) { pipe.barrier(); pipe.start(step + 2); }"
           "else { pipe.start(step + 2); pipe.barrier(); } pipe.commit();",
           "thread 32 does not: in step 1 a stage is filled again while other warps may still read "
           "it"},
          {"others_wait_for_all",
           "if (threadIdx.x < 32) pipe.wait<1>(); else pipe.wait<0>();"
           "pipe.barrier(); pipe.start(step + 2); pipe.commit();",
           "it waits for too much"},
          {"others_do_not_wait",
           "if (threadIdx.x < 32) pipe.wait<1>(); pipe.barrier(); pipe.start(step + 2);"
           "pipe.commit();",
           "thread 32 does not: in step 0 a tile is read while its copy may still be under way"},
          {"last_warp_at_no_barrier",
           "pipe.wait<1>(); if (threadIdx.x < 96) pipe.barrier(); pipe.start(step + 2);"
           "pipe.commit();",
           "in step 0 it has come to another barrier than thread 0 when it reads"},
          {"wait_in_the_tail_only",
           "if (step > 5) { pipe.wait<0>(); pipe.barrier(); } pipe.start(step + 2); pipe.commit();",
           "a tile is read while its copy may still be under way"},
      },
      {
          {"one_barrier_too_many",
           "pipe.barrier(); pipe.start(step + 2); pipe.commit(); pipe.wait<2>(); pipe.barrier();",
           "One thing more: 2 barriers in every step, and one is enough"},
          {"two_waits_too_many",
           "pipe.wait<2>(); pipe.wait<1>(); pipe.barrier(); pipe.start(step + 2); pipe.commit();"
           "pipe.wait<2>();",
           "One thing more: 3 waits in every step, and one is enough"},
          {"only_who_copies",
           "if (threadIdx.x < 96) pipe.wait<1>(); pipe.barrier();"
           "if (threadIdx.x < 96) { pipe.start(step + 2); pipe.commit(); }",
           ""},
          {"no_group_at_the_end",
           "if (step + 1 < K / 16) pipe.wait<1>(); else pipe.wait<0>(); pipe.barrier();"
           "if (step + 2 < K / 16) { pipe.start(step + 2); pipe.commit(); }",
           ""},
          {"only_what_there_is",
           "pipe.wait<1>(); pipe.barrier(); if (step + 2 < K / 16) pipe.start(step + 2);"
           "pipe.commit();",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("05", "The gap is still empty")
TEST_CASE("a right answer to exercise 05 is told what it could do without") {
  exercise().right_answers_pass();
}
TEST_CASE("diagnose names the tiles that a wrong answer to exercise 05 read too early") {
  const Ran right = exercise().diagnosed("solution");
  CAPTURE(right.output);
  CHECK(right.status == 0);
  CHECK(says(right, "8 of 12 fragments compared; all are right\n"));
  const Ran early = exercise().diagnosed("one_too_many");
  CAPTURE(early.output);
  CHECK(early.status == 1);
  for (const char* tile : {"A", "B", "A k=16", "B k=32"})
    CHECK(says(early, std::string(tile) + " of launch 0, block 0,0,0, warp 0: " +
                          (tile[0] == 'A' ? "256 of 256" : "128 of 128") +
                          " elements are NaNs, all bits 1: nothing was loaded, or"));
  const Ran never = exercise().diagnosed("never_started");
  CAPTURE(never.output);
  CHECK(says(never, "B k=16 of launch 0, block 0,0,0, warp 0: right, "));
  CHECK(says(never, "A k=32 of launch 0, block 0,0,0, warp 0: 256 of 256 elements are NaNs"));
  const Ran first = exercise().diagnosed("same_tile");
  CAPTURE(first.output);
  CHECK(first.status == 1);
  CHECK(says(first, "A k=48 of launch 0, block 0,0,0, warp 0: it is 3 steps of k behind\n"));
  CHECK(says(first, "B k=48 of launch 0, block 0,0,0, warp 0: it is 3 steps of k behind\n"));
}
TEST_CASE("a right D of exercise 05 is not said to be of a tile that came too late") {
  const Ran lucky = exercise().traced("started_first");
  CAPTURE(lucky.output);
  CHECK(says(lucky, "D is right, but by luck:"));
  CHECK(says(lucky, "and a barrier before its stage is filled again\n"));
  CHECK(says(lucky, "What warp 0 read: ./learn view "));
  CHECK_FALSE(says(lucky, "diagnose"));
  CHECK_FALSE(says(exercise().traced("waits_for_all"), "diagnose"));
  CHECK(says(exercise().traced("one_too_many"),
             "Whether one of the first four tiles came too late: ./learn diagnose "));
}
