// SPDX-License-Identifier: MIT
// The atlas in the terminal. Not written yet.
#include <cstdio>

#include "cli/commands.hpp"

namespace lanescope::cli {

int layout(const LayoutOptions&) {
  std::fputs("lanescope: layout is not there yet\n", stderr);
  return 2;
}

}  // namespace lanescope::cli
