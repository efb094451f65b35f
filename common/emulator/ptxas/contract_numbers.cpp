// SPDX-License-Identifier: MIT
#include "emulator/ptxas/contract_numbers.hpp"

#include "emulator/ptxas/contract_lives.hpp"
#include "emulator/ptxas/contract_rules.hpp"

namespace lanescope::emulator::contract {
namespace {

bool is_written_out(const PtxOperand& operand) {
  return operand.kind == OperandKind::integer || operand.kind == OperandKind::real;
}

}  // namespace

Numbers::Numbers(const PtxFunction& function, const KnownNumbers& known)
    : known_(known), moved_(function.registers.size(), false) {
  std::vector<bool> written(function.registers.size());
  for (const PtxStatement& statement : function.statements) {
    const bool moves = statement.opcode == "mov" && statement.guard < 0 &&
                       statement.operands.size() == 2 && is_written_out(statement.operands[1]);
    each_written(statement, [&](int reg) {
      const auto at = static_cast<std::size_t>(reg);
      moved_[at] = moves && !written[at];
      written[at] = true;
    });
  }
}

bool Numbers::has(const PtxStatement& statement, std::size_t operand) const {
  const PtxOperand& read = statement.operands[operand];
  if (is_written_out(read)) return true;
  return is_register(read) &&
         (moved_[static_cast<std::size_t>(read.reg)] || known_.of(statement, operand));
}

}  // namespace lanescope::emulator::contract
