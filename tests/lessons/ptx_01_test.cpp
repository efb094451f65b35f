// SPDX-License-Identifier: MIT
// Exercise 01 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("01_fragment_layout");
  return one;
}
}  // namespace

// Worked out here, not by the kernel: all three lie row after row.
TEST_CASE("exercise 01 in PTX: D is A * B") {
  for (const Memories& m : exercise().solved())
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 8; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < 16; ++k) sum += m[0][row * 16 + k] * m[1][k * 8 + col];
        CHECK(m[2][row * 8 + col] == sum);
      }
}

TEST_CASE("exercise 01 in PTX: another right answer") {
  // Halves put together by shifts and by bytes; elements counted, not bytes.
  exercise().passes("per_row", R"(
  shl.b32 %t, %thread, 1;
  mad.lo.u32 %t, %t, 8, %group;
  mad.wide.u32 %x, %t, 2, %B;
  ld.global.u16 %b0, [%x];
  ld.global.u16 %t, [%x + 16];
  shl.b32 %t, %t, 16;
  or.b32 %b0, %b0, %t;
  ld.global.u16 %b1, [%x + 128];
  ld.global.u16 %t, [%x + 144];
  prmt.b32 %b1, %b1, %t, 0x5410;
)");
}

TEST_CASE("exercise 01 in PTX: halves and registers") {
  exercise().fails("halves",
                   {{"mov.b32 %b0, {%h0, %h1};\nmov.b32 %b1, {%h2, %h3};",
                     "mov.b32 %b0, {%h1, %h0};\nmov.b32 %b1, {%h3, %h2};"}},
                   "the parts of every register are in the opposite order");
  exercise().fails("registers",
                   {{"mov.b32 %b0, {%h0, %h1};\nmov.b32 %b1, {%h2, %h3};",
                     "mov.b32 %b1, {%h0, %h1};\nmov.b32 %b0, {%h2, %h3};"}},
                   "registers B.r0 and B.r1 are exchanged");
  exercise().fails("twice_low",
                   {{"mov.b32 %b0, {%h0, %h1};\nmov.b32 %b1, {%h2, %h3};",
                     "mov.b32 %b0, {%h0, %h0};\nmov.b32 %b1, {%h2, %h2};"}},
                   "all parts of a register hold what belongs into .lo");
  exercise().fails("plus8_missing",
                   {{"ld.global.b16 %h2, [%x + 128];\nld.global.b16 %h3, [%x + 144];",
                     "ld.global.b16 %h2, [%x];\nld.global.b16 %h3, [%x + 16];"}},
                   "the step of 8 rows is missing between registers B.r0 and B.r1");
}

TEST_CASE("exercise 01 in PTX: rows and columns") {
  exercise().fails("one_row", {{"mul.lo.u32 %t, %thread, 32;", "mul.lo.u32 %t, %thread, 16;"}},
                   "from lane to lane of a group of four it goes on by 1 row, not 2 rows");
  exercise().fails("group_thread",
                   {{"mul.lo.u32 %t, %thread, 32;\nmad.lo.u32 %t, %group, 2, %t;",
                     "mul.lo.u32 %t, %group, 32;\nmad.lo.u32 %t, %thread, 2, %t;"}},
                   "out-of-bounds");
  // Two neighbours of a row, from every second byte on.
  exercise().fails("word", R"(
  mul.lo.u32 %t, %thread, 32;
  mad.lo.u32 %t, %group, 2, %t;
  mad.wide.u32 %x, %t, 1, %B;
  ld.global.b32 %b0, [%x];
  ld.global.b32 %b1, [%x + 128];
)",
                   "is not a multiple of 4");
  // As a fragment of A is loaded.
  exercise().fails("as_A", R"(
  mul.lo.u32 %t, %group, 16;
  mad.lo.u32 %t, %thread, 4, %t;
  mad.wide.u32 %x, %t, 1, %B;
  ld.global.b32 %b0, [%x];
  ld.global.b32 %b1, [%x + 128];
)",
                   "elements are not what the task wants");
  // As if B lay column after column: what multiply.ptx does.
  exercise().fails("column_major", R"(
  mul.lo.u32 %t, %group, 32;
  mad.lo.u32 %t, %thread, 4, %t;
  mad.wide.u32 %x, %t, 1, %B;
  ld.global.b32 %b0, [%x];
  ld.global.b32 %b1, [%x + 16];
)",
                   "elements are not what the task wants");
}
