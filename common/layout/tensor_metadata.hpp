// SPDX-License-Identifier: MIT
// The metadata of tcgen05.mma.sp in words. Inside the room only: others ask mover.hpp.
#pragma once

#include <string>

#include "layout/mover.hpp"

namespace lanescope::layout {

/// As picture(), who_holds() and the like of mover.hpp show it.
std::string metadata_picture(const Mover& mover);
/// Which rows of A lie where, a line each.
std::vector<std::string> metadata_blocks(const Mover& mover);

}  // namespace lanescope::layout
