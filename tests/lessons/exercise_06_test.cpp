// SPDX-License-Identifier: MIT
// Exercise 06 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define LOOP "for (int i = 0; i < 4; ++i) { "
#define ROW "const int row = first_row + (lane >> 2) + i / 2 * 8; "
#define COL "const int col = first_col + lane % 4 * 2 + i % 2; "
#define GUARD "if (row >= out.M || col >= out.N) continue; "
#define STORE                                                               \
  "__half& element = out.C[row * out.ldc + col];"                           \
  "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);" \
  "element = __float2half_rn(out.alpha * d[i] + old); }"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "06_naive_hgemm", "hgemm_on_device",
      {
          {"c_read_outside",
           LOOP ROW COL
           "__half* at = out.C + row * out.ldc + col; const float was = __half2float(*at);"
           "const float sum = out.beta == 0 ? out.alpha * d[i] : out.alpha * d[i] + out.beta * was;"
           "if (row < out.M && col < out.N) *at = __float2half_rn(sum); }",
           "out of bounds"},
          {"positive_beta",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta > 0 ? out.beta * __half2float(element) : 0;"
           "element = __float2half_rn(out.alpha * d[i] + old); }",
           "the old C is left out"},
          {"nan_is_zero",
           LOOP ROW COL GUARD "__half& element = out.C[row * out.ldc + col];"
                              "float was = __half2float(element); if (isnan(was)) was = 0;"
                              "element = __float2half_rn(out.alpha * d[i] + out.beta * was); }",
           "NaN"},
          {"nan_replaced",
           LOOP ROW COL GUARD "__half& element = out.C[row * out.ldc + col];"
                              "const float sum = out.alpha * d[i];"
                              "const float all = sum + out.beta * __half2float(element);"
                              "element = __float2half_rn(isnan(all) ? sum : all); }",
           "a NaN of the old C is left out"},
          {"zeros_outside",
           LOOP ROW COL "if (row >= out.M || col >= out.N) {"
                        "  out.C[row * out.ldc + col] = __half(0.0f); continue; } " STORE,
           "0 is stored where C has no element"},
          {"no_guard", LOOP ROW COL STORE, "nothing is guarded at the edges"},
          {"no_row_guard", LOOP ROW COL "if (col >= out.N) continue; " STORE,
           "rows beyond M are stored too"},
          {"no_col_guard", LOOP ROW COL "if (row >= out.M) continue; " STORE,
           "columns beyond N are stored too"},
          {"guards_joined_by_and",
           LOOP ROW COL "if (row >= out.M && col >= out.N) continue; " STORE,
           "only what is beyond both edges is left out"},
          {"guard_off_by_one", LOOP ROW COL "if (row > out.M || col > out.N) continue; " STORE,
           "one row and one column too many are stored"},
          {"whole_pairs", LOOP ROW COL "if (row >= out.M || (col | 1) >= out.N) continue; " STORE,
           "the last column is left out where N is odd"},
          {"exchanged_guards", LOOP ROW COL "if (row >= out.N || col >= out.M) continue; " STORE,
           "M and N are exchanged in the guards"},
          {"guard_of_ldc", LOOP ROW COL "if (row >= out.M || col >= out.ldc) continue; " STORE,
           "columns are compared with ldc instead of N"},
          {"whole_tiles",
           "if (first_row + 16 > out.M || first_col + 8 > out.N) return; " LOOP ROW COL STORE,
           "a tile that sticks out is left out as a whole"},
          {"returns", LOOP ROW COL "if (row >= out.M || col >= out.N) return; " STORE,
           "a lane stops at its first element outside of C"},
          {"sums_alone", LOOP ROW COL GUARD "out.C[row * out.ldc + col] = __float2half_rn(d[i]); }",
           "the sums alone are stored"},
          {"factors_exchanged",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "element = __float2half_rn(out.beta * d[i] + out.alpha * __half2float(element)); }",
           "alpha and beta are exchanged"},
          {"nothing_with_beta_0", LOOP ROW COL GUARD "if (out.beta == 0) continue; " STORE,
           "C is left as it was where beta is 0"},
          {"sum_rounded",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "const __half sum = __float2half_rn(d[i]);"
           "element = __float2half_rn(out.alpha * __half2float(sum) + old); }",
           "the sum is rounded to f16 before alpha multiplies it"},
          {"old_rounded",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(out.alpha * d[i] + __half2float(__float2half_rn(old))); }",
           "beta * C is rounded to f16 before it is added"},
          {"beta_left_out",
           LOOP ROW COL GUARD "__half& element = out.C[row * out.ldc + col];"
                              "const float old = out.beta == 0 ? 0 : __half2float(element);"
                              "element = __float2half_rn(out.alpha * d[i] + old); }",
           "beta is left out"},
          {"factors_in_f16",
           "const float alpha = __half2float(__float2half_rn(out.alpha)), "
           "beta = __half2float(__float2half_rn(out.beta));" LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = beta == 0 ? 0 : beta * __half2float(element);"
           "element = __float2half_rn(alpha * d[i] + old); }",
           "as if alpha is rounded, to f16 or to a whole number"},
          {"whole_alpha",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col]; const int alpha = int(out.alpha);"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(alpha * d[i] + old); }",
           "as if alpha is rounded, to f16 or to a whole number"},
          {"beta_in_f16",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : __half2float(__float2half_rn(out.beta)) *"
           "    __half2float(element);"
           "element = __float2half_rn(out.alpha * d[i] + old); }",
           "as if beta is rounded, to f16 or to a whole number"},
          {"old_of_rows_N_apart",
           LOOP ROW COL GUARD
           "const float old = out.beta == 0 ? 0"
           "    : out.beta * __half2float(out.C[row * out.N + col]);"
           "out.C[row * out.ldc + col] = __float2half_rn(out.alpha * d[i] + old); }",
           "the old C is read from rows N elements apart"},
          {"in_f16",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "__half all = __hmul(__float2half_rn(out.alpha), __float2half_rn(d[i]));"
           "if (out.beta != 0) all = __hadd(all, __hmul(__float2half_rn(out.beta), element));"
           "element = all; }",
           "alpha * sum is rounded to f16 before the old C is added"},
          {"alpha_of_all",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(out.alpha * (d[i] + old)); }",
           "alpha multiplies the old C, too"},
          {"guard_of_the_place",
           LOOP ROW COL "if (row * out.ldc + col >= out.M * out.ldc) continue; " STORE,
           "the place in memory is compared with C's size"},
          {"beta_of_all",
           LOOP ROW COL GUARD "__half& element = out.C[row * out.ldc + col];"
                              "const float old = out.beta == 0 ? 0 : __half2float(element);"
                              "element = __float2half_rn(out.beta * (out.alpha * d[i] + old)); }",
           "beta multiplies the sum, too"},
          {"beta_added",
           LOOP ROW COL GUARD "out.C[row * out.ldc + col] ="
                              "    __float2half_rn(out.alpha * d[i] + out.beta); }",
           "beta itself is added, not beta * C"},
          {"stored_too_early",
           LOOP ROW COL GUARD "__half& element = out.C[row * out.ldc + col];"
                              "element = __float2half_rn(out.alpha * d[i]);"
                              "if (out.beta != 0) element = __float2half_rn("
                              "  out.alpha * d[i] + out.beta * __half2float(element)); }",
           "the sum is stored before the old C is read"},
          {"added_to_itself",
           LOOP ROW COL GUARD "__half& element = out.C[row * out.ldc + col];"
                              "element = __float2half_rn(out.alpha * d[i]);"
                              "if (out.beta != 0) element = __float2half_rn("
                              "  __half2float(element) + out.beta * __half2float(element)); }",
           "the sum is stored before the old C is read"},
          {"cut_off",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rz(out.alpha * d[i] + old); }",
           "the result is cut off, not rounded to the next f16"},
          {"old_subtracted",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(out.alpha * d[i] - old); }",
           "the old C is subtracted"},
          {"old_added_again",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(__half2float(element) + out.alpha * d[i] + old); }",
           "the old C is added once more, without beta"},
          {"old_of_the_first",
           LOOP ROW COL GUARD
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(out.C[0]);"
           "out.C[row * out.ldc + col] = __float2half_rn(out.alpha * d[i] + old); }",
           "the old C is always that of C[0]"},
          {"first_sum_for_all",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(out.alpha * d[0] + old); }",
           "d[0] is stored for all four sums"},
          {"guards_of_the_tile",
           LOOP ROW COL
           "if (row - first_row >= out.M || col - first_col >= out.N) continue; " STORE,
           "row and column within the tile are compared with M and N"},
          {"by_columns",
           LOOP ROW COL GUARD
           "__half& element = out.C[col * out.ldc + row];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(out.alpha * d[i] + old); }",
           "C is stored column after column"},
          {"no_ldc",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.N + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(out.alpha * d[i] + old); }",
           "rows lie N elements apart instead of ldc"},
          {"no_alpha",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(d[i] + old); }",
           "alpha is left out"},
          {"no_beta",
           LOOP ROW COL GUARD "out.C[row * out.ldc + col] = __float2half_rn(out.alpha * d[i]); }",
           "the old C is left out"},
          {"nan_with_beta_0",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "element = __float2half_rn(out.alpha * d[i] + out.beta * __half2float(element)); }",
           "the old C is read although beta is 0"},
          {"rounds_twice",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "const __half product = __float2half_rn(out.alpha * d[i]);"
           "element = __float2half_rn(__half2float(product) + old); }",
           "rounded to f16 before the old C is added"},
          {"transposed",
           LOOP "const int col = first_col + (lane >> 2) + i / 2 * 8;"
                "const int row = first_row + lane % 4 * 2 + i % 2; " GUARD STORE,
           "rows and columns of the tile are exchanged"},
          {"d1_d2_exchanged",
           LOOP "const int row = first_row + (lane >> 2) + i % 2 * 8;"
                "const int col = first_col + lane % 4 * 2 + i / 2; " GUARD STORE,
           "d[1] and d[2] are exchanged"},
          {"no_lower_half", LOOP "const int row = first_row + (lane >> 2); " COL GUARD STORE,
           "It looks as if"},
          {"two_of_four", "for (int i = 0; i < 2; ++i) { " ROW COL GUARD STORE,
           "only d[0] and d[1] are stored"},
          {"pair_exchanged",
           LOOP ROW "const int col = first_col + lane % 4 * 2 + 1 - i % 2; " GUARD STORE,
           "the columns of a pair are exchanged"},
          {"four_apart", LOOP ROW "const int col = first_col + lane % 4 + i % 2 * 4; " GUARD STORE,
           "a lane's columns are four apart"},
          {"no_factor_2", LOOP ROW "const int col = first_col + lane % 4 + i % 2; " GUARD STORE,
           "the column is lane % 4, without the factor 2"},
          {"row_and_next",
           LOOP "const int row = first_row + lane / 4 * 2 + i / 2; " COL GUARD STORE,
           "a lane's two rows are neighbours"},
          {"lane_modulo_8",
           LOOP "const int row = first_row + lane % 8 + i / 2 * 8;"
                "const int col = first_col + lane / 8 * 2 + i % 2; " GUARD STORE,
           "lane % 8 is taken for the row"},
          {"four_neighbours",
           LOOP "const int row = first_row + lane / 2;"
                "const int col = first_col + lane % 2 * 4 + i; " GUARD STORE,
           "a lane's sums are four neighbours"},
          {"row_by_row",
           LOOP "const int row = first_row + i * 4 + lane / 8;"
                "const int col = first_col + lane % 8; " GUARD STORE,
           "the tile is shared out row by row"},
          {"rows_of_a_tile",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * 8 + col];"
           "const float old = out.beta == 0 ? 0 : out.beta * __half2float(element);"
           "element = __float2half_rn(out.alpha * d[i] + old); }",
           "This is not one of the mistakes this check knows"},
          {"one_row_more", LOOP ROW COL "if (row > out.M || col >= out.N) continue; " STORE,
           "one row too many is stored"},
          {"one_column_more", LOOP ROW COL "if (row >= out.M || col > out.N) continue; " STORE,
           "one column too many is stored"},
          {"row_asked_once",
           "if (first_row + (lane >> 2) >= out.M) return; " LOOP ROW COL
           "if (col >= out.N) continue; " STORE,
           "the row of d[0] decides whether all four are stored"},
          {"column_asked_once",
           "if (first_col + lane % 4 * 2 >= out.N) return; " LOOP ROW COL
           "if (row >= out.M) continue; " STORE,
           "the column of d[0] decides whether its neighbour is stored, too"},
          {"asked_once",
           "if (first_row + (lane >> 2) >= out.M || first_col + lane % 4 * 2 >= out.N) "
           "return; " LOOP ROW COL STORE,
           "the row and column of d[0] decide whether all four are stored"},
          // Any step that no mistake is written down for.
          {"four_rows_down",
           LOOP "const int row = first_row + (lane >> 2) + i / 2 * 4; " COL GUARD STORE,
           "with i / 2 the row grows by 4, not by 8.\n"},
          {"eight_columns_right",
           LOOP "const int row = first_row + (lane >> 2); "
                "const int col = first_col + lane % 4 * 2 + i % 2 + i / 2 * 8; " GUARD STORE,
           "with i / 2 the row grows by 0, not by 8; with i / 2 the column grows by 8, not by "
           "0.\n"},
          {"columns_first",
           LOOP "const int row = first_row + lane % 4 * 2 + i % 2; "
                "const int col = first_col + lane / 4; " GUARD STORE,
           "with lane / 4 the column grows by 1, not by 0; and so on.\n"},
          {"only_lane_0", LOOP "if (lane > 0) continue; " ROW COL GUARD STORE,
           "only lane 0 stores"},
          {"constant", LOOP ROW COL GUARD "out.C[row * out.ldc + col] = __float2half_rn(1.0f); }",
           "This is not one of the mistakes this check knows"},
          {"first_tile_only",
           LOOP "const int row = (lane >> 2) + i / 2 * 8; "
                "const int col = lane % 4 * 2 + i % 2; " GUARD STORE,
           "only the first tile of C is stored"},
          {"no_first_row", LOOP "const int row = (lane >> 2) + i / 2 * 8; " COL GUARD STORE,
           "only the uppermost tiles of C are stored: first_row is left out"},
          {"no_first_col", LOOP ROW "const int col = lane % 4 * 2 + i % 2; " GUARD STORE,
           "only the leftmost tiles of C are stored: first_col is left out"},
          {"one_row_down",
           LOOP "const int row = first_row + (lane >> 2) + i / 2 * 8 + 1; " COL GUARD STORE,
           "This is not one of the mistakes this check knows"},
      },
      {
          {"added_to_0",
           LOOP ROW COL GUARD
           "__half& element = out.C[row * out.ldc + col]; float all = 0; all += out.alpha * d[i];"
           "if (out.beta != 0) all += out.beta * __half2float(element);"
           "element = __float2half_rn(all); }",
           ""},
          {"fused",
           LOOP ROW COL
           "if (row < out.M && col < out.N) { __half* at = out.C + row * out.ldc + col;"
           "  if (out.beta != 0) *at = fmaf(out.beta, *at, out.alpha * d[i]);"
           "  else *at = out.alpha * d[i]; } }",
           ""},
          {"rows_then_columns",
           "for (int down = 0; down < 2; ++down) {"
           "  const int row = first_row + lane / 4 + 8 * down; if (row >= out.M) break;"
           "  __half* line = out.C + row * out.ldc;"
           "  for (int right = 0; right < 2; ++right) {"
           "    const int col = first_col + 2 * (lane % 4) + right; if (col >= out.N) break;"
           "    double all = static_cast<double>(out.alpha) * d[2 * down + right];"
           "    if (out.beta != 0) all += static_cast<double>(out.beta) * __half2float(line[col]);"
           "    line[col] = __double2half(all); } }",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("06", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 06") {
  exercise().right_answers_pass();
}
TEST_CASE("exercise 06 names memory that is not C's") {
  const Ran ran = exercise().check("no_row_guard");
  CAPTURE(ran.output);
  CHECK(says(ran, "behind C, "));
  CHECK(says(ran, "expected untouched memory"));
}
TEST_CASE("diagnose says where the sums of exercise 06 went") {
  const Ran right = exercise().diagnosed("solution");
  CAPTURE(right.output);
  CHECK(right.status == 0);
  CHECK(says(right, "1 of 1 fragments compared; all are right\n"));
  CHECK_FALSE(says(right, "cannot tell"));
  const std::pair<const char*, const char*> named[] = {
      {"d1_d2_exchanged", "registers D.r1 and D.r2 are exchanged\n"},
      {"pair_exchanged", "the two registers of every pair are exchanged\n"},
  };
  for (const auto& [name, words] : named) {
    const Ran ran = exercise().diagnosed(name);
    CAPTURE(name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, std::string("D of launch 0, block 0,0,0, warp 0: ") + words));
  }
  const Ran empty = exercise().diagnosed("as_shipped");
  CAPTURE(empty.output);
  CHECK(empty.status == 1);
  CHECK(says(empty, "128 of 128 elements are not where \"D as C has it\" has them"));
}
