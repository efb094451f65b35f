// SPDX-License-Identifier: MIT
// The names in the bar: what is shown, which of several products, where its values come from.
//
//     title | tabs | 2/7  m16n8k16 f16   Lanescope emulator sm_90a | search | labels | buttons
//     =====          =========================================
#pragma once

#include <string>

#include "panels/panels.hpp"

namespace lanescope::viz {

std::string title_of(const Workspace& workspace);

/// The trace's title, or the way back to the list of the atlas. Gives the place behind it.
float draw_title(Workspace& workspace, const Look& look, float left, float right, float height);

/// The mnemonic (and the others of the trace), then the device.
void draw_names(Workspace& workspace, const Look& look, float left, float right, float height);

/// The card's name or the emulator's alone, where no product is shown.
void draw_device(Workspace& workspace, const Look& look, float left, float right, float height);

}  // namespace lanescope::viz
