// SPDX-License-Identifier: MIT
#include "emulator/ptx/register_use.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace lanescope::emulator {
namespace {

// Sources; wgmma's accumulators, which are written at the wait. What a barrier's reduction gives is
// written when it opens.
constexpr std::array<std::string_view, 11> kWriteNothing{
    "bar", "barrier",      "brx",   "call", "nanosleep", "setmaxnreg",
    "st",  "stackrestore", "sured", "sust", "wgmma"};
constexpr std::array<std::string_view, 6> kEndBlocks{"bra", "brx", "call", "ret", "exit", "trap"};

template <std::size_t kCount>
bool is_one_of(std::string_view opcode, const std::array<std::string_view, kCount>& all) {
  return std::find(all.begin(), all.end(), opcode) != all.end();
}

}  // namespace

bool writes_first_operand(const PtxStatement& statement) {
  if (statement.opcode == "tcgen05") return has(statement, "ld");
  return !is_one_of(statement.opcode, kWriteNothing);
}

bool ends_block(const PtxStatement& statement) { return is_one_of(statement.opcode, kEndBlocks); }

std::vector<std::uint32_t> number_blocks(const PtxFunction& function) {
  const std::size_t count = function.statements.size();
  std::vector<bool> begins(count + 1, false);
  const auto target = [&](const PtxOperand& operand) {
    if (operand.kind == OperandKind::label && operand.value >= 0 &&
        static_cast<std::size_t>(operand.value) <= count)
      begins[static_cast<std::size_t>(operand.value)] = true;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (function.statements[i].opcode != "brx")  // that one names a list, below
      for (const PtxOperand& operand : function.statements[i].operands) target(operand);
    if (ends_block(function.statements[i])) begins[i + 1] = true;
  }
  for (const auto& targets : function.branch_targets)
    for (const PtxOperand& operand : targets) target(operand);
  std::vector<std::uint32_t> block(count);
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < count; ++i) block[i] = number += begins[i] && i > 0 ? 1 : 0;
  return block;
}

}  // namespace lanescope::emulator
