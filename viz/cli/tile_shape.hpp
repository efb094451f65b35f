// SPDX-License-Identifier: MIT
// --mode, --major and --bits of `swizzle` and `descriptor`: which tile they mean. What is true of
// it is in common/layout, what can be asked of it in panels/forms.
#pragma once

#include <string>

#include "panels/forms/tile_form.hpp"

namespace lanescope::cli {

struct TileShape {
  viz::TileForm form;  // without a size of its own
  std::string problem;
};
TileShape tile_shape(const std::string& mode, const std::string& major, int bits);

std::string sbo_text(const layout::Tile& tile);

inline constexpr const char* kWideIsDerived =
    "derived from the ISA's table 53 (9.7.16.10.6), not verified on a card";

}  // namespace lanescope::cli
