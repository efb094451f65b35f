// SPDX-License-Identifier: MIT
// From where the elements of a tile take what they are scaled by, or what is added to them: one
// number for all, a vector by row or by column, a matrix of their own shape. Judged by the
// addresses alone. Pure model, no Dear ImGui.
//
//   by column:   0 4 8 12      by row:   0 0 0 0      a matrix:     0   4   8  12
//                0 4 8 12                4 4 4 4                  256 260 264 268
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::viz {

/// Of each element, row after row; nothing: it takes none.
using Addresses = std::vector<std::optional<std::uint64_t>>;

struct TakenFrom {
  enum class Shape { one, by_row, by_col, matrix };
  Shape shape = Shape::matrix;
  // Of a vector, from one row or column to the next:
  std::uint64_t first = 0;  // byte of row or column 0
  std::int64_t apart = 0;   // bytes; 0: they are not all as far
  int each = 1;             // so many in a row take one element
  // Two that take the same element, though their neighbours do not; nothing: there are none.
  std::optional<std::pair<int, int>> same{};
};
TakenFrom taken_from(const Addresses& all, int rows, int cols, int bytes);

}  // namespace lanescope::viz
