// SPDX-License-Identifier: MIT
// Large matrices, small windows, larger and smaller cells: what has to stay in sight does.
#include <set>
#include <string>

#include "tests/viz/laid_out.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

using synthetic::trace_of;

TEST_CASE("a warpgroup's accumulator: 64 x 256 cells in 128 threads" *
          doctest::test_suite("twice")) {
  const layout::Instruction instruction = synthetic::warpgroup(256);
  Ui ui;
  trace::Trace trace;
  synthetic::add(trace, instruction);
  ui.open(trace, [&](std::string_view) { return &instruction; });
  REQUIRE(ui.ws.model.multiplications.size() == 1);
  CHECK(ui.vertices > 3 * 4 * 1024);  // a plain rectangle a cell that is in sight
  CHECK(ui.drawn("heading D: 64 × 256  f32   B from shared memory"));
  for (const char* half :
       {"64 × 1", "64 × ", "64 ×", "64 "})  // of A's 64 × 16: whole or not at all
    CHECK_FALSE(ui.drawn(std::string("heading A: ") + half));
  ui.click("D 10,20");
  CHECK(ui.selected() == "D 10,20");
  ui.click("lane 77");
  CHECK(ui.ws.selection == select_lane(77));
  ui.find("D 63,255");  // out of sight: the cross scrolls to it
  CHECK(ui.selected() == "D 63,255");
  ui.step();
  ui.step();
  const Box box = ui.where("D 63,255");
  CHECK(box.left > 0);
  CHECK(box.left < 1440);
  CHECK(box.top < 920);
  ui.find("lane 127");
  CHECK(ui.ws.selection == select_lane(127));
  for (int press = 0; press < 4; ++press) ui.press(Key::tab);
  CHECK(ui.ws.selection.operand == 'D');
  for (LabelMode mode : {LabelMode::reg, LabelMode::value, LabelMode::hex, LabelMode::both}) {
    ui.ws.labels = mode;
    ui.step();
  }
}

TEST_CASE("every size of window is drawn, and what fits can be clicked") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16, synthetic::kE4m3}));
  for (const float width : {1.0f, 40.0f, 200.0f, 500.0f, 760.0f, 1000.0f, 1900.0f, 3800.0f})
    for (const float height : {1.0f, 60.0f, 200.0f, 500.0f, 900.0f, 2100.0f})
      for (const char* words : {"", "lane 13", "A 9,5", "A.r1"}) {
        ui.ws.selection = {};
        if (words[0] != '\0') REQUIRE(search(ui.ws, words));
        ui.resize(width, height);
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(std::string(words));
        CHECK(misdrawn(ui, width >= 1000 && height >= 500) == "");
      }
  ui.ws.selection = {};
  ui.resize(760, 600);
  ui.click("A 0,0");
  CHECK(ui.selected() == "A 0,0");
}

TEST_CASE("every view of a trace has its panels beside each other, and nothing cut off") {
  Ui ui;
  ui.ws.lesson = {"README.md", {"# Words", "of a lesson"}};
  ui.open(recorded::everything());
  for (const Shows shows : {Shows::fragments, Shows::memory, Shows::steps, Shows::pipeline})
    for (const ImVec2 size : {ImVec2{320, 200}, {760, 600}, {1280, 720}, {1440, 920}, {2560, 1440}})
      for (const bool reading : {false, true}) {
        show(ui.ws, shows);
        ui.ws.reading = reading;
        ui.resize(size.x, size.y);
        CAPTURE(size.x);
        CAPTURE(size.y);
        CAPTURE(static_cast<int>(shows));
        CHECK(misdrawn(ui, size.x >= 1280) == "");
      }
}

TEST_CASE("Ctrl and the wheel make cells larger and smaller, 0 as they were") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  const float before = ui.where("A 0,0").height;
  ui.move_to("A 3,3");
  feed_modifiers(true, false);
  feed_wheel(3);
  ui.step();
  ui.step();
  ui.step();
  feed_modifiers(false, false);
  ui.step();
  CHECK(ui.where("A 0,0").height > before);
  ui.type("0");
  ui.step();
  CHECK(ui.where("A 0,0").height == before);
}

