// SPDX-License-Identifier: MIT
// The checker's reports, one mistake at a time: broken/*.cuh say at which line which kind of report
// must come; no other may, and each has what a reader needs. And none where programs are right,
// but one for each mistake that is made in them (right_or_wrong).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"

namespace lanescope::tests {
namespace {

const std::string kSources = LANESCOPE_SOURCE_DIR "/tests/programs/broken/";

struct Mistake {
  std::set<std::string> reports;  // "KIND:FILE:LINE"
  bool is_strict = false;
};

// By kernel, from the comments.
std::vector<std::pair<std::string, Mistake>> mistakes() {
  static const std::regex kernel(R"(^__global__ .*?(\w+)\(Arguments)");
  static const std::regex marker(R"(//! ([\w-]+)( strict)?$)");
  std::vector<std::pair<std::string, Mistake>> all;
  for (const char* file :
       {"memory.cuh", "barriers.cuh", "wgmma.cuh", "threads.cuh", "proxies.cuh", "early.cuh"}) {
    std::ifstream in(kSources + file);
    int line = 0;
    for (std::string text; std::getline(in, text);) {
      ++line;
      std::smatch match;
      if (std::regex_search(text, match, kernel)) all.push_back({match[1], {}});
      if (!std::regex_search(text, match, marker)) continue;
      all.back().second.reports.insert(fmt::format("{}:{}:{}", match[1].str(), file, line));
      all.back().second.is_strict |= match[2].matched;
    }
  }
  return all;
}

Finished check(const std::string& program, const std::vector<std::string>& arguments,
               bool is_strict = false) {
  std::vector<std::string> command{tests::build_folder() / "bin/lanescope", "run", "--arch",
                                   "sm_90a"};
  command.push_back(is_strict ? "--strict" : "--check");
  command.insert(command.end(), {"--", tests::build_folder() / "tests/programs/built" / program});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_process(command);
}

// Each report is its line and the details below it.
std::vector<std::string> reports_of(const std::string& err) {
  std::vector<std::string> all;
  std::istringstream in(err);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("lanescope: check: ", 0) == 0) all.push_back(line);
    if (line.rfind("  ", 0) == 0 && !all.empty()) all.back() += "\n" + line;
  }
  return all;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// By kernel and mistake, from the comments in right_or_wrong/*.cuh above the lines:
// "KIND:FILE:LINE".
std::map<std::pair<std::string, int>, std::set<std::string>> variants() {
  static const std::regex kernel(R"(^__global__ .*?(\w+)\(Given)");
  static const std::regex marker(R"(([a-z][\w-]+)((?: \d)+)(?:;|$))");
  std::map<std::pair<std::string, int>, std::set<std::string>> all;
  for (const char* file : {"rings.cuh", "blocks.cuh"}) {
    std::ifstream in(LANESCOPE_SOURCE_DIR "/tests/programs/right_or_wrong/" + std::string(file));
    std::string name;
    int line = 0;
    for (std::string text; std::getline(in, text);) {
      ++line;
      std::smatch match;
      if (std::regex_search(text, match, kernel)) all[{name = match[1], 0}];
      const std::size_t at = text.find("//! ");
      if (at == text.npos) continue;
      const std::string marks = text.substr(at + 4);
      for (std::sregex_iterator mark(marks.begin(), marks.end(), marker), end; mark != end; ++mark)
        for (const char digit : (*mark)[2].str())
          if (digit != ' ')
            all[{name, digit - '0'}].insert(
                fmt::format("{}:{}:{}", (*mark)[1].str(), file, line + 1));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("every mistake is reported at its line, and nothing else") {
  const auto all = mistakes();
  REQUIRE(all.size() > 30);
  static const std::regex first(R"(^lanescope: check: ([\w-]+): .*broken/(\w+\.cuh:\d+): )");
  for (const auto& [name, mistake] : all) {
    CAPTURE(name);
    REQUIRE(!mistake.reports.empty());
    const Finished run = check("broken", {name}, mistake.is_strict);
    CAPTURE(run.err);
    CHECK(run.exit_code == 1);
    std::set<std::string> said;
    for (const std::string& report : reports_of(run.err)) {
      std::smatch match;
      REQUIRE(std::regex_search(report, match, first));
      said.insert(match[1].str() + ":" + match[2].str());
      CHECK(holds(report, "\n  kernel " + name + ", CTA ("));
      CHECK(holds(report, "PTX line "));
      // What to do stands behind the semicolon; where a race is, both lines are named.
      CHECK((holds(report, "; ") || holds(report, ", put ")));
      const std::string kind = match[1];
      const bool is_race = kind.rfind("race-", 0) == 0 || kind == "late-read";
      if (is_race)
        CHECK((holds(report, "\n  against warp ") || holds(report, "\n  against a wgmma, line ") ||
               holds(report, "\n  against a copy, line ")));
      if (kind != "deadlock") CHECK(holds(report, ", warp "));
      if (kind != "deadlock") CHECK(holds(report, ", lane "));
      const bool is_register = holds(kind, "wgmma-fence") || holds(kind, "accumulator");
      const bool has_address =
          holds(report, "shared address 0x") || holds(report, "global address 0x");
      if (!is_register && kind != "deadlock" && kind != "membermask" && kind != "barrier" &&
          kind != "diverged-collective")
        CHECK(has_address);
    }
    CHECK(said == mistake.reports);
    if (!mistake.is_strict) continue;
    const Finished usual = check("broken", {name});
    CHECK(usual.exit_code == 0);
    CHECK(reports_of(usual.err).empty());
  }
}

TEST_CASE("flags, locks, barriers of the grid and of the library: nothing to report") {
  const Finished run = check("styles", {});
  CHECK(run.exit_code == 0);
  CHECK(run.out.find("wrong") == std::string::npos);
  CHECK(run.err == "lanescope: 46 launches checked, nothing to report\n");
}

TEST_CASE("of kernels as people write them none is accused, and each mistake in them is reported") {
  static const std::regex first(
      R"(^lanescope: check: ([\w-]+): .*right_or_wrong/(\w+\.cuh:\d+): )");
  const auto all = variants();
  CHECK(all.size() > 35);
  for (const auto& [variant, wanted] : all) {
    const auto& [name, mistake] = variant;
    CAPTURE(name);
    CAPTURE(mistake);
    const Finished run = check("right_or_wrong", {name, std::to_string(mistake)});
    CAPTURE(run.err);
    CHECK(run.exit_code == (mistake == 0 ? 0 : 1));
    std::set<std::string> said;
    for (const std::string& report : reports_of(run.err)) {
      std::smatch match;
      if (std::regex_search(report, match, first))
        said.insert(match[1].str() + ":" + match[2].str());
      else
        said.insert(report);
    }
    for (const std::string& one : wanted) CHECK_MESSAGE(said.count(one) == 1, one);
    if (mistake == 0) CHECK(said.empty());
  }
}

}  // namespace lanescope::tests
