// SPDX-License-Identifier: MIT
// The browser's mouse, fingers and keys, as Dear ImGui is told of them. Events wait for the next
// frame, and no frame is given a press together with its release: Dear ImGui 1.86 would not see
// either.
#pragma once

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// From now on events are collected, and copied text goes to the browser; a Dear ImGui is there.
void listen();
/// Tells Dear ImGui what has come since the last frame; whether there was any. `scale`: pixels of
/// the canvas in one of the browser's.
bool feed_events(Workspace& workspace, double scale);

}  // namespace lanescope::viz
