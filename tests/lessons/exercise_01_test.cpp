// SPDX-License-Identifier: MIT
// Exercise 01 is sound: as shipped it compiles and fails, the solution passes, the two are the same
// file outside the gap, and no wrong answer passes; each is called by its name.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/lessons/workshop.hpp"

using namespace lanescope::lessons_test;

namespace {

constexpr const char* kLesson = "01_fragment_layout";

struct Planted {
  const char* name;
  const char* gap;
  const char* message;  // what the check must say
};

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
    {"one_element_wrong",
     "const std::uint16_t* at = tile + (lane >> 2) * stride + lane % 4 * 2;"
     "a[0] = pack(at[0], at[1]); a[1] = pack(at[8 * stride], at[8 * stride + 1]);"
     "a[2] = pack(at[8], at[9]); a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);"
     "if (lane == 19) a[2] = pack(at[8], at[8]);",
     "1 of 256 elements"},
};

const Answer& exercise() {
  static const Answer answer =
      take_apart(shipped(std::string("lessons/") + kLesson + "/exercise.cu"));
  return answer;
}
const Answer& solution() {
  static const Answer answer =
      take_apart(shipped(std::string("lessons/") + kLesson + "/solution.cu"));
  return answer;
}

/// The check program with all the answers in it, built once.
const std::filesystem::path& check_program() {
  static const std::filesystem::path program = [] {
    std::vector<std::pair<std::string, std::string>> answers;
    answers.push_back({"as_shipped", exercise().before + exercise().gap + exercise().after});
    answers.push_back({"solution", solution().before + solution().gap + solution().after});
    for (const Planted& planted : kPlanted)
      answers.push_back({planted.name, solution().before + planted.gap + "\n" + solution().after});
    const std::filesystem::path path = scratch() / "check_01";
    const Function function{
        "std::vector<std::uint32_t>", "load_a_on_device",
        "const std::vector<std::uint16_t>& matrix, int first, int stride, const char* trace",
        "matrix, first, stride, trace"};
    const Ran built = build_check(kLesson, function, answers, path);
    REQUIRE_MESSAGE(built.status == 0, built.output);
    return path;
  }();
  return program;
}

Ran check(const std::string& name, const std::string& arch = "sm_90a") {
  return run("PLANTED=" + name + " " +
             shell_word(lanescope::tests::build_folder() / "bin" / "lanescope") + " run --arch " +
             arch + " -- " + shell_word(check_program()));
}

bool says(const Ran& ran, const std::string& text) {
  return ran.output.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("exercise 01 and its solution are the same outside the gap") {
  CHECK(exercise().before == solution().before);
  CHECK(exercise().after == solution().after);
  CHECK(exercise().gap.find_first_not_of(" \n") == std::string::npos);
  CHECK(solution().gap.find_first_not_of(" \n") != std::string::npos);
}

TEST_CASE("exercise 01 as shipped fails and says that the gap is empty") {
  const Ran ran = check("as_shipped");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "256 of 256 elements"));
  CHECK(says(ran,
             "lane  0, a[0], low half: expected A[0][0] = 0 (0x0000), found NaN, never written"));
  CHECK(says(ran, "The gap is still empty"));
  CHECK(says(ran,
             "./learn layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand A "
             "--lane 0 --register 0"));
  CHECK(!says(ran, "right"));
}

TEST_CASE("the solution of exercise 01 passes on every architecture") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = check("solution", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "right"));
    CHECK(!says(ran, "WRONG"));
  }
}

TEST_CASE("no wrong answer to exercise 01 passes, and each is called by its name") {
  for (const Planted& planted : kPlanted) {
    const Ran ran = check(planted.name);
    CAPTURE(planted.name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, planted.message));
    CHECK(says(ran, "expected A["));
    CHECK(says(ran, "What to do: "));
  }
}

TEST_CASE("a wrong answer to exercise 01 shows the first few differences, not all") {
  const Ran ran = check("transposed");
  std::size_t count = 0;
  for (std::size_t at = 0; (at = ran.output.find("expected A[", at)) != std::string::npos; ++at)
    ++count;
  CHECK(count == 4);
  CHECK(says(ran, "... and "));
}
