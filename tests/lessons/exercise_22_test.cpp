// SPDX-License-Identifier: MIT
// Exercise 22 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace exercise_22 {
namespace {

#define TAKE "group.take_turn(); "
#define PASS "group.pass_turn(); "
#define FENCE "group.fence(); "
#define SCORES "group.start_scores(); "
#define VALUES "group.start_values(); "
#define FIRST "group.wait_all_but_last(); "
#define ALL "group.wait_all(); "
#define K_FREE "group.release_keys(); "
#define V_FREE "group.release_values(); "
#define SOFTEN "group.soften(); "
#define SHRINK "group.shrink(); "
#define PACK "group.pack(); "
#define BEGIN TAKE FENCE SCORES VALUES PASS
#define END ALL V_FREE SHRINK PACK

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "22_hopper_attention", "attend_on_device",
      {
          {"no_turn", FENCE SCORES VALUES PASS FIRST K_FREE SOFTEN END,
           "the scores were started out of turn"},
          {"late_turn", FENCE SCORES TAKE VALUES PASS FIRST K_FREE SOFTEN END,
           "the scores were started out of turn"},
          {"two_turns", TAKE FENCE SCORES PASS TAKE VALUES PASS FIRST K_FREE SOFTEN END,
           "take_turn were called twice"},
          {"early_pass", TAKE FENCE SCORES PASS VALUES FIRST K_FREE SOFTEN END,
           "the turn were passed on before the values are started"},
          {"never_passed", TAKE FENCE SCORES VALUES FIRST K_FREE SOFTEN END,
           "the turn were never passed on"},
          {"not_taken", PASS FENCE SCORES VALUES FIRST K_FREE SOFTEN END,
           "the turn were passed on and not taken"},
          {"waits_in_turn", TAKE FENCE SCORES VALUES FIRST PASS K_FREE SOFTEN END,
           "the turn were kept while this warpgroup waits"},
          {"softens_in_turn", TAKE FENCE SCORES VALUES FIRST K_FREE SOFTEN PASS END,
           "the turn were kept during the softmax"},
          {"no_fence", TAKE SCORES VALUES PASS FIRST K_FREE SOFTEN END, "wgmma.fence were missing"},
          {"late_fence", TAKE SCORES FENCE VALUES PASS FIRST K_FREE SOFTEN END,
           "wgmma.fence were missing"},
          {"values_first", TAKE FENCE VALUES SCORES PASS FIRST K_FREE SOFTEN END,
           "the values were started first"},
          {"one_after_the_other", TAKE FENCE SCORES ALL K_FREE VALUES PASS SOFTEN END,
           "the scores were waited for before the values are started"},
          {"values_behind", TAKE FENCE SCORES ALL K_FREE SOFTEN VALUES PASS END,
           "the values were started behind the softmax"},
          {"this_blocks_weights",
           TAKE FENCE SCORES ALL K_FREE SOFTEN SHRINK PACK VALUES PASS ALL V_FREE,
           "o shrank while"},
          {"scores_before", SOFTEN BEGIN FIRST K_FREE END,
           "the softmax were made before the scores are started"},
          {"no_wait", BEGIN K_FREE SOFTEN END, "K's stage were given back while"},
          {"unfinished_scores", BEGIN SOFTEN FIRST K_FREE END,
           "the softmax read scores that are still being added up"},
          {"waits_for_all", BEGIN ALL K_FREE SOFTEN V_FREE SHRINK PACK,
           "everything were waited for before the softmax"},
          {"keys_kept", BEGIN FIRST SOFTEN K_FREE END, "K's stage were kept during the softmax"},
          {"early_values", BEGIN FIRST K_FREE V_FREE SOFTEN ALL SHRINK PACK,
           "V's stage were given back while"},
          {"early_shrink", BEGIN FIRST K_FREE SOFTEN SHRINK ALL V_FREE PACK,
           "o shrank while the values are still being added to it"},
          {"stale_shrink", BEGIN FIRST K_FREE SHRINK SOFTEN ALL V_FREE PACK,
           "o shrank by what the block before has found"},
          {"early_pack", BEGIN FIRST K_FREE SOFTEN PACK ALL V_FREE SHRINK,
           "p were written while wgmma still reads the weights before"},
          {"scores_packed", BEGIN FIRST K_FREE PACK SOFTEN ALL V_FREE SHRINK,
           "scores were packed that are no weights yet"},
          {"no_softmax", BEGIN FIRST K_FREE ALL V_FREE, "scores were never made weights"},
          {"no_shrink", BEGIN FIRST K_FREE SOFTEN ALL V_FREE PACK,
           "what was added up before kept its size"},
          {"no_pack", BEGIN FIRST K_FREE SOFTEN ALL V_FREE SHRINK,
           "the next block multiplied the same weights again"},
          {"no_last_wait", BEGIN FIRST K_FREE SOFTEN, "nobody had waited for the values"},
          {"keys_never", BEGIN FIRST SOFTEN END, "K's stage were kept during the softmax"},
          {"values_never", BEGIN FIRST K_FREE SOFTEN ALL SHRINK PACK,
           "a stage of V were never given back"},
          {"no_scores", TAKE FENCE VALUES PASS ALL V_FREE SHRINK PACK,
           "the values were started first"},
          {"no_values", TAKE FENCE SCORES PASS ALL K_FREE SOFTEN, "a product were missing"},
          {"twice", BEGIN FIRST K_FREE SOFTEN SOFTEN END, "soften were called twice"},
          {"in_a_loop", BEGIN "for (int i = 0; i < 50; ++i) " FIRST K_FREE SOFTEN END,
           "It looks as if a call stood in a loop"},
          {"one_thread", BEGIN FIRST "if (threadIdx.x % 128 == 0) " K_FREE SOFTEN END,
           "not all threads did the same"},
          {"group_0", "if (threadIdx.x < 128) { " BEGIN FIRST K_FREE SOFTEN END "}",
           "not all threads did the same"},
      },
      {
          {"fence_first", FENCE TAKE SCORES VALUES PASS FIRST K_FREE SOFTEN END, ""},
          {"pack_first", BEGIN FIRST K_FREE SOFTEN ALL PACK SHRINK V_FREE, ""},
          {"wait_in_vain", TAKE FENCE SCORES FIRST VALUES PASS FIRST K_FREE SOFTEN END, ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("22", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 22") {
  exercise().right_answers_pass();
}

}  // namespace exercise_22
