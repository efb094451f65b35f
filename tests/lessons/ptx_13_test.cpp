// SPDX-License-Identifier: MIT
// Exercise 13 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("13_hopper_hgemm");
  return one;
}

const char* const kTells =
    "setp.ge.and.u32 %tells, %step, 2, %lead;\n@%tells mbarrier.arrive.shared.b64 _, [%empty2];";
}  // namespace

// Worked out here, not by the kernel: A is 128 x K, B has its 16 columns one after the other.
TEST_CASE("exercise 13 in PTX: D is A * B, for many rounds and for none") {
  for (const Memories& m : exercise().solved()) {
    const std::size_t length = m[0].size() / 128;
    for (std::size_t row = 0; row < 128; ++row)
      for (std::size_t col = 0; col < 16; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < length; ++k)
          sum += m[0][row * length + k] * m[1][col * length + k];
        CHECK(m[2][row * 16 + col] == sum);
      }
  }
}

TEST_CASE("exercise 13 in PTX: other right answers") {
  // Later than it could.
  exercise().passes("tells_behind_the_wait",
                    {{kTells, ""},
                     {"@!%done bra LANDED;",
                      "@!%done bra LANDED;\nsetp.ge.and.u32 %tells, %step, 2, %lead;\n@%tells "
                      "mbarrier.arrive.shared.b64 _, [%empty2];"}});
  // What it waits for is over then. Nothing is under way meanwhile, and nothing is wrong.
  exercise().passes("nothing_under_way",
                    {{kTells,
                      "wgmma.wait_group.sync.aligned 0;\nsetp.ge.and.u32 %tells, %step, 1, "
                      "%lead;\n@%tells mbarrier.arrive.shared.b64 _, [%empty1];"}});
  // The stage is empty in round 0: who does not ask need not know which parity says so.
  exercise().passes("asks_from_round_1",
                    {{"xor.b32 %t, %parity, 1;\n",
                      "setp.lt.u32 %tells, %step, 4;\n@%tells bra EXPECT;\nxor.b32 %t, %parity, "
                      "1;\n"},
                     {"@!%done bra FREE;", "@!%done bra FREE;\nEXPECT:"}});
  exercise().passes("test_wait",
                    {{"mbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;",
                      "mbarrier.test_wait.parity.shared.b64 %done, [%full], %parity;"}});
  exercise().passes("announces_then_arrives",
                    {{"mbarrier.arrive.expect_tx.shared.b64 _, [%full], 4608;",
                      "mbarrier.expect_tx.relaxed.cta.shared.b64 [%full], 4608;\n"
                      "mbarrier.arrive.shared.b64 _, [%full];"}});
}

TEST_CASE("exercise 13 in PTX: what the producer waits for, and announces") {
  exercise().fails("does_not_wait",
                   {{"FREE:\nmbarrier.try_wait.parity.shared.b64 %done, [%empty], %t;\n@!%done bra "
                     "FREE;\n",
                     ""}},
                   "one arrival more at the mbarrier");
  // As the consumers' of full: of round 0 it waits for ever.
  exercise().fails("same_parity", {{"xor.b32 %t, %parity, 1;", "mov.u32 %t, %parity;"}},
                   "whose phase 0 (parity 0) misses 8 of 8 arrivals");
  exercise().fails("parity_stays", {{"xor.b32 %t, %parity, 1;", "mov.u32 %t, 1;"}},
                   "one arrival more at the mbarrier");
  exercise().fails("asks_once",
                   {{"FREE:\nmbarrier.try_wait.parity.shared.b64 %done, [%empty], %t;\n@!%done bra "
                     "FREE;\n",
                     "mbarrier.test_wait.parity.shared.b64 %done, [%empty], %t;\n"}},
                   "cp.async.bulk overwrites shared memory that was read");
  exercise().fails("waits_for_another_stage", {{"%done, [%empty], %t;", "%done, [%empty1], %t;"}},
                   "whose phase 0 (parity 0) misses 8 of 8 arrivals");
  exercise().fails("bytes_of_a", {{"[%full], 4608;", "[%full], 4096;"}},
                   "and 1024 bytes more have come than were announced");
  exercise().fails("bytes_of_a_stage", {{"[%full], 4608;", "[%full], 5120;"}},
                   "misses 0 of 1 arrivals and 512 bytes");
  exercise().fails("elements", {{"[%full], 4608;", "[%full], 2304;"}},
                   "and 2304 bytes more have come than were announced");
  exercise().fails("announces_nothing",
                   {{"mbarrier.arrive.expect_tx.shared.b64 _, [%full], 4608;",
                     "mbarrier.arrive.shared.b64 _, [%full];"}},
                   "is still filling; wait for the phase of its mbarrier first");
  exercise().fails("does_not_arrive",
                   {{"mbarrier.arrive.expect_tx.shared.b64 _, [%full], 4608;",
                     "mbarrier.expect_tx.relaxed.cta.shared.b64 [%full], 4608;"}},
                   "misses 1 of 1 arrivals and 0 bytes");
}

