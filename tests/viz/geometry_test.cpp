// SPDX-License-Identifier: MIT
// Where cells lie, for every size of window and of matrix.
#include "panels/matrix/cross_geometry.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("rows of A are rows of D, columns of B are columns of D") {
  for (const std::string_view mnemonic : {synthetic::kF16, synthetic::kE4m3}) {
    const Multiplication in = bare(*layout::find(mnemonic));
    for (const float width : {300.0f, 700.0f, 1400.0f}) {
      const CrossGeometry cross = lay_out_cross(in, 'D', {width, 800, 16, 1, 2, 6});
      CAPTURE(width);
      CHECK(cross.A.top == cross.result.top);
      CHECK(cross.A.cell_height == cross.result.cell_height);
      CHECK(cross.B.left == cross.result.left);
      CHECK(cross.B.cell_width == cross.result.cell_width);
      CHECK(cross.A.box().left + cross.A.box().width < cross.result.left);
      CHECK(cross.B.box().top + cross.B.box().height < cross.result.top);
    }
  }
}

TEST_CASE("the middle of every cell and lane is found again") {
  for (const layout::Instruction& instruction :
       {*layout::find(synthetic::kF16), synthetic::warpgroup(64)}) {
    const Multiplication in = bare(instruction);
    const CrossGeometry cross = lay_out_cross(in, 'D', {650, 800, 16, 1, 2, 2});
    for (const Grid* g : {&cross.A, &cross.B, &cross.result})
      for (int row = 0; row < g->rows; ++row)
        for (int col = 0; col < g->cols; ++col) {
          const Box box = g->cell(row, col);
          const CellAt at = cell_at(cross, box.left + box.width / 2, box.top + box.height / 2);
          REQUIRE(at.operand == g->operand);
          REQUIRE(at.row == row);
          REQUIRE(at.col == col);
        }
    for (int thread = 0; thread < in.threads(); ++thread) {
      const Box box = lane_box(cross, in.threads(), thread);
      REQUIRE(lane_at(cross, in.threads(), box.left + box.width / 2, box.top + box.height / 2) ==
              thread);
    }
    CHECK(cell_at(cross, -1, -1).operand == 0);
    CHECK(cell_at(cross, cross.width + 1, cross.height + 1).operand == 0);
  }
}

TEST_CASE("a cross that can fit does, and a large one shrinks to rectangles before it scrolls") {
  const Multiplication small = bare(*layout::find(synthetic::kF16));
  const CrossGeometry fits = lay_out_cross(small, 'D', {800, 820, 16, 1, 2, 2});
  CHECK(fits.width <= 800);
  CHECK(fits.height <= 820);
  CHECK(fits.A.cell_height >= 16);
  const layout::Instruction instruction = synthetic::warpgroup(256);
  const Multiplication large = bare(instruction);
  const CrossGeometry overview = lay_out_cross(large, 'D', {800, 820, 16, 1, 2, 2});
  CHECK(overview.result.cell_width < 8);
  CHECK(overview.result.cols == 256);
  CHECK(lay_out_cross(large, 'D', {950, 820, 16, 1, 2, 2}).width <= 950);  // whole
  CHECK(lay_out_cross(large, 'D', {950, 820, 16, 4, 2, 2}).result.cell_width > 8);
  CHECK(overview.B.rows == 0);
}

TEST_CASE("of a warpgroup whose A is not in the trace D stands alone, and whole") {
  const layout::Instruction instruction = synthetic::warpgroup(64);
  trace::Trace trace;
  synthetic::add(trace, instruction, "D");
  const Model model = make_model(std::move(trace), [&](std::string_view) { return &instruction; });
  const Multiplication& in = model.multiplications.at(0);
  CHECK_FALSE(in.is_drawn('A'));
  CHECK(in.is_drawn('D'));
  CHECK(bare(instruction).is_drawn('A'));  // the atlas shows what there can be
  const CrossGeometry cross = lay_out_cross(in, 'D', {900, 800, 16, 1, 3, 3});
  CHECK(cross.A.rows == 0);
  CHECK(cross.result.cols == 64);
  CHECK(cross.width <= 900);
}

TEST_CASE("the warps of a warpgroup stand beside their rows") {
  const layout::Instruction instruction = synthetic::warpgroup(64);
  const Multiplication in = bare(instruction);
  const CrossGeometry cross = lay_out_cross(in, 'D', {900, 900, 16, 1, 2, 2});
  CHECK(cross.stacked);
  for (int thread = 0; thread < 128; ++thread) {
    const Box lane = lane_box(cross, 128, thread);
    const Box band = cross.result.cell(thread / 32 * 16 + thread % 32 / 4 * 2, 0);
    CHECK(lane.top == doctest::Approx(band.top));
    CHECK(lane.left + lane.width <= cross.A.left);
  }
  CHECK(cross.A.left + cross.A.box().width < cross.result.left);
}

TEST_CASE("warps stand beside their rows of a D in tensor memory, a lane beside its own group's") {
  for (const std::string_view name :
       {"tcgen05.mma.cta_group::1.m128n16.f32", "tcgen05.mma.cta_group::1.m64n16.f32"}) {
    CAPTURE(name);
    const layout::Instruction* instruction = layout::find_recorded(name);
    REQUIRE(instruction != nullptr);
    const Multiplication in = bare(*instruction);
    REQUIRE(in.threads() == 128);
    const CrossGeometry cross = lay_out_cross(in, 'D', {820, 580, 16, 1, 3, 3});
    CHECK(cross.stacked);
    CHECK(cross.width <= 820);
    const float of_a_warp = cross.result.box().height / 4;
    for (int row = 0; row < cross.result.rows; ++row)
      for (int col = 0; col < cross.result.cols; ++col) {
        const int thread = in.holder('D', row, col).thread;
        const Box lane = lane_box(cross, 128, thread), cell = cross.result.cell(row, col);
        REQUIRE(std::floor((lane.top + 1 - cross.warp.top) / of_a_warp) ==
                std::floor((cell.top + 1 - cross.result.top) / of_a_warp));
        if (cross.result.rows == 128) REQUIRE(lane.contains(lane.left + 1, cell.top + 1));
      }
  }
}

TEST_CASE("without A the columns of D are as wide as three digits want, and all in sight") {
  const layout::Instruction& instruction =
      *layout::find_recorded("tcgen05.mma.cta_group::1.m128n16.f32");
  trace::Trace trace;
  synthetic::add(trace, instruction, "D");
  const Model model = make_model(std::move(trace));
  const Multiplication& in = model.multiplications.at(0);
  REQUIRE_FALSE(in.is_drawn('A'));
  CHECK(lay_out_cross(in, 'D', {580, 640, 16, 1, 2, 3}).width <= 580);
}

TEST_CASE("no room at all is no division by nothing") {
  const Multiplication in = bare(*layout::find(synthetic::kF16));
  for (const float room : {-50.0f, 0.0f, 1.0f, 30.0f}) {
    const CrossGeometry cross = lay_out_cross(in, 'D', {room, room, 16, 1, 0, 0});
    CHECK(cross.A.cell_width > 0);
    CHECK(cross.A.cell_height > 0);
    CHECK(cross.width > 0);
  }
}

}  // namespace
}  // namespace lanescope::viz
