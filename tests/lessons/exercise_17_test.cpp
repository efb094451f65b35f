// SPDX-License-Identifier: MIT
// Exercise 17 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define BITS "const std::uint32_t instruction = 1u << 4 | kN / 8 << 17 | kM / 16 << 24;"
#define START_AT(address, step, add)                                          \
  "for (int step = 0; step < steps; ++step) core.multiply(" address ", " step \
  ", instruction, " add ");"
#define START START_AT("tmem", "step", "step != 0")
#define ONE(what) "if (threadIdx.x == 0) { " what " }"
#define WAIT "core.wait(); core.fence();"
#define MINE "const std::uint32_t mine = tmem + (threadIdx.x / 32 * 32 << 16);"
#define LOADS "core.load(d, 0, mine); core.load(d, 1, mine + 16);"
#define FETCH MINE LOADS "core.wait_load();"
#define FREE "__syncthreads(); if (threadIdx.x < 32) core.dealloc(tmem);"
#define ANSWER(start, rest) BITS ONE(start "core.commit();") rest
#define STARTED(start) ANSWER(start, WAIT FETCH FREE)
#define CODED(bits) \
  "const std::uint32_t instruction = " bits ";" ONE(START "core.commit();") WAIT FETCH FREE
#define WAITED(wait) ANSWER(START, wait FREE)
#define PLACED(mine, first, second)                                                \
  ANSWER(START, WAIT "const std::uint32_t mine = " mine "; core.load(d, 0, " first \
                     "); core.load(d, 1, " second "); core.wait_load();" FREE)
