// SPDX-License-Identifier: MIT
#include "emulator/check/decided.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "emulator/ptx/register_use.hpp"

namespace lanescope::emulator {
namespace {

bool is_volatile_load(const PtxStatement& statement) {
  return statement.opcode == "ld" && has(statement, "volatile");
}

bool is_shown_others(const PtxStatement& statement) {  // in memory that others read
  return statement.opcode == "st" && !has(statement, "param") && !has(statement, "local");
}

// What of its sources makes no difference but to its result.
bool computes(const PtxStatement& statement) {
  static constexpr std::string_view kOpcodes[] = {
      "add", "sub", "mul",   "mad",  "fma",  "min", "max", "abs",  "neg",  "and", "or",
      "xor", "not", "shl",   "shr",  "shf",  "mov", "cvt", "prmt", "lop3", "bfe", "bfi",
      "div", "rem", "mad24", "selp", "sqrt", "rcp", "ex2", "lg2",  "rsqrt"};
  return std::find(std::begin(kOpcodes), std::end(kOpcodes), statement.opcode) !=
         std::end(kOpcodes);
}

// By register: what something is decided by.
class Decides {
 public:
  explicit Decides(const PtxFunction& function) : decides_(function.registers.size(), false) {
    const auto& statements = function.statements;
    for (bool grows = true; grows;) {
      grows = false;
      for (auto at = statements.rbegin(); at != statements.rend(); ++at) grows |= look(*at);
    }
  }
  bool is(const PtxOperand& operand) const {
    bool any = false;
    each_register(operand, [&](int reg) { any = any || decides_[static_cast<std::size_t>(reg)]; });
    return any;
  }

 private:
  bool look(const PtxStatement& statement) {
    const auto& operands = statement.operands;
    if (operands.empty() || (computes(statement) && !is(operands[0]))) return false;
    bool grows = false;
    for (std::size_t k = writes_first_operand(statement) ? 1 : 0; k < operands.size(); ++k) {
      if (k > 0 && is_shown_others(statement)) break;  // but for the address
      each_register(operands[k], [&](int reg) {
        std::vector<bool>::reference known = decides_[static_cast<std::size_t>(reg)];
        grows |= !known;
        known = true;
      });
    }
    return grows;
  }

  std::vector<bool> decides_;
};

}  // namespace

std::vector<bool> find_undecided(const PtxFunction& function, const std::vector<bool>& read) {
  const auto& statements = function.statements;
  std::vector<bool> found(statements.size(), false);
  if (std::none_of(statements.begin(), statements.end(), is_volatile_load)) return found;
  const Decides decides(function);
  for (std::size_t k = 0; k < statements.size(); ++k) {
    if (!is_volatile_load(statements[k])) continue;
    const PtxOperand& result = statements[k].operands[0];
    bool is_read = false;
    each_register(result,
                  [&](int reg) { is_read = is_read || read[static_cast<std::size_t>(reg)]; });
    found[k] = is_read && !decides.is(result);
  }
  return found;
}

}  // namespace lanescope::emulator
