// SPDX-License-Identifier: MIT
// Lesson 05 on the emulator: exactly the groups that a wait promises have landed, every pipeline
// multiplies right, a wait that is too short is wrong in every element, and damage is noticed.
#include <doctest/doctest.h>

#include <string>

#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_05 {
namespace {

const std::string kLesson = "05_cp_async";

}  // namespace

TEST_CASE("lesson 05 shows that a group lands at its wait, and not before" *
          doctest::test_suite("twice")) {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "no wait at all          0          0          0          0\n"));
    CHECK(says(ran, "wait_group 3          128          0          0          0\n"));
    CHECK(says(ran, "wait_group 2          128        128          0          0\n"));
    CHECK(says(ran, "wait_group 1          128        128        128          0\n"));
    CHECK(says(ran, "wait_group 0          128        128        128        128\n"));
    CHECK(!says(ran, "cycles"));
    CHECK(count(ran, "       128      0\n") == 4);  // four pipelines, all right
    CHECK(
        says(ran, "wait too short:\n       3           3       2        1536          0    128\n"));
  }
}

TEST_CASE("lesson 05 records NaNs where nothing had landed, and numbers behind the wait") {
  const auto path = scratch() / "lesson_05.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  int fragments = 0;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr || fragment->name[0] != 'A') continue;
    const int wait = 4 - fragment->place.launch;  // launch 0 does not wait, 1 leaves three groups
    const int group = fragments++ % 4;
    for (const auto& reg : fragment->registers)
      for (const std::uint64_t word : reg) CHECK((word == 0xffffffff) == (group >= 4 - wait));
  }
  CHECK(fragments == 20);
}

TEST_CASE("lesson 05 notices a loop without commits, and one without waits" *
          doctest::test_suite("compiled")) {
  const Ran commit =
      run_broken_kernel(kLesson, "commit", "    commit_group();  // also an empty one", "//");
  CAPTURE(commit.output);
  CHECK(commit.status == 1);
  CHECK(says(commit, "Something above is not as it should be"));
  const Ran wait =
      run_broken_kernel(kLesson, "wait", "    wait_group<kWait>();\n    __syncwarp();", "");
  CAPTURE(wait.output);
  CHECK(wait.status == 1);
}

TEST_CASE("lesson 05 notices when a promise is broken" * doctest::test_suite("compiled")) {
  const Ran ran =
      run_broken_kernel(kLesson, "promise", "if constexpr (kWait < 4) wait_group<kWait>();",
                        "if constexpr (kWait < 3) wait_group<kWait + 1>();");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "^ not what the manual promises"));
}

}  // namespace lesson_05
