// SPDX-License-Identifier: MIT
// Scale operands for the block-scaled kinds, dense and sparse. Inside the room only.
#pragma once

#include "layout/instruction.hpp"
#include "layout/scale_table.hpp"

namespace lanescope::layout {

/// Gives `i` its SFA and SFB.
void add_scales(Instruction& i, const Scaling& scaling);

}  // namespace lanescope::layout
