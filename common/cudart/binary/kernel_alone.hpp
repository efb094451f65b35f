// SPDX-License-Identifier: MIT
// One kernel of a module by itself: a library has hundreds in one, and whoever looks at a launch
// wants to read its own.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::cudart {

/// `ptx` without its other kernels; functions and variables stay.
std::string kernel_alone(std::string_view ptx, std::string_view kernel);

}  // namespace lanescope::cudart
