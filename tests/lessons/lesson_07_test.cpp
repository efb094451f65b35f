// SPDX-License-Identifier: MIT
// Lesson 07 on the emulator: every rung is right on every architecture, the checker has nothing to
// report, the counts are those that the tiles explain, no kernel spills, and damage is noticed.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "numeric/format.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_07 {
namespace {

namespace fs = std::filesystem;

const std::string kLesson = "07_fast_hgemm";

/// `how`: what stands before the command.
Ran run_for(const std::string& arch, const std::string& arguments, const std::string& how = "") {
  return run(how + lanescope_command() + " run --arch " + arch + " " + arguments);
}
std::string program() {
  return "-- " + shell_word(tests::build_folder() / "lessons" / kLesson / kLesson) + " ";
}

/// The line of rung `number`.
std::string line_of(const Ran& ran, int number) {
  std::istringstream lines(ran.output);
  char begin[8];
  std::snprintf(begin, sizeof begin, "%2d ", number);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(begin, 0) == 0) return line;
  return "";
}

int wrong_sizes(const Ran& ran, int rung) {
  const Ran line{0, line_of(ran, rung)};
  return count(line, " wrong");
}

void rungs_are_right(const std::string& arch) {
  const int rungs = arch == "sm_90a" ? 13 : 10;  // the last three are Hopper's
  const Ran ran = run_for(arch, "--check " + program());
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "C = A*B by " + std::to_string(rungs) + " kernels"));
  CHECK(count(ran, "        right") == 4 * rungs);
  CHECK(count(ran, "wrong") == 0);
  CHECK(says(ran, "nothing to report"));
}

}  // namespace

TEST_CASE("lesson 07's rungs are right for whole and for ragged tiles, on sm_80 and sm_90a") {
  for (const char* arch : {"sm_80", "sm_90a"}) rungs_are_right(arch);
}

TEST_CASE("lesson 07's rungs are right on sm_89, which runs the oldest's PTX" *
          doctest::test_suite("twice")) {
  rungs_are_right("sm_89");
}

TEST_CASE("lesson 07 counts the passes that its tiles explain, and conflicts in rung 1 alone" *
          doctest::test_suite("twice")) {
  const Ran ran = run_lesson(kLesson, "--bench");
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  CHECK(says(ran, "No GPU: nothing is timed."));
  CHECK(!says(ran, "WRONG"));
  std::vector<std::vector<double>> rows;
  for (int rung = 0; rung <= 12; ++rung) {
    std::istringstream words(line_of(ran, rung).substr(18));
    std::vector<double>& row = rows.emplace_back();
    for (double number; words >> number;) row.push_back(number);
    REQUIRE(row.size() == 6);  // mma, instructions, loads, least, passes, conflicts
  }
  for (std::size_t rung = 0; rung <= 12; ++rung) CHECK((rows[rung][5] > 0) == (rung == 1));

  // 128 x 128 x 256 are 8 x 16 x 16 mma, 128 x 256 twice as many.
  CHECK(rows[0][0] == 16);
  for (std::size_t rung = 1; rung <= 4; ++rung) CHECK(rows[rung][0] == 2048);
  for (std::size_t rung = 5; rung <= 10; ++rung) CHECK(rows[rung][0] == 4096);
  CHECK(rows[11][0] == 6144);  // 256 x 192
  CHECK(rows[12][0] == 3072);  // both tiles of 256 x 256 fit in halves: 128 x 192

  // Rung 1, of 16 mma of a warp's 64 x 32: 4 fragments of A are 16 loads, 4 of B another 16, a pass
  // each; the copies of 16 of K are 8 KB for 8 warps, 8 passes a warp. A's rows are 64 bytes, so
  // four of eight share their banks: 4 passes. B's are 256 bytes: four of a load's four rows do.
  CHECK(rows[1][3] == doctest::Approx((16 + 16 + 8.0) / 16));
  CHECK(rows[1][4] == doctest::Approx((16 * 4 + 16 * 4 + 8.0) / 16));
  // Rung 4: an ldmatrix.x4 is four passes; 4 for A, 2 for two of B each.
  CHECK(rows[4][3] == doctest::Approx((4 * 4 + 2 * 4 + 8.0) / 16));
  // Rung 5, of 32 mma of 64 x 64: 4 and 4; the copies are 12 KB. Two decimals are printed.
  CHECK(rows[5][3] == doctest::Approx((4 * 4 + 4 * 4 + 12.0) / 32).epsilon(0.005));
  // Rung 10: 4 and 4 for each of 16 slices and once before the first; what TMA writes takes no
  // passes of a warp.
  CHECK(rows[10][3] == doctest::Approx(17 * (4 * 4 + 4 * 4) / (16 * 32.0)).epsilon(0.01));
  // Rung 11: 4 for A and 6 for B, of 48 mma; rung 12, in halves, 2 and 6, of 24.
  CHECK(rows[11][3] == doctest::Approx(17 * (4 * 4 + 6 * 4) / (16 * 48.0)).epsilon(0.01));
  CHECK(rows[12][3] == doctest::Approx(17 * (2 * 4 + 6 * 4) / (16 * 24.0)).epsilon(0.01));
  CHECK(rows[4][1] < rows[3][1] / 2);  // ldmatrix does away with half of the instructions
}

