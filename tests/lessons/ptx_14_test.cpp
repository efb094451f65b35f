// SPDX-License-Identifier: MIT
// Exercise 14 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("14_attention");
  return one;
}
}  // namespace

// Worked out here, not by the kernel: O[query] is the sum of all rows of V, each times its score.
// f16 has every score exactly.
TEST_CASE("exercise 14 in PTX: O is (Q * K^T) * V") {
  for (const Memories& m : exercise().solved())
    for (int query = 0; query < 16; ++query)
      for (int col = 0; col < 8; ++col) {
        double sum = 0;
        for (int key = 0; key < 32; ++key) {
          double score = 0;
          for (int k = 0; k < 16; ++k) score += m[0][query * 16 + k] * m[1][key * 16 + k];
          CHECK(score <= 2048);
          CHECK(score >= -2048);
          sum += score * m[2][key * 8 + col];
        }
        CHECK(m[3][query * 8 + col] == sum);
      }
}

TEST_CASE("exercise 14 in PTX: other right answers") {
  // Each score by itself, and both put together; the low half first, as mov.b32 wants it.
  exercise().passes("one_at_a_time", R"(
  cvt.rn.f16.f32 %low, %s0;
  cvt.rn.f16.f32 %high, %s1;
  mov.b32 %a0, {%low, %high};
  cvt.rn.f16.f32 %low, %s2;
  cvt.rn.f16.f32 %high, %s3;
  mov.b32 %a1, {%low, %high};
  cvt.rn.f16.f32 %low, %s4;
  cvt.rn.f16.f32 %high, %s5;
  mov.b32 %a2, {%low, %high};
  cvt.rn.f16.f32 %low, %s6;
  cvt.rn.f16.f32 %high, %s7;
  mov.b32 %a3, {%low, %high};
  cvt.rn.f16.f32 %low, %s8;
  cvt.rn.f16.f32 %high, %s9;
  mov.b32 %a4, {%low, %high};
  cvt.rn.f16.f32 %low, %s10;
  cvt.rn.f16.f32 %high, %s11;
  mov.b32 %a5, {%low, %high};
  cvt.rn.f16.f32 %low, %s12;
  cvt.rn.f16.f32 %high, %s13;
  mov.b32 %a6, {%low, %high};
  cvt.rn.f16.f32 %low, %s14;
  cvt.rn.f16.f32 %high, %s15;
  mov.b32 %a7, {%low, %high};
)");
  exercise().passes("from_the_end", R"(
  cvt.rn.f16x2.f32 %a7, %s15, %s14;
  cvt.rn.f16x2.f32 %a6, %s13, %s12;
  cvt.rn.f16x2.f32 %a5, %s11, %s10;
  cvt.rn.f16x2.f32 %a4, %s9, %s8;
  cvt.rn.f16x2.f32 %a3, %s7, %s6;
  cvt.rn.f16x2.f32 %a2, %s5, %s4;
  cvt.rn.f16x2.f32 %a1, %s3, %s2;
  cvt.rn.f16x2.f32 %a0, %s1, %s0;
)");
}

TEST_CASE("exercise 14 in PTX: halves that are wrong") {
  // The first source is the upper half.
  exercise().fails("halves_exchanged", R"(
  cvt.rn.f16x2.f32 %a0, %s0, %s1;
  cvt.rn.f16x2.f32 %a1, %s2, %s3;
  cvt.rn.f16x2.f32 %a2, %s4, %s5;
  cvt.rn.f16x2.f32 %a3, %s6, %s7;
  cvt.rn.f16x2.f32 %a4, %s8, %s9;
  cvt.rn.f16x2.f32 %a5, %s10, %s11;
  cvt.rn.f16x2.f32 %a6, %s12, %s13;
  cvt.rn.f16x2.f32 %a7, %s14, %s15;
)",
                   "A[0][0] is made of the score of column 1, and meets row 0 of B");
  exercise().fails("one_score_twice", R"(
  cvt.rn.f16x2.f32 %a0, %s0, %s0;
  cvt.rn.f16x2.f32 %a1, %s2, %s2;
  cvt.rn.f16x2.f32 %a2, %s4, %s4;
  cvt.rn.f16x2.f32 %a3, %s6, %s6;
  cvt.rn.f16x2.f32 %a4, %s8, %s8;
  cvt.rn.f16x2.f32 %a5, %s10, %s10;
  cvt.rn.f16x2.f32 %a6, %s12, %s12;
  cvt.rn.f16x2.f32 %a7, %s14, %s14;
)",
                   "A[0][1] is made of the score of column 0, and meets row 1 of B");
  // The two rows of a column instead of the two columns of a row.
  exercise().fails("rows_as_halves", R"(
  cvt.rn.f16x2.f32 %a0, %s2, %s0;
  cvt.rn.f16x2.f32 %a1, %s3, %s1;
  cvt.rn.f16x2.f32 %a2, %s6, %s4;
  cvt.rn.f16x2.f32 %a3, %s7, %s5;
  cvt.rn.f16x2.f32 %a4, %s10, %s8;
  cvt.rn.f16x2.f32 %a5, %s11, %s9;
  cvt.rn.f16x2.f32 %a6, %s14, %s12;
  cvt.rn.f16x2.f32 %a7, %s15, %s13;
)",
                   "A[0][1] is made of a score of row 8");
  // Two fragments of D in one register.
  exercise().fails("keys_as_halves", R"(
  cvt.rn.f16x2.f32 %a0, %s4, %s0;
  cvt.rn.f16x2.f32 %a1, %s6, %s2;
  cvt.rn.f16x2.f32 %a2, %s5, %s1;
  cvt.rn.f16x2.f32 %a3, %s7, %s3;
  cvt.rn.f16x2.f32 %a4, %s12, %s8;
  cvt.rn.f16x2.f32 %a5, %s14, %s10;
  cvt.rn.f16x2.f32 %a6, %s13, %s9;
  cvt.rn.f16x2.f32 %a7, %s15, %s11;
)",
                   "A[0][1] is made of the score of column 8, and meets row 1 of B");
}