TEST_CASE("larger cells keep the selected one in sight") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.find("D 15,7");
  for (int times = 0; times < 6; ++times) ui.type("+");
  ui.step();
  ui.step();
  const Box cell = ui.where("D 15,7");
  CHECK(cell.width > 60);
  CHECK(cell.left + cell.width < 1440 * 0.6f);  // not below the inspector
  CHECK(cell.left > 0);
  CHECK(cell.top + cell.height < 920);
}

TEST_CASE("the legend is there in every window that has room for it, below the cells") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  const float below = ui.where("A 15,0").top + ui.where("A 15,0").height;
  CHECK(ui.where("legend").top >= below);
  ui.resize(1024, 640);
  CHECK(ui.drawn("legend"));
  ui.resize(300, 200);
  CHECK_FALSE(ui.drawn("legend"));
}

TEST_CASE("the legend says what small cells leave out, and does not promise it") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  ui.ws.labels = LabelMode::reg;
  ui.resize(2600, 1600);
  CHECK(ui.drawn("legend: in a cell: its lane and register"));
  ui.resize(1024, 600);
  CHECK_FALSE(ui.drawn("legend: in a cell: its lane and register"));
  CHECK(ui.drawn("legend: register; + zooms in"));
  ui.ws.labels = LabelMode::lane;
  ui.step();
  CHECK(ui.drawn("legend: number and colour: its lane"));
}

