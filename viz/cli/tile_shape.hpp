// SPDX-License-Identifier: MIT
// --mode, --major and --bits of `swizzle` and `descriptor`: which tile they mean. What is true of
// it is in common/layout.
#pragma once

#include <string>

#include "layout/swizzle.hpp"

namespace lanescope::cli {

struct TileShape {
  layout::Swizzle mode = layout::Swizzle::none;
  layout::Major major = layout::Major::K;
  bool wide = false;  // atoms of 32 bytes
  std::string problem;
};
TileShape tile_shape(const std::string& mode, const std::string& major, int bits);

/// What one atom has along MN and along K.
layout::Extent atom_of(const TileShape& shape, int bits);
layout::Tile packed(const TileShape& shape, int bits, int mn, int k);
std::string sbo_text(const layout::Tile& tile);

inline constexpr const char* kWideIsDerived =
    "derived from the ISA's table 53 (9.7.16.10.6), not verified on a card";

}  // namespace lanescope::cli
