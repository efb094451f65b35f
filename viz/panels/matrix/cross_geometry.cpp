// SPDX-License-Identifier: MIT
#include "panels/matrix/cross_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace lanescope::viz {
namespace {

constexpr int kManyCells = 4096;  // from here on labels give way to the overview
constexpr float kLowest = 0.7f;   // of a cell with a label, in em

float whole(float pixels) { return pixels >= 4 ? std::floor(pixels) : pixels; }

Grid grid(const Multiplication& in, char operand) {
  Grid g;
  g.operand = operand;
  if (in.is_drawn(operand)) g.rows = in.map(operand)->rows, g.cols = in.map(operand)->cols;
  return g;
}

// wgmma reads B from shared memory: nothing stands above the result, and each warp has 16 rows of
// it to itself. So the warps stand beside their rows, eight groups of two rows each. Of a D in
// tensor memory a warp has 32 rows, a group four of them.
//
//     w0 | lanes  0..31  | rows  0..15 of A and D
//     w1 | lanes 32..63  | rows 16..31
constexpr float kLane = 2.3f, kNarrowLane = 1.7f;  // its width, in em
void stack_warps(CrossGeometry& cross, int columns_right, int rows_below, float lane, float em) {
  const float height = cross.result.cell_height;
  const float left = std::floor(1.8f * cross.index_width);
  const float top = cross.heading_height + cross.index_height;
  cross.stacked = true;
  cross.warp = {left, top, whole(4 * lane * em), height * static_cast<float>(rows_below)};
  float right = left + cross.warp.width + cross.index_width;
  cross.A.left = right;
  if (cross.A.rows > 0) right += cross.A.box().width + cross.index_width;
  cross.A.top = cross.result.top = top;
  cross.B.left = cross.result.left = right;
  cross.B.top = top;
  cross.width = right + static_cast<float>(columns_right) * cross.result.cell_width + 0.5f * em;
  cross.height = top + static_cast<float>(rows_below) * height + 0.5f * em;
}

// B lies on its side where K is long, at any zoom; where it is not so long, if B is too high for
// its room with the lowest cells that can have labels. Where it is short B stands: what is scrolled
// a little is better than what is unusual.
bool lies_on_side(const CrossGeometry& cross, const CrossRoom& room, int threads) {
  constexpr int kLongK = 64, kRatherLongK = 32;
  const int rows = cross.B.rows + std::max(cross.A.rows, cross.result.rows);
  const float height = static_cast<float>(rows) * kLowest * room.em +
                       2 * (cross.heading_height + cross.index_height) + 0.5f * room.em;
  return threads == 32 && cross.A.rows > 0 &&
         (cross.B.rows >= kLongK || (cross.B.rows >= kRatherLongK && height > room.height));
}

// B over A, k to the right in both; the warp stands over D and is as wide. All of it is in sight,
// be its cells too small for labels.
void lay_on_side(CrossGeometry& cross, const CrossRoom& room, float wider) {
  const float em = room.em;
  const float least_warp = 8.8f * em, least_warp_height = 8 * 1.25f * em;
  const float limit = 8 * em;
  const auto columns_left = static_cast<float>(cross.A.cols);
  const auto columns_right = static_cast<float>(cross.result.cols);
  const auto lines = static_cast<float>(cross.B.cols + cross.result.rows);
  const float for_cells = room.width - 2 * cross.index_width - em;
  float width = for_cells / (columns_left + wider * columns_right);
  if (wider * width * columns_right < least_warp) width = (for_cells - least_warp) / columns_left;
  width = std::max(width, 0.09f * em);  // stripes, where there are 256 of them
  const float free = room.height - 2 * (cross.heading_height + cross.index_height) - 0.5f * em;
  float height = free / lines;
  if (height * static_cast<float>(cross.B.cols) < least_warp_height)
    height = (free - least_warp_height) / static_cast<float>(cross.result.rows);
  // No higher than they need be: narrow cells that are high are stripes, too.
  height = std::clamp(height, kLowest * em, std::max(1.6f * em, 1.8f * width));

  cross.B.on_side = true;
  cross.A.cell_height = cross.B.cell_height = cross.result.cell_height =
      whole(std::min(height * room.zoom, limit));
  // Of cells so narrow a part of a pixel each would be a large part of the room.
  width = std::min(width * room.zoom, limit);
  cross.A.cell_width = width < em ? width : std::floor(width);
  // A sparse A has fewer columns than B has rows: the k of both still stand in one column.
  cross.B.cell_width = cross.A.box().width / static_cast<float>(cross.B.rows);
  cross.result.cell_width =
      std::max(std::floor(std::min(width * wider, limit)), least_warp / columns_right);

  const float warp_height = std::max(cross.B.box().height, least_warp_height);
  const float top = cross.heading_height + cross.index_height;
  cross.A.left = cross.B.left = cross.index_width;
  cross.warp.left = cross.result.left = cross.A.left + cross.A.box().width + cross.index_width;
  cross.warp.top = top;
  cross.warp.width = cross.result.box().width;
  cross.warp.height = warp_height;
  cross.B.top = top + warp_height - cross.B.box().height;
  cross.A.top = cross.result.top = top + warp_height + cross.heading_height + cross.index_height;
  cross.width = cross.result.left + cross.warp.width + 0.5f * em;
  cross.height = cross.A.top + cross.A.box().height + 0.5f * em;
}

/// The warp, or the warps beside each other, where A and B leave room: above A, left of B.
void lay_around_warps(CrossGeometry& cross, int columns_right, int rows_below, int warps,
                      float em) {
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
  cross.width = right + static_cast<float>(columns_right) * cross.result.cell_width + 0.5f * em;
  cross.height = below + static_cast<float>(rows_below) * cross.result.cell_height + 0.5f * em;
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
  const int warps = std::max(in.threads() / 32, 1);
  const bool stacked =
      warps > 1 && cross.B.rows == 0 && (rows_below == 16 * warps || rows_below == 32 * warps);
  float fixed_width =
      stacked ? 4 * cross.index_width + (4 * kLane + 0.8f) * em : 2 * cross.index_width + em;
  // A warpgroup's D is to be in sight whole: without labels, too, if its columns are too many.
  const auto all_columns = static_cast<float>(cross.A.cols + columns_right);
  const bool overview =
      cells >= kManyCells || (stacked && fixed_width + all_columns * em > room.width);
  const float least = (overview ? 0.36f : 1.0f) * em;
  const float most = 2.7f * em;

  // The right side may take wider cells than A: accumulators have longer labels.
  // Where there are too many cells for labels, all are as narrow as they can be; without A there is
  // nothing that they would be wider than.
  const float wider = overview || cross.A.cols == 0
                          ? 1.0f
                          : std::clamp(static_cast<float>(room.right_chars) /
                                           static_cast<float>(std::max(room.left_chars, 1)),
                                       1.0f, 2.2f);
  if (lies_on_side(cross, room, in.threads())) {
    lay_on_side(cross, room, wider);
    return cross;
  }
  const float fixed_height =
      (stacked ? 1.0f : 2.0f) * (cross.heading_height + cross.index_height) + 0.5f * em;
  const float columns =
      static_cast<float>(cross.A.cols) + wider * static_cast<float>(columns_right);
  const float rows = static_cast<float>(cross.B.rows + rows_below);
  float height = (room.height - fixed_height) / std::max(rows, 1.0f);
  // Labels may be smaller, if then all rows are in sight.
  const bool all_in_sight = height >= kLowest * least;
  height = std::clamp(height, (all_in_sight ? kLowest : 0.85f) * least, most);
  // What is scrolled anyway has cells that three digits can be read in, well if there is room.
  const bool digits = !all_in_sight && room.right_chars > 2;
  constexpr float kDigits = 1.25f, kLeastDigits = 1.1f;  // em
  // Columns that can hardly be told apart get some of the lanes' room, and those that have to be
  // scrolled to.
  const bool tight =
      stacked && (room.width - fixed_width < 0.2f * em * all_columns ||
                  (digits && !overview && fixed_width + columns * kDigits * em > room.width));
  if (tight) fixed_width -= 4 * (kLane - kNarrowLane) * em;
  float width = (room.width - fixed_width) / std::max(columns, 1.0f);
  // A large D is shown whole first, if columns can be told apart then; + zooms in to it.
  const float narrow = overview ? 0.08f * em
                       : digits ? (tight ? kLeastDigits : kDigits) * em
                                : least;
  width = std::clamp(width, narrow, std::max({least, narrow, 1.8f * height}));
  const float limit = 8 * em;
  height = whole(std::clamp(height * room.zoom, 0.2f * em, limit));
  const float smallest = std::min(0.2f * em, narrow);
  const float width_left = whole(std::clamp(width * room.zoom, smallest, limit));
  const float width_right = whole(std::clamp(width * wider * room.zoom, smallest, limit));

  cross.A.cell_height = cross.B.cell_height = cross.result.cell_height = height;
  cross.A.cell_width = width_left;
  cross.B.cell_width = cross.result.cell_width = width_right;

  if (stacked)
    stack_warps(cross, columns_right, rows_below, tight ? kNarrowLane : kLane, em);
  else
    lay_around_warps(cross, columns_right, rows_below, warps, em);
  return cross;
}

CellAt cell_at(const CrossGeometry& cross, float column_px, float row_px) {
  for (const Grid* g : {&cross.A, &cross.B, &cross.result}) {
    if (!g->box().contains(column_px, row_px)) continue;
    const int down = static_cast<int>((row_px - g->top) / g->cell_height);
    const int across = static_cast<int>((column_px - g->left) / g->cell_width);
    return {g->operand, std::min(g->on_side ? across : down, g->rows - 1),
            std::min(g->on_side ? down : across, g->cols - 1)};
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
