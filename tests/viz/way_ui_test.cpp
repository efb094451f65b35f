// SPDX-License-Identifier: MIT
// The way of the selected element in the inspector: every stop leads to its step.
#include <doctest/doctest.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {

TEST_CASE("a stop on the way of an element leads to its step, with its lane framed") {
  Ui ui;
  ui.open(recorded::way());
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.step();
  CHECK(!ui.drawn("way 0"));
  ui.click("A 9,5");
  ui.step();
  CHECK(ui.drawn("way 3"));
  CHECK(!ui.drawn("way 4"));
  CHECK(!ui.drawn("written"));  // its way says it, and once is enough
  ui.click("way 1");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(words_of(ui.ws.steps.list, ui.ws.steps.place) == "warp 0 step 3");
  CHECK(ui.ws.steps.lane == 3);
  ui.type("f");
  ui.step();
  ui.click("A 9,4");  // another element has another way
  ui.step();
  CHECK(!ui.drawn("way 3"));
  CHECK(ui.drawn("way 1"));
  ui.find("lane 6 A.r1");  // a register has no way of its own
  ui.step();
  CHECK(!ui.drawn("way 0"));
  CHECK(ui.drawn("written"));
}

TEST_CASE("in a low window its way stands above what every product has, and keys scroll to that") {
  Ui ui(1280, 720);
  ui.open(recorded::way());
  show(ui.ws, Shows::fragments);
  ui.find("A 9,5");
  ui.step();
  const auto in_sight = [&ui](const char* name) {
    const Box box = ui.where(name);
    return box.top > 40 && box.top + box.height < 690;
  };
  CHECK(in_sight("way 3"));
  CHECK(ui.where("way 3").top < ui.where("closer 0").top);
  CHECK_FALSE(in_sight("copy code"));
  ui.press(Key::page_down, false, true);
  ui.step();
  CHECK(in_sight("copy code"));
  ui.press(Key::page_down);  // the words beside it
  ui.step();
  CHECK(in_sight("copy code"));
  ui.press(Key::page_up, false, true);
  ui.step();
  CHECK_FALSE(in_sight("copy code"));
  CHECK(in_sight("way 0"));
}

TEST_CASE("an element without a way says why, and what to look at next") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.find("A 9,5");
  ui.step();
  CHECK(ui.drawn("no way"));
  CHECK(ui.ws.steps.no_way ==
        "not told: this trace has no steps; lanescope run --steps records them");
  ui.click("closer 0");
  CHECK(ui.selected() == "D 9,0");
  ui.step();
  ui.click("closer 1");
  CHECK(ui.selected() == "B 0,0");
  ui.open(recorded::way());
  show(ui.ws, Shows::fragments);
  ui.find("A 9,5");
  ui.step();
  CHECK(!ui.drawn("no way"));
  CHECK(ui.drawn("closer 1"));
}

TEST_CASE("a clicked lane of a step has the way of what it holds in that register") {
  Ui ui(1440, 2400);
  ui.open(recorded::way());
  show(ui.ws, Shows::steps);
  search(ui.ws, "step 4");
  ui.step();
  ui.step();
  CHECK(!ui.drawn("way of 1 0"));
  ui.click("write 1 lane 6");
  ui.step();
  CHECK(ui.drawn("way of 0 0"));
  CHECK(ui.drawn("way of 1 3"));
  ui.click("write 0 lane 6");  // another register
  ui.step();
  CHECK(!ui.drawn("way of 1 3"));
  ui.click("write 1 lane 6");
  ui.step();
  ui.click("way of 1 1");
  CHECK(words_of(ui.ws.steps.list, ui.ws.steps.place) == "warp 0 step 3");
  CHECK(ui.ws.steps.lane == 3);
  ui.step();
  CHECK(!ui.drawn("way of 1 0"));  // the lane is framed here, but nothing was clicked
}

TEST_CASE(
    "B of a wgmma is found by words: the inspector says where it lies, D's column lights up") {
  Ui ui;
  ui.open(synthetic::trace_of({"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"}));
  ui.find("B 9,5");
  CHECK(ui.selected() == "B 9,5");
  CHECK(on_line(ui.in(), ui.ws.selection, ui.ws.hover, 'D', 20, 5));
  ui.move_to("D 20,5");  // what is hovered of it is one product
  ui.press(Key::down);
  CHECK(ui.selected() == "B 10,5");
  ui.press(Key::tab);
  CHECK(ui.selected() == "D 0,0");
  ui.click("A 9,5");
  CHECK(ui.selected() == "A 9,5");
}

TEST_CASE("Ctrl+C copies the way with the element") {
  Ui ui;
  ui.open(recorded::way());
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.click("A 9,5");
  ui.press(Key::c, true);
  const std::string copied = ImGui::GetClipboardText();
  CHECK(copied.find("its way\n    step 2  ld.global: ") != std::string::npos);
  CHECK(copied.find("    step 5  mma: for D[9][0] to D[9][7]\n") != std::string::npos);
}

}  // namespace lanescope::viz
