// SPDX-License-Identifier: MIT
#include "panels/matrix/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

// Where the selected element lies in its holder's registers.
layout::Holder holder_of(const Selection& selection, const Multiplication& in) {
  const layout::Fragment* map = in.map(selection.operand);
  for (int value = 0; map != nullptr && value < map->values; ++value)
    if (map->element(selection.thread, value) == selection.element)
      return map->holder(selection.thread, value);
  return {-1, -1, -1, -1};
}

bool held_by(const Selection& selection, const Multiplication& in, char operand, int row, int col) {
  const layout::Holder holder = in.holder(operand, row, col);
  switch (selection.picked) {
    case Picked::nothing:
      return false;
    case Picked::element:
    case Picked::lane:
      return selection.thread >= 0 && holder.thread == selection.thread;
    case Picked::reg: {
      if (operand != selection.operand || holder.register_index != selection.register_index)
        return false;
      if (selection.thread >= 0 && holder.thread != selection.thread) return false;
      const layout::Fragment* map = in.map(operand);
      return selection.part < 0 || holder.bit / map->element_bits == selection.part;
    }
  }
  return false;
}

bool meets(const Multiplication& in, char focus, int focus_row, int focus_col, char operand,
           int row, int col) {
  const bool result = operand == 'C' || operand == 'D';
  if (focus == 'C' || focus == 'D')  // C or D[r][c]: row r of A, column c of B
    return (operand == 'A' && row == focus_row) || (operand == 'B' && col == focus_col);
  if (focus == 'A')  // A[r][k]: row k of B, row r of D
    return (operand == 'B' && in.k_of(focus_row, focus_col) == row) || (result && row == focus_row);
  if (focus == 'B')  // B[k][c]: column k of A, column c of D
    return (operand == 'A' && in.k_of(row, col) == focus_row) || (result && col == focus_col);
  return false;
}

}  // namespace

SharedShape shared_shape(const Multiplication& in, char operand) {
  if (in.tensor != nullptr && in.tensor->is_behind_descriptor(operand))
    return operand == 'A' ? SharedShape{in.instruction->M, in.instruction->K}
                          : SharedShape{in.instruction->K, in.instruction->N};
  const bool shared = operand == 'B' && in.map('B') == nullptr && in.instruction != nullptr &&
                      in.instruction->family.starts_with("wgmma");
  return shared ? SharedShape{in.instruction->K, in.instruction->N} : SharedShape{};
}

Selection select_element(const Multiplication& in, char operand, int row, int col) {
  const SharedShape shared = shared_shape(in, operand);
  if (row >= 0 && row < shared.rows && col >= 0 && col < shared.cols)
    return {Picked::element, operand, {row, col, in.matrix}, -1, -1, -1};
  const layout::Holder holder = in.holder(operand, row, col);
  if (holder.thread < 0) return {};
  return {Picked::element,       operand, {row, col, in.matrix}, holder.thread,
          holder.register_index, -1};
}

Selection select_lane(int thread) { return {Picked::lane, 'A', {}, thread, -1, -1}; }

const char* holder_word(const Multiplication& in) {
  return in.threads() > 32 && in.tensor == nullptr ? "thread" : "lane";
}

std::string example_of(const Multiplication& in) {
  for (const char operand : kOperands)
    if (const layout::Fragment* map = in.map(operand); map != nullptr && in.is_drawn(operand))
      return fmt::format("{} {},{}", operand, std::min(9, map->rows - 1),
                         std::min(5, map->cols - 1));
  return {};
}

std::string holder_name(const Multiplication& in, int thread) {
  return fmt::format("{} {}", holder_word(in), thread);
}

std::string lanes_text(const std::vector<int>& lanes) {
  std::string text;
  for (std::size_t k = 0, last = 0; k < lanes.size(); k = last + 1) {
    for (last = k; last + 1 < lanes.size() && lanes[last + 1] == lanes[last] + 1;) ++last;
    text += text.empty() ? "" : ", ";
    text += last > k + 1 ? fmt::format("{} to {}", lanes[k], lanes[last])
            : last > k   ? fmt::format("{}, {}", lanes[k], lanes[last])
                         : fmt::format("{}", lanes[k]);
  }
  return text;
}

