// SPDX-License-Identifier: MIT
// Steps in the terminal: the list of a warp's instructions, and one of them with what every lane
// got and how its shared-memory access falls into banks.
#pragma once

#include <string>

#include "panels/steps.hpp"

namespace lanescope::cli {

/// The instructions of each warp, from `place` on in its warp; long lists are cut and say so.
std::string steps_text(const viz::StepList& steps);

/// One instruction: its registers as 8 groups of 4 threads, those that changed marked with *.
std::string step_text(const viz::StepList& steps, const viz::StepPlace& place);

std::string access_text(const trace::Access& access);

}  // namespace lanescope::cli
