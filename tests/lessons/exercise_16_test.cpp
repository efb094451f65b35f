// SPDX-License-Identifier: MIT
// Exercise 16 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define FOR "for (int i = 0; i < 4; ++i) "
#define ADD FOR "sums[i] += d[i];"
#define WAIT "core.commit(); core.wait();"
#define STEPS(before, which, scale_d, when, then)                                            \
  "for (int step = 0; step < steps; ++step) {" before "core.multiply(d, " which ", " scale_d \
  "); if (" when ") { " then " } }"
#define FENCE "core.fence();"
#define ANEW "step % 4 != 0"
#define WHOLE "step % 4 == 3"
#define LAST "step == steps - 1"
#define COMPLETE WHOLE " || " LAST
#define LOOP(scale_d, when, then) STEPS(FENCE, "step", scale_d, when, WAIT then)

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "16_sums", "multiply_on_device",
      {
          {"fence_of_warp_0",
           STEPS("if (step % 4 == 0 && threadIdx.x < 32) core.fence();", "step", ANEW, COMPLETE,
                 WAIT ADD),
           "warp 1 asks core for something else than warp 0"},
          {"elements_of_others",
           LOOP(ANEW, COMPLETE,
                "for (int i = 0; i < 5; ++i) { const float more = d[i]; if (i < 4) sums[i] += "
                "more; }"),
           "trap"},
          {"never", LOOP("step != 0", LAST, ADD), "the sums stay in the tensor core to the end"},
          {"never_anew_at_the_end", LOOP(ANEW, LAST, ADD), "only the last 128 of K are in them"},
          {"not_anew", LOOP("step != 0", COMPLETE, ADD),
           "the tensor core never begins anew: what was moved out is counted again"},
          {"not_begun", LOOP("1", COMPLETE, ADD),
           "what d held before your code is in the sums: it is NaN"},
          {"always_anew", LOOP("0", COMPLETE, ADD), "scale_d is 0 in every step"},
          {"anew_too_early", LOOP("step != 0 && step % 4 != 3", COMPLETE, ADD),
           "scale_d is 0 in the last step of a group instead of the first"},
          {"wrong_way_round", LOOP("step % 4 == 0", COMPLETE, ADD),
           "scale_d is the wrong way round"},
          {"last_group_lost", LOOP(ANEW, WHOLE, ADD),
           "the last group is lost where it is shorter than 128"},
          {"whole_groups",
           "for (int group = 0; group < steps / 4; ++group) { core.fence();"
           "  for (int i = 0; i < 4; ++i) core.multiply(d, group * 4 + i, i != 0);" WAIT ADD "}",
           "the last group is lost where it is shorter than 128"},
          {"too_many_steps",
           "for (int group = 0; group < (steps + 3) / 4; ++group) { core.fence();"
           "  for (int i = 0; i < 4; ++i) core.multiply(d, group * 4 + i, i != 0);" WAIT ADD "}",
           "core.multiply is asked for a step that is none"},
          {"columns", STEPS(FENCE, "step * 32", ANEW, COMPLETE, WAIT ADD),
           "core.multiply is asked for a step that is none"},
          {"whole_group_twice", LOOP(ANEW, WHOLE, ADD) WAIT ADD, "the last group is added twice"},
          {"a_turn_too_many",
           "for (int group = 0; group < steps / 4 + 1; ++group) { core.fence();"
           "  for (int i = 0; i < 4 && group * 4 + i < steps; ++i)"
           "    core.multiply(d, group * 4 + i, i != 0);" WAIT ADD "}",
           "nor in a turn that multiplies nothing"},
          {"last_twice", LOOP(ANEW, COMPLETE, ADD) ADD, "the last group is added twice"},
          {"first_step", LOOP(ANEW, "step % 4 == 0", ADD),
           "d is added after the first step of a group instead of the last"},
          {"every_step", LOOP(ANEW, "true", ADD),
           "d is added after every step, but begins anew only every fourth"},
          {"every_32", LOOP("0", "true", ADD), "the sums move out every 32 of K"},
          {"every_64", LOOP("step % 2 != 0", "step % 2 == 1 || " LAST, ADD),
           "the sums move out every 64 of K"},
          {"every_256", LOOP("step % 8 != 0", "step % 8 == 7 || " LAST, ADD),
           "the sums move out every 256 of K"},
          {"every_96", LOOP("step % 3 != 0", "step % 3 == 2 || " LAST, ADD),
           "the sums move out every 3 steps"},
          {"every_160", LOOP("step % 5 != 0", "step % 5 == 4 || " LAST, ADD),
           "the sums move out every 5 steps"},
          {"before_the_next",
           "for (int step = 0; step < steps; ++step) { if (step % 4 == 0 && step > 0) {" WAIT ADD
           "} core.fence(); core.multiply(d, step, step % 4 != 0); }",
           "the last group is never added"},
          {"set_to_0_once", FOR "d[i] = 0;" LOOP("1", COMPLETE, ADD),
           "the tensor core never begins anew: d was set to 0 once"},
          {"thread_0", LOOP(ANEW, COMPLETE, "if (threadIdx.x == 0)" ADD), "only thread 0 adds"},
          {"replaced", LOOP(ANEW, COMPLETE, FOR "sums[i] = d[i];"),
           "sums is what d was last, not what all groups add up to"},
          {"taken_off", LOOP(ANEW, COMPLETE, FOR "sums[i] -= d[i];"), "d is taken off sums"},
          {"one_sum", LOOP(ANEW, COMPLETE, "sums[0] += d[0];"), "only sums[0] is added to"},
          {"two_sums", LOOP(ANEW, COMPLETE, "for (int i = 0; i < 2; ++i) sums[i] += d[i];"),
           "only sums[0] and sums[1] are added to"},
          {"d_0", LOOP(ANEW, COMPLETE, FOR "sums[i] += d[0];"), "d[0] is added to all four sums"},
          {"first_128", STEPS(FENCE, "step % 4", ANEW, COMPLETE, WAIT ADD),
           "every group multiplies the first 128 of K"},
          {"first_32", STEPS(FENCE, "0", ANEW, COMPLETE, WAIT ADD),
           "step 0 is multiplied again and again"},
          {"one_step_in_four",
           "for (int step = 0; step < steps; step += 4) { core.fence(); core.multiply(d, step, "
           "0);" WAIT ADD "}",
           "step 1 is multiplied 0 times"},
          // Any step or register that no mistake is written down for.
          {"anew_every_third", LOOP("step % 3 != 0", COMPLETE, ADD), "scale_d of step 3 is 0.\n"},
          {"groups_by_division", LOOP("step / 4 != 0", COMPLETE, ADD), "scale_d of step 1 is 0.\n"},
          {"added_every_fifth", LOOP(ANEW, "step % 5 == 4 || " LAST, ADD),
           "d is not added after step 3.\n"},
          {"added_every_second", LOOP(ANEW, "step % 2 == 1 || " LAST, ADD),
           "d is added after step 1.\n"},
          {"backwards", STEPS(FENCE, "steps - 1 - step", ANEW, COMPLETE, WAIT ADD),
           "step 15 is multiplied where step 0 should be.\n"},
          {"sums_backwards", LOOP(ANEW, COMPLETE, FOR "sums[i] += d[3 - i];"),
           "d[3] is added to sums[0], d[2] is added to sums[1], d[1] is added to sums[2], d[0] is "
           "added to sums[3].\n"},
          {"three_sums", LOOP(ANEW, COMPLETE, "for (int i = 0; i < 3; ++i) sums[i] += d[i];"),
           "It looks as if nothing is added to sums[3].\n"},
          {"nothing_added", LOOP(ANEW, COMPLETE, ""), "nothing is added to sums"},
          {"before_the_wait",
           STEPS(FENCE, "step", ANEW, COMPLETE, "core.commit();" ADD "core.wait();"),
           "d is read before the wait"},
          // What is copied before the wait, the compiler adds behind it: D is right.
          {"copied_before_the_wait",
           STEPS(FENCE, "step", ANEW, COMPLETE,
                 "core.commit(); float t[4];" FOR "t[i] = d[i]; core.wait();" FOR
                 "sums[i] += t[i];"),
           "d is read before the wait"},
          {"all_but_the_first_before_the_wait",
           STEPS(FENCE, "step", ANEW, COMPLETE,
                 "core.commit(); for (int i = 1; i < 4; ++i) sums[i] += d[i]; core.wait();"
                 "sums[0] += d[0];"),
           "d is read before the wait"},
          {"sums_of_its_own",
           "float own[4] = {};" STEPS(FENCE, "step", ANEW, COMPLETE,
                                      "core.commit();" FOR "own[i] += d[i]; core.wait();") FOR
           "sums[i] = own[i];",
           "d is read before the wait"},
          {"no_wait", STEPS(FENCE, "step", ANEW, COMPLETE, "core.commit();" ADD),
           "d is read before the wait"},
          {"no_commit", STEPS(FENCE, "step", ANEW, COMPLETE, "core.wait();" ADD),
           "d is read before its group is committed"},
          {"commit_last", STEPS(FENCE, "step", ANEW, COMPLETE, "core.wait(); core.commit();" ADD),
           "d is read before the wait: the one that there is stands before the commit"},
          {"no_fence", STEPS("", "step", ANEW, COMPLETE, WAIT ADD),
           "no fence stands before the first multiply"},
          {"one_fence", "core.fence();" STEPS("", "step", ANEW, COMPLETE, WAIT ADD),
           "no fence stands between reading d and the next multiply"},
          {"waits_each_step", STEPS(FENCE, "step", ANEW, "true", WAIT "if (" COMPLETE ")" ADD),
           "D is right, but there are 16 waits for 16 steps"},
          {"doubled", LOOP(ANEW, COMPLETE, FOR "sums[i] += d[i] * 2;"),
           "every sum is 2 times what it should be"},
          {"mean", LOOP(ANEW, COMPLETE, ADD) FOR "sums[i] /= steps;",
           "every sum is 1/16 of what it should be"},
          {"squared", LOOP(ANEW, COMPLETE, FOR "sums[i] += d[i] * d[i];"),
           "what is added is d * d"},
          {"whole_numbers", LOOP(ANEW, COMPLETE, FOR "sums[i] += static_cast<int>(d[i]);"),
           "what is added is a whole number"},
          {"unknown", LOOP(ANEW, COMPLETE, FOR "sums[i] += d[i] * 3;"),
           "This is not one of the mistakes this check knows"},
      },
      {
          {"groups",
           "for (int first = 0; first < steps; first += 4) { core.fence();"
           "  for (int step = first; step < first + 4 && step < steps; ++step)"
           "    core.multiply(d, step, step > first);" WAIT "for (int i = 3; i >= 0; --i)"
           "    sums[i] = d[i] + sums[i]; }",
           ""},
          {"set_to_0",
           "for (int first = 0; first < steps; first += 4) { " FOR "d[i] = 0; core.fence();"
           "  for (int step = first; step < first + 4 && step < steps; ++step)"
           "    core.multiply(d, step, 1);" WAIT ADD "}",
           ""},
          {"a_group_a_step",
           "for (int step = 0; step < steps; ++step) { core.fence();"
           "  core.multiply(d, step, step & 3); core.commit();"
           "  if (" COMPLETE ") { core.wait();" ADD "} }",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("16", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 16") {
  exercise().right_answers_pass();
}
