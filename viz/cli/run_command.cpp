// SPDX-License-Identifier: MIT
// A program on the emulator. Not written yet.
#include <cstdio>

#include "cli/commands.hpp"

namespace lanescope::cli {

int run(const RunOptions&) {
  std::fputs("lanescope: run is not there yet\n", stderr);
  return 2;
}

}  // namespace lanescope::cli
