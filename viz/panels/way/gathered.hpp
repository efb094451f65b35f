// SPDX-License-Identifier: MIT
// Lines that are found by numbers in memory, an index or a page for each: they may be anywhere, so
// they are laid out anew, one behind the other in the order of these numbers, and judged like any
// matrix. What no number decides stays as it is: the elements of a line, the lines of a page. Pure
// model, no Dear ImGui.
//
//   rows[4] = 9   rows[5] = 2   rows[6] = 9      numbers, by where they lie
//   row 9 of A    row 2 of A    row 9 of A       where the lines are
//   0             4096          8192             where they are taken to be
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "panels/way/tile_at.hpp"

namespace lanescope::viz {

/// An element, and by which numbers its address was found.
struct FoundBy {
  std::uint64_t address = 0;
  Numbers numbers;
};

/// Where each of them is taken to be.
struct LaidAnew {
  std::vector<std::uint64_t> at;
  std::size_t groups = 0;             // found by so many different numbers
  std::uint64_t first = 0, last = 0;  // of which the first, and the last, lie there
  std::int64_t apart = 0;             // from line to line where numbers found several; 0: none
  bool one_by_one = false;            // each line by one number, all of these equally far apart
};
/// `each` bytes an element; `gaps`: where a number is left out, between two that are as far apart
/// as others are, a line is. Nothing where all were found by the same numbers, or by none.
std::optional<LaidAnew> laid_anew(const std::vector<std::optional<FoundBy>>& all, int each,
                                  bool gaps);
/// Without those that all of them have; empty ones are none.
std::vector<Numbers> without_common(std::vector<Numbers> all);

}  // namespace lanescope::viz
