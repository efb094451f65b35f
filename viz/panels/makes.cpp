// SPDX-License-Identifier: MIT
#include "panels/makes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lanescope::viz {
namespace {

using Lines = std::vector<std::string>;

std::string line_lanes(const Multiplication& in, char operand, bool row, int at) {
  const layout::Fragment& map = *in.map(operand);
  std::set<int> lanes;
  for (int i = 0; i < (row ? map.cols : map.rows); ++i)
    lanes.insert(row ? in.holder(operand, at, i).thread : in.holder(operand, i, at).thread);
  return lanes_text({lanes.begin(), lanes.end()});
}

std::string holder_text(const Multiplication& in, char operand, int row, int col) {
  const layout::Fragment* map = in.map(operand);
  if (map == nullptr) return fmt::format("{} in shared memory", operand);
  const layout::Holder h = in.holder(operand, row, col);
  const std::string part = part_name(*map, h.bit / map->element_bits);
  return fmt::format("{} {}.r{}{}", holder_name(in, h.thread), operand, h.register_index,
                     part.empty() ? "" : "." + part);
}

std::string value_at(const Multiplication& in, char operand, int row, int col) {
  return value_text(in, operand, in.holder(operand, row, col));
}

// D[row][col] += A[row][k] * B[k][col], with the numbers and who brings them.
void one_product(Lines& lines, const Multiplication& in, int row, int k, int col) {
  lines.push_back(fmt::format("D[{0}][{2}] += A[{0}][{1}] * B[{1}][{2}]", row, k, col));
  const std::string a = value_at(in, 'A', row, k);
  const std::string b = value_at(in, 'B', k, col);
  if (!a.empty() && !b.empty()) lines.push_back(fmt::format("         += {} * {}", a, b));
  lines.push_back(fmt::format("{} <- {}, {}", holder_text(in, 'D', row, col),
                              holder_text(in, 'A', row, k), holder_text(in, 'B', k, col)));
}

void dot_product(Lines& lines, const Multiplication& in, int row, int col) {
  const int K = in.instruction->K;
  lines.push_back(fmt::format("D[{0}][{1}] = C[{0}][{1}] + A[{0}][k] * B[k][{1}]", row, col));
  lines.push_back(fmt::format("summed over k = 0 to {}", K - 1));
  std::string sum = value_at(in, 'C', row, col);
  for (int k = 0; k < std::min(K, 2); ++k) {
    const std::string a = value_at(in, 'A', row, k);
    const std::string b = value_at(in, 'B', k, col);
    if (a.empty() || b.empty() || sum.empty())
      sum.clear();
    else
      sum += fmt::format(" + {}*{}", a, b);
  }
  const std::string d = value_at(in, 'D', row, col);
  if (!sum.empty() && !d.empty()) lines.push_back(fmt::format("{} = {} + ...", d, sum));
  if (in.map('A') != nullptr)
    lines.push_back(
        fmt::format("row {} of A: {}s {}", row, holder_word(in), line_lanes(in, 'A', true, row)));
  if (in.map('B') != nullptr)
    lines.push_back(fmt::format("column {} of B: {}s {}", col, holder_word(in),
                                line_lanes(in, 'B', false, col)));
}

// Where D is not simply the sum of the products.
void say_exceptions(Lines& lines, const layout::Instruction& instruction) {
  if (instruction.SFA.operand != '?')
    lines.push_back("each product times the scales of its row and column");
  if (instruction.A.type == layout::ElementType::b1)
    lines.push_back("here * is xor or and of bits, + counts ones");
}

void say_makes(Lines& lines, const Multiplication& in, const Selection& s, const Hover& hover) {
  if (!in.columns_of_A_are_k()) {
    lines.push_back("A keeps half of each row: its metadata E says which columns");
    return;
  }
  const int row = s.element.row;
  const int col = s.element.col;
  const bool d_hovered = hover.operand == 'C' || hover.operand == 'D';
  switch (s.operand) {
    case 'A':
      if (d_hovered && hover.row == row) return one_product(lines, in, row, col, hover.col);
      if (hover.operand == 'B' && hover.row == col)
        return one_product(lines, in, row, col, hover.col);
      lines.push_back(fmt::format("D[{0}][n] += A[{0}][{1}] * B[{1}][n]", row, col));
      lines.push_back(fmt::format("for every n = 0 to {}", in.instruction->N - 1));
      return;
    case 'B':
      if (d_hovered && hover.col == col) return one_product(lines, in, hover.row, row, col);
      if (hover.operand == 'A' && hover.col == row)
        return one_product(lines, in, hover.row, row, col);
      lines.push_back(fmt::format("D[m][{1}] += A[m][{0}] * B[{0}][{1}]", row, col));
      lines.push_back(fmt::format("for every m = 0 to {}", in.instruction->M - 1));
      return;
    default:
      dot_product(lines, in, row, col);
  }
}

}  // namespace

std::vector<std::string> makes(const Multiplication& in, const Selection& selection,
                               const Hover& hover) {
  Lines lines;
  say_makes(lines, in, selection, hover);
  say_exceptions(lines, *in.instruction);
  return lines;
}

}  // namespace lanescope::viz
