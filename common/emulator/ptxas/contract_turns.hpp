// SPDX-License-Identifier: MIT
// Where last bits may be another than a card's: a sum that takes in the product of its loop's last
// turn. ptxas unrolls many loops, and makes one fma of a product and the sum of the turn behind it;
// contract.cpp does not, because which loops, and how often, nobody knows.
//
// docs/experiments/contraction.md.
#pragma once

#include <cstddef>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// Of every statement: an add or sub of a product that a loop carries from one turn into the next,
/// or an mma that is a sum of it on the card of that number.
std::vector<bool> sums_of_last_turn(const PtxModule& module, const PtxFunction& function, int sm);

}  // namespace lanescope::emulator
