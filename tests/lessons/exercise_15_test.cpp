// SPDX-License-Identifier: MIT
// Exercise 15 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define STORE(row, n, low, high)                      \
  "for (int tile = 0; tile < 2; ++tile)"              \
  "  for (int reg = 0; reg < 4; ++reg) {"             \
  "    const std::uint16_t* at = four(A, " row ", " n \
  "); const Pair kept = kept_of(at);"                 \
  "    a[tile][reg] = pack(at[" low "], at[" high "]); }"
#define ROW "lane / 4 + reg % 2 * 8"
#define N "tile * 8 + reg / 2 * 4 + lane % 4"
#define A STORE(ROW, N, "kept.first", "kept.second")
#define SAY(row, n, bits, shift)             \
  "for (int i = 0; i < 8; ++i) {"            \
  "  const int n = " n                       \
  ";"                                        \
  "  const Pair kept = kept_of(four(A, " row \
  ", n));"                                   \
  "  e |= (" bits ") << (" shift ") + 0 * n; }"
#define E_ROW "lane / 4 + i / 4 * 8"
#define E_N "lane % 4 * 4 + i % 4"
#define BITS "kept.first | kept.second << 2"
#define OF(row, n) SAY(row, n, BITS, "i * 4")
#define AS(bits) SAY(E_ROW, E_N, bits, "i * 4")
#define AT(shift) SAY(E_ROW, E_N, BITS, shift)
#define E OF(E_ROW, E_N)

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "15_sparsity", "compress_on_device",
      {
          {"registers_exchanged",
           STORE("lane / 4 + reg / 2 * 8", "tile * 8 + reg % 2 * 4 + lane % 4", "kept.first",
                 "kept.second") E,
           "a[.][1] and a[.][2] are exchanged"},
          {"rows_of_a", STORE("lane / 4 + 8 - reg % 2 * 8", N, "kept.first", "kept.second") E,
           "the rows of a lane are exchanged in a"},
          {"side_by_side",
           STORE(ROW, "tile * 8 + lane % 4 * 2 + reg / 2", "kept.first", "kept.second") E,
           "a lane stores two fours side by side"},
          {"half_a_tile",
           STORE(ROW, "tile * 4 + reg / 2 * 4 + lane % 4", "kept.first", "kept.second") E,
           "a[1] begins four fours further right"},
          {"two_fours",
           STORE(ROW, "tile * 8 + reg / 2 * 2 + lane % 4", "kept.first", "kept.second") E,
           "a[.][2] and a[.][3] are two fours further right"},
          {"tiles",
           STORE(ROW, "(1 - tile) * 8 + reg / 2 * 4 + lane % 4", "kept.first", "kept.second") E,
           "a[0] and a[1] are exchanged"},
          {"neighbouring_rows_of_a",
           STORE("lane / 4 * 2 + reg % 2", N, "kept.first", "kept.second") E,
           "the two rows of a lane are neighbours in a"},
          {"second_twice", STORE(ROW, N, "kept.second", "kept.second") E,
           "both halves of every register of a have the second"},
          {"indices",
           "for (int tile = 0; tile < 2; ++tile) for (int reg = 0; reg < 4; ++reg) {"
           "  const Pair kept = kept_of(four(A, " ROW ", " N "));"
           "  a[tile][reg] = pack(kept.first, kept.second); }" E,
           "the indices are stored in a, not the elements there"},
          {"alternating", A OF("lane / 4 + i % 2 * 8", E_N),
           "the rows of a lane take turns in e, and half of the fours are missing"},
          {"one_bit_on", A AS("kept.first | kept.second << 1"),
           "the second index is shifted by one bit only"},
          {"four_bits_on", A AS("kept.first | kept.second << 4"),
           "the second index is shifted by four bits, into the next pair"},
          {"both_wrong",
           STORE("lane / 4 + reg / 2 * 8", "tile * 8 + reg % 2 * 4 + lane % 4", "kept.first",
                 "kept.second") AT("28 - i * 4"),
           "a[.][1] and a[.][2] are exchanged; and the pairs of e begin in the highest bits"},
          {"two_of_e",
           A SAY("lane / 4 + lane % 2 * 8", "lane % 4 / 2 * 8 + i", "kept.second | kept.first << 2",
                 "i * 4"),
           "e is that of 8-bit elements: a row a lane, all its fours; and the two indices of every "
           "pair are exchanged in e"},
          {"e_and_more", STORE(ROW, "0", "kept.first", "kept.second") AT("28 - i * 4"),
           "the pairs of e begin in the highest bits; and a is wrong as well"},
          {"one_tile", STORE(ROW, "reg / 2 * 4 + lane % 4", "kept.first", "kept.second") E,
           "a[1] holds columns 0 to 31 again"},
          {"halves", STORE(ROW, N, "kept.second", "kept.first") E,
           "the halves of every register of a are exchanged, and e says otherwise"},
          {"upper_rows_of_a", STORE("lane / 4 + 0 * reg", N, "kept.first", "kept.second") E,
           "the rows 8 further down are missing in a"},
          {"left_fours", STORE(ROW, "tile * 8 + lane % 4", "kept.first", "kept.second") E,
           "a[.][2] and a[.][3] hold the fours of a[.][0] and a[.][1] again"},
          {"transposed",
           STORE("lane % 4 + reg % 2 * 8", "tile * 8 + reg / 2 * 4 + lane / 4", "kept.first",
                 "kept.second") E,
           "lane / 4 and lane % 4 have changed places in a"},
          {"dense",
           "for (int i = 0; i < 8; ++i) { const std::uint16_t* at = A + (lane / 4 + i % 2 * 8) * "
           "kK "
           "+ i / 4 * 32 + lane % 4 * 2 + i % 4 / 2 * 8; a[i / 4][i % 4] = pack(at[0], at[1]); }" E,
           "a is lesson 01's A of the dense matrix"},
          {"not_compressed", STORE(ROW, N, "kept.first * 0", "kept.second * 0 + 1") E,
           "of every four the first two are stored, zeros or not"},
          {"rows_of_e", A OF("lane / 4 + 8 - i / 4 * 8", E_N),
           "the rows of a lane are exchanged in e"},
          {"rows_in_turn", A OF("lane / 4 + i % 2 * 8", "lane % 4 * 4 + i / 2"),
           "the two rows of a lane take turns in e"},
          {"pair_exchanged", A OF(E_ROW, "(lane % 4 ^ 1) * 4 + i % 4"),
           "the two lanes that a selector chooses are exchanged in e"},
          {"selectors_exchanged", A OF(E_ROW, "(lane % 4 ^ 2) * 4 + i % 4"),
           "selector 0 and selector 1 are exchanged in e"},
          {"every_second_lane", A OF(E_ROW, "(lane % 2 * 2 + lane % 4 / 2) * 4 + i % 4"),
           "lanes 4g and 4g + 2 have tile 0 in e, instead of 4g and 4g + 1"},
          {"tile_0_in_e", A OF(E_ROW, "lane % 2 * 4 + i % 4"),
           "e is about columns 0 to 31 in all lanes"},
          {"left_half_in_e", A OF(E_ROW, "lane % 4 / 2 * 8 + i % 4"),
           "both lanes of a pair have the same fours in e"},
          {"one_e_a_group", A OF(E_ROW, "i % 4"), "all four lanes of a group have the same e"},
          {"as_for_s8", A OF("lane / 4 + lane % 2 * 8", "lane % 4 / 2 * 8 + i"),
           "e is that of 8-bit elements: a row a lane, all its fours"},
          {"own_elements", A OF("lane / 4 + i % 2 * 8", "i / 4 * 8 + i % 4 / 2 * 4 + lane % 4"),
           "e speaks of the elements that its own lane stores"},
          {"one_row_in_e", A OF("lane / 4", "lane % 4 / 2 * 8 + i"),
           "e has eight fours of row lane / 4"},
          {"row_and_next", A OF("lane / 4 * 2 + i / 4", E_N),
           "the two rows of a lane are neighbours in e"},
          {"reversed", A OF(E_ROW, "lane % 4 * 4 + 3 - i % 4"),
           "the fours of a row are in reverse order in e"},
          {"selector_1_only", A "if (lane % 4 >= 2) " E,
           "only the lanes that selector 1 chooses have an e"},
          {"set_anew",
           A "for (int i = 0; i < 8; ++i) { const Pair kept = kept_of(four(A, " E_ROW ", " E_N
             ")); e = (" BITS ") << i * 4; }",
           "e holds its last pair alone"},
          {"precedence",
           A "for (int i = 0; i < 8; ++i) { const Pair kept = kept_of(four(A, " E_ROW ", " E_N
             ")); e |= kept.first | kept.second << 2 << i * 4; }",
           "only the second index of each pair is shifted"},
          {"neighbour_of_the_first", STORE(ROW, N, "kept.first", "kept.first + 1") E,
           "the high halves of a have the neighbour of the first that is kept"},
          {"fours_four_apart", A OF(E_ROW, "lane % 4 + i % 4 * 4"),
           "the fours of a lane lie four apart in e"},
          {"two_lanes", A OF("lane / 2", "lane % 2 * 8 + i"),
           "two lanes share a row in e, and a lane has eight fours of it"},
          {"lane_modulo_8", A OF("lane % 8 + i / 4 * 8", "lane / 8 * 4 + i % 4"),
           "lane % 8 is the row in e"},
          {"upper_rows",
           A "for (int i = 0; i < 4; ++i) {"
             "  const Pair kept = kept_of(four(A, lane / 4, lane % 4 * 4 + i));"
             "  e |= (kept.first | kept.second << 2) << i * 4; }",
           "e has nothing of the rows from 8 on"},
          {"selector_0_only", A "if (lane % 4 < 2) " E,
           "only the lanes that selector 0 chooses have an e"},
          {"no_e", A, "the metadata is still 0"},
          {"indices_exchanged", A AS("kept.second | kept.first << 2"),
           "the two indices of every pair are exchanged in e"},
          {"unordered",
           STORE(ROW, N, "kept.second", "kept.first") AS("kept.second | kept.first << 2"),
           "the pairs are in the wrong order, in a and in e"},
          {"what_is_not_zero",
           "const auto place = [](const std::uint16_t* at, int which) { std::uint32_t found = 0;"
           "  for (std::uint32_t i = 0; i < 4; ++i)"
           "    if (at[i] != 0 && which-- == 0) found = i;"
           "  return found; };"
           "const auto element = [&](const std::uint16_t* at, int which) {"
           "  for (int i = 0; i < 4; ++i)"
           "    if (at[i] != 0 && which-- == 0) return at[i];"
           "  return std::uint16_t(0); };"
           "for (int tile = 0; tile < 2; ++tile) for (int reg = 0; reg < 4; ++reg) {"
           "  const std::uint16_t* at = four(A, " ROW ", " N ");"
           "  a[tile][reg] = pack(element(at, 0), element(at, 1)); }"
           "for (int i = 0; i < 8; ++i) { const std::uint16_t* at = four(A, " E_ROW ", " E_N ");"
           "  e |= (place(at, 0) | place(at, 1) << 2) << i * 4; }",
           "the two indices of a pair are the same, or not in order"},
          {"from_the_top", A AT("28 - i * 4"), "the pairs of e begin in the highest bits"},
          {"two_bits_apart", A AT("i * 2"), "the pairs of e lie two bits apart"},
          {"not_shifted", A AT("0"), "all pairs of e lie in bits 0 to 3"},
          {"mask", A AS("1u << kept.first | 1u << kept.second"),
           "e has a bit for every element that is kept"},
          {"from_1", A AS("(kept.first + 1) | (kept.second + 1) << 2"),
           "the indices are counted from 1"},
          {"from_the_right", A AS("(3 - kept.first) | (3 - kept.second) << 2"),
           "the indices are counted from the right"},
          {"of_eight", A AS("(kept.first + n % 2 * 4) | (kept.second + n % 2 * 4) << 2"),
           "the indices are counted in eight elements"},
          {"columns", A AS("(kept.first + n * 4) | (kept.second + n * 4) << 2"),
           "the indices are columns of the row"},
          {"distance", A AS("kept.first | (kept.second - kept.first) << 2"),
           "the second index is the distance from the first"},
          {"constant_e", A "e = 0x44444444;", "e is the same in all lanes"},
          {"no_a", E, "nothing was stored in a"},
          {"other_e", A "e = lane;",
           "a is right; e is wrong in a way that this check does not know"},
          {"rows_four_apart", STORE("lane / 4 + reg % 2 * 4", N, "kept.first", "kept.second") E,
           "It looks as if in a with reg % 2 the row grows by 4, not by 8.\n"},
          {"tiles_two_fours_apart",
           STORE(ROW, "tile * 2 + reg / 2 * 8 + lane % 4", "kept.first", "kept.second") E,
           "It looks as if in a with tile the four grows by 2, not by 8; with reg / 2 the four "
           "grows by 8, not by 4.\n"},
          {"lanes_two_fours_apart_in_e", A OF(E_ROW, "lane % 4 * 2 + i % 4"),
           "It looks as if in e with lane % 4 the four grows by 2, not by 4.\n"},
          {"rows_four_apart_in_e", A OF("lane / 4 + i / 4 * 4", E_N),
           "It looks as if in e with pair / 4 the row grows by 4, not by 8.\n"},
          {"rows_and_e",
           STORE("lane / 4 + reg % 2 * 4", N, "kept.first", "kept.second") "e = lane;",
           "with reg % 2 the row grows by 4, not by 8; and e is wrong as well"},
          // What lies behind A: who goes there is not told an address.
          {"tiles_in_columns",
           STORE(ROW, "tile * 32 + reg / 2 * 4 + lane % 4", "kept.first", "kept.second") E,
           "a[1] begins 32 fours further on, two rows down"},
          {"tiles_in_the_next_row",
           STORE(ROW, "tile * 16 + reg / 2 * 4 + lane % 4", "kept.first", "kept.second") E,
           "a[1] begins 16 fours further on, in the next row"},
          {"rows_16_apart", STORE("lane / 4 + reg % 2 * 16", N, "kept.first", "kept.second") E,
           "It looks as if in a with reg % 2 the row grows by 16, not by 8.\n"},
          {"fours_8_apart",
           STORE(ROW, "tile * 8 + reg / 2 * 8 + lane % 4", "kept.first", "kept.second") E,
           "It looks as if in a with reg / 2 the four grows by 8, not by 4.\n"},
          {"lane_for_row", STORE("lane + reg % 2 * 8", N, "kept.first", "kept.second") E,
           "It looks as if in a with lane % 4 the row grows by 1, not by 0; with lane / 4 the row "
           "grows by 4, not by 1.\n"},
          {"i_not_cut", A OF(E_ROW, "lane % 4 * 4 + i"),
           "the second row's fours begin four further right in e"},
          {"lanes_8_fours_apart_in_e", A OF(E_ROW, "lane % 4 * 8 + i % 4"),
           "It looks as if in e with lane % 4 the four grows by 8, not by 4.\n"},
          {"rows_16_apart_in_e", A OF("lane / 4 + i / 4 * 16", E_N),
           "It looks as if in e with pair / 4 the row grows by 16, not by 8.\n"},
          {"other_a", STORE(ROW, N, "kept.first", "kept.first") E,
           "e is right; a is wrong in a way that this check does not know"},
          {"ones", "for (int i = 0; i < 8; ++i) a[i / 4][i % 4] = pack(1, 1); e = lane;",
           "Neither a nor e is right"},
      },
      {
          {"other_zeros",  // than kept_of takes, where less than two are not zero
           "const auto kept = [](const std::uint16_t* at) -> Pair { std::uint32_t f = 4, s = 4;"
           "  for (std::uint32_t i = 0; i < 4; ++i) if (at[i] != 0) (f == 4 ? f : s) = i;"
           "  if (f == 4) return {0, 1};"
           "  return s < 4 ? Pair{f, s} : f == 0 ? Pair{0, 1} : Pair{0, f}; };"
           "for (int tile = 0; tile < 2; ++tile) for (int reg = 0; reg < 4; ++reg) {"
           "  const std::uint16_t* at = four(A, " ROW ", " N "); const Pair k = kept(at);"
           "  a[tile][reg] = pack(at[k.first], at[k.second]); }"
           "for (int i = 0; i < 8; ++i) { const Pair k = kept(four(A, " E_ROW ", " E_N "));"
           "  e |= (k.first | k.second << 2) << i * 4; }",
           ""},
          {"row_by_row",
           "for (int down = 0; down < 2; ++down) for (int n = 0; n < 4; ++n) {"
           "  const std::uint16_t* at = four(A, lane / 4 + 8 * down, n * 4 + lane % 4);"
           "  const Pair k = kept_of(at), m = kept_of(four(A, lane / 4 + 8 * down, lane % 4 * 4 + "
           "n));"
           "  a[n / 2][n % 2 * 2 + down] = pack(at[k.first], at[k.second]);"
           "  e += (m.first + 4 * m.second) << (16 * down + 4 * n); }",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("15", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 15") {
  exercise().right_answers_pass();
}
TEST_CASE("a pair out of order is refused although D is right on the emulator") {
  const Ran ran = exercise().check("unordered");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, ", the pair is not in order"));
  CHECK(!says(ran, "elements of D are wrong"));
}
