// SPDX-License-Identifier: MIT
// lanescope lesson, check, start and progress, in a project folder of their own: the lessons are
// the real ones, but traces and progress are not the learner's.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>

#include "guide/course.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/workshop.hpp"
#include "tests/sample.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace {

namespace fs = std::filesystem;

constexpr const char *kFirst = "01_fragment_layout", *kSecond = "02_data_types";

fs::path progress_of(const fs::path& project) { return project / "progress.txt"; }

Ran lanescope_in(const fs::path& project, const std::string& arguments) {
  return run("LANESCOPE_PROJECT=" + shell_word(project) + " " + lanescope_command() + " " +
             arguments);
}

/// Every kernel that is shown multiplies, or loads what does.
bool about_tensor_cores(const fs::path& steps) {
  const trace::ReadResult read = trace::read_file(steps.string());
  REQUIRE(read.ok());
  for (const trace::Event& event : read.trace.events)
    if (const auto* step = std::get_if<trace::Step>(&event))
      for (const char* name : {"mma", "ldmatrix", "cp.async"})
        if (step->ptx.find(name) != std::string::npos) return true;
  return false;
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
  CHECK(says(ran, "traces/01_fragment_layout.cpu.lanes"));    // from where one stands
  CHECK(says(ran, "/lessons/01_fragment_layout/README.md"));  // in quotes where the way has blanks
  CHECK(says(ran, "The exercise: "));
  CHECK(says(ran, " watch 1\n"));
  const trace::ReadResult result = trace::read_file(trace.string());
  REQUIRE(result.ok());
  CHECK(result.trace.header.arch == "sm_89");
}

TEST_CASE("on the emulator every lesson brings the steps of a kernel, small and beside its trace") {
  const fs::path project = scratch_project("command_steps");
  // Lessons with copies under way, and what the pipeline's panel says of them.
  const std::map<int, std::string> stages{
      {5, ", 3 stages\n"}, {7, ", 4 stages\n"}, {12, ", 3 stages\n"}, {13, ", 4 stages\n"}};
  for (const guide::Lesson& one : guide::course(fs::path(LANESCOPE_SOURCE_DIR) / "lessons")) {
    if (one.number % tests::one_in(4) != 0) continue;
    CAPTURE(one.name);
    const std::string number = std::to_string(one.number);
    const Ran ran = lanescope_in(project, "lesson " + number + " --device cpu");
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "view " + number + " --panel steps"));
    const fs::path steps = project / "traces" / (one.name + ".cpu.steps.lanes.zst");
    REQUIRE(fs::exists(steps));
    CHECK(fs::file_size(steps) < 1'000'000);
    CHECK(lanescope_in(project, "view " + number + " --text --panel steps").status == 0);
    CHECK(about_tensor_cores(steps));
    if (const auto in_stages = stages.find(one.number); in_stages != stages.end())
      CHECK(says(lanescope_in(project, "view " + number + " --text --panel pipeline"),
                 in_stages->second));
    // The trace itself, that a card writes too, has none.
    const trace::ReadResult lanes =
        trace::read_file((project / "traces" / (one.name + ".cpu.lanes")).string());
    REQUIRE(lanes.ok());
    for (const trace::Event& event : lanes.trace.events)
      CHECK_FALSE(std::holds_alternative<trace::Step>(event));
  }
}

TEST_CASE("the steps of a lesson are the kernel's, not the recorder's, and know what RECORD saw") {
  const fs::path project = scratch_project("command_names");
  REQUIRE(lanescope_in(project, "lesson 1 --device cpu").status == 0);
  const Ran list = lanescope_in(project, "view 1 --text --panel steps");
  CAPTURE(list.output);
  CHECK(says(list, "warp 0, launch 1: 49 steps"));
  CHECK(says(list, "=D.r0"));
  const Ran mma = lanescope_in(project, "view 1 --text --panel steps --select 'next mma'");
  CAPTURE(mma.output);
  for (const char* name : {"(A.r0)", "(A.r3)", "(B.r1)", "(C.r2)", "(D.r3)"})
    CHECK_MESSAGE(says(mma, name), name);
}

TEST_CASE("a lesson's first line and its trace call the architecture the same") {
  const fs::path project = scratch_project("command_arch");
  for (const std::string arch : {"sm_80", "sm_90", "sm_90a"}) {
    const Ran ran = lanescope_in(project, "lesson 1 --device cpu --arch " + arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "Lanescope emulator, " + arch + "\n"));
    const Ran seen = lanescope_in(project, "view 1 --text");
    CHECK_MESSAGE(says(seen, "on Lanescope emulator, " + arch + " (emulator)\n"), seen.output);
  }
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

TEST_CASE("where no trace can be written a lesson says so once, and runs") {
  const fs::path project = scratch_project("command_no_trace");
  write(project / "traces", "a file\n");
  const Ran ran = lanescope_in(project, "lesson 1 --device cpu");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  const std::string words = "There will be no trace of this run: cannot write ";
  CHECK(ran.output.rfind(words, 0) == 0);
  CHECK(says(ran, "/traces/01_fragment_layout.cpu.lanes"));  // in quotes where the way has blanks
  CHECK(says(ran, ": Not a directory; what "));
  CHECK(says(ran, " view 1 shows is older.\n"));
  CHECK(says(ran, "32 of 32 lanes agree with the manual."));
  CHECK(ran.output.find("cannot write", words.size()) == std::string::npos);
  CHECK(!says(ran, "Trace: "));
  CHECK(says(lanescope_in(project, "start"), "There will be no trace of this run: "));
}

