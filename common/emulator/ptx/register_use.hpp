// SPDX-License-Identifier: MIT
// Which registers a statement reads and which it writes, and which statements begin a block: what
// looks at PTX as it was parsed (contract.cpp, step_plan.cpp) asks here.
//
// Source: PTX ISA 9.2, 4.3 and chapter 9: the first operand is the destination, where there is one.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// False where the first operand, although it may be a register or a list, is a source.
bool writes_first_operand(const PtxStatement& statement);

/// Jumps and calls; the next statement begins a block.
bool ends_block(const PtxStatement& statement);

/// Of every statement: the number of its block, counted from 0. Statements between two jumps, calls
/// or labels that are jumped to are one block.
std::vector<std::uint32_t> number_blocks(const PtxFunction& function);

/// Calls back with every register of an operand, of lists, pairs and addresses, too.
template <class F>
void each_register(const PtxOperand& operand, F&& found) {
  if (operand.kind == OperandKind::reg) found(operand.reg);
  if (operand.pair >= 0) found(operand.pair);
  for (const PtxOperand& item : operand.items) each_register(item, found);
}

}  // namespace lanescope::emulator
