// SPDX-License-Identifier: MIT
// docs/trace_format.md against the code: its example lines are lines of example.lanes, and that
// file is read and written again without a changed character.
#include <doctest/doctest.h>

#include <set>

#include "tests/contents.hpp"
#include "tests/lines_of.hpp"
#include "trace/line.hpp"
#include "trace/reader.hpp"

using namespace lanescope::trace;
using lanescope::tests::lines_of;

namespace {

std::string contents(const std::string& path) {
  return lanescope::tests::contents_of(LANESCOPE_SOURCE_DIR "/" + path);
}

// The lines between ```json and ```.
std::vector<std::string> example_lines() {
  std::vector<std::string> examples;
  bool inside = false;
  for (const std::string& line : lines_of(contents("docs/trace_format.md"))) {
    if (line.substr(0, 3) == "```")
      inside = line == "```json";
    else if (inside)
      examples.push_back(line);
  }
  return examples;
}

}  // namespace

TEST_CASE("the example file is read and written again without a changed character") {
  const std::string text = contents("tests/trace/example.lanes");
  const ReadResult result = read_bytes(text);
  REQUIRE_MESSAGE(result.ok(), result.error->message("example.lanes"));
  CHECK(result.unknown_events == 0);
  CHECK(to_text(result.trace) == text);
}

TEST_CASE("the example file has one event of every kind") {
  const ReadResult result = read_bytes(contents("tests/trace/example.lanes"));
  std::set<std::size_t> kinds;
  for (const Event& event : result.trace.events) kinds.insert(event.index());
  CHECK(kinds.size() == std::variant_size_v<Event>);
}

TEST_CASE("the page shows every line of the example file, in its order") {
  const std::vector<std::string> lines = lines_of(contents("tests/trace/example.lanes"));
  const std::vector<std::string> examples = example_lines();
  REQUIRE(examples.size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) CHECK(examples[i] == lines[i]);
}

TEST_CASE("the page names the version, every event and every key that is written") {
  const std::string page = contents("docs/trace_format.md");
  CHECK(page.find("version " + std::to_string(kVersion) + "\n") != std::string::npos);
  for (const std::string& line : lines_of(contents("tests/trace/example.lanes")))
    for (std::size_t at = 0; (at = line.find("\":", at)) != std::string::npos; ++at) {
      const std::size_t start = line.rfind('"', at - 1) + 1;
      const std::string key = line.substr(start, at - start);
      CAPTURE(key);
      CHECK(page.find("`" + key + "`") != std::string::npos);
    }
}
