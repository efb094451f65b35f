// SPDX-License-Identifier: MIT
// What the two files of the SyncRecorder ask alike: how the trace calls an mbarrier, and where it
// is.
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

/// Null where there is none.
inline const MemoryBarrier* barrier_at(const Cta& owner, std::uint32_t offset) {
  const auto found = owner.async->barriers.find(offset);
  return found == owner.async->barriers.end() ? nullptr : &found->second;
}

}  // namespace lanescope::emulator
