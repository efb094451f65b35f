// SPDX-License-Identifier: MIT
// Exercise 11 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define LOAD(row, col, at, pack)                  \
  "const int row = " row "; const int col = " col \
  "; for (int reg = 0; reg < 4; ++reg)"           \
  " { const std::uint8_t* at = tile + " at "; a[reg] = pack(" pack "); }"
#define ROW "thread / 32 * 16 + thread % 32 / 4"
#define COL "thread % 4 * 4"
#define AT "(row + reg % 2 * 8) * stride + col + reg / 2 * 16"
#define PACK "at[0], at[1], at[2], at[3]"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "11_wgmma_types", "load_a_on_device",
      {
          {"signed_bytes",
           "const int row = " ROW "; const int col = " COL "; for (int reg = 0; reg < 4; ++reg) {"
           " const auto* at = reinterpret_cast<const signed char*>(tile) + " AT ";"
           " a[reg] = at[0] | at[1] << 8 | at[2] << 16 | at[3] << 24; }",
           "bytes were signed"},
          {"signed_bytes_added",
           "const int row = " ROW "; const int col = " COL "; for (int reg = 0; reg < 4; ++reg) {"
           " const auto* at = reinterpret_cast<const signed char*>(tile) + " AT ";"
           " a[reg] = at[0] + at[1] * 0x100 + at[2] * 0x10000 + at[3] * 0x1000000; }",
           "bytes were signed and added"},
          {"word_at_the_place",
           "const int row = " ROW "; const int col = " COL "; for (int reg = 0; reg < 4; ++reg)"
           " a[reg] = *reinterpret_cast<const std::uint32_t*>(tile + " AT ");",
           "is not a multiple of 4"},
          {"beyond_the_registers", LOAD(ROW, COL, AT, PACK) " a[4] = 7;", "16 bytes are there"},
          {"one_turn_too_many",
           "for (int reg = 0; reg <= 4; ++reg) { const int row = " ROW ", col = " COL
           "; const std::uint8_t* at = tile + " AT "; a[reg] = pack(" PACK "); }",
           "16 bytes are there"},
          {"as_16_bit",
           LOAD(ROW, "thread % 4 * 2", "(row + reg % 2 * 8) * stride + col + reg / 2 * 8", PACK),
           "this were the fragment of 16-bit elements"},
          {"half_of_k", LOAD(ROW, COL, "(row + reg % 2 * 8) * stride + col + reg / 2 * 8", PACK),
           "the second half of K began 8 columns further right"},
          {"twice_k", LOAD(ROW, COL, "(row + reg % 2 * 8) * stride + col + reg / 2 * 32", PACK),
           "the second half of K began 32 columns further right"},
          {"lane_as_16_bit", LOAD(ROW, "thread % 4 * 2", AT, PACK),
           "a lane's columns began at 2*(lane % 4), as with 16-bit elements"},
          {"4_columns_apart", LOAD(ROW, "thread % 4", AT, "at[0], at[4], at[8], at[12]"),
           "the four bytes of a register were 4 columns apart"},
          {"two_of_two_rows",
           LOAD(ROW, "thread % 4 * 2", "row * stride + col + reg * 8",
                "at[0], at[1], at[8 * stride], at[8 * stride + 1]"),
           "a register had two elements of each of two rows"},
          {"no_col_16", LOAD(ROW, COL, "(row + reg % 2 * 8) * stride + col", PACK),
           "a[2] and a[3] were the columns of a[0] and a[1]"},
          {"no_row_8", LOAD(ROW, COL, "row * stride + col + reg / 2 * 16", PACK),
           "the + 8 of the rows were missing"},
          {"registers_exchanged",
           LOAD(ROW, COL, "(row + reg / 2 * 8) * stride + col + reg % 2 * 16", PACK),
           "registers a[1] and a[2] were exchanged"},
          {"reversed", LOAD(ROW, COL, AT, "at[3], at[2], at[1], at[0]"),
           "the bytes of every register were in reverse order"},
          {"wrong_pairs", LOAD(ROW, COL, AT, "at[1], at[0], at[3], at[2]"),
           "the two bytes of every pair were exchanged"},
          {"wrong_halves", LOAD(ROW, COL, AT, "at[2], at[3], at[0], at[1]"),
           "the two halves of every register were exchanged"},
          {"two_pairs", LOAD(ROW, "thread % 4 * 2", AT, "at[0], at[1], at[8], at[9]"),
           "a register had two pairs, 8 columns apart"},
          {"only_down", LOAD(ROW, COL, "(row + reg * 8) * stride + col", PACK),
           "were 8, 16 and 24 rows below a[0]"},
          {"only_right", LOAD(ROW, COL, "row * stride + col + reg * 8", PACK),
           "were 8, 16 and 24 columns right of a[0]"},
          {"no_stride_8", LOAD(ROW, COL, "row * stride + reg % 2 * 8 + col + reg / 2 * 16", PACK),
           "a[1] and a[3] are 8 rows further down: 8 * stride"},
          {"eight_neighbours",
           LOAD(ROW, "thread % 4 * 8", "(row + reg % 2 * 8) * stride + col + reg / 2 * 4", PACK),
           "a lane had eight neighbours of each of its two rows"},
          {"eight_lanes",
           LOAD("thread / 32 * 16 + thread % 32 / 8", "thread % 8 * 4",
                "(row + reg * 4) * stride + col", PACK),
           "eight lanes shared a row"},
          {"eight_lanes_twice",
           LOAD("thread / 32 * 16 + thread % 32 / 8", "thread % 8 * 4", AT, PACK),
           "eight lanes shared a row, and two registers of it"},
          {"row_of_an_address",
           LOAD("thread / 32 * 16 + thread % 16", "thread % 32 / 16 * 16",
                "row * stride + col + reg * 4", PACK),
           "the row whose address it gives to ldmatrix"},
          {"lane_modulo_8", LOAD("thread / 32 * 16 + thread % 8", "thread % 32 / 8 * 4", AT, PACK),
           "lane % 8 were the row"},
          {"row_and_next",
           LOAD("thread / 32 * 16 + thread % 32 / 4 * 2", COL,
                "(row + reg % 2) * stride + col + reg / 2 * 16", PACK),
           "a lane's two rows were neighbours"},
          {"only_warp_0", "if (thread < 32) {" LOAD(ROW, COL, AT, PACK) "}",
           "Warps 1 to 3 have written nothing"},
          {"neighbours",
           LOAD("thread / 2", "thread % 2 * 16", "row * stride + col + reg * 4", PACK),
           "every thread had 16 neighbours of a row"},
          {"same_byte", LOAD(ROW, COL, AT, "at[0], at[0], at[0], at[0]"),
           "all bytes of a register were the same element"},
          {"no_factor_4", LOAD(ROW, "thread % 4", AT, PACK), "without the factor 4"},
          {"warp_0", LOAD("thread % 32 / 4", COL, AT, PACK), "all four warps loaded rows 0 to 15"},
          {"thread_as_lane", LOAD("thread / 4", COL, AT, PACK), "a warp had 8 rows"},
          {"warp_32", LOAD("thread / 32 * 32 + thread % 32 / 4", COL, AT, PACK),
           "a warp had 32 rows"},
          {"thread_on_top", LOAD("thread / 32 * 16 + thread / 4", COL, AT, PACK),
           "the row went with thread / 4 as well as with the warp"},
          {"words",
           "const auto* words = reinterpret_cast<const std::uint32_t*>(tile); for (int reg = 0; "
           "reg < 4; ++reg) a[reg] = words[(thread / 32 * 16 + thread % 32 / 4 + reg % 2 * 8) * "
           "stride "
           "/ "
           "4 + thread % 4 + reg / 2 * 4];",
           "every row began at a multiple of four bytes"},
          {"stride_32", LOAD(ROW, COL, "(row + reg % 2 * 8) * 32 + col + reg / 2 * 16", PACK),
           "rows were taken to be 32 bytes apart"},
          {"group_and_thread_exchanged",
           LOAD("thread / 32 * 16 + thread % 4", "thread % 32 / 4 * 4", AT, PACK),
           "lane >> 2 and lane % 4 had changed places"},
          {"down_the_rows", LOAD(ROW, COL, AT, "at[0], at[stride], at[2 * stride], at[3 * stride]"),
           "the four bytes of a register came from four rows"},
          {"one_row_down", LOAD(ROW " + 1", COL, AT, PACK), "everything were one row too far down"},
          {"one_col_right", LOAD(ROW, COL " + 1", AT, PACK),
           "everything were one column too far right"},
          {"columns_of_lane_8", LOAD(ROW, "thread % 8 * 4", AT, PACK),
           "the columns came from lane % 8"},
          // Any factor that no mistake is written down for.
          {"every_second_byte", LOAD(ROW, COL, AT, "at[0], at[2], at[4], at[6]"),
           "with the byte the column grows by 2, not by 1.\n"},
          {"four_rows_down",
           LOAD(ROW, COL, "(row + reg % 2 * 4) * stride + col + reg / 2 * 16", PACK),
           "with reg % 2 the row grows by 4, not by 8.\n"},
          {"two_factors", LOAD("thread % 32 / 4", COL, "(row + reg % 2 * 8) * stride + col", PACK),
           "with the warp the row grows by 0, not by 16; with reg / 2 the column grows by 0, not "
           "by "
           "16.\n"},
          {"two_rows_down", LOAD(ROW " + 2", COL, AT, PACK), "the row begins at 2, not 0.\n"},
          {"last_byte", LOAD(ROW, COL, AT, "at[0], at[1], at[2], at[2]"),
           "the rows are right, the columns are not, wherever the byte is 3.\n"},
          {"last_register", LOAD(ROW, COL, AT, PACK) "a[3] = a[0];",
           "It looks as if a[3] has what belongs into a[0].\n"},
          {"last_register_halved",
           LOAD(ROW, COL, AT, PACK) "a[3] = (a[3] & 0xffff) | (a[0] & 0xffff0000);",
           "row and column are wrong wherever reg % 2 is 1 and reg / 2 is 1.\n"},
          {"clockwise",
           LOAD(ROW, COL, "(row + reg / 2 * 8) * stride + col + (reg == 1 || reg == 2 ? 16 : 0)",
                PACK),
           "a[1] has what belongs into a[2]; a[2] has what belongs into a[3]; a[3] has what "
           "belongs "
           "into a[1].\n"},
          {"and_for_modulo", LOAD(ROW, "(thread & 4) * 4", AT, PACK),
           "with lane % 4 the column grows by 0, not by 4; with bit 0 of lane / 4 the column grows "
           "by 16, not by 0.\n"},
          {"transposed",
           LOAD(ROW, COL, "row + reg % 2 * 8 + (col + reg / 2 * 16) * stride",
                "at[0], at[stride], at[2 * stride], at[3 * stride]"),
           "rows and columns were exchanged"},
          {"constant", "for (int reg = 0; reg < 4; ++reg) a[reg] = 0x05050505;",
           "every byte came from the same element"},
          {"three_registers",
           "const int row = " ROW "; const int col = " COL
           "; for (int reg = 0; reg < 3; ++reg) { const std::uint8_t* at = tile + " AT
           "; a[reg] = pack(" PACK "); }",
           "Some bytes were never written: 512 of 2048"},
          {"one_element_wrong", LOAD(ROW, COL, AT, PACK) "if (thread == 90) a[1] ^= 1;",
           "1 of 2048 elements of A"},
      },
      {
          {"byte_by_byte",
           "for (int i = 0; i < 16; ++i) reinterpret_cast<std::uint8_t*>(a)[i] ="
           "  tile[(thread / 32 * 16 + thread % 32 / 4 + i / 4 % 2 * 8) * stride + thread % 4 * 4 +"
           "       i / 8 * 16 + i % 4];",
           ""},
          {"copied",
           "for (int reg = 0; reg < 4; ++reg) memcpy(&a[reg], tile + (thread / 32 * 16 +"
           "  thread % 32 / 4 + reg % 2 * 8) * stride + thread % 4 * 4 + reg / 2 * 16, 4);",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("11", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 11") {
  exercise().right_answers_pass();
}
