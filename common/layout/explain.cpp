// SPDX-License-Identifier: MIT
// Derivations and sums in words.
#include "layout/explain.hpp"

#include <fmt/format.h>

#include "layout/formula.hpp"
#include "layout/rows.hpp"

namespace lanescope::layout {
namespace {

std::string place(const Fragment& f, const Holder& h) {
  return fmt::format("{} {} {}", thread_word(f), h.thread, register_name(f, h));
}

std::string derivation(const Fragment& f, const Holder& h, const Element& e) {
  std::string out = fmt::format("  {}, value i = {}, bits {} to {}\n", place(f, h), h.value, h.bit,
                                h.bit + f.payload_bits() - 1);
  if (f.thread.count == 5)
    out += fmt::format("    groupID = {} >> 2 = {}, threadID_in_group = {} % 4 = {}\n", h.thread,
                       h.thread >> 2, h.thread, h.thread % 4);
  for (Axis axis : {Axis::row, Axis::col, Axis::matrix}) {
    if (axis == Axis::matrix && f.matrices == 1) continue;
    const char* word = axis == Axis::row ? "row" : axis == Axis::col ? "col" : "matrix";
    const std::string numbers = formula_with_numbers(f, axis, h.thread, h.value);
    const int result = axis == Axis::row ? e.row : axis == Axis::col ? e.col : e.matrix;
    out += fmt::format("    {} = {} = {}{}\n", word, formula(f, axis), numbers,
                       numbers.find('=') == std::string::npos && numbers != fmt::to_string(result)
                           ? fmt::format(" = {}", result)
                           : "");
  }
  return out;
}

std::string paste(const Fragment& f) {
  const std::string_view word = thread_word(f);
  std::string out = fmt::format("  C++, what {} holds:\n    int row = {};\n    int col = {};\n",
                                word, expression(f, Axis::row), expression(f, Axis::col));
  if (f.matrices > 1) out += fmt::format("    int matrix = {};\n", expression(f, Axis::matrix));
  out += fmt::format("  C++, who holds (row, col):\n    int {} = {};\n    int i = {};\n", word,
                     thread_expression(f), value_expression(f));
  const int per_register = f.values_per_register();
  if (per_register == 1)
    out += "    int reg = i;\n";
  else
    out +=
        fmt::format("    int reg = i / {0}, bit = i % {0} * {1}{2};\n", per_register,
                    f.element_bits, f.low_padding > 0 ? fmt::format(" + {}", f.low_padding) : "");
  return out;
}

std::string ptx(const Fragment& f) {
  const std::string_view word = thread_word(f);
  const auto block = [](const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "    " + line + "\n";
    return text;
  };
  std::string out = fmt::format(
      "  PTX, what {0} holds, from %{0} and %i (all registers are .b32, %t is spare):\n", word);
  out += block(ptx_expression(f, Axis::row)) + block(ptx_expression(f, Axis::col));
  if (f.matrices > 1) out += block(ptx_expression(f, Axis::matrix));
  out += fmt::format("  PTX, who holds (row, col), from %row and %col{}:\n",
                     f.matrices > 1 ? " and %matrix" : "");
  return out + block(ptx_thread_expression(f)) + block(ptx_value_expression(f)) +
         block(ptx_place_expression(f));
}

// The first holder of an element, or "in shared memory" for what is not in registers.
std::string where(const Instruction& i, char operand, Element e) {
  const Fragment* f = i.operand(operand);
  if (f == nullptr) return "shared memory";
  const std::vector<Holder> found = holders(*f, e);
  return found.empty() ? "nobody" : place(*f, found.front());
}

// A dense sum: k runs over K.
std::string dense_terms(const Instruction& i, const Element& d) {
  std::string out;
  for (int k = 0; k < i.K; ++k)
    out += fmt::format("  + A[{}][{}] ({}) * B[{}][{}] ({})\n", d.row, k,
                       where(i, 'A', {d.row, k, d.matrix}), k, d.col,
                       where(i, 'B', {k, d.col, d.matrix}));
  return out;
}

// A sparse one: the metadata says which of the chunk's rows of B a kept element meets.
std::string sparse_terms(const Instruction& i, const Element& d) {
  const Fragment& E = i.E.front();
  const int kept = i.K / 2;
  const int per_index = kept / E.cols;                        // 4-bit types: a pair shares an index
  const int chunk = E.element_bits == 4 ? 2 : 4 * per_index;  // of K
  std::string out;
  for (int s = 0; s < kept; ++s) {
    const int first = 2 * s / chunk * chunk;
    out += fmt::format(
        "  + A[{}][{}] ({}) * B[k][{}], k in {}..{} as E[{}][{}] says ({}, selector 0)\n", d.row, s,
        where(i, 'A', {d.row, s, 0}), d.col, first, first + chunk - 1, d.row, s / per_index,
        where(i, 'E', {d.row, s / per_index, 0}));
  }
  return out;
}

}  // namespace

std::string explain(const Instruction& i, int row, int col, char operand, int selector) {
  std::string out = fmt::format("{}\n  {} ({})\n", i.mnemonic, i.source, name(i.standing));
  if (!i.note.empty()) out += fmt::format("  note: {}\n", i.note);
  for (const OperandMap& map : operands(i)) {
    const Fragment& f = *map.fragment;
    if ((operand != '\0' && f.operand != operand) || !f.contains({row, col, 0})) continue;
    if (selector >= 0 && map.selector >= 0 && map.selector != selector) continue;
    out += fmt::format("\n{}[{}][{}]{}: {}, {} x {}\n", operand_name(f.operand), row, col,
                       map.selector >= 0 ? fmt::format(" with selector {}", map.selector) : "",
                       name(f.type), f.rows, f.cols);
    if (f.operand == 'E') out += fmt::format("  {}\n", metadata_means(i));
    for (int matrix = 0; matrix < f.matrices; ++matrix)
      for (const Holder& h : holders(f, {row, col, matrix}))
        out += derivation(f, h, {row, col, matrix});
    out += paste(f) + ptx(f);
  }
  return out;
}

std::string metadata_means(const Instruction& i) {
  if (i.E.empty()) return {};
  const Fragment& E = i.E.front();
  if (E.element_bits == 4)
    return "value 0100 or 1110: A[row][col] meets row 2*col of B, or the next";
  if (i.K / 2 == E.cols) return "value 0 to 3: A[row][col] meets row 4*(col/2) + value of B";
  return "value 0 to 3: A[row][2*col] and the next meet row 8*(col/2) + 2*value of B and the next";
}

std::string output_terms(const Instruction& i, int row, int col) {
  std::string out = i.mnemonic + "\n";
  for (int matrix = 0; matrix < i.D.matrices; ++matrix) {
    const Element d{row, col, matrix};
    if (i.D.matrices > 1) out += fmt::format("matrix {}, quad-pair {}:\n", matrix, matrix);
    out += fmt::format("D[{}][{}] ({}) =\n", row, col, where(i, 'D', d));
    const char c = i.operand('C') != nullptr ? 'C' : 'D';
    out += fmt::format("    {}[{}][{}] ({}){}\n", c, row, col, where(i, c, d),
                       c == 'D' ? " if scale-d, else 0" : "");
    if (i.operand('S') != nullptr)
      out += fmt::format("  each product scaled by SFA[{}][k*{}/{}] * SFB[k*{}/{}][{}]\n", row,
                         i.SFA.cols, i.K, i.SFA.cols, i.K, col);
    out += i.E.empty() ? dense_terms(i, d) : sparse_terms(i, d);
  }
  return out;
}

}  // namespace lanescope::layout
