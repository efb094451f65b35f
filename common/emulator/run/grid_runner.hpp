// SPDX-License-Identifier: MIT
// The CTAs of a grid, one after the other or on several threads.
#pragma once

#include <memory>

#include "emulator/check/global_shadow.hpp"
#include "emulator/check/site.hpp"
#include "emulator/machine.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

/// On up to `threads` threads; on one where the launch is checked or has a limit of instructions.
/// `touched`: what of global memory, where it is checked.
LaunchReport run_grid(LaunchState& launch, const CheckPlan* checks, int threads,
                      std::shared_ptr<const GlobalWatch>& touched);

}  // namespace lanescope::emulator
