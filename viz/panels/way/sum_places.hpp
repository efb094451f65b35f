// SPDX-License-Identifier: MIT
// In which lines the elements of a D are stored, and at which place of them each. Pure model, no
// Dear ImGui.
#pragma once

#include <optional>
#include <vector>

#include "panels/way/origins.hpp"
#include "panels/way/sum_stores.hpp"

namespace lanescope::viz {

/// Rows or columns in which the most elements, row after row, are where they belong; nullptr: an
/// element that is not stored. Nothing where fewer than an eighth are.
std::optional<TileAt> lines_of_stored(const std::vector<const StoredElement*>& places,
                                      const layout::Fragment& map, int bytes);
/// The place of each in these lines; of one that is not stored its own.
std::vector<layout::Element> stored_at(const std::vector<const StoredElement*>& places,
                                       const layout::Fragment& map, const TileAt& tile);
/// Whether these are their own places.
bool in_place(const std::vector<layout::Element>& places, const layout::Fragment& map);

}  // namespace lanescope::viz
