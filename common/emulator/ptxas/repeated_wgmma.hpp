// SPDX-License-Identifier: MIT
// Wgmmas that say the same are one to ptxas where a kernel has no branch: of what it computes it
// keeps the first, as if D were not read as well. The emulator makes all of them, and says so.
//
// The rule is ptxas 13.0's: docs/experiments/repeated_wgmma.md.
#pragma once

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// The first wgmma.mma_async of a kernel of which ptxas makes one with an earlier one; nullptr
/// where there is none.
const PtxStatement* repeated_wgmma(const PtxFunction& kernel);

}  // namespace lanescope::emulator
