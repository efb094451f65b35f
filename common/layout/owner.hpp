// SPDX-License-Identifier: MIT
// Whose byte is it: which element of a tile lies at a place of shared memory. The way back from
// swizzle.hpp's byte_offset, for tiles that have one element a place (8, 16 or 32 bits).
#pragma once

#include <cstdint>
#include <vector>

#include "layout/swizzle.hpp"

namespace lanescope::layout {

struct TilePlace {
  int mn = -1, k = -1;  // -1: nothing of this tile
  bool empty() const { return mn < 0; }
};

class Owners {
 public:
  explicit Owners(const Tile& tile) : bytes_(static_cast<std::uint32_t>(tile.bits / 8)) {
    for (int mn = 0; mn < tile.mn; ++mn)
      for (int k = 0; k < tile.k; ++k) {
        const std::size_t at = byte_offset(tile, mn, k) / bytes_;
        if (at >= places_.size()) places_.resize(at + 1);
        places_[at] = {mn, k};
      }
  }
  /// Whose byte lies `offset` bytes from the tile's first one.
  TilePlace at(std::uint32_t offset) const {
    const std::size_t index = offset / bytes_;
    return index < places_.size() ? places_[index] : TilePlace{};
  }

 private:
  std::uint32_t bytes_;
  std::vector<TilePlace> places_;
};

}  // namespace lanescope::layout
