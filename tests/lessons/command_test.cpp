// SPDX-License-Identifier: MIT
// lanescope lesson, check, start and progress, in a project folder of their own: the lessons are
// the real ones, but traces and progress are not the learner's.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/lessons/workshop.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace {

namespace fs = std::filesystem;

bool says(const Ran& ran, const std::string& text) {
  return ran.output.find(text) != std::string::npos;
}

fs::path progress_of(const fs::path& project) { return project / "progress.txt"; }

Ran lanescope_in(const fs::path& project, const std::string& arguments) {
  return run("LANESCOPE_PROJECT=" + shell_word(project) + " " +
             shell_word(fs::path(LANESCOPE_BUILD_DIR) / "bin" / "lanescope") + " " + arguments);
}

}  // namespace

TEST_CASE("lesson 1 on the emulator writes its trace and says how to look at it") {
  const fs::path project = scratch_project("command_lesson");
  const Ran ran = lanescope_in(project, "lesson 1 --device cpu --arch sm_89");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "32 of 32 lanes agree with the manual."));
  CHECK(says(ran, "view 1"));
  const fs::path trace = project / "traces" / "01_fragment_layout.cpu.lanes";
  CHECK(says(ran, "traces/01_fragment_layout.cpu.lanes"));  // from where one stands
  const trace::ReadResult result = trace::read_file(trace.string());
  REQUIRE(result.ok());
  CHECK(result.trace.header.arch == "sm_89");
}

TEST_CASE("start runs the next lesson and says three things to try") {
  const fs::path project = scratch_project("command_start");
  const Ran ran = lanescope_in(project, "start");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "Lesson 1: Fragment layout"));
  CHECK(says(ran, "Three things to try next:"));
  CHECK(says(ran, "view 1"));
  CHECK(says(ran, "01_fragment_layout/README.md"));
  CHECK(says(ran, "check 1"));
}

TEST_CASE("lessons that are not there are refused in one line") {
  const fs::path project = scratch() / "command_missing";  // the ladder alone, without lessons
  fs::create_directories(project / "lessons");
  for (const char* arguments : {"lesson 7", "lesson 99", "lesson -1", "check 7", "check 99"}) {
    const Ran ran = lanescope_in(project, arguments);
    CAPTURE(arguments);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.rfind("lanescope: ", 0) == 0);
    CHECK(ran.output.find('\n') == ran.output.size() - 1);
  }
  CHECK(says(lanescope_in(project, "lesson 7"), "still to come"));
}

TEST_CASE("a GPU that is not there is refused") {
  if (fs::exists("/dev/nvidia0")) return;
  const Ran ran = lanescope_in(scratch_project("command_gpu"), "lesson 1 --device gpu");
  CHECK(ran.status == 2);
  CHECK(says(ran, "lanescope: no GPU here"));
}

TEST_CASE("lanescope alone shows the ladder, what is passed and what is next") {
  const fs::path project = scratch_project("command_progress");
  const Ran fresh = lanescope_in(project, "");
  CHECK(fresh.status == 0);
  CHECK(says(fresh, "01 Fragment layout: who holds which element             next"));
  CHECK(says(fresh, "\n  13 "));
  write(progress_of(project), "01_fragment_layout\n");
  const Ran passed = lanescope_in(project, "");
  CHECK(passed.status == 0);
  CHECK(says(passed, "01 Fragment layout: who holds which element             passed"));
  CHECK(says(passed, "02 Data types: nine ways to write a number              next"));
}

TEST_CASE("a progress file that cannot be read is said, not overwritten") {
  const fs::path project = scratch_project("command_unreadable");
  fs::create_directories(progress_of(project));
  const Ran ran = lanescope_in(project, "");
  CHECK(ran.status == 2);
  CHECK(says(ran, "lanescope: cannot read "));
}

TEST_CASE("without a run of its own, view shows the trace that came with the lesson") {
  const Ran ran =
      lanescope_in(scratch_project("command_recorded"), "view 1 --text --select 'A 9,5'");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "0x6312 = 905"));
}
