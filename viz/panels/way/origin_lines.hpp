// SPDX-License-Identifier: MIT
// How a matrix lies in global memory, as the addresses say from which its elements came: in lines a
// fixed distance apart, as most neighbours have it, or packed as the lanes hold it. Pure model, no
// Dear ImGui.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layout/fragment.hpp"
#include "panels/way/way.hpp"

namespace lanescope::viz {

/// What the way of an element says of where it came from.
struct Came {
  std::uint64_t address = 0, base = 0;
  std::string place;
  int bits = 0;              // of the element there
  bool zero = false;         // filled in: it has no address
  bool unwritten = false;    // nor is it filled in: nobody has written it
  bool by_its_lane = false;  // no instruction of the warp has handed it to its lane
  std::optional<SharedRead> read;
  std::optional<GlobalAccess> access;
  int bit = 0;  // of the byte: its first
};

/// How many elements a line has at least, of those that are somewhere: behind its end none are.
/// `all`: of each element, row after row.
template <class Places, class IsSomewhere>
int line_at_least(const Places& all, int cols, bool columns, const IsSomewhere& is_somewhere) {
  int last = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (const int at = static_cast<int>(k); is_somewhere(all[k]))
      last = std::max(last, columns ? at / cols : at % cols);
  return last + 1;
}

/// How a matrix lies: lines of elements, which are its rows, or its columns.
struct Lines {
  bool columns = false;
  std::int64_t apart = 0;       // bytes
  const Came* begin = nullptr;  // the lowest address
  std::uint64_t first = 0;      // of element (0, 0)
};
/// `all`: of each element, row after row; an element has `bytes` there. Nothing where it lies in no
/// lines.
std::optional<Lines> lines_of(const std::vector<Came>& all, const layout::Fragment& map, int bytes);
/// By the bytes alone, whichever element each of them is: those of the tile, each once.
std::optional<Lines> lines_of_bytes(const std::vector<Came>& all, const layout::Fragment& map,
                                    int bytes, bool columns);
/// "lane after lane, 16 bytes each": memory in the order of the registers; "": it is in another.
std::string order_of_registers(const std::vector<Came>& all, const layout::Fragment& map);

}  // namespace lanescope::viz
