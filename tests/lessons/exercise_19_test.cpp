// SPDX-License-Identifier: MIT
// Exercise 19 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

// Packing: nibble i of word w, with r = i % 2, s = i % 4 / 2, h = i / 4 as in the solution.
#define PACK_AT(k, col, word, bit, value, join)                                     \
  "for (int n = 0; n < 32; ++n) {"                                                  \
  "  const int w = n / 8, i = n % 8, r = i % 2, s = i % 4 / 2, h = i / 4;"          \
  "  const int step = w * 2 + s, t = lane % 4, g = lane / 4;"                       \
  "  const int k = " k ", col = " col ", bit = " bit ", to = " word                 \
  ";"                                                                               \
  "  if (to >= 0 && bit < 32) words[to] " join " static_cast<std::uint32_t>(" value \
  ") << bit;"                                                                       \
  "  [[maybe_unused]] const int all = r + s + h + step + t + g + k + col; }"
#define K "step * 16 + r * 8 + t * 2 + h"
#define READ "W[k * kN + col]"
#define PLACE(k, col) PACK_AT(k, col, "w", "i * 4", READ, "|=")
#define ORDER(bit) PACK_AT(K, "g", "w", bit, READ, "|=")
#define VALUE(value) PACK_AT(K, "g", "w", "i * 4", value, "|=")
#define PACK PLACE(K, "g")

// Unpacking: x is the word, shifted; b[step][0] and b[step][1].
#define UNPACK_OF(word, first, second)                              \
  "for (int step = 0; step < kSteps; ++step) {"                     \
  "  const std::uint32_t x = " word                                 \
  ";"                                                               \
  "  const std::uint32_t even = and_or(x, 0x000f000f, 0x64006400);" \
  "  const std::uint32_t odd = and_or(x, 0x00f000f0, 0x64006400);"  \
  "  b[step][0] = " first                                           \
  ";"                                                               \
  "  b[step][1] = " second "; [[maybe_unused]] const std::uint32_t all = even + odd; }"
