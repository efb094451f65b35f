// SPDX-License-Identifier: MIT
// Exercise 03 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("03_ldmatrix");
  return one;
}
}  // namespace

// Worked out here, not by the kernel: all three lie row after row.
TEST_CASE("exercise 03 in PTX: D is A * B") {
  for (const Memories& m : exercise().solved())
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 16; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < 16; ++k) sum += m[0][row * 16 + k] * m[1][k * 16 + col];
        CHECK(m[2][row * 16 + col] == sum);
      }
}

TEST_CASE("exercise 03 in PTX: other right answers") {
  // Matrix by matrix: of B one at a time.
  exercise().passes("by_matrix", R"(
  and.b32 %row, %lane, 7;
  shr.u32 %half, %lane, 3;
  mov.u32 %at, tileA;
  mad.lo.u32 %at, %row, 48, %at;
  and.b32 %row, %half, 1;
  mad.lo.u32 %at, %row, 384, %at;
  shr.u32 %half, %half, 1;
  mad.lo.u32 %at, %half, 16, %at;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];
  and.b32 %row, %lane, 7;
  mov.u32 %at, tileB;
  mad.lo.u32 %at, %row, 48, %at;
  mad.lo.u32 %at, %warp, 16, %at;
  ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%b0}, [%at];
  ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%b1}, [%at + 384];
)");
  // The blocks of A in another order, and the registers, too.
  exercise().passes("other_order",
                    {{"and.b32 %row, %lane, 15;\nshr.u32 %half, %lane, 4;",
                      "shr.u32 %half, %lane, 3;\nand.b32 %row, %lane, 7;\nand.b32 %at, %half, "
                      "2;\nmad.lo.u32 %row, %at, 4, %row;\nand.b32 %half, %half, 1;"},
                     {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];",
                      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a2, %a1, %a3}, "
                      "[%at];\nand.b32 %row, %lane, 15;"}});
  // All of B's blocks that .x4 can bring: the last two are nobody's.
  exercise().passes(
      "b_x4", {{"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%b0, %b1}, [%at];",
                "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%b0, %b1, %v0, %v1}, [%at];"}});
}

TEST_CASE("exercise 03 in PTX: transposed or not") {
  exercise().fails("b_no_trans",
                   {{"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%b0, %b1}, [%at];",
                     "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%b0, %b1}, [%at];"}},
                   "an ldmatrix has a .trans too many, or too few");
  exercise().fails(
      "a_trans",
      {{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];",
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%a0, %a1, %a2, %a3}, [%at];"}},
      "an ldmatrix has a .trans too many, or too few");
}

TEST_CASE("exercise 03 in PTX: blocks") {
  exercise().fails("blocks",
                   {{"and.b32 %row, %lane, 15;\nshr.u32 %half, %lane, 4;",
                     "and.b32 %row, %lane, 7;\nshr.u32 %at, %lane, 4;\nmad.lo.u32 %row, %at, 8, "
                     "%row;\nshr.u32 %half, %lane, 3;\nand.b32 %half, %half, 1;"},
                    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];",
                     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, "
                     "[%at];\nand.b32 %row, %lane, 15;"}},
                   "registers A.r1 and A.r2 are exchanged");
  exercise().fails("half_missing", {{"mad.lo.u32 %at, %half, 16, %at;", ""}},
                   "the step of 8 columns is missing between registers A.r0, A.r1 and A.r2, A.r3");
  // The row in a block, not in the tile.
  exercise().fails("b_row7",
                   {{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];",
                     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, "
                     "[%at];\nand.b32 %row, %lane, 7;"}},
                   "the step of 8 rows is missing between registers B.r0 and B.r1");
  exercise().fails("no_warp", {{"mad.lo.u32 %at, %warp, 16, %at;", ""}},
                   "D of product 2: D is stored at row 0, column 8; it belongs at row 0, column 0");
}

TEST_CASE("exercise 03 in PTX: addresses") {
  // Elements, not bytes.
  exercise().fails("half_8",
                   {{"mad.lo.u32 %at, %half, 16, %at;", "mad.lo.u32 %at, %half, 8, %at;"}},
                   "is not a multiple of 16");
  // Rows without what lies between them.
  exercise().fails(
      "pitch32",
      {{"mov.u32 %at, tileA;\nmad.lo.u32 %at, %row, 48, %at;",
        "mov.u32 %at, tileA;\nmad.lo.u32 %at, %row, 32, %at;"},
       {"mov.u32 %at, tileB;\nmad.lo.u32 %at, %row, 48, %at;",
        "mov.u32 %at, tileB;\nmad.lo.u32 %at, %row, 32, %at;"}},
      "its rows are read 32 bytes apart in shared memory, they lie 48 bytes apart there");
  // Each lane for itself: right, but not what the task is.
  exercise().fails("by_hand", R"(
  shr.u32 %row, %lane, 2;
  and.b32 %half, %lane, 3;
  mov.u32 %at, tileA;
  mad.lo.u32 %at, %row, 48, %at;
  mad.lo.u32 %at, %half, 4, %at;
  ld.shared.b32 %a0, [%at];
  ld.shared.b32 %a1, [%at + 384];
  ld.shared.b32 %a2, [%at + 16];
  ld.shared.b32 %a3, [%at + 400];
  .reg .b16 %h<4>;
  mov.u32 %at, tileB;
  mad.lo.u32 %at, %half, 96, %at;
  mad.lo.u32 %at, %row, 2, %at;
  mad.lo.u32 %at, %warp, 16, %at;
  ld.shared.b16 %h0, [%at];
  ld.shared.b16 %h1, [%at + 48];
  ld.shared.b16 %h2, [%at + 384];
  ld.shared.b16 %h3, [%at + 432];
  mov.b32 %b0, {%h0, %h1};
  mov.b32 %b1, {%h2, %h3};
)",
                   "the answer has no ldmatrix");
}