std::string words_of(const Selection& s, const Multiplication& in) {
  const layout::Fragment* map = in.map(s.operand);
  switch (s.picked) {
    case Picked::nothing:
      return {};
    case Picked::lane:
      return holder_name(in, s.thread);
    case Picked::element:
      if (in.holder(s.operand, s.element.row, s.element.col).thread == s.thread)
        return fmt::format("{} {},{}", s.operand, s.element.row, s.element.col);
      break;
    case Picked::reg:
      break;
  }
  if (map == nullptr) return {};
  int part = s.part;
  if (s.picked == Picked::element) part = holder_of(s, in).bit / map->element_bits;
  const std::string name = part_name(*map, part);
  return fmt::format("{}{}.r{}{}", s.thread >= 0 ? holder_name(in, s.thread) + " " : "", s.operand,
                     s.register_index, name.empty() ? "" : "." + name);
}

Selection moved(const Selection& s, const Multiplication& in, int rows, int cols) {
  const auto clamped = [](int at, int by, int count) { return std::clamp(at + by, 0, count - 1); };
  const layout::Fragment* map = in.map(s.operand);
  switch (s.picked) {
    case Picked::nothing:
      for (const char operand : kOperands)
        if (in.is_drawn(operand)) return select_element(in, operand, 0, 0);
      return s;
    case Picked::element: {
      const SharedShape shared = shared_shape(in, s.operand);
      const int all_rows = map != nullptr ? map->rows : shared.rows;
      const int all_cols = map != nullptr ? map->cols : shared.cols;
      if (all_rows == 0) return s;
      return select_element(in, s.operand, clamped(s.element.row, rows, all_rows),
                            clamped(s.element.col, cols, all_cols));
    }
    case Picked::lane:
      return select_lane(clamped(s.thread / 4, rows, in.threads() / 4) * 4 +
                         clamped(s.thread % 4, cols, 4));
    case Picked::reg: {
      Selection next = s;
      next.register_index = clamped(s.register_index, rows, map->registers());
      if (s.thread >= 0)
        next.thread = clamped(s.thread, cols, in.threads());
      else if (s.part >= 0)
        next.part = clamped(s.part, cols, map->values_per_register());
      return next;
    }
  }
  return s;
}

Selection next_operand(const Selection& s, const Multiplication& in, int step) {
  const int count = static_cast<int>(kOperands.size());
  int index = std::max(operand_index(s.operand), 0);
  if (s.picked == Picked::nothing || s.picked == Picked::lane) index = step > 0 ? -1 : 0;
  for (int tries = 0; tries < count; ++tries) {
    index = (index + step + count) % count;
    const char operand = kOperands[static_cast<std::size_t>(index)];
    const layout::Fragment* map = in.map(operand);
    if (!in.is_drawn(operand)) continue;
    const bool nobody = s.picked == Picked::element && s.thread < 0;
    if (s.picked == Picked::nothing || nobody) return select_element(in, operand, 0, 0);
    if (s.picked == Picked::reg)
      return {Picked::reg, operand, {}, s.thread, std::min(s.register_index, map->registers() - 1),
              -1};
    const int value = s.picked == Picked::element ? std::max(holder_of(s, in).value, 0) : 0;
    const layout::Holder holder = map->holder(s.thread, std::min(value, map->values - 1));
    if (map->element(s.thread, holder.value).matrix != in.matrix) continue;
    return {Picked::element,       operand, map->element(s.thread, holder.value), s.thread,
            holder.register_index, -1};
  }
  return s;
}

Selection carried_over(const Selection& s, const Multiplication& to) {
  const layout::Fragment* map = to.map(s.operand);
  switch (s.picked) {
    case Picked::nothing:
      return s;
    case Picked::lane:
      return s.thread < to.threads() ? s : Selection{};
    case Picked::element:
      if (map != nullptr && !map->contains(s.element)) return {};
      return select_element(to, s.operand, s.element.row, s.element.col);
    case Picked::reg:
      if (map == nullptr || s.register_index >= map->registers() || s.thread >= to.threads() ||
          s.part >= map->values_per_register())
        return {};
      return s;
  }
  return {};
}

bool on_line(const Multiplication& in, const Selection& s, const Hover& hover, char operand,
             int row, int col) {
  if (hover.operand != 0) return meets(in, hover.operand, hover.row, hover.col, operand, row, col);
  if (s.picked != Picked::element) return false;
  return meets(in, s.operand, s.element.row, s.element.col, operand, row, col);
}

Emphasis emphasis(const Multiplication& in, const Selection& s, const Hover& hover, char operand,
                  int row, int col) {
  if (s.picked == Picked::element && s.operand == operand && s.element.row == row &&
      s.element.col == col)
    return Emphasis::selected;
  if (held_by(s, in, operand, row, col)) return Emphasis::lane;
  if (on_line(in, s, hover, operand, row, col)) return Emphasis::line;
  return s.picked == Picked::nothing ? Emphasis::plain : Emphasis::back;
}

}  // namespace lanescope::viz
