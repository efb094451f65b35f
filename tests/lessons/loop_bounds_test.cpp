// SPDX-License-Identifier: MIT
// What an exercise may not do to the loop: run on for ever, print for ever, end the check. With the
// real command, on a copy of the lessons (loop_project.hpp).
#include <doctest/doctest.h>

#include <string>

#include "tests/lessons/loop_project.hpp"
#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

/// Exercise 01 as `source`, with a statement of the host before its kernel is launched.
void with_host_code(const Project& project, std::string source, const std::string& statement) {
  write(project.exercise(),
        source.insert(source.find("  load_a<<<1, 32>>>"), "  " + statement + "\n"));
}

}  // namespace

TEST_CASE("an exercise that never ends is stopped, and the loop goes on") {
  const Project project("loop_hang");
  const Answer parts = take_apart(read(project.exercise()));
  write(project.exercise(), parts.before + kEndless + parts.after);
  const Ran ran = run("LANESCOPE_CHECK_SECONDS=1 " + project.command("check 1"));
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "was stopped after 1 s: does a loop or a wait never end?"));
  CHECK(says(ran, "hint 1` helps"));
}

TEST_CASE("an exercise whose host code prints without an end is stopped early, in one line") {
  const Project project("loop_prints");
  project.solve();
  const std::string solved = read(project.exercise());
  for (const char* to : {"stdout", "stderr"}) {
    with_host_code(project, solved,
                   "for (;;) std::fputs(\"on and on\\n\", " + std::string(to) + ");");
    const Ran ran = project.lanescope("check 1");
    CAPTURE(to);
    CHECK(ran.status == 1);
    CHECK(ran.output.size() > 1 << 20);
    CHECK(ran.output.size() < (1 << 20) + 8192);
    CHECK(says(ran, "\nlanescope: "));
    CHECK(says(ran,
               " was stopped when it had printed 1024 KiB: does a loop that prints never end?\n"));
    CHECK(says(ran, "hint 1` helps"));
  }
}

TEST_CASE("a check that the exercise ends with a code of its own has failed, and was begun") {
  const Project project("loop_code");
  project.solve();
  with_host_code(project, read(project.exercise()), "std::exit(2);");
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "hint 1` helps"));
  project.solve("02_data_types");
  const Ran all = project.lanescope("check all");
  CAPTURE(all.output);
  CHECK(says(all, "\n1 of 2 exercises pass.\n"));
}

TEST_CASE("what host code printed before it hung is shown, in its order with what stderr has") {
  const Project project("loop_printed");
  project.solve();
  with_host_code(project, read(project.exercise()),
                 "std::puts(\"first\"), std::fputs(\"then\\n\", stderr), std::puts(\"at last\");\n"
                 "  for (volatile int more = 1; more != 0;) more = 1;");
  const Ran ran = run("LANESCOPE_CHECK_SECONDS=1 " + project.command("check 1"));
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "first\nthen\nat last\n"));
  CHECK(says(ran, "was stopped after 1 s"));
}

TEST_CASE("an answer that calls exit(0) does not pass") {
  const Project project("loop_exit");
  with_host_code(project, read(project.exercise()), "std::exit(0);");
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "exit() was called before the check was done"));
  CHECK(says(ran, "lesson 1 is not passed yet"));
  CHECK(project.progress().empty());
}
