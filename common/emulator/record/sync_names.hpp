// SPDX-License-Identifier: MIT
// How the trace calls an mbarrier.
#pragma once

#include <fmt/format.h>

#include <string>

#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

/// `here` is the CTA that is told of.
inline std::string sync_name(const Cta& owner, const Cta& here, std::uint32_t offset) {
  if (&owner == &here) return fmt::format("mbarrier 0x{:x}", offset);
  return fmt::format("mbarrier 0x{:x} of rank {}", offset, owner.rank);
}

}  // namespace lanescope::emulator
