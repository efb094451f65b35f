// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 06 knows: each makes an epilogue, which predicts all of
// the memory; see epilogue.hpp.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "06_naive_hgemm/epilogue.hpp"

namespace exercise_06 {

struct Mistake {
  const char* name;
  const char* advice;
  std::function<void(Epilogue&)> make;
};

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"M and N are exchanged in the guards", "store only where row < M and col < N",
       [](Epilogue& e) { e.guards_exchanged = true; }},
      {"nothing is guarded at the edges", "store only where row < M and col < N",
       [](Epilogue& e) { e.row_guard = e.col_guard = false; }},
      {"row and column within the tile are compared with M and N",
       "M and N are C's: compare first_row + row and first_col + col with them",
       [](Epilogue& e) { e.guards_tile = true; }},
      {"rows beyond M are stored too", "store only where row < M",
       [](Epilogue& e) { e.row_guard = false; }},
      {"columns beyond N are stored too", "store only where col < N: the next row is not yours",
       [](Epilogue& e) { e.col_guard = false; }},
      {"only what is beyond both edges is left out",
       "C has an element where row < M and col < N: leave it out if either is not so",
       [](Epilogue& e) { e.only_both = true; }},
      {"the place in memory is compared with C's size",
       "what is right of column N - 1 goes into the next row: store only where row < M and col < N",
       [](Epilogue& e) { e.guards_place = true; }},
      {"columns are compared with ldc instead of N",
       "what lies between N and ldc belongs to somebody else: store only where col < N",
       [](Epilogue& e) { e.guards_ldc = true; }},
      {"a tile that sticks out is left out as a whole",
       "what of it is inside has to be stored: each element has a guard of its own",
       [](Epilogue& e) { e.whole_tiles = true; }},
      {"a lane stops at its first element outside of C",
       "the next one may be inside: go on with the loop, `continue` instead of `return`",
       [](Epilogue& e) { e.returns = true; }},
      {"rows lie N elements apart instead of ldc", "C[row][col] is C[row * ldc + col]",
       [](Epilogue& e) { e.uses_ldc = false; }},
      {"alpha is left out", "alpha * (A*B)", [](Epilogue& e) { e.uses_alpha = false; }},
      {"the old C is left out", "+ beta * C, where beta is not 0",
       [](Epilogue& e) { e.uses_beta = false; }},
      {"beta is left out: the old C is added as it is", "+ beta * C",
       [](Epilogue& e) { e.beta_is_1 = true; }},
      {"the old C is subtracted", "alpha * (A*B) + beta * C",
       [](Epilogue& e) { e.subtracts = true; }},
      {"the old C is added once more, without beta",
       "alpha * (A*B) + beta * C: `=`, not `+=`, and C in it once",
       [](Epilogue& e) { e.adds_again = true; }},
      {"the old C is always that of C[0]",
       "each element has an old one of its own, where it is stored: row * ldc + col",
       [](Epilogue& e) { e.first_old = true; }},
      {"d[0] is stored for all four sums", "a lane has four sums: d[i] belongs to element i",
       [](Epilogue& e) { e.first_sum = true; }},
      {"the sums alone are stored", "alpha * (A*B) + beta * C",
       [](Epilogue& e) { e.uses_alpha = e.uses_beta = false; }},
      {"alpha and beta are exchanged", "alpha * (A*B) + beta * C",
       [](Epilogue& e) { e.factors_exchanged = true; }},
      {"alpha multiplies the old C, too", "alpha * (A*B) + beta * C: alpha is the sum's alone",
       [](Epilogue& e) { e.alpha_of_all = true; }},
      {"beta multiplies the sum, too", "alpha * (A*B) + beta * C: beta is the old C's alone",
       [](Epilogue& e) { e.beta_of_all = true; }},
      {"beta itself is added, not beta * C", "beta * the old C, which is read where it is stored",
       [](Epilogue& e) { e.adds_beta = true; }},
      {"the sum is stored before the old C is read", "first read C[row * ldc + col], then store",
       [](Epilogue& e) { e.reads_own = true; }},
      {"the sum is stored before the old C is read", "first read C[row * ldc + col], then store",
       [](Epilogue& e) { e.reads_own = e.rounds_twice = true; }},
      {"alpha is rounded, to f16 or to a whole number, before it multiplies",
       "it is f32, and so is all that is computed: round once, at the end",
       [](Epilogue& e) { e.rounds_alpha = true; }},
      {"beta is rounded, to f16 or to a whole number, before it multiplies",
       "it is f32, and so is all that is computed: round once, at the end",
       [](Epilogue& e) { e.rounds_beta = true; }},
      {"the result is cut off, not rounded to the next f16",
       "__float2half_rn(f) is the f16 nearest to f; _rz is the nearest one towards 0",
       [](Epilogue& e) { e.cuts_off = true; }},
      {"C is stored column after column", "C is row-major: C[row][col] is C[row * ldc + col]",
       [](Epilogue& e) { e.by_columns = true; }},
      {"one row and one column too many are stored", "rows go from 0 to M - 1: row < M, col < N",
       [](Epilogue& e) { e.rows_beyond = e.cols_beyond = 1; }},
      {"one row too many is stored", "rows go from 0 to M - 1: row < M",
       [](Epilogue& e) { e.rows_beyond = 1; }},
      {"one column too many is stored", "columns go from 0 to N - 1: col < N",
       [](Epilogue& e) { e.cols_beyond = 1; }},
      {"the row of d[0] decides whether all four are stored",
       "d[2] and d[3] are 8 rows further down: each sum has a guard of its own",
       [](Epilogue& e) { e.guards_row_of_0 = true; }},
      {"the column of d[0] decides whether its neighbour is stored, too",
       "the next column may be N: each sum has a guard of its own",
       [](Epilogue& e) { e.guards_col_of_0 = true; }},
      {"the row and column of d[0] decide whether all four are stored",
       "each sum has a guard of its own: the next column may be N, the row 8 below M or more",
       [](Epilogue& e) { e.guards_row_of_0 = e.guards_col_of_0 = true; }},
      {"the last column is left out where N is odd",
       "a pair that sticks out has an element inside: each of the two has a guard of its own",
       [](Epilogue& e) { e.whole_pairs = true; }},
      {"C is left as it was where beta is 0", "alpha * (A*B) is to be stored: only C is not read",
       [](Epilogue& e) { e.skips_with_beta_0 = true; }},
      {"the old C is read although beta is 0", "0 * NaN is NaN: do not read C then",
       [](Epilogue& e) { e.reads_with_beta_0 = true; }},
      {"a NaN of the old C is left out", "where beta is not 0 the old C counts, NaN or not",
       [](Epilogue& e) { e.hides_nan = true; }},
      {"0 is stored where C has no element",
       "there is no room for it: what is beyond M or N belongs to somebody else; leave it out",
       [](Epilogue& e) { e.zeros_outside = true; }},
      {"rows and columns of the tile are exchanged",
       "the lane's row is lane >> 2, its columns are lane % 4 * 2 and the next",
       [](Epilogue& e) { std::swap(e.row, e.col); }},
      {"d[1] and d[2] are exchanged", "d[1] is the next column, d[2] is 8 rows further down",
       [](Epilogue& e) {
         e.row = [](int lane, int i) { return (lane >> 2) + i % 2 * 8; };
         e.col = [](int lane, int i) { return lane % 4 * 2 + i / 2; };
       }},
      {"d[2] and d[3] go where d[0] and d[1] belong", "they are 8 rows further down",
       [](Epilogue& e) { e.row = [](int lane, int) { return lane >> 2; }; }},
      {"only d[0] and d[1] are stored", "a lane has four sums",
       [](Epilogue& e) { e.stores = [](int, int i) { return i < 2; }; }},
      {"the columns of a pair are exchanged", "d[0] is the left one of the two",
       [](Epilogue& e) { e.col = [](int lane, int i) { return lane % 4 * 2 + 1 - i % 2; }; }},
      {"a lane's columns are four apart", "a lane's two columns are neighbours: lane % 4 * 2",
       [](Epilogue& e) { e.col = [](int lane, int i) { return lane % 4 + i % 2 * 4; }; }},
      {"the column is lane % 4, without the factor 2",
       "a lane's two columns are neighbours: lane % 4 * 2 and the next",
       [](Epilogue& e) { e.col = [](int lane, int i) { return lane % 4 + i % 2; }; }},
      {"a lane's two rows are neighbours",
       "d[2] and d[3] are 8 rows further down: lane >> 2 and + 8",
       [](Epilogue& e) { e.row = [](int lane, int i) { return (lane >> 2) * 2 + i / 2; }; }},
      {"lane % 8 is taken for the row",
       "four neighbouring lanes share a row: lane >> 2, and the columns come from lane % 4",
       [](Epilogue& e) {
         e.row = [](int lane, int i) { return lane % 8 + i / 2 * 8; };
         e.col = [](int lane, int i) { return lane / 8 * 2 + i % 2; };
       }},
      {"a lane's sums are four neighbours: element lane * 4 + i of the tile",
       "two neighbours of row lane >> 2, and two of the row 8 below",
       [](Epilogue& e) {
         e.row = [](int lane, int) { return lane / 2; };
         e.col = [](int lane, int i) { return lane % 2 * 4 + i; };
       }},
      {"the tile is shared out row by row: element i * 32 + lane",
       "which lane has which sum is not yours to choose: d[0] and d[1] are neighbours of row "
       "lane >> 2",
       [](Epilogue& e) {
         e.row = [](int lane, int i) { return i * 4 + lane / 8; };
         e.col = [](int lane, int) { return lane % 8; };
       }},
      {"only lane 0 stores", "all 32 lanes have sums: look for an `if (lane == 0)`",
       [](Epilogue& e) { e.stores = [](int lane, int) { return lane == 0; }; }},
      {"the sum is rounded to f16 before alpha multiplies it",
       "compute in f32, and round once, at the end", [](Epilogue& e) { e.rounds_sum = true; }},
      {"beta * C is rounded to f16 before it is added",
       "compute in f32, and round once, at the end", [](Epilogue& e) { e.rounds_old = true; }},
      {"alpha * sum is rounded to f16 before the old C is added",
       "compute in f32, and round once, at the end", [](Epilogue& e) { e.rounds_twice = true; }},
  };
  return all;
}

}  // namespace exercise_06
