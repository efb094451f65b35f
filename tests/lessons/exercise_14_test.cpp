// SPDX-License-Identifier: MIT
// Exercise 14 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define O_BY(factor)          \
  "for (float(&part)[4] : o)" \
  "  for (int i = 0; i < 4; ++i) part[i] *= " factor ";"
#define O O_BY("factor[i / 2]")
#define SUM_OF(factor, weights) \
  "for (int row = 0; row < 2; ++row) sum[row] = sum[row] * " factor " + " weights ";"
#define LEFT "p[0][row * 2] + p[0][row * 2 + 1]"
#define RIGHT "p[1][row * 2] + p[1][row * 2 + 1]"
#define SUM SUM_OF("factor[row]", LEFT " + " RIGHT)
#define A0 "a[0] = pack(p[0][0], p[0][1]);"
#define A1 "a[1] = pack(p[0][2], p[0][3]);"
#define A2 "a[2] = pack(p[1][0], p[1][1]);"
#define A3 "a[3] = pack(p[1][2], p[1][3]);"
#define A A0 A1 A2 A3

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "14_attention", "attend_on_device",
      {
          {"a1_a2_exchanged",
           O SUM A0 "a[1] = pack(p[1][0], p[1][1]); a[2] = pack(p[0][2], p[0][3]);" A3,
           "a[1] and a[2] are exchanged"},
          {"halves_exchanged",
           O SUM "for (int i = 0; i < 4; ++i)"
                 "  a[i] = pack(p[i / 2][i % 2 * 2 + 1], p[i / 2][i % 2 * 2]);",
           "the two halves of every register of A are exchanged"},
          {"fragments_exchanged",
           O SUM "for (int i = 0; i < 4; ++i)"
                 "  a[i] = pack(p[1 - i / 2][i % 2 * 2], p[1 - i / 2][i % 2 * 2 + 1]);",
           "p[0] and p[1] are exchanged in A"},
          {"rows_exchanged",
           O SUM "for (int i = 0; i < 4; ++i)"
                 "  a[i] = pack(p[i / 2][2 - i % 2 * 2], p[i / 2][3 - i % 2 * 2]);",
           "the two rows of a lane are exchanged in A"},
          {"left_twice", O SUM A0 A1 "a[2] = a[0]; a[3] = a[1];",
           "A has the weights of keys 0 to 7 twice"},
          {"left_only", O SUM A0 A1, "A has nothing of keys 8 to 15"},
          {"o_as_it_is", SUM A, "o is not made smaller when the largest score grows"},
          {"sum_as_it_is", O SUM_OF("1", LEFT " + " RIGHT) A,
           "sum is not made smaller when the largest score grows"},
          {"both_as_they_are", SUM_OF("1", LEFT " + " RIGHT) A,
           "neither o nor sum is made smaller when the largest score grows"},
          {"factor_by_column", O_BY("factor[i % 2]") SUM A,
           "o's factor goes by column instead of by row"},
          {"one_factor", O_BY("factor[0]") SUM A, "all of o has the factor of row lane / 4"},
          {"factors_exchanged", O_BY("factor[1 - i / 2]") SUM A,
           "the factors of a lane's two rows are exchanged"},
          {"divided",
           "for (float(&part)[4] : o)"
           "  for (int i = 0; i < 4; ++i) part[i] /= factor[i / 2];" SUM A,
           "o is divided by the factor instead of multiplied"},
          {"sum_late",
           O "for (int row = 0; row < 2; ++row)"
             "  sum[row] = (sum[row] + " LEFT " + " RIGHT ") * factor[row];" A,
           "sum is made smaller after this block's weights were added to it"},
          {"sum_anew", O SUM_OF("0", LEFT " + " RIGHT) A, "sum begins anew with every block"},
          {"sum_of_left", O SUM_OF("factor[row]", LEFT) A,
           "sum has the weights of keys 0 to 7 only"},
          {"sum_of_one_column", O SUM_OF("factor[row]", "p[0][row * 2] + p[1][row * 2]") A,
           "sum has one column of two only"},
          {"sum_of_four_lanes",
           O "for (int row = 0; row < 2; ++row) {"
             "  float all = " LEFT " + " RIGHT ";"
             "  for (const int others : {1, 2}) all += __shfl_xor_sync(~0u, all, others);"
             "  sum[row] = sum[row] * factor[row] + all; }" A,
           "each row's sum is four times too large"},
          {"no_sum", O A, "nothing is added to sum"},
          {"columns_in_a",
           O SUM "for (int i = 0; i < 4; ++i)"
                 "  a[i] = pack(p[i / 2][i % 2], p[i / 2][i % 2 + 2]);",
           "a register of A has one column of both rows"},
          {"both_in_a", O SUM "for (int i = 0; i < 4; ++i) a[i] = pack(p[0][i], p[1][i]);",
           "a register of A has one weight of p[0] and one of p[1]"},
          {"upper_rows_only", O SUM A0 A2, "A has nothing of rows lane / 4 + 8"},
          {"weights_smaller",
           O "for (int row = 0; row < 2; ++row)"
             "  sum[row] = (sum[row] + " LEFT " + " RIGHT ") * factor[row];"
             "for (int i = 0; i < 4; ++i) a[i] = pack(p[i / 2][i % 2 * 2] * factor[i % 2],"
             "                                        p[i / 2][i % 2 * 2 + 1] * factor[i % 2]);",
           "this block's weights are made smaller, too"},
          {"a_smaller",
           O SUM "for (int i = 0; i < 4; ++i) a[i] = pack(p[i / 2][i % 2 * 2] * factor[i % 2],"
                 "  p[i / 2][i % 2 * 2 + 1] * factor[i % 2]);",
           "A's weights are made smaller, too"},
          {"the_wrong_ones",
           "for (int row = 0; row < 2; ++row)"
           "  sum[row] += (" LEFT " + " RIGHT ") * factor[row];"
           "for (int i = 0; i < 4; ++i) a[i] = pack(p[i / 2][i % 2 * 2] * factor[i % 2],"
           "                                        p[i / 2][i % 2 * 2 + 1] * factor[i % 2]);",
           "factor makes this block's weights smaller, not what was added up before"},
          {"only_o", O, "or puts nothing into sum and a"},
          {"only_a", A, "nothing is added to sum"},
          {"sum_and_o", O_BY("factor[i % 2]") SUM_OF("1", LEFT " + " RIGHT) A,
           "sum is not made smaller when the largest score grows, and that is not all"},
          {"a_and_o",
           O_BY("factor[i % 2]") SUM "for (int i = 0; i < 4; ++i)"
                                     "  a[i] = pack(p[i / 2][i % 2 * 2 + 1], p[i / 2][i % 2 * 2]);",
           "the two halves of every register of A are exchanged, and that is not all"},
          {"both_factors",
           "for (float(&part)[4] : o) for (float& sum_of_o : part)"
           "  sum_of_o *= factor[0] * factor[1];" SUM A,
           "all of o has the factors of both rows"},
          {"both_divided",
           O_BY("1 / factor[i / 2]") SUM_OF("(1 / factor[row])", LEFT " + " RIGHT) A,
           "sum is divided by the factor instead of multiplied, and o perhaps as well"},
          {"sum_of_four_lanes_again",
           O SUM "for (float& mine : sum)"
                 "  for (const int others : {1, 2}) mine += __shfl_xor_sync(~0u, mine, others);" A,
           "the four lanes of a row put their sums together in every block"},
          {"first_fragment", "for (int i = 0; i < 4; ++i) o[0][i] *= factor[i / 2];" SUM A,
           "only o[0] is made smaller"},
          {"two_fragments",
           "for (int n = 0; n < 2; ++n)"
           "  for (int i = 0; i < 4; ++i) o[n][i] *= factor[i / 2];" SUM A,
           "only o[0] and o[1] are made smaller"},
          {"eight_fragments",
           "for (int n = 0; n < 8; ++n)"
           "  for (int i = 0; i < 4; ++i) o[n][i] *= factor[i / 2];" SUM A,
           "o had 8 fragments: what lies behind o[3] is changed"},
          {"one_fragment_too_many",
           "for (int n = 0; n <= kDim / 8; ++n)"
           "  for (int i = 0; i < 4; ++i) o[n][i] *= factor[i / 2];" SUM A,
           "o had 5 fragments: what lies behind o[3] is changed"},
          {"a_fragment_a_column",
           "for (int n = 0; n < kDim; ++n)"
           "  for (int i = 0; i < 4; ++i) o[n][i] *= factor[i / 2];" SUM A,
           "o had 32 fragments: what lies behind o[3] is changed"},
          {"three_fragments",
           "for (int n = 0; n < 3; ++n)"
           "  for (int i = 0; i < 4; ++i) o[n][i] *= factor[i / 2];" SUM A,
           "o[3][0] and o[3][1] are multiplied by nothing, not by factor[0]"},
          {"factor_by_fragment",
           "for (int n = 0; n < 4; ++n)"
           "  for (int i = 0; i < 4; ++i) o[n][i] *= factor[n / 2];" SUM A,
           "o's factor goes by fragment instead of by row"},
          {"sum_factors_exchanged", O SUM_OF("factor[1 - row]", LEFT " + " RIGHT) A,
           "the factors of a lane's two rows are exchanged in sum"},
          {"sum_one_factor", O SUM_OF("factor[0]", LEFT " + " RIGHT) A,
           "both sums have the factor of row lane / 4"},
          {"sum_divided", O SUM_OF("(1 / factor[row])", LEFT " + " RIGHT) A,
           "sum is divided by the factor instead of multiplied"},
          {"sum_of_the_other_row",
           O SUM_OF("factor[row]",
                    "p[0][2 - row * 2] + p[0][3 - row * 2] + p[1][2 - row * 2] + p[1][3 - row * 2]")
               A,
           "sum[0] and sum[1] have the weights of each other's row"},
          {"sum_of_columns",
           O SUM_OF("factor[row]", "p[0][row] + p[0][row + 2] + p[1][row] + p[1][row + 2]") A,
           "a sum has one column of both rows"},
          {"sum_of_fragments",
           O SUM_OF("factor[row]", "p[row][0] + p[row][1] + p[row][2] + p[row][3]") A,
           "sum[0] has all weights of p[0], and sum[1] those of p[1]"},
          {"sum_of_both_rows",
           O "for (int row = 0; row < 2; ++row) { sum[row] *= factor[row];"
             "  for (int i = 0; i < 8; ++i) sum[row] += p[i / 4][i % 4]; }" A,
           "a sum has the weights of both rows"},
          {"sum_0_only", O "sum[0] = sum[0] * factor[0] + p[0][0] + p[0][1] + p[1][0] + p[1][1];" A,
           "only sum[0] is added to"},
          {"no_a", O SUM, "It looks as if A is empty"},
          {"constant_a", O SUM "for (int i = 0; i < 4; ++i) a[i] = pack(1, 1);",
           "a[0] has something else, not p[0][0] and p[0][1]; a[1] has something else"},
          {"o_set_to_0", O_BY("0") SUM A,
           "o[n][0] and o[n][1] are multiplied by 0, not by factor[0]; o[n][2] and o[n][3] are "
           "multiplied by 0, not by factor[1].\n"},
          {"half_the_factor", O_BY("factor[i / 2] / 2") SUM A,
           "The sums of weights are right, O is not"},
          // Any index that no mistake is written down for.
          {"last_register_again", O SUM A0 A1 A2 "a[3] = a[2];",
           "a[3] has p[1][0] and p[1][1], not p[1][2] and p[1][3].\n"},
          {"no_last_register", O SUM A0 A1 A2, "a[3] has nothing, not p[1][2] and p[1][3].\n"},
          {"indices_not_doubled",
           O SUM "for (int i = 0; i < 4; ++i) a[i] = pack(p[i / 2][i % 2], p[i / 2][i % 2 + 1]);",
           "a[1] has p[0][1] and p[0][2], not p[0][2] and p[0][3]; a[3] has p[1][1] and p[1][2], "
           "not p[1][2] and p[1][3].\n"},
          {"one_column_twice",
           O SUM "for (int i = 0; i < 4; ++i) a[i] = pack(p[i / 2][i % 2 * 2], p[i / 2][i % 2 * "
                 "2]);",
           "a[0] has p[0][0] twice, not p[0][0] and p[0][1]; a[1] has p[0][2] twice, not p[0][2] "
           "and p[0][3]; and so on.\n"},
          {"sum_of_three", O SUM_OF("factor[row]", LEFT " + p[1][row * 2]") A,
           "sum[0] adds up p[0][0], p[0][1] and p[1][0], not p[0][0], p[0][1], p[1][0] and "
           "p[1][1]; "
           "sum[1] adds up"},
          {"sum_and_a", O SUM_OF("factor[row]", LEFT " + p[1][row * 2]") A0 A1 A2,
           "p[1][2] and p[1][3]; a[3] has nothing, not p[1][2] and p[1][3].\n"},
          {"one_row_of_o",
           "for (int n = 0; n < 4; ++n) for (int i = 0; i < 2; ++i)"
           "  o[n][i] *= factor[0];" SUM A,
           "o[n][2] and o[n][3] are multiplied by nothing, not by factor[1].\n"},
          {"all_but_the_last",
           "for (float(&part)[4] : o)"
           "  for (int i = 0; i < 3; ++i) part[i] *= factor[i / 2];" SUM A,
           "o[n][3] is multiplied by nothing, not by factor[1].\n"},
          {"by_odd_fragments",
           "for (int n = 0; n < 4; ++n)"
           "  for (int i = 0; i < 4; ++i) o[n][i] *= factor[n % 2];" SUM A,
           "o[0][2], o[0][3], o[2][2] and o[2][3] are multiplied by factor[0], not by factor[1]"},
          {"o_twice", O O SUM A, "o[n][0] and o[n][1] are multiplied by factor[0] twice, not by"},
          {"smaller_factor",
           "const float least = fminf(factor[0], factor[1]);" O_BY("least")
               SUM_OF("least", LEFT " + " RIGHT) A,
           "o[n][0], o[n][1] and sum[0] are multiplied by the smaller of both factors, not by "
           "factor[0]; o[n][2], o[n][3] and sum[1] are"},
          {"larger_factor_of_o", O_BY("fmaxf(factor[0], factor[1])") SUM A,
           "o[n][0] and o[n][1] are multiplied by the larger of both factors, not by factor[0]"},
          {"sum_in_the_loop_of_o",
           "for (int n = 0; n < 4; ++n) for (int i = 0; i < 4; ++i) {"
           "  o[n][i] *= factor[i / 2]; sum[i / 2] *= factor[i / 2]; }" SUM_OF("1",
                                                                               LEFT " + " RIGHT) A,
           "sum[0] is multiplied by factor[0] 8 times, not by factor[0]"},
          {"factor_with_each_weight",
           O "for (int i = 0; i < 8; ++i)"
             "  sum[i / 2 % 2] = sum[i / 2 % 2] * factor[i / 2 % 2] + p[i / 4][i % 4];" A,
           "sum is made smaller before each of its row's weights is added"},
          {"mean", O SUM_OF("factor[row]", "(" LEFT " + " RIGHT ") / 4") A,
           "each row's sum is four times too small"},
          {"divided_by_sum",
           O SUM "for (int reg = 0; reg < 4; ++reg) a[reg] = pack("
                 "p[reg / 2][reg % 2 * 2] / sum[reg % 2], p[reg / 2][reg % 2 * 2 + 1] / sum[reg % "
                 "2]);",
           "a[0] has p[0][0] / sum[0] and p[0][1] / sum[0], not p[0][0] and p[0][1]; a[1] has "
           "p[0][2] / sum[1] and p[0][3] / sum[1], not p[0][2] and p[0][3]; and so on.\n  What to "
           "do: sum grows to the end"},
          {"factor_as_exponent",
           O_BY("exp2f(factor[i / 2])") SUM_OF("exp2f(factor[row])", LEFT " + " RIGHT) A,
           "o[n][0], o[n][1] and sum[0] are multiplied by exp2f(factor[0]), not by factor[0]; "
           "o[n][2], o[n][3] and sum[1] are multiplied by exp2f(factor[1]), not by factor[1].\n  "
           "What to do: factor is a power of two already"},
          {"factor_of_o_as_exponent_of_e", O_BY("__expf(factor[i / 2])") SUM A,
           "o[n][0] and o[n][1] are multiplied by expf(factor[0]), not by factor[0]; o[n][2] and"},
          {"not_rounded_to_f16",
           O SUM "for (int i = 0; i < 4; ++i) a[i] = __float_as_uint(p[i / 2][i % 2 * 2]);",
           "a[0] has nothing and the upper half of the f32 p[0][0], not p[0][0] and p[0][1]; a[1] "
           "has nothing and the upper half of the f32 p[0][2], not p[0][2] and p[0][3]; and so "
           "on.\n  What to do: a register of A has two f16 numbers"},
          {"constant_sum", O "sum[0] = sum[1] = 1;" A, "the sums of weights are wrong, too"},
      },
      {
          {"one_loop",
           "for (int i = 0; i < 16; ++i) o[i / 4][i % 4] = o[i / 4][i % 4] * factor[i % 4 / 2];"
           "sum[0] = fmaf(sum[0], factor[0], (p[0][0] + p[0][1]) + (p[1][0] + p[1][1]));"
           "sum[1] = fmaf(sum[1], factor[1], p[1][3] + p[1][2] + p[0][3] + p[0][2]);"
           "for (int reg = 0; reg < 4; ++reg)"
           "  a[reg] = pack(p[reg >> 1][(reg & 1) * 2], p[reg >> 1][(reg & 1) * 2 + 1]);",
           ""},
          {"row_by_row",
           "for (int row = 0; row < 2; ++row) { float more = 0; for (int n = 0; n < 2; ++n) {"
           "    asm(\"cvt.rn.f16x2.f32 %0, %1, %2;\" : \"=r\"(a[n * 2 + row])"
           "        : \"f\"(p[n][row * 2 + 1]), \"f\"(p[n][row * 2]));"
           "    more += p[n][row * 2] + p[n][row * 2 + 1]; }"
           "  sum[row] = sum[row] * factor[row] + more;"
           "  if (factor[row] != 1)"
           "    for (auto& part : o) part[row * 2] *= factor[row], part[row * 2 + 1] *= "
           "factor[row]; }",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("14", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 14") {
  exercise().right_answers_pass();
}
TEST_CASE("diagnose says what is wrong with the A of exercise 14") {
  const Ran right = exercise().diagnosed("solution");
  CAPTURE(right.output);
  CHECK(right.status == 0);
  CHECK(says(right, "1 of 3 fragments compared; all are right\n"));
  const std::pair<const char*, const char*> named[] = {
      {"a1_a2_exchanged", "registers A.r1 and A.r2 are exchanged\n"},
      {"halves_exchanged", "the parts of every register are in the opposite order\n"},
  };
  for (const auto& [name, words] : named) {
    const Ran ran = exercise().diagnosed(name);
    CAPTURE(name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, std::string("A of launch 0, block 0,0,0, warp 0: ") + words));
  }
}
TEST_CASE("where exercise 14's A is right, its check does not say that it is wrong") {
  const Ran ran = exercise().traced("sum_late");
  CAPTURE(ran.output);
  CHECK(says(ran, "Whether A is right: ./learn diagnose "));
}
