// SPDX-License-Identifier: MIT
// The page of a layout of CuTe's: typed, clicked, and back to wgmma's tiles. And a TiledMMA.
#include <doctest/doctest.h>

#include "tests/viz/laid_out.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("a layout is typed, its elements and units are picked, and what is served with them") {
  Ui ui;
  begin(ui, Page::swizzle);
  ui.find("(32,64):(64,1) access=A mma.m16n8k16.f32.f16");
  REQUIRE(ui.ws.swizzle.cute.has_value());
  CHECK(ui.drawn("accesses"));
  ui.click("element 9,5");
  CHECK(ui.ws.swizzle.mn == 9);
  CHECK(ui.ws.swizzle.k == 5);
  CHECK(ui.drawn("served"));
  ui.press(Key::right);
  CHECK(ui.ws.swizzle.k == 6);
  ui.find("31,63");
  CHECK(ui.ws.swizzle.mn == 31);
  ui.find("32,0");  // there is no such row
  CHECK(ui.ws.message.find("no element 32,0: rows are 0 to 31, columns 0 to 63") !=
        std::string::npos);
  CHECK(ui.ws.swizzle.mn == 31);
  // Another access is chosen by a click.
  CHECK(ui.ws.swizzle.access == 0);
  ui.click("access ldmatrix: 8 rows, 16 bytes of each");
  CHECK(ui.ws.swizzle.access == 1);
  ui.type("x");
  CHECK(ui.ws.message.find("the same before and after") != std::string::npos);
  // A layout without conflicts is shown by a click, with the same access.
  ui.click("remedy (32,64):(72,1)");
  CHECK(words_of(*ui.ws.swizzle.cute) == "(32,64):(72,1) access=A mma.m16n8k16.f32.f16");
  ui.step();
  CHECK_FALSE(ui.drawn("remedies"));
  ui.find("(32,64):(64,1) access=A mma.m16n8k16.f32.f16");
  // Words that are wrong change nothing.
  ui.find("(32,64):(64");
  CHECK(ui.ws.message_is_error);
  CHECK(words_of(*ui.ws.swizzle.cute) == "(32,64):(64,1) access=A mma.m16n8k16.f32.f16");
}

TEST_CASE("the same tile as wgmma's and as CuTe's, and back through both") {
  Ui ui;
  begin(ui, Page::swizzle);
  ui.find("64B K 16 16x64");
  ui.click("kind CuTe");
  REQUIRE(ui.ws.swizzle.cute.has_value());
  CHECK(words_of(*ui.ws.swizzle.cute) ==
        "Sw<2,4,3> o smem_ptr[16b](unset) o ((8,2),(32,2)):((32,256),(1,512))");
  ui.type("x");
  CHECK_FALSE(ui.ws.swizzle.applied);
  ui.type("x");
  ui.click("unit 5");
  const layout::SharedMatrix& m = ui.ws.swizzle.cute->matrix;
  CHECK(layout::byte_of(m, ui.ws.swizzle.mn, ui.ws.swizzle.k) / 16 == 5);
  ui.click("kind wgmma");
  CHECK_FALSE(ui.ws.swizzle.cute.has_value());
  CHECK(words_of(ui.ws.swizzle.form) == "64B K 16 16x64");
  // Rows that are not whole atoms: no such layout of CuTe's, and that is said.
  ui.find("64B K 16 12x64");
  ui.click("kind CuTe");
  CHECK_FALSE(ui.ws.swizzle.cute.has_value());
  CHECK(ui.ws.message.find("12 is no multiple of the atom's 8") != std::string::npos);
}

TEST_CASE("a layout is drawn in every size of window, and of every shape") {
  Ui ui;
  begin(ui, Page::swizzle);
  for (const char* words :
       {"Sw<3,4,3> o smem_ptr[16b](unset) o (16,64):(64,1)", "64:1", "(64,1):(1,64) bits=64",
        "(512,3):(3,1) bits=4", "(3,512)", "((2,4),(2,8)):((1,16),(2,64)) bits=32",
        "(8,8):(0,1) access=D m8n8k4 f64"}) {
    CAPTURE(std::string(words));
    go_to(ui.ws, Page::swizzle);
    REQUIRE(search(ui.ws, words));
    for (const ImVec2 size : {ImVec2{1, 60}, {320, 200}, {760, 600}, {1440, 920}, {2560, 1440}})
      for (const bool offsets : {false, true}) {
        ui.ws.swizzle.offsets = offsets;
        ui.resize(size.x, size.y);
        CAPTURE(size.x);
        CHECK(misdrawn(ui, size.x >= 1000) == "");
      }
  }
}

TEST_CASE("a TiledMMA is an entry of the atlas, in every size of window") {
  Ui ui;
  for (const char* words :
       {"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, (2,2,1), (32,32,16))",
        "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, (4,2,1), (128,64,32))",
        "make_tiled_mma(SM90_64x128x16_F32F16F16_SS, Layout<Shape<_2,_1,_1>>{})"}) {
    CAPTURE(std::string(words));
    open_atlas(ui.ws, words);
    ui.step();
    REQUIRE(ui.ws.page == Page::entry);
    for (const ImVec2 size : {ImVec2{320, 200}, {760, 600}, {1440, 920}, {2560, 1440}}) {
      ui.resize(size.x, size.y);
      CAPTURE(size.x);
      CHECK(misdrawn(ui, size.x >= 1000) == "");
    }
    ui.find("D 20,9");
    CHECK(ui.selected() == "D 20,9");
    ui.find("lane 40");
    CHECK(ui.ws.selection == select_lane(40));
  }
}

}  // namespace
}  // namespace lanescope::viz
