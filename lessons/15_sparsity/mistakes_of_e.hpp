// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 15 knows, of the metadata: whose it is, and what it says.
#pragma once

#include <utility>
#include <vector>

#include "15_sparsity/answer.hpp"
#include "15_sparsity/mistakes_of_a.hpp"

namespace exercise_15 {

inline void swap_pairs_in_e(Answer& answer) {
  answer.bits = [](Pair kept, Four) { return kept.second | kept.first << 2; };
}

// first | second << 2 << i * 4: the first indices all in bits 0 and 1.
inline void shift_one_index(Answer& answer) {
  answer.shifted = [](std::uint32_t bits, int shift) { return (bits & 3) | (bits & ~3u) << shift; };
}

inline const std::vector<Mistake>& mistakes_of_e() {
  static const std::vector<Mistake> all{
      // ---- e: whose ---------------------------------------------------------------------------
      {"the rows of a lane are exchanged in e",
       "bits 0 to 15 are about row lane / 4, bits 16 to 31 about the row 8 below",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + 8 - i / 4 * 8, lane % 4 * 4 + i % 4};
         };
       }},
      {"the two rows of a lane take turns in e",
       "first four fours of row lane / 4, then four of the row 8 below",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4 + i % 2 * 8, lane % 4 * 4 + i / 2}; };
       }},
      {"the rows of a lane take turns in e, and half of the fours are missing",
       "bits 0 to 15 are about row lane / 4, bits 16 to 31 about the row 8 below: i / 4 * 8",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4 + i % 2 * 8, lane % 4 * 4 + i % 4}; };
       }},
      {"the two lanes that a selector chooses are exchanged in e",
       "the even lane has the left four fours of its tile, the odd one the right four",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + i / 4 * 8, (lane % 4 ^ 1) * 4 + i % 4};
         };
       }},
      {"selector 0 and selector 1 are exchanged in e",
       "selector 0 has lanes 4g and 4g + 1 read, and goes with columns 0 to 31",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + i / 4 * 8, (lane % 4 ^ 2) * 4 + i % 4};
         };
       }},
      {"lanes 4g and 4g + 2 have tile 0 in e, instead of 4g and 4g + 1",
       "a selector chooses two neighbours: lane % 4 / 2 is the tile, lane % 2 its half",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + i / 4 * 8, (lane % 2 * 2 + lane % 4 / 2) * 4 + i % 4};
         };
       }},
      {"e is about columns 0 to 31 in all lanes",
       "lanes 4g + 2 and 4g + 3 are read for tile 1: lane % 4 / 2 is the tile",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4 + i / 4 * 8, lane % 2 * 4 + i % 4}; };
       }},
      {"both lanes of a pair have the same fours in e",
       "the odd lane has the right half of the tile's fours: 4 to 7",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + i / 4 * 8, lane % 4 / 2 * 8 + i % 4};
         };
       }},
      {"all four lanes of a group have the same e",
       "each of them has four fours of its own: lane % 4 says which",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4 + i / 4 * 8, i % 4}; };
       }},
      {"e is that of 8-bit elements: a row a lane, all its fours",
       "with 16-bit elements a lane has two rows, four fours of each",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + lane % 2 * 8, lane % 4 / 2 * 8 + i};
         };
       }},
      {"e speaks of the elements that its own lane stores",
       "whose bits are read, the selector says: of the lane's two rows four fours that lie side by "
       "side",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + i % 2 * 8, i / 4 * 8 + i % 4 / 2 * 4 + lane % 4};
         };
       }},
      {"the second row's fours begin four further right in e",
       "a lane has the same four fours of both rows: i % 4, not i",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4 + i / 4 * 8, lane % 4 * 4 + i}; };
       }},
      {"e has eight fours of row lane / 4", "four of row lane / 4, then four of the row 8 below",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4, lane % 4 / 2 * 8 + i}; };
       }},
      {"the two rows of a lane are neighbours in e", "the second one is 8 rows below: lane / 4 + 8",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4 * 2 + i / 4, lane % 4 * 4 + i % 4}; };
       }},
      {"the fours of a row are in reverse order in e", "the leftmost four is in the lowest bits",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane / 4 + i / 4 * 8, lane % 4 * 4 + 3 - i % 4};
         };
       }},
      {"the fours of a lane lie four apart in e",
       "a lane speaks of four fours that lie side by side: lane % 4 * 4 + i % 4",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 4 + i / 4 * 8, lane % 4 + i % 4 * 4}; };
       }},
      {"two lanes share a row in e, and a lane has eight fours of it",
       "four lanes share two rows, lane / 4 and lane / 4 + 8: of each a lane has four fours",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane / 2, lane % 2 * 8 + i}; };
       }},
      {"lane % 8 is the row in e", "four neighbouring lanes share a row, as in a: lane / 4",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{lane % 8 + i / 4 * 8, lane / 8 * 4 + i % 4}; };
       }},
      {"e has nothing of the rows from 8 on", "eight pairs a lane: four of each of its two rows",
       [](Answer& a) {
         a.of_e = [](int lane, int i) { return Four{i < 4 ? lane / 4 : -1, lane % 4 * 4 + i % 4}; };
       }},
      {"only the lanes that selector 0 chooses have an e",
       "lanes 4g + 2 and 4g + 3 are read for tile 1",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane % 4 < 2 ? lane / 4 + i / 4 * 8 : -1, lane % 4 * 4 + i % 4};
         };
       }},
      {"only the lanes that selector 1 chooses have an e",
       "lanes 4g and 4g + 1 are read for tile 0",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{lane % 4 < 2 ? -1 : lane / 4 + i / 4 * 8, lane % 4 * 4 + i % 4};
         };
       }},
      {"e holds its last pair alone", "each pair is added to those before: |=, not =",
       [](Answer& a) {
         a.of_e = [](int lane, int i) {
           return Four{i < 7 ? -1 : lane / 4 + i / 4 * 8, lane % 4 * 4 + i % 4};
         };
       }},
      {"the metadata is still 0", "e |= ... for each of the lane's eight fours",
       [](Answer& a) { a.of_e = [](int, int) {
                         return Four{-1, 0};
                       }; }},
      // ---- e: what ----------------------------------------------------------------------------
      {"the two indices of every pair are exchanged in e",
       "the first one is in the low two bits: first | second << 2", swap_pairs_in_e},
      {"the pairs are in the wrong order, in a and in e",
       "D may come out right, but the instruction asks for first < second: on another card it may "
       "not",
       [](Answer& a) {
         swap_pairs_in_a(a);
         swap_pairs_in_e(a);
       }},
      {"the pairs of e begin in the highest bits", "pair 0 is in bits 0 to 3",
       [](Answer& a) { a.shift = [](int i) { return 28 - i * 4; }; }},
      {"the pairs of e lie two bits apart", "a pair has four bits: << i * 4",
       [](Answer& a) { a.shift = [](int i) { return i * 2; }; }},
      {"all pairs of e lie in bits 0 to 3", "pair i belongs into bits 4 * i to 4 * i + 3",
       [](Answer& a) { a.shift = [](int) { return 0; }; }},
      {"only the second index of each pair is shifted to its place",
       "<< binds more tightly than |: (first | second << 2) << i * 4", shift_one_index},
      {"e has a bit for every element that is kept", "not a mask: two indices of two bits each",
       [](Answer& a) {
         a.bits = [](Pair kept, Four) { return 1u << kept.first | 1u << kept.second; };
       }},
      {"the second index is shifted by one bit only", "an index has two bits: second << 2",
       [](Answer& a) { a.bits = [](Pair kept, Four) { return kept.first | kept.second << 1; }; }},
      {"the second index is shifted by four bits, into the next pair",
       "an index has two bits: second << 2",
       [](Answer& a) { a.bits = [](Pair kept, Four) { return kept.first | kept.second << 4; }; }},
      {"the indices are counted from 1", "0 to 3",
       [](Answer& a) {
         a.bits = [](Pair kept, Four) { return (kept.first + 1) | (kept.second + 1) << 2; };
       }},
      {"the indices are counted from the right", "0 is the leftmost of the four",
       [](Answer& a) {
         a.bits = [](Pair kept, Four) { return (3 - kept.first) | (3 - kept.second) << 2; };
       }},
      {"the indices are counted in eight elements",
       "in four: a pair knows nothing of its neighbour",
       [](Answer& a) {
         a.bits = [](Pair kept, Four four) {
           const std::uint32_t right = static_cast<std::uint32_t>(four.n % 2 * 4);
           return (kept.first + right) | (kept.second + right) << 2;
         };
       }},
      {"the indices are columns of the row", "in the four, 0 to 3",
       [](Answer& a) {
         a.bits = [](Pair kept, Four four) {
           const std::uint32_t col = static_cast<std::uint32_t>(four.n * 4);
           return (kept.first + col) | (kept.second + col) << 2;
         };
       }},
      {"the second index is the distance from the first", "both are counted from the four's begin",
       [](Answer& a) {
         a.bits = [](Pair kept, Four) { return kept.first | (kept.second - kept.first) << 2; };
       }},
  };
  return all;
}

}  // namespace exercise_15
