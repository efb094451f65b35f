// SPDX-License-Identifier: MIT
#include "panels/memory/tile_grid.hpp"

#include <algorithm>
#include <cmath>

#include "panels/memory/memory_tile.hpp"

namespace lanescope::viz {
namespace {

constexpr float kAround = 3.3f;   // em above and below the cells: numbers, passes
constexpr float kBeside = 1.2f;   // em at their right
constexpr float kLowest = 0.7f;   // em, of a cell with a label
constexpr int kRowsOfAPhase = 8;  // what eight lanes read at once stays together

// With cells of `width` and `height`.
bool fits(CellGrid grid, float width, float height, ImVec2 room, float em) {
  grid.cell_width = width;
  grid.cell_height = height;
  return tile_in_sight(grid, room, em) == TileInSight::all;
}

int whole_groups(int count, int parts, int group) {
  const int groups = (count + group - 1) / group;
  return (groups + parts - 1) / parts * group;
}

// In as few parts as put all of it in sight; false, and in one, where none do.
bool choose_parts(CellGrid& grid, float width, float height, ImVec2 room, float em) {
  constexpr int kMost = 8;
  if (fits(grid, width, height, room, em)) return true;
  for (int parts = 2; parts <= kMost; ++parts) {
    CellGrid below = grid, beside = grid;
    below.cols_in_part = whole_groups(grid.cols, parts, grid.cols_in_group);
    below.part_gap = grid.row_gap + 1.5f * em;  // the passes of a part, the numbers of the next
    beside.rows_in_part = whole_groups(grid.rows, parts, kRowsOfAPhase);
    beside.part_gap = (kTileIndent + 0.4f) * em;
    for (const CellGrid& tried : {below, beside})
      if (tried.parts() == parts && fits(tried, width, height, room, em)) return grid = tried, true;
  }
  return false;
}

}  // namespace

TileInSight tile_in_sight(const CellGrid& grid, ImVec2 room, float em) {
  if (grid.height() + kAround * em > room.y) return TileInSight::less;
  const bool columns = grid.width() + (kTileIndent + kBeside) * em <= room.x;
  return columns ? TileInSight::all : TileInSight::rows;
}

CellGrid tile_grid(const trace::Memory& tile, LabelWidth label, bool alone, ImVec2 room, float em,
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
  float width = label.usual;
  float low = (alone ? 1.0f : 0.95f) * em;  // of two both should be in sight
  const float smaller = std::min(zoom, 1.0f);
  const auto in_sight = [&](float wide, float high) {
    return choose_parts(grid, std::floor(wide * smaller), std::floor(high * smaller), room, em);
  };
  // Labels may be smaller, if then all of it is in sight.
  if (alone && !in_sight(width, low) && in_sight(label.least, kLowest * em))
    width = label.least, low = kLowest * em;
  // What is scrolled down need not be scrolled across, too.
  if (alone && grid.parts() == 1 && !fits(grid, width, low, ImVec2(room.x, 1e6f), em) &&
      fits(grid, label.least, low, ImVec2(room.x - ImGui::GetStyle().ScrollbarSize, 1e6f), em))
    width = label.least;

  grid.cell_width = grid.cell_height = 0;  // what is left are the gaps
  const float gaps_right = grid.width(), gaps_down = grid.height();
  const auto across = static_cast<float>(grid.cols_in_part > 0   ? grid.cols_in_part
                                         : grid.rows_in_part > 0 ? grid.cols * grid.parts()
                                                                 : grid.cols);
  const auto down = static_cast<float>(grid.rows_in_part > 0   ? grid.rows_in_part
                                       : grid.cols_in_part > 0 ? grid.rows * grid.parts()
                                                               : grid.rows);
  const float free = (room.x - (kTileIndent + kBeside) * em - gaps_right) / across;
  grid.cell_width =
      std::max(2.0f, std::floor(std::clamp(free, width, std::max(width, 5.0f * em)) * zoom));
  const bool scrolled = kTileIndent * em + grid.width() + em > room.x;
  const float bar = scrolled ? ImGui::GetStyle().ScrollbarSize : 0;
  const float high = (room.y - kAround * em - bar - gaps_down) / down;
  grid.cell_height = std::max(2.0f, std::floor(std::clamp(high, low, 2.0f * em) * zoom));
  return grid;
}

}  // namespace lanescope::viz
