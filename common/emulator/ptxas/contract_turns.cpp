// SPDX-License-Identifier: MIT
// See contract_turns.hpp. A loop is what lies between a label and a jump back to it. In it the last
// write of a register is a product, and a sum reads it before anything in the loop has written it.
#include "emulator/ptxas/contract_turns.hpp"

#include <map>

#include "emulator/ptxas/contract_lives.hpp"
#include "emulator/ptxas/contract_rules.hpp"

namespace lanescope::emulator {
namespace {

using contract::each_written, contract::is_register, contract::Open, contract::product,
    contract::sum, contract::sums_of_c;

/// The registers that a statement adds: the operands of a sum, C of an mma.
template <class F>
void each_summand(const PtxStatement& statement, int sm, F&& found) {
  if (const Open open = sum(statement); open.type != Type::none)
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}})
      if (is_register(statement.operands[k])) found(open, statement.operands[k].reg);
  if (const Open open = sums_of_c(statement, sm); open.type != Type::none)
    for (const PtxOperand& item : statement.operands[3].items)
      if (is_register(item)) found(open, item.reg);
}

void mark_loop(const PtxFunction& function, int sm, std::size_t begin, std::size_t end,
               std::vector<bool>& marked) {
  std::map<int, Open> last;  // by register, what the last turn left in it
  std::map<int, std::size_t> first;
  for (std::size_t i = begin; i < end; ++i)
    each_written(function.statements[i], [&](int reg) {
      last[reg] = product(function.statements[i]);
      first.emplace(reg, i);
    });
  for (std::size_t i = begin; i < end; ++i)
    each_summand(function.statements[i], sm, [&](Open open, int reg) {
      const auto left = last.find(reg);
      if (left == last.end() || first[left->first] < i) return;
      if (left->second == open) marked[i] = true;
    });
}

}  // namespace

std::vector<bool> sums_of_last_turn(const PtxModule& module, const PtxFunction& function, int sm) {
  const auto& all = function.statements;
  std::vector<bool> marked(all.size());
  if (!module.ptxas_optimizes() || !module.contracts) return marked;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].opcode != "bra" || all[i].operands.empty()) continue;
    const PtxOperand& to = all[i].operands[0];
    if (to.kind == OperandKind::label && static_cast<std::size_t>(to.value) <= i)
      mark_loop(function, sm, static_cast<std::size_t>(to.value), i, marked);
  }
  return marked;
}

}  // namespace lanescope::emulator
