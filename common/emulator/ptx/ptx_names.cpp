// SPDX-License-Identifier: MIT
// What a name in a function means: every brace is a scope of registers, variables and labels.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

namespace {

// "%r17" -> {"%r", 17}; no number: -1. A leading zero belongs to the name.
std::pair<std::string_view, int> split_number(std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && digits < 9 && name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9')
    ++digits;
  while (digits > 1 && name[name.size() - digits] == '0') --digits;
  if (digits == 0) return {name, -1};
  std::int64_t number = 0;
  parse_integer(name.substr(name.size() - digits), number);
  return {name.substr(0, name.size() - digits), static_cast<int>(number)};
}

}  // namespace

std::string PtxRegister::spelled() const {
  return number < 0 ? std::string(name) : fmt::format("{}{}", name, number);
}

void PtxParser::open_scope() {
  scopes_.emplace_back();
  scopes_.back().parent = scope_;
  scope_ = static_cast<int>(scopes_.size()) - 1;
}

void PtxParser::close_scope() { scope_ = scopes_[static_cast<std::size_t>(scope_)].parent; }

// In a function a name is declared once between two braces, whatever it is a name of. Inline asm
// that is inlined twice and has no braces of its own breaks that.
void PtxParser::declare(const Token& name, int count) const {
  if (scope_ == 0) return;
  const Scope& here = scopes_[static_cast<std::size_t>(scope_)];
  std::string known;
  if (count < 0) {
    const auto [prefix, number] = split_number(name.text);
    const auto range = number < 0 ? here.ranges.end() : here.ranges.find(prefix);
    if (here.registers.count(name.text) + here.variables.count(name.text) +
                here.labels.count(name.text) !=
            0 ||
        (range != here.ranges.end() && number < range->second.count))
      known = name.text;
  } else {
    if (here.ranges.count(name.text) != 0) known = fmt::format("{}<", name.text);
    const auto look = [&, range = name.text](const auto& names) {
      for (const auto& [other, what] : names) {
        const auto [prefix, number] = split_number(other);
        if (number >= 0 && number < count && prefix == range) known = other;
      }
    };
    look(here.registers);
    look(here.variables);
    look(here.labels);
  }
  if (!known.empty())
    refuse_at(name, fmt::format("{} is declared twice between the same braces; inline asm keeps "
                                "its names in {{ }} of its own",
                                known));
}

int PtxParser::find_register(std::string_view name) const {
  const auto [prefix, number] = split_number(name);
  for (int s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const Scope& known = scopes_[static_cast<std::size_t>(s)];
    if (const auto whole = known.registers.find(name); whole != known.registers.end())
      return whole->second.first;
    const auto range = number < 0 ? known.ranges.end() : known.ranges.find(prefix);
    if (range != known.ranges.end() && number < range->second.count)
      return range->second.first + number * std::max(range->second.vector, 1);
  }
  return -1;
}

int PtxParser::vector_of(std::string_view name) const {
  const auto [prefix, number] = split_number(name);
  for (int s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const Scope& known = scopes_[static_cast<std::size_t>(s)];
    if (const auto whole = known.registers.find(name); whole != known.registers.end())
      return whole->second.vector;
    const auto range = number < 0 ? known.ranges.end() : known.ranges.find(prefix);
    if (range != known.ranges.end() && number < range->second.count) return range->second.vector;
  }
  return 0;
}

int PtxParser::find_variable(std::string_view name) const {
  for (int s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].variables;
    if (const auto found = known.find(name); found != known.end()) return found->second;
  }
  return -1;
}

int PtxParser::find_label(int scope, std::string_view name) const {
  for (int s = scope; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].labels;
    if (const auto found = known.find(name); found != known.end()) return found->second;
  }
  return -1;
}

int PtxParser::find_list(int scope, std::string_view name) const {
  for (int s = scope; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].lists;
    if (const auto found = known.find(name); found != known.end()) return found->second;
  }
  return -1;
}

// Only branches name labels; what is still a name elsewhere is a function, or a mistake that the
// decoder reports. The `value` of brx.idx's list is its index in PtxFunction::branch_targets.
void PtxParser::resolve_labels() {
  PtxFunction& function = this_function();
  const auto resolve = [](PtxOperand& operand, int found) {
    if (found < 0) return;
    operand.kind = OperandKind::label;
    operand.value = found;
  };
  for (PtxStatement& statement : function.statements) {
    for (PtxOperand& operand : statement.operands)
      if (operand.kind == OperandKind::name)
        resolve(operand, statement.opcode == "brx" ? find_list(operand.scope, operand.name)
                                                   : find_label(operand.scope, operand.name));
  }
  for (std::vector<PtxOperand>& targets : function.branch_targets)
    for (PtxOperand& target : targets) resolve(target, find_label(target.scope, target.name));
}

}  // namespace lanescope::emulator
