// SPDX-License-Identifier: MIT
// Exercise 18 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("18_block_scale");
  return one;
}
}  // namespace

// Worked out here, not by the kernel. It leaves the scales as it has used them: ue8m0.
TEST_CASE("exercise 18 in PTX: D is A * B, block by block") {
  for (const Memories& m : exercise().solved()) {
    const auto scale = [](double byte) { return std::ldexp(1, static_cast<int>(byte) - 127); };
    for (std::size_t row = 0; row < 32; ++row)
      for (std::size_t col = 0; col < 32; ++col) {
        double sum = 0;
        for (std::size_t block = 0; block < 4; ++block) {
          double part = 0;
          for (std::size_t k = block * 32; k < block * 32 + 32; ++k)
            part += m[0][row * 128 + k] * m[1][col * 128 + k];
          sum += part * scale(m[2][row * 4 + block]) * scale(m[3][col * 4 + block]);
        }
        CHECK(m[4][row * 32 + col] == sum);
      }
    for (const std::size_t scales : {2, 3})
      for (const double byte : m[scales]) CHECK((byte >= 126 && byte <= 129));
  }
}

TEST_CASE("exercise 18 in PTX: other right answers") {
  // Divided in 16 bits.
  exercise().passes("cvt_first",
                    {{"shr.u32 %t, %k, 5;\ncvt.u16.u32 %p, %t;\nshr.u32 %t, %row, 4;\ncvt.u16.u32 "
                      "%q, %t;\nshr.u32 %t, %col, 3;\ncvt.u16.u32 %r, %t;",
                      "cvt.u16.u32 %p, %k;\nshr.u16 %p, %p, 5;\ncvt.u16.u32 %q, %row;\nshr.u16 %q, "
                      "%q, 4;\ncvt.u16.u32 %r, %col;\nshr.u16 %r, %r, 3;"}});
  // Byte 0 alone, of words that were shifted.
  exercise().passes("shifted", R"(
  shr.u32 %t, %col, 3;
  cvt.u16.u32 %r, %t;
  shr.u32 %t, %row, 4;
  cvt.u16.u32 %q, %t;
{
  .reg .b32 %u, %v, %w;
  shr.u32 %u, %k, 2;
  shr.u32 %v, %sfa, %u;
  shr.u32 %w, %sfb, %u;
  mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0
    {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%d0, %d1, %d2, %d3},
    %v, {0, %q}, %w, {0, %r};
}
)");
}

TEST_CASE("exercise 18 in PTX: another byte, another lane") {
  // The scales of the first 32 of k for all.
  exercise().fails(
      "first_byte", {{"shr.u32 %t, %k, 5;\ncvt.u16.u32 %p, %t;", "mov.b16 %p, 0;"}},
      "SFA of product 2: row 0, k 32 to 63 is scaled by the factor of row 0, k 0 to 31");
  exercise().fails("steps_of_64", {{"shr.u32 %t, %k, 5;", "shr.u32 %t, %k, 6;"}},
                   "row 0, k 32 to 63 is scaled by the factor of row 0, k 0 to 31");
  exercise().fails("first_byte_of_b",
                   {{"%sfa, {%p, %q}, %sfb, {%p, %r};", "%sfa, {%p, %q}, %sfb, {0, %r};"}},
                   "column 0, k 32 to 63 is scaled by the factor of column 0, k 0 to 31");
  exercise().fails("thread_0_of_a",
                   {{"shr.u32 %t, %row, 4;\ncvt.u16.u32 %q, %t;", "mov.b16 %q, 0;"}},
                   "row 16, k 0 to 31 is scaled by the factor of row 0, k 0 to 31");
  exercise().fails("thread_0_of_b",
                   {{"shr.u32 %t, %col, 3;\ncvt.u16.u32 %r, %t;", "mov.b16 %r, 0;"}},
                   "column 8, k 0 to 31 is scaled by the factor of column 0, k 0 to 31");
  // The selector of A for B, too.
  exercise().fails("a_for_both",
                   {{"%sfa, {%p, %q}, %sfb, {%p, %r};", "%sfa, {%p, %q}, %sfb, {%p, %q};"}},
                   "column 8, k 0 to 31 is scaled by the factor of column 0, k 0 to 31");
  exercise().fails("tiles_of_16_columns", {{"shr.u32 %t, %col, 3;", "shr.u32 %t, %col, 4;"}},
                   "column 8, k 0 to 31 is scaled by the factor of column 0, k 0 to 31");
  exercise().fails("words_exchanged",
                   {{"%sfa, {%p, %q}, %sfb, {%p, %r};", "%sfb, {%p, %q}, %sfa, {%p, %r};"}},
                   "elements are not what the task wants");
}

TEST_CASE("exercise 18 in PTX: no such selector") {
  exercise().fails("thread_id_first",
                   {{"%sfa, {%p, %q}, %sfb, {%p, %r};", "%sfa, {%q, %p}, %sfb, {%r, %p};"}},
                   "SFA has {byte-id, thread-id} {0, 2}: byte-ids are 0 to 3, thread-ids 0 to 1");
  exercise().fails("selectors_exchanged",
                   {{"%sfa, {%p, %q}, %sfb, {%p, %r};", "%sfa, {%p, %r}, %sfb, {%p, %q};"}},
                   "row 0, k 0 to 31 is scaled by the factor of row 16, k 0 to 31");
  exercise().fails("tiles_of_8_rows", {{"shr.u32 %t, %row, 4;", "shr.u32 %t, %row, 3;"}},
                   "SFA has {byte-id, thread-id} {0, 2}: byte-ids are 0 to 3, thread-ids 0 to 1");
  exercise().fails("steps_of_8", {{"shr.u32 %t, %k, 5;", "shr.u32 %t, %k, 3;"}},
                   "SFA has {byte-id, thread-id} {4, 0}: byte-ids are 0 to 3, thread-ids 0 to 1");
  // Each lane says that it is to be read itself.
  exercise().fails(
      "of_the_lane",
      {{"shr.u32 %t, %k, 5;", "cvt.u16.u32 %r, %thread;\nmov.b16 %q, 0;\nshr.u32 %t, %k, 5;"},
       {"shr.u32 %t, %row, 4;\ncvt.u16.u32 %q, %t;\nshr.u32 %t, %col, 3;\ncvt.u16.u32 %r, %t;",
        ""}},
      "the lanes of the warp give other selectors of SFB");
  exercise().fails("of_32_bits",
                   {{"cvt.u16.u32 %p, %t;\nshr.u32 %t, %row, 4;\ncvt.u16.u32 %q, %t;\nshr.u32 %t, "
                     "%col, 3;\ncvt.u16.u32 %r, %t;",
                     ""},
                    {"%sfa, {%p, %q}, %sfb, {%p, %r};", "%sfa, {%t, 0}, %sfb, {%t, 0};"}},
                   "%t has 32 bits where .b16 needs 16");
}
