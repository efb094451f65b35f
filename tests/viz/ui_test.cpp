// SPDX-License-Identifier: MIT
// The window as a user works it: clicks, keys, words. Asserts on what is selected, not on pixels.
#include <string>

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

using synthetic::trace_of;

TEST_CASE("a click selects the element, its lane lights up everywhere") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  CHECK(ui.selected() == "");
  ui.click("A 9,5");
  CHECK(ui.selected() == "A 9,5");
  CHECK(ui.ws.selection.thread == 6);
  ui.click("B 3,4");
  CHECK(ui.selected() == "B 3,4");
  ui.click("D 15,7");
  CHECK(ui.selected() == "D 15,7");
  CHECK(ui.ws.selection.thread == 31);
}

TEST_CASE("the corners of every operand can be clicked") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  for (const char* corner : {"A 0,0", "A 0,15", "A 15,0", "A 15,15", "B 0,0", "B 0,7", "B 15,0",
                             "B 15,7", "D 0,0", "D 0,7", "D 15,0", "D 15,7"}) {
    ui.click(corner);
    CHECK(ui.selected() == corner);
  }
}

TEST_CASE("every cell and lane of the eight-bit shape can be clicked" *
          doctest::test_suite("twice")) {
  Ui ui;
  ui.open(trace_of({synthetic::kE4m3}));
  for (int row = 0; row < 16; row += 5)
    for (int col = 0; col < 32; col += 3) {
      const std::string cell = fmt::format("A {},{}", row, col);
      ui.click(cell);
      CHECK(ui.selected() == cell);
    }
  for (int lane = 0; lane < 32; ++lane) {
    ui.click(fmt::format("lane {}", lane));
    CHECK(ui.selected() == fmt::format("lane {}", lane));
  }
}

TEST_CASE("a click on a lane lights exactly what the lane holds") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("lane 13");
  CHECK(ui.ws.selection == select_lane(13));
  for (const char operand : {'A', 'B', 'D'}) {
    const layout::Fragment& map = *ui.in().map(operand);
    int lit = 0;
    for (int row = 0; row < map.rows; ++row)
      for (int col = 0; col < map.cols; ++col) {
        if (emphasis(ui.in(), ui.ws.selection, {}, operand, row, col) != Emphasis::lane) continue;
        ++lit;
        CHECK(ui.in().holder(operand, row, col).thread == 13);
      }
    CHECK(lit == map.values);
  }
}

TEST_CASE("a click beside the cells clears; a click in the inspector does not") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.click("copy code");
  CHECK(ui.selected() == "A 9,5");
  CHECK(std::string(ImGui::GetClipboardText()).find("int row = ") != std::string::npos);
  const Box a = ui.where("A 0,0");
  feed_mouse(a.left + 2, a.top - 8);  // the column numbers
  ui.step();
  ui.step();
  feed_button(true);
  ui.step();
  feed_button(false);
  ui.step();
  CHECK(ui.selected() == "");
}

TEST_CASE("hovering D shows what makes it and selects nothing") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.move_to("D 4,3");
  CHECK(ui.ws.hover == Hover{'D', 4, 3});
  CHECK(ui.selected() == "");
  CHECK(on_line(ui.in(), ui.ws.selection, ui.ws.hover, 'A', 4, 11));
  CHECK(on_line(ui.in(), ui.ws.selection, ui.ws.hover, 'B', 11, 3));
  ui.move_to("lane 7");
  CHECK(ui.ws.hover == Hover{});
  CHECK(ui.ws.hover_lane == 7);
}

TEST_CASE("arrows move the selection and stop at the edges") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.press(Key::down);  // nothing selected: the first element
  CHECK(ui.selected() == "A 0,0");
  ui.press(Key::down);
  ui.press(Key::right);
  CHECK(ui.selected() == "A 1,1");
  ui.press(Key::up);
  ui.press(Key::up);
  CHECK(ui.selected() == "A 0,1");
  ui.press(Key::left);
  ui.press(Key::left);
  CHECK(ui.selected() == "A 0,0");
}

