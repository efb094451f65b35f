// SPDX-License-Identifier: MIT
#include "panels/atlas/map_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::viz {
namespace {

// So small that all is in sight: cells without words.
void shrink(MapGrids& grids, float width, float height) {
  grids.matrix.cell_width = width;
  grids.lanes.cell_width = 1.25f * width;
  for (CellGrid* grid : {&grids.matrix, &grids.lanes})
    grid->cell_height = std::min(grid->cell_height, height * 0.96f);
  grids.lanes.col_gap = grids.lanes.row_gap = 0;
}

// Of scale factors, which have room in parts, only their lanes; `width`: of a factor.
constexpr float kStripe = 0.4f;  // the width of a lane's cell, a factor's being 1
void shrink_lanes(MapGrids& grids, float width, float height, float em) {
  grids.matrix.cell_width = std::clamp(width, 1.1f * em, 2.1f * em);
  grids.lanes.cell_width = kStripe * grids.matrix.cell_width;
  grids.lanes.cell_height = std::min(grids.lanes.cell_height, height * 0.96f);
  grids.lanes.col_gap = grids.lanes.row_gap = 0;
}

// Row and lane are one: what a cell of a lane's says of its element is the column.
bool own_rows(const layout::Fragment& f) {
  if (f.matrices > 1 || f.rows != f.threads() || f.values_per_register() > 1) return false;
  for (int lane = 0; lane < f.threads(); ++lane)
    for (int value = 0; value < f.values; ++value)
      if (!f.provided_by(lane) || f.element(lane, value).row != lane) return false;
  return true;
}

// Of such a map the columns alone, where then both sides are in sight; the matrix, whose rows are
// numbered, goes without its lanes. `both`: the room for all cells.
bool shorten_lanes(MapGrids& grids, float both, float em) {
  constexpr float kColumn = 0.875f, kBare = 0.4f;  // em
  const float lanes = std::floor(kColumn * em) * static_cast<float>(grids.lanes.cols);
  const float width = (both - lanes) / static_cast<float>(grids.matrix.cols);
  if (width < kBare * em) return false;
  grids.matrix.cell_width = std::min(width, grids.matrix.cell_width);
  grids.lanes.cell_width = kColumn * em;
  grids.lanes.col_gap = 0;
  return grids.columns_only = true;
}

// Whole pixels, but for cells so small that rounding them would show.
float whole(float size) { return size < 8 ? std::max(size, 1.0f) : std::floor(size); }

// Scale factors of B: a row of 192 would leave the room below it empty. So the columns stand below
// each other as tensor memory takes them, 32 lanes at a time.
void fold_factors(CellGrid& matrix, float em) {
  constexpr int kLanesOfAWarp = 32;
  if (matrix.cols <= kLanesOfAWarp) return;
  matrix.cols_in_part = kLanesOfAWarp;
  matrix.part_gap = 2 * em;  // for the numbers of the columns
}

void group_lanes(CellGrid& lanes, const MapView& view, float em) {
  const bool result = view.memory() == layout::MoverMemory::result;
  lanes.cols = view.map->values;
  // Tensor memory has no registers that its columns would be grouped by.
  lanes.cols_in_group = result ? 8 : view.map->values_per_register();
  // A register of one element is told from the next by its cell.
  lanes.col_gap = result || lanes.cols_in_group == 1 ? 0.2f * em : 0.8f * em;
}

// Rows, groups and heights; `free` is the room below the headings.
void set_rows(MapGrids& grids, const layout::Fragment& f, float em, float free) {
  const int rows = f.rows * f.matrices;
  const bool matched = rows == f.threads();  // then rows and lanes stand side by side
  const auto height = [&](int count, int group, float gap) {
    return std::clamp(
        (free - gap * static_cast<float>((count - 1) / group)) / static_cast<float>(count),
        1.0f * em, 2.1f * em);
  };
  CellGrid& matrix = grids.matrix;
  matrix.rows = rows;
  matrix.rows_in_group = f.matrices > 1 ? f.rows : 0;
  matrix.row_gap = f.matrices > 1 ? 1.5f * em : 0;
  const float gap = std::max(matrix.row_gap, matrix.part_gap);
  matrix.cell_height = std::floor(height(rows * matrix.parts(), f.rows, gap));
  CellGrid& lanes = grids.lanes;
  lanes.rows = f.threads();
  lanes.rows_in_group = matched && f.matrices > 1 ? f.rows : 8;
  lanes.row_gap = matched ? matrix.row_gap : 0.35f * em;
  lanes.cell_height = std::floor(height(f.threads(), lanes.rows_in_group, lanes.row_gap));
  if (matched) matrix.cell_height = lanes.cell_height;
}

constexpr float kNarrow = 1;  // em, of a cell with the number of a lane

// The same with an element, "9,5" to "127,15".
float narrow_lanes(const layout::Fragment& f, float em) {
  const std::size_t characters = fmt::format("{},{}", f.rows - 1, f.cols - 1).size();
  return (characters > 5 ? 1.85f : characters > 3 ? 1.5f : 1.35f) * em;
}

// Both sides, without their cells and the gaps between these.
struct Around {
  float address = 0, lane = 0;
  float width(float em) const { return address + lane + 2.5f * em; }
};
Around around(const MapView& view, const Look& look) {
  const float em = look.em;
  // The longest name of a lane, "CTA 1 lane 127", stands between them.
  const float name = text_width(look.fonts.cell[4], holder_name(view, view.map->threads() - 1));
  return {view.addresses() ? 6.9f * em : 2.2f * em, std::max(4.4f * em, name - 0.3f * em)};
}

}  // namespace

