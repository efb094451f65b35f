// SPDX-License-Identifier: MIT
// What `lanescope diagnose` says of a run's products, in a few lines: for the check of an exercise
// in PTX and for the bench of the page.
#pragma once

#include <string>

#include "panels/matrix/model.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// "A of product 1: registers A.r1 and A.r2 are exchanged", a line for each mistake of another
/// kind; "" where there are none, or no products. `right`: how many operands were followed and are
/// right.
std::string mistakes_in_short(const Model& model, const StepList& steps, int& right);

}  // namespace lanescope::viz
