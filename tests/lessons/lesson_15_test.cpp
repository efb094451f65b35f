// SPDX-License-Identifier: MIT
// Lesson 15 on the emulator: the nibbles and stored elements that it asks for are the atlas's, the
// sparse product is the dense one, and a wrong map or pair is noticed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_15 {
namespace {

const std::string kLesson = "15_sparsity";
const char* const kMmaSp = "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

/// A line of the lesson's first table, as the atlas has it.
std::string line_of(int selector, int lane) {
  const layout::Instruction* mma = layout::find(kMmaSp);
  REQUIRE(mma != nullptr);
  const layout::Fragment& map = mma->E.at(static_cast<std::size_t>(selector));
  std::string line = fmt::format("{:6}  ", lane);
  if (!map.provided_by(lane)) return line + "  not read\n";
  for (const layout::Held& held : layout::elements(map, lane, 0))
    if (held.element.col % 2 == 0)
      line += fmt::format("  {},{}", held.element.row, held.element.col / 2);
  return line + "\n";
}

}  // namespace

TEST_CASE("lesson 15 finds out whose metadata is read, and the atlas says the same") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    for (const int selector : {0, 1})
      for (int lane = 0; lane < 8; ++lane) CHECK(says(ran, line_of(selector, lane)));
    CHECK(count(ran, "128 of 256 nibbles are read; 256 of 256 answers are the manual's.") == 2);
    CHECK(count(ran, "256 of 256 as the manual says") == 6);
    CHECK(says(ran,
               "  1101    1 and 3         9       11       25       27    256 of 256 as the manual "
               "says\n"));
    CHECK(says(
        ran,
        "two of four, or less          128 of 128            128         100.0 %         0.0 %"));
    CHECK(says(
        ran,
        "nearly all of them            128 of 128            128          76.9 %        53.2 %"));
  }
}

TEST_CASE("the checker has nothing to report of lesson 15") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "10 launches checked, nothing to report"));
}

TEST_CASE("lesson 15 --bench says that it needs a card") {
  const Ran ran = run_lesson(kLesson, "--bench");
  CHECK(ran.status == 0);
  CHECK(says(ran, "--bench needs a GPU"));
}

// A[9][11] of the whole A is 911: what is stored says by its number which column it was.
TEST_CASE("lesson 15 records A as stored, and metadata that say where each element was") {
  const auto path = scratch() / "lesson_15.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  const layout::Instruction* mma = layout::find(kMmaSp);
  REQUIRE(mma != nullptr);
  const trace::Fragment *a = nullptr, *e = nullptr;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    CHECK(fragment->instruction == kMmaSp);
    if (fragment->operand == "A" && a == nullptr) a = fragment;
    if (fragment->operand == "E" && e == nullptr) e = fragment;
  }
  REQUIRE(a != nullptr);
  REQUIRE(e != nullptr);
  int zeros = 0;
  for (const layout::Held& index : layout::register_layout(mma->E[0])) {
    const layout::Element at = index.element;
    const auto bits = e->registers.at(0).at(static_cast<std::size_t>(index.holder.thread));
    const int k = at.col / 2 * 4 + static_cast<int>(bits >> index.holder.bit & 3);
    for (const layout::Held& held : layout::register_layout(mma->A)) {
      if (!(held.element == at)) continue;
      const auto word = a->registers.at(static_cast<std::size_t>(held.holder.register_index))
                            .at(static_cast<std::size_t>(held.holder.thread));
      const double number =
          numeric::decode(numeric::kF16, static_cast<std::uint16_t>(word >> held.holder.bit));
      zeros += number == 0;
      if (number != 0) CHECK(number == 100 * at.row + k);
    }
  }
  CHECK(zeros == 4);  // A[0][0] is 0; three more are missing on purpose
}

TEST_CASE("lesson 15 notices metadata of the wrong lane, and an index in the wrong place" *
          doctest::test_suite("compiled")) {
  const Ran lane =
      run_broken_kernel(kLesson, "lane", "(thread % 2 * 4 + i % 4)", "(thread / 2 * 4 + i % 4)");
  CAPTURE(lane.output);
  CHECK(lane.status == 1);
  CHECK(says(lane, "256 of 256 answers are the manual's."));
  CHECK(says(lane, "Something above is not as it should be."));
  const Ran index = run_broken_kernel(kLesson, "index", "kept.first | kept.second << 2",
                                      "kept.second | kept.first << 2");
  CAPTURE(index.output);
  CHECK(index.status == 1);
  CHECK(!says(index, "256 of 256 as the manual says"));
}

}  // namespace lesson_15