TEST_CASE("exercise 14 in PTX: registers that are wrong") {
  exercise().fails("a1_and_a2_exchanged", R"(
  cvt.rn.f16x2.f32 %a0, %s1, %s0;
  cvt.rn.f16x2.f32 %a1, %s5, %s4;
  cvt.rn.f16x2.f32 %a2, %s3, %s2;
  cvt.rn.f16x2.f32 %a3, %s7, %s6;
  cvt.rn.f16x2.f32 %a4, %s9, %s8;
  cvt.rn.f16x2.f32 %a5, %s13, %s12;
  cvt.rn.f16x2.f32 %a6, %s11, %s10;
  cvt.rn.f16x2.f32 %a7, %s15, %s14;
)",
                   "A[0][8] is made of a score of row 8");
  exercise().fails("first_keys_twice", R"(
  cvt.rn.f16x2.f32 %a0, %s1, %s0;
  cvt.rn.f16x2.f32 %a1, %s3, %s2;
  cvt.rn.f16x2.f32 %a2, %s5, %s4;
  cvt.rn.f16x2.f32 %a3, %s7, %s6;
  cvt.rn.f16x2.f32 %a4, %s1, %s0;
  cvt.rn.f16x2.f32 %a5, %s3, %s2;
  cvt.rn.f16x2.f32 %a6, %s5, %s4;
  cvt.rn.f16x2.f32 %a7, %s7, %s6;
)",
                   "A[0][0] is made of the score of column 0, and meets row 16 of B");
  exercise().fails("fragments_exchanged", R"(
  cvt.rn.f16x2.f32 %a0, %s9, %s8;
  cvt.rn.f16x2.f32 %a1, %s11, %s10;
  cvt.rn.f16x2.f32 %a2, %s13, %s12;
  cvt.rn.f16x2.f32 %a3, %s15, %s14;
  cvt.rn.f16x2.f32 %a4, %s1, %s0;
  cvt.rn.f16x2.f32 %a5, %s3, %s2;
  cvt.rn.f16x2.f32 %a6, %s5, %s4;
  cvt.rn.f16x2.f32 %a7, %s7, %s6;
)",
                   "A[0][0] is made of the score of column 16, and meets row 0 of B");
  // Fragments of D 0 and 2, then 1 and 3.
  exercise().fails("every_other_fragment", R"(
  cvt.rn.f16x2.f32 %a0, %s1, %s0;
  cvt.rn.f16x2.f32 %a1, %s3, %s2;
  cvt.rn.f16x2.f32 %a2, %s9, %s8;
  cvt.rn.f16x2.f32 %a3, %s11, %s10;
  cvt.rn.f16x2.f32 %a4, %s5, %s4;
  cvt.rn.f16x2.f32 %a5, %s7, %s6;
  cvt.rn.f16x2.f32 %a6, %s13, %s12;
  cvt.rn.f16x2.f32 %a7, %s15, %s14;
)",
                   "A[0][8] is made of the score of column 16, and meets row 8 of B");
  exercise().fails("eight_keys_twice", R"(
  cvt.rn.f16x2.f32 %a0, %s1, %s0;
  cvt.rn.f16x2.f32 %a1, %s3, %s2;
  cvt.rn.f16x2.f32 %a2, %s1, %s0;
  cvt.rn.f16x2.f32 %a3, %s3, %s2;
  cvt.rn.f16x2.f32 %a4, %s9, %s8;
  cvt.rn.f16x2.f32 %a5, %s11, %s10;
  cvt.rn.f16x2.f32 %a6, %s9, %s8;
  cvt.rn.f16x2.f32 %a7, %s11, %s10;
)",
                   "A[0][8] is made of the score of column 0, and meets row 8 of B");
  exercise().fails("second_step_forgotten", R"(
  cvt.rn.f16x2.f32 %a0, %s1, %s0;
  cvt.rn.f16x2.f32 %a1, %s3, %s2;
  cvt.rn.f16x2.f32 %a2, %s5, %s4;
  cvt.rn.f16x2.f32 %a3, %s7, %s6;
)",
                   "first [0][0]: nan instead of");
}
