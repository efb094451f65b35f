// SPDX-License-Identifier: MIT
// Packed weights that two products have in common, of which only one can be meant: both multiply
// the same A, so they are of other columns of B. One product alone says nothing of it: which bits
// of a word are which weight is for who packed it to say. Pure model, no Dear ImGui.
//
//   q              -> B of product 1        nibbles 0, 1, 4, 5 of the word
//   q >> 8         -> B of product 2        2, 3, 6, 7; by q >> 4: 1, 2, 5, 6, two of them again
#pragma once

#include <cstddef>
#include <map>

#include "panels/way/verdicts.hpp"

namespace lanescope::viz {

/// Names those that are found among packed operands of the products.
void name_shared_bits(const Model& model, RegisterHistory& history,
                      std::map<std::size_t, ProductCheck>& products);

}  // namespace lanescope::viz
