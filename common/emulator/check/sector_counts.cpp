// SPDX-License-Identifier: MIT
#include "emulator/check/sector_counts.hpp"

namespace lanescope::emulator {

void SectorCounts::count(std::uint32_t pc, std::span<const std::uint64_t> addresses,
                         std::uint32_t active, int bytes, layout::SectorAccess access) {
  const layout::Sectors found = layout::sectors(addresses, active, bytes, access);
  uses_[pc].add({1, static_cast<std::uint64_t>(found.taken),
                 static_cast<std::uint64_t>(found.least), static_cast<std::uint64_t>(found.bytes)});
}

}  // namespace lanescope::emulator
