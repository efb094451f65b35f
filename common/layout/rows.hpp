// SPDX-License-Identifier: MIT
// The atlas as rows: one for every place of every operand of an instruction, or only for those
// asked for, and the rows as CSV, JSON or a markdown table. Strings only; nothing is printed here.
//
//   operand,thread,value,register,bit,row,col           mma, wgmma, wmma
//   selector,operand,thread,value,register,bit,row,col  mma.sp, wgmma.sp: E is the metadata
//
// `value` counts a thread's elements from the low bits up, `bit` is an element's lowest bit in the
// register. Rows and columns are those of the matrix as it is stored: B is K x N (row = k), a
// sparse A is M x K/2 (only the kept elements), E is M x K/2 two-bit indices. docs/layouts.md says
// more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::layout {

/// Which rows. What is empty does not restrict.
struct Selection {
  char operand = 0;
  std::optional<int> thread;
  std::optional<int> register_index;
  std::optional<int> selector;
  std::optional<int> row, col;
};

/// One operand's map with its selector (-1: it does not depend on one).
struct OperandMap {
  const Fragment* fragment;
  int selector;
};
/// A, B, C, D and, selector by selector, E: those that are in registers.
std::vector<OperandMap> operands(const Instruction& instruction);

/// Why nothing can be selected ("lane 32, but a warp has lanes 0 to 31"), or "" when all is in
/// range.
std::string problem(const Instruction& instruction, const Selection& selection);

struct Row {
  const Fragment* fragment;
  int selector;
  Held held;
};
std::vector<Row> rows(const Instruction& instruction, const Selection& selection = {});

/// Only sparse instructions have a leading selector column.
bool has_selector(const Instruction& instruction);

std::string csv(const Instruction& instruction, const Selection& selection = {});
std::string json(const Instruction& instruction, const Selection& selection = {});
std::string markdown(const Instruction& instruction, const Selection& selection = {});

/// "lo" and "hi", or "b0", "b1", ...: the name of an element's part of its register, counted from
/// the low bits; "" when it fills it, or is none.
std::string part_name(const Fragment& fragment, int part);

/// A name for a place in a register: "r1" or, where several elements share it, "r1.hi", "r1.b2".
std::string register_name(const Fragment& fragment, const Holder& holder);

}  // namespace lanescope::layout
