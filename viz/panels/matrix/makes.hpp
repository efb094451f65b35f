// SPDX-License-Identifier: MIT
// What an element makes, or is made of: the products of a row of A and a column of B, with their
// numbers and who brings them. Lines for the inspector and the terminal; where the element lies and
// why is in facts.hpp.
#pragma once

#include <string>
#include <vector>

#include "panels/matrix/selection.hpp"

namespace lanescope::viz {

/// Of the element that is selected; `hover` may name the partner that makes it one product.
std::vector<std::string> makes(const Multiplication& in, const Selection& selection,
                               const Hover& hover);

}  // namespace lanescope::viz
