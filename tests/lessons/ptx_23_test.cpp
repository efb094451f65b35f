// SPDX-License-Identifier: MIT
// Exercise 23 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("23_shape_stride");
  return one;
}

// Where element (m,k) lies, by the way that the last parameter says.
std::size_t place(std::size_t way, std::size_t m, std::size_t k) {
  if (way == 0) return m * 48 + k;
  if (way == 1) return k * 16 + m;
  if (way == 2) return (k / 8 * 2 + m / 8) * 64 + m % 8 * 8 + k % 8;
  return m * 48 + k % 3 * 16 + k / 3;
}
}  // namespace

// Worked out here, not by the kernel. B has its 8 columns one after the other.
TEST_CASE("exercise 23 in PTX: D is A * B, however A lies") {
  const std::vector<Memories> all = exercise().solved();
  REQUIRE(all.size() == 4);
  for (std::size_t way = 0; way < 4; ++way) {
    const Memories& m = all[way];
    CHECK(exercise().launches()[way].find("u32=" + std::to_string(way)) != std::string::npos);
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 8; ++col) {
        double sum = 0;
        for (std::size_t k = 0; k < 48; ++k) sum += m[0][place(way, row, k)] * m[1][col * 48 + k];
        CHECK(m[2][row * 8 + col] == sum);
      }
  }
}

TEST_CASE("exercise 23 in PTX: other right answers") {
  // What is left of the number, without a rem.
  exercise().passes("one_division",
                    {{"rem.u32 %digit, %number, %shape;\n", "div.u32 %digit, %number, %shape;\n"},
                     {"mad.lo.u32 %offset, %digit, %stride, %offset;\ndiv.u32 %number, %number, "
                      "%shape;",
                      "mul.lo.u32 %shape, %digit, %shape;\nsub.u32 %number, %number, "
                      "%shape;\nmad.lo.u32 %offset, %number, %stride, %offset;\nmov.u32 %number, "
                      "%digit;"}});
  exercise().passes("two_loads",
                    {{"ld.const.v2.u32 {%shape, %stride}, [%layout];",
                      "ld.const.u32 %shape, [%layout];\nld.const.u32 %stride, [%layout + 4];"}});
  // Behind a number's last digit that is not 0 the others are worth nothing.
  exercise().passes("until_nothing_is_left",
                    {{"setp.eq.u32 %over, %shape, 0;", "setp.eq.u32 %over, %number, 0;"}});
}

TEST_CASE("exercise 23 in PTX: other functions") {
  exercise().fails("stride_first",
                   {{"{%shape, %stride}, [%layout];", "{%stride, %shape}, [%layout];"}},
                   "elements are not what the task wants");
  exercise().fails("divides_first",
                   {{"rem.u32 %digit, %number, %shape;\nmad.lo.u32 %offset, %digit, %stride, "
                     "%offset;\ndiv.u32 %number, %number, %shape;",
                     "div.u32 %number, %number, %shape;\nrem.u32 %digit, %number, "
                     "%shape;\nmad.lo.u32 %offset, %digit, %stride, %offset;"}},
                   "elements are not what the task wants");
  exercise().fails("all_of_the_number", {{"div.u32 %number, %number, %shape;\n", ""}},
                   "elements are not what the task wants");
  exercise().fails("divides_by_the_stride",
                   {{"div.u32 %number, %number, %shape;", "div.u32 %number, %number, %stride;"}},
                   "elements are not what the task wants");
  exercise().fails(
      "last_digit_alone",
      {{"mad.lo.u32 %offset, %digit, %stride, %offset;", "mul.lo.u32 %offset, %digit, %stride;"}},
      "elements are not what the task wants");
  exercise().fails("first_digit_alone", {{"bra DIGIT;\n", ""}},
                   "elements are not what the task wants");
  exercise().fails("one_number_further",
                   {{"add.u64 %layout, %layout, 8;", "add.u64 %layout, %layout, 4;"}},
                   "is not a multiple of 8");
  exercise().fails("same_digit", {{"add.u64 %layout, %layout, 8;\n", ""}},
                   "does a loop or a wait never end?");
  // Right for rows and columns, whose digits are two.
  exercise().fails("two_digits", R"(
  ld.const.v2.u32 {%shape, %stride}, [%layout];
  rem.u32 %digit, %number, %shape;
  mul.lo.u32 %offset, %digit, %stride;
  div.u32 %number, %number, %shape;
  ld.const.u32 %stride, [%layout + 12];
  mad.lo.u32 %offset, %number, %stride, %offset;
)",
                   "elements are not what the task wants");
  // By powers of two alone: one of the digits counts to 3, another to 6.
  exercise().fails("by_shifts", R"(
DIGIT:
  ld.const.v2.u32 {%shape, %stride}, [%layout];
  setp.eq.u32 %over, %shape, 0;
  @%over bra OVER;
  sub.u32 %digit, %shape, 1;
  and.b32 %digit, %number, %digit;
  mad.lo.u32 %offset, %digit, %stride, %offset;
  clz.b32 %shape, %shape;
  sub.u32 %shape, 31, %shape;
  shr.u32 %number, %number, %shape;
  add.u64 %layout, %layout, 8;
  bra DIGIT;
OVER:
)",
                   "D of product 2: A is at k 0 to 15, but B at k 16 to 31");
  // Rows are what a kernel would have by hand.
  exercise().fails("rows_by_hand", R"(
  setp.eq.u32 %over, %turn, 0;
  @%over bra FRAGMENT;
  and.b32 %digit, %number, 15;
  shr.u32 %number, %number, 4;
  mad.lo.u32 %offset, %digit, 48, %number;
  bra DONE;
FRAGMENT:
  and.b32 %digit, %number, 3;
  mul.lo.u32 %offset, %digit, 32;
  bfe.u32 %digit, %number, 2, 3;
  add.u32 %offset, %offset, %digit;
  bfe.u32 %digit, %number, 5, 1;
  mad.lo.u32 %offset, %digit, 16, %offset;
  bfe.u32 %digit, %number, 6, 1;
  mad.lo.u32 %offset, %digit, 8, %offset;
  shr.u32 %digit, %number, 7;
  mad.lo.u32 %offset, %digit, 128, %offset;
DONE:
)",
                   "what it should, launch 2 of 4               WRONG");
}
