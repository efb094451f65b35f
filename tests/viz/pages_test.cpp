// SPDX-License-Identifier: MIT
// The pages of the atlas as a user works them: clicks, keys, words, nonsense, every size of window.
#include <set>
#include <string>

#include "panels/look/cell_grid.hpp"
#include "tests/viz/laid_out.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kSparse =
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
constexpr const char* kScaled =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
    "ue4m3";
constexpr const char* kLoad4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";

TEST_CASE("a grid of cells finds its cells and nothing in its gaps") {
  CellGrid grid;
  grid.at = ImVec2(100, 50);
  grid.rows = 20;
  grid.cols = 10;
  grid.rows_in_group = 8;
  grid.row_gap = 7;
  grid.cols_in_group = 2;
  grid.col_gap = 5;
  for (int row = 0; row < grid.rows; ++row)
    for (int col = 0; col < grid.cols; ++col) {
      const Box box = grid.cell(row, col);
      int found_row = -1, found_col = -1;
      CHECK(grid.find(ImVec2(box.left + 8, box.top + 8), found_row, found_col));
      CHECK(found_row == row);
      CHECK(found_col == col);
    }
  int row = 0, col = 0;
  CHECK_FALSE(grid.find(ImVec2(104, 50 + 8 * 16 + 3), row, col));  // between two groups of rows
  CHECK_FALSE(grid.find(ImVec2(100 + 2 * 16 + 2, 54), row, col));  // ... of columns
  CHECK_FALSE(grid.find(ImVec2(99, 54), row, col));
  CHECK_FALSE(grid.find(ImVec2(104, 50 + grid.height() + 1), row, col));
  CHECK_FALSE(grid.find(ImVec2(-1e30f, 1e30f), row, col));
  CHECK_FALSE(CellGrid{}.find(ImVec2(0, 0), row, col));
  // What is in sight is drawn, whatever the clipping.
  const auto [first, last] = grid.rows_between(50 + 9 * 16, 50 + 12 * 16);
  CHECK(first <= 8);
  CHECK(last >= 12);
}

TEST_CASE("a grid in parts: later columns below the first ones, or later rows beside them") {
  CellGrid grid;
  grid.at = ImVec2(100, 50);
  grid.rows = 24;
  grid.cols = 20;
  grid.rows_in_group = 8;
  grid.row_gap = 7;
  grid.cols_in_group = 4;
  grid.col_gap = 5;
  grid.part_gap = 30;
  CellGrid below = grid, beside = grid;
  below.cols_in_part = 8;    // 8, 8, 4
  beside.rows_in_part = 16;  // 16, 8
  CHECK(below.parts() == 3);
  CHECK(beside.parts() == 2);
  CHECK(below.width() == below.part(0).width());
  CHECK(below.height() == 3 * grid.height() + 2 * 30);
  CHECK(beside.width() == 2 * grid.width() + 30);
  CHECK(beside.height() == beside.part(0).height());
  CHECK(below.cell(0, 8).left == 100);
  CHECK(below.cell(0, 8).top == 50 + grid.height() + 30);
  CHECK(below.cell(0, 7).top == 50);
  CHECK(beside.cell(16, 0).left == 100 + grid.width() + 30);
  CHECK(beside.cell(16, 0).top == 50);
  for (const CellGrid& parted : {below, beside})
    for (int row = 0; row < grid.rows; ++row)
      for (int col = 0; col < grid.cols; ++col) {
        const Box box = parted.cell(row, col);
        int found_row = -1, found_col = -1;
        CHECK(parted.find(ImVec2(box.left + 8, box.top + 8), found_row, found_col));
        CHECK(found_row == row);
        CHECK(found_col == col);
      }
  int row = 0, col = 0;
  CHECK_FALSE(below.find(ImVec2(104, 50 + grid.height() + 15), row, col));  // between two parts
  CHECK((row == -1 && col == -1));
  const Box last = below.cell(0, 19);
  CHECK_FALSE(below.find(ImVec2(last.left + 40, last.top + 4), row, col));  // the last is narrower
}