// Rungs 11 and 12 use up their 240 registers: 4 words that they need between tiles are put aside.
TEST_CASE("no kernel of lesson 07 up to rung 10 spills, and ptxas has nothing to warn of" *
          doctest::test_suite("compiled")) {
  Ran ran;
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran one = assemble(ptx_of(kLesson, "--rung 0", arch, scratch()), arch);
    REQUIRE_MESSAGE(one.status == 0, one.output);
    ran.output += one.output;
  }
  CAPTURE(ran.output);
  CHECK(!says(ran, "warning"));
  CHECK(!says(ran, "C75"));  // C7508, C7510, C7511: registers not handed over, mma serialised
  std::istringstream lines(ran.output);
  const std::regex entry("entry function '_ZN(?:6rung_(\\d)|7rung_(10))\\w+' for '(sm_\\w+)'");
  std::map<std::string, std::set<std::string>> rungs;
  std::string now;
  int spills = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.find("Compiling entry function") != std::string::npos) now = "";
    if (std::regex_search(line, match, entry)) {
      now = match[1].matched ? match[1] : match[2];
      rungs[match[3]].insert(now);
    }
    if (line.find("spill stores") == std::string::npos || now.empty()) continue;
    ++spills;
    CHECK_MESSAGE(line.find(" 0 bytes spill stores, 0 bytes spill loads") != std::string::npos,
                  "rung " << now << ": " << line);
  }
  CHECK(spills >= 3 * 11);
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) CHECK(rungs[arch].size() == 11);
}

TEST_CASE("lesson 07 notices what is broken, and where" * doctest::test_suite("compiled")) {
  const std::string how =
      broken_kernels(kLesson, "wrong",
                     {{"kBlocksN = kWarpN / 8", "kBlocksN = kWarpN / 16", "rung_1_tile.cuh"},
                      {"wait_group<kStages - 2>", "wait_group<kStages - 1>", "rung_3_stages.cuh"},
                      {"mma(acc[i][j], a[slice % 2][i], b[slice % 2][j])",
                       "mma(acc[i][j], a[slice % 2][i], b[0][j])"},
                      {"left < group ? left : group", "left < group ? group : group"},
                      {"apart <= 2", "apart <= 1"}});
  const Ran ran = run_for("sm_89", program(), how);
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(wrong_sizes(ran, 0) == 0);
  CHECK(wrong_sizes(ran, 1) > 0);
  CHECK(wrong_sizes(ran, 2) == 0);
  CHECK(wrong_sizes(ran, 3) > 0);
  CHECK(wrong_sizes(ran, 4) == 0);
  CHECK(wrong_sizes(ran, 5) == 0);
  for (int rung = 6; rung <= 9; ++rung) CHECK(wrong_sizes(ran, rung) > 0);
  const Ran bench = run_for("sm_89", program() + "--bench", how);
  CAPTURE(bench.output);
  CHECK(bench.status == 1);  // its own comparison with f64 notices, too
  for (const int rung : {1, 3, 6, 7, 8, 9})
    CHECK(line_of(bench, rung).find("WRONG") != std::string::npos);
  for (const int rung : {0, 2, 4, 5})
    CHECK(line_of(bench, rung).find("WRONG") == std::string::npos);
}

