// SPDX-License-Identifier: MIT
#include "emulator/check/needed.hpp"

#include <cstddef>

#include "emulator/ptx/register_use.hpp"

namespace lanescope::emulator {

bool any_marked(const PtxOperand& operand, const std::vector<bool>& by_register) {
  bool any = false;
  each_register(operand, [&](int reg) { any = any || by_register[static_cast<std::size_t>(reg)]; });
  return any;
}

Needed::Needed(const PtxFunction& function, Rule passes_on, Rule keeps)
    : needed_(function.registers.size(), false) {
  const auto& statements = function.statements;
  for (bool grows = true; grows;) {
    grows = false;
    for (auto at = statements.rbegin(); at != statements.rend(); ++at)
      grows |= look(*at, passes_on, keeps);
  }
}

bool Needed::is(const PtxOperand& operand) const { return any_marked(operand, needed_); }

bool Needed::look(const PtxStatement& statement, Rule passes_on, Rule keeps) {
  const auto& operands = statement.operands;
  if (operands.empty() || (passes_on(statement) && !is(operands[0]))) return false;
  bool grows = false;
  for (std::size_t k = writes_first_operand(statement) ? 1 : 0; k < operands.size(); ++k) {
    if (k > 0 && keeps(statement)) break;  // but for the address
    each_register(operands[k], [&](int reg) {
      std::vector<bool>::reference known = needed_[static_cast<std::size_t>(reg)];
      grows |= !known;
      known = true;
    });
  }
  return grows;
}

}  // namespace lanescope::emulator
