// SPDX-License-Identifier: MIT
// Words to find something, typed where the bar above has no room for the box: in the line below.
// What they find is asked page by page, in the tests of the pages.
#include <doctest/doctest.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

/// It stands in the line below, not in the bar, and the window has all of it.
void check_below(Ui& ui) {
  const Box box = ui.where("search");
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  CHECK(box.top > window.y / 2);
  CHECK(box.top + box.height <= window.y);
  CHECK(box.left >= 0);
  CHECK(box.left + box.width <= window.x);
}

TEST_CASE("in a small window '/' opens the search in the line below, and letters are no keys") {
  Ui ui(420, 400);
  ui.open(recorded::everything());
  show(ui.ws, Shows::fragments);
  ui.step();
  CHECK_FALSE(ui.drawn("search"));
  ui.type("/");
  ui.step();
  check_below(ui);
  ui.type("B 3,4");
  CHECK_FALSE(ui.drawn("status: "));
  CHECK(ui.ws.page == Page::trace);
  ui.press(Key::enter);
  ui.step();
  CHECK(ui.selected() == "B 3,4");
  CHECK_FALSE(ui.drawn("search"));
  ui.type("i");  // a key again
  CHECK(ui.ws.shows == Shows::steps);
}

TEST_CASE("Escape and another page take the search out of the line below") {
  Ui ui(640, 400);  // 1280 x 800, everything twice as large
  for (const Page page : {Page::atlas, Page::swizzle, Page::descriptor}) {
    begin(ui, page);
    ui.type("/");
    ui.step();
    check_below(ui);
    ui.press(Key::escape);
    ui.step();
    CHECK_FALSE(ui.drawn("search"));
    CHECK(ui.ws.page == page);
    ui.type("/");
    ui.step();
    CHECK(ui.drawn("search"));
    go_to(ui.ws, page == Page::atlas ? Page::swizzle : Page::atlas);
    ui.step();
    CHECK_FALSE(ui.drawn("search"));
  }
  begin(ui, Page::swizzle);
  ui.find("64B K 16 8x64");
  CHECK(words_of(ui.ws.swizzle.form) == "64B K 16 8x64");
}

TEST_CASE("where there is nothing to find '/' opens nothing") {
  Ui ui(420, 400);
  ui.step();
  ui.type("/");
  ui.step();
  CHECK_FALSE(ui.drawn("search"));
  CHECK_FALSE(ui.ws.focus_search);
}

}  // namespace
}  // namespace lanescope::viz
