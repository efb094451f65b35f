// SPDX-License-Identifier: MIT
// What a map is first seen as: all of it, in a small window, the usual one and a large one. Where K
// is long B lies on its side; a warpgroup's D gives up its labels.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kInt4 = "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32";
constexpr const char* kLong[] = {
    kInt4,
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
    "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
    "mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32",
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
    "ue4m3",
    "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16",
    "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16",
    "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16",
};
const ImVec2 kSizes[] = {{1024, 700}, {1440, 920}, {3840, 2160}};

// The corners of every matrix, and those of the warp, in their panel.
void all_in_sight(Ui& ui) {
  const Multiplication& in = *ui.ws.shown();
  const Box split = ui.where("split");
  const auto in_sight = [&](const std::string& name) {
    CAPTURE(name);
    const Box box = ui.where(name);
    CHECK(box.left >= 0);
    CHECK(box.top > 40);
    CHECK(box.left + box.width <= split.left);
    CHECK(box.top + box.height <= split.top + split.height);
  };
  for (const char operand : {'A', 'B', 'D'}) {
    if (!in.is_drawn(operand)) continue;
    const layout::Fragment& map = *in.map(operand);
    in_sight(std::string(1, operand) + " 0,0");
    in_sight(fmt::format("{} {},{}", operand, map.rows - 1, map.cols - 1));
  }
  in_sight("lane 0");
  in_sight(fmt::format("lane {}", in.threads() - 1));
}

TEST_CASE("a map is seen whole at first, in every size of window") {
  for (const ImVec2 size : kSizes) {
    Ui ui(size.x, size.y);
    for (const char* name : kLong) {
      CAPTURE(size.x);
      CAPTURE(name);
      open(ui, name);
      all_in_sight(ui);
    }
  }
}

TEST_CASE("B on its side: k is above the same k of A, and arrows go where they point") {
  Ui ui;
  for (const char* name : {kInt4, kLong[4]}) {  // of the sparse A a column is two of four k
    open(ui, name);
    const int each = ui.in().map('B')->rows / ui.in().map('A')->cols;
    CHECK(ui.where(fmt::format("B {},3", 40 * each)).left ==
          doctest::Approx(ui.where("A 9,40").left));
    CHECK(ui.where("B 40,3").top < ui.where("A 0,0").top);
    CHECK(ui.where("lane 0").left == doctest::Approx(ui.where("D 0,0").left));
  }
  CHECK(ui.drawn("heading B: 128 × 8  s4   on its side: k to the right"));
  open(ui, kInt4);
  ui.click("B 40,3");
  CHECK(ui.selected() == "B 40,3");
  ui.press(Key::right);
  CHECK(ui.selected() == "B 41,3");
  ui.press(Key::down);
  CHECK(ui.selected() == "B 41,4");
  CHECK(ui.where("B 41,4").top > ui.where("B 41,3").top);
  ui.find("A 9,37");  // of A they do as always
  ui.press(Key::right);
  CHECK(ui.selected() == "A 9,38");
  ui.find("B 40,3");
  for (int times = 0; times < 4; ++times) ui.type("+");
  ui.step();
  CHECK(ui.where("B 40,3").width > 20);
  CHECK(ui.where("B 40,3").left + ui.where("B 40,3").width < ui.where("split").left);
}

TEST_CASE("where A is too narrow for numbers the legend says how to see them, though D has some") {
  Ui ui;
  open(ui, kLong[2]);
  ui.ws.labels = LabelMode::reg;
  ui.step();
  CHECK(ui.drawn("legend: colour: its lane; + zooms in to numbers"));
  ui.ws.labels = LabelMode::lane;
  open(ui, kInt4);
  CHECK(ui.drawn("legend: number and colour: its lane"));
}

TEST_CASE(
    "where cells are too narrow for numbers, the neighbours of a lane have its number together") {
  Ui ui(1280, 720);
  open(ui, kLong[5]);  // lesson 18's: eight e2m1 a register
  CHECK(ui.where("A 9,37").width < 12);
  CHECK(ui.drawn("A run 9,32: 4"));
  CHECK(ui.where("A run 9,32: 4").width == doctest::Approx(8 * ui.where("A 9,37").width));
  CHECK(ui.where("A run 9,32: 4").left == doctest::Approx(ui.where("A 9,32").left));
  CHECK(ui.drawn("B run 1,32: 4"));  // on its side: column 1
  CHECK(ui.where("B run 1,32: 4").left == doctest::Approx(ui.where("B 32,1").left));
  CHECK_FALSE(ui.drawn("D run 1,0: 4"));  // its cells have numbers of their own
  CHECK(ui.drawn("legend: number and colour: its lane"));
  ui.click("lane 13");
  CHECK(ui.where("A framed 3,8").width == ui.where("A run 3,8: 13").width);
  ui.find("lane 13 A.r1");  // of both runs of a row one is that register's
  CHECK(ui.where("A framed 11,8").width == ui.where("A run 11,8: 13").width);
  CHECK_FALSE(ui.drawn("A framed 11,40"));
  ui.ws.labels = LabelMode::reg;  // neighbours have other halves
  ui.step();
  ui.click("lane 12");
  CHECK_FALSE(ui.drawn("legend: number and colour: its lane"));
}

TEST_CASE("the usual shape has its B standing over D, however low the window") {
  Ui ui;
  open(ui, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  for (const ImVec2 size : {ImVec2{800, 500}, {1024, 700}, {1440, 920}}) {
    ui.resize(size.x, size.y);
    CHECK(ui.where("B 0,3").left == ui.where("D 0,3").left);
    CHECK(ui.where("A 9,0").top == ui.where("D 9,0").top);
  }
}

}  // namespace
}  // namespace lanescope::viz
