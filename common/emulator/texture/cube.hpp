// SPDX-License-Identifier: MIT
// Where a direction meets a cube of six faces, +x -x +y -y +z -z, as an H200 has it
// (docs/experiments/textures.md).
#pragma once

#include <array>

namespace lanescope::emulator {

struct CubePlace {
  int face = 0;
  double s = 0, t = 0;  // on the face, from 0 to 1; t grows downwards
};
CubePlace on_cube(const std::array<double, 3>& direction);

}  // namespace lanescope::emulator
