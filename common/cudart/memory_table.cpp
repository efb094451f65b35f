// SPDX-License-Identifier: MIT
// See memory_table.hpp.
#include "cudart/memory_table.hpp"

#include <fmt/format.h>

namespace lanescope::cudart {

const Allocation* MemoryTable::starting_at(std::uint64_t address) const {
  const auto found = by_address_.find(address);
  return found == by_address_.end() ? nullptr : &found->second;
}

const Allocation* MemoryTable::containing(std::uint64_t address) const {
  auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return nullptr;
  const Allocation& below = std::prev(after)->second;
  return address - below.address < below.bytes ? &below : nullptr;
}

const Allocation* MemoryTable::touching(std::uint64_t address, std::uint64_t bytes) const {
  if (const Allocation* first = containing(address)) return first;
  const auto after = by_address_.upper_bound(address);
  if (after == by_address_.end() || after->first - address >= bytes) return nullptr;
  return &after->second;
}

bool MemoryTable::covers(std::uint64_t address, std::uint64_t bytes) const {
  const Allocation* allocation = containing(address);
  return allocation && bytes <= allocation->bytes - (address - allocation->address);
}

std::string MemoryTable::explain(std::uint64_t address, std::uint64_t bytes) const {
  if (const Allocation* in = containing(address))
    return fmt::format("{} bytes at {:#x} are more than the {} left of the {} allocated at {:#x}",
                       bytes, address, in->bytes - (address - in->address), in->bytes, in->address);
  auto after = by_address_.upper_bound(address);
  if (after != by_address_.begin()) {
    const Allocation& below = std::prev(after)->second;
    const std::uint64_t past = address - (below.address + below.bytes);
    constexpr std::uint64_t kNear = 1 << 20;  // farther away it is probably no overrun
    if (past < kNear)
      return fmt::format("{:#x} lies {} bytes past the end of the {} bytes allocated at {:#x}",
                         address, past, below.bytes, below.address);
  }
  return fmt::format("{:#x} is not device memory (freed, or a host pointer?)", address);
}

}  // namespace lanescope::cudart