TEST_CASE("Tab goes through the operands with the same lane, and back with Shift") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  for (const char operand : {'B', 'C', 'D', 'A'}) {
    ui.press(Key::tab);
    CHECK(ui.ws.selection.operand == operand);
    CHECK(ui.ws.selection.thread == 6);
  }
  ui.press(Key::tab, false, true);
  CHECK(ui.ws.selection.operand == 'D');
  CHECK(ui.ws.result == 'D');
  ui.press(Key::tab, false, true);
  CHECK(ui.ws.result == 'C');  // what is selected is shown
  CHECK(ui.drawn("C 0,0"));
}

TEST_CASE("slash finds elements, lanes and registers") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  for (const char* words : {"A 9,5", "lane 13", "A.r1.hi", "D 3,4", "lane 13 A.r1"}) {
    ui.find(words);
    CHECK(ui.selected() == words);
    CHECK_FALSE(ui.ws.message_is_error);
  }
}

TEST_CASE("nonsense in the search box says why and keeps the selection") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.find("A 99,5");
  CHECK(ui.selected() == "A 9,5");
  CHECK(ui.ws.message_is_error);
  CHECK(ui.ws.message == "A has no row 99: A has rows 0 to 15 and columns 0 to 15");
  ui.press(Key::escape);
  CHECK(ui.ws.message == "");
  ui.find("%s%n{}");
  CHECK(ui.ws.message.find("cannot read '%s%n{}'") == 0);
}

TEST_CASE("letters typed into the search box are not keys of the window") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.type("/");
  ui.step();
  ui.step();
  REQUIRE(ui.ws.searching);
  ui.type("tovr2?");
  CHECK(ui.ws.dark);
  CHECK_FALSE(ui.ws.show_keys);
  CHECK_FALSE(ui.ws.show_traces);
  CHECK(ui.ws.labels == LabelMode::lane);
  ui.press(Key::escape);
  CHECK_FALSE(ui.ws.searching);
}

TEST_CASE("Esc closes the keys first, then clears the selection") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.type("?");
  CHECK(ui.ws.show_keys);
  ui.press(Key::escape);
  CHECK_FALSE(ui.ws.show_keys);
  CHECK(ui.selected() == "A 9,5");
  ui.press(Key::escape);
  CHECK(ui.selected() == "");
}

TEST_CASE("Ctrl+C copies the selection as text, and says so when there is none") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ImGui::SetClipboardText("before");
  ui.press(Key::c, true);
  CHECK(std::string(ImGui::GetClipboardText()) == "before");
  CHECK(ui.ws.message_is_error);
  ui.click("A 13,11");
  ui.press(Key::c, true);
  CHECK(std::string(ImGui::GetClipboardText()) ==
        selection_text(ui.ws.model, ui.in(), ui.ws.selection));
  CHECK(std::string(ImGui::GetClipboardText()).find("A[13][11]") == 0);
  CHECK(ui.ws.message == "copied: A 13,11");
}

TEST_CASE("labels change by button and by key") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  const auto label = [&ui](char operand, std::size_t at) {
    ui.step();
    return labels(ui.ws, ui.in())
        .operands[static_cast<std::size_t>(operand_index(operand))]
        .cells[at];
  };
  const std::size_t at = 13 * 16 + 11;
  CHECK(label('A', at).first == "21");
  ui.click("label value");
  CHECK(ui.ws.labels == LabelMode::value);
  CHECK(label('A', at).first == "109.5");
  ui.click("label register");
  CHECK(label('A', at).first == "21");
  CHECK(label('A', at).second == "r3.hi");
  ui.click("label bits");
  CHECK(label('A', at).first == "56d8");
  ui.click("label both");
  CHECK(label('A', at).first == "21");
  CHECK(label('A', at).second == "109.5");
  ui.type("l");
  CHECK(ui.ws.labels == LabelMode::lane);
}

