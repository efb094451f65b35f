// SPDX-License-Identifier: MIT
// See contract_turns.hpp. A loop is what lies between a label and a jump back to it. In it the last
// write of a register is a product, and a sum reads it before anything in the loop has written it.
#include "emulator/ptxas/contract_turns.hpp"

#include <cstdint>
#include <map>

#include "emulator/ptxas/contract_lives.hpp"
#include "emulator/ptxas/contract_rules.hpp"

namespace lanescope::emulator {
namespace {

using contract::each_written, contract::is_register, contract::Open, contract::product,
    contract::sum;

void mark_loop(const PtxFunction& function, std::size_t begin, std::size_t end,
               std::vector<bool>& marked) {
  std::map<int, Open> last;  // by register, what the last turn left in it
  std::map<int, std::size_t> first;
  for (std::size_t i = begin; i < end; ++i)
    each_written(function.statements[i], [&](int reg) {
      last[reg] = product(function.statements[i]);
      first.emplace(reg, i);
    });
  for (std::size_t i = begin; i < end; ++i) {
    const PtxStatement& statement = function.statements[i];
    const Open open = sum(statement);
    if (open.type == Type::none) continue;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      if (!is_register(statement.operands[k])) continue;
      const auto left = last.find(statement.operands[k].reg);
      if (left == last.end() || first[left->first] < i) continue;
      if (left->second.type == open.type && left->second.flushes == open.flushes) marked[i] = true;
    }
  }
}

}  // namespace

std::vector<bool> sums_of_last_turn(const PtxModule& module, const PtxFunction& function) {
  const auto& all = function.statements;
  std::vector<bool> marked(all.size());
  if (module.is_debug || !module.is_optimized || !module.contracts) return marked;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].opcode != "bra" || all[i].operands.empty()) continue;
    const PtxOperand& to = all[i].operands[0];
    if (to.kind == OperandKind::label && static_cast<std::size_t>(to.value) <= i)
      mark_loop(function, static_cast<std::size_t>(to.value), i, marked);
  }
  return marked;
}

}  // namespace lanescope::emulator
