// SPDX-License-Identifier: MIT
// Scale factors of tcgen05.mma in tensor memory, in words. Inside the room only: others ask
// mover.hpp.
#pragma once

#include <string>

#include "layout/mover.hpp"

namespace lanescope::layout {

std::string factors_picture(const Mover& mover);

}  // namespace lanescope::layout
