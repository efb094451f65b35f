// SPDX-License-Identifier: MIT
// Two traces beside each other, clicked and typed.
#include <doctest/doctest.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

using recorded::nth;

trace::Trace made() {
  trace::Trace trace = synthetic::trace_of({synthetic::kF16, synthetic::kBf16});
  trace.events.emplace_back(recorded::tile());
  return trace;
}

// A[9][5] and A[0][0] of the first product, D of the second, one element of the tile.
trace::Trace other() {
  trace::Trace trace = made();
  nth<trace::Fragment>(trace, 0).registers[1][6] ^= 0x10000;
  nth<trace::Fragment>(trace, 0).registers[0][0] ^= 1;
  nth<trace::Fragment>(trace, 7).registers[3][31] ^= 1;
  nth<trace::Memory>(trace, 0).bytes[2] ^= 1;
  return trace;
}

void open_both(Ui& ui) {
  ui.open(made());
  show_comparison(ui.ws, compare(made(), other(), "one.lanes", "two.lanes"));
  ui.step();
  ui.step();
}

TEST_CASE("it opens at the first cell of the first difference, on both sides") {
  Ui ui;
  open_both(ui);
  CHECK(selected_words(ui.ws) == "compare 1 of 3: A[0][0], lane 0, A.r0, bits 0..15");
  CHECK(ui.drawn("a 9,5"));
  CHECK(ui.drawn("b 9,5"));
  CHECK(ui.where("a 9,5").top == ui.where("b 9,5").top);
  CHECK(ui.where("a 9,5").left < ui.where("b 9,5").left);
  CHECK(ui.drawn("compared lane 31"));
}

TEST_CASE("a click on a cell of either side, a click on a difference") {
  Ui ui;
  open_both(ui);
  ui.click("b 9,5");
  CHECK(selected_words(ui.ws) == "compare 1 of 3: A[9][5], lane 6, A.r1, bits 16..31");
  ui.click("a 3,4");
  CHECK(ui.ws.compare.row == 3);
  ui.click("difference 3");
  CHECK(ui.ws.compare.shown.as == ComparedAs::tile);
  CHECK(selected_words(ui.ws) == "compare 3 of 3: A in shared memory[0][1]");
  ui.click("difference 2");
  CHECK(selected_words(ui.ws) == "compare 2 of 3: D[15][7], lane 31, D.r3, bits 0..31");
}

TEST_CASE("the pointer over one side: the same cell of both, until it is elsewhere") {
  Ui ui;
  open_both(ui);
  for (const char* side : {"a 7,3", "b 8,4"}) {
    ui.move_to(side);
    ui.step();
    CHECK(ui.ws.compare.hover_row == side[2] - '0');
    CHECK(ui.ws.compare.hover_col == side[4] - '0');
  }
  ui.move_to("verdict");
  ui.step();
  CHECK(ui.ws.compare.hover_row == -1);
  ui.move_to("b 8,4");
  ui.press(Key::down);  // another difference: what was under the pointer may not be there
  ui.press(Key::down);
  CHECK(ui.ws.compare.current == 2);
}

TEST_CASE("keys: the next difference, the next cell, larger, back and there again") {
  Ui ui;
  open_both(ui);
  ui.press(Key::right);
  CHECK(ui.ws.compare.row == 9);
  ui.press(Key::right);
  CHECK(ui.ws.compare.row == 9);  // the last
  ui.press(Key::left);
  CHECK(ui.ws.compare.row == 0);
  ui.press(Key::down);
  CHECK(ui.ws.compare.current == 1);
  ui.press(Key::down);
  ui.press(Key::down);
  CHECK(ui.ws.compare.current == 2);
  ui.press(Key::up);
  CHECK(ui.ws.compare.current == 1);
  const float before = ui.where("a 0,0").width;
  ui.type("+");
  ui.step();
  CHECK(ui.where("a 0,0").width > before);
  ui.press(Key::escape);
  CHECK(ui.ws.compare.row == -1);
  ui.press(Key::escape);
  CHECK(ui.ws.page == Page::trace);
  ui.click("compared");
  CHECK(ui.ws.page == Page::compare);
  CHECK(ui.ws.compare.current == 1);
  ui.type("=");
  CHECK(ui.ws.page == Page::trace);
  ui.type("=");
  CHECK(ui.ws.page == Page::compare);
}

TEST_CASE(
    "another comparison: nothing leads back into the one before, whose cells it may not have") {
  Ui ui;
  open_both(ui);
  ui.click("a 3,4");
  ui.click("b 9,5");
  trace::Trace last_of_d = made();
  nth<trace::Fragment>(last_of_d, 7).registers[3][31] ^= 1;
  show_comparison(ui.ws, compare(made(), last_of_d, "one.lanes", "three.lanes"));
  ui.step();
  ui.step();
  REQUIRE(ui.ws.compare.shown.cols == 8);
  ui.press(Key::left, false, false, true);
  CHECK(ui.ws.page == Page::trace);
  ui.press(Key::right, false, false, true);
  CHECK(selected_words(ui.ws) == "compare 1 of 1: D[15][7], lane 31, D.r3, bits 0..31");
}

