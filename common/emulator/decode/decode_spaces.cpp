// SPDX-License-Identifier: MIT
// Where a variable's name and a number may stand for an address: [name] in the variable's own state
// space, the bare name where mov and cvta take its address. ptxas refuses all others, which would
// read another space's bytes.
//
// Source: PTX ISA 9.2, 6.4.1 (addresses as operands) and 5.1 (state spaces); what ptxas 13.0 says
// of each instruction with a variable of every space (tests/emulator/space_test.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {
namespace {

template <std::size_t kCount>
bool is_among(const std::array<std::string_view, kCount>& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

// What a texture's name is, or an argument, is not an address; fence asks nothing of its own.
constexpr std::array<std::string_view, 9> kOthers{"tex",   "tld4", "txq",  "suld", "sust",
                                                  "sured", "suq",  "call", "fence"};
constexpr std::array<std::string_view, 4> kTakeAddresses{"mov", "cvta", "mapa", "getctarank"};

/// The spaces of a statement's addresses, one after another; the last is that of all behind it.
std::vector<Space> named_spaces(const PtxStatement& statement) {
  std::vector<Space> spaces;
  for (const std::string_view modifier : statement.modifiers)
    if (const Space space = find_space(modifier); space != Space::none) spaces.push_back(space);
  if (statement.opcode == "mbarrier") spaces = {Space::shared};
  if (statement.opcode == "prefetchu") spaces = {Space::global};
  if (spaces.empty()) spaces = {Space::generic};
  // a copy names where to and where from; what it tells of the bytes is an mbarrier
  if (spaces.size() == 2) spaces.push_back(Space::shared);
  return spaces;
}

std::string_view name_of(Space space) {
  constexpr std::array<std::string_view, 7> kNames{"none",   "generic", ".global", ".shared",
                                                   ".local", ".param",  ".const"};
  return kNames[static_cast<std::size_t>(space)];
}

bool goes_with(Space variable, Space addressed) {
  if (addressed != Space::generic) return variable == addressed;
  return variable != Space::constant && variable != Space::parameter;
}

}  // namespace

void Decoder::check_space(const PtxOperand& name, Space addressed) const {
  const PtxVariable& variable = variable_of(name);
  if (goes_with(variable.space, addressed)) return;
  refuse(addressed == Space::generic
             ? fmt::format("{} is a variable of {}, which has no generic address; write {} into "
                           "the instruction, or use cvta",
                           variable.name, name_of(variable.space), name_of(variable.space))
             : fmt::format("{} is a variable of {} where an address of {} should stand",
                           variable.name, name_of(variable.space), name_of(addressed)),
         ErrorCode::invalid_ptx);
}

// The address of a variable is a value for mov alone; cvta, mapa and getctarank want one of
// their space.
void Decoder::check_bare_name(const PtxOperand& name) const {
  const std::string_view opcode = statement_->opcode;
  if (!is_among(kTakeAddresses, opcode) || has(*statement_, "to"))
    refuse(fmt::format("the address of {} stands where a register should; mov puts it into one",
                       variable_of(name).name),
           ErrorCode::invalid_ptx);
  if (opcode == "mov") {
    if (std::any_of(statement_->modifiers.begin(), statement_->modifiers.end(),
                    [](std::string_view modifier) { return is_real(find_type(modifier)); }))
      refuse(fmt::format("the address of {} is a whole number", variable_of(name).name),
             ErrorCode::invalid_ptx);
    return;
  }
  check_space(name, opcode == "cvta" ? named_spaces(*statement_).front() : Space::shared);
}

void Decoder::check_spaces() const {
  if (is_among(kOthers, statement_->opcode)) return;
  std::vector<Space> spaces;
  std::size_t k = 0;
  for (const PtxOperand& operand : statement_->operands) {
    if (operand.kind == OperandKind::variable) check_bare_name(operand);
    for (const PtxOperand& item : operand.items)
      if (operand.kind == OperandKind::list && item.kind == OperandKind::variable)
        refuse(fmt::format("the address of {} stands in a list; mov puts it into a register",
                           variable_of(item).name),
               ErrorCode::invalid_ptx);
    if (operand.kind != OperandKind::address) continue;
    if (spaces.empty()) spaces = named_spaces(*statement_);
    const Space addressed = spaces[std::min(k++, spaces.size() - 1)];
    if (operand.items.empty()) {
      if (addressed != Space::local)
        refuse("a number is an address of .local alone; mov puts it into a register",
               ErrorCode::invalid_ptx);
    } else if (operand.items.front().kind == OperandKind::variable) {
      check_space(operand.items.front(), addressed);
    }
  }
}

}  // namespace lanescope::emulator
