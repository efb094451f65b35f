// SPDX-License-Identifier: MIT
// Every snippet leaves in every lane what it should, on every host; and ptxas takes every snippet.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

void check(const Snippet& snippet, Host host) {
  CAPTURE(snippet.name);
  CAPTURE(name(host));
  const Run run = run_body(snippet.body, snippet.arch, 32, 1'000'000, host);
  REQUIRE_MESSAGE(run.load_error.message.empty(), run.load_error.message);
  REQUIRE_MESSAGE(run.report.error.message.empty(), run.report.error.message);
  REQUIRE(!snippet.results.empty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::size_t word = 0; word < snippet.results.size(); ++word) {
      const std::uint32_t found = run.words[lane * 16 + word];
      const std::uint32_t expected = snippet.results[word](lane);
      if (found != expected)
        FAIL_CHECK(fmt::format("{}: lane {} word {}: expected 0x{:08x}, found 0x{:08x}",
                               snippet.name, lane, word, expected, found));
    }
  }
}

// With the instructions of every host that this processor can stand in for.
void check(const Snippet& snippet) {
  for (const Host host : hosts()) check(snippet, host);
}

}  // namespace

TEST_CASE("integer instructions") {
  for (const Snippet& snippet : integer_snippets()) check(snippet);
}
TEST_CASE("floating-point instructions") {
  for (const Snippet& snippet : real_snippets()) check(snippet);
}
TEST_CASE("conversions") {
  for (const Snippet& snippet : convert_snippets()) check(snippet);
}
TEST_CASE("moves, loads and stores") {
  for (const Snippet& snippet : memory_snippets()) check(snippet);
}
TEST_CASE("warp instructions") {
  for (const Snippet& snippet : warp_snippets()) check(snippet);
}
TEST_CASE("mbarriers, bulk copies, clusters of one") {
  for (const Snippet& snippet : hopper_snippets()) check(snippet);
}
TEST_CASE("control flow") {
  for (const Snippet& snippet : control_snippets()) check(snippet);
}

TEST_CASE("what runs as several instructions") {
  for (const Snippet& snippet : composite_snippets()) check(snippet);
}

TEST_CASE("what few programs have") {
  for (const Snippet& snippet : rare_snippets()) check(snippet);
}

TEST_CASE("video instructions") {
  for (const Snippet& snippet : video_snippets()) check(snippet);
}

TEST_CASE("tensor memory") {
  for (const Snippet& snippet : tcgen05_snippets()) check(snippet);
}

TEST_CASE("arithmetic that sm_100 has more") {
  for (const Snippet& snippet : blackwell_snippets()) check(snippet);
}

TEST_CASE("what else sm_100 has more") {
  for (const Snippet& snippet : sm100_snippets()) check(snippet);
}

TEST_CASE("snippet names are unique") {
  std::set<std::string_view> names;
  for (const auto& group : all_snippets())
    for (const Snippet& snippet : group) CHECK(names.insert(snippet.name).second);
  CHECK(names.size() > 100);
}

// One module a target, one kernel a snippet, so that ptxas starts three times and not two hundred.
TEST_CASE("ptxas accepts every snippet") {
  if (!has_ptxas()) {
    MESSAGE("no ptxas here: the snippets are not compared with it");
    return;
  }
  std::map<std::string_view, std::string> modules;
  for (const auto& group : all_snippets()) {
    for (const Snippet& snippet : group) {
      std::string& text = modules[snippet.arch];
      const std::string whole = module_of(snippet.body, snippet.arch);
      const std::size_t entry = whole.find(".visible .entry");
      if (text.empty()) text = whole.substr(0, entry);
      std::string kernel = whole.substr(entry);
      kernel.replace(kernel.find("snippet("), 7, fmt::format("snippet{}", text.size()));
      text += fmt::format("// {}\n{}", snippet.name, kernel);
    }
  }
  for (const auto& [arch, text] : modules) CHECK(refusal_of_ptxas(text, arch) == "");
}

}  // namespace lanescope::emulator::test
