// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 15 knows, of the stored elements.
#pragma once

#include <utility>
#include <vector>

#include "15_sparsity/answer.hpp"

namespace exercise_15 {

struct Mistake {
  const char* name;
  const char* advice;
  void (*make)(Answer&);
};

inline void swap_pairs_in_a(Answer& answer) {
  answer.stored = [](const Matrix& A, Four four) {
    const Pair kept = kept_of(at(A, four));
    return pack(at(A, four)[kept.second], at(A, four)[kept.first]);
  };
}
inline const std::vector<Mistake>& mistakes_of_a() {
  static const std::vector<Mistake> all{
      {"a[.][1] and a[.][2] are exchanged",
       "as in lesson 01: a[.][1] is 8 rows below a[.][0], a[.][2] is 8 stored columns, four fours, "
       "beside it",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg / 2 * 8, tile * 8 + reg % 2 * 4 + lane % 4};
         };
       }},
      {"the rows of a lane are exchanged in a",
       "a[.][0] and a[.][2] are of row lane / 4, the others of the row 8 below",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + 8 - reg % 2 * 8, tile * 8 + reg / 2 * 4 + lane % 4};
         };
       }},
      {"a lane stores two fours side by side",
       "a register has one four, and lane % 4 says which of the first four fours; a[.][2] is four "
       "fours further on",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, tile * 8 + lane % 4 * 2 + reg / 2};
         };
       }},
      {"a[1] begins four fours further right, in the middle of columns 0 to 31",
       "a tile has eight fours: tile 1 begins at four 8",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, tile * 4 + reg / 2 * 4 + lane % 4};
         };
       }},
      {"a[1] begins 16 fours further on, in the next row: at four tile * 16",
       "a row has 16 fours, a tile eight: tile 1 begins at four 8",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, tile * 16 + reg / 2 * 4 + lane % 4};
         };
       }},
      {"a[1] begins 32 fours further on, two rows down: at four tile * 32",
       "32 are columns; fours are counted, eight a tile: tile 1 begins at four 8",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, tile * 32 + reg / 2 * 4 + lane % 4};
         };
       }},
      {"a[.][2] and a[.][3] are two fours further right",
       "four lanes share a row, with a four each: these two are four fours further right",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, tile * 8 + reg / 2 * 2 + lane % 4};
         };
       }},
      {"a[0] and a[1] are exchanged", "a[0] is tile 0, columns 0 to 31",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, 8 - tile * 8 + reg / 2 * 4 + lane % 4};
         };
       }},
      {"the two rows of a lane are neighbours in a", "the second one is 8 rows below: lane / 4 + 8",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 * 2 + reg % 2, tile * 8 + reg / 2 * 4 + lane % 4};
         };
       }},
      {"both halves of every register of a have the second of the two that are kept",
       "the first one is the low half: [kept.first], [kept.second]",
       [](Answer& a) {
         a.stored = [](const Matrix& A, Four four) {
           const std::uint16_t second = at(A, four)[kept_of(at(A, four)).second];
           return pack(second, second);
         };
       }},
      {"the indices are stored in a, not the elements there",
       "they say which two: four(A, row, n)[kept.first] and [kept.second]",
       [](Answer& a) {
         a.stored = [](const Matrix& A, Four four) {
           const Pair kept = kept_of(at(A, four));
           return kept.first | kept.second << 16;
         };
       }},
      {"a[1] holds columns 0 to 31 again", "tile 1 begins at four 8",
       [](Answer& a) {
         a.of_a = [](int lane, int, int reg) {
           return Four{lane / 4 + reg % 2 * 8, reg / 2 * 4 + lane % 4};
         };
       }},
      {"the halves of every register of a are exchanged, and e says otherwise",
       "the first of the two is the low half", swap_pairs_in_a},
      {"the rows 8 further down are missing in a", "a[.][1] and a[.][3] are of row lane / 4 + 8",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4, tile * 8 + reg / 2 * 4 + lane % 4};
         };
       }},
      {"a[.][2] and a[.][3] hold the fours of a[.][0] and a[.][1] again",
       "a tile has eight fours: these two are four fours further right",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, tile * 8 + lane % 4};
         };
       }},
      {"lane / 4 and lane % 4 have changed places in a",
       "four neighbouring lanes share a row: lane / 4 is the row, lane % 4 chooses the four",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane % 4 + reg % 2 * 8, tile * 8 + reg / 2 * 4 + lane / 4};
         };
       }},
      {"a is lesson 01's A of the dense matrix, its first 16 columns of each tile",
       "A is compressed first: a register holds the two that are kept of one four",
       [](Answer& a) {
         a.of_a = [](int lane, int tile, int reg) {
           return Four{lane / 4 + reg % 2 * 8, (tile * 32 + lane % 4 * 2 + reg / 2 * 8) * 16};
         };
         a.stored = [](const Matrix& A, Four columns) {  // a sixteenth of a column, so to say
           const std::uint16_t* two = A.data() + columns.row * kK + columns.n / 16;
           return pack(two[0], two[1]);
         };
       }},
      {"the high halves of a have the neighbour of the first that is kept, not the second",
       "two are kept, and they need not be neighbours: four(A, row, n)[kept.second]",
       [](Answer& a) {
         a.stored = [](const Matrix& A, Four four) {
           const std::uint32_t first = kept_of(at(A, four)).first;
           return pack(at(A, four)[first], at(A, four)[first + 1]);
         };
       }},
      {"of every four the first two are stored, zeros or not",
       "kept_of says which two: four(A, row, n)[kept.first] and [kept.second]",
       [](Answer& a) {
         a.stored = [](const Matrix& A, Four four) { return pack(at(A, four)[0], at(A, four)[1]); };
       }},
  };
  return all;
}

}  // namespace exercise_15
