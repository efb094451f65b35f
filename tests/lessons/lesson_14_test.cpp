// SPDX-License-Identifier: MIT
// Lesson 14 on the emulator: D's lanes are A's for 16-bit elements and for no others, by the atlas
// as by the instruction; attention is exact with the running maximum; and what breaks it is
// noticed.
#include <doctest/doctest.h>

#include <string>

#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_14 {
namespace {

const std::string kLesson = "14_attention";

/// Elements of `name`'s A that are held by the lane that holds their place of D, eight columns of A
/// after the other.
int at_home(const char* name) {
  const layout::Instruction* found = layout::find(name);
  REQUIRE(found != nullptr);
  int count = 0;
  for (const layout::Held& held : layout::register_layout(found->A)) {
    const layout::Element e = held.element;
    for (const layout::Held& sum : layout::register_layout(found->D))
      count += sum.element.row == e.row && sum.element.col == e.col % 8 &&
               sum.holder.thread == held.holder.thread;
  }
  return count;
}

}  // namespace

TEST_CASE("lesson 14 asks who has to move, and the atlas says the same") {
  CHECK(at_home("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") == 256);
  CHECK(at_home("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32") == 256);
  CHECK(at_home("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32") == 32);
  CHECK(at_home("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32") == 128);
  CHECK(at_home("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32") == 128);
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "  m16n8k16, f16 or bf16         256             256\n"));
    CHECK(says(ran, "  m16n8k8, tf32                 128              32\n"));
    CHECK(says(ran, "  m16n8k32, s8 or fp8           512             128\n"));
    CHECK(says(ran, "128 of 128 alike"));
    CHECK(says(
        ran,
        "  no maximum                                                  0               512\n"));
    CHECK(says(
        ran,
        "  a running one, what was added before stays                  0                 0\n"));
    CHECK(says(
        ran,
        "  a running one, what was added before is made smaller      512                 0\n"));
  }
}

TEST_CASE("the checker has nothing to report of lesson 14") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "7 launches checked, nothing to report"));
}

TEST_CASE("lesson 14 records the scores twice: as D, and as A in the same lanes") {
  const auto path = scratch() / "lesson_14.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  int elements = 0;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    const layout::Instruction* instruction = layout::find(fragment->instruction);
    REQUIRE(instruction != nullptr);
    const bool is_a = fragment->operand == "A";
    const int first_col = fragment->name == "D n=8" ? 8 : 0;
    for (const layout::Held& held :
         layout::register_layout(is_a ? instruction->A : instruction->D)) {
      const auto word = fragment->registers.at(static_cast<std::size_t>(held.holder.register_index))
                            .at(static_cast<std::size_t>(held.holder.thread));
      const double number =
          is_a ? numeric::decode(numeric::kF16, static_cast<std::uint16_t>(word >> held.holder.bit))
               : numeric::decode(numeric::kF32, static_cast<std::uint32_t>(word));
      CHECK(number == 100 * held.element.row + held.element.col + first_col);
      ++elements;
    }
  }
  CHECK(elements == 512);
}

TEST_CASE("lesson 14 notices registers in the wrong order, and weights that stay too large" *
          doctest::test_suite("compiled")) {
  const Ran order = run_broken_kernel(kLesson, "order", "a[1] = pack(s[0][2], s[0][3]);",
                                      "a[1] = pack(s[1][0], s[1][1]);");
  CAPTURE(order.output);
  CHECK(order.status == 1);
  CHECK(!says(order, "128 of 128 alike"));
  CHECK(says(order, "Something above is not as it should be."));
  const Ran maximum = run_broken_kernel(kLesson, "maximum", "fmaxf(before, largest_of_row(here))",
                                        "fmaxf(before, here)");
  CAPTURE(maximum.output);
  CHECK(maximum.status == 1);  // each lane with a maximum of its own
}

}  // namespace lesson_14
