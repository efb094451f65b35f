// SPDX-License-Identifier: MIT
// Two maps of the atlas beside each other, clicked and typed.
#include <doctest/doctest.h>

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kK8 = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
constexpr const char* kK16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kE4m3 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";

void open_two(Ui& ui, const char* a, const char* b) {
  open(ui, a);
  REQUIRE(show_maps(ui.ws, only_entry(a), only_entry(b)).empty());
  ui.step();
  ui.step();
}

TEST_CASE("the same element of both, at the same place of the picture") {
  Ui ui;
  open_two(ui, kK16, kE4m3);
  CHECK(ui.ws.page == Page::compare);
  CHECK(selected_words(ui.ws) == "A 0,0");
  ui.click("b 9,5");
  CHECK(selected_words(ui.ws) == "A 9,5");
  CHECK(ui.where("a 9,5").top == ui.where("b 9,5").top);
  CHECK(ui.ws.compare.shown.bits(0, 9, 5) == "lane 6, A.r1.hi (bits 16 to 31)");
  CHECK(ui.ws.compare.shown.bits(1, 9, 5) == "lane 5, A.r1.b1 (bits 8 to 15)");
  ui.click("difference 2");
  CHECK(selected_words(ui.ws) == "B 0,0");
}

TEST_CASE("both are in sight to their last column where a lane's number has room") {
  for (const ImVec2 size :
       {ImVec2{1024, 768}, {1280, 720}, {1440, 920}, {1920, 1080}, {2030, 1080}}) {
    CAPTURE(size.x);
    Ui ui(size.x, size.y);
    open_two(ui, kK16, kE4m3);
    const Box last = ui.where("b 0,31");
    CHECK(last.left + last.width < size.x - 16);
    if (ui.where("a 0,0").top != ui.where("b 0,0").top) continue;  // a stands above b
    CHECK(ui.where("a 0,31").left + last.width < ui.where("b 0,0").left - 16);
  }
}

TEST_CASE("the same lane of both") {
  Ui ui;
  open_two(ui, kK8, kK16);
  ui.click("compared lane 6");
  CHECK(selected_words(ui.ws) == "A lane 6");
  const Compared& shown = ui.ws.compare.shown;
  CHECK(shown.holds(0, 6, 9, 5));
  CHECK(shown.holds(1, 6, 9, 13));
  CHECK_FALSE(shown.holds(0, 6, 9, 13));  // a has no such column
  CHECK_FALSE(shown.holds(1, 5, 9, 13));
  ui.press(Key::down);
  CHECK(selected_words(ui.ws) == "B lane 6");
  ui.press(Key::right);
  CHECK(selected_words(ui.ws) == "B 0,0");
  ui.press(Key::escape);
  CHECK(selected_words(ui.ws) == "B");
  ui.press(Key::escape);
  CHECK(ui.ws.page == Page::atlas);
}

TEST_CASE("the pointer over a lane lights it on both sides, and the lanes stay under it") {
  Ui ui;
  open_two(ui, kK8, kK16);
  ui.click("a 9,5");
  const Box before = ui.where("compared lane 6");
  ui.move_to("compared lane 6");
  for (int frame = 0; frame < 4; ++frame) {
    ui.step();
    CHECK(ui.ws.compare.hover_lane == 6);
    CHECK(ui.where("compared lane 6").top == before.top);
  }
  ui.move_to("verdict");
  CHECK(ui.ws.compare.hover_lane == -1);
  CHECK(selected_words(ui.ws) == "A 9,5");
}

TEST_CASE("an operand that is held alike is walked through, too") {
  Ui ui;
  open_two(ui, kK8, kK16);
  ui.click("difference 3");
  CHECK(ui.ws.compare.shown.subject == "D");
  CHECK(ui.ws.compare.shown.differing == 0);
  ui.press(Key::right);
  CHECK(selected_words(ui.ws) == "D 0,1");
}

