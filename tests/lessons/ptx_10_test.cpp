// SPDX-License-Identifier: MIT
// Exercise 10 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("10_descriptors");
  return one;
}
}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 10 in PTX: D is A * B") {
  for (const Memories& m : exercise().solved())
    for (std::size_t row = 0; row < 64; ++row)
      for (std::size_t col = 0; col < 16; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < 64; ++k) sum += m[0][row * 64 + k] * m[1][col * 64 + k];
        CHECK(m[2][row * 16 + col] == sum);
      }
}

TEST_CASE("exercise 10 in PTX: other right answers") {
  // The step in units of 16 bytes: %k * 2 / 16.
  exercise().passes("in_units", R"(
  shr.u32 %low, %startA, 4;
  shr.u32 %high, %k, 3;
  add.u32 %low, %low, %high;
  mov.b64 %descA, {%low, 0x40000040};
  shr.u32 %low, %startB, 4;
  add.u32 %low, %low, %high;
  mov.b64 %descB, {%low, 0x40000040};
)");
  // 64 bits at once.
  exercise().passes("of_64_bits", R"(
  cvt.u64.u32 %descA, %startA;
  shr.u64 %descA, %descA, 4;
  or.b64 %descA, %descA, 0x4000004000000000;
  cvt.u64.u32 %descB, %startB;
  shr.u64 %descB, %descB, 4;
  or.b64 %descB, %descB, 0x4000004000000000;
  shr.u32 %low, %k, 3;
  mov.b64 %x, {%low, 0};
  add.u64 %descA, %descA, %x;
  add.u64 %descB, %descB, %x;
)");
  // An LBO of 1 unit: it is not read.
  exercise().passes("some_lbo", R"(
  mov.u32 %high, 0x40000040;
  mad.lo.u32 %low, %k, 2, %startA;
  shr.u32 %low, %low, 4;
  or.b32 %low, %low, 0x00010000;
  mov.b64 %descA, {%low, %high};
  mad.lo.u32 %low, %k, 2, %startB;
  shr.u32 %low, %low, 4;
  or.b32 %low, %low, 0x00010000;
  mov.b64 %descB, {%low, %high};
)");
}

TEST_CASE("exercise 10 in PTX: the way along k") {
  exercise().fails("stays",
                   {{"mad.lo.u32 %low, %k, 2, %startA;", "mad.lo.u32 %low, %k, 0, %startA;"},
                    {"mad.lo.u32 %low, %k, 2, %startB;", "mad.lo.u32 %low, %k, 0, %startB;"}},
                   "the descriptor goes on by 0 bytes, it should go on by 32");
  // Elements are not bytes.
  exercise().fails("elements",
                   {{"mad.lo.u32 %low, %k, 2, %startA;", "mad.lo.u32 %low, %k, 1, %startA;"},
                    {"mad.lo.u32 %low, %k, 2, %startB;", "mad.lo.u32 %low, %k, 1, %startB;"}},
                   "the descriptor goes on by 16 bytes, it should go on by 32");
  exercise().fails("b_stays", {{"mad.lo.u32 %low, %k, 2, %startB;", "mov.u32 %low, %startB;"}},
                   "B of product 1: from one wgmma to the next the descriptor goes on by 0 bytes");
  // As if 16 of k were 16 rows further down.
  exercise().fails("down",
                   {{"mad.lo.u32 %low, %k, 2, %startA;", "mad.lo.u32 %low, %k, 128, %startA;"},
                    {"mad.lo.u32 %low, %k, 2, %startB;", "mad.lo.u32 %low, %k, 128, %startB;"}},
                   "the matrix descriptor leads to shared address");
}

TEST_CASE("exercise 10 in PTX: fields") {
  exercise().fails("start_in_bytes", R"(
  mov.u32 %high, 0x40000040;
  mad.lo.u32 %low, %k, 2, %startA;
  mov.b64 %descA, {%low, %high};
  mad.lo.u32 %low, %k, 2, %startB;
  mov.b64 %descB, {%low, %high};
)",
                   "the matrix descriptor leads to shared address");
  exercise().fails("sbo_in_bytes", {{"mov.u32 %high, 0x40000040;", "mov.u32 %high, 0x40000400;"}},
                   "the matrix descriptor leads to shared address");
  // The step from a row to the next.
  exercise().fails("sbo_of_a_row", {{"mov.u32 %high, 0x40000040;", "mov.u32 %high, 0x40000008;"}},
                   "the descriptor's SBO is 128 bytes, it should be 1024");
  exercise().fails("sbo_as_lbo", R"(
  mov.u32 %high, 0x40000000;
  mad.lo.u32 %low, %k, 2, %startA;
  shr.u32 %low, %low, 4;
  or.b32 %low, %low, 0x00400000;
  mov.b64 %descA, {%low, %high};
  mad.lo.u32 %low, %k, 2, %startB;
  shr.u32 %low, %low, 4;
  or.b32 %low, %low, 0x00400000;
  mov.b64 %descB, {%low, %high};
)",
                   "the descriptor's LBO and SBO are exchanged");
  exercise().fails("no_mode", {{"mov.u32 %high, 0x40000040;", "mov.u32 %high, 0x00000040;"}},
                   "the tensor map has swizzle 128B, the descriptor reads none");
  exercise().fails("mode_of_64_bytes",
                   {{"mov.u32 %high, 0x40000040;", "mov.u32 %high, 0x80000040;"}},
                   "the tensor map has swizzle 128B, the descriptor reads 64B");
  exercise().fails("halves_exchanged",
                   {{"mov.b64 %descA, {%low, %high};", "mov.b64 %descA, {%high, %low};"},
                    {"mov.b64 %descB, {%low, %high};", "mov.b64 %descB, {%high, %low};"}},
                   "the matrix descriptor leads to shared address");
  exercise().fails("b_is_a",
                   {{"mad.lo.u32 %low, %k, 2, %startB;", "mad.lo.u32 %low, %k, 2, %startA;"}},
                   "of 1024 elements are not ");
}
