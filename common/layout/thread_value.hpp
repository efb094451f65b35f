// SPDX-License-Identifier: MIT
// Fragments as CuTe writes them: a layout from (thread, value) to an index in the matrix, whose
// columns lie one after the other. B is N x K there, so that k is the second of A and of B.
//
//   C and D of m16n8k16    ((4,8),(2,2)):((32,1),(16,8))     index = m + 16 n
//
// Source: CUTLASS, include/cute/atom/mma_traits.hpp (ALayout, BLayout, CLayout).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/cute_layout.hpp"
#include "layout/mover.hpp"

namespace lanescope::layout {

/// Nothing for what CuTe has no such layout of: metadata and scales, which some lanes alone
/// provide. Where a fragment has several matrices, of one of them, whose threads are those of a
/// quad-pair: `thread_ids`. Columns of a sparse A are those that are kept.
std::optional<CuteLayout> thread_value_layout(const Fragment& fragment);
/// The lane that a thread of that layout is, in the first matrix; nothing where they are the same.
std::optional<CuteLayout> thread_ids(const Fragment& fragment);

/// The registers of ldmatrix and stmatrix: from (thread, bit of its registers) to the bit of the
/// stored matrices, row after row, matrix after matrix. Nothing for other movers.
std::optional<CuteLayout> thread_bit_layout(const Mover& mover);

/// "m + 16 k": what an index of it means.
std::string index_means(const Fragment& fragment);

/// The index of an element, and the element of an index, which is one of the matrix.
std::int64_t index_of(const Fragment& fragment, const Element& element);
Element element_of(const Fragment& fragment, std::int64_t index);

/// Which element a thread's value is, as the layout has it, in lines:
/// "((4,8),(2,2)):((32,1),(16,8))", "lane 6 is 2,1; value 3 is 1,1", "2*32 + 1*1 + 1*16 + 1*8 = 89
/// = 9 + 16*5". None of a fragment that has no layout, or one of a quad-pair's threads.
std::vector<std::string> cute_reasons(const Fragment& fragment, int thread, int value);

/// "Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8>>>": C++ to paste.
std::string cute_cxx(const CuteLayout& layout);

/// A layout with the name of what it is of, "A" or "C, D" or "registers", and what its index means.
struct NamedLayout {
  std::string name;
  CuteLayout layout;
  std::string means;
};
/// Of an instruction's operands ('\0': all of them; a C that is as D, once); of a mover's
/// registers.
std::vector<NamedLayout> named_layouts(const Instruction& instruction, char operand = '\0');
std::vector<NamedLayout> named_layouts(const Mover& mover);
/// With the same as C++ below each, in lines.
std::string text(const std::vector<NamedLayout>& layouts);

/// An operand of an instruction.
struct OperandOf {
  const Instruction* instruction = nullptr;
  char operand = 0;
};
/// Every operand whose (thread, value) has the same index as the layout's, in the atlas's order. A
/// C that is as D is left out.
std::vector<OperandOf> with_layout(const CuteLayout& layout);
/// Where there is none: why, and which operand has most in common with it. One line.
std::string why_none_has(const CuteLayout& layout);

}  // namespace lanescope::layout
