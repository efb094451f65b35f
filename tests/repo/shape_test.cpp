// SPDX-License-Identifier: MIT
// The shape of the house: what lies at the top, what a lesson consists of, how a source file begins
// and is formatted.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

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
  const std::string front_page = read("README.md");
  int number = 0;
  for (const std::string& lesson : lessons) {
    CAPTURE(lesson);
    ++number;
    const std::string digits = lesson.substr(0, 2);
    CHECK(std::stoi(digits) == number);  // numbered without gaps
    const std::string row = digits + " " + lesson.substr(3) + "](lessons/" + lesson + "/README.md)";
    CHECK_MESSAGE(front_page.find("\n| [" + row + " | ") != std::string::npos,
                  "no row in README.md's table: [" << row);
    const std::string folder = "lessons/" + lesson + "/", tests = "tests/lessons/";
    for (const std::string& part :
         {folder + "README.md", folder + "lesson.cu", folder + "exercise.cu",
          folder + "solution.cu", folder + "check.cpp", folder + "hints.md",
          folder + "recorded.lanes", tests + "lesson_" + digits + "_test.cpp",
          tests + "exercise_" + digits + "_test.cpp"})
      CHECK_MESSAGE(fs::exists(fs::path(LANESCOPE_SOURCE_DIR) / part), "missing: " << part);
    const std::string text = read(folder + "README.md");
    std::size_t at = 0;
    for (const char* heading : {"\n## Idea", "\n## Run", "\n## See", "\n## Try", "\n## Sources"}) {
      const std::size_t found = text.find(heading, at);
      CHECK_MESSAGE(found != std::string::npos, "missing or out of order: " << heading + 1);
      if (found != std::string::npos) at = found;
    }
  }
}

namespace {

std::vector<std::string> lesson_folders() {
  std::vector<std::string> folders;
  for (const std::string& path : files())
    if (path.starts_with("lessons/") && path.ends_with("/lesson.cu"))
      folders.push_back(path.substr(0, path.rfind('/')));
  REQUIRE(folders.size() >= 22);
  return folders;
}

/// The text between two headings of a lesson's page.
std::string part_of(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from), end = text.find(to, begin);
  REQUIRE_MESSAGE(begin != std::string::npos, from);
  REQUIRE_MESSAGE(end != std::string::npos, to);
  return text.substr(begin, end - begin);
}

}  // namespace

TEST_CASE("a lesson's page opens with what it is good for and the three commands") {
  for (const std::string& lesson : lesson_folders()) {
    CAPTURE(lesson);
    const std::string number = std::to_string(std::stoi(lesson.substr(8, 2)));
    const std::string opening = part_of(read(lesson + "/README.md"), "# ", "\n## Idea");
    CHECK(opening.find("\n\nAfter this lesson you can ") != std::string::npos);
    for (const char* command : {"lesson ", "view ", "watch "})
      CHECK_MESSAGE(opening.find("\n./learn " + (command + number) + " ") != std::string::npos,
                    command);
  }
}

TEST_CASE("a lesson's page names its words' glossary and ends with what comes next") {
  const std::vector<std::string> folders = lesson_folders();
  for (std::size_t i = 0; i < folders.size(); ++i) {
    CAPTURE(folders[i]);
    const std::string text = read(folders[i] + "/README.md");
    const std::string sources = part_of(text, "\n## Sources", "\n\n**Next:** ");
    CHECK(sources.find("The words:") != std::string::npos);
    CHECK(sources.find("[glossary](../../docs/glossary.md)") != std::string::npos);
    const std::string last = lines(text).back();
    CHECK(last.starts_with("**Next:** "));
    if (i + 1 == folders.size()) continue;
    const std::string next = folders[i + 1].substr(std::string("lessons/").size());
    CHECK(last.starts_with("**Next:** [lesson " + next.substr(0, 2) + "](../" + next +
                           "/README.md): "));
  }
}

