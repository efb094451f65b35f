// SPDX-License-Identifier: MIT
// What has to share the room of a window: sides of a map, a tile's columns, steps and their source.
#include <cmath>
#include <string>

#include "panels/frame/arrangement.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE(
    "where 32 registers have no room they stand closer: a lane's row is its own, its columns say "
    "all") {
  for (const ImVec2 size : {ImVec2{1280, 720}, {1440, 920}}) {
    CAPTURE(size.x);
    Ui ui(size.x, size.y);
    ui.open(synthetic::trace_of({synthetic::kF16}));
    open_entry(ui.ws, only_entry("tcgen05.ld.sync.aligned.32x32b.x32.b32"));
    ui.step();
    ui.step();
    const Box last = ui.where("part 0 31");
    CHECK(last.left + last.width < ui.where("split").left - ImGui::GetStyle().ScrollbarSize);
    CHECK(last.width >= 14);  // room for two digits
    CHECK(ui.where("map 0 0,31").width >= 6);
    CHECK(ui.drawn("heading: of every lane: columns of its row"));
    ui.click("part 5 31");
    CHECK(ui.ws.map.pick == pick_element({5, 31, 0}));
    ui.press(Key::escape);
    ui.type("+");  // larger cells have room for all of it
    ui.step();
    ui.step();
    CHECK(ui.drawn("heading: of every lane"));
    // Here a lane's row is another's, too.
    open_entry(ui.ws, only_entry("tcgen05.ld.sync.aligned.16x128b.x16.b32"));
    ui.step();
    ui.step();
    CHECK_FALSE(ui.drawn("heading: of every lane: columns of its row"));
  }
}

TEST_CASE("where it ran is left out of the bar before a word of the one product is cut") {
  Ui ui(1280, 720);
  float whole = 0, brief = 0;  // the mnemonic, and its type and shape alone
  bool cut = false;
  for (std::size_t letters = 4; letters < 40; ++letters) {
    CAPTURE(letters);
    trace::Trace trace = synthetic::trace_of({synthetic::kF16});
    for (trace::Event& event : trace.events)
      if (auto* view = std::get_if<trace::View>(&event)) view->title.clear();
    trace.header.program = std::string(letters, 'm');
    ui.open(trace);
    ui.step();
    if (!ui.drawn("mnemonic")) break;
    const float width = ui.where("mnemonic").width;
    whole = std::max(whole, width);
    if (brief == 0 && width < whole) brief = width;
    if (brief == 0 || width >= brief) continue;
    cut = true;
    CHECK_FALSE(ui.drawn("device"));
  }
  CHECK(cut);
}

TEST_CASE("a tile that is scrolled down is not scrolled across, too, where its labels are short") {
  Ui ui(1280, 720);
  trace::Memory tile = recorded::tile();
  tile.rows = tile.cols = 64;
  tile.row_stride_bytes = 128;
  tile.bytes.assign(64 * 128, 0);
  trace::Trace trace = synthetic::trace_of({});
  trace.events.emplace_back(tile);
  ui.open(std::move(trace));
  REQUIRE(show(ui.ws, Shows::memory));
  ui.step();
  ui.step();
  const Box last = ui.where("cell 0,63");
  CHECK(last.left + last.width < ui.where("split").left - ImGui::GetStyle().ScrollbarSize);
  CHECK(ui.drawn("tile with labels"));
  CHECK_FALSE(ui.drawn("cell 63,63"));  // below the window
}

TEST_CASE("a line of source has room beside the steps of a window of 1920, not in a smaller one") {
  constexpr float kEm = 16;
  const auto at = [](float width) { return arrange_steps({0, 0, width, 900}, kEm, true, 0); };
  CHECK(at(1888).words.width >= 46 * kEm);
  CHECK(at(1888).step.width >= 32 * kEm);
  CHECK(at(1408).words.width == doctest::Approx(26.4f * kEm));
  CHECK(at(1408).step.width >= 31 * kEm);
  for (const float width : {1400.0f, 1500.0f, 1700.0f, 1888.0f, 2500.0f}) {
    CAPTURE(width);
    const StepsArrangement a = at(width);
    CHECK(a.list.width >= 20 * kEm);
    CHECK(a.words.left + a.words.width == doctest::Approx(width));
    CHECK(a.step.left + a.step.width <= a.words.left);
  }
}

TEST_CASE("the matrix of a warpgroup's sums says its type before it says where B is from") {
  const layout::Instruction instruction = synthetic::warpgroup(8);
  Ui ui(1280, 720);
  trace::Trace trace;
  synthetic::add(trace, instruction, "AD");
  ui.open(trace, [&](std::string_view) { return &instruction; });
  ui.click("D 9,5");
  CHECK(ui.drawn("heading D: 64 × 8  f32"));
}

TEST_CASE("the list of steps begins with a whole line, wherever one leads") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  for (int k = 0; k < 300; ++k)
    trace.events.emplace_back(
        recorded::step(0, k, "add.s32 %r1, %r1, 1;", 1 + k % 9, {recorded::write("%r1")}));
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  const Box first = ui.where("step 0");
  for (const int step : {60, 133, 250}) {
    CAPTURE(step);
    ui.find("step " + std::to_string(step));
    ui.step();
    const float lines = (ui.where("step " + std::to_string(step)).top - first.top) / first.height;
    CHECK(lines == doctest::Approx(std::round(lines)));
  }
}

TEST_CASE("a pipeline of few rows takes of the room that there is") {
  Ui ui(1280, 720);
  ui.open(recorded::pipeline());
  CHECK(ui.where("span 1,0").height > 2.4f * 16);
}

}  // namespace
}  // namespace lanescope::viz
