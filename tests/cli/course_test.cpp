// SPDX-License-Identifier: MIT
// How lessons are called, what is said where there are none, and what is said meanwhile.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/course_folder.hpp"

using namespace lanescope;
using namespace lanescope::test;

// In a project that has lost all but the lessons' pages: each command says which it would take.
TEST_CASE("a lesson is called by its number, its name, or a part of it") {
  const Folder folder;
  put_lessons(folder);
  Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  folder.put("build/CMakeCache.txt", "");  // built, and there was no nvcc
  setting.environment["LANESCOPE_BUILD"] = folder / "build";
  for (const char* word : {"4", "04", "04_banks_and_swizzle", "swizzle", "Swizzle", "banks-and"}) {
    CAPTURE(std::string(word));
    for (const char* command : {"lesson", "check", "watch"})
      CHECK(has(run_lanescope({command, word}, setting).err, "lesson 4 needs the CUDA toolkit"));
    CHECK(has(run_lanescope({"hint", word}, setting).err, "/04_banks_and_swizzle/hints.md"));
    CHECK(has(run_lanescope({"solution", word}, setting).err, " hint 4"));
    CHECK(has(run_lanescope({"reset", word}, setting).err, "/04_banks_and_swizzle/solution.cu"));
    CHECK(has(run_lanescope({"view", "--text", word}, setting).err, "no trace of lesson 4 in "));
    CHECK(has(run_lanescope({"diff", word, "1"}, setting).err, "no trace of lesson 4 in "));
    CHECK(has(run_lanescope({"diagnose", word}, setting).err, "exercise 4 has left no trace"));
    CHECK(has(run_lanescope({"quiz", word, "--seed", "1", "--answers", ""}).out,
              "5 questions about lesson 4,"));
  }
  CHECK(
      has(run_lanescope({"lesson", "09_wgmma"}, setting).err, "lesson 9 needs"));  // the whole name
  folder.put("traces/04_banks_and_swizzle.cpu.lanes", trace_of(false, true));
  CHECK(run_lanescope({"diff", "swizzle", "banks"}, setting).code == 0);
  CHECK(run_lanescope({"view", "--text", "swizzle"}, setting).code == 0);
  folder.put("traces/check/04_banks_and_swizzle.lanes", trace_of(true, true));
  CHECK(has(run_lanescope({"diagnose", "swizzle"}, setting).out, "registers"));
}

// An installed command whose checkout was moved.
TEST_CASE("without a checkout each command of the course says so, and what to do") {
  const Folder folder;
  const Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  const auto refused = [&](const std::vector<std::string>& words) {
    const Outcome outcome = run_lanescope(words, setting);
    CAPTURE(words.empty() ? "" : words[0]);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err == "lanescope: '" + folder.path() +
                             "' has no lessons; LANESCOPE_PROJECT wants a checkout of Lanescope\n");
  };
  refused({});
  for (const char* command : {"lesson", "check", "watch", "hint", "solution", "reset"})
    refused({command, "4"});
  for (const char* command : {"start", "progress"}) refused({command});
  refused({"check", "all"});
  refused({"view", "--text"});
  for (const char* command : {"view", "diagnose"}) refused({command, "4"});
  // Nobody knows the lessons' names then, and no file is called so.
  const std::string gone = "'" + folder.path() + "' has no lessons; LANESCOPE_PROJECT wants a ";
  for (const char* command : {"lesson", "check", "watch", "hint", "solution", "reset", "quiz"})
    CHECK(has(run_lanescope({command, "swizzle"}, setting).err,
              "'swizzle' is no lesson's number, and " + gone));
  for (const char* command : {"view", "diagnose"})
    CHECK(has(run_lanescope({command, "swizzle"}, setting).err,
              "lanescope: swizzle is no file, and " + gone));
  CHECK(
      has(run_lanescope({"view", "x.lanes"}, setting).err, "x.lanes is neither a trace file nor"));
  // What needs no checkout is answered.
  CHECK(run_lanescope({"quiz", "4", "--seed", "1", "--answers", ""}).code == 0);
  CHECK(run_lanescope({"layout", "--list", "m16n8k16"}, setting).code == 0);
}

TEST_CASE("a checkout that nobody has built is told to, not that it has no nvcc") {
  const Folder folder;
  folder.put("lessons/01_layout/exercise.cu", "");
  Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  setting.environment["LANESCOPE_BUILD"] = folder / "build";
  for (const char* command : {"lesson", "check", "watch"}) {
    const Outcome outcome = run_lanescope({command, "1"}, setting);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.err == "lanescope: nothing is built in '" + folder.path() + "/build'; '" +
                             folder.path() + "/learn' build does it\n");
  }
}

