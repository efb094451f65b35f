// SPDX-License-Identifier: MIT
// What GLFW knows of the display: how large its letters are, how large a window may be, and why
// there is none.
#pragma once

#include <array>
#include <string>

struct GLFWwindow;

namespace lanescope::viz {

/// GLFW's own error text, shortened to what one can do about it.
std::string start_problem();
float display_scale(GLFWwindow* window);
float monitor_scale();
/// Width and height where none was asked for, in units of the display's scale.
std::array<int, 2> usual_size(float scale);

}  // namespace lanescope::viz
