// SPDX-License-Identifier: MIT
// The checker's reports, one mistake at a time: broken/*.cuh say at which line which kind of report
// must come; no other may, and each has what a reader needs. And none where programs are right.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
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

Finished check(const std::string& program, const std::string& name, bool is_strict) {
  std::vector<std::string> command{tests::build_folder() / "bin/lanescope", "run", "--arch",
                                   "sm_90a"};
  command.push_back(is_strict ? "--strict" : "--check");
  command.insert(command.end(), {"--", tests::build_folder() / "tests/programs/built" / program});
  if (!name.empty()) command.push_back(name);
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

}  // namespace

TEST_CASE("every mistake is reported at its line, and nothing else") {
  const auto all = mistakes();
  REQUIRE(all.size() > 30);
  static const std::regex first(R"(^lanescope: check: ([\w-]+): .*broken/(\w+\.cuh:\d+): )");
  for (const auto& [name, mistake] : all) {
    CAPTURE(name);
    REQUIRE(!mistake.reports.empty());
    const Finished run = check("broken", name, mistake.is_strict);
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
    const Finished usual = check("broken", name, false);
    CHECK(usual.exit_code == 0);
    CHECK(reports_of(usual.err).empty());
  }
}

TEST_CASE("flags, locks, barriers of the grid and of the library: nothing to report") {
  const Finished run = check("styles", "", false);
  CHECK(run.exit_code == 0);
  CHECK(run.out.find("wrong") == std::string::npos);
  CHECK(run.err == "lanescope: 42 launches checked, nothing to report\n");
}

}  // namespace lanescope::tests
