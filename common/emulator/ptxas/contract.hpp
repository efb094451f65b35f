// SPDX-License-Identifier: MIT
// Products that ptxas takes into the sums behind them: mul and add or sub without .rn become one
// fma, rounded once; a quotient of div.approx is a product, too. nvcc 13 itself makes an fma of
// a*b + c, and leaves a*b - c and c - a*b to ptxas; without this those would have other bits than
// on a card. On Hopper an fp8 mma.sync is a sum of its C, too, one for each of C's registers.
//
// The rule is ptxas 13.0's, read off what it made of small programs:
// docs/experiments/contraction.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"
#include "emulator/ptxas/known_numbers.hpp"

namespace lanescope::emulator {

/// Of an add or sub, or of a register of C: the product that goes into it. The product is computed
/// nevertheless, for those who ask for its register.
struct Contraction {
  std::int32_t product = -1;  // its statement; -1: none
  std::uint8_t operand = 0;   // of the sum: 1 or 2
  bool negated = false;       // a neg lies between them
};

using ContractedMma = std::array<Contraction, 4>;  // by register of C, which is operand 1

struct Contractions {
  std::vector<Contraction> of;                   // of every statement; empty: there are none
  std::map<std::int32_t, ContractedMma> of_mma;  // by statement
  // of every statement, a product: its factors (1: the first, 2: the second) whose registers have
  // other values when the sum comes
  std::vector<std::uint8_t> lost_factors;
};

/// `sm` is the card's number, 90 of sm_90a; `pairs_alone`: those of .f32x2, which -fmad false does
/// not keep ptxas from.
Contractions contractions(const PtxFunction& function, const KnownNumbers& known, int sm,
                          bool pairs_alone = false);

}  // namespace lanescope::emulator
