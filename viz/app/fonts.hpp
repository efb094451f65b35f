// SPDX-License-Identifier: MIT
// Inter for text, JetBrains Mono for code and numbers, from Debian's packages, embedded at build
// time so that the window looks the same everywhere. (SIL Open Font License 1.1, both.)
#pragma once

#include "panels/look/theme.hpp"

namespace lanescope::viz {

/// Fills the atlas of the current Dear ImGui context. `scale` 1 is 96 dots an inch.
Fonts load_fonts(float scale);

}  // namespace lanescope::viz
