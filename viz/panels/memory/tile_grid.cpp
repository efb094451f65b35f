// SPDX-License-Identifier: MIT
#include "panels/memory/tile_grid.hpp"

#include <algorithm>
#include <cmath>

#include "panels/memory/memory_tile.hpp"

namespace lanescope::viz {
namespace {

constexpr float kAround = 3.3f;   // em above and below the cells: numbers, passes
constexpr float kBeside = 1.2f;   // em at their right
constexpr int kRowsOfAPhase = 8;  // what eight lanes read at once stays together

// What the cells of `grid` would need, `width` and `height` each.
bool fits(CellGrid grid, float width, float height, ImVec2 room, float em) {
  grid.cell_width = width;
  grid.cell_height = height;
  return grid.width() + (kTileIndent + kBeside) * em <= room.x &&
         grid.height() + kAround * em <= room.y;
}

int whole_groups(int count, int parts, int group) {
  const int groups = (count + group - 1) / group;
  return (groups + parts - 1) / parts * group;
}

// In as few parts as put all of it in sight; in one where none do.
void choose_parts(CellGrid& grid, float width, float height, ImVec2 room, float em) {
  constexpr int kMost = 8;
  if (fits(grid, width, height, room, em)) return;
  for (int parts = 2; parts <= kMost; ++parts) {
    CellGrid below = grid, beside = grid;
    below.cols_in_part = whole_groups(grid.cols, parts, grid.cols_in_group);
    below.part_gap = grid.row_gap + 1.5f * em;  // the passes of a part, the numbers of the next
    beside.rows_in_part = whole_groups(grid.rows, parts, kRowsOfAPhase);
    beside.part_gap = (kTileIndent + 0.4f) * em;
    for (const CellGrid& tried : {below, beside})
      if (tried.parts() == parts && fits(tried, width, height, room, em)) return void(grid = tried);
  }
}

}  // namespace

CellGrid tile_grid(const trace::Memory& tile, float label_width, bool alone, ImVec2 room, float em,
                   float zoom) {
  CellGrid grid;
  grid.rows = tile.rows;
  grid.cols = tile.cols;
  grid.cols_in_group = std::max(1, 128 / std::max(element_bits(tile), 1));  // what a lane hands in
  grid.col_gap = 0.3f * em;
  if (tile.space == "shared" && tile.rows >= kRowsOfAPhase) {
    grid.rows_in_group = kRowsOfAPhase;
    grid.row_gap = 1.5f * em;
  }
  const float low = (alone ? 1.0f : 0.95f) * em;  // of two both should be in sight
  const float smaller = std::min(zoom, 1.0f);
  if (alone)
    choose_parts(grid, std::floor(label_width * smaller), std::floor(low * smaller), room, em);

  grid.cell_width = grid.cell_height = 0;  // what is left are the gaps
  const float gaps_right = grid.width(), gaps_down = grid.height();
  const auto across = static_cast<float>(grid.cols_in_part > 0   ? grid.cols_in_part
                                         : grid.rows_in_part > 0 ? grid.cols * grid.parts()
                                                                 : grid.cols);
  const auto down = static_cast<float>(grid.rows_in_part > 0   ? grid.rows_in_part
                                       : grid.cols_in_part > 0 ? grid.rows * grid.parts()
                                                               : grid.rows);
  const float free = (room.x - (kTileIndent + kBeside) * em - gaps_right) / across;
  grid.cell_width = std::max(
      2.0f, std::floor(std::clamp(free, label_width, std::max(label_width, 5.0f * em)) * zoom));
  const bool scrolled = kTileIndent * em + grid.width() + em > room.x;
  const float bar = scrolled ? ImGui::GetStyle().ScrollbarSize : 0;
  const float high = (room.y - kAround * em - bar - gaps_down) / down;
  grid.cell_height = std::max(2.0f, std::floor(std::clamp(high, low, 2.0f * em) * zoom));
  return grid;
}

}  // namespace lanescope::viz
