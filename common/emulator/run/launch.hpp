// SPDX-License-Identifier: MIT
// One launch: checks what was asked for, then runs the CTAs of the grid.
#pragma once

#include <memory>

#include "emulator/check/earlier.hpp"
#include "emulator/decode/program.hpp"
#include "emulator/machine.hpp"
#include "emulator/memory.hpp"

namespace lanescope::emulator {

/// `last`: the launch before, and afterwards this one, as far as they are checked.
LaunchReport run_launch(const Program& program, const Kernel& kernel, const Memory& memory,
                        const TextureTable& textures, const Options& options,
                        const LaunchRequest& request, std::shared_ptr<const EarlierLaunch>& last);

/// What is wrong with a launch before anything of it runs (launch_request.cpp).
Error check_request(const Kernel& kernel, const Options& options, const LaunchRequest& request);

}  // namespace lanescope::emulator
