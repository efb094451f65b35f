// SPDX-License-Identifier: MIT
// The lessons before Hopper under the checker: no race, no missing wait, but for the ones that
// lesson 05 makes on purpose, and those are found.
#include <doctest/doctest.h>

#include <string>

#include "guide/course.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/planted.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace {

namespace fs = std::filesystem;

Ran checked(const std::string& lesson, const std::string& arguments = "") {
  const fs::path build = tests::build_folder();
  return run(shell_word(build / "bin" / "lanescope") + " run --check -- " +
             shell_word(build / "lessons" / lesson / lesson) + " " + arguments);
}

}  // namespace

TEST_CASE("the checker has nothing to report of the lessons before Hopper" *
          doctest::test_suite("twice")) {
  int lessons = 0;
  for (const guide::Lesson& lesson : guide::course(fs::path(LANESCOPE_SOURCE_DIR) / "lessons")) {
    if (lesson.number >= 7) continue;  // 07 has tests of its own
    const Ran ran = checked(lesson.name, lesson.number == 5 ? "--correct" : "");
    CAPTURE(lesson.name);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "checked, nothing to report"));
    ++lessons;
  }
  CHECK(lessons == 6);
  CHECK(says(checked("08_sass"), "checked, nothing to report"));
}

TEST_CASE("the checker finds the waits that lesson 05 leaves out, and their copies") {
  const Ran ran = checked("05_cp_async");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "missing-cp-async-wait"));
  CHECK(says(ran, "05_cp_async/lesson.cu:"));
  CHECK(says(ran, "wait for it with cp.async.wait_group"));
}
