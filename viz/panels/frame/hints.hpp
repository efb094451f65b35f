// SPDX-License-Identifier: MIT
// What a button does, for the line below, while the pointer is on it. Pure text, no Dear ImGui.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::viz {

/// By the name that it is probed by: "each cell says its register  (key r)"; "" where there is
/// nothing to add.
std::string hint_of(std::string_view button);

}  // namespace lanescope::viz
