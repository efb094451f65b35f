// SPDX-License-Identifier: MIT
// The pipeline, clicked and typed: waits, stages, slower copies, and the way to a step.
#include <doctest/doctest.h>

#include "panels/pipeline/pipeline_text.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("the pipeline: a wait is chosen, copies are made slower") {
  Ui ui;
  ui.open(recorded::pipeline());
  CHECK(ui.ws.shows == Shows::pipeline);
  ui.click("span 1,0");
  CHECK(ui.ws.pipeline.row == 1);
  CHECK(ui.ws.pipeline.span == 0);
  ui.click("span 2,1");  // the stage
  CHECK(ui.ws.pipeline.row == 2);
  const double before = ui.ws.pipeline.made.end;
  ui.click("copy 256");
  CHECK(ui.ws.pipeline.copy_ticks == 256);
  CHECK(ui.ws.pipeline.made.end > before + 300);
  ui.find("copy 10");
  CHECK(ui.ws.pipeline.copy_ticks == 10);
  ui.type("]");
  CHECK(ui.ws.pipeline.copy_ticks == 20);
  ui.type("[");
  CHECK(ui.ws.pipeline.copy_ticks == 10);
  const float width = ui.where("span 2,0").width;
  ui.type("+");
  ui.step();
  CHECK(ui.where("span 2,0").width > width);
}

TEST_CASE("a pipeline of barriers alone has no copies to speak of") {
  trace::Trace barrier;
  for (const char* action : {"arrive", "pass"})
    for (int warp = 0; warp < 2; ++warp)
      barrier.events.emplace_back(recorded::sync(warp, 10 * (warp + 1), action, "bar 0", 0));
  Ui ui;
  ui.open(barrier);
  REQUIRE(ui.ws.shows == Shows::pipeline);
  CHECK(view_words(ui.ws) == "pipeline");
  ui.open(recorded::pipeline());
  CHECK(view_words(ui.ws) == "pipeline copy 64");
}

TEST_CASE("a line that ends early is said to, where the trace lacks a warp's steps") {
  trace::Trace trace = recorded::pipeline();
  trace.events.emplace_back(recorded::step(0, 40, "exit;", 9));
  Ui ui;
  ui.open(trace);
  ui.type("p");
  ui.step();
  CHECK(ui.drawn("unstepped"));
  trace.events.emplace_back(recorded::step(1, 40, "exit;", 9));
  ui.open(trace);
  ui.type("p");
  ui.step();
  CHECK_FALSE(ui.drawn("unstepped"));
}

TEST_CASE("the last number of the ruler is not cut off, however long all of it takes") {
  Ui ui(640, 260);  // there is a scroll bar at its side
  ui.open(recorded::pipeline());
  for (int ticks = 1; ticks < 200; ++ticks) {
    set_copy_ticks(ui.ws, ticks);
    ui.step();
    CAPTURE(ticks);
    const Box last = ui.where("tick"), inside = ui.where("timeline");
    CHECK(last.left + last.width <= inside.left + inside.width);
  }
}

TEST_CASE("a wait that is chosen leads to its step, where that is recorded") {
  Ui ui;
  trace::Trace trace = recorded::pipeline();
  const auto add = [&trace](int number, const char* ptx) {
    trace.events.emplace_back(recorded::step(1, number, ptx, 20 + number));
  };
  add(0, "mov.u32 %r1, 0;");
  add(1, "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r1;");
  ui.open(std::move(trace));
  show(ui.ws, Shows::pipeline);
  ui.step();
  ui.step();
  ui.click("span 0,0");  // warp 0's step 5 is not there
  CHECK(!ui.drawn("waiting step"));
  ui.click("span 1,0");
  ui.click("waiting step");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(words_of(ui.ws.steps.list, ui.ws.steps.place) == "warp 1 step 1");
}

TEST_CASE("the pipeline by arrows: along a row, to the nearest in the next one, and no further") {
  Ui ui;
  ui.open(recorded::pipeline());
  const auto at = [&] { return std::pair{ui.ws.pipeline.row, ui.ws.pipeline.span}; };
  ui.press(Key::down);
  CHECK(at() == std::pair{0, 0});  // the first there is
  ui.press(Key::up);
  CHECK(at() == std::pair{0, 0});
  ui.press(Key::down);
  CHECK(at().first == 1);
  ui.press(Key::down);
  CHECK(at().first == 2);  // the stage
  const int uses = static_cast<int>(ui.ws.pipeline.made.stages.at(0).spans.size());
  REQUIRE(uses > 2);
  for (int more = 0; more < uses + 2; ++more) ui.press(Key::right);
  CHECK(at() == std::pair{2, uses - 1});
  ui.press(Key::left);
  CHECK(at() == std::pair{2, uses - 2});
  const Pipeline& made = ui.ws.pipeline.made;
  const StageSpan& use = made.stages[0].spans[static_cast<std::size_t>(uses - 2)];
  ui.press(Key::up);
  CHECK(at().first == 1);
  const auto& waits = made.warps[1].waits;
  const auto apart = [&](const WaitSpan& wait) {
    return std::abs(wait.begin + wait.end - use.begin - use.end);
  };
  for (const WaitSpan& other : waits)
    CHECK(apart(waits[static_cast<std::size_t>(at().second)]) <= apart(other));
  CHECK(moved(Pipeline{}, {}, 1, 0).row == -1);
}

}  // namespace
}  // namespace lanescope::viz