TEST_CASE("exercise 13 in PTX: what consumers wait for, and tell") {
  exercise().fails("does_not_wait_for_tiles",
                   {{"LANDED:\nmbarrier.try_wait.parity.shared.b64 %done, [%full], "
                     "%parity;\n@!%done bra LANDED;\n",
                     ""}},
                   "A of product 1: it was read before the copy that brings it had landed");
  exercise().fails("other_parity",
                   {{"mbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;",
                     "xor.b32 %t, %parity, 1;\nmbarrier.try_wait.parity.shared.b64 %done, [%full], "
                     "%t;"}},
                   "is still filling; wait for the phase of its mbarrier first");
  exercise().fails("asks_for_tiles_once", {{"@!%done bra LANDED;\n", ""}},
                   "is still filling; wait for the phase of its mbarrier first");
  exercise().fails("tells_nobody", {{kTells, ""}},
                   "whose phase 0 (parity 0) misses 8 of 8 arrivals");
  // Its wgmma may be under way.
  exercise().fails(
      "one_step_too_soon",
      {{kTells,
        "setp.ge.and.u32 %tells, %step, 1, %lead;\n@%tells mbarrier.arrive.shared.b64 _, "
        "[%empty1];"}},
      "cp.async.bulk overwrites shared memory that was read");
  exercise().fails("this_stage", {{kTells, "@%lead mbarrier.arrive.shared.b64 _, [%empty];"}},
                   "cp.async.bulk overwrites shared memory that was read");
  // Steps 0 and 1 have nothing to tell.
  exercise().fails("from_the_first_step_on",
                   {{kTells, "@%lead mbarrier.arrive.shared.b64 _, [%empty2];"}},
                   "whose phase 2 (parity 0) misses 8 of 8 arrivals");
  exercise().fails(
      "from_step_1_on",
      {{"setp.ge.and.u32 %tells, %step, 2, %lead;", "setp.ge.and.u32 %tells, %step, 1, %lead;"}},
      "cp.async.bulk overwrites shared memory that was read");
  exercise().fails("all_threads_tell",
                   {{"setp.ge.and.u32 %tells, %step, 2, %lead;", "setp.ge.u32 %tells, %step, 2;"}},
                   "whose phase 32 (parity 0) misses 8 of 8 arrivals");
  exercise().fails("one_of_each_consumer",
                   {{kTells, "and.b32 %t, %thread, 127;\nsetp.eq.and.u32 %lead, %t, 0, %lead;\n" +
                                 std::string(kTells)}},
                   "whose phase 0 (parity 0) misses 6 of 8 arrivals");
  exercise().fails("tells_full",
                   {{"@%tells mbarrier.arrive.shared.b64 _, [%empty2];",
                     "@%tells mbarrier.arrive.shared.b64 _, [%full];"}},
                   "and need not have seen that the one before it");
}
