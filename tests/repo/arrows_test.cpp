// SPDX-License-Identifier: MIT
// The only arrows allowed between the rooms, as a test: every #include "..." of a room must lead to
// a room that it may see. The table is the one in docs/architecture.md, written a second time.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/repo/files.hpp"

using namespace lanescope::repo;

namespace {

using Rooms = std::set<std::string>;

// Room -> the rooms it may include besides itself.
const std::map<std::string, Rooms> kMaySee{
    {"common/numeric", {}},
    {"common/layout", {}},
    {"common/trace", {"common/numeric", "common/layout"}},
    {"common/device", {}},
    {"common/emulator", {"common/numeric", "common/layout", "common/trace"}},
    {"common/cudart", {"common/emulator", "common/trace", "common/numeric"}},
    {"common/launcher", {"common/numeric"}},
    {"lessons/guide", {"common/trace", "common/layout"}},
    {"lessons", {"common/device", "common/layout"}},
    {"viz/panels", {"common/numeric", "common/layout", "common/trace"}},
    {"viz/app", {"common/numeric", "common/layout", "common/trace", "viz/panels"}},
    {"viz/web",
     {"common/numeric", "common/layout", "common/trace", "lessons/guide", "viz/panels", "viz/app"}},
    {"viz/cli",
     {"common/numeric", "common/layout", "common/trace", "common/cudart", "common/launcher",
      "lessons/guide", "viz/panels", "viz/app"}},
};

// The room a file lies in: the longest room name that begins its path.
std::string room_of(const std::string& path) {
  std::string best;
  for (const auto& entry : kMaySee)
    if (path.rfind(entry.first + "/", 0) == 0 && entry.first.size() > best.size())
      best = entry.first;
  return best;
}

// The room that an include names: the include paths of the build are common/, lessons/, viz/ and
// common/device/, and a file's own folder.
std::string room_included(const std::string& from, const std::string& include,
                          const Rooms& all_files) {
  const std::string folder = from.substr(0, from.rfind('/') + 1);
  for (const std::string& base :
       {folder, std::string("common/"), std::string("lessons/"), std::string("viz/"),
        std::string("common/device/"), std::string("")})
    if (all_files.count(base + include) != 0) return room_of(base + include);
  return {};
}

bool is_source(const std::string& path) {
  static const std::regex source(R"(.*\.(cpp|hpp|h|cu|cuh))");
  return std::regex_match(path, source);
}

}  // namespace

TEST_CASE("every include follows an arrow of the design") {
  const std::vector<std::string> list = files();
  const Rooms all_files(list.begin(), list.end());
  const std::regex include(R"re(^\s*#\s*include\s+"([^"]+)")re");
  int checked = 0;
  for (const std::string& path : list) {
    const std::string room = room_of(path);
    if (room.empty() || !is_source(path)) continue;
    int number = 0;
    for (const std::string& line : lines(read(path))) {
      ++number;
      std::smatch match;
      if (!has_any(line, {"include"}) || !std::regex_search(line, match, include)) continue;
      const std::string target = room_included(path, match[1], all_files);
      if (target.empty() || target == room) continue;
      ++checked;
      CHECK_MESSAGE(kMaySee.at(room).count(target) == 1,
                    path << ":" << number << ": " << room << " may not include " << target);
    }
  }
  // The rooms do see each other: a test that found nothing to check would prove nothing.
  CHECK(checked > 5);
}

TEST_CASE("only lessons, kernels' headers and the programs of the tests are CUDA sources") {
  for (const std::string& path : files()) {
    if (path.ends_with(".cuh"))
      CHECK_MESSAGE((path.starts_with("common/device/") || path.starts_with("lessons/") ||
                     path.starts_with("tests/")),
                    path);
    if (path.ends_with(".cu"))
      CHECK_MESSAGE((path.starts_with("lessons/") || path.starts_with("tests/")), path);
  }
}

TEST_CASE("the emulator does no input or output and starts no process") {
  const std::regex forbidden(
      R"(#\s*include\s*<(fstream|iostream|filesystem|fcntl\.h|unistd\.h)>|std::(cout|cerr|getenv)|\bf?printf\()");
  int seen = 0;
  for (const std::string& path : files()) {
    if (!path.starts_with("common/emulator/") || !is_source(path)) continue;
    ++seen;
    int number = 0;
    for (const std::string& line : lines(read(path))) {
      ++number;
      if (!has_any(line, {"include", "std::c", "std::getenv", "printf"})) continue;
      CHECK_MESSAGE(!std::regex_search(line, forbidden), path << ":" << number << ": " << line);
    }
  }
  CHECK(seen > 0);
}

TEST_CASE("the emulator's lowest folders see no other") {
  // Of what is outside the folders they may see the door: an error and what a source is.
  const std::map<std::string, std::regex> may_see = {{"ptx", std::regex("ptx|machine\\.hpp")},
                                                     {"ptxas", std::regex("ptx|ptxas")},
                                                     {"tensor", std::regex("tensor")}};
  const std::regex include(R"re(#\s*include\s*"emulator/([\w.]+))re");
  for (const auto& [folder, seen] : may_see) {
    int includes = 0;
    for (const std::string& path : files()) {
      if (!path.starts_with("common/emulator/" + folder + "/") || !is_source(path)) continue;
      const std::string text = read(path);
      for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
        ++includes;
        CHECK_MESSAGE(std::regex_match(at->str(1), seen), path << ": " << at->str());
      }
    }
    CHECK_MESSAGE(includes > 0, folder);
  }
}

TEST_CASE("the visualizer knows neither CUDA nor the emulator") {
  const std::regex toolkit_or_emulator(R"re(#\s*include\s*(<cuda|"(cuda[_.]|emulator/)))re");
  const std::regex runtime(R"re(#\s*include\s*"cudart/)re");
  for (const std::string& path : files()) {
    if (!path.starts_with("viz/") || !is_source(path)) continue;
    const std::string text = read(path);
    CHECK_MESSAGE(!std::regex_search(text, toolkit_or_emulator), path);
    // `lanescope run` reads programs and sets the runtime's variables; the window does neither.
    if (!path.starts_with("viz/cli/")) CHECK_MESSAGE(!std::regex_search(text, runtime), path);
  }
}
