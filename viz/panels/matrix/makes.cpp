// SPDX-License-Identifier: MIT
#include "panels/matrix/makes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "panels/matrix/kept.hpp"
#include "panels/matrix/scaled.hpp"
#include "panels/way/tensor_products.hpp"

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
  if (in.tensor != nullptr) return tensor_place(*in.tensor, h.thread, h.register_index);
  const std::string part = part_name(*map, h.bit / map->element_bits);
  return fmt::format("{} {}.r{}{}", holder_name(in, h.thread), operand, h.register_index,
                     part.empty() ? "" : "." + part);
}

std::string value_at(const Multiplication& in, char operand, int row, int col) {
  return value_text(in, operand, in.holder(operand, row, col));
}

// D[row][col] += A[row][at] * B[k][col], with the numbers and who brings them. A dense A has k at
// k.
void one_product(Lines& lines, const Multiplication& in, int row, int at, int k, int col) {
  lines.push_back(fmt::format("D[{0}][{3}] += A[{0}][{1}] * B[{2}][{3}]", row, at, k, col));
  const std::string a = value_at(in, 'A', row, at);
  const std::string b = value_at(in, 'B', k, col);
  if (!a.empty() && !b.empty()) lines.push_back(fmt::format("         += {} * {}", a, b));
  lines.push_back(fmt::format("{} <- {}, {}", holder_text(in, 'D', row, col),
                              holder_text(in, 'A', row, at), holder_text(in, 'B', k, col)));
}

void dot_product(Lines& lines, const Multiplication& in, int row, int col) {
  const int K = in.instruction->K;
  lines.push_back(fmt::format("D[{0}][{1}] = C[{0}][{1}] + A[{0}][k] * B[k][{1}]", row, col));
  lines.push_back(K > 0 ? fmt::format("summed over k = 0 to {}", K - 1) : "summed over k");
  if (in.tensor != nullptr && in.tensor->adding.size() > 1)
    lines.push_back(fmt::format("C: what {} tcgen05.mma before it have added up",
                                in.tensor->adding.size() - 1));
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
  if (in.is_drawn('A'))
    lines.push_back(
        fmt::format("row {} of A: {}s {}", row, holder_word(in), line_lanes(in, 'A', true, row)));
  else if (in.map('A') != nullptr)
    lines.push_back(fmt::format("row {} of A: in shared memory, or not recorded", row));
  else if (shared_shape(in, 'A').rows > 0)
    lines.push_back(fmt::format("row {0} of A: in shared memory, find A {0},0", row));
  else if (in.tensor != nullptr)
    lines.push_back(fmt::format("row {} of A: in tensor memory", row));
  if (in.map('B') != nullptr)
    lines.push_back(fmt::format("column {} of B: {}s {}", col, holder_word(in),
                                line_lanes(in, 'B', false, col)));
  else if (shared_shape(in, 'B').rows > 0)
    lines.push_back(fmt::format("column {0} of B: in shared memory, find B 0,{0}", col));
}

// Where D is not simply the sum of the products.
void say_exceptions(Lines& lines, const Multiplication& in, const Selection& s) {
  const layout::Instruction& instruction = *in.instruction;
  if (instruction.SFA.operand != '?')
    lines.push_back("each product times the scales of its row and column");
  for (std::string& line : scales_of_sum(in, s)) lines.push_back(std::move(line));
  if (instruction.A.type == layout::ElementType::b1)
    lines.push_back("here * is xor or and of bits, + counts ones");
}

// A[9][5] of a sparse A is stored there; it stands for another column, as its metadata says.
void say_stored(Lines& lines, const Multiplication& in, int row, int at, const Hover& hover) {
  const int k = *in.k_of(row, at);
  const layout::Holder index = index_holder(in, row, at);
  const layout::Fragment& map = in.instruction->E[static_cast<std::size_t>(in.selector)];
  lines.push_back(fmt::format("stands for A[{}][{}] of all {} columns", row, k, in.instruction->K));
  lines.push_back(fmt::format("as E.r0 of {} says in bits {}..{}", holder_name(in, index.thread),
                              index.bit, index.bit + map.element_bits - 1));
  const bool d_hovered = (hover.operand == 'C' || hover.operand == 'D') && hover.row == row;
  if (d_hovered || (hover.operand == 'B' && hover.row == k))
    return one_product(lines, in, row, at, k, hover.col);
  lines.push_back(fmt::format("D[{0}][n] += A[{0}][{1}] * B[{2}][n]", row, at, k));
  lines.push_back(fmt::format("for every n = 0 to {}", in.instruction->N - 1));
}

// The rows of A that keep column k, each somewhere else.
void say_kept_by(Lines& lines, const Multiplication& in, int k, int col, const Hover& hover) {
  std::vector<int> rows;
  for (int row = 0; row < in.instruction->A.rows; ++row)
    for (int at = 0; at < in.instruction->A.cols; ++at) {
      if (in.k_of(row, at) != k) continue;
      const bool d_hovered = (hover.operand == 'C' || hover.operand == 'D') && hover.col == col;
      if (hover.row == row && (d_hovered || (hover.operand == 'A' && hover.col == at)))
        return one_product(lines, in, row, at, k, col);
      if (rows.empty() || rows.back() != row) rows.push_back(row);
    }
  lines.push_back(rows.empty() ? fmt::format("no row of A keeps column {}", k)
                               : fmt::format("meets the rows of A that keep column {}: {}", k,
                                             lanes_text(rows)));
}

void say_sparse(Lines& lines, const Multiplication& in, const Selection& s, const Hover& hover) {
  const auto [row, col] = std::pair{s.element.row, s.element.col};
  if (s.operand == 'A') return say_stored(lines, in, row, col, hover);
  if (s.operand == 'B') return say_kept_by(lines, in, row, col, hover);
  std::vector<int> all;
  for (int at = 0; at < in.instruction->A.cols; ++at) all.push_back(*in.k_of(row, at));
  std::sort(all.begin(), all.end());
  lines.push_back(fmt::format("D[{0}][{1}] = C[{0}][{1}] + A[{0}][k] * B[k][{1}]", row, col));
  lines.push_back(fmt::format("summed over the k that row {} keeps: {}", row, lanes_text(all)));
}

void say_makes(Lines& lines, const Multiplication& in, const Selection& s, const Hover& hover) {
  if (!in.columns_of_A_are_k()) {
    if (in.kept != nullptr) return say_sparse(lines, in, s, hover);
    lines.push_back("A keeps half of each row: its metadata E says which columns");
    return;
  }
  const int row = s.element.row;
  const int col = s.element.col;
  const bool d_hovered = hover.operand == 'C' || hover.operand == 'D';
  switch (s.operand) {
    case 'A':
      if (d_hovered && hover.row == row) return one_product(lines, in, row, col, col, hover.col);
      if (hover.operand == 'B' && hover.row == col)
        return one_product(lines, in, row, col, col, hover.col);
      lines.push_back(fmt::format("D[{0}][n] += A[{0}][{1}] * B[{1}][n]", row, col));
      lines.push_back(fmt::format("for every n = 0 to {}", in.instruction->N - 1));
      return;
    case 'B':
      if (d_hovered && hover.col == col) return one_product(lines, in, hover.row, row, row, col);
      if (hover.operand == 'A' && hover.col == row)
        return one_product(lines, in, hover.row, row, row, col);
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
  say_exceptions(lines, in, selection);
  return lines;
}

}  // namespace lanescope::viz
