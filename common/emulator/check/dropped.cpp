// SPDX-License-Identifier: MIT
#include "emulator/check/dropped.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "emulator/check/needed.hpp"
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
  return statement.opcode == "atom" && !statement.operands.empty() &&
         any_marked(statement.operands[0], read);
}

namespace {

// A mask that takes whole bytes.
bool is_of_bytes(std::int64_t mask) {
  const auto bits = static_cast<std::uint64_t>(mask);
  for (unsigned at = 0; at < 64; at += 8)
    if ((bits >> at & 0xff) != 0 && (bits >> at & 0xff) != 0xff) return false;
  return true;
}

// Moves bytes from one register to another, as they are: whether they mean something is not asked.
bool only_moves(const PtxStatement& statement) {
  const std::string_view opcode = statement.opcode;
  const auto& operands = statement.operands;
  if (opcode == "mov" || opcode == "selp" || opcode == "prmt") return operands.size() > 1;
  const bool has_number = operands.size() == 3 && operands[2].kind == OperandKind::integer;
  if (opcode == "shl" || opcode == "shr") return has_number && operands[2].value % 8 == 0;
  if (opcode == "and") return has_number && is_of_bytes(operands[2].value);
  return opcode == "cvt" && statement.modifiers.size() == 2 &&
         std::all_of(statement.modifiers.begin(), statement.modifiers.end(),
                     [](std::string_view type) { return type[0] == 'u' || type[0] == 's'; });
}

bool is_kept(const PtxStatement& statement) {  // in memory that others read
  return statement.opcode == "st" && !has(statement, "param") && !has(statement, "local") &&
         !has(statement, "async") && !has(statement, "bulk");
}

bool is_load(const PtxStatement& statement) {
  return statement.opcode == "ld" && statement.operands.size() == 2 && !has(statement, "param") &&
         !has(statement, "global") && !has(statement, "local");
}

bool takes_bytes(const PtxStatement& statement) {
  return statement.operands[0].kind == OperandKind::list &&
         (has(statement, "u8") || has(statement, "b8") || has(statement, "s8"));
}

// Another load goes by the same address, of more than single bytes: a member beside the padding.
bool has_neighbour(const PtxFunction& function, const PtxOperand& address) {
  return std::any_of(
      function.statements.begin(), function.statements.end(), [&](const PtxStatement& other) {
        if (!is_load(other) || takes_bytes(other)) return false;
        const auto& base = other.operands[1].items;
        return !base.empty() && !address.items.empty() && base[0].reg == address.items[0].reg &&
               base[0].variable == address.items[0].variable;
      });
}

}  // namespace

std::vector<Copying> find_copying(const PtxFunction& function, const std::vector<bool>& read) {
  std::vector<Copying> copying(function.statements.size(), Copying::no);
  if (std::none_of(function.statements.begin(), function.statements.end(), is_load)) return copying;
  const Needed used(function, only_moves, is_kept);
  for (std::size_t k = 0; k < function.statements.size(); ++k) {
    const PtxStatement& statement = function.statements[k];
    if (!is_load(statement) || used.is(statement.operands[0])) continue;
    if (!any_marked(statement.operands[0], read)) continue;
    const bool is_padding =
        takes_bytes(statement) && has_neighbour(function, statement.operands[1]);
    copying[k] = is_padding ? Copying::bytes : Copying::some;
  }
  return copying;
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