// What is not the idea (tables, comparisons, data to test with) has a header of its own beside it.
TEST_CASE("a lesson can be read from top to bottom") {
  for (const std::string& lesson : lesson_folders()) {
    CAPTURE(lesson);
    CHECK(lines(read(lesson + "/lesson.cu")).size() <= 210);
    CHECK(lines(read(lesson + "/README.md")).size() <= 126);
    for (const std::string& line : lines(read(lesson + "/README.md")))
      if (!line.starts_with("|")) CHECK_MESSAGE(line.size() <= 120, line);
  }
}

// In an Idea bold is a term that the glossary has, or, with its period or colon, a heading.
TEST_CASE("the terms of every lesson's idea are in the glossary") {
  std::set<std::string> terms;
  const auto add = [&](std::string term) {
    std::erase(term, '`');
    for (char& letter : term) letter = static_cast<char>(std::tolower(letter));
    terms.insert(term);
    terms.insert(term + "s");
  };
  const std::regex row(R"(\| ([^|]*[^| ]) *\|.*)"), word(R"([^,]+)");
  for (const std::string& line : lines(read("docs/glossary.md"))) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::string names = match[1];
    for (std::sregex_iterator name(names.begin(), names.end(), word), end; name != end; ++name)
      add(name->str().substr(name->str().find_first_not_of(' ')));
  }
  REQUIRE(terms.size() > 100);
  int checked = 0;
  const std::regex bold(R"(\*\*([^*]+)\*\*)");
  for (const std::string& lesson : lesson_folders()) {
    CAPTURE(lesson);
    std::string idea = part_of(read(lesson + "/README.md"), "\n## Idea", "\n## Run");
    std::replace(idea.begin(), idea.end(), '\n', ' ');
    for (std::sregex_iterator found(idea.begin(), idea.end(), bold), end; found != end; ++found) {
      std::string term = (*found)[1];
      if (term.ends_with('.') || term.ends_with(':')) continue;
      std::erase(term, '`');
      for (char& letter : term) letter = static_cast<char>(std::tolower(letter));
      CHECK_MESSAGE(terms.count(term) == 1, "not in docs/glossary.md: " << term);
      ++checked;
    }
  }
  CHECK(checked > 40);
}

TEST_CASE("every picture is shown somewhere, is there, and can be taken anew") {
  const std::string script = read("docs/images/make.sh");
  std::set<std::string> there, shown;
  const std::regex picture(R"(!\[[^(]*\]\(([^)]*)\))");
  for (const std::string& path : files()) {
    if (path.starts_with("docs/images/") && path.ends_with(".png")) {
      there.insert(path);
      const std::string name = path.substr(12, path.size() - 12 - 4);
      CHECK_MESSAGE(script.find("\npicture " + name + " ") != std::string::npos, path);
    }
    if (!path.ends_with(".md")) continue;
    const std::string text = read(path);
    for (std::sregex_iterator at(text.begin(), text.end(), picture), end; at != end; ++at) {
      const fs::path file = (fs::path(path).parent_path() / (*at)[1].str()).lexically_normal();
      CHECK_MESSAGE(fs::exists(fs::path(LANESCOPE_SOURCE_DIR) / file), path << ": " << file);
      shown.insert(file.string());
    }
  }
  CHECK(there.size() >= 6);
  for (const std::string& path : there) CHECK_MESSAGE(shown.count(path) == 1, path);
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

// But an exercise is its reader's; outside of the gap it is solution.cu (tests/lessons).
TEST_CASE("sources are formatted") {
  int status = 0;
  const std::string version = output_of("clang-format --version", &status);
  REQUIRE_MESSAGE(status == 0, "clang-format is not installed; ./learn installs it");
  if (version.find("version 14.") == std::string::npos) {
    MESSAGE("not asked of " << version
                            << ": each formats otherwise, and Debian 12's is this project's");
    return;
  }
  std::string list;
  for (const std::string& path : files())
    if ((path.ends_with(".cpp") || path.ends_with(".hpp") || path.ends_with(".cu") ||
         path.ends_with(".cuh")) &&
        !path.ends_with("/exercise.cu"))
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
    const std::string text = read(path);
    if (!has_any(text, {"/home", "/root", "/Users", "/work"})) continue;
    int number = 0;
    for (const std::string& line : lines(text)) {
      ++number;
      CHECK_MESSAGE(!std::regex_search(line, home), path << ":" << number << ": " << line);
    }
  }
}
