// SPDX-License-Identifier: MIT
// Exercise 20 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("20_convolution");
  return one;
}
}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 20 in PTX: D is the convolution") {
  for (const Memories& m : exercise().solved())
    for (int x = 0; x < 16; ++x)
      for (int filter = 0; filter < 8; ++filter) {
        double sum = 0;
        for (int r = 0; r < 3; ++r)
          for (int s = 0; s < 3; ++s)
            for (int c = 0; c < 16; ++c)
              sum += m[0][(2 * r * 20 + x + 2 * s) * 16 + c] *
                     m[1][((filter * 3 + r) * 3 + s) * 16 + c];
        CHECK(m[2][x * 8 + filter] == sum);
      }
}

TEST_CASE("exercise 20 in PTX: other right answers") {
  // Bit 7 of the byte says whether bit 4 is flipped.
  exercise().passes("in_bytes", R"(
  and.b32 %x, %lane, 15;
  and.b32 %unit, %lane, 16;
  mad.lo.u32 %t, %x, 32, %unit;
  mad.lo.u32 %t, %s, 64, %t;
  mad.lo.u32 %t, %r, 1280, %t;
  bfe.u32 %unit, %t, 7, 1;
  shl.b32 %unit, %unit, 4;
  xor.b32 %t, %t, %unit;
  add.u32 %address, %tile, %t;
)");
}

TEST_CASE("exercise 20 in PTX: wrong answers, and what is said of them") {
  exercise().fails("no_swizzle", {{"bfe.u32 %t, %place, 2, 1;\nxor.b32 %unit, %unit, %t;", ""}},
                   "swizzled on one side only");
  // By the row of A, which is the place under tap 0,0 only.
  exercise().fails("swizzled_by_row", {{"bfe.u32 %t, %place, 2, 1;", "bfe.u32 %t, %lane, 2, 1;"}},
                   "lane 2 names a wrong row to ldmatrix: it begins at 2,8 instead of 2,0");
  exercise().fails("swizzled_by_place", {{"bfe.u32 %t, %place, 2, 1;", "and.b32 %t, %place, 1;"}},
                   "lane 1 names a wrong row to ldmatrix: it begins at 1,8 instead of 1,0");
  exercise().fails("r_and_s",
                   {{"mad.lo.u32 %x, %s, 2, %x;\nmad.lo.u32 %place, %r, 40, %x;",
                     "mad.lo.u32 %x, %r, 2, %x;\nmad.lo.u32 %place, %s, 40, %x;"}},
                   "elements are not what the task wants");
  exercise().fails("not_dilated",
                   {{"mad.lo.u32 %x, %s, 2, %x;\nmad.lo.u32 %place, %r, 40, %x;",
                     "mad.lo.u32 %x, %s, 1, %x;\nmad.lo.u32 %place, %r, 20, %x;"}},
                   "elements are not what the task wants");
  // Rows next to each other.
  exercise().fails("not_dilated_rows",
                   {{"mad.lo.u32 %place, %r, 40, %x;", "mad.lo.u32 %place, %r, 20, %x;"}},
                   "elements are not what the task wants");
  // A stride of 2 instead of a dilation.
  exercise().fails("stride", {{"mad.lo.u32 %x, %s, 2, %x;", "mad.lo.u32 %x, %x, 2, %s;"}},
                   "out of bounds");
  exercise().fails("registers",
                   {{"and.b32 %x, %lane, 15;",
                     "and.b32 %x, %lane, 7; shr.u32 %t, %lane, 4; mad.lo.u32 %x, %t, 8, %x;"},
                    {"shr.u32 %unit, %lane, 4;", "bfe.u32 %unit, %lane, 3, 1;"}},
                   "registers A.r1 and A.r2 are exchanged");
  // Rows 0 to 7 twice.
  exercise().fails("eight", {{"and.b32 %x, %lane, 15;", "and.b32 %x, %lane, 7;"}},
                   "the step of 8 rows is missing between registers A.r0, A.r2 and A.r1, A.r3");
  exercise().fails("one_unit", {{"shr.u32 %unit, %lane, 4;", "mov.u32 %unit, 0;"}},
                   "the step of 8 columns is missing between registers A.r0, A.r1 and A.r2, A.r3");
  exercise().fails(
      "no_tile",
      {{"mad.lo.u32 %address, %place, 32, %tile;", "mad.lo.u32 %address, %place, 32, 0;"}},
      "ldmatrix touches the first 1024 bytes of shared memory, which are the system's");
}