TEST_CASE("back to a cell that is no longer there since both were read again") {
  Ui ui;
  open_both(ui);
  ui.click("b 9,12");
  ui.click("difference 2");
  trace::Trace last_of_d = made();
  nth<trace::Fragment>(last_of_d, 7).registers[3][31] ^= 1;
  show_comparison_again(ui.ws, compare(made(), last_of_d, "one.lanes", "two.lanes"));
  ui.step();
  for (int back = 0; back < 2; ++back) {
    ui.press(Key::left, false, false, true);
    CHECK(selected_words(ui.ws) == "compare 1 of 1: D[15][7], lane 31, D.r3, bits 0..31");
  }
}

TEST_CASE("the search box takes a difference and a cell") {
  Ui ui;
  open_both(ui);
  ui.find("1 9,5");
  CHECK(ui.ws.compare.col == 5);
  ui.find("2");
  CHECK(ui.ws.compare.current == 1);
  ui.find("7");
  CHECK(ui.ws.message == "no difference 7: there are 3");
  CHECK(ui.ws.message_is_error);
}

TEST_CASE("open: the trace itself, at the fragment and the element, or at the tile") {
  Ui ui;
  open_both(ui);
  ui.click("difference 2");
  ui.click("open b");
  CHECK(ui.ws.open_request == "two.lanes");
  show_model(ui.ws, make_model(other()), ui.ws.open_request);  // as the window does then
  CHECK(ui.ws.page == Page::trace);
  CHECK(ui.ws.current == 1);
  CHECK(words_of(ui.ws.selection, *ui.ws.shown()) == "D 15,7");
  ui.ws.open_request.clear();
  go_to(ui.ws, Page::compare);
  ui.step();
  ui.click("difference 3");
  ui.click("open a");
  show_model(ui.ws, make_model(made()), ui.ws.open_request);
  CHECK(ui.ws.shows == Shows::memory);
  CHECK(ui.ws.memory.row == 0);
  CHECK(ui.ws.memory.col == 1);
  CHECK(ui.ws.open_event == -1);  // only this once
}

TEST_CASE("a trace without a difference, one without partners, a small window") {
  Ui ui(640, 400);
  ui.open(made());
  show_comparison(ui.ws, compare(made(), made(), "one.lanes", "two.lanes"));
  ui.step();
  ui.step();
  CHECK(selected_words(ui.ws) == "compare: the same");
  CHECK(ui.drawn("verdict"));
  CHECK_FALSE(ui.drawn("open a"));
  ui.press(Key::down);
  ui.press(Key::right);
  CHECK_FALSE(search(ui.ws, "1"));
  show_comparison(ui.ws, compare(made(), trace::Trace{}, "one.lanes", "two.lanes"));
  ui.step();
  ui.step();
  CHECK(ui.ws.compare.shown.events[1] == -1);
  for (const ImVec2 size : {ImVec2(300, 200), ImVec2(64, 64), ImVec2(2560, 1440)})
    ui.resize(size.x, size.y);
  CHECK(ui.drawn("open a"));
  CHECK_FALSE(ui.drawn("open b"));
}

TEST_CASE("the list of traces: what the keys choose is in sight whole") {
  Ui ui(900, 640);
  ui.open(made());
  for (int k = 0; k < 30; ++k) {
    const std::string name = "trace " + std::to_string(k);
    ui.ws.traces.push_back({name, name, "1 kB"});
  }
  ui.type("o");
  ui.step();
  const Box list = ui.where("list of traces");
  for (int k = 1; k < 30; ++k) {
    ui.press(Key::down);
    ui.step();
    const Box chosen = ui.where("trace trace " + std::to_string(k));
    CAPTURE(k);
    CHECK(chosen.top >= list.top);
    CHECK(chosen.top + chosen.height <= list.top + list.height + 1);  // scrolled by whole pixels
  }
}

TEST_CASE("the list of traces: compare with the one that is open, by click and by key") {
  Ui ui;
  ui.open(made());
  ui.ws.traces = {{"test.lanes", "test.lanes", "1 kB"}, {"two.lanes", "two.lanes", "1 kB"}};
  ui.type("o");
  ui.step();
  CHECK_FALSE(ui.drawn("compare test.lanes"));  // with itself
  ui.click("compare two.lanes");
  CHECK(ui.ws.compare_request == "two.lanes");
  CHECK(ui.ws.open_request.empty());
  CHECK_FALSE(ui.ws.show_traces);
  ui.ws.compare_request.clear();
  ui.type("o");
  ui.step();
  ui.press(Key::down);
  ui.type("=");
  CHECK(ui.ws.compare_request == "two.lanes");
}

}  // namespace
}  // namespace lanescope::viz
