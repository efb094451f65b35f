// SPDX-License-Identifier: MIT
// See taken_from.hpp.
#include "panels/way/taken_from.hpp"

#include <algorithm>

namespace lanescope::viz {
namespace {

// What all elements of a row, or of a column, take; nothing where two of them differ.
std::optional<Addresses> lines(const Addresses& all, int rows, int cols, bool by_row) {
  Addresses found(static_cast<std::size_t>(by_row ? rows : cols));
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      const auto& one = all[static_cast<std::size_t>(row * cols + col)];
      auto& line = found[static_cast<std::size_t>(by_row ? row : col)];
      if (one && line && *line != *one) return std::nullopt;
      if (one) line = one;
    }
  return found;
}

// Line k takes element (k + before) / each.
bool in_groups(const Addresses& lines, int bytes, int each, int before, std::uint64_t first) {
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const int element = (static_cast<int>(k) + before) / each;
    if (lines[k] && *lines[k] != first + static_cast<std::uint64_t>(element * bytes)) return false;
  }
  return true;
}

void look_at(TakenFrom& from, const Addresses& lines, int bytes) {
  const auto is_there = [](const auto& one) { return one.has_value(); };
  const auto begin = std::find_if(lines.begin(), lines.end(), is_there);
  const auto next = std::find_if(begin + 1, lines.end(), is_there);
  if (next == lines.end()) return;
  const std::int64_t step = static_cast<std::int64_t>(**next - **begin);
  from.apart = step / (next - begin);
  from.first = **begin - static_cast<std::uint64_t>((begin - lines.begin()) * from.apart);
  bool even = step % (next - begin) == 0;
  for (std::size_t k = 0; k < lines.size(); ++k)
    even = even &&
           (!lines[k] || *lines[k] == from.first + static_cast<std::uint64_t>(
                                                       static_cast<std::int64_t>(k) * from.apart));
  if (even && from.apart != 0) return;
  from.apart = 0;
  from.first = **std::min_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.has_value() != b.has_value() ? a.has_value() : a && *a < *b;
  });
  for (int each = 2; each <= static_cast<int>(lines.size()); ++each)
    for (int before = 0; before < each; ++before)
      if (in_groups(lines, bytes, each, before, from.first)) {
        from.each = each;
        return;
      }
  for (std::size_t j = 1; j < lines.size() && !from.same; ++j)
    for (std::size_t i = 0; i < j && !from.same; ++i)
      if (lines[i] && lines[i] == lines[j]) from.same = {static_cast<int>(i), static_cast<int>(j)};
}

}  // namespace

TakenFrom taken_from(const Addresses& all, int rows, int cols, int bytes) {
  TakenFrom from;
  const auto by_row = lines(all, rows, cols, true), by_col = lines(all, rows, cols, false);
  if (!by_row && !by_col) return from;
  if (by_row && by_col) {
    from.shape = TakenFrom::Shape::one;
    for (const auto& one : all)
      if (one) from.first = *one;
    return from;
  }
  from.shape = by_row ? TakenFrom::Shape::by_row : TakenFrom::Shape::by_col;
  look_at(from, by_row ? *by_row : *by_col, bytes);
  return from;
}

}  // namespace lanescope::viz