TEST_CASE("the columns of the list stand below their names, scrolled or not") {
  Ui ui;
  begin(ui, Page::atlas);
  for (const char* words : {"", "ldmatrix x4"}) {
    open_atlas(ui.ws, words);
    ui.step();
    ui.step();
    for (const char* name : {"standing", "since", "runs from"})
      CHECK(ui.where(std::string("column ") + name).left ==
            ui.where(std::string("entry 0 ") + name).left);
  }
}

TEST_CASE("in a window of 1280 long names differ still, and end as they do") {
  Ui ui(1280, 720);
  begin(ui, Page::atlas);
  open_atlas(ui.ws, "mma.sp m16n8k64 kind::f8f6f4");
  ui.step();
  ui.step();
  std::set<std::string> names;
  for (const auto& [name, box] : ui.ws.probes->boxes)
    if (const std::size_t at = name.find(" as mma"); at != name.npos) {
      CAPTURE(name);
      CHECK((name.ends_with(".f16") || name.ends_with(".f32")));
      CHECK(names.insert(name.substr(at)).second);
    }
  CHECK(names.size() > 20);
}

TEST_CASE("an element of a list of instructions is of none of them") {
  Ui ui;
  begin(ui, Page::atlas);
  open_atlas(ui.ws, "ldmatrix x4");
  CHECK_FALSE(search(ui.ws, "A 9,5"));
  CHECK(ui.ws.message == "'A 9,5' is of one instruction; the atlas shows 4 of them");
  CHECK(ui.ws.message_is_error);
}

TEST_CASE("to the atlas and back, by button and by key: the trace is as it was") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("label value");
  ui.step();
  ui.click("A 9,5");
  ui.click("atlas");
  CHECK(ui.ws.page == Page::atlas);
  ui.step();
  ui.click("entry 3");
  REQUIRE(ui.ws.page == Page::entry);
  ui.step();
  ui.click("back");
  CHECK(ui.ws.page == Page::atlas);
  ui.step();
  ui.click("page swizzle");
  CHECK(ui.ws.page == Page::swizzle);
  ui.step();
  ui.click("page descriptor");
  CHECK(ui.ws.page == Page::descriptor);
  ui.step();
  ui.click("trace");
  CHECK(ui.ws.page == Page::trace);
  CHECK(ui.selected() == "A 9,5");
  CHECK(ui.ws.labels == LabelMode::value);
  for (const char* key : {"a", "s", "d"}) {
    ui.type(key);
    CHECK(ui.ws.page != Page::trace);
    ui.type(key);
    CHECK(ui.ws.page == Page::trace);
    CHECK(ui.selected() == "A 9,5");
  }
}

TEST_CASE("an entry opens in the panels of a trace, within a frame, without values") {
  Ui ui;
  begin(ui, Page::atlas);
  ui.type("/");
  ui.step();
  ui.type("m16n8k32 f32.e4m3.e4m3");
  CHECK(ui.ws.page == Page::atlas);
  REQUIRE_FALSE(ui.ws.atlas.found.empty());
  const std::string name(ui.ws.atlas.found[0].mnemonic());
  ui.press(Key::enter);
  REQUIRE(ui.ws.page == Page::entry);
  ui.step();
  CHECK(ui.in().instruction->mnemonic == name);
  ui.click("B 3,4");
  CHECK(ui.selected() == "B 3,4");
  CHECK(value_text(ui.in(), 'B', ui.in().holder('B', 3, 4)).empty());
  CHECK_FALSE(ui.drawn("label value"));
  ui.type("v");
  CHECK(ui.ws.labels != LabelMode::value);
  CHECK(agreement_text(ui.ws.about()).empty());  // no emulator has run
  ui.find("A 9,5");
  CHECK(ui.selected() == "A 9,5");
  ui.press(Key::escape);
  CHECK(ui.selected() == "");
  CHECK(ui.ws.page == Page::entry);
  ui.press(Key::escape);
  CHECK(ui.ws.page == Page::atlas);
  CHECK(ui.ws.atlas.filter.words == "m16n8k32 f32.e4m3.e4m3");
  ui.press(Key::escape);
  CHECK(ui.ws.atlas.filter == AtlasFilter{});
  ui.press(Key::escape);
  CHECK(ui.ws.page == Page::trace);
  CHECK(ui.selected() == "A 9,5");
}

