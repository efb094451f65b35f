// SPDX-License-Identifier: MIT
// Lesson 17 on the emulator: D lies in tensor memory where the ISA's figures have it and comes back
// so, its loop is exact at ragged sizes, and a wrong kernel is noticed. No card stands behind it.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "layout/mover.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_17 {
namespace {

const std::string kLesson = "17_tensor_memory";

}  // namespace

TEST_CASE("lesson 17 finds D in the lanes and columns that the manual names") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, "   3072 of 3072 registers hold what the manual says\n") == 2);
  CHECK(says(ran, "   1    9     41,0     41,1     41,2     41,3\n"));
  CHECK(says(ran, "   0   16        -        -        -        -\n"));
  CHECK(says(ran, "instruction descriptor 0x08040010"));
  CHECK(says(ran, "instruction descriptor 0x04040010"));
}

TEST_CASE("lesson 17 multiplies sizes that are no multiples of its tiles, exactly") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(says(ran, "   128    32   192               3    4096    4096\n"));
  CHECK(says(ran, "   100    40    72               2    4000    4000\n"));
  CHECK(says(ran, "   300    96   200               4   28800   28800\n"));
}

TEST_CASE("lesson 17 says that no Blackwell has run it, and refuses other architectures") {
  CHECK(says(run_lesson(kLesson),
             "Nobody has run it on a Blackwell here: specified, not verified.\n"));
  for (const char* arch : {"sm_80", "sm_90a", "sm_100", "sm_120a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(says(ran, "lesson: tensor memory is sm_100a's, a Blackwell's; this is " +
                        std::string(arch) + "; `./learn lesson 17 --arch sm_100a` has it\n"));
  }
}

TEST_CASE("the checker has nothing to report of lesson 17") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "6 launches checked, nothing to report"));
}

TEST_CASE("lesson 17 records D as the atlas maps tensor memory, and as wgmma's fragment") {
  const auto path = scratch() / "lesson_17.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  int fragments = 0;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    CAPTURE(fragment->instruction);
    const layout::Instruction* instruction = layout::find_recorded(fragment->instruction);
    REQUIRE(instruction != nullptr);
    const layout::Fragment& map = *instruction->operand('D');
    for (const layout::Held& held : layout::register_layout(map)) {
      const auto word = static_cast<std::uint32_t>(fragment->registers[static_cast<std::size_t>(
          held.holder.register_index)][static_cast<std::size_t>(held.holder.thread)]);
      const float number = static_cast<float>(100 * held.element.row + held.element.col);
      std::uint32_t bits;
      std::memcpy(&bits, &number, sizeof bits);
      REQUIRE(word == bits);
    }
    ++fragments;
  }
  CHECK(fragments == 3);
}

TEST_CASE("lesson 17 notices columns that are off by one, and old sums that count" *
          doctest::test_suite("compiled")) {
  const Ran columns = run_broken_kernel(kLesson, "columns", "mine);\n  tcgen05_wait_ld",
                                        "mine + 1);\n  tcgen05_wait_ld");
  CAPTURE(columns.output);
  CHECK(columns.status == 1);
  CHECK(says(columns, "Something above is not as it should be."));
  const Ran sums = run_broken_kernel(kLesson, "sums", "step + k != 0", "step != 0");
  CAPTURE(sums.output);
  CHECK(sums.status == 1);
  CHECK(says(sums, "Something above is not as it should be."));
}

}  // namespace lesson_17
