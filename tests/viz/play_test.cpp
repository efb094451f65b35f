// SPDX-License-Identifier: MIT
// Space plays: steps and the time of a pipeline go on by themselves, at a pace, to their end.
#include <doctest/doctest.h>

#include <string>

#include "panels/pipeline/pipeline_text.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

void frames(Ui& ui, int count) {
  for (int k = 0; k < count; ++k) ui.step();
}

}  // namespace

TEST_CASE("steps go on four a second, and stop at the last; Space there begins anew") {
  Ui ui;
  ui.open(recorded::steps());
  REQUIRE(ui.ws.shows == Shows::steps);
  ui.press(Key::home);
  const int last = 4;
  ui.type(" ");
  CHECK(ui.ws.play.on);
  CHECK(ui.ws.steps.place.item == 0);
  frames(ui, 13);  // of 60 a second: not yet a quarter
  CHECK(ui.ws.steps.place.item == 0);
  frames(ui, 4);
  CHECK(ui.ws.steps.place.item == 1);
  frames(ui, 60);
  CHECK(ui.ws.steps.place.item == last);
  CHECK(!ui.ws.play.on);
  ui.type(" ");
  CHECK(ui.ws.play.on);
  CHECK(ui.ws.steps.place.item == 0);
  ui.type(" ");
  CHECK(!ui.ws.play.on);
  frames(ui, 60);
  CHECK(ui.ws.steps.place.item == 0);
}

TEST_CASE("twice as fast by the point, half as fast by the comma, and the line below says so") {
  Ui ui;
  ui.open(recorded::steps());
  ui.type(".");
  CHECK(ui.ws.message == "8 steps a second");
  ui.type(",");
  ui.type(",");
  CHECK(ui.ws.message == "2 steps a second");
  ui.press(Key::home);
  ui.type(" ");
  frames(ui, 28);
  CHECK(ui.ws.steps.place.item == 0);
  frames(ui, 4);
  CHECK(ui.ws.steps.place.item == 1);
}

TEST_CASE("whoever chooses a step, asks for keys or looks elsewhere stops it") {
  Ui ui;
  ui.open(recorded::steps());
  const auto play = [&ui] {
    ui.press(Key::home);
    ui.type(" ");
    REQUIRE(ui.ws.play.on);
  };
  play();
  ui.press(Key::down);
  CHECK(!ui.ws.play.on);
  play();
  ui.click("step 3");
  ui.step();
  CHECK(!ui.ws.play.on);
  CHECK(ui.ws.steps.place.item == 3);
  play();
  ui.type("?");
  ui.step();
  CHECK(!ui.ws.play.on);
  ui.type("?");
  play();
  ui.type("a");
  ui.step();
  CHECK(!ui.ws.play.on);
  ui.type("a");
  play();
  ui.press(Key::tab);  // the other warp
  CHECK(!ui.ws.play.on);
  play();
  ui.type("/");
  frames(ui, 3);
  ui.type("step 13");
  CHECK(!ui.ws.play.on);
}

TEST_CASE("the button plays and stops as Space does") {
  Ui ui;
  ui.open(recorded::steps());
  ui.press(Key::home);
  ui.click("play");
  CHECK(ui.ws.play.on);
  ui.click("play");
  CHECK(!ui.ws.play.on);
}

TEST_CASE("the sheet of keys is whole in a window of usual size") {
  Ui ui(1280, 720);
  ui.open(recorded::steps());
  ui.type("?");
  ui.step();
  CHECK(ui.where("key click").top > 0);
  CHECK(ui.where("key ?").top + ui.where("key ?").height < 720);
}

TEST_CASE("on a low window the sheet of keys is scrolled to its last line") {
  Ui ui(800, 400);
  ui.open(recorded::steps());
  ui.type("?");
  ui.step();
  CHECK(ui.where("key ?").top > 400);
  for (int pages = 0; pages < 3; ++pages) ui.press(Key::page_down);
  ui.step();
  CHECK(ui.where("key ?").top + ui.where("key ?").height < 400);
}

TEST_CASE("where there is nothing to play, Space says what can be") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type(" ");
  CHECK(!ui.ws.play.on);
  CHECK(ui.ws.message == "the steps and the pipeline of a trace can be played: i, p");
}

TEST_CASE("the time of a pipeline goes on, is dragged, and says who does what") {
  Ui ui;
  ui.open(recorded::pipeline());
  REQUIRE(ui.ws.shows == Shows::pipeline);
  CHECK(ui.ws.pipeline.now == -1);
  CHECK(!ui.drawn("now"));
  ui.type(" ");
  CHECK(ui.ws.play.on);
  frames(ui, 30);
  CHECK(ui.ws.pipeline.now == doctest::Approx(16).epsilon(0.1));  // 32 ticks a second
  CHECK(ui.drawn("now"));
  CHECK(ui.drawn("at tick"));
  const float before = ui.where("now").left;
  frames(ui, 30);
  CHECK(ui.where("now").left > before);
  ui.click("ruler");  // its middle
  CHECK(!ui.ws.play.on);
  CHECK(ui.ws.pipeline.now == doctest::Approx(ui.ws.pipeline.made.end / 2).epsilon(0.02));
  CHECK(ui.ws.pipeline.span == -1);
  ui.press(Key::escape);
  CHECK(ui.ws.pipeline.now == -1);
}

TEST_CASE("who does what at a tick is what the spans say") {
  trace::Trace trace = recorded::pipeline();
  trace.events.emplace_back(recorded::step(1, 13, "bar.arrive 0, 64;", 9));
  const Pipeline p = make_pipeline(trace);
  REQUIRE(p.warps.size() > 1);
  const WarpLine& line = p.warps[1];
  REQUIRE(!line.waits.empty());
  const WaitSpan& wait = line.waits[0];
  const std::string waits = state_at(p, (wait.begin + wait.end) / 2)[1];
  CHECK(waits.find("waits for " + wait.object) != std::string::npos);
  CHECK(waits.find(warp_name(p, 1)) == 0);
  CHECK(state_at(p, wait.end)[1].find("waits for " + wait.object) == std::string::npos);
  CHECK(state_at(p, p.end + 1)[1].ends_with("has ended"));
  CHECK(state_at(p, p.end + 1)[0].ends_with("no more is known of it"));  // none of its steps
  for (std::size_t stage = 0; stage < p.stages.size(); ++stage)
    for (const StageSpan& span : p.stages[stage].spans) {
      const std::string at = state_at(p, span.begin)[p.warps.size() + stage];
      CHECK(at.find(p.stages[stage].name) == 0);
      CHECK(at.find(span.state == StageState::filling ? "being filled"
                    : span.state == StageState::full  ? "full,"
                                                      : "in use") != std::string::npos);
    }
}

}  // namespace lanescope::viz
