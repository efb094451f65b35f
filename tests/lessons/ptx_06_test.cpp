// SPDX-License-Identifier: MIT
// Exercise 06 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("06_naive_hgemm");
  return one;
}
}  // namespace

// Worked out here, not by the kernel: A is M x K, B has its N columns one after the other. M, N and
// K follow from how many elements the three matrices have.
TEST_CASE("exercise 06 in PTX: D is A * B, for any size") {
  for (const Memories& m : exercise().solved()) {
    const std::size_t mk = m[0].size(), nk = m[1].size(), mn = m[2].size();
    std::size_t length = 1;
    while (length * length * mn < mk * nk) ++length;
    REQUIRE(length * length * mn == mk * nk);
    const std::size_t rows = mk / length, cols = nk / length;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t col = 0; col < cols; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < length; ++k)
          sum += m[0][row * length + k] * m[1][col * length + k];
        CHECK(m[2][row * cols + col] == sum);
      }
  }
}

TEST_CASE("exercise 06 in PTX: other right answers") {
  // Zeros behind the loads, where nothing was loaded.
  exercise().passes("zeros_last", R"(
  setp.lt.u32 %inA, %row, %M;
  setp.lt.u32 %inB, %col, %N;
  setp.lt.u32 %inK, %k, %K;
  and.pred %inA, %inA, %inK;
  and.pred %inB, %inB, %inK;
  @%inB ld.global.b16 %elementB, [%atB];
  @%inA ld.global.b16 %elementA, [%atA];
  @!%inA mov.b16 %elementA, 0;
  @!%inB mov.b16 %elementB, 0;
)");
  // Every lane loads something that exists, and throws it away where it is not its own.
  exercise().passes("first_element_instead", R"(
  setp.ge.u32 %inK, %k, %K;
  setp.ge.or.u32 %inA, %row, %M, %inK;
  setp.ge.or.u32 %inB, %col, %N, %inK;
  selp.b64 %atA, %A, %atA, %inA;
  selp.b64 %atB, %B, %atB, %inB;
  ld.global.b16 %elementA, [%atA];
  ld.global.b16 %elementB, [%atB];
  selp.b16 %elementA, 0, %elementA, %inA;
  selp.b16 %elementB, 0, %elementB, %inB;
)");
  exercise().passes("branches", R"(
  mov.b16 %elementA, 0;
  mov.b16 %elementB, 0;
  setp.ge.u32 %inK, %k, %K;
  @%inK bra nothing;
  setp.lt.u32 %inA, %row, %M;
  @%inA ld.global.b16 %elementA, [%atA];
  setp.lt.u32 %inB, %col, %N;
  @%inB ld.global.b16 %elementB, [%atB];
nothing:
)");
}

TEST_CASE("exercise 06 in PTX: loads from where nothing is") {
  exercise().fails("no_guards", R"(
  ld.global.b16 %elementA, [%atA];
  ld.global.b16 %elementB, [%atB];
)",
                   "read of 2 bytes at global address");
  exercise().fails("k_forgotten", R"(
  setp.lt.u32 %inA, %row, %M;
  setp.lt.u32 %inB, %col, %N;
  mov.b16 %elementA, 0;
  mov.b16 %elementB, 0;
  @%inA ld.global.b16 %elementA, [%atA];
  @%inB ld.global.b16 %elementB, [%atB];
)",
                   "read of 2 bytes at global address");
  exercise().fails("or_instead_of_and",
                   {{"setp.lt.and.u32 %inA, %row, %M, %inK;\nsetp.lt.and.u32 %inB, %col, %N, %inK;",
                     "setp.lt.or.u32 %inA, %row, %M, %inK;\nsetp.lt.or.u32 %inB, %col, %N, %inK;"}},
                   "read of 2 bytes at global address");
  exercise().fails(
      "one_too_many",
      {{"setp.lt.and.u32 %inA, %row, %M, %inK;\nsetp.lt.and.u32 %inB, %col, %N, %inK;",
        "setp.le.and.u32 %inA, %row, %M, %inK;\nsetp.le.and.u32 %inB, %col, %N, %inK;"}},
      "read of 2 bytes at global address");
  exercise().fails(
      "m_and_n_exchanged",
      {{"setp.lt.and.u32 %inA, %row, %M, %inK;\nsetp.lt.and.u32 %inB, %col, %N, %inK;",
        "setp.lt.and.u32 %inA, %row, %N, %inK;\nsetp.lt.and.u32 %inB, %col, %M, %inK;"}},
      "read of 2 bytes at global address");
}

TEST_CASE("exercise 06 in PTX: zeros that are missing, or too many") {
  exercise().fails("no_zeros", {{"mov.b16 %elementA, 0;\nmov.b16 %elementB, 0;", ""}},
                   "first [0][0]: nan instead of");
  // Zeros in A are not enough: 0 times NaN is NaN.
  exercise().fails("zeros_in_a_alone", {{"mov.b16 %elementB, 0;", ""}},
                   "first [0][0]: nan instead of");
  exercise().fails("zeros_over_all", R"(
  setp.lt.u32 %inK, %k, %K;
  setp.lt.and.u32 %inA, %row, %M, %inK;
  setp.lt.and.u32 %inB, %col, %N, %inK;
  @%inA ld.global.b16 %elementA, [%atA];
  @%inB ld.global.b16 %elementB, [%atB];
  mov.b16 %elementA, 0;
  mov.b16 %elementB, 0;
)",
                   "elements are not what the task wants");
  // Only whole tiles: the last step of k is left out.
  exercise().fails(
      "whole_steps_alone",
      {{"setp.lt.u32 %inK, %k, %K;", "add.u32 %t, %k0, 16;\nsetp.le.u32 %inK, %t, %K;"}},
      "elements are not what the task wants");
}
