// SPDX-License-Identifier: MIT
// How large the cells of a tile of memory are, and whether it stands in parts. A tile too wide for
// its room but not too high has its later columns below the first ones, one too high but not too
// wide its later rows beside them: then all of it is in sight with its numbers.
//
//     16 x 64   0 .. 31        64 x 16   0      32
//               0              rows of   .      .
//               32 .. 63       16        .      .
//               0                        31     63
#pragma once

#include "panels/look/cell_grid.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

inline constexpr float kTileIndent = 2.6f;  // em, for the numbers of rows

/// Of a cell that its label can be read in: well, and in the smallest font there is.
struct LabelWidth {
  float usual = 0, least = 0;
};

/// `alone`: no other tile beside it, with which it would have to keep step. Where it stands (`at`)
/// is left to the caller.
CellGrid tile_grid(const trace::Memory& tile, LabelWidth label, bool alone, ImVec2 room, float em,
                   float zoom);

/// How much of it has not to be scrolled to.
enum class TileInSight { less, rows, all };
TileInSight tile_in_sight(const CellGrid& grid, ImVec2 room, float em);

}  // namespace lanescope::viz