TEST_CASE("a part of several names, or of none, is refused with those it may be") {
  const Folder folder;
  put_lessons(folder);
  const Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  for (const char* command :
       {"lesson", "check", "watch", "hint", "solution", "reset", "quiz", "view", "diagnose"}) {
    CAPTURE(std::string(command));
    const auto refused = [&](const char* word, const char* why) {
      const Outcome outcome = run_lanescope({command, word}, setting);
      CAPTURE(outcome.err);
      CHECK(outcome.code == 2);
      CHECK(outcome.out == "");
      CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
      CHECK(has(outcome.err, why));
    };
    refused("wgmma", "'wgmma' may be 09_wgmma or 11_wgmma_types");
    refused("hgemm", "'hgemm' may be 06_naive_hgemm, 07_fast_hgemm or 13_hopper_hgemm");
    refused("a", "'a' is a part of 17 lessons' names; write more of it, or a number");
    refused("swizle", "; did you mean 04_banks_and_swizzle?\n");
    refused("hgmem", "did you mean 06_naive_hgemm, 07_fast_hgemm or 13_hopper_hgemm?\n");
    refused("banks_and_swizle", "did you mean 04_banks_and_swizzle?\n");
  }
}

TEST_CASE("what is neither a file nor a lesson is answered with what to do, whoever is asked") {
  const auto refused = [](const std::vector<std::string>& words, const char* what) {
    const Outcome outcome = run_lanescope(words);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    CHECK(has(outcome.err, "xyzzy is neither a trace file nor "));
    CHECK(has(outcome.err, what));
  };
  refused({"view", "--text", "xyzzy"}, "`lanescope view 1` shows it");
  refused({"view", "--text", "1", "xyzzy"}, "`lanescope view 1` shows it");
  refused({"diff", "xyzzy", "1"}, "`lanescope view 1` shows it");
  refused({"diff", "1", "xyzzy"}, "`lanescope view 1` shows it");
  refused({"diagnose", "xyzzy"}, "`lanescope run --steps all --trace t.lanes PROGRAM`");
  // What the system does not say is missing is opened, and the reason told.
  const std::string too_long(300, 'x');
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"view", "--text", too_long},
        {"diff", too_long, "1"},
        {"diagnose", too_long}})
    CHECK(has(run_lanescope(words).err, "cannot be opened: File name too long"));
}

TEST_CASE("numbers are lessons to diff") {
  const Folder folder;
  const Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  folder.put("traces/03_ldmatrix.cpu.lanes", trace_of(false, true));
  folder.put("traces/04_banks.cpu.lanes", trace_of(true, true));
  CHECK(run_lanescope({"diff", "3", "3"}, setting).code == 0);
  CHECK(run_lanescope({"diff", "3", "4"}, setting).code == 1);
  CHECK(run_lanescope({"diff", "3", "5"}, setting).code == 2);
}

TEST_CASE("the list of lessons fits a narrow terminal") {
  const Folder folder;
  put_lessons(folder);
  Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", true};
  folder.put("progress.txt", "01_fragment_layout\n");
  const auto longest = [&](int columns) {
    setting.columns = columns;
    std::istringstream lines(run_lanescope({"progress"}, setting).out);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("  ", 0) == 0) most = std::max(most, line.find_last_not_of(" \r") + 1);
    return most;
  };
  CHECK(longest(40) <= 40);
  CHECK(longest(64) <= 64);
  CHECK(longest(80) > 60);
  setting.columns = 40;
  CHECK(has(run_lanescope({"progress"}, setting).out, "  06 A whole HGEMM"));
}

TEST_CASE("while it compiles, a terminal is told so, and the line is taken back") {
  const Folder folder;
  for (const char* name : {"README.md", "lesson.cu", "exercise.cu", "solution.cu", "check.cpp"})
    folder.put(std::string("lessons/01_layout/") + name, "# Lesson 01: layout\n");
  folder.put("build/CMakeCache.txt", "LANESCOPE_HAS_CUDA:INTERNAL=ON\n");
  folder.put("tools/cmake", "#!/bin/sh\necho 'exercise.cu(3): error: no'\nexit 1\n");
  std::filesystem::permissions(folder / "tools/cmake", std::filesystem::perms::owner_all);
  Setting setting;
  setting.environment = {{"LANESCOPE_PROJECT", folder.path()},
                         {"LANESCOPE_BUILD", folder / "build"},
                         {"PATH", folder / "tools" + ":/usr/bin:/bin"}};
  for (const char* command : {"check", "lesson"}) {
    CAPTURE(command);
    setting.terminal = false;
    const Outcome piped = run_lanescope({command, "1"}, setting);
    CAPTURE(piped.err);
    CHECK(piped.code == 1);
    CHECK(has(piped.err, "does not compile"));
    CHECK_FALSE(has(piped.out + piped.err, "Compiling"));
    setting.terminal = true;
    setting.columns = 300;
    const Outcome seen = run_lanescope({command, "1"}, setting);
    CAPTURE(seen.out);
    const std::size_t said = seen.out.find("Compiling ");
    REQUIRE(said != std::string::npos);
    const std::size_t end = seen.out.find(" ...\r", said);
    REQUIRE(end != std::string::npos);
    const std::string blanks(end + 4 - said, ' ');
    CHECK(seen.out.substr(end + 5, blanks.size() + 1) == blanks + "\r");
    setting.columns = 45;  // a line that is broken could not be taken back
    const Outcome narrow = run_lanescope({command, "1"}, setting);
    CHECK(narrow.out.find('\r') == 44);
  }
}