#define LANES(mine) PLACED(mine, "mine", "mine + 16")
#define FREED(free) ANSWER(START, WAIT FETCH free)

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "17_tensor_memory", "multiply_on_device",
      {
          // ---- who starts what
          {"nothing_started", WAIT FETCH FREE, "nothing is multiplied"},
          {"all_start", BITS START "core.commit();" WAIT FETCH FREE,
           "every thread starts the products: each would count 128 times"},
          {"warps_start",
           BITS "if (threadIdx.x % 32 == 0) {" START "core.commit(); }" WAIT FETCH FREE,
           "a thread of every warp starts the products: each would count four times"},
          {"a_step_a_warp",
           BITS
           "const int step = threadIdx.x / 32; if (threadIdx.x % 32 == 0 && step < steps) {"
           "core.multiply(tmem, step, instruction, step != 0); core.commit(); }" WAIT FETCH FREE,
           "4 threads share the steps: nothing puts one's products behind another's"},
          {"a_step_a_thread",
           BITS "const int step = threadIdx.x; if (step < steps) {"
                "core.multiply(tmem, step, instruction, step != 0); } __syncthreads();" ONE(
                    "core.commit();") WAIT FETCH FREE,
           "4 threads share the steps"},
          {"a_warp_starts", BITS "if (threadIdx.x < 32) {" START "core.commit(); }" WAIT FETCH FREE,
           "32 threads start the products"},
          {"columns_of_k", STARTED(START_AT("tmem", "step * 16", "step != 0")),
           "core.multiply is asked for step 16, which is none"},
          {"first_step_only", STARTED("core.multiply(tmem, 0, instruction, 0);"),
           "step 1 is multiplied 0 times"},
          {"first_step_again", STARTED(START_AT("tmem", "0", "step != 0")),
           "step 0 is multiplied 4 times"},
          {"last_step_missing",
           STARTED("for (int step = 0; step < steps - 1 || step == 0; ++step) "
                   "core.multiply(tmem, step, instruction, step != 0);"),
           "step 3 is multiplied 0 times"},
          {"old_sums", STARTED(START_AT("tmem", "step", "1")),
           "the old sums count: add is 1 in the first step, too, and D holds NaN"},
          {"never_added", STARTED(START_AT("tmem", "step", "0")),
           "add is 0 in every step: only the last step is left in D"},
          {"wrong_way_round", STARTED(START_AT("tmem", "step", "step == 0")),
           "add is the wrong way round"},
          {"last_anew", STARTED(START_AT("tmem", "step", "step != 0 && step != steps - 1")),
           "add is 0 in the last step: what the others summed up is forgotten"},
          {"second_anew", STARTED(START_AT("tmem", "step", "step > 1")),
           "add is 0 in a step behind the first: the sums so far are forgotten"},
          {"column_0", STARTED(START_AT("0", "step", "step != 0")),
           "D is not written where alloc answered, but from column 0 on"},
          {"column_a_step", STARTED(START_AT("tmem + step", "step", "step != 0")),
           "D is written at 0x00000021, not at tmem"},
          // ---- what is multiplied
          {"d_f16", CODED("kN / 8 << 17 | kM / 16 << 24"), "D is to be f16: bits 4 and 5 are 0"},
          {"n_undivided", CODED("1u << 4 | kN << 17 | kM / 16 << 24"),
           "N stands undivided in bits 17 to 22: the product is 256 wide"},
          {"n_16", CODED("1u << 4 | kN / 16 << 17 | kM / 16 << 24"), "N is 16: half of N / 8"},
          {"n_64", CODED("1u << 4 | kN / 8 << 18 | kM / 16 << 24"), "N is 64: twice N / 8"},
          {"n_missing", CODED("1u << 4 | kM / 16 << 24"), "N is missing: bits 17 to 22 are 0"},
          {"m_undivided", CODED("1u << 4 | kN / 8 << 17 | 128u << 24"), "M stands undivided"},
          {"both_undivided", CODED("1u << 4 | kN << 17 | 128u << 24"), "M and N stand undivided"},
          {"m_8", CODED("1u << 4 | kN / 8 << 17 | kM / 8 << 24"), "M is 256, for two CTAs"},
          {"m_64", CODED("1u << 4 | kN / 8 << 17 | 64 / 16 << 24"),
           "M is 64: D's lower half is not computed"},
          {"m_missing", CODED("1u << 4 | kN / 8 << 17"), "M is missing: bits 24 to 28 are 0"},
          {"m_and_n", CODED("1u << 4 | kM / 8 << 17 | kN / 16 << 24"),
           "M and N have changed places"},
          {"a_bf16", CODED("1u << 4 | 1u << 7 | kN / 8 << 17 | kM / 16 << 24"),
           "A is to be bf16: bits 7 to 9 are 1"},
          {"both_bf16", CODED("1u << 4 | 1u << 7 | 1u << 10 | kN / 8 << 17 | kM / 16 << 24"),
           "A and B are to be bf16"},
          {"transposed", CODED("1u << 4 | 1u << 15 | kN / 8 << 17 | kM / 16 << 24"),
           "bits set that this product needs not: 0x00008000.\n  What to do: `./learn descriptor "
           "--instruction 0x08088010 --kind f16` says what yours means"},
          // ---- who waits
          {"no_commit", BITS ONE(START) WAIT FETCH FREE, "nothing is committed"},
          {"all_commit", BITS ONE(START) "core.commit();" WAIT FETCH FREE,
           "128 threads commit: the mbarrier counts one arrival"},
          {"other_commits", BITS ONE(START) "if (threadIdx.x == 32) core.commit();" WAIT FETCH FREE,
           "another thread commits than the one that started the products"},
          {"commit_each",
           BITS ONE("for (int step = 0; step < steps; ++step) { core.multiply(tmem, "
                    "step, instruction, step != 0); core.commit(); }") WAIT FETCH FREE,
           "it is committed 4 times: the wait is over with the first"},
          {"commit_first", BITS ONE("core.commit();" START) WAIT FETCH FREE,
           "it is committed before the last step was started"},
          {"wait_first", BITS ONE(START "core.wait(); core.commit();") WAIT FETCH FREE,
           "the thread waits before it has committed: for ever"},
          {"no_wait", WAITED("core.fence();" FETCH),
           "nobody calls core.wait(), and yet all read D"},
          {"one_waits", BITS ONE(START "core.commit(); core.wait();") "core.fence();" FETCH FREE,
           "only 1 of 128 threads calls core.wait(), and yet all read D"},
          {"no_fence", WAITED("core.wait();" FETCH), "nobody calls core.fence()"},
          {"fence_first", WAITED("core.fence(); core.wait();" FETCH),
           "the fence stands before the wait"},
          {"fence_last", WAITED("core.wait();" MINE LOADS "core.fence(); core.wait_load();"),
           "D is loaded before the fence"},
          {"load_first", WAITED(FETCH WAIT), "D is loaded before the wait"},
          {"no_wait_load", WAITED(WAIT MINE LOADS),
           "nobody calls core.wait_load(): a load has only started"},
          {"wait_load_first", WAITED(WAIT MINE "core.wait_load();" LOADS),
           "core.wait_load() comes before the last load"},
          {"wait_load_between",
           WAITED(WAIT MINE "core.load(d, 0, mine); core.wait_load(); core.load(d, 1, mine + 16);"),
           "core.wait_load() comes before the last load"},
          // ---- which lanes, which columns
          {"nothing_loaded", WAITED(WAIT "core.wait_load();"), "nobody calls core.load"},
          {"first_quarter", LANES("tmem"),
           "every warp asks for lanes 0 to 31, which warp 0 alone reaches"},
          {"warp_number", LANES("tmem + (threadIdx.x / 32 << 16)"),
           "the lane is the warp's number, not 32 times that"},
          {"own_address", LANES("tmem + (threadIdx.x << 16)"),
           "every thread gives an address of its own"},
          {"lane_address", LANES("tmem + (threadIdx.x % 32 << 16)"),
           "every lane gives an address of its own"},
          {"as_wgmma", LANES("tmem + (threadIdx.x / 32 * 16 << 16)"),
           "a warp's lanes begin at 16 times its number, as wgmma's rows do"},
          {"lane_in_column", LANES("tmem + threadIdx.x / 32 * 32"),
           "the warp's 32 lanes are added to the column"},
          {"both_in_the_high_half", LANES("tmem + threadIdx.x / 32 * 32 << 16"),
           "lane and column are moved to the high half together: << comes after +"},
          {"halves", LANES("(tmem << 16) + threadIdx.x / 32 * 32"),
           "lane and column have changed halves"},
          {"halves_of_both",
           PLACED("(tmem << 16) + threadIdx.x / 32 * 32", "mine", "mine + (16 << 16)"),
           "lane and column have changed halves, for the second load as well"},
          {"no_tmem", LANES("threadIdx.x / 32 * 32 << 16"), "tmem is not in the address"},
          {"reversed", LANES("tmem + (96 - threadIdx.x / 32 * 32 << 16)"),
           "the warps have changed places"},
          {"same_columns", PLACED("tmem + (threadIdx.x / 32 * 32 << 16)", "mine", "mine"),
           "a column offset is forgotten"},
          {"one_column", PLACED("tmem + (threadIdx.x / 32 * 32 << 16)", "mine", "mine + 1"),
           "the second load begins one column further on"},
          {"32_columns", PLACED("tmem + (threadIdx.x / 32 * 32 << 16)", "mine", "mine + 32"),
           "the second load begins 32 columns further on, behind D"},
          {"bytes", PLACED("tmem + (threadIdx.x / 32 * 32 << 16)", "mine", "mine + 64"),
           "columns are counted in bytes"},
          {"16_lanes", PLACED("tmem + (threadIdx.x / 32 * 32 << 16)", "mine", "mine + (16 << 16)"),
           "the second load begins 16 lanes further down"},
          {"exchanged", PLACED("tmem + (threadIdx.x / 32 * 32 << 16)", "mine + 16", "mine"),
           "d[0] and d[1] have changed places"},
          {"other_half", WAITED(WAIT MINE "core.load(d, 1, mine + 16); core.wait_load();"),
           "d[0] is not loaded by all"},
          {"half", WAITED(WAIT MINE "core.load(d, 0, mine); core.wait_load();"),
           "d[1] is not loaded by all"},
          {"elsewhere", PLACED("tmem + (threadIdx.x / 32 * 32 << 16)", "mine + 8", "mine + 16"),
           "from 0x00000028: lane 0, column 40, not lane 0, column 32"},
          // ---- giving back
          {"kept", FREED(""), "the columns are not given back"},
          {"all_give_back", FREED("__syncthreads(); core.dealloc(tmem);"),
           "every warp gives the columns back"},
          {"one_gives_back", FREED("__syncthreads(); if (threadIdx.x == 0) core.dealloc(tmem);"),
           "1 thread calls core.dealloc: all of one warp do it together"},
          {"too_early", FREED("if (threadIdx.x < 32) core.dealloc(tmem);"),
           "the columns are given back before all warps have read them"},
          {"too_early_and_last", FREED("if (threadIdx.x >= 96) core.dealloc(tmem);"),
           "the columns are given back before all warps have read them"},
          {"too_early_alone", FREED("__syncwarp(); if (threadIdx.x / 32 == 2) core.dealloc(tmem);"),
           "the columns are given back before all warps have read them"},
          {"barrier_of_one_warp",
           FREED("if (threadIdx.x < 32) { __syncthreads(); core.dealloc(tmem); }"),
           "where 32 of 128 threads have arrived"},
          {"waits_for_a_neighbour",
           FREED("if (threadIdx.x < 64) asm volatile(\"bar.sync 2, 64;\");"
                 "if (threadIdx.x < 32) core.dealloc(tmem);"),
           "the columns are given back before all warps have read them"},
          {"waits_for_two",
           FREED("if (threadIdx.x / 32 != 2) asm volatile(\"bar.sync 2, 96;\");"
                 "if (threadIdx.x < 32) core.dealloc(tmem);"),
           "K = 48:\n  expected dealloc behind all 128 wait_load"},
          {"last_waits_for_two",
           FREED("if (threadIdx.x / 32 != 1) asm volatile(\"bar.sync 2, 96;\");"
                 "if (threadIdx.x >= 96) core.dealloc(tmem);"),
           "K = 32:\n  expected dealloc behind all 128 wait_load"},
          {"given_back_twice", FREED(FREE FREE), "the columns are given back twice"},
          {"a_thread_a_warp_gives_back",
           FREED("__syncthreads(); if (threadIdx.x % 32 == 0) core.dealloc(tmem);"),
           "4 threads call core.dealloc: all of one warp do it together"},
          {"wrong_columns", FREED("__syncthreads(); if (threadIdx.x < 32) core.dealloc(0);"),
           "what is given back is 0x00000000, not tmem"},
          // ---- right calls, and yet
          {"bit_5", CODED("1u << 5 | kN / 8 << 17 | kM / 16 << 24"),
           "bits 4 to 5 (D's type) are 2, not 1"},
          {"bits_4_and_5", CODED("3u << 4 | kN / 8 << 17 | kM / 16 << 24"),
           "bits 4 to 5 (D's type) are 3, not 1"},
          {"n_minus_one", CODED("1u << 4 | (kN / 8 - 1) << 17 | kM / 16 << 24"),
           "bits 17 to 22 (N / 8) are 3, not 4"},
          {"column_a_thread", LANES("tmem + threadIdx.x"),
           "thread 1 asks for lane 0, column 33, and thread 0 of its warp for lane 0, column 32"},
          {"column_a_lane", LANES("tmem + (threadIdx.x / 32 * 32 << 16) + threadIdx.x % 32"),
           "all 32 give the same address"},
          {"wait_load_behind_the_barrier",
           ANSWER(START, WAIT MINE LOADS "__syncthreads(); core.wait_load();"
                                         "if (threadIdx.x < 32) core.dealloc(tmem);"),
           "core.wait_load(), __syncthreads(), then"},
          {"part_a_warp",
           WAITED(WAIT MINE "core.load(d, threadIdx.x / 32 % 2, mine); core.wait_load();"),
           "each thread loads one half of its row"},
          {"steps_backwards_add",
           STARTED("for (int step = steps; step-- > 0;) core.multiply(tmem, step, instruction, "
                   "step != 0);"),
           "0 in the step that is started first"},
          {"column_shifted", LANES("(tmem << 16) | (threadIdx.x / 32 * 32 << 16)"),
           "thread 0 loads part 0 from 0x00200000: lane 32, column 0, not lane 0, column 32"},
          {"changed", FREED("d[0][3] += 1;" FREE), "The calls are right"},
      },
      {
          {"fence_before_dealloc",
           ANSWER(START, WAIT FETCH "__syncthreads();"
                                    "if (threadIdx.x < 32) { core.fence(); core.dealloc(tmem); }"),
           ""},
          {"fence_between_loads",
           ANSWER(START, WAIT MINE "core.load(d, 0, mine); core.wait_load(); core.fence();"
                                   "core.load(d, 1, mine + 16); core.wait_load();" FREE),
           "2 core.wait_load() of each thread; one is enough"},
          // The last warp but one starts, from the last step on; part by part; the last one gives
          // back.
          {"other_way_round",
           "const unsigned warp = threadIdx.x >> 5;"
           "if (threadIdx.x == 64) {"
           "  for (int step = steps; step-- > 0;)"
           "    core.multiply(tmem, step, 1 << 4 | 4 << 17 | 8 << 24, step + 1 < steps);"
           "  core.commit(); }"
           "core.wait(); core.fence();"
           "for (int part = 0; part < 2; ++part) {"
           "  core.load(d, part, tmem + part * 16 | warp << 21); core.wait_load(); }"
           "__syncthreads(); if (warp == 3) core.dealloc(tmem);",
           "One thing more: 2 core.wait_load() of each thread; one is enough, behind the last "
           "load"},
          {"waits_twice", WAITED("core.wait();" WAIT FETCH),
           "One thing more: 2 core.wait() of each thread; one is enough"},
          {"fence_twice", WAITED(WAIT "core.fence();" FETCH), ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("17", "The gap is still empty")
TEST_CASE("exercise 17 takes any answer that is right") { exercise().right_answers_pass(); }
