// SPDX-License-Identifier: MIT
// The first difference of two traces. Not written yet.
#include <cstdio>

#include "cli/commands.hpp"

namespace lanescope::cli {

int diff(const std::string&, const std::string&) {
  std::fputs("lanescope: diff is not there yet\n", stderr);
  return 2;
}

}  // namespace lanescope::cli
