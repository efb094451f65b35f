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

/// `label_width`: of a cell that its label can be read in; `alone`: no other tile beside it, with
/// which it would have to keep step. Where it stands (`at`) is left to the caller.
CellGrid tile_grid(const trace::Memory& tile, float label_width, bool alone, ImVec2 room, float em,
                   float zoom);

}  // namespace lanescope::viz
