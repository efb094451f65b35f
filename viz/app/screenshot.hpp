// SPDX-License-Identifier: MIT
// Pictures of a workspace without a display, for screenshot() and for tests of pixels.
#pragma once

#include <string>

#include "app/offscreen.hpp"
#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// Draws the workspace `frames` times (the second frame knows what the first has laid out) and
/// reads the last. An empty picture, and `problem` says why, where there is no OpenGL.
Picture draw_picture(Workspace& workspace, int width, int height, float scale, std::string& problem,
                     int frames = 3);

/// Why it cannot be written, or "": of write_svg the maps that are shown.
std::string write_svg(Workspace& workspace, const std::string& path);
std::string write_png(const Picture& picture, const std::string& path);

}  // namespace lanescope::viz
