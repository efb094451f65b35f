// SPDX-License-Identifier: MIT
// Lesson 16 on the emulator: what it finds out of an instruction's last bits is what
// docs/arithmetic.md says, long sums drift and are mended, and a wrong kernel is noticed.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_16 {
namespace {

const std::string kLesson = "16_sums";

}  // namespace

TEST_CASE("lesson 16 finds the last place, the groups and the ones that are lost on Hopper") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, "2^-25        1       -1           23\n") == 3);
  CHECK(says(ran, "wgmma m64n8k32 e4m3                2^-13        1       -1           13\n"));
  CHECK(says(ran, "fma.rn.f32, one by one             2^-22        2       -2           23\n"));
  CHECK(says(ran, "mma.sync m16n8k16 f16     xxxxxxxxxxxxxxxx\n"));
  CHECK(says(ran, "mma.sync m16n8k32 e4m3    xx..xx..xx..xx..xx..xx..xx..xx..\n"));
  CHECK(says(ran, "wgmma m64n8k32 e4m3       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"));
  CHECK(count(ran, "2^24          0          2          2        16\n") == 2);
  CHECK(says(ran, "2^24          0          2          2        32\n"));
  CHECK(says(ran, "2^14          0          0          0         0\n"));
}

TEST_CASE("lesson 16 finds eight products in a sum, and 24 places, before Hopper") {
  for (const char* arch : {"sm_80", "sm_89"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "mma.sync m16n8k16 f16              2^-24        1       -1           23\n"));
    CHECK(says(ran, "mma.sync m16n8k16 f16     xxxxxxxx........\n"));
    CHECK(
        says(ran, "mma.sync m16n8k16 f16      2^24          0          2          0        16\n"));
    const bool ada = std::string(arch) == "sm_89";
    CHECK(says(ran, "mma.sync m16n8k32 e4m3             2^-13") == ada);
    CHECK(says(ran, "mma.sync m16n8k32 e4m3    xxxxxxxxxxxxxxxx................\n") == ada);
    CHECK(says(ran, "The rest needs wgmma, which sm_90a alone has"));
  }
}

TEST_CASE("long sums of e4m3 drift in lesson 16, and moving them out mends it") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(
      says(ran, "  0 to 1.875          4096       4.7863 %    0.6256 %    0.1083 %    0.0094 %\n"));
  CHECK(
      says(ran, "  -1.875 to 1.875     4096       0.1656 %    0.0535 %    0.0225 %    0.0071 %\n"));
  CHECK(
      says(ran, "  1                  32768          16384       32768       32768       32768\n"));
}

TEST_CASE("the checker has nothing to report of lesson 16") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "63 launches checked, nothing to report"));
}

TEST_CASE("lesson 16 --bench says that it needs a card") {
  const Ran ran = run_lesson(kLesson, "--bench");
  CHECK(ran.status == 0);
  CHECK(says(ran, "--bench needs a GPU"));
}

TEST_CASE(
    "lesson 16 records sums with ten bits of 0, and the same moved out, nearer to the truth") {
  const auto path = scratch() / "lesson_16.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  std::vector<std::uint32_t> kept, moved;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    CHECK(fragment->operand == "D");
    CHECK(layout::find(fragment->instruction) != nullptr);
    for (const auto& lanes : fragment->registers)
      for (const std::uint64_t word : lanes)
        (fragment->name == "D" ? kept : moved).push_back(static_cast<std::uint32_t>(word));
  }
  REQUIRE(kept.size() == 512);
  REQUIRE(moved.size() == 512);
  int longer = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    CHECK((kept[i] & 0x3ff) == 0);
    CHECK(kept[i] < moved[i]);  // both positive: cut off, so always too small
    longer += (moved[i] & 0x3ff) != 0;
  }
  CHECK(longer > 400);
}

TEST_CASE("lesson 16 notices products at the wrong k, and sums that are counted twice" *
          doctest::test_suite("compiled")) {
  const Ran place = run_broken_kernel(kLesson, "place", "reg / 2 * 4 * kPer", "reg / 2 * kPer");
  CAPTURE(place.output);
  CHECK(place.status == 1);
  CHECK(says(place, "is not as docs/arithmetic.md says."));
  const Ran twice = run_broken_kernel(kLesson, "twice", "anew ? 0 : 1", "anew ? 1 : 1");
  CAPTURE(twice.output);
  CHECK(twice.status == 1);
  CHECK(says(twice, "Something above is not as it should be."));
}

}  // namespace lesson_16
