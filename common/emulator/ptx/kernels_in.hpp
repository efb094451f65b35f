// SPDX-License-Identifier: MIT
// Where the kernels of a module lie in its text, found without reading it: by braces alone.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanescope::emulator {

struct KernelText {
  std::string_view name;
  std::size_t begin = 0;  // .entry
  std::size_t body = 0;   // its brace; of a kernel that is only declared the end
  std::size_t end = 0;    // behind the brace that closes it, or behind the ;
};

std::vector<KernelText> kernels_in(std::string_view ptx);

}  // namespace lanescope::emulator
