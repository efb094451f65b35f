// SPDX-License-Identifier: MIT
// Where the two sides of a map stand and how large their cells are, so that what is to be compared
// is in sight together.
#pragma once

#include "panels/atlas/map_pick.hpp"
#include "panels/look/cell_grid.hpp"

namespace lanescope::viz {

struct MapGrids {
  CellGrid matrix, lanes;
  float heading = 0;          // of the room above them
  ImVec2 size{};              // of all
  bool columns_only = false;  // what the lanes' cells say: their row is the lane
};
/// The width in which both sides stand, the cells of both with their words.
float map_needs(const MapView& view, const Look& look);
MapGrids map_grids(const MapView& view, const Look& look, ImVec2 origin, ImVec2 room, float zoom);

}  // namespace lanescope::viz
