// SPDX-License-Identifier: MIT
#include "emulator/check/guesses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "emulator/check/sources.hpp"
#include "emulator/ptx/register_use.hpp"

namespace lanescope::emulator {
namespace {

bool is_swap(const PtxStatement& statement) {
  return statement.opcode == "atom" && has(statement, "cas") && statement.operands.size() > 3;
}

class Guesses {
 public:
  explicit Guesses(const PtxFunction& function)
      : function_(function), writers_(function.registers.size()) {}

  std::vector<bool> find() {
    const auto& statements = function_.statements;
    std::vector<bool> found(statements.size(), false);
    if (std::none_of(statements.begin(), statements.end(), is_swap)) return found;
    for (std::size_t k = 0; k < statements.size(); ++k)
      if (!statements[k].operands.empty() && writes_first_operand(statements[k]))
        each_register(statements[k].operands[0], [&](int reg) { of(reg).push_back(k); });
    for (const PtxStatement& statement : statements)
      if (is_swap(statement)) trace_back(statement, found);
    return found;
  }

 private:
  struct Place {
    int reg = -1, variable = -1;
    std::int64_t displacement = 0;
    bool operator==(const Place&) const = default;
  };

  std::vector<std::size_t>& of(int reg) { return writers_[static_cast<std::size_t>(reg)]; }

  // Where the compared value comes from.
  void trace_back(const PtxStatement& swap, std::vector<bool>& found) {
    const Place place = place_of(swap.operands[1]);
    if (place == Place{}) return;
    std::vector<int> open;
    std::vector<bool> seen(writers_.size(), false);
    const auto open_all = [&](const PtxOperand& operand) {
      each_register(operand, [&](int reg) {
        if (!seen[static_cast<std::size_t>(reg)]) open.push_back(reg);
        seen[static_cast<std::size_t>(reg)] = true;
      });
    };
    open_all(swap.operands[2]);
    while (!open.empty()) {
      const int reg = open.back();
      open.pop_back();
      for (const std::size_t k : of(reg)) {
        const PtxStatement& from = function_.statements[k];
        if (from.operands.size() < 2) continue;
        if (from.opcode == "mov" || from.opcode == "cvt") open_all(from.operands[1]);
        if (from.opcode == "ld" && !has(from, "nc") && place_of(from.operands[1]) == place)
          found[k] = true;
      }
    }
  }

  // Registers that are written once stand for what is written there.
  Place place_of(const PtxOperand& address) {
    Place place;
    if (address.kind != OperandKind::address || address.items.empty()) return place;
    const PtxOperand* base = &address.items[0];
    place.displacement = address.value;
    for (std::size_t steps = 0; steps <= function_.statements.size(); ++steps) {
      if (base->kind == OperandKind::variable) {
        place.reg = -1;
        place.variable = base->variable;
        place.displacement += base->value;
        return place;
      }
      if (base->kind != OperandKind::reg) return {};
      place.reg = base->reg;
      if (of(base->reg).size() != 1) return place;
      const PtxStatement& from = function_.statements[of(base->reg)[0]];
      const auto& operands = from.operands;
      const bool adds =
          from.opcode == "add" && operands.size() == 3 && operands[2].kind == OperandKind::integer;
      const bool copies = (from.opcode == "mov" || from.opcode == "cvta") && operands.size() == 2;
      if (from.guard >= 0 || (!adds && !copies)) return place;
      if (operands[1].kind != OperandKind::reg && operands[1].kind != OperandKind::variable)
        return place;
      if (adds) place.displacement += operands[2].value;
      base = &operands[1];
    }
    return place;
  }

  const PtxFunction& function_;
  std::vector<std::vector<std::size_t>> writers_;  // of a register
};

}  // namespace

std::vector<bool> find_guesses(const PtxFunction& function) { return Guesses(function).find(); }

}  // namespace lanescope::emulator
