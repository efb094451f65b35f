// SPDX-License-Identifier: MIT
// Launches again what `lanescope run --save` saved.
#pragma once

#include <string>

#include "launcher/command.hpp"

namespace lanescope::launcher {

/// `function` and `module` are loaded from `ptx`, the text of `wanted.file`. Prints what has
/// changed in memory, a line each. Stops (stop.hpp) where that cannot be.
void run_saved(void* module, void* function, const std::string& ptx, const Wanted& wanted);

}  // namespace lanescope::launcher
