// SPDX-License-Identifier: MIT
// The CTAs of a grid, one after the other or on several threads.
#pragma once

#include "emulator/check/site.hpp"
#include "emulator/machine.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

/// On up to `threads` threads; on one where the launch is checked or has a limit of instructions.
LaunchReport run_grid(LaunchState& launch, const CheckPlan* checks, int threads);

}  // namespace lanescope::emulator
