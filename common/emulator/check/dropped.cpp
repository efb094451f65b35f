// SPDX-License-Identifier: MIT
#include "emulator/check/dropped.hpp"

#include <cstddef>

#include "emulator/ptx/register_use.hpp"

namespace lanescope::emulator {

std::vector<bool> find_read(const PtxFunction& function) {
  std::vector<bool> read(function.registers.size(), false);
  for (const PtxStatement& statement : function.statements)
    for (std::size_t k = writes_first_operand(statement) ? 1 : 0; k < statement.operands.size();
         ++k)
      each_register(statement.operands[k],
                    [&](int reg) { read[static_cast<std::size_t>(reg)] = true; });
  return read;
}

bool is_answered(const PtxStatement& statement, const std::vector<bool>& read) {
  if (statement.opcode != "atom" || statement.operands.empty()) return false;
  bool found = false;
  each_register(statement.operands[0],
                [&](int reg) { found = found || read[static_cast<std::size_t>(reg)]; });
  return found;
}

std::vector<std::uint8_t> find_dropped(const PtxFunction& function, const std::vector<bool>& read) {
  std::vector<std::uint8_t> dropped(function.statements.size(), 0);
  for (std::size_t k = 0; k < function.statements.size(); ++k) {
    const PtxStatement& statement = function.statements[k];
    if (statement.opcode != "ld" || statement.operands[0].kind != OperandKind::list) continue;
    const auto& items = statement.operands[0].items;
    unsigned bits = 0;
    for (std::size_t element = 0; element < items.size(); ++element) {
      const PtxOperand& item = items[element];
      const bool is_read =
          item.kind == OperandKind::reg && read[static_cast<std::size_t>(item.reg)];
      bits |= (is_read ? 0u : 1u) << element;
    }
    if (bits != (1u << items.size()) - 1) dropped[k] = static_cast<std::uint8_t>(bits);
  }
  return dropped;
}

}  // namespace lanescope::emulator
