// SPDX-License-Identifier: MIT
// Alt and the arrows lead back to what was looked at before, and forward again.
#include <doctest/doctest.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

void back(Ui& ui) { ui.press(Key::left, false, false, true); }
void forward(Ui& ui) { ui.press(Key::right, false, false, true); }
void pause(Ui& ui) {
  for (int k = 0; k < 90; ++k) ui.step();  // a second and a half
}

}  // namespace

TEST_CASE("back from element to element, and forward again") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.click("lane 13");
  ui.click("D 4,3");
  CHECK(ui.selected() == "D 4,3");
  back(ui);
  CHECK(ui.selected() == "lane 13");
  back(ui);
  CHECK(ui.selected() == "A 9,5");
  forward(ui);
  CHECK(ui.selected() == "lane 13");
  back(ui);
  back(ui);
  CHECK(ui.selected().empty());
  back(ui);
  CHECK(ui.ws.message == "nothing was looked at before");
  forward(ui);
  CHECK(ui.selected() == "A 9,5");
  ui.click("B 2,1");  // from here on another way
  forward(ui);
  CHECK(ui.ws.message == "nothing was looked at later");
  CHECK(ui.selected() == "B 2,1");
  back(ui);
  CHECK(ui.selected() == "A 9,5");
  ui.find("A 3,4");
  back(ui);
  CHECK(ui.selected() == "A 9,5");
  CHECK(std::string(ui.ws.search.data()).empty());
}

TEST_CASE("buttons lead back and forward, on every page; a narrow bar leaves that to the keys") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.click("lane 13");
  ui.click("atlas");
  ui.step();
  ui.click("page swizzle");
  ui.step();
  ui.click("history back");
  CHECK(ui.ws.page == Page::atlas);
  ui.step();
  ui.click("history back");
  CHECK(ui.ws.page == Page::trace);
  CHECK(ui.selected() == "lane 13");
  ui.step();
  ui.click("history back");
  CHECK(ui.selected() == "A 9,5");
  ui.click("history forward");
  CHECK(ui.selected() == "lane 13");
  for (int k = 0; k < 4; ++k) ui.click("history back");
  CHECK(ui.selected().empty());
  CHECK(ui.ws.message.empty());  // one sees that nothing is there: nothing is said
  ui.resize(1000, 700);
  CHECK_FALSE(ui.drawn("history back"));
}

TEST_CASE("arrows in a row are one move, and without Alt they move the selection" *
          doctest::test_suite("twice")) {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  pause(ui);
  for (int k = 0; k < 4; ++k) ui.press(Key::down);
  CHECK(ui.selected() == "A 13,5");
  back(ui);
  CHECK(ui.selected() == "A 9,5");
  forward(ui);
  CHECK(ui.selected() == "A 13,5");
  pause(ui);
  ui.press(Key::down);
  pause(ui);
  ui.press(Key::down);
  back(ui);
  CHECK(ui.selected() == "A 14,5");
  back(ui);
  CHECK(ui.selected() == "A 13,5");
}

TEST_CASE("back through views and pages: each as it was") {
  Ui ui;
  ui.open(recorded::everything());
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.click("A 9,5");
  ui.click("view memory");
  ui.click("cell 9,5");
  ui.type("]");  // the other tile
  CHECK(ui.ws.memory.current == 1);
  ui.click("view steps");
  ui.press(Key::end);
  const int item = ui.ws.steps.place.item;
  ui.click("atlas");
  open_atlas(ui.ws, synthetic::kF16);
  ui.step();
  ui.step();
  ui.click("B 2,1");
  CHECK(ui.ws.page == Page::entry);
  ui.type("s");
  ui.step();
  CHECK(ui.ws.page == Page::swizzle);
  back(ui);
  CHECK(ui.ws.page == Page::entry);
  CHECK(ui.selected() == "B 2,1");
  back(ui);
  CHECK(ui.selected().empty());
  while (ui.ws.page != Page::trace) back(ui);
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(ui.ws.steps.place.item == item);
  while (ui.ws.shows != Shows::memory) back(ui);
  CHECK(ui.ws.memory.current == 1);
  back(ui);
  CHECK(ui.ws.memory.current == 0);
  CHECK(ui.ws.memory.row == 9);
  while (ui.ws.shows != Shows::fragments) back(ui);
  CHECK(ui.selected() == "A 9,5");
}

TEST_CASE("another trace has a past of its own; a list over the window keeps the keys") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.type("?");
  back(ui);
  ui.type("?");
  CHECK(ui.selected() == "A 9,5");
  ui.open(recorded::steps());
  back(ui);
  CHECK(ui.ws.message == "nothing was looked at before");
}

TEST_CASE("Ctrl+Shift+C copies the command that shows this again, Ctrl+C alone what is selected") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.press(Key::c, true, true);
  CHECK(std::string(ImGui::GetClipboardText()) == "lanescope view test.lanes --select 'A 9,5'");
  CHECK(ui.ws.message == "copied: lanescope view test.lanes --select 'A 9,5'");
  ui.press(Key::c, true);
  CHECK(std::string(ImGui::GetClipboardText()).find("A[9][5]") == 0);
  ui.ws.trace_path = "it's here.lanes";
  ui.press(Key::c, true, true);
  CHECK(std::string(ImGui::GetClipboardText()) ==
        "lanescope view 'it'\\''s here.lanes' --select 'A 9,5'");
}

}  // namespace lanescope::viz
