// SPDX-License-Identifier: MIT
#include "emulator/check/sources.hpp"

#include <algorithm>
#include <string_view>

namespace lanescope::emulator {
namespace {

bool is_elsewhere(const PtxStatement& statement) {  // not in global memory
  for (const std::string_view space : {"shared", "shared::cta", "shared::cluster", "local"})
    if (has(statement, space)) return true;
  return false;
}

// 64-bit registers, and wider, can hold what an address is made of.
bool loads_address(const PtxStatement& statement) {
  for (const std::string_view type : {"b64", "u64", "s64", "b128"})
    if (has(statement, type)) return true;
  return false;
}

class Tracing {
 public:
  Tracing(const PtxModule& module, const PtxFunction& function)
      : module_(module), function_(function), masks_(function.registers.size(), 0) {
    for (bool grows = true; grows;) {
      grows = false;
      for (const PtxStatement& statement : function.statements) grows |= flow(statement);
    }
  }

  SourceMask of(const PtxOperand& operand) const {
    switch (operand.kind) {
      case OperandKind::reg: {
        SourceMask mask = masks_[static_cast<std::size_t>(operand.reg)];
        if (operand.pair >= 0) mask |= masks_[static_cast<std::size_t>(operand.pair)];
        return mask;
      }
      case OperandKind::variable:
        return of_variable(operand.variable);
      case OperandKind::list:
      case OperandKind::address: {
        SourceMask mask = 0;
        for (const PtxOperand& item : operand.items) mask |= of(item);
        return mask;
      }
      default:
        return 0;
    }
  }

 private:
  SourceMask of_variable(int index) const {
    const PtxVariable& variable = module_.variables[static_cast<std::size_t>(index)];
    if (variable.space == Space::shared || variable.space == Space::local) return 0;
    const auto& parameters = function_.parameters;
    const auto at = std::find(parameters.begin(), parameters.end(), index);
    const auto number = at - parameters.begin();
    const bool is_parameter = function_.is_entry && at != parameters.end() && number < 63;
    return is_parameter ? SourceMask{1} << number : kAnySource;
  }

  bool put(const PtxOperand& to, SourceMask mask) {
    if (to.kind == OperandKind::address) return false;
    bool grows = false;
    for (const PtxOperand& item : to.items) grows |= put(item, mask);
    if (to.kind != OperandKind::reg) return grows;
    for (const int reg : {to.reg, to.pair}) {
      if (reg < 0) continue;
      SourceMask& known = masks_[static_cast<std::size_t>(reg)];
      grows |= (known | mask) != known;
      known |= mask;
    }
    return grows;
  }

  bool flow(const PtxStatement& statement) {
    if (statement.operands.empty()) return false;
    SourceMask mask = 0;
    if (statement.opcode == "call") {
      mask = kAnySource;
    } else if (statement.opcode == "ld" && has(statement, "param")) {
      mask = of(statement.operands[1]);
    } else if (statement.opcode == "ld" || statement.opcode == "ldu" ||
               statement.opcode == "atom") {
      mask = loads_address(statement) ? kAnySource : 0;
    } else {
      for (std::size_t k = 1; k < statement.operands.size(); ++k) mask |= of(statement.operands[k]);
    }
    return mask != 0 && put(statement.operands[0], mask);
  }

  const PtxModule& module_;
  const PtxFunction& function_;
  std::vector<SourceMask> masks_;
};

// The operand that is the global address, or -1.
int global_operand(const PtxStatement& statement, bool& writes) {
  const std::string_view opcode = statement.opcode;
  writes = opcode != "ld" && opcode != "ldu" && opcode != "cp";
  if (opcode == "ld" || opcode == "ldu")
    return is_elsewhere(statement) || has(statement, "param") ? -1 : 1;
  if (opcode == "st" || opcode == "red") return is_elsewhere(statement) ? -1 : 0;
  if (opcode == "atom") return is_elsewhere(statement) ? -1 : 1;
  if (opcode == "wmma" && has(statement, "load"))
    return writes = false, is_elsewhere(statement) ? -1 : 1;
  if (opcode == "wmma" && has(statement, "store")) return is_elsewhere(statement) ? -1 : 0;
  if (opcode == "tensormap")
    return has(statement, "cp_fenceproxy") || !is_elsewhere(statement) ? 0 : -1;
  if (opcode != "cp" || has(statement, "wait_group") || has(statement, "commit_group")) return -1;
  if (!has(statement, "bulk")) return has(statement, "global") ? 1 : -1;
  // cp.async.bulk{.tensor}.DESTINATION.SOURCE
  for (const std::string_view modifier : statement.modifiers) {
    if (modifier == "global") return writes = true, 0;
    if (modifier.substr(0, 6) == "shared") return 1;
  }
  return -1;
}

}  // namespace

SourcesOfFunction find_sources(const PtxModule& module, const PtxFunction& function) {
  SourcesOfFunction found;
  found.statements.resize(function.statements.size(), 0);
  const Tracing tracing(module, function);
  for (std::size_t k = 0; k < function.statements.size(); ++k) {
    const PtxStatement& statement = function.statements[k];
    if (statement.opcode == "call") found.written |= kAnySource;
    bool writes = false;
    const int operand = global_operand(statement, writes);
    if (operand < 0 || operand >= static_cast<int>(statement.operands.size())) continue;
    SourceMask mask = tracing.of(statement.operands[static_cast<std::size_t>(operand)]);
    // A generic address may be of shared memory; one that nothing is known of, of anything.
    if (mask == 0 && has(statement, "global")) mask = kAnySource;
    found.statements[k] = mask;
    if (writes) found.written |= mask;
  }
  return found;
}

}  // namespace lanescope::emulator
