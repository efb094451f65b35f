// SPDX-License-Identifier: MIT
#include "emulator/decode/place.hpp"

#include <algorithm>

#include "emulator/limits.hpp"
#include "emulator/ptx/target.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::int64_t up_to(std::int64_t value, std::int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Where a variable lies behind what there is so far.
std::int64_t append(std::int64_t& size, const PtxVariable& variable) {
  const std::int64_t at = up_to(size, variable.alignment_bytes);
  size = at + variable.bytes;
  return at;
}

std::int64_t append_local(Function& function, const PtxVariable& variable) {
  function.local_alignment_bytes =
      std::max<std::int64_t>(function.local_alignment_bytes, variable.alignment_bytes);
  return append(function.local_bytes, variable);
}

void collect(const PtxOperand& operand, std::vector<bool>& used) {
  if (operand.variable >= 0) used[static_cast<std::size_t>(operand.variable)] = true;
  for (const PtxOperand& item : operand.items) collect(item, used);
}

}  // namespace

Placement::Placement(Program& program, std::string_view arch)
    : program_(program), uses_(program.functions.size()) {
  reserved_ = reserved_shared_bytes(parse_target(arch).number);
}

void Placement::add(const std::vector<int>& functions) {
  const auto& variables = program_.module.variables;
  common_.resize(variables.size(), false);
  for (const int f : functions) {
    Function& function = program_.functions[static_cast<std::size_t>(f)];
    Uses& uses = uses_[static_cast<std::size_t>(f)];
    frame(function);
    uses = uses_of(program_.module.functions[static_cast<std::size_t>(function.index)]);
    if (is_entry(function)) continue;
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (!uses.variables[v] || variables[v].space != Space::shared) continue;
      common_[v] = true;
      common_dynamic_ = common_dynamic_ || variables[v].is_external;
    }
  }
}

void Placement::settle() {
  if (!common_dynamic_) return;
  for (Function& function : program_.functions) {
    shared(function);
    dynamic_offset_ = std::max(dynamic_offset_, function.dynamic_shared_offset);
  }
}

bool Placement::is_entry(const Function& function) const {
  return program_.module.functions[static_cast<std::size_t>(function.index)].is_entry;
}

Placement::Uses Placement::uses_of(const PtxFunction& parsed) const {
  Uses uses;
  uses.variables.assign(program_.module.variables.size(), false);
  for (const PtxStatement& statement : parsed.statements) {
    if (statement.opcode == "call") uses.calls = true;
    for (const PtxOperand& operand : statement.operands) collect(operand, uses.variables);
  }
  return uses;
}

void Placement::frame(Function& function) {
  for (std::size_t v = 0; v < program_.module.variables.size(); ++v) {
    const PtxVariable& variable = program_.module.variables[v];
    if (variable.function != function.index) continue;
    if (variable.space == Space::parameter)
      program_.variable_addresses[v] = append(function.parameter_bytes, variable);
    if (variable.space == Space::local)
      program_.variable_addresses[v] = append_local(function, variable);
  }
  if (!is_entry(function)) put_on_stack(function);
  function.local_bytes = up_to(function.local_bytes, 16);
  function.parameter_bytes = up_to(function.parameter_bytes, 16);
}

void Placement::put_on_stack(Function& function) {
  const PtxFunction& parsed = program_.module.functions[static_cast<std::size_t>(function.index)];
  for (const PtxStatement& statement : parsed.statements) {
    if (statement.opcode != "mov" || statement.operands.size() != 2) continue;
    const int taken = statement.operands[1].variable;
    const auto& all = parsed.parameters;
    if (std::find(all.begin(), all.end(), taken) == all.end()) continue;
    const auto v = static_cast<std::size_t>(taken);
    const PtxVariable& parameter = program_.module.variables[v];
    const std::int64_t from = program_.variable_addresses[v];
    if (function.place_on_stack(from) >= 0) continue;
    function.on_stack.push_back({from, append_local(function, parameter), parameter.bytes});
  }
}

// Whether a shared variable has a place in this function's kernel(s): first those of called
// functions, then its own.
bool Placement::counts(const Function& function, std::size_t variable, bool common) const {
  const PtxVariable& what = program_.module.variables[variable];
  const auto index = static_cast<std::size_t>(&function - program_.functions.data());
  const bool meets_functions = !is_entry(function) || uses_[index].calls;
  const bool is_common = common_[variable] && meets_functions;
  if (common) return is_common;
  return !is_common && (what.function == function.index || uses_[index].variables[variable]);
}

void Placement::shared(Function& function) {
  std::int64_t end = reserved_;
  std::int64_t dynamic_alignment = 16;
  for (const bool common : {true, false}) {
    for (std::size_t v = 0; v < program_.module.variables.size(); ++v) {
      const PtxVariable& variable = program_.module.variables[v];
      if (variable.space != Space::shared) continue;
      if (variable.is_external) {
        dynamic_alignment = std::max<std::int64_t>(dynamic_alignment, variable.alignment_bytes);
      } else if (counts(function, v, common)) {
        program_.variable_addresses[v] = up_to(end, variable.alignment_bytes);
        end = program_.variable_addresses[v] + variable.bytes;
      }
    }
  }
  const auto index = static_cast<std::size_t>(&function - program_.functions.data());
  const bool at_one_place = common_dynamic_ && (!is_entry(function) || uses_[index].calls);
  function.shared_bytes = end - reserved_;
  function.dynamic_shared_offset =
      std::max(up_to(end, dynamic_alignment), at_one_place ? dynamic_offset_ : 0);
  for (std::size_t v = 0; v < program_.module.variables.size(); ++v) {
    const PtxVariable& variable = program_.module.variables[v];
    if (variable.space == Space::shared && variable.is_external)
      program_.variable_addresses[v] = function.dynamic_shared_offset;
  }
}

}  // namespace lanescope::emulator
