// SPDX-License-Identifier: MIT
#include "panels/matrix/cross_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace lanescope::viz {
namespace {

constexpr int kManyCells = 4096;  // from here on labels give way to the overview

float whole(float pixels) { return pixels >= 4 ? std::floor(pixels) : pixels; }

Grid grid(const Multiplication& in, char operand) {
  Grid g;
  g.operand = operand;
  if (in.is_drawn(operand)) g.rows = in.map(operand)->rows, g.cols = in.map(operand)->cols;
  return g;
}

// wgmma reads B from shared memory: nothing stands above the result, and each warp has 16 rows of
// it to itself. So the warps stand beside their rows, eight groups of two rows each.
//
//     w0 | lanes  0..31  | rows  0..15 of A and D
//     w1 | lanes 32..63  | rows 16..31
void stack_warps(CrossGeometry& cross, int columns_right, int rows_below, float em) {
  constexpr float kLane = 2.3f;  // of a lane, in em
  const float height = cross.result.cell_height;
  const float left = std::floor(1.8f * cross.index_width);
  const float top = cross.heading_height + cross.index_height;
  cross.stacked = true;
  cross.warp = {left, top, whole(4 * kLane * em), height * static_cast<float>(rows_below)};
  float right = left + cross.warp.width + cross.index_width;
  cross.A.left = right;
  if (cross.A.rows > 0) right += cross.A.box().width + cross.index_width;
  cross.A.top = cross.result.top = top;
  cross.B.left = cross.result.left = right;
  cross.B.top = top;
  cross.width = right + static_cast<float>(columns_right) * cross.result.cell_width + 0.5f * em;
  cross.height = top + static_cast<float>(rows_below) * height + 0.5f * em;
}

}  // namespace

CrossGeometry lay_out_cross(const Multiplication& in, char result, const CrossRoom& room) {
  CrossGeometry cross;
  cross.A = grid(in, 'A');
  cross.B = grid(in, 'B');
  cross.result = grid(in, result);
  const float em = room.em;
  cross.heading_height = whole(1.95f * em);
  cross.index_height = whole(1.0f * em);
  cross.index_width = whole(1.9f * em);

  const int columns_right = std::max(cross.B.cols, cross.result.cols);
  const int rows_below = std::max(cross.A.rows, cross.result.rows);
  const int cells = cross.A.rows * cross.A.cols + cross.B.rows * cross.B.cols +
                    cross.result.rows * cross.result.cols;
  const float least = (cells >= kManyCells ? 0.36f : 1.0f) * em;
  const float most = 2.7f * em;

  // The right side may take wider cells than A: accumulators have longer labels.
  // Where there are too many cells for labels, all are as narrow as they can be.
  const float wider = cells >= kManyCells
                          ? 1.0f
                          : std::clamp(static_cast<float>(room.right_chars) /
                                           static_cast<float>(std::max(room.left_chars, 1)),
                                       1.0f, 2.2f);
  const int warps = std::max(in.threads() / 32, 1);
  const bool stacked = warps > 1 && cross.B.rows == 0 && rows_below == 16 * warps;
  const float fixed_width = stacked ? 4 * cross.index_width + 10 * em : 2 * cross.index_width + em;
  const float fixed_height =
      (stacked ? 1.0f : 2.0f) * (cross.heading_height + cross.index_height) + 0.5f * em;
  const float columns =
      static_cast<float>(cross.A.cols) + wider * static_cast<float>(columns_right);
  const float rows = static_cast<float>(cross.B.rows + rows_below);
  float height = (room.height - fixed_height) / std::max(rows, 1.0f);
  // Labels may be smaller, if then all rows are in sight.
  const bool all_in_sight = height >= 0.7f * least;
  height = std::clamp(height, (all_in_sight ? 0.7f : 0.85f) * least, most);
  float width = (room.width - fixed_width) / std::max(columns, 1.0f);
  // A large D is shown whole first, if columns can be told apart then; + zooms in to it. What is
  // scrolled anyway has cells that three digits can be read in.
  const bool digits = !all_in_sight && room.right_chars > 2;
  const float narrow = cells >= kManyCells ? 0.14f * em : digits ? 1.25f * em : least;
  width = std::clamp(width, narrow, std::max({least, narrow, 1.8f * height}));
  const float limit = 8 * em;
  height = whole(std::clamp(height * room.zoom, 0.2f * em, limit));
  const float smallest = std::min(0.2f * em, narrow);
  const float width_left = whole(std::clamp(width * room.zoom, smallest, limit));
  const float width_right = whole(std::clamp(width * wider * room.zoom, smallest, limit));

  cross.A.cell_height = cross.B.cell_height = cross.result.cell_height = height;
  cross.A.cell_width = width_left;
  cross.B.cell_width = cross.result.cell_width = width_right;

  if (stacked) return stack_warps(cross, columns_right, rows_below, em), cross;
  const float warp_width = static_cast<float>(warps) * (warps > 1 ? 7.0f : 12.0f) * em;
  const float left_width = std::max(cross.A.box().width, warp_width);
  const float top_height = std::max(cross.B.box().height, 8 * 1.5f * em);

  const float left = cross.index_width;
  const float top = cross.heading_height + cross.index_height;
  cross.warp = {left, top, left_width, top_height};
  const float right = left + left_width + cross.index_width;
  cross.B.left = right;
  cross.B.top = top + top_height - cross.B.box().height;
  const float below = top + top_height + cross.heading_height + cross.index_height;
  cross.A.left = left + left_width - cross.A.box().width;
  cross.A.top = cross.result.top = below;
  cross.result.left = right;
  cross.width = right + static_cast<float>(columns_right) * width_right + 0.5f * em;
  cross.height = below + static_cast<float>(rows_below) * height + 0.5f * em;
  return cross;
}

CellAt cell_at(const CrossGeometry& cross, float column_px, float row_px) {
  for (const Grid* g : {&cross.A, &cross.B, &cross.result}) {
    if (!g->box().contains(column_px, row_px)) continue;
    const int row = static_cast<int>((row_px - g->top) / g->cell_height);
    const int col = static_cast<int>((column_px - g->left) / g->cell_width);
    return {g->operand, std::min(row, g->rows - 1), std::min(col, g->cols - 1)};
  }
  return {};
}

Box lane_box(const CrossGeometry& cross, int threads, int thread) {
  if (cross.stacked) {
    const float width = cross.warp.width / 4;
    const float height = cross.warp.height / static_cast<float>(threads / 4);
    return {cross.warp.left + width * static_cast<float>(thread % 4),
            cross.warp.top + height * static_cast<float>(thread / 4), width, height};
  }
  const int columns = 4 * std::max(threads / 32, 1);
  const float width = cross.warp.width / static_cast<float>(columns);
  const float height = cross.warp.height / 8;
  const int column = thread / 32 * 4 + thread % 4;
  return {cross.warp.left + width * static_cast<float>(column),
          cross.warp.top + height * static_cast<float>(thread % 32 / 4), width, height};
}

int lane_at(const CrossGeometry& cross, int threads, float column_px, float row_px) {
  if (!cross.warp.contains(column_px, row_px)) return -1;
  for (int thread = 0; thread < threads; ++thread)
    if (lane_box(cross, threads, thread).contains(column_px, row_px)) return thread;
  return -1;
}

}  // namespace lanescope::viz
