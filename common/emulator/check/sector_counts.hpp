// SPDX-License-Identifier: MIT
// How many sectors of global memory each instruction went to, and how many would have held what it
// wanted (layout/sectors.hpp), where `--sectors` asks for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emulator/check/per_instruction.hpp"
#include "emulator/machine.hpp"
#include "layout/sectors.hpp"

namespace lanescope::emulator {

class SectorCounts {
 public:
  /// The lanes in `active` moved `bytes` each from addresses[lane] on.
  void count(std::uint32_t pc, std::span<const std::uint64_t> addresses, std::uint32_t active,
             int bytes, layout::SectorAccess access);
  void add(const SectorCounts& other) { uses_.add(other.uses_); }
  /// Those that go to more than would do, the most sectors lost first.
  std::vector<SectorReport> reports(const Program& program) const { return uses_.reports(program); }

 private:
  PerInstruction<SectorUse, SectorReport> uses_;
};

}  // namespace lanescope::emulator
