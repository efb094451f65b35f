// SPDX-License-Identifier: MIT
// Exercise 22 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("22_hopper_attention");
  return one;
}
}  // namespace

// Worked out here, not by the kernel. m[1] is 64 rows of K, and 64 of V behind them.
TEST_CASE("exercise 22 in PTX: O is weights * V") {
  for (const Memories& m : exercise().solved())
    for (std::size_t query = 0; query < 64; ++query)
      for (std::size_t col = 0; col < 16; ++col) {
        double sum = 0;
        for (std::size_t key = 0; key < 64; ++key) {
          double score = 0;
          for (std::size_t i = 0; i < 16; ++i) score += m[0][query * 16 + i] * m[1][key * 16 + i];
          sum += std::max(score, 0.0) * m[1][(64 + key) * 16 + col];
        }
        CHECK(m[2][query * 16 + col] == sum);
      }
}

TEST_CASE("exercise 22 in PTX: other right answers") {
  // Nothing is under way during the cvt: right, and slower.
  exercise().passes("waits_all",
                    {{"wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 0;"}});
  // What is negative becomes 0 a little earlier.
  exercise().passes(
      "relu",
      {{"cvt.rn.f16x2.f32 %n0, %s1, %s0;\ncvt.rn.f16x2.f32 %n1, %s3, %s2;\ncvt.rn.f16x2.f32 %n2, "
        "%s5, %s4;\ncvt.rn.f16x2.f32 %n3, %s7, %s6;",
        "cvt.rn.relu.f16x2.f32 %n0, %s1, %s0;\ncvt.rn.relu.f16x2.f32 %n1, %s3, "
        "%s2;\ncvt.rn.relu.f16x2.f32 %n2, %s5, %s4;\ncvt.rn.relu.f16x2.f32 %n3, %s7, %s6;"}});
  // One product after the other, each with a fence of its own.
  exercise().passes("one_after", R"(
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
    {%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 0, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  cvt.rn.f16x2.f32 %n0, %s1, %s0;
  cvt.rn.f16x2.f32 %n1, %s3, %s2;
  cvt.rn.f16x2.f32 %n2, %s5, %s4;
  cvt.rn.f16x2.f32 %n3, %s7, %s6;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
    {%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 1;
  wgmma.commit_group.sync.aligned;
)");
  // The scores are 0, and are added to.
  exercise().passes(
      "scores_to_zero",
      {{"wgmma.fence.sync.aligned;",
        "mov.f32 %s0, 0f00000000;\nmov.f32 %s1, 0f00000000;\nmov.f32 %s2, 0f00000000;\nmov.f32 "
        "%s3, 0f00000000;\nmov.f32 %s4, 0f00000000;\nmov.f32 %s5, 0f00000000;\nmov.f32 %s6, "
        "0f00000000;\nmov.f32 %s7, 0f00000000;\nwgmma.fence.sync.aligned;"},
       {"{%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 0, 1, 1, 0, 0;",
        "{%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 1, 1, 1, 0, 0;"}});
}

TEST_CASE("exercise 22 in PTX: registers under way") {
  // Nothing but this group is under way: a wait for all but one waits for nothing.
  exercise().fails("one_group",
                   {{"{%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 0, 1, 1, 0, "
                     "0;\nwgmma.commit_group.sync.aligned;",
                     "{%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 0, 1, 1, 0, 0;"}},
                   "wgmma.wait_group must come first, and cover its group");
  // The wait covers the values.
  exercise().fails("values_first", R"(
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
    {%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 1;
  wgmma.commit_group.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
    {%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 0, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 1;
  cvt.rn.f16x2.f32 %n0, %s1, %s0;
  cvt.rn.f16x2.f32 %n1, %s3, %s2;
  cvt.rn.f16x2.f32 %n2, %s5, %s4;
  cvt.rn.f16x2.f32 %n3, %s7, %s6;
)",
                   "wgmma.wait_group must come first, and cover its group");
  exercise().fails("no_wait", {{"wgmma.wait_group.sync.aligned 1;", ""}},
                   "wgmma.wait_group must come first, and cover its group");
  exercise().fails("waits_for_none",
                   {{"wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 2;"}},
                   "wgmma.wait_group must come first, and cover its group");
  // All but one: the scores' group may be left under way.
  exercise().fails(
      "second_not_committed",
      {{"{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, "
        "1;\nwgmma.commit_group.sync.aligned;",
        "{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 1;"}},
      "wgmma.wait_group must come first, and cover its group");
  exercise().fails("never_committed",
                   {{"wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;",
                     "wgmma.wait_group.sync.aligned 0;"}},
                   "no wgmma.commit_group has followed it");
  // The values still read them.
  exercise().fails("over_the_weights",
                   {{"cvt.rn.f16x2.f32 %n0, %s1, %s0;\ncvt.rn.f16x2.f32 %n1, %s3, "
                     "%s2;\ncvt.rn.f16x2.f32 %n2, %s5, %s4;\ncvt.rn.f16x2.f32 %n3, %s7, %s6;",
                     "cvt.rn.f16x2.f32 %p0, %s1, %s0;\ncvt.rn.f16x2.f32 %p1, %s3, "
                     "%s2;\ncvt.rn.f16x2.f32 %p2, %s5, %s4;\ncvt.rn.f16x2.f32 %p3, %s7, %s6;"}},
                   "wgmma.wait_group must come first, and cover its group");
  exercise().fails(
      "weights_of_n",
      {{"{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 1;",
        "{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%n0, %n1, %n2, %n3}, %descV, 1, 1, 1, 1;"}},
      "wgmma.wait_group must come first, and cover its group");
  exercise().fails("no_fence", {{"wgmma.fence.sync.aligned;", ""}},
                   "wgmma uses registers that were written at PTX line");
}

TEST_CASE("exercise 22 in PTX: other numbers") {
  exercise().fails("adds_to_old_scores",
                   {{"{%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 0, 1, 1, 0, 0;",
                     "{%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 1, 1, 1, 0, 0;"}},
                   "columns 16 to 31 of B are added to the sums of columns 0 to 15");
  exercise().fails(
      "forgets_o",
      {{"{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 1;",
        "{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 0, 1, 1, 1;"}},
      "nothing reads these sums: no wgmma adds to them, and they are not stored");
  exercise().fails(
      "not_transposed",
      {{"{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 1;",
        "{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 0;"}},
      "imm-trans-b is 0, it should be 1");
  exercise().fails(
      "transposes_registers",
      {{"{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 1;",
        "{%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%p0, %p1, %p2, %p3}, %descV, 1, 1, 1, 0, 1;"}},
      "8 operands where 7 should be");
  exercise().fails("halves_exchanged",
                   {{"cvt.rn.f16x2.f32 %n0, %s1, %s0;\ncvt.rn.f16x2.f32 %n1, %s3, "
                     "%s2;\ncvt.rn.f16x2.f32 %n2, %s5, %s4;\ncvt.rn.f16x2.f32 %n3, %s7, %s6;",
                     "cvt.rn.f16x2.f32 %n0, %s0, %s1;\ncvt.rn.f16x2.f32 %n1, %s2, "
                     "%s3;\ncvt.rn.f16x2.f32 %n2, %s4, %s5;\ncvt.rn.f16x2.f32 %n3, %s6, %s7;"}},
                   "elements are not what the task wants");
  // n1 and n2.
  exercise().fails("registers_exchanged",
                   {{"cvt.rn.f16x2.f32 %n1, %s3, %s2;\ncvt.rn.f16x2.f32 %n2, %s5, %s4;",
                     "cvt.rn.f16x2.f32 %n2, %s3, %s2;\ncvt.rn.f16x2.f32 %n1, %s5, %s4;"}},
                   "A[0][8] is made of a score of row 8");
  // With the values of the block before.
  exercise().fails("this_blocks_weights", R"(
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
    {%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7}, %descQ, %descK, 0, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  cvt.rn.f16x2.f32 %n0, %s1, %s0;
  cvt.rn.f16x2.f32 %n1, %s3, %s2;
  cvt.rn.f16x2.f32 %n2, %s5, %s4;
  cvt.rn.f16x2.f32 %n3, %s7, %s6;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
    {%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7}, {%n0, %n1, %n2, %n3}, %descV, 1, 1, 1, 1;
  wgmma.commit_group.sync.aligned;
)",
                   "elements are not what the task wants");
}
