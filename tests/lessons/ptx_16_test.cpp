// SPDX-License-Identifier: MIT
// Exercise 16 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("16_sums");
  return one;
}
}  // namespace

// Worked out here, not by the kernel. Numbers of the first two launches are whole: 64 products of
// at most 64 are exact in f16 up to 2048, and so is everything in f32. In the last one f16 rounds.
TEST_CASE("exercise 16 in PTX: D is A * B, and sums of whole numbers are exact") {
  const std::vector<Memories> launches = exercise().solved();
  REQUIRE(launches.size() == 3);
  for (const Memories& m : launches) {
    const std::size_t length = m[0].size() / 16;
    const double off = &m == &launches.back() ? 0.05 : 0;
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 8; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < length; ++k)
          sum += m[0][row * length + k] * m[1][col * length + k];
        CHECK(std::abs(m[2][row * 8 + col] - sum) <= off);
      }
  }
}

TEST_CASE("exercise 16 in PTX: other right answers") {
  exercise().passes("branch", R"(
  and.b32 %t, %step, 3;
  setp.ne.u32 %due, %t, 3;
  @%last bra MOVE;
  @%due bra NEXT;
MOVE:
  add.f32 %s0, %s0, %f0;
  add.f32 %s1, %s1, %f1;
  add.f32 %s2, %s2, %f2;
  add.f32 %s3, %s3, %f3;
  mov.b32 %d0, 0;
  mov.b32 %d1, 0;
NEXT:
)");
  // Clears first: the copies in f32 are there already.
  exercise().passes("next_step", R"(
  add.u32 %t, %step, 1;
  and.b32 %t, %t, 3;
  setp.eq.or.u32 %due, %t, 0, %last;
  @%due mov.b32 %d0, 0;
  @%due mov.b32 %d1, 0;
  @%due add.f32 %s0, %s0, %f0;
  @%due add.f32 %s1, %s1, %f1;
  @%due add.f32 %s2, %s2, %f2;
  @%due add.f32 %s3, %s3, %f3;
)");
}

TEST_CASE("exercise 16 in PTX: wrong answers, and what is said of them") {
  exercise().fails("never", R"(
  @%last add.f32 %s0, %s0, %f0;
  @%last add.f32 %s1, %s1, %f1;
  @%last add.f32 %s2, %s2, %f2;
  @%last add.f32 %s3, %s3, %f3;
)",
                   "elements are not what the task wants");
  exercise().fails("not_anew", {{"@%due mov.b32 %d0, 0;\n@%due mov.b32 %d1, 0;", ""}},
                   "elements are not what the task wants");
  exercise().fails("last_group_lost",
                   {{"setp.eq.or.u32 %due, %t, 3, %last;", "setp.eq.u32 %due, %t, 3;"}},
                   "elements are not what the task wants");
  // Behind steps 0, 4, 8, ...
  exercise().fails("first_of_a_group",
                   {{"setp.eq.or.u32 %due, %t, 3, %last;", "setp.eq.or.u32 %due, %t, 0, %last;"}},
                   "elements are not what the task wants");
  exercise().fails("every_step", R"(
  add.f32 %s0, %s0, %f0;
  add.f32 %s1, %s1, %f1;
  add.f32 %s2, %s2, %f2;
  add.f32 %s3, %s3, %f3;
  mov.b32 %d0, 0;
  mov.b32 %d1, 0;
)",
                   "elements are not what the task wants");
  exercise().fails(
      "always_anew",
      {{"@%due mov.b32 %d0, 0;\n@%due mov.b32 %d1, 0;", "mov.b32 %d0, 0;\nmov.b32 %d1, 0;"}},
      "elements are not what the task wants");
  exercise().fails("every_128",
                   {{"and.b32 %t, %step, 3;\nsetp.eq.or.u32 %due, %t, 3, %last;",
                     "and.b32 %t, %step, 7;\nsetp.eq.or.u32 %due, %t, 7, %last;"}},
                   "elements are not what the task wants");
  // Rows 8 to 15 of D are not begun anew.
  exercise().fails("half_anew", {{"@%due mov.b32 %d1, 0;", ""}},
                   "elements are not what the task wants");
}
