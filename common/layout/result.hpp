// SPDX-License-Identifier: MIT
// D of tcgen05.mma in tensor memory, in words. Inside the room only: others ask mover.hpp.
#pragma once

#include <string>

#include "layout/mover.hpp"

namespace lanescope::layout {

std::string result_picture(const Mover& mover);
std::string result_ptx(const Mover& mover);

}  // namespace lanescope::layout
