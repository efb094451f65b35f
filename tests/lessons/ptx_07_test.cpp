// SPDX-License-Identifier: MIT
// Exercise 07 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("07_fast_hgemm");
  return one;
}
}  // namespace

// Worked out here, not by the kernel: A is 16 x K, B has its 32 columns one after the other.
TEST_CASE("exercise 07 in PTX: D is A * B, for any number of tiles") {
  for (const Memories& m : exercise().solved()) {
    const std::size_t length = m[0].size() / 16;
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 32; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < length; ++k)
          sum += m[0][row * length + k] * m[1][col * length + k];
        CHECK(m[2][row * 32 + col] == sum);
      }
  }
}

TEST_CASE("exercise 07 in PTX: other right answers") {
  // More waits than there have to be, and less is under way.
  exercise().passes("in_every_slice", {{"@%first cp.async.wait_group 1;\n@%first bar.sync 0;",
                                        "cp.async.wait_group 1;\nbar.sync 0;"}});
  exercise().passes("wait_for_all",
                    {{"@%first cp.async.wait_group 1;", "@%first cp.async.wait_all;"}});
  // The stage begins at a multiple of 64: the bit may be changed behind the addition.
  exercise().passes("swizzled_last", {{"xor.b32 %at, %offsetA, %t;\nadd.u32 %at, %at, %stage;",
                                       "add.u32 %at, %offsetA, %stage;\nxor.b32 %at, %at, %t;"},
                                      {"xor.b32 %at, %offsetB, %t;\nadd.u32 %at, %at, %stage;",
                                       "add.u32 %at, %offsetB, %stage;\nxor.b32 %at, %at, %t;"}});
  exercise().passes("branches", R"(
  setp.ge.u32 %more, %next, %slices;
  @%more bra NONE;
  setp.eq.u32 %first, %half, 1;
  mov.u32 %t, 32;
  @%first bra LOAD;
  mov.u32 %t, 0;
  cp.async.wait_group 1;
  bar.sync 0;
LOAD:
  xor.b32 %at, %offsetB, %t;
  add.u32 %at, %at, %stage;
  ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%m0, %m1}, [%at];
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%m0, %m1, %m2, %m3}, [%at];
  xor.b32 %at, %offsetA, %t;
  add.u32 %at, %at, %stage;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%n0, %n1, %n2, %n3}, [%at];
NONE:
)");
}

TEST_CASE("exercise 07 in PTX: waits and barriers that are wrong") {
  exercise().fails("no_wait", {{"@%first cp.async.wait_group 1;", ""}},
                   "is still filling; wait for it with cp.async.wait_group");
  exercise().fails("one_group_too_many",
                   {{"@%first cp.async.wait_group 1;", "@%first cp.async.wait_group 2;"}},
                   "is still filling; wait for it with cp.async.wait_group");
  exercise().fails("no_barrier", {{"@%first bar.sync 0;", ""}},
                   "cp.async overwrites shared memory that was read");
  exercise().fails("barrier_before_wait",
                   {{"@%first cp.async.wait_group 1;\n@%first bar.sync 0;",
                     "@%first bar.sync 0;\n@%first cp.async.wait_group 1;"}},
                   "ldmatrix reads shared memory that was written at PTX line");
  // When slice 1 of a tile is loaded, not when slice 0 is.
  exercise().fails("in_the_other_half",
                   {{"setp.eq.u32 %first, %half, 0;", "setp.eq.u32 %first, %half, 1;"}},
                   "are read from shared memory while a copy to their place is under way");
  exercise().fails("behind_the_loads",
                   {{"@%first cp.async.wait_group 1;\n@%first bar.sync 0;\n", ""},
                    {"{%m0, %m1, %m2, %m3}, [%at];",
                     "{%m0, %m1, %m2, %m3}, [%at];\n@%first cp.async.wait_group 1;\n@%first "
                     "bar.sync 0;"}},
                   "is still filling; wait for it with cp.async.wait_group");
}

TEST_CASE("exercise 07 in PTX: other fragments") {
  // Not multiplied yet.
  exercise().fails("over_this_slice",
                   {{"{%n0, %n1, %n2, %n3}, [%at];", "{%a0, %a1, %a2, %a3}, [%at];"},
                    {"{%m0, %m1, %m2, %m3}, [%at];", "{%b0, %b1, %b2, %b3}, [%at];"}},
                   "first [0][0]: nan instead of 3");
  exercise().fails("both_halves_alike", {{"shl.b32 %t, %half, 5;", "mov.u32 %t, 0;"}},
                   "k 0 to 15 of A and B is added twice");
  // The swizzle has one unit less far on where the place's bit 1 is set.
  exercise().fails("added",
                   {{"xor.b32 %at, %offsetA, %t;", "add.u32 %at, %offsetA, %t;"},
                    {"xor.b32 %at, %offsetB, %t;", "add.u32 %at, %offsetB, %t;"}},
                   "A of product 5: every row of it is read 32 bytes too far on in shared memory");
  exercise().fails("b_not_swizzled", {{"xor.b32 %at, %offsetB, %t;", "add.u32 %at, %offsetB, %t;"}},
                   "B of product 5: every row of it is read 32 bytes too far on in shared memory");
  exercise().fails("one_unit_on", {{"shl.b32 %t, %half, 5;", "shl.b32 %t, %half, 4;"}},
                   "k 0 to 15 of A and B is added twice");
  exercise().fails("half_of_this_slice",
                   {{"shl.b32 %t, %half, 5;", "xor.b32 %t, %half, 1;\nshl.b32 %t, %t, 5;"}},
                   "k 0 to 15 of A and B is added twice");
  // Of a tile that does not exist.
  exercise().fails("beyond_the_last",
                   {{"setp.lt.u32 %more, %next, %slices;", "setp.le.u32 %more, %next, %slices;"}},
                   "ldmatrix reads shared memory that nothing in this launch has written");
  exercise().fails("a_alone",
                   {{"xor.b32 %at, %offsetB, %t;\nadd.u32 %at, %at, %stage;\n@%more "
                     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%m0, %m1, %m2, %m3}, [%at];",
                     ""}},
                   "first [0][0]: nan instead of 3");
}
