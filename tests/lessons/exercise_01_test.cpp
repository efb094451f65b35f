// SPDX-License-Identifier: MIT
// Exercise 01 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

// The right answer, for comparison:
//   at = tile + (lane >> 2) * stride + lane % 4 * 2
//   a0 at[0], at[1]   a1 8 rows down   a2 8 columns right   a3 both
const std::vector<Planted> kPlanted{
    {"transposed",
     "const std::uint16_t* at = tile + (lane >> 2) + lane % 4 * 2 * stride;"
     "a[0] = pack(at[0], at[stride]); a[1] = pack(at[8], at[8 + stride]);"
     "a[2] = pack(at[8 * stride], at[9 * stride]);"
     "a[3] = pack(at[8 * stride + 8], at[9 * stride + 8]);",
     "rows and columns are exchanged"},
    {"row_lane_2",
     "const std::uint16_t* at = tile + (lane / 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[8 + 1]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 8 + 1]);",
     "the row is lane / 2"},
    {"row_lane_8",
     "const std::uint16_t* at = tile + (lane / 8) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[8 + 1]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 8 + 1]);",
     "the row is lane / 8"},
    {"high_half_two_right",
     "const std::uint16_t* at = tile + (lane / 4) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[2]); a[1] = pack(at[8 * stride], at[8 * stride + 2]);"
     "a[2] = pack(at[8], at[8 + 2]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 8 + 2]);",
     "the high half is two columns further right"},
    {"no_stride",
     "const std::uint16_t* at = tile + (lane >> 2) + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8], at[9]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[16], at[17]);",
     "the row is not multiplied by `stride`"},
    {"registers_exchanged",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8], at[9]);"
     "a[2] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "registers a[1] and a[2] are exchanged"},
    {"halves_exchanged",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[1], at[0]); a[1] = pack(at[8 * stride + 1], at[8 * stride]);"
     "a[2] = pack(at[9], at[8]); a[3] = pack(at[8 * stride + 9], at[8 * stride + 8]);",
     "the halves of every register are exchanged"},
    {"constant", "for (int reg = 0; reg < 4; ++reg) a[reg] = pack(tile[17], tile[17]);",
     "every half of every register holds the same number"},
    {"zero", "for (int reg = 0; reg < 4; ++reg) a[reg] = 0;",
     "every half of every register holds the same number"},
    {"only_lane_0",
     "if (lane == 0) { const std::uint16_t* at = tile;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]); }",
     "only lane 0 has loaded its registers"},
    {"same_in_every_lane",
     "const std::uint16_t* at = tile;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "every lane has loaded what lane 0 should load"},
    {"no_row_8",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = a[1] = pack(at[0], at[1]); a[2] = a[3] = pack(at[8], at[9]);",
     "the + 8 of the rows is missing"},
    {"no_col_8",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = a[2] = pack(at[0], at[1]);"
     "a[1] = a[3] = pack(at[8 * stride], at[8 * stride + 1]);",
     "the + 8 of the columns is missing"},
    {"row_8_without_stride",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8], at[8 + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[16], at[16 + 1]);",
     "a[1] and a[3] are 8 columns further right, not 8 rows further down"},
    {"row_8_and_stride",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 + stride], at[8 + stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[16 + stride], at[16 + stride + 1]);",
     "8 rows are 8 * stride elements, not 8 + stride"},
    {"shifted_by_the_stride",
     "const std::uint16_t* at = tile + (lane >> 2 * stride) + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 8 + 1]);",
     "every lane has loaded row 0 of its block"},
    {"row_16",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[2] = pack(at[8], at[9]); at += 16 * stride;"
     "a[1] = pack(at[0], at[1]); a[3] = pack(at[8], at[9]);",
     "a[1] and a[3] are 16 rows further down instead of 8"},
    {"col_16",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[2] = pack(at[16], at[17]); at += 8 * stride;"
     "a[1] = pack(at[0], at[1]); a[3] = pack(at[16], at[17]);",
     "a[2] and a[3] are 16 columns further right instead of 8"},
    {"only_a0",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = a[1] = a[2] = a[3] = pack(at[0], at[1]);",
     "all four registers hold what a[0] should hold"},
    {"one_number_a_register",
     "for (int reg = 0; reg < 4; ++reg) a[reg] = tile[((lane >> 2) + reg % 2 * 8) * stride + lane "
     "% 4 "
     "* 2 + reg / 2 * 8];",
     "the high half of every register is 0"},
    {"words_stride_apart",
     "const auto* words = reinterpret_cast<const std::uint32_t*>(tile); for (int reg = 0; reg < 4; "
     "++reg) a[reg] = words[((lane >> 2) + reg % 2 * 8) * stride + lane % 4 + reg / 2 * 4];",
     "rows lie `stride` elements apart (half as many 32-bit words)"},
    {"words_at_odd_places",
     "const auto* at = tile + (lane >> 2) * stride + lane % 4 * 2; for (int reg = 0; reg < 4; "
     "++reg)"
     "  a[reg] = *reinterpret_cast<const std::uint32_t*>(at + reg % 2 * 8 * stride + reg / 2 * 8);",
     "is not a multiple of 4"},
    {"same_halves",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[0]); a[1] = pack(at[8 * stride], at[8 * stride]);"
     "a[2] = pack(at[8], at[8]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 8]);",
     "both halves of a register hold the same element"},
    {"halves_below_each_other",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[stride]); a[1] = pack(at[8 * stride], at[9 * stride]);"
     "a[2] = pack(at[8], at[stride + 8]);"
     "a[3] = pack(at[8 * stride + 8], at[9 * stride + 8]);",
     "the halves of a register lie below each other"},
    {"eight_neighbours",
     "const std::uint16_t* at = tile + lane / 2 * stride + lane % 2 * 8;"
     "for (int reg = 0; reg < 4; ++reg) a[reg] = pack(at[2 * reg], at[2 * reg + 1]);",
     "every lane has loaded eight neighbours of a row"},
    {"eight_lanes_a_row",
     "const std::uint16_t* at = tile + lane / 8 * stride + lane % 8 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "eight lanes share a row"},
    {"whole_rows",
     "const std::uint16_t* at = tile + lane / 8 * stride + lane % 8 * 2;"
     "for (int reg = 0; reg < 4; ++reg, at += 4 * stride) a[reg] = pack(at[0], at[1]);",
     "eight lanes share a whole row"},
    {"one_row_down",
     "const std::uint16_t* at = tile + ((lane >> 2) + 1) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "everything is one row too far down"},
    {"one_col_right",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2 + 1;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "everything is one column too far right"},
    {"no_factor_2",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "the column is lane % 4, without the factor 2"},
    {"group_and_thread_exchanged",
     "const std::uint16_t* at = tile + lane % 4 * stride + (lane >> 2) * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "lane >> 2 and lane % 4 have changed places"},
    {"lane_mod_8",
     "const std::uint16_t* at = tile + lane % 8 * stride + lane / 8 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "the row is lane % 8 and the column comes from lane / 8"},
    {"stride_16",
     "const std::uint16_t* at = tile + (lane >> 2) * 16 + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[128], at[129]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[136], at[137]);",
     "rows are taken to be 16 elements apart"},
    {"three_registers",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]);",
     "Some halves were never written: 64 of 256."},
    {"beyond_the_registers",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]); a[4] = 7;",
     "16 bytes are there"},
    {"one_turn_too_many",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "for (int reg = 0; reg <= 4; ++reg) {"
     "const std::uint16_t* from = at + reg % 2 * 8 * stride + reg / 2 * 8;"
     "a[reg] = pack(from[0], from[1]); }",
     "16 bytes are there"},
    {"counted_from_1",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[1] = pack(at[0], at[1]); a[2] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[3] = pack(at[8], at[9]); a[4] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "16 bytes are there"},
    {"one_element_wrong",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);"
     "if (lane == 19) a[2] = pack(at[8], at[8]);",
     "1 of 256 elements"},
    {"fragment_of_b",
     "const int row = lane % 4 * 2, col = lane / 4; for (int reg = 0; reg < 4; ++reg) {"
     "  const std::uint16_t* at = tile + (row + reg % 2 * 8) * stride + col + reg / 2 * 8;"
     "  a[reg] = pack(at[0], at[stride]); }",
     "the pairs lie in columns, as in the fragment of B"},
    // What no mistake is written down for.
    {"bytes",
     "for (int reg = 0; reg < 4; ++reg) { const auto* at = reinterpret_cast<const "
     "std::uint16_t*>(reinterpret_cast<const char*>(tile) + (lane >> 2) * stride + lane % 4 * 4 + "
     "reg % 2 * 8 * stride + reg / 2 * 16); a[reg] = pack(at[0], at[1]); }",
     "with reg % 2 the row grows by 4, not by 8"},
    {"five_factors",
     "const std::uint16_t* at = tile + (lane >> 2) * 2 * stride + lane % 4;"
     "for (int reg = 0; reg < 4; ++reg) a[reg] = pack(at[reg * 4], at[stride + reg * 4]);",
     "with reg % 2 the column grows by 4, not by 0; and so on.\n"},
    {"no_col_8_in_the_last",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = a[1];",
     "It looks as if a[3] has what belongs into a[1].\n"},
    {"clockwise",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8], at[9]);"
     "a[2] = pack(at[8 * stride + 8], at[8 * stride + 9]);"
     "a[3] = pack(at[8 * stride], at[8 * stride + 1]);",
     "a[1] has what belongs into a[2]; a[2] has what belongs into a[3]; a[3] has what belongs into "
     "a[1].\n"},
    {"and_for_modulo",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + (lane & 4) * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);",
     "with lane % 4 the column grows by 0, not by 2; with bit 0 of lane / 4 the column grows by 8, "
     "not by 0.\n"},
    {"second_takes_the_place",
     "for (int i = 0; i < 8; ++i)"
     "  a[i / 2] = tile[((lane >> 2) + i / 2 % 2 * 8) * stride + lane % 4 * 2 + i % 2 + i / 4 * 8]"
     "    << i % 2 * 16;",
     "the low half of every register is 0: the second number took the place of the first"},
    {"signed_numbers",
     "const auto* at = reinterpret_cast<const std::int16_t*>(tile) + (lane >> 2) * stride +"
     "  lane % 4 * 2;"
     "for (int reg = 0; reg < 4; ++reg) {"
     "  const auto* two = at + reg % 2 * 8 * stride + reg / 2 * 8;"
     "  a[reg] = two[0] | two[1] << 16; }",
     "the sign of the low half runs over the high half"},
    {"signed_numbers_added",
     "const auto* at = reinterpret_cast<const std::int16_t*>(tile) + (lane >> 2) * stride +"
     "  lane % 4 * 2;"
     "for (int reg = 0; reg < 4; ++reg) {"
     "  const auto* two = at + reg % 2 * 8 * stride + reg / 2 * 8;"
     "  a[reg] = two[0] + two[1] * 65536; }",
     "the sign of the low half runs over the high half"},
    {"shifted_by_8",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "for (int reg = 0; reg < 4; ++reg) {"
     "  const auto* two = at + reg % 2 * 8 * stride + reg / 2 * 8;"
     "  a[reg] = two[0] | two[1] << 8; }",
     "the second number is shifted by 8 bits, not by 16"},
    {"brackets_round_stride_and_8",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * (stride + 8)], at[8 * (stride + 8) + 1]);",
     "32 of 256; row and column are wrong wherever reg % 2 is 1 and reg / 2 is 1.\n"},
};

