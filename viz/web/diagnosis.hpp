// SPDX-License-Identifier: MIT
// What `lanescope diagnose` says of a run's products, in a few lines, for the bench of the page.
#pragma once

#include <string>

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// "A of product 1: registers A.r1 and A.r2 are exchanged", a line for each mistake of another
/// kind; "" where there are none, or no products. `right`: how many operands were followed and are
/// right.
std::string diagnosis_of(const Workspace& workspace, int& right);

}  // namespace lanescope::viz
