// SPDX-License-Identifier: MIT
// Which level of a mipmap the gradients of a place choose.
#pragma once

#include <array>

namespace lanescope::emulator {

/// By how many texels of the first level a place moves: along x and along y of a picture.
using Slope = std::array<float, 3>;

/// In 256ths; below 0 where a step is less than a texel, and far below where there is none.
int level_of(const Slope& along_x, const Slope& along_y, int dims);

}  // namespace lanescope::emulator
