// SPDX-License-Identifier: MIT
// How large the matrices of a launch are: by the program's allocations, where one begins with the
// matrix, or by its tensor map. Pure model, no Dear ImGui.
#pragma once

#include <cstdint>
#include <optional>

#include "panels/way/tile_at.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

/// 0: not known.
struct Extent {
  std::int64_t rows = 0, cols = 0;
  bool is_known() const { return rows > 0 && cols > 0; }
};

/// The bytes of the allocation that begins there; 0: none of the launch's does.
std::int64_t allocated_at(const trace::Trace& trace, int launch, std::uint64_t address);
/// Of the matrix that a tile is of.
Extent extent_of(const trace::Trace& trace, int launch, const TileAt& tile);
/// Whether a matrix of so many rows and columns (0: not known) that lies as the tile is read fills
/// its memory, and not its transpose; nothing where that is not known.
std::optional<bool> fills_memory(const trace::Trace& trace, int launch, const TileAt& tile,
                                 const Extent& rows_and_cols);

}  // namespace lanescope::viz
