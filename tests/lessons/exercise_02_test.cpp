// SPDX-License-Identifier: MIT
// Exercise 02 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

// The right answer with one thing wrong each: R the register loop, P the part loop.
#define LOOPS "for (int reg = 0; reg < 4; ++reg) for (int part = 0; part < 8; ++part) { "
#define ROW "const int row = (lane >> 2) + reg % 2 * 8; "
#define COL "const int col = lane % 4 * 8 + part + reg / 2 * 32; "
#define BITS \
  "const std::uint32_t bits = static_cast<std::uint32_t>(tile[row * stride + col]) & 0xf; "
#define OR "a[reg] |= bits << (4 * part); }"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "02_data_types", "pack_a_on_device",
      {
          {"beyond_the_registers", LOOPS ROW COL BITS OR " a[4] = 7;", "16 bytes are there"},
          {"one_turn_too_many",
           "for (int reg = 0; reg <= 4; ++reg) for (int part = 0; part < 8; ++part) { " ROW COL BITS
               OR,
           "16 bytes are there"},
          {"sum_of_signs",
           "for (int r = 0; r < 4; ++r) for (int p = 0; p < 8; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 * 8 + p + r / 2 * 32;"
           "a[r] += tile[row * stride + col] << 4 * p; }",
           "they borrow from their neighbours"},
          {"upper_four",
           LOOPS ROW COL "const std::uint32_t bits = static_cast<std::uint32_t>("
                         "tile[row * stride + col] >> 4) & 0xf; " OR,
           "the upper four bits of a byte are taken"},
          {"mask_shifted", LOOPS ROW COL "a[reg] |= tile[row * stride + col] & 0xfu << 4 * part; }",
           "the mask is shifted, the number is not"},
          {"clamped",
           LOOPS ROW COL "const int n = tile[row * stride + col]; const std::uint32_t bits = "
                         "static_cast<std::uint32_t>(n < -7 ? -7 : n) & 0xf; " OR,
           "the places were right, the numbers not: -8 becomes -7.\n"},
          {"parts_of_two_rows",
           LOOPS "const int row = (lane >> 2) + part / 4 * 8; "
                 "const int col = lane % 4 * 4 + part % 4 + reg * 16; " BITS OR,
           "with bit 2 of the part the row grows by 8, not by 0; and so on.\n"},
          {"one_bit_apart",
           "for (int r = 0; r < 4; ++r) for (int p = 0; p < 8; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 * 8 + p + r / 2 * 32;"
           "a[r] |= (tile[row * stride + col] & 0xfu) << p; }",
           "the parts lie one bit apart, not four"},
          {"three_bits_apart",
           "for (int r = 0; r < 4; ++r) for (int p = 0; p < 8; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 * 8 + p + r / 2 * 32;"
           "a[r] |= (tile[row * stride + col] & 0xfu) << 3 * p; }",
           "the parts lie three bits apart, not four"},
          {"rows_for_columns",
           "for (int r = 0; r < 4; ++r) for (int p = 0; p < 8; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 * 8 + p + r / 2 * 32;"
           "a[r] |= (tile[col * stride + row] & 0xfu) << 4 * p; }",
           "rows and columns are exchanged"},
          {"columns_four_apart",
           "for (int r = 0; r < 4; ++r) for (int p = 0; p < 8; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 + 4 * p + r / 2 * 32;"
           "a[r] |= (tile[row * stride + col] & 0xfu) << 4 * p; }",
           "the parts of a register lie four columns apart"},
          {"bytes_of_the_right_place",
           "for (int r = 0; r < 4; ++r) a[r] = *reinterpret_cast<const std::uint32_t*>("
           "tile + (lane / 4 + r % 2 * 8) * stride + lane % 4 * 8 + r / 2 * 32);",
           "four bytes are copied as they are"},
          {"half_the_parts",
           "for (int r = 0; r < 4; ++r) for (int p = 0; p < 4; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 * 8 + p + r / 2 * 32;"
           "a[r] |= (tile[row * stride + col] & 0xfu) << 4 * p; }",
           "nothing arrives in parts 4 5 6 7 of a register"},
          {"one_part_short",
           "for (int r = 0; r < 4; ++r) for (int p = 0; p < 7; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 * 8 + p + r / 2 * 32;"
           "a[r] |= (tile[row * stride + col] & 0xfu) << 4 * p; }",
           "nothing arrives in part 7 of a register"},
          {"one_register_short",
           "for (int r = 0; r < 3; ++r) for (int p = 0; p < 8; ++p) {"
           "const int row = lane / 4 + r % 2 * 8, col = lane % 4 * 8 + p + r / 2 * 32;"
           "a[r] |= (tile[row * stride + col] & 0xfu) << 4 * p; }",
           "nothing arrives in a[3]"},
          {"stored_nothing", "if (lane >= 0) return;", "The kernel stored nothing"},
          {"no_mask",
           LOOPS ROW COL "const std::uint32_t bits = static_cast<std::uint32_t>("
                         "static_cast<int>(tile[row * stride + col])); " OR,
           "their sign runs over the neighbours"},
          {"eight_bits",
           "for (int reg = 0; reg < 4; ++reg) for (int part = 0; part < 4; ++part) { " ROW COL BITS
           "a[reg] |= bits << (8 * part); }",
           "a number takes eight bits, not four"},
          {"bytes_as_they_are",
           "for (int reg = 0; reg < 4; ++reg) a[reg] = *reinterpret_cast<const "
           "std::uint32_t*>(&tile"
           "[(lane / 4 + reg % 2 * 8) * stride + lane % 4 * 4 + reg / 2 * 16]);",
           "four bytes are copied as they are"},
          {"overwritten", LOOPS ROW COL BITS "a[reg] = bits << (4 * part); }",
           "every number overwrites the one before"},
          {"columns_of_lesson_01",
           LOOPS ROW "const int col = lane % 4 * 2 + part + reg / 2 * 8; " BITS OR,
           "the columns are lesson 01's"},
          {"sign_and_magnitude",
           LOOPS ROW COL "const int n = tile[row * stride + col]; const std::uint32_t bits = "
                         "static_cast<std::uint32_t>(n < 0 ? 8 | (-n & 7) : n); " OR,
           "the sign is a bit of its own"},
          {"offset",
           LOOPS ROW COL "const std::uint32_t bits = "
                         "static_cast<std::uint32_t>(tile[row * stride + col] + 8) & 0xf; " OR,
           "the numbers are counted from -8"},
          {"reversed", LOOPS ROW COL BITS "a[reg] |= bits << (4 * (7 - part)); }",
           "the parts of every register are in reverse order"},
          {"nibbles_exchanged", LOOPS ROW COL BITS "a[reg] |= bits << (4 * (part ^ 1)); }",
           "the two numbers of every byte have changed places"},
          {"registers_exchanged",
           LOOPS "const int row = (lane >> 2) + reg / 2 * 8; "
                 "const int col = lane % 4 * 8 + part + reg % 2 * 32; " BITS OR,
           "registers a[1] and a[2] are exchanged"},
          {"row_16", LOOPS "const int row = (lane >> 2) + reg % 2 * 16; " COL BITS OR,
           "a[1] and a[3] are 16 rows further down, not 8"},
          {"eight_lanes",
           LOOPS "const int row = lane / 8 + reg * 4, col = lane % 8 * 8 + part; " BITS OR,
           "eight lanes share a row"},
          {"two_lanes",
           LOOPS "const int row = lane / 2, col = lane % 2 * 32 + reg * 8 + part; " BITS OR,
           "two lanes share a row"},
          {"packed_in_memory",
           LOOPS ROW COL "const std::uint32_t bits = static_cast<std::uint32_t>("
                         "tile[(row * stride + col) / 2]) & 0xf; " OR,
           "two numbers share a byte of the tile"},
          {"no_row_8", LOOPS "const int row = lane >> 2; " COL BITS OR,
           "the + 8 of the rows is missing"},
          {"no_col_32", LOOPS ROW "const int col = lane % 4 * 8 + part; " BITS OR,
           "the + 32 of the columns is missing"},
          {"col_8", LOOPS ROW "const int col = lane % 4 * 8 + part + reg / 2 * 8; " BITS OR,
           "a[2] and a[3] are 8 columns further right, as in lesson 01"},
          {"col_16", LOOPS ROW "const int col = lane % 4 * 8 + part + reg / 2 * 16; " BITS OR,
           "are 16 columns further right, as for 8-bit types"},
          {"three_bits", LOOPS ROW COL BITS "a[reg] |= (bits & 7) << (4 * part); }",
           "the sign is cut off"},
          {"factor_2", LOOPS ROW "const int col = lane % 4 * 2 + part + reg / 2 * 32; " BITS OR,
           "a lane begins at column 2 * (lane % 4), as in lesson 01"},
          {"same_in_every_lane",
           LOOPS "const int row = reg % 2 * 8; const int col = part + reg / 2 * 32; " BITS OR,
           "every lane has packed what lane 0 should pack"},
          {"group_and_thread_exchanged",
           LOOPS "const int row = lane % 4 + reg % 2 * 8; "
                 "const int col = (lane >> 2) * 8 + part + reg / 2 * 32; " BITS OR,
           "lane >> 2 and lane % 4 have changed places"},
          {"one_col_right",
           LOOPS ROW "const int col = lane % 4 * 8 + part + reg / 2 * 32 + 1; " BITS OR,
           "everything is one column too far right"},
          {"one_row_down", LOOPS "const int row = (lane >> 2) + reg % 2 * 8 + 1; " COL BITS OR,
           "everything is one row too far down"},
          {"first_part_only", LOOPS ROW "const int col = lane % 4 * 8 + reg / 2 * 32; " BITS OR,
           "all eight parts of a register hold its first element"},
          {"stride_64",
           LOOPS ROW COL
           "const std::uint32_t bits = static_cast<std::uint32_t>(tile[row * 64 + col]) & 0xf; " OR,
           "rows are taken to be 64 bytes apart"},
          {"only_lane_0", "if (lane == 0) " LOOPS ROW COL BITS OR,
           "only lane 0 has packed its registers"},
          {"constant", "for (int reg = 0; reg < 4; ++reg) a[reg] = 0x76543210u + (stride < 0);",
           "every register of every lane is the same"},
          {"columns_of_8_bits",
           LOOPS ROW "const int col = lane % 4 * 4 + part + reg / 2 * 32; " BITS OR,
           "a lane begins at column 4 * (lane % 4), as with 8-bit types"},
          {"sixteen_neighbours",
           LOOPS ROW "const int col = lane % 4 * 16 + part + reg / 2 * 8; " BITS OR,
           "a lane has sixteen neighbours of each of its two rows.\n"},
          {"sixteen_neighbours_in_turn",
           LOOPS "const int row = (lane >> 2) + reg / 2 * 8; "
                 "const int col = lane % 4 * 16 + part + reg % 2 * 8; " BITS OR,
           "sixteen neighbours of each of its two rows, and a[1] is right of a[0]"},
          {"lane_modulo_8",
           LOOPS "const int row = lane % 8 + reg % 2 * 8; "
                 "const int col = lane / 8 * 8 + part + reg / 2 * 32; " BITS OR,
           "lane % 8 is taken for the row, and lane / 8 for the columns"},
          {"no_sign",
           LOOPS ROW COL "const int n = tile[row * stride + col]; const std::uint32_t bits = "
                         "static_cast<std::uint32_t>(n < 0 ? -n : n); " OR,
           "the numbers have lost their sign"},
          {"registers_24_columns_apart",
           LOOPS ROW "const int col = lane % 4 * 8 + part + reg / 2 * 24; " BITS OR,
           "It looks as if with reg / 2 the column grows by 24, not by 32.\n"},
          {"lanes_two_rows_apart",
           LOOPS
           "const int row = (lane >> 2) * 2 + reg % 2; const int col = lane % 4 * 16 + part + "
           "reg / 2 * 32; " BITS OR,
           "with lane % 4 the column grows by 16, not by 8; with lane / 4 the row grows by 2, not "
           "by 1; "
           "with reg % 2 the row grows by 1, not by 8.\n"},
          {"parts_two_columns_apart",
           LOOPS ROW "const int col = lane % 4 * 8 + part * 2 + reg / 2 * 32; " BITS OR,
           "It looks as if with the part the column grows by 2, not by 1.\n"},
          {"from_column_4",
           LOOPS ROW "const int col = lane % 4 * 8 + part + reg / 2 * 32 + 4; " BITS OR,
           "It looks as if the column begins at 4, not 0.\n"},
          {"folded",
           LOOPS ROW
           "const int col = (lane % 4 * 8 + part + reg / 2 * 32) ^ (reg == 3 ? 8 : 0); " BITS OR,
           "the rows are right, the columns are not, wherever reg % 2 is 1 and reg / 2 is 1.\n"},
          {"one_element_wrong", LOOPS ROW COL BITS OR " if (lane == 19) a[2] ^= 0x400;",
           "1 of 1024 elements"},
          {"one_element_unknown", LOOPS ROW COL BITS OR " if (lane == 19) a[2] ^= 0x400;",
           "wherever lane % 4 is 3 and lane / 4 is 4 and reg % 2 is 0 and reg / 2 is 1 and the "
           "part is "
           "2.\n"},
      },
      {
          {"from_the_top",
           "for (int reg = 0; reg < 4; ++reg) for (int part = 7; part >= 0; --part) { " ROW COL BITS
           "a[reg] = a[reg] << 4 | bits; }",
           ""},
          {"byte_by_byte",
           "for (int reg = 0; reg < 4; ++reg) {"
           "  const std::int8_t* at = tile + (lane / 4 + reg % 2 * 8) * stride + lane % 4 * 8 +"
           "    reg / 2 * 32;"
           "  for (int i = 0; i < 4; ++i) reinterpret_cast<std::uint8_t*>(&a[reg])[i] ="
           "    static_cast<std::uint8_t>((at[2 * i] & 15) | at[2 * i + 1] << 4); }",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("02", "the gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 02") {
  exercise().right_answers_pass();
}
TEST_CASE("a wrong answer to exercise 02 points at the first element that is wrong") {
  const Ran ran = exercise().check("no_col_32");
  CAPTURE(ran.output);
  CHECK(says(ran, "--operand A --element 0,32\n"));
}
TEST_CASE("diagnose names the mistake in the trace of a wrong answer to exercise 02") {
  const std::pair<const char*, const char*> named[] = {
      {"registers_exchanged", "registers A.r1 and A.r2 are exchanged\n"},
      {"reversed", "the parts of every register are in the opposite order\n"},
      {"nibbles_exchanged", "the two neighbouring parts of every pair are exchanged\n"},
      {"first_part_only", "all parts of a register hold what belongs into .b0\n"},
  };
  for (const auto& [name, words] : named) {
    const Ran ran = exercise().diagnosed(name);
    CAPTURE(name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, std::string("A of launch 0, block 0,0,0, warp 0: ") + words));
    CHECK(says(ran, "1 of 1 fragments compared; one is wrong\n"));
  }
  const Ran one = exercise().diagnosed("one_element_wrong");
  CAPTURE(one.output);
  CHECK(says(one, "not one of the known mistakes\n  1 of 1024 elements"));
}
