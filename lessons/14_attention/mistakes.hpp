// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 14 knows by name: each changes an answer, which then
// predicts every element of O to the bit.
#pragma once

#include <vector>

#include "14_attention/answer.hpp"

namespace exercise_14 {

struct Mistake {
  const char* name;
  const char* advice;
  void (*make)(Answer&);
};

/// Which weight stands at a place where p's indices have been taken in another order.
inline Place by_columns(Place at) {  // both rows of one column, in the place of a row's two columns
  return {at.row % 8 + at.col % 2 * 8, at.col / 2 * 2 + at.row / 8};
}
inline Place by_halves(Place at) {  // p[0] in the place of row lane / 4, p[1] of the other one
  return {at.row % 8 + at.col / 8 * 8, at.col % 8 + at.row / 8 * 8};
}

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"a[1] and a[2] are exchanged",
       "a[1] is 8 rows below a[0], a[2] is 8 columns beside it: p[0] has both rows of the left "
       "half",
       [](Answer& a) { a.weight_at = by_halves; }},
      {"a register of A has one column of both rows",
       "two columns of one row: p[.][0] and p[.][1] are of row lane / 4, p[.][2] and p[.][3] of "
       "the other",
       [](Answer& a) { a.weight_at = by_columns; }},
      {"a register of A has one weight of p[0] and one of p[1]",
       "two neighbouring columns of a row: both are in p[0], or both in p[1]",
       [](Answer& a) {
         a.weight_at = [](Place at) {
           return Place{at.row % 8 + at.col / 8 * 8,
                        at.col % 8 / 2 * 2 + at.row / 8 + at.col % 2 * 8};
         };
       }},
      {"the two halves of every register of A are exchanged",
       "the first column belongs into the low half: pack(low, high)",
       [](Answer& a) { a.weight_at = [](Place at) {
                         return Place{at.row, at.col ^ 1};
                       }; }},
      {"p[0] and p[1] are exchanged in A",
       "p[0] has keys 0 to 7: columns 0 to 7 of A, a[0] and a[1]",
       [](Answer& a) { a.weight_at = [](Place at) {
                         return Place{at.row, at.col ^ 8};
                       }; }},
      {"the two rows of a lane are exchanged in A",
       "p[.][0] and p[.][1] are of row lane / 4: a[0] and a[2]",
       [](Answer& a) { a.weight_at = [](Place at) {
                         return Place{at.row ^ 8, at.col};
                       }; }},
      {"A has the weights of keys 0 to 7 twice", "a[2] and a[3] come out of p[1]",
       [](Answer& a) { a.weight_at = [](Place at) {
                         return Place{at.row, at.col % 8};
                       }; }},
      {"A has nothing of keys 8 to 15", "a[2] and a[3] come out of p[1]",
       [](Answer& a) {
         a.weight_at = [](Place at) { return Place{at.row, at.col < 8 ? at.col : -1}; };
       }},
      {"A has nothing of rows lane / 4 + 8", "a[1] and a[3] come out of p[.][2] and p[.][3]",
       [](Answer& a) {
         a.weight_at = [](Place at) { return Place{at.row, at.row < 8 ? at.col : -1}; };
       }},
      {"A is empty", "a[0] to a[3] come out of p[0] and p[1]: two neighbours of a row each",
       [](Answer& a) { a.weight_at = [](Place at) {
                         return Place{at.row, -1};
                       }; }},
      {"this block's weights are made smaller, too",
       "they are right already: only what was added up before, o and sum, times factor",
       [](Answer& a) { a.late = a.weights_smaller = true; }},
      {"A's weights are made smaller, too",
       "they are right already: only what was added up before, o and sum, times factor",
       [](Answer& a) { a.weights_smaller = true; }},
      {"factor makes this block's weights smaller, not what was added up before",
       "they are right already: o and sum times factor, and then the weights as they are",
       [](Answer& a) {
         a.weights_smaller = a.added_smaller = true;
         a.of_o = [](const double(&)[2], int, int) { return 1.0; };
       }},
      {"o is not made smaller when the largest score grows",
       "every o[n][i] times its row's factor, before the block is added",
       [](Answer& a) { a.of_o = [](const double(&)[2], int, int) { return 1.0; }; }},
      {"sum is not made smaller when the largest score grows",
       "sum[row] times factor[row], before the weights are added",
       [](Answer& a) { a.of_sum = [](const double(&)[2], int, int) { return 1.0; }; }},
      {"neither o nor sum is made smaller when the largest score grows",
       "both were added up with weights that are too large now: times factor",
       [](Answer& a) { a.of_o = a.of_sum = [](const double(&)[2], int, int) { return 1.0; }; }},
      {"o's factor goes by column instead of by row",
       "o[n][0] and o[n][1] are of row lane / 4, o[n][2] and o[n][3] of the other: factor[i / 2]",
       [](Answer& a) {
         a.of_o = [](const double(&factor)[2], int, int col) { return factor[col % 2]; };
       }},
      {"all of o has the factor of row lane / 4", "o[n][2] and o[n][3] are of row lane / 4 + 8",
       [](Answer& a) { a.of_o = [](const double(&factor)[2], int, int) { return factor[0]; }; }},
      {"all of o has the factors of both rows",
       "a row has one: o[n][0] and o[n][1] factor[0], o[n][2] and o[n][3] factor[1]",
       [](Answer& a) {
         a.of_o = [](const double(&factor)[2], int, int) { return factor[0] * factor[1]; };
       }},
      {"the factors of a lane's two rows are exchanged",
       "o[n][0] and o[n][1] are of row lane / 4: factor[0]",
       [](Answer& a) {
         a.of_o = [](const double(&factor)[2], int row, int) { return factor[1 - row]; };
       }},
      {"only o[0] is made smaller", "o has kDim / 8 fragments, all of the same rows: o[0] to o[3]",
       [](Answer& a) {
         a.of_o = [](const double(&factor)[2], int row, int col) {
           return col < 8 ? factor[row] : 1;
         };
       }},
      {"only o[0] and o[1] are made smaller",
       "o has kDim / 8 fragments, all of the same rows: o[0] to o[3]",
       [](Answer& a) {
         a.of_o = [](const double(&factor)[2], int row, int col) {
           return col < 16 ? factor[row] : 1;
         };
       }},
      {"o's factor goes by fragment instead of by row",
       "o[n][0] and o[n][1] are of row lane / 4, o[n][2] and o[n][3] of the other: factor[i / 2]",
       [](Answer& a) {
         a.of_o = [](const double(&factor)[2], int, int col) { return factor[col / 16]; };
       }},
      {"o is divided by the factor instead of multiplied",
       "the largest score has grown, so what was added up before becomes smaller",
       [](Answer& a) {
         a.of_o = [](const double(&factor)[2], int row, int) { return 1 / factor[row]; };
       }},
      {"sum is made smaller after this block's weights were added to it",
       "they are right already: first sum[row] * factor[row], then the weights",
       [](Answer& a) { a.late = true; }},
      {"sum is made smaller before each of its row's weights is added",
       "once for a block: sum[row] times factor[row], and then the row's four weights",
       [](Answer& a) { a.before_each = true; }},
      {"the factors of a lane's two rows are exchanged in sum", "sum[row] times factor[row]",
       [](Answer& a) {
         a.of_sum = [](const double(&factor)[2], int row, int) { return factor[1 - row]; };
       }},
      {"both sums have the factor of row lane / 4", "sum[row] times factor[row]",
       [](Answer& a) { a.of_sum = [](const double(&factor)[2], int, int) { return factor[0]; }; }},
      {"sum is divided by the factor instead of multiplied, and o perhaps as well",
       "the largest score has grown, so what was added up before becomes smaller",
       [](Answer& a) {
         a.of_sum = [](const double(&factor)[2], int row, int) { return 1 / factor[row]; };
       }},
      {"sum[0] and sum[1] have the weights of each other's row",
       "sum[0] is row lane / 4's: p[.][0] and p[.][1]",
       [](Answer& a) { a.added_at = [](Place at) {
                         return Place{at.row ^ 8, at.col};
                       }; }},
      {"a sum has one column of both rows",
       "two columns of one row: p[.][0] and p[.][1] are of row lane / 4, p[.][2] and p[.][3] of "
       "the other",
       [](Answer& a) { a.added_at = by_columns; }},
      {"sum[0] has all weights of p[0], and sum[1] those of p[1]",
       "p[0] and p[1] are halves of the keys: of each the two weights of the sum's own row",
       [](Answer& a) { a.added_at = by_halves; }},
      {"a sum has the weights of both rows",
       "two of p[0] and two of p[1]: p[.][0] and p[.][1] are of row lane / 4",
       [](Answer& a) { a.both_rows = true; }},
      {"only sum[0] is added to", "a lane has two rows: sum[1] is that of row lane / 4 + 8",
       [](Answer& a) {
         a.added_at = [](Place at) { return Place{at.row, at.row < 8 ? at.col : -1}; };
       }},
      {"sum begins anew with every block", "add to what is there: sum[row] * factor[row] + ...",
       [](Answer& a) { a.adds = false; }},
      {"sum has the weights of keys 0 to 7 only", "p[0] and p[1]: four weights of a row a lane",
       [](Answer& a) { a.times = [](int key) { return key < 8 ? 1.0 : 0.0; }; }},
      {"sum has one column of two only", "four weights of a row a lane: two of p[0], two of p[1]",
       [](Answer& a) { a.times = [](int key) { return key % 2 == 0 ? 1.0 : 0.0; }; }},
      {"each row's sum is four times too large",
       "a lane adds up its own weights; the four lanes of a row put them together at the end",
       [](Answer& a) { a.times = [](int) { return 4.0; }; }},
      {"each row's sum is four times too small",
       "a lane adds up its own weights as they are; the kernel divides at the end",
       [](Answer& a) { a.times = [](int) { return 0.25; }; }},
      {"the four lanes of a row put their sums together in every block",
       "a lane adds up its own weights; the four are put together once, at the end",
       [](Answer& a) { a.together = true; }},
      {"nothing is added to sum", "sum[row] * factor[row] and the row's four weights",
       [](Answer& a) { a.times = [](int) { return 0.0; }; }},
  };
  return all;
}

}  // namespace exercise_14
