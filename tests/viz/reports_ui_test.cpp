// SPDX-License-Identifier: MIT
// What the checker reported, beside the steps it is of: marks in the list, the ways between two
// accesses, and from the list of events to where one is shown.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("steps open at what the checker says of one, which is marked in the list") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 4).ptx_line = 60;  // bar.sync of warp 0
  trace::Diagnostic said;
  said.kind = "barrier";
  said.message = "bar.sync waits for warps that have exited.";
  said.ptx_line = 60;
  said.source = {"lesson.cu", 10};
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 13");
  CHECK(ui.drawn("said"));
  CHECK(ui.drawn("said 3"));
  CHECK_FALSE(ui.drawn("said 2"));  // which has a conflict
  ui.click("step 2");
  CHECK_FALSE(ui.drawn("said"));
  const Box mark = ui.where("said 3"), line = ui.where("step 3");
  CHECK(mark.left + mark.width <= line.left + line.width);
}

// Of the st.shared at line 60 of PTX.
trace::Diagnostic said_of_store() {
  trace::Diagnostic said;
  said.kind = "race-write-after-read";
  said.message = "st writes shared memory that was read at line 8";
  said.ptx_line = 60;
  said.source = {"lesson.cu", 8};
  return said;
}

TEST_CASE("the other access of a report is marked, too, and a button leads there and back") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 1).ptx_line = 52;  // an add.s32 of warp 0
  recorded::nth<trace::Step>(trace, 6).ptx_line = 60;  // its st.shared
  trace::Diagnostic said = said_of_store();
  said.details = {"against warp 0 lane 0, line 8, PTX line 52 `add.s32 %r1, %r1, %r2`"};
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  CHECK(ui.drawn("said 4"));
  CHECK(ui.drawn("against 1"));
  ui.click("other access");
  ui.step();
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
  CHECK(ui.drawn("against"));
  CHECK_FALSE(ui.drawn("said"));
  ui.click("other access");
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
}

TEST_CASE("at another warp's step of the same instruction a button leads to where it was seen") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 6).ptx_line = 60;  // the st.shared of warp 0
  trace::Diagnostic said = said_of_store();
  trace::Step before = recorded::nth<trace::Step>(trace, 6);
  before.place.warp = 2;
  before.step = 4;
  trace.events.insert(trace.events.begin(), before);
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  CHECK_FALSE(ui.drawn("seen"));
  ui.find("warp 2 step 4");
  CHECK(ui.drawn("said"));
  ui.click("seen");
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
}

TEST_CASE("an event of the list of the trace leads to where it is shown") {
  trace::Trace trace = recorded::everything();
  trace::Diagnostic said = said_of_store();
  trace.events.emplace_back(said);  // of no step
  trace.events.insert(trace.events.begin(), recorded::tile());
  std::vector<int> first(std::variant_size_v<trace::Event>, -1);
  for (std::size_t k = 0; k < trace.events.size(); ++k)
    if (int& at = first[trace.events[k].index()]; at < 0) at = static_cast<int>(k);
  Ui ui(1440, 920);
  ui.open(trace);
  show(ui.ws, Shows::fragments);
  ui.ws.tab = TextTab::trace;
  ui.step();
  ui.click("event 0");
  CHECK(ui.ws.shows == Shows::memory);
  const int step = first[trace::Event(trace::Step{}).index()];
  const auto& wanted = std::get<trace::Step>(trace.events[static_cast<std::size_t>(step)]);
  show_event(ui.ws, step, "");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(selected_words(ui.ws) == fmt::format("warp {} step {}", wanted.place.warp, wanted.step));
  show_event(ui.ws, static_cast<int>(trace.events.size()) - 1, "");
  CHECK(ui.ws.message == "its step is not recorded");
  const int access = first[trace::Event(trace::Access{}).index()];
  REQUIRE(access >= 0);
  show_event(ui.ws, access, "");
  CHECK(ui.ws.message != "its step is not recorded");
  CHECK(selected_words(ui.ws).ends_with(fmt::format(
      "step {}", std::get<trace::Access>(trace.events[static_cast<std::size_t>(access)]).step)));
}

TEST_CASE("several reports at a step are all shown, and each leads to its other access") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 0).ptx_line = 51;
  recorded::nth<trace::Step>(trace, 1).ptx_line = 52;
  recorded::nth<trace::Step>(trace, 6).ptx_line = 60;  // the st.shared of warp 0
  trace::Diagnostic said = said_of_store();
  said.against = {{{0, 0, 0}, 0, 0, "add.s32 %r1, %r1, %r2;", 52, {"lesson.cu", 8}}};
  trace.events.emplace_back(said);
  said.kind = "race-write-after-write";
  said.against = {{{0, 0, 0}, 0, 0, "mov.u32 %r1, %laneid;", 51, {"lesson.cu", 7}}};
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  CHECK(ui.where("said").top < ui.where("said also 1").top);
  ui.click("other access also 1");
  CHECK(selected_words(ui.ws) == "warp 0 step 10");
  ui.step();
  CHECK(ui.drawn("against"));
  ui.click("other access");
  ui.step();
  ui.click("other access");
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
}

}  // namespace
}  // namespace lanescope::viz
