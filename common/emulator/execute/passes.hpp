// SPDX-License-Identifier: MIT
// How often one access of a warp goes to shared memory's banks, and how often it would have to if
// no two lanes met at one: for who counts accesses as they are recorded.
//
// Source of the phases and passes: common/layout/banks.hpp.
#pragma once

#include <vector>

#include "layout/banks.hpp"
#include "trace/event.hpp"

namespace lanescope::emulator {

struct Passes {
  int taken = 0, least = 0;
};

inline Passes passes_of(const trace::Access& access) {
  Passes passes;
  const bool load = access.instruction.starts_with("ld.") && access.addresses.size() == 32;
  const int together =
      layout::lanes_together(access.addresses, access.active, access.bytes_per_lane, load);
  std::vector<std::uint32_t> addresses;
  for (int first = 0; first < 32; first += together) {
    addresses.clear();
    for (int lane = first; lane < first + together; ++lane)
      if (((access.active >> lane) & 1) != 0)
        addresses.push_back(access.addresses[static_cast<std::size_t>(lane)]);
    if (addresses.empty()) continue;
    ++passes.least;
    passes.taken += layout::passes(addresses, access.bytes_per_lane);
  }
  return passes;
}

}  // namespace lanescope::emulator
