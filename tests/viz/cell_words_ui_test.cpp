// SPDX-License-Identifier: MIT
// What is said of a cell elsewhere: on its tag where it has no room, below the panels, among the
// registers.
#include <doctest/doctest.h>

#include <string>

#include "tests/viz/tensor_trace.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

/// 64 x N elements in 128 threads.
void open_warpgroup(Ui& ui, const layout::Instruction& instruction) {
  trace::Trace trace;
  synthetic::add(trace, instruction);
  ui.open(std::move(trace), [&](std::string_view) { return &instruction; });
}

}  // namespace

TEST_CASE("a cell without room says on a tag what it would say, selected or pointed at") {
  const layout::Instruction instruction = synthetic::warpgroup(64);
  Ui ui;
  open_warpgroup(ui, instruction);
  ui.find("D 9,5");
  CHECK(ui.drawn("tag D 9,5: 6"));
  ui.move_to("D 40,17");
  CHECK(ui.drawn("tag D 40,17: 64"));
  CHECK(ui.drawn("tag D 9,5: 6"));
  ui.ws.labels = LabelMode::value;
  ui.move_to("A 0,0");
  const std::string value = value_text(ui.in(), 'D', ui.in().holder('D', 9, 5));
  CHECK(value.size() > 2);
  CHECK(ui.drawn("tag D 9,5: " + value));
  CHECK_FALSE(ui.drawn("tag D 9,5: 6"));
  ui.press(Key::escape);
  ui.step();
  CHECK_FALSE(ui.drawn("tag D 9,5: " + value));
}

TEST_CASE("a cell that has room for its words has no tag; one that shortens them has") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  REQUIRE(ui.selected() == "A 9,5");
  CHECK_FALSE(ui.drawn("tag A 9,5: 6"));
  ui.ws.labels = LabelMode::both;
  ui.resize(800, 600);
  const std::string value = value_text(ui.in(), 'A', ui.in().holder('A', 9, 5));
  CHECK(ui.drawn("tag A 9,5: 6  " + value));
}

TEST_CASE("below the panels stands who has the element under the pointer, and its value") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.move_to("D 11,4");
  const std::string value = value_text(ui.in(), 'D', ui.in().holder('D', 11, 4));
  REQUIRE(value != "");
  CHECK(ui.drawn("status: D[11][4] = " + value + "  lane 14  D.r2"));
  ui.click("A 9,5");
  CHECK(ui.drawn("status: selected  A 9,5      A[9][5] = " +
                 value_text(ui.in(), 'A', ui.in().holder('A', 9, 5)) + "  lane 6  A.r1"));
}

TEST_CASE("below a step stands what the lane under the pointer has, until the pointer leaves") {
  Ui ui;
  ui.open(recorded::steps());
  search(ui.ws, "warp 0 step 11");
  ui.step();
  ui.step();
  ui.move_to("write 0 lane 5");
  CHECK(ui.drawn("status: warp 0 step 11      lane 5  %r1 = 105  0x00000069"));
  ui.move_to("write 0 lane 8");
  CHECK(ui.drawn("status: warp 0 step 11      lane 8  %r1 = 8  0x00000008"));
  ui.move_to("step 0");
  CHECK(ui.drawn("status: warp 0 step 11"));
}

TEST_CASE("what is in tensor memory is called by its column, what is in registers by theirs") {
  Ui ui;
  ui.open(recorded::tensor_trace(recorded::kTensorWarps));
  search(ui.ws, "warp 0 step 5");
  ui.step();
  ui.step();
  ui.click("matrices");
  ui.step();
  ui.click("D 25,5");
  ui.step();
  CHECK(recorded::kTensorColumn == 64);
  CHECK(ui.drawn("register D.r5: col 69"));
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("D 9,5");
  ui.step();
  CHECK(ui.drawn("register D.r3: D.r3"));
}

}  // namespace lanescope::viz
