// SPDX-License-Identifier: MIT
// Lesson 18 on the emulator: every byte of the scale registers scales what the ISA's figures say,
// NVFP4 is exactly the product of the decoded numbers, and a wrong kernel is noticed. No card
// stands behind it.
#include <doctest/doctest.h>

#include <string>

#include "layout/instruction.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_18 {
namespace {

const std::string kLesson = "18_block_scale";

}  // namespace

TEST_CASE("lesson 18 finds who scales what, for every selector that it asks about") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, "   128 of 128 answers are the manual's.\n") == 5);
  CHECK(says(ran,
             "   SFA, {byte-id 0, thread-id 0}: the row, of lanes 0 to 7\n"
             "   byte 0    0    8    -    -    1    9    -    -\n"));
  CHECK(says(ran, "   byte 2    -    -    0    8    -    -    1    9\n"));
  CHECK(says(ran, "   byte 3    -    -    0    -    -    -    1    -\n"));
  CHECK(says(ran, "   byte 2   0, k 32   8, k 32         -         -   1, k 32   9, k 32\n"));
}

TEST_CASE("lesson 18 multiplies NVFP4 exactly, and a scale for all is worse than one for sixteen") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(count(ran, "128 of 128  ") == 2);
  // How far the worst row is off, the last number of the line.
  const auto worst = [&ran](const std::string& name) {
    const std::size_t at = ran.output.find("   " + name);
    const std::string line = ran.output.substr(at, ran.output.find('\n', at) - at);
    return std::stod(line.substr(line.rfind('%') - 8, 7));
  };
  CHECK(worst("16 neighbours") < 40);
  CHECK(worst("all of a matrix") > 90);
}

TEST_CASE("lesson 18 says that no card has run it, and refuses other architectures") {
  CHECK(says(run_lesson(kLesson), "Nobody has run it on a card here: specified, not verified.\n"));
  for (const char* arch : {"sm_80", "sm_90a", "sm_100a", "sm_120"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(says(ran, "lesson: block scaling is sm_120a's, a GeForce Blackwell's; this is " +
                        std::string(arch) + "; `./learn lesson 18 --arch sm_120a` has it\n"));
  }
}

TEST_CASE("the checker has nothing to report of lesson 18") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "7 launches checked, nothing to report"));
}

TEST_CASE("lesson 18 records A, B, SFA, SFB and D of two products") {
  const auto path = scratch() / "lesson_18.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  std::string operands;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    const layout::Instruction* instruction = layout::find(fragment->instruction);
    REQUIRE(instruction != nullptr);
    operands += fragment->operand + " ";
    if (fragment->operand != "SFA") continue;
    // Lane 4g + h has row g + 8h: a power of two a block, 2^((row + row / 8) % 4 * -2 + block % 2).
    for (std::size_t lane = 0; lane < 32 && operands.size() < 20; ++lane)
      for (int block = 0; block < 4 && lane % 4 < 2; ++block) {
        const auto byte = fragment->registers[0][lane] >> block * 8 & 0xff;
        const int row = static_cast<int>(lane / 4 + lane % 2 * 8);
        CHECK(byte == static_cast<std::uint64_t>(((row + row / 8) % 4 * -2 + block % 2 + 7) << 3));
      }
  }
  CHECK(operands == "A B SFA SFB D A B SFA SFB D ");
}

TEST_CASE("lesson 18 notices scales of another block, and a wrong selector" *
          doctest::test_suite("compiled")) {
  const Ran blocks = run_broken_kernel(kLesson, "blocks", "reg / kHalves * 2 + pair) * 8",
                                       "reg / kHalves * 2 + 1 - pair) * 8");
  CAPTURE(blocks.output);
  CHECK(blocks.status == 1);
  CHECK(says(blocks, "Something above is not as it should be."));
  const Ran selector = run_broken_kernel(kLesson, "selector", "mma_mxfp8<kByte, kThread, 0, 0>",
                                         "mma_mxfp8<kByte, 1 - kThread, 0, 0>");
  CAPTURE(selector.output);
  CHECK(selector.status == 1);
  CHECK(says(selector, "Something above is not as it should be."));
}

}  // namespace lesson_18
