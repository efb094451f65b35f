// SPDX-License-Identifier: MIT
// The steps, clicked and typed: the list, the bar, the lanes, and the way to and from a fragment.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("from an element to the step that wrote its register, and back") {
  Ui ui;
  ui.open(recorded::everything());
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.click("A 9,5");
  ui.step();
  ui.click("written");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(selected_words(ui.ws) == "warp 0 step 12");  // the ldmatrix of A.r1
  CHECK(ui.ws.steps.lane == 6);
  ui.step();
  ui.click("watch 1");
  CHECK(selected_words(ui.ws) == "lane 6 A.r1");
  ui.step();
  CHECK(ui.drawn("written"));
  ui.click("D 4,3");  // nobody wrote D in these steps
  ui.step();
  CHECK_FALSE(ui.drawn("written"));
}

TEST_CASE("steps: why a bank is waited for, and the way to where a wgmma's sums arrive") {
  trace::Trace trace = recorded::steps();
  const std::string multiply =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, p, 1, 1, 0, 0;";
  trace.events.emplace_back(recorded::step(0, 15, multiply, 11));
  trace.events.emplace_back(
      recorded::step(0, 16, "wgmma.wait_group.sync.aligned 0;", 12, {recorded::write("%f1")}));
  Ui ui;
  ui.open(trace);
  CHECK(ui.drawn("why"));  // of the ldmatrix
  const Box worst = ui.where("why");
  ui.move_to("phase 0 bank 31");  // that nobody wants: a shorter sentence
  ui.step();
  CHECK(ui.drawn("why"));
  CHECK(ui.where("why").height <= worst.height);
  ui.find("step 13");
  CHECK_FALSE(ui.drawn("why"));
  ui.find("step 15");
  ui.click("arrives");
  CHECK(selected_words(ui.ws) == "warp 0 step 16");
  ui.step();
  CHECK_FALSE(ui.drawn("arrives"));
}

TEST_CASE("steps: how many sectors of global memory a load goes to") {
  trace::Trace trace = recorded::steps();
  trace::Write address{"%rd1", "", 64, {}};
  for (std::uint64_t lane = 0; lane < 32; ++lane) address.lanes.push_back(0x1000 + 64 * lane);
  trace.events.emplace_back(recorded::step(0, 15, "add.s64 %rd1, %rd2, %rd3;", 11, {address}));
  trace.events.emplace_back(
      recorded::step(0, 16, "ld.global.u16 %r9, [%rd1];", 12, {recorded::write("%r9")}));
  Ui ui;
  ui.open(trace);
  CHECK_FALSE(ui.drawn("sectors"));
  ui.find("step 16");
  REQUIRE(ui.drawn("sectors"));
  CHECK(ui.ws.steps.sectors->title == "2 bytes a lane: 32 sectors, 2 would do");
  // The list marks it, not the others; a key leads there.
  CHECK(ui.drawn("sectors 6"));
  CHECK_FALSE(ui.drawn("sectors 5"));
  ui.find("step 12");
  ui.type("g");
  CHECK(selected_words(ui.ws) == "warp 0 step 16");
  ui.find("step 15");
  CHECK_FALSE(ui.drawn("sectors"));
}

TEST_CASE("steps: clicked, scrubbed, stepped, found") {
  Ui ui;
  ui.open(recorded::steps());
  CHECK(selected_words(ui.ws) == "warp 0 step 12");  // the ldmatrix
  ui.click("step 0");
  CHECK(selected_words(ui.ws) == "warp 0 step 10");
  ui.type("n");
  CHECK(selected_words(ui.ws) == "warp 0 step 12");
  CHECK(ui.drawn("phase 1 bank 31"));
  CHECK(ui.drawn("write 1 lane 31"));
  ui.press(Key::down);
  CHECK(selected_words(ui.ws) == "warp 0 step 13");
  ui.press(Key::up);
  ui.press(Key::up);
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
  ui.press(Key::right);
  CHECK(selected_words(ui.ws) == "warp 0 step 14");  // the last one
  ui.press(Key::left);
  CHECK(selected_words(ui.ws) == "warp 0 step 10");
  ui.press(Key::tab);
  CHECK(selected_words(ui.ws) == "warp 3 step 10");
  ui.find("warp 0 step 13");
  CHECK(selected_words(ui.ws) == "warp 0 step 13");
  ui.find("A.r1");
  CHECK(selected_words(ui.ws) == "warp 0 step 12");
  // The middle of the bar is the middle step; a drag follows the pointer.
  ui.click("scrub");
  CHECK(selected_words(ui.ws) == "warp 0 step 12");
  const Box bar = ui.where("scrub");
  feed_mouse(bar.left + bar.width * 0.9f, bar.top + bar.height / 2);
  ui.step();
  feed_button(true);
  ui.step();
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  feed_mouse(bar.left + bar.width * 0.25f, bar.top + bar.height / 2);
  ui.step();
  ui.step();
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
  feed_button(false);
  ui.step();
}

