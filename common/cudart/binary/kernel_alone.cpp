// SPDX-License-Identifier: MIT
#include "cudart/binary/kernel_alone.hpp"

#include <algorithm>

#include "emulator/ptx/kernels_in.hpp"

namespace lanescope::cudart {

std::string kernel_alone(std::string_view ptx, std::string_view kernel) {
  std::string alone;
  std::size_t kept = 0;  // the text before it is in `alone`, or left out
  for (const emulator::KernelText& one : emulator::kernels_in(ptx)) {
    if (one.name == kernel) continue;
    // .visible or .weak stands before it, in its line
    const std::size_t line = ptx.rfind('\n', one.begin);
    alone += ptx.substr(kept, std::max(kept, line == ptx.npos ? 0 : line + 1) - kept);
    kept = one.end;
  }
  return alone += ptx.substr(kept);
}

}  // namespace lanescope::cudart
