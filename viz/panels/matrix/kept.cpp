// SPDX-License-Identifier: MIT
#include "panels/matrix/kept.hpp"

#include <fmt/format.h>

#include <map>

namespace lanescope::viz {
namespace {

/// 0 or 1 of tf32, else 0 to 3.
int index_in(std::uint64_t word, const layout::Fragment& map, int bit) {
  return map.element_bits == 4 ? static_cast<int>(word >> bit >> 3 & 1)
                               : static_cast<int>(word >> bit & 3);
}

/// How many columns of A a stored element of E's map is about: two of 4-bit types, else one.
int together(const layout::Instruction& instruction) {
  return instruction.A.element_bits == 4 ? 2 : 1;
}

}  // namespace

std::vector<int> kept_columns(const layout::Instruction& instruction, int selector,
                              const trace::Fragment& metadata) {
  const layout::Fragment& map = instruction.E[static_cast<std::size_t>(selector)];
  const int each = together(instruction), cols = instruction.A.cols;
  std::vector<int> columns(static_cast<std::size_t>(instruction.A.rows * cols), 0);
  for (const layout::Held& held : layout::register_layout(map)) {
    const std::uint64_t word =
        metadata.registers[static_cast<std::size_t>(held.holder.register_index)]
                          [static_cast<std::size_t>(held.holder.thread)];
    const int index = index_in(word, map, held.holder.bit), i = held.element.col;
    const int chosen = map.element_bits == 4 ? 2 * i + index : 4 * (i / 2) + index;
    for (int n = 0; n < each; ++n)
      columns[static_cast<std::size_t>(held.element.row * cols + i * each + n)] = chosen * each + n;
  }
  return columns;
}

layout::Holder index_holder(const Multiplication& in, int row, int col) {
  if (in.metadata != nullptr)
    for (const layout::Held& held :
         layout::register_layout(in.instruction->E[static_cast<std::size_t>(in.selector)]))
      if (held.element.row == row && held.element.col == col / together(*in.instruction))
        return held.holder;
  return {-1, -1, -1, -1};
}

std::string stands_for(const Multiplication& in, int row, int col) {
  const int first = col * together(*in.instruction);
  const std::optional<int> k = in.k_of(row, first);
  return k ? fmt::format("A[{0}][{1}] stands for A[{0}][{2}]", row, first, *k) : std::string();
}

std::vector<std::string> metadata_lines(const Multiplication& in, int thread) {
  if (in.metadata == nullptr) return {};
  const layout::Fragment& map = in.instruction->E[static_cast<std::size_t>(in.selector)];
  if (!map.provided_by(thread)) return {fmt::format("not read by selector {}", in.selector)};
  const std::uint64_t word = in.metadata->registers[0][static_cast<std::size_t>(thread)];
  std::map<int, std::string> rows;
  for (const layout::Held& held : layout::elements(map, thread, 0)) {
    const int index = index_in(word, map, held.holder.bit);
    rows[held.element.row] +=
        fmt::format("{}{}", map.element_bits == 4 || held.element.col % 2 == 0 ? " " : "", index);
  }
  std::vector<std::string> lines;
  for (const auto& [row, indices] : rows) lines.push_back(fmt::format("row {}:{}", row, indices));
  return lines;
}

}  // namespace lanescope::viz