TEST_CASE("the step that is looked at stays in sight where the window becomes lower") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  for (int at = 0; at < 300; ++at) trace.events.emplace_back(recorded::step(0, at, "ret;", 1, {}));
  Ui ui(1440, 1000);
  ui.open(std::move(trace));
  const auto in_sight = [&ui](const char* step) {
    if (!ui.drawn(step)) return false;
    const Box line = ui.where(step);
    return line.top > 0 && line.top + line.height < ImGui::GetIO().DisplaySize.y;
  };
  ui.find("step 100");
  ui.click("step 110");
  REQUIRE(selected_words(ui.ws) == "warp 0 step 110");
  REQUIRE(in_sight("step 110"));
  for (const float height : {700.0f, 500.0f, 400.0f}) {
    ui.resize(1440, height);
    ui.step();
    CAPTURE(height);
    CHECK(in_sight("step 110"));
  }
  ui.resize(1440, 1000);
  CHECK(in_sight("step 110"));
}

TEST_CASE("an instruction that is too long for the list ends with an ellipsis") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  const std::string longest(5000, 'x');
  trace.events.emplace_back(recorded::step(0, 0, longest, 1, {}));
  trace.events.emplace_back(recorded::step(0, 1, "ret;", 2, {}));
  Ui ui;
  ui.open(std::move(trace));
  CHECK(ui.drawn("shown 1: ret;"));
  int cut = 0;
  for (std::size_t length = 1; length < 200; ++length)
    cut += ui.drawn(fmt::format("shown 0: {}\u2026", longest.substr(0, length)));
  CHECK(cut == 1);
}

TEST_CASE("a hundred thousand steps: the list draws what is in sight, the end is reached" *
          doctest::test_suite("twice")) {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  constexpr int kMany = 100'000;
  for (int k = 0; k < kMany; ++k)
    trace.events.emplace_back(
        recorded::step(0, k, "add.s32 %r1, %r1, 1;", 1 + k % 9, {recorded::write("%r1")}));
  Ui ui;
  ui.open(std::move(trace));
  const int few = ui.vertices;
  ui.find("step 99999");
  CHECK(ui.ws.steps.place.item == kMany - 1);
  ui.step();
  CHECK(ui.drawn("step 99999"));
  CHECK_FALSE(ui.drawn("step 500"));
  CHECK(ui.vertices < 2 * few);
}

TEST_CASE("steps: a lane under the pointer and one that is clicked, and the way to its fragment") {
  Ui ui;
  ui.open(recorded::everything());
  ui.type("i");
  ui.step();
  REQUIRE(view_words(ui.ws) == "warp 0 step 12");
  ui.move_to("write 1 lane 13");
  ui.step();
  CHECK(ui.ws.steps.hover_lane == 13);
  CHECK(ui.ws.steps.hover_words.find("lane 13  %r8  A.r1 = ") == 0);
  ui.click("write 1 lane 13");
  ui.move_to("scrub");
  ui.step();
  CHECK(ui.ws.steps.hover_lane == -1);
  CHECK(ui.ws.steps.hover_words.empty());
  CHECK(ui.ws.steps.lane == 13);
  ui.click("watch 1");
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.selected() == "lane 13 A.r1");
  ui.type("i");
  ui.step();
  ui.press(Key::escape);
  CHECK(ui.ws.steps.lane == -1);
  ui.click("watch 0");
  CHECK(ui.selected() == "A.r0");
}

}  // namespace
}  // namespace lanescope::viz