#define WORD "words[step / 2] >> step % 2 * 8"
#define EVEN "sub_f16x2(even, 0x64086408)"
#define ODD "fma_f16x2(odd, 0x2c002c00, 0xd480d480)"
#define FROM(word) UNPACK_OF(word, EVEN, ODD)
#define MAKE(first, second) UNPACK_OF(WORD, first, second)
#define UNPACK FROM(WORD)

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "19_packed_weights", "pack_on_device",
      {
          // ---- the words
          {"order_of_k", ORDER("(s * 4 + r * 2 + h) * 4") UNPACK,
           "a word has its nibbles in the order of k, the two of a register side by side"},
          {"side_by_side", ORDER("s * 8 + r * 16 + h * 4") UNPACK,
           "halves and registers have changed places: the next k is 4 bits further up"},
          {"eight_apart", ORDER("s * 16 + r * 4 + h * 8") UNPACK,
           "the two weights of a register are 8 bits apart, not 16"},
          {"halves", ORDER("(i ^ 4) * 4") UNPACK, "the high and the low halves are exchanged"},
          {"registers", ORDER("(i ^ 1) * 4") UNPACK, "the two registers of a step are exchanged"},
          {"steps", ORDER("(i ^ 2) * 4") UNPACK, "the two steps of a word are exchanged"},
          {"registers_8", ORDER("h * 16 + s * 4 + r * 8") UNPACK,
           "the registers are 8 bits apart, and the steps 4"},
          {"from_the_top", ORDER("28 - i * 4") UNPACK,
           "the nibbles of a word begin in its highest bits"},
          {"bits", ORDER("i") UNPACK, "a number is shifted by its nibble's number, in bits"},
          {"bytes", ORDER("i * 8") UNPACK,
           "a number takes 8 bits, so that a word has room for four"},
          {"no_shift", ORDER("0 * i") UNPACK, "all numbers of a word are in its lowest bits"},
          {"steps_4_apart",
           PACK_AT("(w + s * 4) * 16 + r * 8 + t * 2 + h", "g", "w", "i * 4", READ, "|=") UNPACK,
           "word w has steps w and w + 4"},
          {"words_backwards", PACK_AT(K, "g", "3 - w", "i * 4", READ, "|=") UNPACK,
           "the words are in reverse order"},
          {"two_words", PACK_AT(K, "g", "w < 2 ? w : -1", "i * 4", READ, "|=") UNPACK,
           "only the first four steps are packed"},
          {"even_steps", PACK_AT(K, "g", "s == 0 ? w : -1", "i * 4", READ, "|=") UNPACK,
           "only the even steps are packed"},
          {"set_anew", PACK_AT(K, "g", "w", "i * 4", READ, "=") UNPACK,
           "a word has its last number alone"},
          {"signed", VALUE("(" READ " - 8) & 15") UNPACK, "8 is taken off before packing.\n"},
          {"from_15", VALUE("15 - " READ) UNPACK,
           "q = 0: expected 0, found 15\n  q = 1: expected 1, found 14\n"},
          {"from_15_told", VALUE("15 - " READ) UNPACK,
           "The numbers are where they belong, and each has become another"},
          {"smeared", VALUE(READ " - 8") UNPACK,
           "8 is taken off before packing, and what is below 0 fills the bits above it"},
          {"by_columns", VALUE("W[col * kK + k]") UNPACK, "W is read column after column"},
          {"rows_of_128", VALUE("W[k * kK + col]") UNPACK, "W is read in rows of 128"},
          {"transposed", PLACE("step * 16 + r * 8 + g * 2 + h", "t") UNPACK,
           "lane / 4 and lane % 4 have changed places"},
          {"lane_modulo_8", PLACE("step * 16 + r * 8 + lane / 8 * 2 + h", "lane % 8") UNPACK,
           "lane % 8 is the column, lane / 8 chooses the k"},
          {"four_apart", PLACE("step * 16 + r * 8 + t + h * 4", "g") UNPACK,
           "the two weights of a register are four k apart"},
          {"four_neighbours", PLACE("step * 16 + t * 4 + r * 2 + h", "g") UNPACK,
           "a lane's four weights of a step are neighbours along k"},
          {"eight_neighbours", PLACE("w * 32 + t * 8 + s * 4 + r * 2 + h", "g") UNPACK,
           "a lane has eight neighbours along k in a word"},
          {"all_neighbours", PLACE("t * 32 + step * 4 + r * 2 + h", "g") UNPACK,
           "a lane has 32 neighbours along k"},
          {"no_factor_2", PLACE("step * 16 + r * 8 + t + h", "g") UNPACK,
           "the factor 2 is missing"},
          {"same_half", PLACE("step * 16 + r * 8 + t * 2", "g") UNPACK,
           "both halves of a register have the same k"},
          {"same_register", PLACE("step * 16 + t * 2 + h", "g") UNPACK,
           "both registers of a step have the same k"},
          {"same_step", PLACE("w * 32 + r * 8 + t * 2 + h", "g") UNPACK,
           "both steps of a word have the same k"},
          {"same_word", PLACE("s * 16 + r * 8 + t * 2 + h", "g") UNPACK,
           "all words have the k of the first"},
          {"same_k", PLACE("step * 16 + r * 8 + h", "g") UNPACK, "all lanes have the same k"},
          {"column_0", PLACE(K, "0") UNPACK, "all lanes have column 0"},
          {"lane_for_column", PLACE(K, "lane") UNPACK, "the lane itself is the column"},
          {"columns_of_d", PLACE("step * 16 + r * 8 + g", "t * 2 + h") UNPACK,
           "the columns are those of D"},
          {"two_at_once",
           PACK_AT("step * 16 + r * 8 + g * 2 + h", "t", "w", "(i ^ 4) * 4", READ, "|=") UNPACK,
           "the high and the low halves are exchanged; and lane / 4 and lane % 4 have changed "
           "places"},
          {"steps_of_8", PLACE("step * 8 + r * 8 + t * 2 + h", "g") UNPACK,
           "the word the k grows by 16, not by 32"},
          {"something_packed", VALUE("(k * 7 + col * 3 + lane) % 16") UNPACK,
           "in a way that this check does not know"},
          {"not_packed", MAKE("0x3c003c00", "0x3c003c00"), "The words are still 0"},
          // ---- the registers
          {"not_unpacked", PACK, "b is not set"},
          {"second_not_set", PACK MAKE(EVEN, "0xffffffff"), "b[.][1] is not set"},
          {"odd_steps_not_set",
           PACK MAKE("step % 2 ? 0xffffffff : " EVEN, "step % 2 ? 0xffffffff : " ODD),
           "b of the odd steps is not set"},
          {"half_of_the_steps",
           PACK MAKE("step > 3 ? 0xffffffff : " EVEN, "step > 3 ? 0xffffffff : " ODD),
           "b of steps 4 to 7 is not set"},
          {"no_zero_point",
           PACK MAKE("sub_f16x2(even, 0x64006400)", "fma_f16x2(odd, 0x2c002c00, 0xd400d400)"),
           "b has q, not q - 8: the zero point is forgotten"},
          {"no_zero_point_even", PACK MAKE("sub_f16x2(even, 0x64006400)", ODD),
           "b[.][0] has q, not q - 8: the zero point is forgotten"},
          {"seven",
           PACK MAKE("sub_f16x2(even, 0x64076407)", "fma_f16x2(odd, 0x2c002c00, 0xd470d470)"),
           "b has q - 7"},
          {"sixteen", PACK MAKE("sub_f16x2(even, 0x64106410)", ODD), "b[.][0] has q - 16"},
          {"other_way_round", PACK MAKE("sub_f16x2(0x64086408, even)", ODD), "b[.][0] has 8 - q"},
          {"twos_complement",
           PACK MAKE("sub_f16x2(even ^ 0x00080008, 0x64086408)",
                     "fma_f16x2(odd ^ 0x00800080, 0x2c002c00, 0xd480d480)"),
           "b takes the nibble for a two's complement"},
          {"whole_numbers", PACK MAKE("x & 0x000f000f", "x >> 4 & 0x000f000f"),
           "b has q as whole numbers of 16 bits, not as f16"},
          {"masked_alone", PACK MAKE("x & 0x000f000f", "x & 0x00f000f0"),
           "b has what the mask has left, not f16"},
          {"as_lop3_made_it", PACK MAKE("even", "odd"), "b is left as lop3 made it"},
          {"odd_as_lop3_made_it", PACK MAKE(EVEN, "odd"), "b[.][1] is left as lop3 made it"},
          {"without_1024",
           PACK MAKE("sub_f16x2(x & 0x000f000f, 0x64086408)",
                     "fma_f16x2(x & 0x00f000f0, 0x2c002c00, 0xd480d480)"),
           "b is made without 0x6400"},
          {"bf16", PACK MAKE("sub_f16x2(and_or(x, 0x000f000f, 0x43004300), 0x64086408)", ODD),
           "b[.][0] is made with 0x4300, which is 128 in bf16"},
          {"exponent_6800",
           PACK MAKE(EVEN, "fma_f16x2(and_or(x, 0x00f000f0, 0x68006800), 0x2c002c00, 0xd480d480)"),
           "b[.][1] is made with 0x6800, which is 2048"},
          {"not_divided", PACK MAKE(EVEN, "sub_f16x2(odd, 0x64086408)"), "b[.][1] has 16 * q - 8"},
          {"sixteen_times", PACK MAKE(EVEN, "sub_f16x2(odd, 0x64806480)"),
           "b[.][1] has 16 * (q - 8)"},
          {"divided_by_8", PACK MAKE(EVEN, "fma_f16x2(odd, 0x30003000, 0xd480d480)"),
           "b[.][1] is made with 0x6800, which is 2048, or divided by 8, not by 16"},
          {"only_8", PACK MAKE(EVEN, "fma_f16x2(odd, 0x2c002c00, 0xc800c800)"),
           "b[.][1] has q + 56: 8 is taken off"},
          {"only_divided", PACK MAKE(EVEN, "fma_f16x2(odd, 0x2c002c00, 0)"),
           "b[.][1] has q + 64: nothing is taken off"},
          {"1032_after", PACK MAKE(EVEN, "fma_f16x2(odd, 0x2c002c00, 0xe408e408)"),
           "b[.][1] has q - 968: 1032 is taken off after the division"},
          {"1032_before", PACK MAKE(EVEN, "fma_f16x2(sub_f16x2(odd, 0x64086408), 0x2c002c00, 0)"),
           "b[.][1] has q - 0.5: 1032 is taken off before the division"},
          {"shifted_and_divided",
           PACK MAKE(EVEN,
                     "fma_f16x2(and_or(x >> 4, 0x000f000f, 0x64006400), 0x2c002c00, 0xd480d480)"),
           "b[.][1] has q / 16 - 8"},
          {"whole_numbers_subtracted", PACK MAKE("even - 0x64086408", ODD),
           "32-bit whole numbers are subtracted in b[.][0], not f16"},
          {"no_shift_of_8", PACK FROM("words[step / 2]"),
           "both steps of a word are made of its step 2 * w: a shift is missing"},
          {"shift_of_4", PACK FROM("words[step / 2] >> step % 2 * 4"),
           "in step 2 * w + 1 the word is shifted by 4, not by 8"},
          {"shift_of_16", PACK FROM("words[step / 2] >> step % 2 * 16"),
           "in step 2 * w + 1 the word is shifted by 16, not by 8"},
          {"steps_exchanged_in_b", PACK FROM("words[step / 2] >> (1 - step % 2) * 8"),
           "the two steps of a word are exchanged in b"},
          {"registers_exchanged_in_b", PACK MAKE(ODD, EVEN),
           "the two registers of a step are exchanged in b"},
          {"even_twice", PACK MAKE(EVEN, EVEN), "b[.][1] is made of the nibbles of b[.][0]"},
          {"odd_twice",
           PACK MAKE("sub_f16x2(and_or(x >> 4, 0x000f000f, 0x64006400), 0x64086408)", ODD),
           "b[.][0] is made of the nibbles of b[.][1]"},
          {"shifted_left", PACK FROM("words[step / 2] << step % 2 * 8"),
           "the word is shifted to the left"},
          {"low_constant", PACK MAKE("sub_f16x2(even, 0x6408)", ODD),
           "In the high halves of b[.][0] q = 0 becomes 1024, not -8, and q = 15 becomes 1039"},
          {"low_1024", PACK MAKE("sub_f16x2(and_or(x, 0x000f000f, 0x6400), 0x64086408)", ODD),
           "In the high halves of b[.][0] q = 0 becomes -1032, not -8"},
          {"low_72", PACK MAKE(EVEN, "fma_f16x2(odd, 0x2c002c00, 0xd480)"),
           "In the high halves of b[.][1] q = 0 becomes 64, not -8"},
          {"halves_exchanged_in_b",
           PACK FROM("__funnelshift_l(words[step / 2] >> step % 2 * 8, words[step / 2] >> step % 2 "
                     "* 8, 16)"),
           "the two halves of a register are exchanged in b"},
          {"low_mask",
           PACK MAKE("sub_f16x2(and_or(x, 0x0000000f, 0x64006400), 0x64086408)",
                     "fma_f16x2(and_or(x, 0x000000f0, 0x64006400), 0x2c002c00, 0xd480d480)"),
           "the high halves are made of nothing: the mask has the low one alone"},
          {"word_of_step_4", PACK FROM("words[step % 4] >> step % 2 * 8"),
           "b is made of words[step % 4]"},
          {"word_of_quarter", PACK FROM("words[step / 4] >> step % 2 * 8"),
           "b is made of words[step / 4]"},
          {"first_word", PACK FROM("words[0] >> step % 2 * 8"), "b is made of words[0] alone"},
          {"two_at_once_in_b",
           PACK UNPACK_OF("words[step / 2]", "sub_f16x2(even, 0x64006400)",
                          "fma_f16x2(odd, 0x2c002c00, 0xd400d400)"),
           "b has q, not q - 8: the zero point is forgotten; and both steps of a word"},
          {"one_each", PACK MAKE("sub_f16x2(even, 0x64006400)", "sub_f16x2(odd, 0x64086408)"),
           "b[.][0] has q, not q - 8: the zero point is forgotten; and b[.][1] has 16 * q - 8"},
          {"one_unknown", PACK MAKE("sub_f16x2(even, 0x64006400)", "x ^ lane * 0x9e3779b9u"),
           "b[.][0] has q, not q - 8: the zero point is forgotten; and b[.][1] is wrong as well"},
          {"nine", PACK MAKE("sub_f16x2(even, 0x64096409)", ODD),
           "In b[.][0] q = 0 becomes -9, not -8, and q = 15 becomes 6, not 7"},
          {"something_unpacked", PACK MAKE("x ^ lane * 0x9e3779b9u", ODD),
           "b[.][1] is right; b[.][0] is wrong in a way that this check does not know"},
      },
      {
          {"by_lane_and_step",
           "const int g = lane / 4, t = lane % 4;"
           "for (int step = 0; step < 8; ++step)"
           "  for (int r = 0; r < 2; ++r) {"
           "    const std::uint8_t* at = W + (step * 16 + r * 8 + t * 2) * 8 + g;"
           "    words[step / 2] |= std::uint32_t(at[0] | at[8] << 16) << (step % 2 * 8 + r * 4);"
           "  }"
           "for (int w = 0; w < 4; ++w)"
           "  for (int s = 0; s < 2; ++s) {"
           "    const std::uint32_t x = words[w] >> s * 8;"
           "    b[2 * w + s][0] = sub_f16x2((x & 0xf000f) + 0x64006400, 0x64086408);"
           "    b[2 * w + s][1] = sub_f16x2((x >> 4 & 0xf000f) | 0x64006400, 0x64086408);"
           "  }",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("19", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 19") {
  exercise().right_answers_pass();
}
TEST_CASE("diagnose names the mistake in what the check of exercise 19 leaves") {
  const auto says_of = [](const char* name, const char* words) {
    const Ran ran = exercise().diagnosed(name);
    CAPTURE(ran.output);
    CHECK(says(ran, words));
  };
  says_of("registers_exchanged_in_b", "registers B.r0 and B.r1 are exchanged");
  says_of("halves_exchanged_in_b", "the parts of every register are in the opposite order");
  says_of("odd_twice", "it begins at 24,0 instead of 16,0");  // where it does
  says_of("odd_twice", "without ldmatrix: of what is the register made?\n");
  says_of("steps_exchanged_in_b", "it is one step of k ahead");
  says_of("solution", "4 of 6 fragments compared; all are right");
}
