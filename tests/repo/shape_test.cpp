// SPDX-License-Identifier: MIT
// The shape of the house: what lies at the top, what a lesson consists of, how a source file begins
// and is formatted.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/repo/files.hpp"

using namespace lanescope::repo;
namespace fs = std::filesystem;

TEST_CASE("nothing lies at the top but what the design names") {
  const std::set<std::string> allowed{"lessons",
                                      "viz",
                                      "common",
                                      "tests",
                                      "docs",
                                      "cmake",
                                      ".ci",
                                      "CMakeLists.txt",
                                      "CMakePresets.json",
                                      "README.md",
                                      "learn",
                                      ".clang-format",
                                      ".gitignore",
                                      "LICENSE",
                                      "CHANGELOG.md",
                                      "CONTRIBUTING.md"};
  std::set<std::string> found;
  for (const std::string& path : files()) found.insert(path.substr(0, path.find('/')));
  for (const std::string& name : found) CHECK_MESSAGE(allowed.count(name) == 1, name);
  for (const std::string& name : allowed) CHECK_MESSAGE(found.count(name) == 1, name);
}

TEST_CASE("every lesson has the same parts") {
  const std::regex name(R"(lessons/(\d\d_[a-z0-9_]+)/.*)");
  std::set<std::string> lessons;
  for (const std::string& path : files()) {
    std::smatch match;
    if (std::regex_match(path, match, name)) lessons.insert(match[1]);
  }
  REQUIRE(!lessons.empty());
  int number = 0;
  for (const std::string& lesson : lessons) {
    CAPTURE(lesson);
    ++number;
    CHECK(std::stoi(lesson.substr(0, 2)) == number);  // numbered without gaps
    for (const char* part : {"README.md", "lesson.cu", "exercise.cu", "solution.cu", "check.cpp",
                             "hints.md", "recorded.lanes"})
      CHECK_MESSAGE(fs::exists(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson / part), part);
    const std::string text = read("lessons/" + lesson + "/README.md");
    std::size_t at = 0;
    for (const char* heading : {"\n## Idea", "\n## Run", "\n## See", "\n## Try", "\n## Sources"}) {
      const std::size_t found = text.find(heading, at);
      CHECK_MESSAGE(found != std::string::npos, "missing or out of order: " << heading + 1);
      if (found != std::string::npos) at = found;
    }
  }
}

// file(GLOB ... CONFIGURE_DEPENDS) has ninja look at every build: ./learn would never be silent. A
// folder in CMAKE_CONFIGURE_DEPENDS does as well.
TEST_CASE("a build with nothing to do says nothing") {
  for (const std::string& path : files()) {
    if (!path.ends_with("CMakeLists.txt") && !path.ends_with(".cmake")) continue;
    for (const std::string& line : lines(read(path)))
      if (line.find("GLOB") != std::string::npos)
        CHECK_MESSAGE(line.find(" CONFIGURE_DEPENDS") == std::string::npos, path << ": " << line);
  }
}

TEST_CASE("every source file says its licence and what it is") {
  for (const std::string& path : files()) {
    const bool cpp = path.ends_with(".cpp") || path.ends_with(".hpp") || path.ends_with(".cu") ||
                     path.ends_with(".cuh");
    if (!cpp) continue;
    CHECK_MESSAGE(read(path).starts_with("// SPDX-License-Identifier: MIT\n"), path);
  }
}

TEST_CASE("sources are formatted") {
  int status = 0;
  output_of("clang-format --version", &status);
  REQUIRE_MESSAGE(status == 0, "clang-format is not installed; ./learn installs it");
  std::string list;
  for (const std::string& path : files())
    if (path.ends_with(".cpp") || path.ends_with(".hpp") || path.ends_with(".cu") ||
        path.ends_with(".cuh"))
      list += " '" + path + "'";
  const std::string complaints =
      output_of("clang-format --dry-run -Werror" + list + " 2>&1 | grep -E 'error:' | head -20");
  CHECK_MESSAGE(complaints.empty(), complaints);
}

TEST_CASE("no file speaks of a machine it was written on") {
  // Written in two halves, so that this file does not find itself.
  const std::regex home(std::string("/(home|root|Us") + "ers)/[a-z]|/wo" + "rk/");
  for (const std::string& path : files()) {
    if (path.ends_with(".png") || path.ends_with(".zst")) continue;
    int number = 0;
    for (const std::string& line : lines(read(path))) {
      ++number;
      CHECK_MESSAGE(!std::regex_search(line, home), path << ":" << number << ": " << line);
    }
  }
}
