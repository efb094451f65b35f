// SPDX-License-Identifier: MIT
// Which registers of a function are needed for more than to make others that nobody needs either.
//
//     add.s32 %r4, %r3, %r2;     passes on: %r2 and %r3 are needed where %r4 is
//     st.shared.u32 [%r9], %r4;  keeps %r4, which is not needed for that; %r9 is
//     setp.ne.s32 %p1, %r1, 0;   neither: %r1 is needed
#pragma once

#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

class Needed {
 public:
  using Rule = bool (*)(const PtxStatement&);
  /// `passes_on`: of the sources nothing counts but what becomes of the result; `keeps`: of what is
  /// stored nothing counts but the address. Registers are followed, memory is not.
  Needed(const PtxFunction& function, Rule passes_on, Rule keeps);
  bool is(const PtxOperand& operand) const;  // any of its registers

 private:
  bool look(const PtxStatement& statement, Rule passes_on, Rule keeps);

  std::vector<bool> needed_;  // by register
};

/// Whether any of an operand's registers is marked.
bool any_marked(const PtxOperand& operand, const std::vector<bool>& by_register);

}  // namespace lanescope::emulator
