// SPDX-License-Identifier: MIT
// Exercise 05 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("05_cp_async");
  return one;
}
}  // namespace

// Worked out here, not by the kernel: A is 16 x K, B has its 16 columns one after the other.
TEST_CASE("exercise 05 in PTX: D is A * B, for any number of tiles") {
  for (const Memories& m : exercise().solved()) {
    const std::size_t length = m[0].size() / 16;
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 16; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < length; ++k)
          sum += m[0][row * length + k] * m[1][col * length + k];
        CHECK(m[2][row * 16 + col] == sum);
      }
  }
}

TEST_CASE("exercise 05 in PTX: other right answers") {
  // First start, then wait: two groups are committed behind the one that is needed.
  exercise().passes(
      "start_first",
      {{"cp.async.wait_group 1;", ""},
       {"cp.async.commit_group;", "cp.async.commit_group;\ncp.async.wait_group 2;\nbar.sync 0;"}});
  // Waits for more than it has to. Nothing is wrong, and less is under way.
  exercise().passes("wait_for_all", R"(
  add.u32 %next, %step, 2;
  rem.u32 %stage, %next, 3;
  mad.lo.u32 %place, %stage, 1536, %to;
  mad.wide.u32 %x, %next, 32, %from;
  cp.async.wait_all;
  bar.sync 0;
  setp.ge.u32 %more, %next, %tiles;
  @%more bra nothing;
  cp.async.ca.shared.global [%place], [%x], 16;
  cp.async.commit_group;
nothing:
)");
}

TEST_CASE("exercise 05 in PTX: waits that are wrong") {
  exercise().fails("one_group_too_many", {{"cp.async.wait_group 1;", "cp.async.wait_group 2;"}},
                   "ldmatrix touches shared memory that the cp.async");
  // The last tiles: no group is committed any more, so the wait leaves the one that is needed.
  exercise().fails("no_empty_groups", {{"cp.async.commit_group;", "@%more cp.async.commit_group;"}},
                   "read from shared memory while a copy to their place is under way");
  exercise().fails("no_commit", {{"cp.async.commit_group;", ""}},
                   "no cp.async.commit_group has put that copy into a group yet");
}

TEST_CASE("exercise 05 in PTX: barriers that are wrong") {
  exercise().fails("no_barrier", {{"bar.sync 0;", ""}},
                   "cp.async overwrites shared memory that was read");
  exercise().fails("barrier_before_wait", R"(
  bar.sync 0;
  cp.async.wait_group 1;
  add.u32 %next, %step, 2;
  rem.u32 %stage, %next, 3;
  mad.lo.u32 %place, %stage, 1536, %to;
  mad.wide.u32 %x, %next, 32, %from;
  setp.lt.u32 %more, %next, %tiles;
  @%more cp.async.cg.shared.global [%place], [%x], 16;
  cp.async.commit_group;
)",
                   "ldmatrix touches shared memory that the cp.async");
  exercise().fails(
      "start_before_barrier",
      {{"cp.async.wait_group 1;\nbar.sync 0;", ""},
       {"cp.async.commit_group;", "cp.async.commit_group;\ncp.async.wait_group 2;\nbar.sync 0;"}},
      "cp.async overwrites shared memory that was read");
}

TEST_CASE("exercise 05 in PTX: tiles that are wrong") {
  exercise().fails("a_tile_too_soon", {{"add.u32 %next, %step, 2;", "add.u32 %next, %step, 3;"}},
                   "uninitialised-shared");
  exercise().fails(
      "beyond_the_last",
      {{"setp.lt.u32 %more, %next, %tiles;\n@%more cp.async.cg.shared.global [%place], [%x], 16;",
        "cp.async.cg.shared.global [%place], [%x], 16;"}},
      "read of 16 bytes at global address");
  // The stage of tile %step, not that of the tile that is started.
  exercise().fails("into_the_stage_in_use",
                   {{"rem.u32 %stage, %next, 3;", "rem.u32 %stage, %step, 3;"}},
                   "cp.async overwrites shared memory that was read");
  exercise().fails("from_the_same_place",
                   {{"mad.wide.u32 %x, %next, 32, %from;", ""},
                    {"@%more cp.async.cg.shared.global [%place], [%x], 16;",
                     "@%more cp.async.cg.shared.global [%place], [%from], 16;"}},
                   "k 0 to 15 of A and B is added twice");
}
