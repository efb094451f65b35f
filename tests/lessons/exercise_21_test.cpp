// SPDX-License-Identifier: MIT
// Exercise 21 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

// The solution in pieces: the share, up to the count, the count, up to the loads, the loads, the
// end.
#define FROM_TO(first, end) \
  "for (int step = " first "; step < " end "; ++step) core.multiply(d, step);"
#define SHARE FROM_TO("steps * part / parts", "steps * (part + 1) / parts")
#define STORE "core.store(tile * parts + part, d);"
#define READY "core.fence(); core.barrier();"
#define TELL(what) "if (thread == 0) core.tell(" what ");"
#define COUNT TELL("core.count(tile) == parts - 1")
#define LAST "core.barrier(); if (!core.told()) return;"
#define FENCE "core.fence();"
#define ADD_FROM(first, when) \
  "for (int i = " first "; i < parts; ++i) if (" when ") core.add(sums, tile * parts + i);"
#define ADD ADD_FROM("0", "true")
#define WRITE "core.write(sums);"
#define RESET "if (thread == 0) core.reset(tile);"
#define END ADD WRITE RESET
#define ALL_OF(share) share STORE READY COUNT LAST FENCE END
#define ALL_BUT_SUMS(sums) SHARE STORE READY COUNT LAST FENCE sums

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "21_split_k", "split_on_device",
      {
          // ---- the share
          {"all_steps", ALL_OF(FROM_TO("0", "steps")), "every block multiplies all steps"},
          {"rounded_down",
           ALL_OF(FROM_TO("part * (steps / parts)", "(part + 1) * (steps / parts)")),
           "a share is steps / parts, rounded down: what is left over is nobody's"},
          {"rounded_up",
           "const int each = (steps + parts - 1) / parts;" ALL_OF(
               FROM_TO("part * each", "part * each + each")),
           "rounded up (or + 1), and the last one is not cut off"},
          {"one_longer",
           "const int each = steps / parts + 1;" ALL_OF(
               FROM_TO("part * each", "part * each + each")),
           "rounded up (or + 1), and the last one is not cut off"},
          {"up_to_and_with",
           ALL_OF(
               "for (int step = steps * part / parts; step <= steps * (part + 1) / parts; ++step)"
               "  core.multiply(d, step);"),
           "<= in the place of <"},
          {"late", ALL_OF(FROM_TO("steps * part / parts + 1", "steps * (part + 1) / parts")),
           "a share begins one step too late"},
          {"early", ALL_OF(FROM_TO("steps * part / parts", "steps * (part + 1) / parts - 1")),
           "a share ends one step too early"},
          {"from_part", ALL_OF(FROM_TO("part", "part + steps / parts")),
           "a share begins with step `part`"},
          {"one_step", ALL_OF("core.multiply(d, part);"),
           "a block multiplies one step, its `part`"},
          {"through_all_tiles",
           ALL_OF(FROM_TO("tile * steps + steps * part / parts",
                          "tile * steps + steps * (part + 1) / parts")),
           "the steps are counted through all tiles"},
          {"by_tile", ALL_OF(FROM_TO("steps * tile / parts", "steps * (tile + 1) / parts")),
           "the share is chosen by tile, not by part"},
          {"from_1", ALL_OF(FROM_TO("steps * (part - 1) / parts", "steps * part / parts")),
           "parts are counted from 1"},
          {"all_from_0",
           ALL_OF("for (int step = 0; step < steps; step += parts)"
                  "  core.multiply(d, step);"),
           "every block begins with step 0 and goes on by `parts`"},
          {"part_0_alone", ALL_OF("if (part == 0) " FROM_TO("0", "steps")),
           "part 0 multiplies all steps, the others none"},
          {"rest_to_the_last",
           ALL_OF(FROM_TO("part * (steps / parts)",
                          "(part == parts - 1 ? steps : (part + 1) * (steps / parts))")),
           "the shares are not alike"},
          {"other_steps", ALL_OF(FROM_TO("steps * part / parts", "steps - part")),
           "is multiplied 2 times"},
          {"step_0_by_nobody",
           ALL_OF(FROM_TO("max(1, steps * part / parts)", "steps * (part + 1) / parts")),
           "step 0 of tile 0 is nobody's"},
          {"beyond", ALL_OF(SHARE "if (part == parts - 1) core.multiply(d, steps);"),
           "asks for step 13, which is none"},
          {"warp_1_does_more", ALL_OF(SHARE "if (thread / 32 == 1) core.multiply(d, 0);"),
           "core.multiply is not called by all threads"},
          {"warp_1_does_others",
           ALL_OF(
               FROM_TO("steps * part / parts",
                       "steps * (part + 1) / parts - 1") "core.multiply(d, thread / 32 == 1 ? 0 :"
                                                         "  steps * (part + 1) / parts - 1);"),
           "warp 1 multiplies other steps than warp 0"},
          // ---- the part, and the count
          {"no_store", SHARE READY COUNT LAST FENCE END, "is not stored"},
          {"stored_each_step",
           "for (int step = steps * part / parts; step < steps * (part + 1) / parts; ++step) {"
           "  core.multiply(d, step);" STORE "}" READY COUNT LAST FENCE END,
           "is stored 3 times"},
          {"stored_first", STORE SHARE READY COUNT LAST FENCE END,
           "a part is stored before all of its steps are multiplied"},
          {"place_is_part", SHARE "core.store(part, d);" READY COUNT LAST FENCE END,
           "part 0 of tile 1 is stored where part 0 of tile 0 is"},
          {"tile_and_part", SHARE "core.store(tile + part, d);" READY COUNT LAST FENCE END,
           "part 0 of tile 1 is stored where part 1 of tile 0 is"},
          {"no_place", SHARE "core.store(tile * steps + part, d);" READY COUNT LAST FENCE END,
           "is stored at a place that there is not"},
          {"warp_0_stores", SHARE "if (thread < 32) " STORE READY COUNT LAST FENCE END,
           "core.store is not called by all threads"},
          {"thread_0_stores", SHARE "if (thread == 0) " STORE READY COUNT LAST FENCE END,
           "core.store is not called by all threads"},
          {"first_lanes_store", SHARE "if (thread % 32 == 0) " STORE READY COUNT LAST FENCE END,
           "core.store is not called by all threads"},
          {"no_fence", SHARE STORE "core.barrier();" COUNT LAST FENCE END,
           "no fence stands between the store of a part and the count"},
          {"fence_first", SHARE FENCE STORE "core.barrier();" COUNT LAST FENCE END,
           "the fence stands before the store, not behind it"},
          {"fence_of_thread_0",
           SHARE STORE "if (thread == 0) core.fence(); core.barrier();" COUNT LAST FENCE END,
           "only the stores of warp 0 are fenced before the count"},
          {"fence_of_first_lanes",
           SHARE STORE "if (thread % 32 == 0) core.fence(); core.barrier();" COUNT LAST FENCE END,
           "core.fence is not called by all threads"},
          {"fence_behind_the_count", SHARE STORE "core.barrier();" COUNT FENCE LAST FENCE END,
           "no fence stands between the store of a part and the count"},
          {"no_barrier", SHARE STORE FENCE COUNT LAST FENCE END,
           "no barrier stands between the stores of all threads and the count"},
          {"counted_first", SHARE READY COUNT STORE LAST FENCE END,
           "a block counts itself before its part is stored"},
          {"nobody_counts", SHARE STORE READY TELL("true") LAST FENCE END,
           "a block does not count itself"},
          {"all_count",
           SHARE STORE READY "core.tell(core.count(tile) == parts - 1);" LAST FENCE END,
           "128 threads of a block count"},
          {"warps_count",
           SHARE STORE READY
           "if (thread % 32 == 0) core.tell(core.count(tile) == parts - 1);" LAST FENCE END,
           "4 threads of a block count"},
          {"thread_5_counts",
           SHARE STORE READY
           "if (thread == 5) core.tell(core.count(tile) == parts - 1);" LAST FENCE END,
           "a block is counted by another thread than thread 0"},
          {"one_counter", SHARE STORE READY TELL("core.count(0) == parts - 1") LAST FENCE END,
           "the blocks of both tiles count at the same counter"},
          {"counter_of_part",
           SHARE STORE READY TELL("core.count(part % 2) == parts - 1") LAST FENCE END,
           "the blocks of a tile count at different counters"},
          {"no_counter", SHARE STORE READY TELL("core.count(tile + 1) == parts - 1") LAST FENCE END,
           "a block counts at a counter that there is not"},
          // ---- who is last
          {"not_told", SHARE STORE READY COUNT "core.barrier();" FENCE END,
           "nobody asks core.told()"},
          {"nobody_tells", SHARE STORE READY "if (thread == 0) core.count(tile);" LAST FENCE END,
           "nobody is told whether this block is the last"},
          {"told_without_barrier", SHARE STORE READY COUNT "if (!core.told()) return;" FENCE END,
           "core.told() is asked with no barrier behind core.tell()"},
          {"told_by_thread_0",
           SHARE STORE READY COUNT
           "core.barrier(); if (thread == 0 && !core.told()) return;" FENCE END,
           "core.told is not called by all threads"},
          {"all_tell",
           SHARE STORE READY "bool last = false;"
                             "if (thread == 0) last = core.count(tile) == parts - 1;"
                             "core.tell(last);" LAST FENCE END,
           "other threads tell something else than thread 0"},
          {"parts_before", SHARE STORE READY TELL("core.count(tile) == parts") LAST FENCE END,
           "no block takes itself for the last"},
          {"first_one", SHARE STORE READY TELL("core.count(tile) == 0") LAST FENCE END,
           "4 blocks of a tile take themselves for the last"},
          {"one_early", SHARE STORE READY TELL("core.count(tile) == parts - 2") LAST FENCE END,
           "the block before which 2 came takes itself for the last"},
          {"all_last", SHARE STORE READY TELL("core.count(tile) >= 0") LAST FENCE END,
           "4 blocks of a tile take themselves for the last"},
          {"last_part",
           SHARE STORE READY TELL("(core.count(tile), part == parts - 1)") LAST FENCE END,
           "the block that comes first takes itself for the last"},
          {"all_add",
           SHARE STORE READY COUNT "core.barrier();" FENCE ADD
                                   "if (!core.told()) return;" WRITE RESET,
           "core.add is called by blocks that are not the last"},
          {"all_reset",
           SHARE STORE READY COUNT "core.barrier();" RESET
                                   "if (!core.told()) return;" FENCE ADD WRITE,
           "core.reset is called by blocks that are not the last"},
          // ---- the sum
          {"no_second_fence", SHARE STORE READY COUNT LAST END,
           "no fence stands between the count and the loads of the parts"},
          {"second_fence_late", SHARE STORE READY COUNT LAST ADD FENCE WRITE RESET,
           "no fence stands between the count and the loads of the parts"},
          {"second_fence_of_thread_0",
           SHARE STORE READY COUNT LAST "if (thread == 0) core.fence();" END,
           "no fence stands between the count and the loads of the parts"},
          {"nothing_added", ALL_BUT_SUMS(WRITE RESET), "the last block adds nothing"},
          {"other_tile",
           ALL_BUT_SUMS("for (int i = 0; i < parts; ++i) core.add(sums, i);" WRITE RESET),
           "the last block of tile 1 adds a part of tile 0"},
          {"no_such_place",
           ALL_BUT_SUMS(
               "for (int i = 1; i <= parts; ++i) core.add(sums, (tile + 1) * parts + i);" WRITE
                   RESET),
           "the last block of tile 0 adds a part of tile 1"},
          {"beyond_the_places", ALL_BUT_SUMS("core.add(sums, 2 * parts);" WRITE RESET),
           "a place is added at which nothing is stored"},
          {"part_0_left_out", ALL_BUT_SUMS(ADD_FROM("1", "true") WRITE RESET),
           "part 0 is left out"},
          {"own_left_out", ALL_BUT_SUMS(ADD_FROM("0", "i != part") WRITE RESET),
           "the last block leaves out its own part"},
          {"own_of_registers",
           ALL_BUT_SUMS("for (int n = 0; n < 4; ++n) sums[n] = d[n];" ADD_FROM("0", "i != part")
                            WRITE RESET),
           "the last block takes its own part out of its registers"},
          {"own_twice", ALL_BUT_SUMS("for (int n = 0; n < 4; ++n) sums[n] = d[n];" END),
           "the last block's own part is in D twice"},
          {"own_first",
           ALL_BUT_SUMS("core.add(sums, tile * parts + part);" ADD_FROM("0", "i != part")
                            WRITE RESET),
           "its own part is added out of turn"},
          {"own_last",
           ALL_BUT_SUMS(
               ADD_FROM("0", "i != part") "core.add(sums, tile * parts + part);" WRITE RESET),
           "its own part is added out of turn"},
          {"part_0_twice", ALL_BUT_SUMS("core.add(sums, tile * parts);" END),
           "part 0 is added 2 times"},
          {"backwards",
           ALL_BUT_SUMS(
               "for (int i = parts - 1; i >= 0; --i) core.add(sums, tile * parts + i);" WRITE
                   RESET),
           "the parts are added from the last to the first"},
          {"odd_ones_first",
           ALL_BUT_SUMS(ADD_FROM("0", "i % 2 == 1") ADD_FROM("0", "i % 2 == 0") WRITE RESET),
           "the parts are not added in their order"},
          {"pairs",
           ALL_BUT_SUMS("float more[4] = {};"
                        "for (int i = 0; i < parts; ++i)"
                        "  core.add(i < parts / 2 ? sums : more, tile * parts + i);"
                        "for (int n = 0; n < 4; ++n) sums[n] += more[n];" WRITE RESET),
           "in order, but not one after the other"},
          {"d_is_written", ALL_BUT_SUMS(ADD "core.write(d);" RESET),
           "the last block writes part 3 alone, its own and the last that was added"},
          {"own_alone",
           ALL_BUT_SUMS(ADD "if (part == 0) core.write(d); else core.write(sums);" RESET),
           "the last block writes part 0 alone, its own.\n"},
          {"begun_anew",
           ALL_BUT_SUMS("for (int i = 0; i < parts; ++i) {"
                        "  for (int n = 0; n < 4; ++n) sums[n] = 0;"
                        "  core.add(sums, tile * parts + i); }" WRITE RESET),
           "every core.add goes on with the same sums"},
          {"added_elsewhere",
           ALL_BUT_SUMS(
               "for (int i = 0; i < parts; ++i) core.add(d, tile * parts + i);" WRITE RESET),
           "core.add and core.write want the same four sums"},
          {"written_first", ALL_BUT_SUMS(WRITE ADD RESET),
           "D is written before all parts are added"},
          {"written_too_early",
           ALL_BUT_SUMS("for (int i = 0; i < parts; ++i) {" WRITE
                        "  core.add(sums, tile * parts + i); }" RESET),
           "D is written before all parts are added"},
          {"sums_are_stored",
           SHARE "core.store(tile * parts + part, sums);" READY COUNT LAST FENCE END,
           "zeros are stored, and not what was multiplied"},
          {"multiplied_elsewhere",
           "for (int step = steps * part / parts; step < steps * (part + 1) / parts; ++step)"
           "  core.multiply(sums, step);" STORE READY COUNT LAST FENCE END,
           "zeros are stored, and not what was multiplied"},
          {"stored_plus_one", SHARE "d[0] += 1;" STORE READY COUNT LAST FENCE END,
           "something else is stored than the sum of the block's steps"},
          {"doubled", ALL_BUT_SUMS(ADD "for (int n = 0; n < 4; ++n) sums[n] *= 2;" WRITE RESET),
           "every sum is 2 times what it should be"},
          {"tripled", ALL_BUT_SUMS(ADD "for (int n = 0; n < 4; ++n) sums[n] *= 3;" WRITE RESET),
           "All calls are as they should be, and yet D is wrong"},
          {"not_written", ALL_BUT_SUMS(ADD RESET), "D is not written"},
          {"thread_0_writes", ALL_BUT_SUMS(ADD "if (thread == 0) " WRITE RESET),
           "core.write is not called by all threads"},
          // ---- the next launch
          {"no_reset", ALL_BUT_SUMS(ADD WRITE), "the counter is not set to 0 again"},
          {"reset_of_0", ALL_BUT_SUMS(ADD WRITE "if (thread == 0) core.reset(0);"),
           "another counter is reset than the one that was counted at"},
          {"reset_by_another_thread",
           ALL_BUT_SUMS(ADD WRITE "if (thread == 127) core.reset(1 - tile);"),
           "another counter is reset than the one that was counted at"},
          {"reset_of_none", ALL_BUT_SUMS(ADD WRITE "if (thread == 0) core.reset(part);"),
           "a reset of a counter that there is not"},
          {"reset_first",
           SHARE STORE READY
           "if (thread == 0 && part == parts - 1) core.reset(tile);" COUNT LAST FENCE ADD WRITE,
           "core.reset is called by blocks that are not the last"},
      },
      {
          {"rounded_up_and_cut_off",
           "const int each = (steps + parts - 1) / parts;"
           "for (int i = 0; i < each; ++i)"
           "  if (part * each + i < steps && steps % parts == 0) core.multiply(d, part * each + i);"
           "if (steps % parts != 0)" FROM_TO("steps * part / parts", "steps * (part + 1) / parts")
               STORE READY COUNT LAST FENCE END,
           ""},
          {"every_fourth",
           ALL_OF("for (int step = part; step < steps; step += parts) core.multiply(d, step);"),
           ""},
          {"places_by_part",
           SHARE "core.store(part * 2 + tile, d);" READY COUNT LAST FENCE
                 "for (int i = 0; i < parts; ++i) core.add(sums, i * 2 + tile);" WRITE RESET,
           ""},
          {"fences_of_thread_0",
           SHARE STORE "core.barrier();"
                       "if (thread == 0) { core.fence(); core.tell(core.count(tile) + 1 == parts);"
                       "  core.fence(); }" LAST END,
           ""},
          {"all_fence_before_they_are_told",
           SHARE STORE READY COUNT "core.barrier(); core.fence(); if (!core.told()) return;" END,
           ""},
          {"all_reset_it", ALL_BUT_SUMS(ADD WRITE "core.reset(tile);"), ""},
          {"thread_127_resets_it", ALL_BUT_SUMS(ADD WRITE "if (thread == 127) core.reset(tile);"),
           ""},
          {"told_false_before",
           SHARE STORE "if (thread == 127) core.tell(false);" READY COUNT LAST FENCE END, ""},
          {"reset_when_counted",
           SHARE STORE READY "if (thread == 0) {"
                             "  const bool last = core.count(tile) == parts - 1;"
                             "  if (last) core.reset(tile);"
                             "  core.tell(last); }" LAST FENCE ADD WRITE,
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("21", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 21") {
  exercise().right_answers_pass();
}