TEST_CASE("lessons that are not there are refused in one line") {
  const fs::path project = scratch() / "command_missing";
  fs::create_directories(project / "lessons");
  const auto refused = [&](const char* arguments, const char* why) {
    const Ran ran = lanescope_in(project, arguments);
    CAPTURE(arguments);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.rfind("lanescope: ", 0) == 0);
    CHECK(ran.output.find('\n') == ran.output.size() - 1);
    CHECK(says(ran, why));
  };
  for (const char* arguments :
       {"", "start", "lesson 7", "lesson", "check 7", "check all", "view 7"})
    refused(arguments, " has no lessons; LANESCOPE_PROJECT wants a checkout of Lanescope");
  refused("lesson -1", "-1");
  fs::create_directories(project / "lessons" / "02_data_types");  // all else of it is lost
  refused("lesson 7", "there is no lesson 7; ");
  refused("lesson 99", "there is no lesson 99; ");
  refused("check 7", "there is no exercise 7; ");
  refused("view 7", "there is no lesson 7; ");
  refused("hint 2", "there are no hints in ");
  CHECK(says(lanescope_in(project, "progress"), "\n  02 data types "));
}

TEST_CASE("what an architecture lacks is said in one line, with one that has it") {
  const fs::path project = scratch_project("command_lacks");
  const Ran ran = lanescope_in(project, "lesson 12 --device cpu --arch sm_80");
  CAPTURE(ran.output);
  CHECK(ran.status == 2);
  CHECK(
      says(ran, "lesson: TMA came with sm_90; this is sm_80; `./learn lesson 12 --arch sm_90a` "));
  CHECK(!says(ran, "--steps"));  // no kernel ran: nobody asks for its steps
  const Ran plain = lanescope_in(project, "lesson 9 --device cpu --arch sm_90");
  CAPTURE(plain.output);
  CHECK(plain.status == 2);
  CHECK(says(plain,
             "lesson: wgmma is an instruction of sm_90a alone; this is sm_90; `./learn lesson 9 "
             "--arch sm_90a` has it"));
  CHECK(!says(plain, "compute_90"));  // which has no wgmma
  const Ran hopper = lanescope_in(project, "lesson 17 --arch sm_90a");
  CAPTURE(hopper.output);
  CHECK(hopper.status == 2);
  CHECK(
      says(hopper,
           "lesson: tensor memory is sm_100a's, a Blackwell's; this is sm_90a; `./learn lesson 17 "
           "--arch sm_100a` has it\n"));
  // It has stmatrix, but lesson 3 brings no code for it: the PTX is sm_89's.
  const Ran without = lanescope_in(project, "lesson 3 --device cpu --arch sm_90");
  CAPTURE(without.output);
  CHECK(without.status == 0);
  CHECK(says(without, "stmatrix needs sm_90 or newer, and code for it: left out."));
  const Ran older = lanescope_in(project, "lesson 3 --device cpu --arch sm_75");
  CAPTURE(older.output);
  CHECK(older.status == 1);
  CHECK(says(older, "lanescope: no PTX for sm_75"));
  CHECK(!says(older, "lesson: "));  // said already
}

TEST_CASE("a project is never told of what another one's build compiles") {
  const fs::path project = scratch() / "command_other";
  fs::create_directories(project / "lessons");
  for (const char* lesson : {kFirst, kSecond})
    fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson, project / "lessons" / lesson);
  const auto refused = [&](const std::string& arguments, const std::string& file) {
    const Ran ran = lanescope_in(project, arguments);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.find('\n') == ran.output.rfind('\n'));
    CHECK(says(ran, "lanescope: "));
    CHECK(says(ran, "/command_other/lessons/" + file));
    CHECK(says(ran, " is not what the build in "));
    CHECK(says(ran, " compiles, that is lessons/" + file + ";"));
    CHECK(says(ran, "/command_other/learn"));  // in quotes where the path has a blank
    CHECK(says(ran, " build makes one that does\n"));
  };
  refused("check 1", kFirst + std::string("/exercise.cu"));
  refused("lesson 2 --device cpu", kSecond + std::string("/lesson.cu"));
  // A build of its own that was made elsewhere: copied along, or the project was moved.
  fs::create_directories(project / "build");
  fs::copy(tests::build_folder() / "CMakeCache.txt", project / "build");
  refused("check 2", kSecond + std::string("/exercise.cu"));
  CHECK(!fs::exists(progress_of(project)));
}

TEST_CASE("a lesson whose reader has seen enough ends without a word") {
  const fs::path project = scratch_project("command_pipe");
  // sh alone has no pipefail: the lesson's exit code goes to a file of its own.
  const fs::path code = project / "code";
  const Ran ran = lanescope_in(
      project, "lesson 1 --device cpu; echo $? >" + shell_word(code) + ") | (head -n 1");
  CHECK(ran.output == "Who holds what? We ask: Lanescope emulator, sm_90a\n");
  CHECK(read(code) == std::to_string(128 + SIGPIPE) + "\n");
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

TEST_CASE("a lesson that is not there has no trace to come") {
  const Ran ran = lanescope_in(scratch_project("command_no_lesson"), "view 99 --text");
  CHECK(ran.status == 2);
  CHECK(ran.output == "lanescope: there is no lesson 99; `lanescope progress` lists them\n");
}

TEST_CASE("without a run of its own, view shows the trace that came with the lesson") {
  const Ran ran =
      lanescope_in(scratch_project("command_recorded"), "view 1 --text --select 'A 9,5'");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "0x6312 = 905"));
}
