// SPDX-License-Identifier: MIT
// Several wgmmas make one product: those since its sums arrived the last time. What their registers
// are is shown of the last one; the others' are held against it here. Pure model, no Dear ImGui.
#pragma once

#include <optional>

#include "panels/way/descriptor_origins.hpp"

namespace lanescope::viz {

/// One whose D has the last one's registers in another order; nothing: there is none.
std::optional<OriginCheck> other_sums(RegisterHistory& history, const Multiplication& in);

/// One whose A in registers is not as much farther along k as its B is. `a`, `b`: where the last
/// one's lie, both right; b: nothing where it is not known.
std::optional<OriginCheck> other_part_of_A(const trace::Trace& trace, RegisterHistory& history,
                                           DescriptorOrigins& origins, const Multiplication& in,
                                           const TileAt& a, const std::optional<TileAt>& b);

}  // namespace lanescope::viz
