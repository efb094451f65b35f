// SPDX-License-Identifier: MIT
// A picture of a workspace, drawn through EGL, with where everything in it was drawn.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "app/screenshot.hpp"
#include "app/session.hpp"

namespace lanescope::viz {

struct Shot {
  Probes probes;
  Picture picture;

  Box where(const std::string& name) const {
    const auto found = probes.boxes.find(name);
    REQUIRE_MESSAGE(found != probes.boxes.end(), "nothing called '" << name << "' was drawn");
    return found->second;
  }
  Rgb pixel(float column_px, float row_px) const {
    const auto at = (static_cast<std::size_t>(row_px) * static_cast<std::size_t>(picture.width) +
                     static_cast<std::size_t>(column_px)) *
                    3;
    return {picture.pixels[at], picture.pixels[at + 1], picture.pixels[at + 2]};
  }
  /// Near the corner of what is called so, where no label is.
  Rgb corner_of(const std::string& name) const {
    const Box box = where(name);
    return pixel(std::floor(box.left) + 3, std::floor(box.top) + 3);
  }
};

inline Shot shoot(Workspace& ws, int width = 1440, int height = 920, float scale = 1) {
  Shot shot;
  ws.probes = &shot.probes;
  std::string problem;
  shot.picture = draw_picture(ws, width, height, scale, problem);
  ws.probes = nullptr;
  REQUIRE_MESSAGE(!shot.picture.pixels.empty(), problem);
  return shot;
}

}  // namespace lanescope::viz
