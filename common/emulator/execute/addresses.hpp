// SPDX-License-Identifier: MIT
// Where the lanes of an instruction point to, as pointers of the host. Included by files compiled
// once per host (see rows.hpp).
#pragma once

#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {

struct Addresses {
  std::uint64_t lane[kLanes];
};

/// False: the warp has its fault. `at` says something of active lanes only.
bool resolve(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at);

}  // namespace lanescope::emulator::LANESCOPE_HOST