// As right as the solution.
const std::vector<Planted> kRight{
    {"halves_one_by_one",
     "for (int i = 0; i < 8; ++i) reinterpret_cast<std::uint16_t*>(a)[i] ="
     "  tile[((lane >> 2) + i / 2 % 2 * 8) * stride + lane % 4 * 2 + i % 2 + i / 4 * 8];",
     ""},
    {"copied",
     "for (int reg = 0; reg < 4; ++reg) memcpy(&a[reg], tile + (lane / 4 + reg % 2 * 8) * stride +"
     "  lane % 4 * 2 + reg / 2 * 8, 4);",
     ""},
    {"shuffled",
     "const std::uint16_t* row = tile + lane / 2 * stride + lane % 2 * 8; std::uint32_t mine[4];"
     "for (int i = 0; i < 4; ++i) mine[i] = pack(row[2 * i], row[2 * i + 1]);"
     "for (int reg = 0; reg < 4; ++reg) for (int i = 0; i < 4; ++i) {"
     "  const std::uint32_t two = __shfl_sync(~0u, mine[i],"
     "      ((lane >> 2) + reg % 2 * 8) * 2 + reg / 2);"
     "  if (lane % 4 == i) a[reg] = two; }",
     ""},
};

const ExerciseTest& exercise() {
  static const ExerciseTest test("01_fragment_layout", "load_a_on_device", kPlanted, kRight);
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("01", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 01") {
  exercise().right_answers_pass();
}
TEST_CASE("exercise 01 as shipped says what is missing, and what to ask") {
  const Ran ran = exercise().check("as_shipped");
  CAPTURE(ran.output);
  CHECK(says(ran, "256 of 256 elements"));
  CHECK(says(ran,
             "lane  0, a[0], low half: expected A[0][0] = 0 (0x0000), found NaN, never written"));
  CHECK(says(ran,
             "./learn layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand A "
             "--lane 0 --register 0"));
}
TEST_CASE("a wrong answer to exercise 01 shows the first few differences, not all") {
  const Ran ran = exercise().check("transposed");
  CHECK(count(ran, "expected A[") == 4);
  CHECK(says(ran, "... and "));
}
TEST_CASE("a check of exercise 01 that a kernel's failure ends leaves no trace of what was right") {
  const Ran ran = exercise().diagnosed("words_at_odd_places");
  CAPTURE(ran.output);
  CHECK(ran.status == 2);
  CHECK(says(ran, "is neither a trace file nor"));
}
