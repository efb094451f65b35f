// SPDX-License-Identifier: MIT
// Exercise 18 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define SIDE(word, scales, line, block, shift)                                                     \
  "for (std::uint32_t i = 0; i < 4; ++i) " word " |= static_cast<std::uint32_t>(" scales "[(" line \
  ") * kBlocks + (" block ")]) << (" shift ");"
#define A_SIDE(line, block, shift) SIDE("sfa", "scales_a", line, block, shift)
#define B_SIDE(line, block, shift) SIDE("sfb", "scales_b", line, block, shift)
#define A_LINE "lane / 4 + lane % 2 * 8"
#define A_BLOCK "lane % 4 / 2 * 4 + i"
#define B_LINE "lane / 4 + lane % 4 / 2 * 8"
#define B_BLOCK "lane % 2 * 4 + i"
#define A_RIGHT A_SIDE(A_LINE, A_BLOCK, "i * 8")
#define B_RIGHT B_SIDE(B_LINE, B_BLOCK, "i * 8")

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "18_block_scale", "multiply_on_device",
      {
          {"b_as_a", A_RIGHT B_SIDE(A_LINE, A_BLOCK, "i * 8"),
           "sfb is made as the other side's is"},
          {"a_as_b", A_SIDE(B_LINE, B_BLOCK, "i * 8") B_RIGHT,
           "sfa is made as the other side's is"},
          {"no_b", A_RIGHT, "sfb is not set"},
          {"no_a", B_RIGHT, "sfa is not set"},
          {"rows_of_b", A_SIDE(B_LINE, A_BLOCK, "i * 8") B_RIGHT,
           "sfa has its rows in the lanes where the other side has its own"},
          {"halves_exchanged", A_SIDE(A_LINE, "(lane % 4 / 2 * 4 + i + 4) % 8", "i * 8") B_RIGHT,
           "sfa has blocks 4 to 7 where 0 to 3 belong"},
          {"halves_elsewhere", A_RIGHT B_SIDE(B_LINE, A_BLOCK, "i * 8"),
           "sfb has the halves of K in the lanes where the other side has them"},
          {"first_blocks", A_SIDE(A_LINE, "i", "i * 8") B_RIGHT,
           "sfa has blocks 0 to 3 in every lane"},
          {"last_blocks", A_RIGHT B_SIDE(B_LINE, "4 + i", "i * 8"),
           "sfb has blocks 4 to 7 in every lane"},
          {"every_second", A_SIDE(A_LINE, "i * 2 + lane % 4 / 2", "i * 8") B_RIGHT,
           "sfa has blocks 0, 2, 4, 6 or 1, 3, 5, 7 in a lane"},
          {"by_thread", A_SIDE(A_LINE, "(lane % 4 * 2 + i) % 8", "i * 8") B_RIGHT,
           "sfa has the blocks of a lane by its thread in the group"},
          {"backwards", A_RIGHT B_SIDE(B_LINE, "lane % 2 * 4 + 3 - i", "i * 8"),
           "sfb has the blocks of a lane backwards"},
          {"pairs_exchanged", A_SIDE(A_LINE, "lane % 4 / 2 * 4 + (i ^ 1)", "i * 8") B_RIGHT,
           "sfa has the two blocks of each step exchanged"},
          {"steps_exchanged", A_RIGHT B_SIDE(B_LINE, "lane % 2 * 4 + (i ^ 2)", "i * 8"),
           "sfb has the steps of a half exchanged"},
          {"one_block", A_SIDE(A_LINE, "lane % 4 / 2 * 4 + 0 * i", "i * 8") B_RIGHT,
           "sfa has one block in all four bytes"},
          {"a_block_a_step", A_RIGHT B_SIDE(B_LINE, "lane % 2 * 4 + i / 2 * 2", "i * 8"),
           "sfb has one block for both bytes of a step"},
          {"group", A_SIDE("lane / 4", A_BLOCK, "i * 8") B_RIGHT,
           "sfa has the row lane / 4 in every lane"},
          {"half_lane", A_RIGHT B_SIDE("lane / 2", B_BLOCK, "i * 8"),
           "sfb has the column lane / 2"},
          {"modulo", A_SIDE("lane % 16", A_BLOCK, "i * 8") B_RIGHT, "sfa has the row lane % 16"},
          {"interleaved", A_RIGHT B_SIDE("lane / 4 * 2 + lane % 2", B_BLOCK, "i * 8"),
           "sfb has the column lane / 4 * 2 + lane % 2"},
          {"upper", A_SIDE("lane / 4 + 8", A_BLOCK, "i * 8") B_RIGHT,
           "sfa has the row lane / 4 + 8 in every lane"},
          {"lines_exchanged",
           A_RIGHT B_SIDE("(lane / 4 + lane % 4 / 2 * 8 + 8) % 16", B_BLOCK, "i * 8"),
           "sfb has columns g and g + 8 exchanged"},
          {"thread", A_SIDE("lane % 4", A_BLOCK, "i * 8") B_RIGHT,
           "sfa has the row of the group's number, lane % 4"},
          {"four_bits", A_RIGHT B_SIDE(B_LINE, B_BLOCK, "i * 4"),
           "sfb has its bytes four bits apart"},
          {"same_in_a_group", A_SIDE("lane / 4", "i", "i * 8") B_RIGHT,
           "sfa has the same in all four lanes of a group"},
          {"eighths", A_SIDE("lane % 8 + lane / 8 % 2 * 8", "lane / 16 * 4 + i", "i * 8") B_RIGHT,
           "sfa has rows and blocks by lane % 8 and lane / 8"},
          {"lane_for_line", A_RIGHT B_SIDE("lane % 16", "lane / 16 * 4 + i", "i * 8"),
           "sfb has the column lane % 16, and blocks by lane / 16"},
          {"from_block_2", A_SIDE(A_LINE, "lane % 4 / 2 * 2 + i", "i * 8") B_RIGHT,
           "sfa has the second half of K from block 2 on"},
          {"three_bytes",
           A_RIGHT "for (std::uint32_t i = 0; i < 3; ++i) sfb |= static_cast<std::uint32_t>("
                   "scales_b[(" B_LINE ") * kBlocks + " B_BLOCK "]) << (i * 8);",
           "sfb has bytes 0 to 2 only"},
          {"lines_of_four",
           "for (std::uint32_t i = 0; i < 4; ++i) sfa |= static_cast<std::uint32_t>("
           "scales_a[(" A_LINE ") * 4 + " A_BLOCK "]) << (i * 8);" B_RIGHT,
           "sfa is taken from rows of four scales"},
          {"by_columns",
           A_RIGHT "for (std::uint32_t i = 0; i < 4; ++i) sfb |= static_cast<std::uint32_t>("
                   "scales_b[(" B_BLOCK ") * 16 + " B_LINE "]) << (i * 8);",
           "sfb is taken from scales that lie column after column"},
          {"set_anew",
           "for (std::uint32_t i = 0; i < 4; ++i) sfa = scales_a[(" A_LINE ") * kBlocks + " A_BLOCK
           "] << (i * 8);" B_RIGHT,
           "sfa has block 3 or 7 alone, in its last byte"},
          {"two_halves",
           A_RIGHT "for (std::uint32_t i = 0; i < 2; ++i) sfb |= static_cast<std::uint32_t>("
                   "scales_b[(" B_LINE ") * kBlocks + " B_BLOCK "]) << (i * 16);",
           "sfb has two of the four blocks that a lane hands in"},
          {"two_blocks",
           "for (std::uint32_t i = 0; i < 2; ++i) sfa |= static_cast<std::uint32_t>("
           "scales_a[(" A_LINE ") * kBlocks + lane % 4 / 2 * 2 + i]) << (i * 8);" B_RIGHT,
           "sfa has two blocks a lane, in bytes 0 and 1"},
          {"one_byte", "sfa = scales_a[(" A_LINE ") * kBlocks];" B_RIGHT,
           "sfa has one byte, of block 0 in every lane"},
          {"even_lanes", "if (lane % 2 == 0) {" A_RIGHT "}" B_RIGHT,
           "sfa has nothing in the lanes of odd number"},
          {"left_lanes", A_RIGHT "if (lane % 4 < 2) {" B_RIGHT "}",
           "sfb has nothing in lanes 4g + 2 and 4g + 3"},
          {"other_scales", A_RIGHT SIDE("sfb", "scales_a", B_LINE, B_BLOCK, "i * 8"),
           "sfb has the other side's scales"},
          {"no_bias",
           "const std::uint8_t* own = scales_a;"
           "for (std::uint32_t i = 0; i < 4; ++i) sfa |= (static_cast<std::uint32_t>("
           "own[(" A_LINE ") * kBlocks + " A_BLOCK "] - 127) & 255) << (i * 8);" B_RIGHT,
           "127 is taken off in sfa"},
          {"not_shifted", A_RIGHT B_SIDE(B_LINE, B_BLOCK, "0 * i"),
           "sfb has its four bytes in one place"},
          {"one_bit", A_SIDE(A_LINE, A_BLOCK, "i") B_RIGHT, "sfa has its bytes one bit apart"},
          {"four_rows", A_SIDE("lane / 4 + lane % 2 * 4", A_BLOCK, "i * 8") B_RIGHT,
           "in sfa with lane % 2 the row grows by 4, not by 8.\n"},
          // What lies behind the scales: who goes there is not told an address.
          {"four_blocks_a_thread", A_SIDE(A_LINE, "lane % 4 * 4 + i", "i * 8") B_RIGHT,
           "sfa has the blocks of a lane by its thread in the group, 4 * (lane % 4) on"},
          {"from_block_8", A_RIGHT B_SIDE(B_LINE, "lane % 2 * 8 + i", "i * 8"),
           "sfb has the second half of K from block 8 on"},
          {"the_lane", A_SIDE("lane", A_BLOCK, "i * 8") B_RIGHT,
           "sfa has the row lane, of which there are 16"},
          {"lines_of_k",
           A_RIGHT "for (std::uint32_t i = 0; i < 4; ++i) sfb |= static_cast<std::uint32_t>("
                   "scales_b[(" B_LINE ") * kK + " B_BLOCK "]) << (i * 8);",
           "sfb is taken from columns of 256 scales"},
          {"every_thread_8_rows_down", A_SIDE("lane / 4 + lane % 4 * 8", A_BLOCK, "i * 8") B_RIGHT,
           "in sfa with lane % 4 / 2 the row grows by 16, not by 0.\n"},
          {"from_block_1", A_RIGHT B_SIDE(B_LINE, "lane % 2 * 3 + i + 1", "i * 8"),
           "in sfb the block begins at 1, not 0; with lane % 2 the block grows by 3, not by 4.\n"},
          {"every_second_row",
           A_SIDE("(lane / 4 * 2 + lane % 2 * 8) % 16", A_BLOCK, "i * 8") B_RIGHT,
           "in sfa the blocks are right, the rows are not.\n"},
          {"constant", A_RIGHT "sfb = 0x01020304;", "sfb were the same in every lane"},
          {"something", A_RIGHT "sfb = lane * 0x9e3779b9u + 1;",
           "sfb is wrong in a way that this check does not know"},
      },
      {
          {"words",
           "sfa = *reinterpret_cast<const std::uint32_t*>(scales_a + (" A_LINE ") * kBlocks +"
           "  lane % 4 / 2 * 4);"
           "sfb = *reinterpret_cast<const std::uint32_t*>(scales_b + (" B_LINE ") * kBlocks +"
           "  lane % 2 * 4);",
           ""},
          {"from_the_top",
           "const auto word = [](const std::uint8_t* at) { std::uint32_t all = 0;"
           "  for (int i = 3; i >= 0; --i) all = all << 8 | at[i];"
           "  return all; };"
           "const std::uint32_t g = lane >> 2, t = lane & 3;"
           "sfa = word(scales_a + (t % 2 ? g + 8 : g) * 8 + (t < 2 ? 0 : 4));"
           "sfb = word(scales_b + (t < 2 ? g : g + 8) * 8 + (t % 2 ? 4 : 0));",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("18", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 18") {
  exercise().right_answers_pass();
}