TEST_CASE("the checker sees a barrier that lesson 07's numbers do not miss" *
          doctest::test_suite("compiled")) {
  const std::string how =
      broken_kernels(kLesson, "race",
                     {{"ptx::cp_async_wait_group<kStages - 2>();\n    __syncthreads();",
                       "ptx::cp_async_wait_group<kStages - 2>();\n    __syncwarp();"}});
  const Ran ran = run_for("sm_89", "--check " + program() + "--rung 5", how);
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "rung_5_warp_tile.cuh"));
  const Ran other = run_for("sm_89", "--check " + program() + "--rung 6", how);
  CAPTURE(other.output);
  CHECK(other.status == 0);
}

TEST_CASE("the checker sees that TMA is not fenced off from what lesson 07's ldmatrix reads") {
  const fs::path ptx = ptx_of(kLesson, "--rung 0", "sm_90a", scratch());
  write(ptx, std::regex_replace(read(ptx), std::regex(R"(fence\.proxy\.async[^;]*;)"), ""));
  const Ran ran = run_for("sm_90a", "--check " + program(),
                          "LANESCOPE_PTX=" + shell_word(ptx.parent_path()) + " ");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(count(ran, "wrong") == 0);
  CHECK(count(ran, "check: ") == count(ran, "check: late-read: "));
  for (const char* rung : {"10_producer", "11_rolling", "12_halves"}) {
    const std::regex report("late-read: .*/rung_" + std::string(rung) +
                            "\\.cuh:\\d+: cp\\.async\\.bulk .* was read at line \\d+");
    CHECK_MESSAGE(std::regex_search(ran.output, report), rung);
  }
}

TEST_CASE("lesson 07 records a swizzled tile, fragments, and C as the quads store it" *
          doctest::test_suite("twice")) {
  const fs::path path = scratch() / "lesson_07.lanes";
  REQUIRE(run_lesson(kLesson, "--rung 0 --trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  int tiles = 0, fragments = 0;
  for (const trace::Event& event : result.trace.events) {
    fragments += std::holds_alternative<trace::Fragment>(event);
    const auto* tile = std::get_if<trace::Memory>(&event);
    if (tile == nullptr) continue;
    ++tiles;
    const auto number_at = [&](int row, int col) {
      const std::size_t at = static_cast<std::size_t>((row * tile->cols + col) * 2);
      const auto bits = static_cast<std::uint16_t>(tile->bytes[at] | tile->bytes[at + 1] << 8);
      return numeric::decode(numeric::kF16, bits);
    };
    for (int row = 0; row < tile->rows; ++row)
      for (int col = 0; col < tile->cols; ++col) {
        if (tile->name != "C")  // row by row 128 bytes, chunks of 16 exchanged by the row
          CHECK(number_at(row, ((col / 8) ^ (row % 8)) * 8 + col % 8) == 64 * row + col);
        else  // C: the left half is A, the right half twice A
          CHECK(number_at(row, col) == (64 * row + col % 16) * (col < 16 ? 1 : 2));
      }
  }
  CHECK(tiles == 2);
  CHECK(fragments == 3);
}

TEST_CASE("lesson 07 says what it does not know" * doctest::test_suite("twice")) {
  for (const char* rung : {"13", "-1", "x", "3x", "\"\""}) {
    const Ran ran = run_lesson(kLesson, std::string("--rung ") + rung);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(says(ran, ": wanted is a whole number from 0 to 12\n"));
  }
  const Ran size = run_lesson(kLesson, "--bench --size 5000");
  CHECK(size.status == 2);
  CHECK(says(size, "lesson: --size 5000: wanted is one of 4096 8192 16384 4999 8191\n"));
  CHECK(run_lesson(kLesson, "--bench --rounds 0").status == 2);
}

}  // namespace lesson_07