TEST_CASE("a legend without room for all its words says all of it briefly") {
  Ui ui(1900, 1200);
  ui.open(trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.move_to("A 3,4");
  for (const char* words :
       {"number and colour: its lane", "selected", "same lane", "meets it, or is made"})
    CHECK(ui.drawn(std::string("legend: ") + words));
  ui.resize(1024, 700);
  for (const char* words : {"number: lane", "selected", "same lane", "meets it"})
    CHECK(ui.drawn(std::string("legend: ") + words));
}

TEST_CASE("a small window has a bar with the title in it, and the labels as a list") {
  Ui ui(1500, 640);
  trace::Trace trace = trace_of({synthetic::kF16, synthetic::kF16});
  std::get<trace::View>(trace.events[0]).title = "01 Fragment layout";
  ui.open(trace);
  float least = 0;
  for (float width = 1500; width > 1000; width -= 20) {
    CAPTURE(width);
    ui.resize(width, 640);
    CHECK(ui.drawn("title"));
    CHECK(ui.drawn("label bits") != ui.drawn("labels"));
    if (ui.drawn("label bits")) least = width;
  }
  REQUIRE(least > 1000);
  ui.click("labels");
  ui.step();
  ui.step();
  ui.click("label bits");
  CHECK(ui.ws.labels == LabelMode::hex);
  CHECK(ui.where("title").left + ui.where("title").width < ui.where("labels").left);
}

TEST_CASE("a warpgroup that is scrolled anyway has cells for three digits") {
  const layout::Instruction instruction = synthetic::warpgroup(16);
  Ui ui(1024, 640);
  trace::Trace trace;
  synthetic::add(trace, instruction, "D");
  ui.open(trace, [&](std::string_view) { return &instruction; });
  CHECK(ui.where("D 0,0").width >= 20);
}

TEST_CASE("A and D of a warpgroup are in sight to their last column in a window of 1280") {
  const layout::Instruction instruction = synthetic::warpgroup(16);
  Ui ui(1280, 720);
  trace::Trace trace;
  synthetic::add(trace, instruction, "AD");
  ui.open(trace, [&](std::string_view) { return &instruction; });
  ui.click("D 9,5");
  const Box last = ui.where("D 9,15");
  CHECK(last.left + last.width < ui.where("split").left - ImGui::GetStyle().ScrollbarSize);
  CHECK(last.width >= 17);  // room for three digits
}

TEST_CASE("letters on lanes are explained above them, in a wide window and in a small one") {
  Ui ui(1900, 1200);
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK(ui.drawn("warp: 8 groups × 4 threads"));
  ui.click("A 9,5");
  ui.step();
  CHECK(ui.drawn("warp: 8 groups × 4 threads    A B D: what a lane has of it"));
  ui.resize(1024, 640);
  CHECK(ui.drawn("warp: A B D: what a lane has of it"));
}

TEST_CASE("the legend says what is lit by the pointer, whatever is selected") {
  Ui ui(1900, 1200);
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK(ui.drawn("legend: click a cell or a lane"));
  ui.move_to("D 3,4");
  CHECK(ui.drawn("legend: what makes it"));
  ui.click("lane 13");
  ui.step();
  CHECK(ui.drawn("legend: what lane 13 holds"));
  CHECK_FALSE(ui.drawn("legend: what makes it"));
  ui.move_to("D 3,4");
  CHECK(ui.drawn("legend: what makes it"));
  ui.move_to("A 3,4");
  CHECK(ui.drawn("legend: meets it, or is made"));
}

TEST_CASE("a lane's registers do not spread over a wide window") {
  Ui ui(2560, 1440);
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  ui.step();
  const Box low = ui.where("register A.r1 lo"), high = ui.where("register A.r1 hi");
  CHECK(high.left == low.left + low.width);
  CHECK(low.width < 200);
}

TEST_CASE("text is broken at blanks: an element's numbers stay together") {
  Ui ui;
  const Font font{ImGui::GetIO().Fonts->Fonts[0], 16};
  const auto width = [&](const char* words) { return text_width(font, words) + 1; };
  CHECK(wrapped(font, "write matrix 0 3,5 or lane 13", width("write matrix 0 3,")) ==
        "write matrix 0\n3,5 or lane 13");
  CHECK(wrapped(font, "a b\n  c d", width("  c")) == "a b\n  c\nd");
  CHECK(wrapped(font, "short", 1000) == "short");
  // Too long for a line: behind a dot, as before.
  CHECK(wrapped(font, "of mma.sync.aligned.m16n8k16", width("mma.sync.aligned.m")) ==
        "of\nmma.sync.aligned.\nm16n8k16");
  CHECK(wrapped(font, "ab", 1).find('a') != std::string::npos);
}

// Scrolled down and sideways: only the former moves anything.
void stays_left(Ui& ui) {
  open_atlas(ui.ws, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  for (int frame = 0; frame < 3; ++frame) ui.step();
  ui.move_to("A 9,5");
  const Box before = ui.where("A 9,5");
  feed_wheel(1);
  ui.step();
  ui.step();
  CHECK(ui.where("A 9,5").top > before.top);
  feed_modifiers(false, true);  // Shift: sideways
  for (const float notches : {-5.0f, 5.0f}) {
    feed_wheel(notches);
    ui.step();
    ui.step();
    CHECK(ui.where("A 9,5").left == before.left);
  }
  feed_modifiers(false, false);
}

TEST_CASE("a cross that is too high for its room is not too wide besides, for its scroll bar" *
          doctest::test_suite("twice")) {
  for (float width = 952; width < 1112; width += 4) {
    CAPTURE(width);
    Ui ui(width, 560);
    stays_left(ui);
  }
}

TEST_CASE("examples in a search box are whole, or not there") {
  Ui ui;
  ui.open(trace_of({synthetic::kF16}));
  const std::string all = "/  m16n8 s4    fp8 16x8    HMMA.16816.F32    ldmatrix trans";
  go_to(ui.ws, Page::atlas);
  ui.resize(1440, 920);
  CHECK(ui.drawn("hint: " + all));
  std::set<std::string> seen;
  for (float width = 1440; width > 300; width -= 10) {
    ui.resize(width, 920);
    int whole = 0;
    for (const char* end : {"/", "/  m16n8 s4", "fp8 16x8", "HMMA.16816.F32", "ldmatrix trans"}) {
      const std::string shown = all.substr(0, all.find(end) + std::string(end).size());
      if (ui.drawn("hint: " + shown)) seen.insert(end), ++whole;
    }
    if (ui.drawn("search")) CHECK(whole == 1);
  }
  CHECK(seen.size() > 2);
}

TEST_CASE("what wrote a register is named within the panel, however narrow") {
  trace::Trace trace = recorded::everything();
  for (trace::Event& event : trace.events)
    if (auto* step = std::get_if<trace::Step>(&event); step != nullptr && step->step == 12)
      step->step = 1'234'567'890'123;  // as long as wgmma.wait_group
  for (const float width : {1440.0f, 1000.0f, 800.0f}) {
    CAPTURE(width);
    Ui ui(width, 700);
    ui.open(trace);
    show(ui.ws, Shows::fragments);
    ui.find("A 9,5");
    ui.step();
    const Box box = ui.where("written");
    CHECK(box.left + box.width <= width - 16);
    CHECK(box.width > 100);
  }
}

TEST_CASE("where the lesson's page has no room, a button brings it") {
  for (const ImVec2 size : {ImVec2{900, 560}, {1024, 700}, {1280, 800}, {1440, 920}}) {
    CAPTURE(size.x);
    Ui ui(size.x, size.y);
    ui.ws.sources["lesson.cu"] = {"lesson.cu", {"line"}};
    ui.open(recorded::everything());
    ui.ws.lesson = {"README.md", {"# A lesson"}};
    for (const Shows shows : {Shows::fragments, Shows::memory, Shows::steps, Shows::pipeline}) {
      CAPTURE(name_of(shows));
      show(ui.ws, shows);
      for (int frame = 0; frame < 3; ++frame) ui.step();
      const std::string button = shows == Shows::steps ? "words source" : "words lesson";
      CHECK(ui.drawn("words") != ui.drawn(button));
      if (ui.drawn("words")) continue;
      ui.click(button);
      ui.step();
      CHECK(ui.drawn("words"));
      CHECK_FALSE(ui.drawn(button));
      ui.press(Key::escape);
      CHECK_FALSE(ui.ws.reading);
    }
  }
}

TEST_CASE("a bar too narrow for its buttons leaves out those that would lie over the tabs") {
  Ui ui(900, 400);
  ui.open(recorded::everything());
  CHECK(ui.drawn("atlas"));
  for (float width = 900; width > 240; width -= 20) {
    CAPTURE(width);
    ui.resize(width, 400);
    const Box last = ui.where("view pipeline");
    for (const char* name : {"atlas", "open", "theme"})
      if (ui.drawn(name)) CHECK(ui.where(name).left >= last.left + last.width);
    CHECK(ui.drawn("keys"));
  }
  CHECK_FALSE(ui.drawn("atlas"));
}

TEST_CASE("a swizzled tile whose rows are lines of memory stands over them") {
  Ui ui;
  begin(ui, Page::swizzle);
  for (const ImVec2 size : {ImVec2{1440.0f, 920.0f}, {1024.0f, 700.0f}, {1920.0f, 1200.0f}}) {
    ui.resize(size.x, size.y);
    for (int unit = 0; unit < 4; ++unit) {
      CAPTURE(size.x);
      CAPTURE(unit);
      const Box below = ui.where("unit " + std::to_string(unit));
      const Box first = ui.where("element 0," + std::to_string(8 * unit));
      const Box last = ui.where("element 0," + std::to_string(8 * unit + 7));
      CHECK(below.left == doctest::Approx(first.left));
      CHECK(below.left + below.width == doctest::Approx(last.left + last.width));
    }
  }
}

TEST_CASE("a swizzled tile and what a descriptor fetches are whole in a window of 1280") {
  Ui ui(1280, 720);
  begin(ui, Page::swizzle);
  ui.find("128B K 16 8x64");
  ui.click("element 7,63");  // the inspector does not lie over it
  CHECK((ui.ws.swizzle.mn == 7 && ui.ws.swizzle.k == 63));
  const Box heading = ui.where("eight lanes heading");  // is not cut, but goes on below
  CHECK(heading.left + heading.width < 1280 - 16);
  CHECK(heading.height > 1.5f * 16);
  go_to(ui.ws, Page::descriptor);
  ui.step();
  ui.step();
  const Box fetched = ui.where("fetch 0,15");
  CHECK(fetched.left + fetched.width < 1280 - ImGui::GetStyle().ScrollbarSize - 1.6f * 16);
  CHECK(ui.ws.descriptor.fetch.rows == 64);  // more than fit: there is a scroll bar
}

TEST_CASE(
    "the lanes of a map are in sight to their last value, if the words beside it can spare that") {
  constexpr const char* kSparse = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
  constexpr const char* kFactors = "tcgen05.mma.cta_group::2.block_scale.sfb.m256.n64";
  for (const ImVec2 size : {ImVec2{1280, 720}, {1440, 920}, {1920, 1080}}) {
    CAPTURE(size.x);
    Ui ui(size.x, size.y);
    ui.open(synthetic::trace_of({synthetic::kF16}));
    const auto last_is_in_sight = [&](const char* entry, const char* words, const char* part) {
      open_entry(ui.ws, only_entry(entry));
      ui.step();
      if (words[0] != '\0') ui.find(words);
      ui.step();
      const Box last = ui.where(part);
      CHECK(last.left + last.width < ui.where("split").left - ImGui::GetStyle().ScrollbarSize);
      CHECK(last.width >= 1.5f * 16);                    // room for its words
      CHECK(size.x - ui.where("split").left > 19 * 16);  // they are still to be read
    };
    last_is_in_sight(kSparse, "E lane 4", "part 0 15");
    last_is_in_sight(kFactors, "", "part 0 7");
  }
}

TEST_CASE("registers of one element stand close: all 32 are in sight in a window of 1920") {
  Ui ui(1920, 1080);
  ui.open(synthetic::trace_of({synthetic::kF16}));
  open_entry(ui.ws, only_entry("tcgen05.ld.sync.aligned.32x32b.x32.b32"));
  ui.step();
  ui.step();
  const Box a = ui.where("part 0 0"), b = ui.where("part 0 1");
  CHECK(b.left - a.left - a.width < 0.3f * 16);
  const Box last = ui.where("part 0 31");
  CHECK(last.left + last.width < ui.where("split").left - ImGui::GetStyle().ScrollbarSize);
}

TEST_CASE("the heading of a lane's registers leaves out what has no room") {
  Ui ui(1920, 1080);
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  CHECK(ui.drawn("low bits first"));
  for (int presses = 0; presses < 20; ++presses) ui.type(">");
  ui.step();
  CHECK_FALSE(ui.drawn("low bits first"));
  CHECK(ui.drawn("row,col value"));
}

TEST_CASE("of many registers the selected one is in sight, whole" * doctest::test_suite("twice")) {
  Ui ui;
  const layout::Instruction large = synthetic::warpgroup(64);
  trace::Trace trace = synthetic::trace_of({});
  synthetic::add(trace, large, "D");
  ui.open(std::move(trace), [&large](std::string_view) { return &large; });
  for (const char* words : {"lane 5 D.r31", "lane 5 D.r0", "lane 5 D.r16"}) {
    ui.find(words);
    ui.step();
    ui.step();
    const std::string name = std::string("register ") + (words + 7);
    CAPTURE(name);
    const Box row = ui.where(name);
    CHECK(row.top >= 0);
    CHECK(row.top + row.height <= 920 - 2 * 16);
  }
}

}  // namespace
}  // namespace lanescope::viz
