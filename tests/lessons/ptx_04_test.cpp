// SPDX-License-Identifier: MIT
// Exercise 04 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("04_banks_and_swizzle");
  return one;
}
}  // namespace

// Worked out here, not by the kernel: A and D lie row after row, B column after column.
TEST_CASE("exercise 04 in PTX: D is A * B") {
  for (const Memories& m : exercise().solved())
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 16; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < 64; ++k) sum += m[0][row * 64 + k] * m[1][col * 64 + k];
        CHECK(m[2][row * 16 + col] == sum);
      }
}

TEST_CASE("exercise 04 in PTX: other right answers") {
  // Rotated, row by row.
  exercise().passes("rotated", R"(
  add.u32 %s, %unit, %row;
  and.b32 %s, %s, 7;
  mad.lo.u32 %to, %row, 128, %tile;
  mad.lo.u32 %to, %s, 16, %to;
  add.u32 %s, %lrow, %lunit;
  add.u32 %s, %s, 0;
  and.b32 %s, %s, 7;
  mad.lo.u32 %at0, %lrow, 128, %tile;
  mad.lo.u32 %at0, %s, 16, %at0;
  add.u32 %s, %lrow, %lunit;
  add.u32 %s, %s, 2;
  and.b32 %s, %s, 7;
  mad.lo.u32 %at1, %lrow, 128, %tile;
  mad.lo.u32 %at1, %s, 16, %at1;
  add.u32 %s, %lrow, %lunit;
  add.u32 %s, %s, 4;
  and.b32 %s, %s, 7;
  mad.lo.u32 %at2, %lrow, 128, %tile;
  mad.lo.u32 %at2, %s, 16, %at2;
  add.u32 %s, %lrow, %lunit;
  add.u32 %s, %s, 6;
  and.b32 %s, %s, 7;
  mad.lo.u32 %at3, %lrow, 128, %tile;
  mad.lo.u32 %at3, %s, 16, %at3;
)");
  // The same xor, made of the bits of the address.
  exercise().passes("address_bits", R"(
  mad.lo.u32 %to, %row, 128, %tile;
  mad.lo.u32 %to, %unit, 16, %to;
  mad.lo.u32 %at0, %lrow, 128, %tile;
  mad.lo.u32 %at0, %lunit, 16, %at0;
  add.u32 %at1, %at0, 32;
  add.u32 %at2, %at0, 64;
  add.u32 %at3, %at0, 96;
  and.b32 %s, %to, 0x380;
  shr.u32 %s, %s, 3;
  xor.b32 %to, %to, %s;
  and.b32 %s, %at0, 0x380;
  shr.u32 %s, %s, 3;
  xor.b32 %at0, %at0, %s;
  and.b32 %s, %at1, 0x380;
  shr.u32 %s, %s, 3;
  xor.b32 %at1, %at1, %s;
  and.b32 %s, %at2, 0x380;
  shr.u32 %s, %s, 3;
  xor.b32 %at2, %at2, %s;
  and.b32 %s, %at3, 0x380;
  shr.u32 %s, %s, 3;
  xor.b32 %at3, %at3, %s;
)");
}

TEST_CASE("exercise 04 in PTX: conflicts") {
  exercise().fails("plain", R"(
  mad.lo.u32 %to, %row, 128, %tile;
  mad.lo.u32 %to, %unit, 16, %to;
  mad.lo.u32 %at0, %lrow, 128, %tile;
  mad.lo.u32 %at0, %lunit, 16, %at0;
  add.u32 %at1, %at0, 32;
  add.u32 %at2, %at0, 64;
  add.u32 %at3, %at0, 96;
)",
                   "8.0-way");
  // Rows r and r + 4 meet.
  exercise().fails("row_mod_4",
                   {{"xor.b32 %s, %unit, %row;", "and.b32 %s, %row, 3;\nxor.b32 %s, %s, %unit;"},
                    {"and.b32 %s, %lrow, 7;", "and.b32 %s, %lrow, 3;"}},
                   "2.0-way");
}

TEST_CASE("exercise 04 in PTX: store and load do not agree") {
  exercise().fails(
      "store_only", R"(
  xor.b32 %s, %unit, %row;
  mad.lo.u32 %to, %row, 128, %tile;
  mad.lo.u32 %to, %s, 16, %to;
  mad.lo.u32 %at0, %lrow, 128, %tile;
  mad.lo.u32 %at0, %lunit, 16, %at0;
  add.u32 %at1, %at0, 32;
  add.u32 %at2, %at0, 64;
  add.u32 %at3, %at0, 96;
)",
      "its units of 16 bytes are exchanged as by the 128B swizzle: swizzled on one side only");
  exercise().fails(
      "load_only",
      {{"xor.b32 %s, %unit, %row;", ""},
       {"mad.lo.u32 %to, %s, 16, %to;", "mad.lo.u32 %to, %unit, 16, %to;"}},
      "its units of 16 bytes are exchanged as by the 128B swizzle: swizzled on one side only");
  // The next unit, not the one after it.
  exercise().fails("xor_k1",
                   {{"xor.b32 %at1, %at0, 32;\nxor.b32 %at2, %at0, 64;\nxor.b32 %at3, %at0, 96;",
                     "xor.b32 %at1, %at0, 16;\nxor.b32 %at2, %at0, 32;\nxor.b32 %at3, %at0, 48;"}},
                   "lane 0 names a wrong row to ldmatrix");
}

TEST_CASE("exercise 04 in PTX: out of its row") {
  // From place 6 or 7 it leads into the next row.
  exercise().fails("add_k",
                   {{"xor.b32 %at1, %at0, 32;\nxor.b32 %at2, %at0, 64;\nxor.b32 %at3, %at0, 96;",
                     "add.u32 %at1, %at0, 32;\nadd.u32 %at2, %at0, 64;\nadd.u32 %at3, %at0, 96;"}},
                   "out-of-bounds");
  // Rows 8 to 15 have places 8 to 15.
  exercise().fails(
      "row_not_mod_8",
      {{"and.b32 %s, %lrow, 7;\nxor.b32 %s, %s, %lunit;", "xor.b32 %s, %lrow, %lunit;"}},
      "out-of-bounds");
  // Without conflicts, but there is no room.
  exercise().fails("padding", R"(
  mad.lo.u32 %to, %row, 144, %tile;
  mad.lo.u32 %to, %unit, 16, %to;
  mad.lo.u32 %at0, %lrow, 144, %tile;
  mad.lo.u32 %at0, %lunit, 16, %at0;
  add.u32 %at1, %at0, 32;
  add.u32 %at2, %at0, 64;
  add.u32 %at3, %at0, 96;
)",
                   "out-of-bounds");
  // A place is 16 bytes.
  exercise().fails("bytes",
                   {{"mad.lo.u32 %to, %s, 16, %to;", "mad.lo.u32 %to, %s, 1, %to;"},
                    {"mad.lo.u32 %at0, %s, 16, %at0;", "mad.lo.u32 %at0, %s, 1, %at0;"}},
                   "is not a multiple of 16");
}