TEST_CASE("a map larger than the window begins where its matrices meet") {
  Ui ui(1024, 700);
  open(ui, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32");
  ui.step();
  const auto in_sight = [&](const char* name) {
    const Box box = ui.where(name);
    return box.left >= 0 && box.left + box.width <= 1024 * 0.65f && box.top >= 0 &&
           box.top + box.height <= 700;
  };
  CHECK(in_sight("A 0,63"));
  CHECK(in_sight("B 63,0"));
  CHECK(in_sight("D 0,0"));
}

TEST_CASE("facets narrow the list down, a second click gives them up") {
  Ui ui;
  begin(ui, Page::atlas);
  CHECK(ui.ws.atlas.found.size() == entry_count());
  CHECK_FALSE(ui.drawn("entry 500"));  // only what is in sight
  ui.click("family ldmatrix");
  ui.step();
  CHECK(ui.ws.atlas.found.size() == 18);
  ui.click("arch sm_75");
  ui.step();
  for (const Entry& e : ui.ws.atlas.found) CHECK(e.target() == "sm_75");
  ui.click("type f64");
  ui.step();
  CHECK(ui.ws.atlas.found.empty());
  ui.click("every");
  ui.step();
  CHECK(ui.ws.atlas.found.size() == entry_count());
  ui.click("family mma");
  ui.click("family mma");
  ui.step();
  CHECK(ui.ws.atlas.filter.family.empty());
}

TEST_CASE("arrows walk through the whole list and stop at its ends") {
  Ui ui;
  begin(ui, Page::atlas);
  ui.press(Key::up);
  CHECK(ui.ws.atlas.row == 0);
  ui.press(Key::down);
  CHECK(ui.ws.atlas.row == 1);
  for (std::size_t at = 0; at < entry_count() / 20 + 2; ++at) ui.press(Key::right);
  CHECK(ui.ws.atlas.row == static_cast<int>(entry_count()) - 1);
  ui.step();
  CHECK(ui.drawn(fmt::format("entry {}", entry_count() - 1)));  // scrolled into view
  ui.press(Key::enter);
  CHECK(ui.ws.page == Page::entry);
  CHECK(ui.ws.atlas.entry == ui.ws.atlas.found.back());
}

TEST_CASE("the atlas by other names: typed, Enter, and it is open") {
  Ui ui;
  ui.type("a");
  ui.step();
  ui.find("SM80_16x8x16_F32F16F16F32_TN");
  CHECK(ui.ws.atlas.entry.mnemonic() == "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  go_to(ui.ws, Page::atlas);
  ui.ws.atlas.filter = {"fp8 16x8x32", "mma", "", ""};
  ui.step();
  CHECK(ui.drawn("entry 0"));
  ui.ws.atlas.filter = {"cp.async", "", "", ""};
  ui.step();
  CHECK(ui.ws.atlas.found.empty());
}

TEST_CASE("scales: every thread-id and byte-id, by click and by key") {
  Ui ui;
  const char* name =
      "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3."
      "f32."
      "ue8m0";
  open_atlas(ui.ws, name);
  ui.step();
  ui.click("operand SFB");
  ui.step();
  CHECK(map_title(map_view(ui.ws)) == "SFB, thread-id 0, byte-id 0");
  ui.click("thread-id 3");
  ui.click("byte-id 2");
  const MapView view = map_view(ui.ws);
  CHECK(map_title(view) == "SFB, thread-id 3, byte-id 2");
  // Column 5 is handed in by lane 4 * 5 + 3, in bits 16 to 23 of its word.
  const layout::Holder h = layout::holders(*view.map, {0, 5, 0}).at(0);
  CHECK(h.thread == 23);
  CHECK(h.bit == 16);
  ui.type("1");
  ui.type("b");
  CHECK(map_title(map_view(ui.ws)) == "SFB, thread-id 1, byte-id 3");
  ui.click("operand SFA");  // the other operand begins anew
  ui.step();
  CHECK(ui.drawn("map title: 16 × 1  ue8m0"));  // wider than its one column
  CHECK(map_title(map_view(ui.ws)) == "SFA, thread-id 0, byte-id 0");
  ui.type("1");
  CHECK(layout::holders(*map_view(ui.ws).map, {9, 0, 0}).at(0).thread == 4 * 1 + 3);
  ui.type("2");  // SFA has thread-ids 0 and 1
  CHECK(map_title(map_view(ui.ws)) == "SFA, thread-id 1, byte-id 0");
}

TEST_CASE("what nothing matches: the nearest are a click away") {
  Ui ui;
  begin(ui, Page::atlas);
  ui.type("/");
  ui.step();
  ui.type("wgma m64n8k16 bf17");
  ui.step();
  CHECK(ui.ws.atlas.found.empty());
  const std::string near = ui.ws.atlas.near.at(0);
  ui.click("near 0");
  REQUIRE(ui.ws.page == Page::entry);
  CHECK(ui.ws.atlas.entry.mnemonic() == near);
}

TEST_CASE("every entry of the atlas can be opened, its operands looked at, and left") {
  Ui ui(1000, 700);
  begin(ui, Page::atlas);
  ui.ws.probes = nullptr;
  const std::vector<Entry> all = entries({});
  for (std::size_t at = 0; at < all.size(); ++at) {
    const Entry& e = all[at];
    if (e.family().substr(0, 5) == "wgmma" && at % 7 != 0) continue;  // they differ in N alone
    CAPTURE(e.mnemonic());
    open_entry(ui.ws, e);
    ui.step();
    CHECK(ui.vertices > 500);
    if (e.instruction == nullptr) continue;
    for (const char operand : {'E', 'S', 'T'}) {
      if (e.instruction->operand(operand) == nullptr) continue;
      ui.ws.map.operand = operand;
      ui.step();
      CHECK(map_view(ui.ws).map == e.instruction->operand(operand));
    }
  }
}

TEST_CASE("metadata: by button, by key and by words, for each selector") {
  Ui ui;
  open(ui, kSparse);
  ui.click("operand E metadata");
  ui.step();
  ui.click("map 0 3,5");
  CHECK(selected_words(ui.ws) == "E selector 0 3,5");
  CHECK(map_facts(map_view(ui.ws), ui.ws.map.pick).where == "lane 12, r0, bits 10 to 11");
  ui.click("selector 1");
  CHECK(selected_words(ui.ws) == "E selector 1 3,5");
  ui.step();
  ui.click("part 14 5");  // with selector 1, lane 14 hands it in
  CHECK(ui.ws.map.pick == pick_element({3, 5, 0}));
  ui.click("part 12 5");  // ... and lane 12 is not read
  CHECK(ui.ws.map.pick == MapPick{});
  ui.type("0");
  CHECK(ui.ws.map.selector == 0);
  ui.find("lane 13");
  CHECK(ui.ws.map.pick == pick_lane(13));
  ui.find("E selector 1 4,4");
  CHECK(selected_words(ui.ws) == "E selector 1 4,4");
  ui.find("A 9,5");
  CHECK(ui.ws.map.operand == 0);
  CHECK(ui.selected() == "A 9,5");
  ui.type("e");
  CHECK(ui.ws.map.operand == 'E');
  ui.type("e");
  CHECK(ui.ws.map.operand == 0);
}

TEST_CASE("scales of A and B have panels of their own") {
  Ui ui;
  open(ui, kScaled);
  ui.click("operand SFA");
  ui.step();
  ui.click("map 0 9,2");
  CHECK(map_facts(map_view(ui.ws), ui.ws.map.pick).where == "lane 5, r0, bits 16 to 23");
  ui.click("operand SFB");
  ui.step();
  CHECK(ui.ws.map.operand == 'T');
  CHECK(ui.drawn("map 0 3,7"));  // 4 chunks of K by 8 columns
}

TEST_CASE("ldmatrix: addresses at the left, registers at the right") {
  Ui ui;
  open(ui, kLoad4);
  CHECK(ui.drawn("address 31"));
  ui.click("address 13");
  CHECK(ui.ws.map.pick == pick_lane(13));
  ui.click("map 1 3,5");
  CHECK(ui.ws.map.pick == pick_element({3, 5, 1}));
  ui.click("part 14 3");  // the same element in its register
  CHECK(ui.ws.map.pick == pick_element({3, 5, 1}));
  ui.press(Key::tab);
  CHECK(ui.ws.map.pick == pick_lane(14));
  ui.press(Key::down);
  CHECK(ui.ws.map.pick == pick_lane(15));
  ui.press(Key::c, true);
  CHECK(std::string(ImGui::GetClipboardText()).find("lane 15  its address: row 7 of matrix 1") ==
        0);
  ui.click("lane 3");
  CHECK(ui.ws.map.pick == pick_lane(3));
  ui.find("matrix 4 0,0");
  CHECK(ui.ws.message_is_error);
  CHECK(ui.ws.map.pick == pick_lane(3));
  ui.press(Key::escape);
  CHECK(ui.ws.map.pick == MapPick{});
  CHECK(ui.ws.page == Page::entry);
  ui.press(Key::backspace);
  CHECK(ui.ws.page == Page::atlas);
  open_atlas(ui.ws, "ldmatrix.sync.aligned.m8n8.x1.shared.b16");
  ui.step();
  CHECK(ui.drawn("address 7"));
  CHECK_FALSE(ui.drawn("address 8"));
  open_atlas(ui.ws, "movmatrix");
  ui.step();
  CHECK_FALSE(ui.drawn("address 0"));
}

TEST_CASE("every page is drawn in every size of window, on every theme") {
  Ui ui;
  begin(ui, Page::trace);
  const auto all_sizes = [&] {
    for (const bool dark : {true, false}) {
      ui.ws.dark = dark;
      for (const float width : {1.0f, 60.0f, 320.0f, 640.0f, 1000.0f, 3800.0f})
        for (const float height : {1.0f, 100.0f, 480.0f, 2100.0f}) {
          ui.resize(width, height);
          CAPTURE(width);
          CAPTURE(height);
          CHECK(misdrawn(ui, width >= 1000 && height >= 480) == "");
        }
    }
    feed_mouse(200, 200);
    ui.resize(1440, 920);
  };
  for (const Page page : {Page::atlas, Page::swizzle, Page::descriptor}) {
    go_to(ui.ws, page);
    all_sizes();
  }
  for (const char* name : {kSparse, kScaled, kLoad4, "movmatrix"}) {
    open_atlas(ui.ws, name);
    all_sizes();
    ui.type("e");
    all_sizes();
  }
}

TEST_CASE("what misdrawn looks for is found: two buttons with one name, a panel over another") {
  Ui ui;
  begin(ui, Page::atlas);
  REQUIRE(misdrawn(ui, true) == "");
  KeyRing::Stop again = ui.ws.ring.drawn.at(0);
  again.box.left += 40;
  ui.ws.ring.drawn.push_back(again);
  CHECK(misdrawn(ui, false).starts_with("one name for the buttons at "));
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (std::string(window->Name).find("/status") != std::string::npos) window->Pos.y -= 40;
  const std::string wrong = misdrawn(ui, false);
  CHECK(wrong.find("lies over") != std::string::npos);
  ui.step();
  ui.step();
  CHECK(misdrawn(ui, true) == "");
}

TEST_CASE("a window too small for the search box does not wait for it") {
  Ui ui;
  begin(ui, Page::swizzle);
  ui.resize(200, 400);
  CHECK_FALSE(ui.drawn("search"));
  ui.type("/");
  ui.type("a");
  CHECK(ui.ws.page == Page::atlas);
}

TEST_CASE("a trace that is opened comes to the front") {
  Ui ui;
  open(ui, kSparse);
  ui.click("operand E metadata");
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK(ui.ws.page == Page::trace);
  CHECK(ui.ws.map.operand == 0);
  ui.click("A 9,5");
  CHECK(ui.selected() == "A 9,5");
}

}  // namespace
}  // namespace lanescope::viz