TEST_CASE("dark and light by button and by key") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("theme");
  CHECK_FALSE(ui.ws.dark);
  ui.type("t");
  CHECK(ui.ws.dark);
}

TEST_CASE("the other multiplications of a trace: by list and by key") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16, synthetic::kBf16, synthetic::kE4m3}));
  ui.click("A 9,5");
  ui.click("multiplication");
  ui.step();
  ui.click("multiplication 2");
  CHECK(ui.ws.current == 2);
  CHECK(ui.in().instruction->mnemonic == synthetic::kE4m3);
  CHECK(ui.selected() == "A 9,5");
  CHECK(ui.ws.selection.thread == 5);  // the map is another: so is the lane
  ui.step();
  ui.click("A 9,31");
  ui.type("[");
  CHECK(ui.ws.current == 1);
  CHECK(ui.selected() == "");  // bf16 has no column 31
  ui.type("]");
  ui.type("]");
  CHECK(ui.ws.current == 2);
}

TEST_CASE("C or D in the fourth corner") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  CHECK(ui.drawn("D 0,0"));
  CHECK_FALSE(ui.drawn("C 0,0"));
  ui.click("show C");
  ui.step();
  CHECK(ui.drawn("C 0,0"));
  ui.click("C 4,3");
  CHECK(ui.selected() == "C 4,3");
  ui.type("c");
  ui.step();
  CHECK(ui.drawn("D 0,0"));
}

TEST_CASE("registers of the lane: a click on one selects it") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("lane 21");
  ui.step();
  ui.click("register A.r3 hi");
  CHECK(ui.selected() == "A 13,11");
  ui.click("register A.r2");
  CHECK(ui.selected() == "lane 21 A.r2");
}

TEST_CASE("where words and registers share a panel, w goes through them all") {
  const layout::Instruction instruction = synthetic::warpgroup(64);
  Ui ui;
  trace::Trace trace;
  synthetic::add(trace, instruction, "D");  // A comes from shared memory
  ui.open(trace, [&](std::string_view) { return &instruction; });
  ui.ws.lesson = {"README.md", {"# A lesson"}};
  ui.click("lane 68");
  ui.step();
  CHECK(ui.drawn("tab registers"));
  CHECK(ui.drawn("register D.r0"));
  CHECK_FALSE(ui.drawn("register A.r0"));  // of A the trace has no bits
  CHECK_FALSE(ui.drawn("A 0,0"));          // ... and its registers are nobody's
  for (int turn = 0; turn < 4; ++turn) {
    ui.press(Key::tab);
    CHECK(ui.ws.selection.operand != 'A');
  }
  ui.click("lane 68");
  ui.step();
  ui.click("tab lesson");
  CHECK_FALSE(ui.ws.registers_shown);
  CHECK(ui.ws.tab == TextTab::lesson);
  ui.type("ww");  // source, trace
  CHECK(ui.ws.tab == TextTab::trace);
  ui.type("w");
  CHECK(ui.ws.registers_shown);
  ui.type("w");
  CHECK_FALSE(ui.ws.registers_shown);
  CHECK(ui.ws.tab == TextTab::lesson);
}

TEST_CASE("a narrow bar keeps the search box; labels have keys") {
  const layout::Instruction instruction = synthetic::warpgroup(16);
  trace::Trace trace;
  synthetic::add(trace, instruction, "D");
  Ui narrow(620, 600);
  narrow.open(trace, [&](std::string_view) { return &instruction; });
  CHECK(narrow.drawn("search"));
  CHECK_FALSE(narrow.drawn("label lane"));
}

TEST_CASE("the trace's own first selection is selected, nonsense in it is reported") {
  Ui ui;
  trace::Trace trace = trace_of({synthetic::kF16});
  std::get<trace::View>(trace.events[0]).selection = "B 3,4";
  ui.open(trace);
  CHECK(ui.selected() == "B 3,4");
  std::get<trace::View>(trace.events[0]).selection = "Z 1,2";
  ui.open(trace);
  CHECK(ui.selected() == "");
  CHECK(ui.ws.message_is_error);
}