float map_needs(const MapView& view, const Look& look) {
  const layout::Fragment& f = *view.map;
  const float em = look.em;
  MapGrids grids;
  grids.matrix.cols = f.cols;
  grids.matrix.cell_width = std::floor(kNarrow * em);
  if (view.memory() == layout::MoverMemory::factors) fold_factors(grids.matrix, em);
  group_lanes(grids.lanes, view, em);
  grids.lanes.cell_width = std::floor(narrow_lanes(f, em));
  // An em behind them, and one for a scroll bar.
  return around(view, look).width(em) + grids.matrix.width() + grids.lanes.width() + 2 * em;
}

MapGrids map_grids(const MapView& view, const Look& look, ImVec2 origin, ImVec2 room, float zoom) {
  const layout::Fragment& f = *view.map;
  const bool result = view.memory() == layout::MoverMemory::result;
  const float em = look.em;
  const auto [address, lane] = around(view, look);
  MapGrids grids;
  grids.heading = (f.matrices > 1 ? 4.4f : 3.3f) * em;
  const float free = room.y - grids.heading - em;
  CellGrid &matrix = grids.matrix, &lanes = grids.lanes;
  matrix.cols = f.cols;
  if (view.memory() == layout::MoverMemory::factors) fold_factors(matrix, em);
  set_rows(grids, f, em, free);
  group_lanes(lanes, view, em);
  // Both sides share the width; labels of registers are the longer ones.
  const auto groups = static_cast<float>((f.values - 1) / lanes.cols_in_group);
  const float both = room.x - address - lane - 2.5f * em;
  const bool folded = matrix.parts() > 1;
  const auto across = static_cast<float>(folded ? matrix.cols_in_part : f.cols);
  const float parts = across + 1.25f * static_cast<float>(f.values);
  const float width = (both - groups * lanes.col_gap) / std::max(parts, 1.0f);
  lanes.cell_width = std::clamp(1.25f * width, narrow_lanes(f, em), 4.8f * em);
  // What the lanes' words take besides, the matrix has not.
  const float rest = std::min(width, (both - lanes.width()) / std::max(across, 1.0f));
  matrix.cell_width = std::clamp(rest, kNarrow * em, 4.2f * em);
  // What would have to be scrolled far is shown whole, without numbers; + zooms in to them. D is
  // hardly to be scrolled at all.
  const float needed = address + lane + 2.5f * em + matrix.width() + lanes.width();
  const float low = free / static_cast<float>(std::max(matrix.rows, f.threads()));
  if (folded && needed > 1.25f * room.x)
    shrink_lanes(grids, both / (across + kStripe * static_cast<float>(f.values)), low, em);
  else if (const bool fits = needed <= room.x ||
                             (zoom == 1 && own_rows(f) && shorten_lanes(grids, both - em, em));
           !fits && needed > (result ? 1.25f : 2.2f) * room.x)
    shrink(grids, both / std::max(parts, 1.0f), low);
  for (CellGrid* grid : {&matrix, &lanes}) {
    grid->cell_width = whole(grid->cell_width * zoom);
    grid->cell_height = whole(grid->cell_height * zoom);
  }
  matrix.at = ImVec2(origin.x + address, origin.y + grids.heading);
  lanes.at = ImVec2(matrix.at.x + matrix.width() + 1.4f * em + lane, origin.y + grids.heading);
  grids.size = ImVec2(std::max(lanes.at.x + lanes.width() - origin.x, 1.0f) + em,
                      grids.heading + std::max(matrix.height(), lanes.height()) + 0.5f * em);
  return grids;
}

}  // namespace lanescope::viz
