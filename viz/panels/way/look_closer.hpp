// SPDX-License-Identifier: MIT
// What to look at behind a selected element: why its way through the steps is not told, where it is
// not, and what it leads to. For the inspector and the terminal; pure model, no Dear ImGui.
#pragma once

#include <string>
#include <vector>

#include "panels/matrix/selection.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// Why an element of a run has no way; "" of what is no element. `recorder`: "lanescope run
/// --steps records them".
std::string why_no_way(const Model& model, const StepList& steps, const Multiplication& in,
                       const Selection& selection, const std::string& recorder);

/// "D 9,0", "the first of the 8 sums that it goes into": words that select it, and what it is.
struct CloserLook {
  std::string words, text;
};
std::vector<CloserLook> closer_looks(const Multiplication& in, const Selection& selection);

}  // namespace lanescope::viz