TEST_CASE("the search box takes an operand, an element, a lane, and says why not") {
  Ui ui;
  open_two(ui, kK16, kE4m3);
  ui.find("B 20,3");
  CHECK(selected_words(ui.ws) == "B 20,3");
  ui.find("lane 31");
  CHECK(selected_words(ui.ws) == "B lane 31");
  ui.find("A lane 4");
  CHECK(selected_words(ui.ws) == "A lane 4");
  ui.find("9,5");
  CHECK(selected_words(ui.ws) == "A 9,5");
  ui.find("d");
  CHECK(ui.ws.compare.shown.subject == "D");
  for (const char* wrong : {"A 16,0", "lane 32", "lane", "lane -1", "lane 3x", "Q 1,1", "A A",
                            "A lane", "9,", "E 0,0", "A 1,1,1", "%s%n", "99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_FALSE(search(ui.ws, wrong));
    CHECK(ui.ws.message_is_error);
    CHECK_FALSE(ui.ws.message.empty());
    CHECK(ui.ws.compare.shown.subject == "D");
  }
}

TEST_CASE("from the list: = and a click on beside; what cannot be is said") {
  Ui ui;
  begin(ui, Page::atlas);
  ui.type("=");
  CHECK(ui.ws.message_is_error);
  open_atlas(ui.ws, kK8);
  ui.step();
  ui.step();
  ui.click("beside");
  CHECK(ui.ws.page == Page::atlas);
  CHECK_FALSE(ui.ws.message_is_error);
  CHECK(ui.ws.atlas.filter.words.empty());  // the whole list
  ui.ws.atlas.filter.words = kK8;
  ui.step();
  ui.step();
  ui.type("=");
  CHECK(ui.ws.message_is_error);  // the one itself
  ui.ws.atlas.filter.words = kK16;
  ui.step();
  ui.step();
  ui.type("=");
  CHECK(ui.ws.page == Page::compare);
  CHECK(link_of(ui.ws) ==
        std::string("lanescope view --atlas ") + kK8 + " --beside " + kK16 + " --select 'A 0,0'");
  ui.type("=");
  CHECK(ui.ws.page == Page::atlas);
  ui.step();
  ui.step();
  ui.click("entry 0 beside");
  CHECK(ui.ws.page == Page::compare);
  ui.step();
  ui.step();
  ui.click("open b");
  CHECK(ui.ws.page == Page::entry);
  CHECK(ui.ws.atlas.entry.mnemonic() == kK16);
  CHECK_FALSE(show_maps(ui.ws, only_entry(kK16), only_entry("nonsense")).empty());
}

TEST_CASE("a lesson's words lead there, and Esc leads back to the lesson") {
  Ui ui;
  begin(ui, Page::trace);
  const LessonLink link =
      link_of("./learn view --atlas mma.m16n8k16.f32.f16 --beside wgmma m64n16k16.f32.f16.f16", 9);
  CHECK(link.other == "wgmma m64n16k16.f32.f16.f16");
  CHECK(does(link) ==
        "asks the atlas: mma.m16n8k16.f32.f16 beside wgmma m64n16k16.f32.f16.f16  (Esc: back)");
  follow(ui.ws, link);
  CHECK(ui.ws.page == Page::compare);
  CHECK(ui.ws.compare.made.of_maps());
  ui.step();
  ui.press(Key::escape);
  ui.press(Key::escape);
  CHECK(ui.ws.page == Page::trace);
  CHECK(link_of("./learn view --atlas mma --beside", 9).other.empty());
  CHECK(link_of("./learn view --atlas mma.m16n8k16.f32.f16", 9).other.empty());
  follow(ui.ws, link_of("./learn view --atlas mma --beside ldmatrix", 9));
  CHECK(ui.ws.message_is_error);  // not one instruction each
}

TEST_CASE("large and small maps, movers, small windows") {
  Ui ui;
  open_two(ui, kK16, "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16");
  ui.find("B");
  CHECK(ui.ws.compare.shown.rows == 0);  // one side has it in no registers
  ui.find("D");
  CHECK(ui.ws.compare.shown.rows == 64);
  CHECK(ui.ws.compare.shown.cols == 256);
  for (const ImVec2 size : {ImVec2(640, 400), ImVec2(300, 200), ImVec2(64, 64), ImVec2(2560, 1440)})
    ui.resize(size.x, size.y);
  open_two(ui, "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
           "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16");
  CHECK(ui.ws.compare.shown.rows == 32);
  ui.press(Key::right);
  CHECK(shown_as_svg(ui.ws).find("<svg") == 0);
}

}  // namespace
}  // namespace lanescope::viz
