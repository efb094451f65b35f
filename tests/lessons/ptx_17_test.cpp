// SPDX-License-Identifier: MIT
// Exercise 17 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("17_tensor_memory");
  return one;
}
}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 17 in PTX: D is A * B") {
  for (const Memories& m : exercise().solved())
    for (int row = 0; row < 64; ++row)
      for (int col = 0; col < 8; ++col) {
        double sum = 0;
        for (int k = 0; k < 16; ++k) sum += m[0][row * 16 + k] * m[1][col * 16 + k];
        CHECK(m[2][row * 8 + col] == sum);
      }
}

TEST_CASE("exercise 17 in PTX: other right answers") {
  exercise().passes("other_order", R"(
  mad.lo.u32 %mine, %warp, 0x200000, %tmem;
  @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%done];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 0;
  @!%ready bra WAIT;
  tcgen05.fence::after_thread_sync;
  tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];
  tcgen05.wait::ld.sync.aligned;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
)");
  // One thread waits, and the others for it.
  exercise().passes("one_waits", R"(
  @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%done];
  @!%one bra MEET;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 0;
  @!%ready bra WAIT;
MEET:
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
  tcgen05.fence::after_thread_sync;
  shl.b32 %mine, %warp, 21;
  add.u32 %mine, %mine, %tmem;
  tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];
  tcgen05.wait::ld.sync.aligned;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
)");
  exercise().passes("test_wait",
                    {{"mbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 0;",
                      "mbarrier.test_wait.parity.shared::cta.b64 %ready, [%done], 0;"}});
}

TEST_CASE("exercise 17 in PTX: wrong answers, and what is said of them") {
  exercise().fails(
      "no_wait",
      {{"WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 0;\n@!%ready bra WAIT;",
        ""}},
      "wait for the phase of the mbarrier that its tcgen05.commit arrives at");
  // Asked once, and not in a loop.
  exercise().fails("asked_once", {{"WAIT:", ""}, {"@!%ready bra WAIT;", ""}},
                   "wait for the phase of the mbarrier that its tcgen05.commit arrives at");
  exercise().fails("phase_1",
                   {{"mbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 0;",
                     "mbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 1;"}},
                   "wait for the phase of the mbarrier that its tcgen05.commit arrives at");
  exercise().fails(
      "no_commit",
      {{"@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%done];",
        ""}},
      "misses 1 of 1 arrivals");
  // All 128 threads commit.
  exercise().fails(
      "all_commit",
      {{"@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%done];",
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%done];"}},
      "nobody can go on");
  exercise().fails("no_fence", {{"tcgen05.fence::after_thread_sync;", ""}},
                   "comes no tcgen05.fence::after_thread_sync");
  // The fence in front of the wait.
  exercise().fails("fence_before_wait", R"(
  @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%done];
  tcgen05.fence::after_thread_sync;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 0;
  @!%ready bra WAIT;
  mad.lo.u32 %mine, %warp, 0x200000, %tmem;
  tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];
  tcgen05.wait::ld.sync.aligned;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
)",
                   "comes no tcgen05.fence::after_thread_sync");
  exercise().fails("no_wait_ld", {{"tcgen05.wait::ld.sync.aligned;", ""}},
                   "tcgen05.wait::ld must come first");
  // The barrier in front of the load.
  exercise().fails("barrier_before", R"(
  @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%done];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %ready, [%done], 0;
  @!%ready bra WAIT;
  tcgen05.fence::after_thread_sync;
  mad.lo.u32 %mine, %warp, 0x200000, %tmem;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
  tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];
  tcgen05.wait::ld.sync.aligned;
)",
                   "are not allocated");
  exercise().fails("one_warp",
                   {{"tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];",
                     "tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%tmem];"}},
                   "warp 1 of its warpgroup reaches lanes 32 to 63");
  // 32 columns further on instead of 32 lanes.
  exercise().fails(
      "columns",
      {{"mad.lo.u32 %mine, %warp, 0x200000, %tmem;", "mad.lo.u32 %mine, %warp, 32, %tmem;"}},
      "warp 1 of its warpgroup reaches lanes 32 to 63");
  exercise().fails(
      "other_shape",
      {{"tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];",
        "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%d0, %d1, %d2, %d3}, [%mine];"}},
      "the registers of tcgen05.ld.32x32b.x4 are stored as those of tcgen05.ld.16x256b.x1");
  exercise().fails(
      "one_loads",
      {{"tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];",
        "@%one tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%mine];"}},
      "that never come");
}
