// SPDX-License-Identifier: MIT
// What every lesson says is true: the listings of its README are what the programs print, its trace
// is what it records now, its hints are there.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "guide/course.hpp"
#include "guide/ending.hpp"
#include "guide/hints.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/workshop.hpp"
#include "tests/listings.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace {

namespace fs = std::filesystem;

/// The lessons, by their folders.
std::vector<std::string> lessons() {
  std::vector<std::string> names;
  for (const guide::Lesson& lesson : guide::course(fs::path(LANESCOPE_SOURCE_DIR) / "lessons"))
    names.push_back(lesson.name);
  REQUIRE(!names.empty());
  return names;
}

fs::path folder(const std::string& lesson) {
  return fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson;
}
fs::path program(const std::string& lesson) {
  return tests::build_folder() / "lessons" / lesson / lesson;
}

/// `$ ./learn WORDS` of a README as the test runs it: in a project of its own, never on a GPU.
Ran run_listing(std::string words, const fs::path& project) {
  const std::string built = "build/";
  const std::size_t at = words.find(" " + built);
  if (at != std::string::npos) {
    const std::size_t begin = at + 1, end = std::min(words.find(' ', begin), words.size());
    const std::string program = words.substr(begin + built.size(), end - begin - built.size());
    words.replace(begin, end - begin, shell_word(tests::build_folder() / program));
  }
  if (words.rfind("lesson ", 0) == 0 && words.find("--device") == std::string::npos)
    words += " --device cpu";
  return run("LANESCOPE_PROJECT=" + shell_word(project) + " " + lanescope_command() + " " + words);
}

int check_listings(const std::string& lesson) {
  const fs::path project = scratch_project("listings_" + lesson);
  return tests::check_listings(read(folder(lesson) / "README.md"), "$ ./learn ",
                               [&project](const std::string& command) {
                                 const Ran ran = run_listing(command, project);
                                 CHECK_MESSAGE(ran.status == 0, ran.output);
                                 return ran.output;
                               });
}

/// A trace without its first line, and without the addresses of global memory, which are others in
/// every run.
std::string comparable(std::string trace) {
  const std::string global = R"("space":"global")", address = R"("address":")";
  trace.erase(0, trace.find('\n'));
  for (std::size_t at = 0; (at = trace.find(global, at)) != std::string::npos;) {
    at = trace.find(address, at) + address.size();
    trace.erase(at, trace.find('"', at) - at);
  }
  return trace;
}

}  // namespace

TEST_CASE("the listings of every lesson's README are what the programs print" *
          doctest::test_suite("twice")) {
  for (const std::string& lesson : lessons()) {
    CAPTURE(lesson);
    CHECK(check_listings(lesson) > 0);
  }
}

TEST_CASE("a lesson records the trace it is shipped with, and its lines fit 100 columns") {
  for (const std::string& lesson : lessons()) {
    CAPTURE(lesson);
    const std::string shipped_trace = read(folder(lesson) / "recorded.lanes");
    const fs::path path = scratch() / (lesson + ".now.lanes");
    const Ran ran = run_on_emulator(shell_word(program(lesson)) + " --trace " + shell_word(path),
                                    arch_for(lesson));
    REQUIRE(ran.status == 0);
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 100, line);
    const bool same = comparable(shipped_trace) == comparable(read(path));
    CHECK_MESSAGE(same, "lesson.cu has changed? then: ./learn run -- build/lessons/"
                            << lesson << "/" << lesson << " --trace lessons/" << lesson
                            << "/recorded.lanes");
    CHECK(trace::read_bytes(shipped_trace).ok());
  }
}

// Values are left out: addresses are others in every run.
std::vector<std::string> steps_in(const fs::path& path) {
  const trace::ReadResult read = trace::read_file(path.string());
  REQUIRE_MESSAGE(read.ok(), path.string());
  std::vector<std::string> steps;
  for (const trace::Event& event : read.trace.events)
    if (const auto* step = std::get_if<trace::Step>(&event)) {
      const std::string file = fs::path(step->source.file).filename().string();
      std::string text = std::to_string(step->place.launch) + " " +
                         std::to_string(step->place.warp) + " " + std::to_string(step->step) + " " +
                         file + ":" + std::to_string(step->source.line) + " " + step->ptx;
      for (const trace::Write& write : step->writes) text += " " + write.name + "=" + write.watch;
      steps.push_back(std::move(text));
    }
  return steps;
}

TEST_CASE("the steps shipped with a lesson are those of its kernels now") {
  int shipped_steps = 0;
  for (const std::string& lesson : lessons()) {
    CAPTURE(lesson);
    const fs::path shipped = folder(lesson) / "recorded.steps.lanes.zst";
    if (!fs::exists(shipped)) continue;
    ++shipped_steps;
    CHECK(fs::file_size(shipped) < 100'000);
    const std::string words = guide::steps_of(read(folder(lesson) / "lesson.cu"));
    REQUIRE(!words.empty());
    const fs::path now = scratch() / (lesson + ".now_steps.lanes");
    REQUIRE(run(lanescope_command() + " run --steps " + words + " --trace " + shell_word(now) +
                " -- " + shell_word(program(lesson)))
                .status == 0);
    const std::vector<std::string> old = steps_in(shipped);
    CHECK(old.size() > 40);
    const bool same = old == steps_in(now);
    CHECK_MESSAGE(same, "lesson.cu has changed? then: lessons/record.sh " << lesson);
    // Bit by bit: addresses are passed over, as both files say where memory lay.
    CHECK(
        run(lanescope_command() + " diff " + shell_word(shipped) + " " + shell_word(now)).status ==
        0);
  }
  CHECK(shipped_steps == 16);
}

TEST_CASE("every lesson has hints, at least three, none empty") {
  for (const std::string& lesson : lessons()) {
    CAPTURE(lesson);
    const std::vector<std::string> hints = guide::hints_of(read(folder(lesson) / "hints.md"));
    CHECK(hints.size() >= 3);
    for (const std::string& hint : hints) CHECK(hint.size() >= 40);
  }
}
