// SPDX-License-Identifier: MIT
// Grids and lane tables for the terminal.
#include "layout/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout/explain.hpp"
#include "layout/formula.hpp"
#include "layout/rows.hpp"

namespace lanescope::layout {
namespace {

constexpr int kMaxCells = 64;  // a row of the grid before neighbours share a cell
constexpr int kCellsPerLine = 16;
constexpr int kRegistersPerLine = 8;
constexpr int kHeader = 10;  // "row \\ col "

// How many cells of `cell` characters, each behind a blank, stand in a line: `most`, or half as
// many, a quarter, ... so that they fit into `width`. 0 is any width.
int cells_per_line(int most, std::size_t cell, int width) {
  while (width > 0 && most > 1 && kHeader + most * (static_cast<int>(cell) + 1) > width) most /= 2;
  return most;
}

// How many neighbours along rows and columns one register of one lane holds, as one block.
struct Block {
  int rows = 1, cols = 1;
};
Block register_block(const Fragment& f) {
  Block block;
  for (int bit = 0; bit < f.value.count && (2 << bit) <= f.values_per_register(); ++bit) {
    const Move& move = f.value.bits[static_cast<std::size_t>(bit)];
    if (move == col(block.cols) && block.rows == 1)
      block.cols *= 2;
    else if (move == row(block.rows) && block.cols == 1)
      block.rows *= 2;
    else
      break;
  }
  if (f.rows <= kMaxCells && f.cols <= kMaxCells) return {};
  return block;
}

std::string cell(const Fragment& f, const Held& held, bool joined) {
  if (held.holder.thread < 0) return "-";
  const Holder& h = held.holder;
  if (joined || f.values_per_register() == 1)
    return fmt::format("{}:{}", h.thread, h.register_index);
  return fmt::format("{}:{}.{}", h.thread, h.register_index, h.bit / f.element_bits);
}

std::string grid_of_matrix(const Fragment& f, const std::vector<Held>& cells, int matrix,
                           int line_width) {
  const Block block = register_block(f);
  const bool joined = block.rows * block.cols > 1;
  const auto at = [&](int r, int c) {
    return cell(f, cells[static_cast<std::size_t>((matrix * f.rows + r) * f.cols + c)], joined);
  };
  std::size_t width = 3;
  for (int r = 0; r < f.rows; r += block.rows)
    for (int c = 0; c < f.cols; c += block.cols) width = std::max(width, at(r, c).size());
  std::string out;
  const int step = block.cols;
  const int per_line = cells_per_line(kCellsPerLine, width, line_width) * step;
  for (int from = 0; from < f.cols; from += per_line) {
    const int to = std::min(from + per_line, f.cols);
    out += fmt::format("{:>9} ", "row \\ col");
    for (int c = from; c < to; c += step) out += fmt::format(" {:>{}}", c, width);
    out += '\n';
    for (int r = 0; r < f.rows; r += block.rows) {
      out += fmt::format("{:>9} ", r);
      for (int c = from; c < to; c += step) out += fmt::format(" {:>{}}", at(r, c), width);
      out += '\n';
    }
  }
  return out;
}

}  // namespace

std::string legend(const Fragment& f) {
  const std::string_view who = thread_word(f);
  const Block block = register_block(f);
  if (block.cols > 1)
    return fmt::format("a cell is {}:register, {} neighbouring columns in each", who, block.cols);
  if (block.rows > 1)
    return fmt::format("a cell is {}:register, {} neighbouring rows in each", who, block.rows);
  if (f.values_per_register() == 1) return fmt::format("a cell is {}:register", who);
  return fmt::format("a cell is {}:register.part, parts of {} bits from the low end", who,
                     f.element_bits);
}

std::string grid(const Fragment& f, int width) {
  const std::vector<Held> cells = matrix_layout(f);
  std::string out;
  for (int matrix = 0; matrix < f.matrices; ++matrix) {
    if (f.matrices > 1) out += fmt::format("matrix {}\n", matrix);
    out += grid_of_matrix(f, cells, matrix, width);
  }
  return out;
}

std::string element_ranges(const Fragment& f, int thread, int register_index) {
  const std::vector<Held> held = elements(f, thread, register_index);
  std::string out;
  for (std::size_t at = 0; at < held.size();) {
    const Element first = held[at].element;
    std::size_t end = at + 1;
    const auto runs = [&](int down, int right) {
      end = at + 1;
      while (end < held.size()) {
        const Element& e = held[end].element;
        const int n = static_cast<int>(end - at);
        if (e != Element{first.row + n * down, first.col + n * right, first.matrix}) break;
        ++end;
      }
      return end - at;
    };
    if (runs(0, 1) > 1)
      out += fmt::format("({},{}..{})", first.row, first.col, held[end - 1].element.col);
    else if (runs(1, 0) > 1)
      out += fmt::format("({}..{},{})", first.row, held[end - 1].element.row, first.col);
    else
      out += fmt::format("({},{})", first.row, first.col);
    at = end;
  }
  return out;
}

std::string lanes(const Fragment& f, int line_width) {
  const auto widest = [&](int from, int to) {
    std::size_t width = 4;
    for (int thread = 0; thread < f.threads(); ++thread)
      for (int r = from; r < to; ++r) width = std::max(width, element_ranges(f, thread, r).size());
    return width;
  };
  const int per_line =
      line_width == 0 ? kRegistersPerLine
                      : cells_per_line(kRegistersPerLine, widest(0, f.registers()), line_width);
  std::string out;
  for (int from = 0; from < f.registers(); from += per_line) {
    const int to = std::min(from + per_line, f.registers());
    const std::size_t width = widest(from, to);
    out += fmt::format("{:>9} ", thread_word(f));
    for (int r = from; r < to; ++r) out += fmt::format(" {:>{}}", fmt::format("r{}", r), width);
    out += '\n';
    for (int thread = 0; thread < f.threads(); ++thread) {
      if (!f.provided_by(thread)) continue;
      out += fmt::format("{:>9} ", thread);
      for (int r = from; r < to; ++r)
        out += fmt::format(" {:>{}}", element_ranges(f, thread, r), width);
      out += '\n';
    }
  }
  return out;
}

std::string both_ways(const Fragment& f, int line_width) {
  return fmt::format(
      "\n  who holds an element ({})\n{}"
      "\n  what each register holds, (row,col) from the low bits up\n{}",
      legend(f), grid(f, line_width), lanes(f, line_width));
}

std::string picture(const Instruction& i, char operand, int selector, int width) {
  std::string out = fmt::format("{}\n  M {}, N {}, K {}; PTX {}, {}; {} ({})\n", i.mnemonic, i.M,
                                i.N, i.K, i.ptx, i.target, i.source, name(i.standing));
  if (!i.modifiers.empty())
    out += fmt::format("  may also carry {}: the maps stay the same\n", i.modifiers);
  if (!i.note.empty()) out += fmt::format("  note: {}\n", i.note);
  const bool c_is_d = i.C.operand == 'C' && i.D.operand == 'D' && i.C.type == i.D.type;
  for (const OperandMap& map : operands(i)) {
    const Fragment& f = *map.fragment;
    if (operand != '\0' && f.operand != operand) continue;
    if (selector >= 0 && map.selector >= 0 && map.selector != selector) continue;
    if (operand == '\0' && f.operand == 'C' && c_is_d) continue;
    const std::string both = operand == '\0' && f.operand == 'D' && c_is_d ? "C and D" : "";
    out += fmt::format("\n{}{}: {} {} x {}, {} register{} of {} bits\n",
                       both.empty() ? std::string(operand_name(f.operand)) : both,
                       map.selector >= 0 ? fmt::format(", selector {}", map.selector) : "",
                       name(f.type), f.rows, f.cols, f.registers(), f.registers() == 1 ? "" : "s",
                       f.register_bits);
    out += fmt::format("  row = {}\n  col = {}\n", formula(f, Axis::row), formula(f, Axis::col));
    if (f.matrices > 1) out += fmt::format("  matrix = {}\n", formula(f, Axis::matrix));
    if (f.operand == 'E') out += fmt::format("  {}\n", metadata_means(i));
    out += both_ways(f, width);
  }
  return out;
}

}  // namespace lanescope::layout
