// SPDX-License-Identifier: MIT
// Sparsity metadata as fragments, one a selector. Inside the room only.
#pragma once

#include <vector>

#include "layout/fragment.hpp"
#include "layout/table_line.hpp"

namespace lanescope::layout {

/// `selectors` is 4 (one lane of a quad hands it in), 2 (a pair) or 1 (all four).
std::vector<Fragment> metadata(const Map& map, int index_bits, int rows, int cols, int selectors);

}  // namespace lanescope::layout
