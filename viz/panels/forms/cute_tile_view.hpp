// SPDX-License-Identifier: MIT
// What the picture of a layout and the words beside it have in common.
#pragma once

#include "panels/frame/page_states.hpp"

namespace lanescope::viz {

/// What is reckoned of the layout, once for each.
const SwizzleState::Reckoned& reckoned(SwizzleState& state);
/// The access whose lanes are shown: the chosen one, else the first that there is; or nullptr.
const layout::WarpAccess* shown_access(SwizzleState& state);
/// The element under the pointer, or else the picked one; false where there is none.
bool focus(const SwizzleState& state, int& row, int& col);

}  // namespace lanescope::viz
