// SPDX-License-Identifier: MIT
// Which operands are numbers to ptxas when it looks for products: those in the statement, and
// registers that a mov of a number writes and nothing else does, or what is computed of such.
//
// The rule is ptxas 13.0's: docs/experiments/contraction.md.
#pragma once

#include <cstddef>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"
#include "emulator/ptxas/known_numbers.hpp"

namespace lanescope::emulator::contract {

class Numbers {
 public:
  Numbers(const PtxFunction& function, const KnownNumbers& known);
  /// Of a product: operand 1 or 2.
  bool has(const PtxStatement& statement, std::size_t operand) const;

 private:
  const KnownNumbers& known_;
  std::vector<bool> moved_;  // of a register
};

}  // namespace lanescope::emulator::contract
