// SPDX-License-Identifier: MIT
// Products that ptxas takes into the sums behind them: mul and add or sub without .rn become one
// fma, rounded once. nvcc 13 itself makes an fma of a*b + c, and leaves a*b - c and c - a*b to
// ptxas; without this those would have other bits than on a card.
//
// The rule is ptxas 13.0's, read off what it made of small programs:
// docs/experiments/contraction.md.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx_module.hpp"

namespace lanescope::emulator {

/// Of every statement: the statement of the product that is taken into it (an add or sub), or -1.
/// And which statements are such products: what they write nobody reads.
struct Contractions {
  std::vector<std::int32_t> product_of;
  std::vector<bool> taken;
};

Contractions contractions(const PtxFunction& function);

}  // namespace lanescope::emulator
