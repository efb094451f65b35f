// SPDX-License-Identifier: MIT
// Whether ptxas can be asked, for tests that compare with it where the CUDA toolkit is there.
#pragma once

#include <cstdlib>

namespace lanescope::tests {

inline bool has_ptxas() { return std::system("ptxas --version > /dev/null 2>&1") == 0; }

}  // namespace lanescope::tests
