// SPDX-License-Identifier: MIT
// The launch itself, by the driver, and the wait for its end.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace lanescope::launcher {

struct Shape {
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{};  // cluster: 0, there is none
  unsigned shared_bytes = 0;
};

/// Stops (stop.hpp) where the driver refuses the launch, or the kernel fails; `name` is whose.
void start(void* function, const Shape& shape, std::vector<void*> parameters,
           const std::string& name);

}  // namespace lanescope::launcher
