// SPDX-License-Identifier: MIT
// Exercise 09 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("09_wgmma");
  return one;
}
}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 09 in PTX: D is A * B") {
  for (const Memories& m : exercise().solved())
    for (std::size_t row = 0; row < 64; ++row)
      for (std::size_t col = 0; col < 8; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < 32; ++k) sum += m[0][row * 32 + k] * m[1][col * 32 + k];
        CHECK(m[2][row * 8 + col] == sum);
      }
}

TEST_CASE("exercise 09 in PTX: other right answers") {
  // Groups are done in the order of their commits.
  exercise().passes("two_groups", {{"{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;",
                                    "{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, "
                                    "0;\nwgmma.commit_group.sync.aligned;"}});
  // D is 0, and both add to it.
  exercise().passes("zeroed", R"(
  mov.f32 %d0, 0f00000000;
  mov.f32 %d1, 0f00000000;
  mov.f32 %d2, 0f00000000;
  mov.f32 %d3, 0f00000000;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA1, %descB1, 1, 1, 1, 0, 0;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA0, %descB0, 1, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
)");
  // The first is done before the second begins, with a fence of its own.
  exercise().passes("one_after_the_other",
                    {{"{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;",
                      "{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, "
                      "0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned "
                      "0;\nwgmma.fence.sync.aligned;"}});
}

TEST_CASE("exercise 09 in PTX: the two do not name the same registers in the same order") {
  exercise().fails("other_order",
                   {{"{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;",
                     "{%d0, %d2, %d1, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;"}},
                   "has the registers of D in another order than the wgmma at step ");
}

TEST_CASE("exercise 09 in PTX: what was stored is not there yet") {
  exercise().fails("no_proxy_fence", {{"fence.proxy.async.shared::cta;", ""}},
                   "the threads that stored it need fence.proxy.async before the barrier");
  exercise().fails("no_barrier", {{"bar.sync 0;", ""}},
                   "wgmma reads shared memory that was written at PTX line");
}

TEST_CASE("exercise 09 in PTX: the registers of D") {
  exercise().fails("no_wgmma_fence", {{"wgmma.fence.sync.aligned;", ""}},
                   "no wgmma.fence has come before it");
  // It belongs in front of the first one.
  exercise().fails(
      "fence_between",
      {{"wgmma.fence.sync.aligned;", ""},
       {"{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;",
        "{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;\nwgmma.fence.sync.aligned;"}},
      "no wgmma.fence has come before it");
  exercise().fails("no_commit", {{"wgmma.commit_group.sync.aligned;", ""}},
                   "no wgmma.commit_group has followed it");
  exercise().fails("commit_between", R"(
  fence.proxy.async.shared::cta;
  bar.sync 0;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA1, %descB1, 1, 1, 1, 0, 0;
  wgmma.wait_group.sync.aligned 0;
)",
                   "no wgmma.commit_group has followed it");
  exercise().fails("no_wait", {{"wgmma.wait_group.sync.aligned 0;", ""}},
                   "wgmma.wait_group must come first, and cover its group");
  // One group may still be under way: this one.
  exercise().fails("wait_1",
                   {{"wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned 1;"}},
                   "wgmma.wait_group must come first, and cover its group");
  exercise().fails("wait_before_commit", R"(
  fence.proxy.async.shared::cta;
  bar.sync 0;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA1, %descB1, 1, 1, 1, 0, 0;
  wgmma.wait_group.sync.aligned 0;
  wgmma.commit_group.sync.aligned;
)",
                   "wgmma.wait_group must come first, and cover its group");
}

TEST_CASE("exercise 09 in PTX: other numbers") {
  // NaN, and what comes is added to it.
  exercise().fails("adds_to_nan",
                   {{"{%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;",
                     "{%d0, %d1, %d2, %d3}, %descA0, %descB0, 1, 1, 1, 0, 0;"}},
                   "first [0][0]: nan instead of");
  // The second one forgets the first.
  exercise().fails(
      "forgets",
      {{"{%d0, %d1, %d2, %d3}, %descA1, %descB1, 1, 1, 1, 0, 0;",
        "{%d0, %d1, %d2, %d3}, %descA1, %descB1, 0, 1, 1, 0, 0;"}},
      "D of product 1: the wgmma before it has written to the same registers, and this one "
      "begins anew: its scale-d is 0");
  exercise().fails("forgets_behind_a_wait", R"(
  fence.proxy.async.shared::cta;
  bar.sync 0;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA0, %descB0, 0, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    {%d0, %d1, %d2, %d3}, %descA1, %descB1, 0, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
)",
                   "D of product 1: nothing reads these sums: no wgmma adds to them, and they are "
                   "not stored");
  exercise().fails("crossed",
                   {{"{%d0, %d1, %d2, %d3}, %descA1, %descB1, 1, 1, 1, 0, 0;",
                     "{%d0, %d1, %d2, %d3}, %descA1, %descB0, 1, 1, 1, 0, 0;"}},
                   "B of product 1: from one wgmma to the next the descriptor goes on by 0 bytes, "
                   "it should go on by 256");
}
