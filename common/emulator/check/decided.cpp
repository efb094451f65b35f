// SPDX-License-Identifier: MIT
#include "emulator/check/decided.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "emulator/check/needed.hpp"

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

}  // namespace

std::vector<bool> find_undecided(const PtxFunction& function, const std::vector<bool>& read) {
  const auto& statements = function.statements;
  std::vector<bool> found(statements.size(), false);
  if (std::none_of(statements.begin(), statements.end(), is_volatile_load)) return found;
  const Needed decides(function, computes, is_shown_others);
  for (std::size_t k = 0; k < statements.size(); ++k) {
    if (!is_volatile_load(statements[k])) continue;
    const PtxOperand& result = statements[k].operands[0];
    found[k] = any_marked(result, read) && !decides.is(result);
  }
  return found;
}

}  // namespace lanescope::emulator
