// SPDX-License-Identifier: MIT
// One launch: checks what was asked for, then runs the CTAs of the grid.
#pragma once

#include "emulator/machine.hpp"
#include "emulator/memory.hpp"
#include "emulator/program.hpp"

namespace lanescope::emulator {

LaunchReport run_launch(const Program& program, const Kernel& kernel, const Memory& memory,
                        const Options& options, const LaunchRequest& request);

/// The shared memory a block may have on this architecture, after opting in.
int most_shared_bytes(std::string_view arch);

}  // namespace lanescope::emulator
