// SPDX-License-Identifier: MIT
// What the documents point at is there: links, and the files, folders, variables and targets that
// they name. That their commands are understood is tests/cli's, that their listings are what
// programs print tests/lessons'.
#include <doctest/doctest.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/repo/files.hpp"

using namespace lanescope::repo;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> documents() {
  std::vector<std::string> found;
  for (const std::string& path : files())
    if (path.ends_with(".md")) found.push_back(path);
  return found;
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    found.push_back((*at)[1].str());
  return found;
}

// As GitHub makes anchors of headings: lower case, blanks to hyphens, the rest of the marks gone.
std::set<std::string> anchors(const std::string& text) {
  std::set<std::string> found;
  for (const std::string& line : lines(text)) {
    if (!line.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.substr(std::min(line.size(), line.find_first_not_of("# "))))
      if (c == ' ' || c == '-')
        anchor += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    found.insert(anchor);
  }
  return found;
}

}  // namespace

TEST_CASE("every link of a document leads somewhere") {
  const std::regex link(R"(\]\(([^)\s]+)\))");
  int checked = 0;
  for (const std::string& path : documents()) {
    for (const std::string& target : matches(read(path), link)) {
      if (target.starts_with("http")) continue;
      CAPTURE(path);
      CAPTURE(target);
      const std::string name = target.substr(0, target.find('#'));
      const fs::path file =
          name.empty() ? fs::path(path) : (fs::path(path).parent_path() / name).lexically_normal();
      const bool there = fs::exists(fs::path(LANESCOPE_SOURCE_DIR) / file);
      CHECK(there);
      if (there && name.size() < target.size())
        CHECK(anchors(read(file.string())).count(target.substr(name.size() + 1)) == 1);
      ++checked;
    }
  }
  CHECK(checked > 100);
}

// NN and NAME stand for others.
TEST_CASE("every file that a document names in code type is there") {
  const std::set<std::string> elsewhere{"cub/block/block_merge_sort.cuh",  // CUDA's
                                        "reduced.txt", "card.txt",         // what a hunt writes
                                        "progress.txt",                    // what a learner has
                                        "rung_N_name.cuh"};                // stands for others
  const std::vector<std::string> all = files();
  const std::regex code(R"(`([A-Za-z0-9_./*-]+\.(?:cpp|hpp|cu|cuh|md|txt|sh|py|inc|cmake))`)");
  int checked = 0;
  for (const std::string& path : documents()) {
    if (path == "CHANGELOG.md") continue;  // tells what was
    for (const std::string& name : matches(read(path), code)) {
      if (elsewhere.count(name) == 1 || name.find("NAME") != std::string::npos ||
          name.find("NN_") != std::string::npos)
        continue;
      const std::string below = "*/" + name;  // a document may leave out the folders before
      const bool there = std::any_of(all.begin(), all.end(), [&](const std::string& file) {
        return fnmatch(name.c_str(), file.c_str(), 0) == 0 ||
               fnmatch(below.c_str(), file.c_str(), 0) == 0;
      });
      CHECK_MESSAGE(there, path << " names " << name);
      ++checked;
    }
  }
  CHECK(checked > 100);
}

// Words in capitals stand for others.
TEST_CASE("every folder that a document names in code type is there") {
  std::set<std::string> folders;
  for (const std::string& path : files())
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
      folders.insert(path.substr(0, at));
  const std::regex code(R"(`((?:common|docs|lessons|tests|viz|cmake)(?:/[A-Za-z0-9_]+)+)/?`)");
  const std::regex stands_for_others(R"([A-Z]{2})");
  int checked = 0;
  for (const std::string& path : documents())
    for (const std::string& name : matches(read(path), code)) {
      if (std::regex_search(name, stands_for_others)) continue;
      CHECK_MESSAGE(folders.count(name) == 1, path << " names " << name);
      ++checked;
    }
  CHECK(checked > 30);
}

namespace {

/// LANESCOPE_ and capitals after it, the last of which is no underscore.
std::set<std::string> variables(const std::string& text) {
  static const std::string begins = "LANESCOPE_";
  std::set<std::string> names;
  for (std::size_t at = text.find(begins); at != std::string::npos; at = text.find(begins, at)) {
    const std::size_t end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at);
    std::string name = text.substr(at, end - at);
    at += name.size();
    name.erase(name.find_last_not_of('_') + 1);
    if (name.size() > begins.size()) names.insert(name);
  }
  return names;
}

}  // namespace

TEST_CASE("the environment's variables are those that the documents name") {
  std::set<std::string> written, in_code, of_runtime;
  for (const std::string& path : documents()) written.merge(variables(read(path)));
  for (const std::string& path : files()) {
    if (!path.ends_with(".cpp") && !path.ends_with(".hpp") && !path.ends_with(".cuh") &&
        !path.ends_with(".txt") && !path.ends_with(".cmake"))
      continue;
    const std::string text = read(path);
    in_code.merge(variables(text));
    if (path.starts_with("common/cudart/"))  // what a program's environment tells the runtime
      for (const std::string& name : matches(text, std::regex(R"x("(LANESCOPE_[A-Z_]+)")x")))
        of_runtime.insert(name);
  }
  for (const std::string& name : written) CHECK_MESSAGE(in_code.count(name) == 1, name);
  const std::string runtime = read("docs/runtime.md");
  for (const std::string& name : of_runtime)
    CHECK_MESSAGE(runtime.find("`" + name) != std::string::npos, name << ": not in runtime.md");
  CHECK(of_runtime.size() > 8);
}

TEST_CASE("every kind of report that the checker knows is explained") {
  const std::string page = read("docs/checker.md");
  const std::string wordings = read("common/emulator/check/finding.cpp");
  const std::regex first(R"re(\{"([a-z-]+)",)re");
  const std::vector<std::string> kinds = matches(wordings, first);
  CHECK(kinds.size() > 40);
  for (const std::string& kind : kinds)
    CHECK_MESSAGE(page.find(kind) != std::string::npos, kind << ": not in checker.md");
}