TEST_CASE("a trace that cannot be read keeps what was shown") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  show_error(ui.ws, "bad.lanes:3: not JSON");
  ui.step();
  CHECK(ui.selected() == "A 9,5");
  CHECK(ui.ws.message == "bad.lanes:3: not JSON");
}

TEST_CASE("a trace without fragments, with strange events, is shown as words") {
  Ui ui;
  trace::Trace trace;
  trace.header.program = "nothing";
  trace.events.emplace_back(trace::Launch{});
  trace.events.emplace_back(trace::Memory{});
  trace.events.emplace_back(trace::Access{});
  trace.events.emplace_back(trace::Diagnostic{});
  ui.open(trace);
  CHECK(ui.ws.shown() == nullptr);
  CHECK(ui.ws.message_is_error);
  ui.press(Key::down);
  ui.press(Key::tab);
  ui.press(Key::c, true);
  ui.type("/lrvb2c[]?");
  ui.step();
  // With a step or an event of a pipeline there is something to look at.
  for (const trace::Event& event : {trace::Event{trace::Step{}}, trace::Event{trace::Sync{}}}) {
    trace.events.push_back(event);
    ui.open(trace);
    CHECK_FALSE(ui.ws.message_is_error);
    ui.press(Key::down);
    ui.press(Key::tab);
    ui.press(Key::c, true);
    ui.type("nkvb[]+-0");
    ui.step();
    trace.events.pop_back();
  }
}

TEST_CASE("a title of a megabyte, broken UTF-8 and control characters are drawn, quickly") {
  Ui ui;
  trace::Trace trace = trace_of({synthetic::kF16});
  auto& view = std::get<trace::View>(trace.events[0]);
  view.title = std::string(1 << 20, 'x');
  view.caption = std::string(1 << 20, '\xc3') + "\xff\x01\n\t%s";
  trace.header.command = view.caption;
  trace.events.emplace_back(trace::Diagnostic{{}, "kind", view.caption, {}, 0, {}, {}});
  ui.open(trace);
  ui.ws.tab = TextTab::trace;
  for (int frame = 0; frame < 3; ++frame) ui.step();
  CHECK(ui.vertices < 200000);  // not a megabyte of letters
  ui.click("A 9,5");
  CHECK(ui.selected() == "A 9,5");
}

TEST_CASE("the list of traces by keys: arrows and Enter, and nothing happens below it") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.ws.traces = {{"t/a.lanes", "a.lanes", "3 kB"}, {"t/b.lanes", "b.lanes", "4 kB"}};
  ui.type("o");
  ui.step();
  const std::string before = ui.selected();
  ui.press(Key::down);
  ui.press(Key::down);  // the last one
  ui.type("r");
  CHECK(ui.ws.labels == LabelMode::lane);
  CHECK(ui.selected() == before);
  ui.press(Key::up);
  ui.press(Key::down);
  ui.press(Key::enter);
  CHECK(ui.ws.open_request == "t/b.lanes");
  CHECK_FALSE(ui.ws.show_traces);
  ui.ws.traces.clear();
  ui.ws.open_request.clear();
  ui.type("o");
  ui.press(Key::down);
  ui.press(Key::enter);
  CHECK(ui.ws.open_request.empty());
}

TEST_CASE("the list of traces: a click asks for the file") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.ws.traces = {{"t/a.lanes", "a.lanes", "3 kB"}, {"t/b.lanes", "b.lanes", "4 kB"}};
  ui.click("open");
  ui.step();
  ui.click("trace b.lanes");
  CHECK(ui.ws.open_request == "t/b.lanes");
  CHECK_FALSE(ui.ws.show_traces);
}

}  // namespace
}  // namespace lanescope::viz
