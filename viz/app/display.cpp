// SPDX-License-Identifier: MIT
// See display.hpp.
#include "app/display.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>

#include "app/window.hpp"

namespace lanescope::viz {

std::string start_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return fmt::format(
      "no window can be opened ({}); without a display use `lanescope view --text` "
      "or `lanescope view --screenshot F.png`",
      text != nullptr ? text : "no reason given");
}

float display_scale(GLFWwindow* window) {
  float horizontal = 1, vertical = 1;
  glfwGetWindowContentScale(window, &horizontal, &vertical);  // X11: Xft.dpi / 96
  return std::clamp(std::max(horizontal, vertical), 0.5f, 4.0f);
}

std::array<int, 2> usual_size(float scale) {
  int left = 0, top = 0, width = 0, height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &left, &top, &width, &height);
  return {side_for_display(width, kUsualWidth, scale),
          side_for_display(height, kUsualHeight, scale)};
}

float monitor_scale() {
  float horizontal = 1, vertical = 1;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorContentScale(monitor, &horizontal, &vertical);
  return std::clamp(std::max(horizontal, vertical), 0.5f, 4.0f);
}

}  // namespace lanescope::viz
