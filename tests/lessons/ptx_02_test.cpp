// SPDX-License-Identifier: MIT
// Exercise 02 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("02_data_types");
  return one;
}

// Eight bits of a number, rounded to the nearest, ties to even: as bf16 has it.
double rounded(double number) {
  int exponent = 0;
  const double digits = std::frexp(number, &exponent);  // from 0.5 to 1
  return std::ldexp(std::nearbyint(digits * 256), exponent - 8);
}
}  // namespace

// Worked out here, not by the kernel. In the first launch all numbers are whole and bf16 has them;
// in the second they are not, and the mma rounds the sums, too, but far less.
TEST_CASE("exercise 02 in PTX: D is A * B, of A as bf16") {
  const std::vector<Memories> launches = exercise().solved();
  REQUIRE(launches.size() == 2);
  for (const Memories& m : launches) {
    const bool whole = &m == launches.data();
    double largest = 0;  // how much the rounding of A changes
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 8; ++col) {
        double sum = 0, exact = 0;
        for (std::size_t k = 0; k < 16; ++k) {
          const double a = m[0][row * 16 + k], b = m[1][col * 16 + k];
          sum += rounded(a) * b;
          exact += a * b;
        }
        const double difference = std::abs(m[2][row * 8 + col] - sum);
        CHECK(difference <= (whole ? 0.0 : 2e-5));
        largest = std::max(largest, std::abs(exact - sum));
      }
    CHECK((whole ? largest == 0 : largest > 1e-3));
  }
}

TEST_CASE("exercise 02 in PTX: other right answers") {
  exercise().passes("one_by_one", R"(
  cvt.rn.bf16.f32 %h0, %f0;
  cvt.rn.bf16.f32 %h1, %f1;
  mov.b32 %a0, {%h0, %h1};
  cvt.rn.bf16.f32 %h0, %f2;
  cvt.rn.bf16.f32 %h1, %f3;
  mov.b32 %a1, {%h0, %h1};
  cvt.rn.bf16.f32 %h0, %f4;
  cvt.rn.bf16.f32 %h1, %f5;
  mov.b32 %a2, {%h0, %h1};
  cvt.rn.bf16.f32 %h0, %f6;
  cvt.rn.bf16.f32 %h1, %f7;
  mov.b32 %a3, {%h0, %h1};
)");
  // %a0 rounded by hand: half of the last bit that stays is added, less a bit where that one is 0.
  exercise().passes("by_integers", R"(
  .reg .b32 %low, %high, %odd;
  mov.b32 %low, %f0;
  shr.u32 %odd, %low, 16;
  and.b32 %odd, %odd, 1;
  add.u32 %low, %low, %odd;
  add.u32 %low, %low, 0x7fff;
  mov.b32 %high, %f1;
  shr.u32 %odd, %high, 16;
  and.b32 %odd, %odd, 1;
  add.u32 %high, %high, %odd;
  add.u32 %high, %high, 0x7fff;
  prmt.b32 %a0, %low, %high, 0x7632;
  cvt.rn.bf16x2.f32 %a1, %f3, %f2;
  cvt.rn.bf16x2.f32 %a2, %f5, %f4;
  cvt.rn.bf16x2.f32 %a3, %f7, %f6;
)");
}

TEST_CASE("exercise 02 in PTX: order") {
  // The sources as they come. With B in the same order nobody would notice.
  exercise().fails("order", R"(
  cvt.rn.bf16x2.f32 %a0, %f0, %f1;
  cvt.rn.bf16x2.f32 %a1, %f2, %f3;
  cvt.rn.bf16x2.f32 %a2, %f4, %f5;
  cvt.rn.bf16x2.f32 %a3, %f6, %f7;
)",
                   "the parts of every register are in the opposite order");
  exercise().fails("same_twice", R"(
  cvt.rn.bf16x2.f32 %a0, %f0, %f0;
  cvt.rn.bf16x2.f32 %a1, %f2, %f2;
  cvt.rn.bf16x2.f32 %a2, %f4, %f4;
  cvt.rn.bf16x2.f32 %a3, %f6, %f6;
)",
                   "all parts of a register hold what belongs into .lo");
  exercise().fails("in_order", R"(
  cvt.rn.bf16x2.f32 %a0, %f1, %f0;
  cvt.rn.bf16x2.f32 %a1, %f5, %f4;
  cvt.rn.bf16x2.f32 %a2, %f3, %f2;
  cvt.rn.bf16x2.f32 %a3, %f7, %f6;
)",
                   "registers A.r1 and A.r2 are exchanged");
  // The first four into the low halves, the last four into the high ones.
  exercise().fails("four_apart", R"(
  cvt.rn.bf16x2.f32 %a0, %f4, %f0;
  cvt.rn.bf16x2.f32 %a1, %f5, %f1;
  cvt.rn.bf16x2.f32 %a2, %f6, %f2;
  cvt.rn.bf16x2.f32 %a3, %f7, %f3;
)",
                   "elements are not what the task wants");
}

TEST_CASE("exercise 02 in PTX: what a number becomes") {
  // An f32 is no pair of bf16: the upper half is one of them, the other is what is left.
  exercise().fails("as_loaded", R"(
  mov.b32 %a0, %f0;
  mov.b32 %a1, %f2;
  mov.b32 %a2, %f4;
  mov.b32 %a3, %f6;
)",
                   "its k is in another order than that of B");
  exercise().fails("f16", R"(
  cvt.rn.f16x2.f32 %a0, %f1, %f0;
  cvt.rn.f16x2.f32 %a1, %f3, %f2;
  cvt.rn.f16x2.f32 %a2, %f5, %f4;
  cvt.rn.f16x2.f32 %a3, %f7, %f6;
)",
                   "elements are not what the task wants");
  // Whole numbers have nothing to round: the second launch has others.
  exercise().fails("truncated", R"(
  prmt.b32 %a0, %f0, %f1, 0x7632;
  prmt.b32 %a1, %f2, %f3, 0x7632;
  prmt.b32 %a2, %f4, %f5, 0x7632;
  prmt.b32 %a3, %f6, %f7, 0x7632;
)",
                   "launch 2 of 2");
  exercise().fails("rz", R"(
  cvt.rz.bf16x2.f32 %a0, %f1, %f0;
  cvt.rz.bf16x2.f32 %a1, %f3, %f2;
  cvt.rz.bf16x2.f32 %a2, %f5, %f4;
  cvt.rz.bf16x2.f32 %a3, %f7, %f6;
)",
                   "launch 2 of 2");
}
