// SPDX-License-Identifier: MIT
// Files dropped into the window: one opens, two stand beside each other, of more it is said.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/session.hpp"
#include "tests/build_folder.hpp"
#include "tests/viz/recorded.hpp"
#include "trace/file.hpp"

namespace lanescope::viz {
namespace {

std::string written(const std::string& name, bool wrong) {
  const std::filesystem::path folder = tests::build_folder() / "tests/viz drop";
  std::filesystem::create_directories(folder);
  trace::Trace made = recorded::everything();
  for (trace::Event& event : made.events)
    if (auto* fragment = std::get_if<trace::Fragment>(&event); fragment != nullptr && wrong)
      fragment->registers[1][6] ^= 0x10000;
  const std::string path = (folder / name).string();
  REQUIRE(!trace::write_file(path, made));
  return path;
}

}  // namespace

TEST_CASE("two files dropped at once stand beside each other") {
  const std::string a = written("a.lanes", false), b = written("b.lanes", true);
  Workspace ws;
  WindowOptions options;
  CHECK(open_dropped(ws, options, {a}) == "");
  CHECK(ws.page == Page::trace);
  CHECK(ws.trace_path == a);
  REQUIRE_FALSE(ws.traces.empty());
  CHECK(ws.traces.front().path == a);  // it lies elsewhere: the list is how to read it anew
  CHECK(open_dropped(ws, options, {b, a}) == "");
  CHECK(ws.page == Page::compare);
  CHECK(ws.trace_path == b);
  CHECK(ws.compare.made.paths[0] == b);
  CHECK(ws.compare.made.paths[1] == a);
  CHECK_FALSE(ws.compare.made.all.empty());
  CHECK(open_dropped(ws, options, {a}) == "");
  CHECK(ws.page == Page::trace);
}

TEST_CASE("of three files none opens, and of two the one that cannot be read is named") {
  const std::string a = written("a.lanes", false);
  Workspace ws;
  WindowOptions options;
  REQUIRE(open_dropped(ws, options, {a}) == "");
  open_dropped(ws, options, {a, a, a});
  CHECK(ws.message == "3 files were dropped: drop one to open it, two to see them side by side");
  CHECK(ws.message_is_error);
  CHECK(ws.page == Page::trace);
  const std::string problem = open_dropped(ws, options, {a, "/nowhere/b.lanes"});
  CHECK(problem.find("/nowhere/b.lanes") != std::string::npos);
  CHECK(ws.page == Page::trace);
  CHECK(ws.message.find("b.lanes") == 0);  // the line of status has no room for folders
  CHECK(ws.message_is_error);
  CHECK(open_dropped(ws, options, {}) == "");
}

}  // namespace lanescope::viz
