// SPDX-License-Identifier: MIT
// Steps as text, for the terminal and to be copied: the list of a warp's instructions, and one of
// them with what every lane got and how its shared-memory access falls into banks.
#pragma once

#include <string>

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// The instructions of each warp, from `place` on in its warp; long lists are cut and say so.
std::string steps_text(const StepList& steps);

/// One instruction: its registers as 8 groups of 4 threads, those that changed marked with *.
std::string step_text(const StepList& steps, const StepPlace& place);

std::string access_text(const trace::Access& access);

/// What is said of an instruction that writes no register; `arrives` as arrives_at has it.
std::string writes_nothing(const StepWarp& warp, int arrives);

}  // namespace lanescope::viz
