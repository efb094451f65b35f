// SPDX-License-Identifier: MIT
// A trace in the window, in the terminal, or as a picture. Not written yet.
#include <cstdio>

#include "cli/commands.hpp"

namespace lanescope::cli {

int view(const ViewOptions&) {
  std::fputs("lanescope: view is not there yet\n", stderr);
  return 2;
}

}  // namespace lanescope::cli
