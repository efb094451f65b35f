// SPDX-License-Identifier: MIT
// Of the mistakes in descriptor_mistakes.cpp those of where a tile begins: a descriptor's first
// byte, how far it goes on from one product to the next, and at which element a tensor copy begins.
#pragma once

#include <vector>

#include "panels/way/descriptor_origins.hpp"

namespace lanescope::viz {

/// From one product to the next: other distances than the one taken.
void add_advance(std::vector<Change>& all, const Reads& reads);
/// A start behind the tile that `copy` brought, a base offset.
void add_start(std::vector<Change>& all, const DescriptorRead& read, const trace::Sync* copy);
/// Coordinates or sizes of the box exchanged.
void add_box(std::vector<Change>& all, const trace::Sync* copy);

}  // namespace lanescope::viz
