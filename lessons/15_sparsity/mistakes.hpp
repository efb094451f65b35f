// SPDX-License-Identifier: MIT
// What an answer to exercise 15 makes of a matrix, right or with one of the mistakes that the check
// knows: the registers of every lane, to the bit.
//
// Source of the right places: PTX ISA 9.2, 9.7.14.6.2.2 (A; metadata: figure 122); the check holds
// them against common/layout.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace exercise_15 {

constexpr int kRows = 16, kK = 64, kWords = 9;  // of a lane: a[0], a[1], e

using Matrix = std::vector<std::uint16_t>;
using Words = std::vector<std::uint32_t>;

struct Pair {
  std::uint32_t first, second;
};
/// What the exercise's kept_of says of four neighbours.
inline Pair kept_of(const std::uint16_t* four) {
  std::uint32_t first = 0, second = 3;
  while (first < 2 && four[first] == 0) ++first;
  while (second > first + 1 && four[second] == 0) --second;
  return {first, second};
}

/// Four neighbours of a row, n from 0 to 15; row -1: none.
struct Four {
  int row, n;
};
inline const std::uint16_t* at(const Matrix& A, Four four) {
  return A.data() + four.row * kK + four.n * 4;
}

inline std::uint32_t pack(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

/// An answer: what is right in it, and what is not.
struct Answer {
  std::function<Four(int lane, int tile, int reg)> of_a = [](int lane, int tile, int reg) {
    return Four{lane / 4 + reg % 2 * 8, tile * 8 + reg / 2 * 4 + lane % 4};
  };
  std::function<std::uint32_t(const Matrix&, Four)> stored = [](const Matrix& A, Four four) {
    const Pair kept = kept_of(at(A, four));
    return pack(at(A, four)[kept.first], at(A, four)[kept.second]);
  };
  /// Which four the lane's pair number i is of.
  std::function<Four(int lane, int i)> of_e = [](int lane, int i) {
    return Four{lane / 4 + i / 4 * 8, lane % 4 * 4 + i % 4};
  };
  std::function<std::uint32_t(Pair, Four)> bits = [](Pair kept, Four) {
    return kept.first | kept.second << 2;
  };
  std::function<int(int i)> shift = [](int i) { return i * 4; };
  std::function<std::uint32_t(std::uint32_t bits, int shift)> shifted =
      [](std::uint32_t bits, int shift) { return bits << shift; };
};

/// The registers that it leaves.
inline Words registers_of(const Answer& answer, const Matrix& A) {
  Words words;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 8; ++i) words.push_back(answer.stored(A, answer.of_a(lane, i / 4, i % 4)));
    std::uint32_t e = 0;
    for (int i = 0; i < 8; ++i)
      if (const Four four = answer.of_e(lane, i); four.row >= 0)
        e |= answer.shifted(answer.bits(kept_of(at(A, four)), four), answer.shift(i));
    words.push_back(e);
  }
  return words;
}

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
inline void swap_pairs_in_e(Answer& answer) {
  answer.bits = [](Pair kept, Four) { return kept.second | kept.first << 2; };
}

// first | second << 2 << i * 4: the first indices all in bits 0 and 1.
inline void shift_one_index(Answer& answer) {
  answer.shifted = [](std::uint32_t bits, int shift) { return (bits & 3) | (bits & ~3u) << shift; };
}

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      // ---- a ------------------------------------------------------------------------------------
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
      {"of every four the first two are stored, zeros or not",
       "kept_of says which two: four(A, row, n)[kept.first] and [kept.second]",
       [](Answer& a) {
         a.stored = [](const Matrix& A, Four four) { return pack(at(A, four)[0], at(A, four)[1]); };
       }},
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
