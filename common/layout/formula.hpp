// SPDX-License-Identifier: MIT
// A fragment map in words: the ISA's formula for a row or a column, and the same with the numbers
// of one lane and value filled in. Derived from the moves, so it can never disagree with the table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layout/fragment.hpp"

namespace lanescope::layout {

/// What one of those who hold it is called: "lane" of a warp, "thread" of a warpgroup.
inline std::string_view thread_word(const Fragment& fragment) {
  return fragment.thread.count > 5 ? "thread" : "lane";
}

/// One summand of a formula: ((index >> shift) & mask) * stride. `mask` is 2^n - 1.
struct Term {
  bool of_thread = true;  // else of the value index
  int shift = 0;
  int mask = 0;
  int stride = 1;
};

enum class Axis : std::uint8_t { row, col, matrix };

/// The summands of `axis`, thread first; neighbouring bits whose strides double become one term.
std::vector<Term> terms(const Fragment& fragment, Axis axis);

/// "groupID + ((i >> 1) & 1)*8", in the ISA's words (groupID = lane >> 2,
/// threadID_in_group = lane % 4, i the value index). "0" when nothing moves that axis.
std::string formula(const Fragment& fragment, Axis axis);

/// The same with numbers: "5 + ((7 >> 1) & 1)*8 = 13".
std::string formula_with_numbers(const Fragment& fragment, Axis axis, int thread, int value);

/// "row = groupID + ((i >> 1) & 1)*8", "    = 5 + ((7 >> 1) & 1)*8 = 13"; the first alone where it
/// has nothing to fill in.
std::vector<std::string> derivation(const Fragment& fragment, Axis axis, int thread, int value);

/// A C++ expression over `lane` and `i`: "(lane >> 2) + ((i >> 1) & 1) * 8".
std::string expression(const Fragment& fragment, Axis axis);

/// The way back, as C++ over `row`, `col` and, where there are several matrices, `matrix`: which
/// thread and which value hold an element. Where there are copies: the first holder.
///   thread: "((row & 7) << 2) | ((col >> 1) & 3)"     value: "(col & 1) | (((row >> 3) & 1) << 1)"
std::string thread_expression(const Fragment& fragment);
std::string value_expression(const Fragment& fragment);

/// The same four as PTX, an instruction a line, over .b32 registers: %lane (or %thread) and %i give
/// %row, %col and %matrix, these give %lane and %i, and %i gives %reg and %bit. %t is overwritten.
///   bfe.u32 %t, %lane, 2, 3;
///   mad.lo.u32 %row, %t, 1, 0;
std::vector<std::string> ptx_expression(const Fragment& fragment, Axis axis);
std::vector<std::string> ptx_thread_expression(const Fragment& fragment);
std::vector<std::string> ptx_value_expression(const Fragment& fragment);
std::vector<std::string> ptx_place_expression(const Fragment& fragment);

}  // namespace lanescope::layout
