// SPDX-License-Identifier: MIT
// Lesson 19 on the emulator: what the lanes want of W, counted anew with the atlas's map of B;
// every nibble becomes q - 8; the products are exact; the trace's B is what its words of W say; and
// a wrong kernel is noticed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_19 {
namespace {

const std::string kLesson = "19_packed_weights";
const char* const kMma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

const layout::Instruction& mma() {
  const layout::Instruction* found = layout::find(kMma);
  REQUIRE(found != nullptr);
  return *found;
}

/// Sectors of 32 bytes that eight steps of B touch, where weight k,col is the nibble `at(k, col)`.
template <class At>
std::size_t sectors(At at) {
  std::set<int> touched;
  for (int step = 0; step < 8; ++step)
    for (const layout::Held& held : layout::register_layout(mma().B))
      touched.insert(at(step * 16 + held.element.row, held.element.col) / 64);
  return touched.size();
}

/// The numbers at the end of a line of the third table: loads and instructions.
std::vector<int> counts_of(const Ran& ran, const std::string& line) {
  const std::size_t at = ran.output.find("   " + line);
  REQUIRE_MESSAGE(at != std::string::npos, line);
  const std::string text = ran.output.substr(ran.output.find('%', at) + 1);
  char* end = nullptr;
  const int loads = static_cast<int>(std::strtol(text.c_str(), &end, 10));
  return {loads, static_cast<int>(std::strtol(end, nullptr, 10))};
}

}  // namespace

TEST_CASE("lesson 19 counts what a warp touches of W, and the atlas says the same") {
  const std::size_t rows = sectors([](int k, int col) { return k * 64 + col; });
  const std::size_t columns = sectors([](int k, int col) { return col * 512 + k; });
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    const auto line = [](const char* order, int bytes, int loads, std::size_t sectors) {
      return fmt::format("   {:<22} {:8} {:8} {:18} {:14.1f} %\n", order, bytes, loads, sectors,
                         100.0 * 512 / (32.0 * static_cast<double>(sectors)));
    };
    CHECK(says(ran, line("row after row", 32, 32, rows)));
    CHECK(says(ran, line("column after column", 16, 16, columns)));
    CHECK(says(ran, line("in fragment order", 16, 1, 512 / 32)));
    CHECK(says(ran,
               "  W[29][1]  W[21][1]  W[13][1]  W[5][1]  W[28][1]  W[20][1]  W[12][1]  W[4][1]\n"));
    CHECK(says(ran, "16 of 16 are q - 8 both ways, in both halves.\n"));
    CHECK(count(ran, "sums     1024 of 1024        0.0000 %") == 2);
    const auto with_columns = counts_of(ran, "column after column   sums");
    const auto packed = counts_of(ran, "in fragment order     sums");
    const auto scaled = counts_of(ran, "in fragment order     weights");
    CHECK(with_columns[0] - packed[0] == 4 * (16 - 1));  // four groups
    CHECK(packed[1] < with_columns[1]);
    CHECK(packed[1] < scaled[1]);
  }
}

TEST_CASE("the checker has nothing to report of lesson 19") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "6 launches checked, nothing to report"));
}

TEST_CASE("lesson 19 --bench says that it needs a card") {
  const Ran ran = run_lesson(kLesson, "--bench");
  CHECK(ran.status == 0);
  CHECK(says(ran, "--bench needs a GPU"));
}

TEST_CASE("lesson 19 records B as its words of W say") {
  const auto path = scratch() / "lesson_19.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  const trace::Fragment* b = nullptr;
  const trace::Memory* W = nullptr;
  std::string operands;
  for (const trace::Event& event : result.trace.events) {
    if (const auto* fragment = std::get_if<trace::Fragment>(&event)) {
      CHECK(fragment->instruction == kMma);
      operands += fragment->operand;
      if (fragment->operand == "B") b = fragment;
    }
    if (const auto* tile = std::get_if<trace::Memory>(&event)) W = tile;
  }
  CHECK(operands == "ABD");
  REQUIRE(b != nullptr);
  REQUIRE(W != nullptr);
  std::set<double> numbers;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t reg = 0; reg < 2; ++reg)
      for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t nibble = reg + half * 4;  // of the first word
        const int q = W->bytes.at(lane * 16 + nibble / 2) >> (nibble % 2 * 4) & 15;
        const auto bits = static_cast<std::uint16_t>(b->registers[reg][lane] >> (half * 16));
        CHECK(numeric::decode(numeric::kF16, bits) == q - 8);
        numbers.insert(q - 8);
      }
  CHECK(numbers.size() == 16);
}

TEST_CASE("lesson 19 notices another order, another zero point and another column's scale" *
          doctest::test_suite("compiled")) {
  const auto noticed = [](const char* name, const char* from, const char* to) {
    const Ran ran = run_broken_kernel(kLesson, name, from, to);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "Something above is not as it should be."));
  };
  noticed("order", "step / 2 * 8 + half * 4 + step % 2 * 2 + reg",
          "step / 2 * 8 + step % 2 * 4 + reg * 2 + half");
  noticed("zero", "k1032 = 0x64086408", "k1032 = 0x64076407");
  noticed("scale", "scales[group * kN + col + i % 2]", "scales[group * kN + tile * 8 + lane / 4]");
}

}  // namespace lesson_19
