// SPDX-License-Identifier: MIT
// How often each instruction had to go to the banks of shared memory, phase by phase
// (layout/banks.hpp), where `--banks` asks for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emulator/check/per_instruction.hpp"
#include "emulator/machine.hpp"

namespace lanescope::emulator {

class BankCounts {
 public:
  /// The lanes in `active` moved `bytes` each from addresses[lane] on. ldmatrix and stmatrix: eight
  /// lanes a phase, 16 bytes each, as many as there are rows. `loads`: by an ordinary load.
  void count(std::uint32_t pc, std::span<const std::uint32_t> addresses, std::uint32_t active,
             int bytes, bool loads);
  void add(const BankCounts& other) { uses_.add(other.uses_); }
  /// Those with conflicts, the most passes lost first.
  std::vector<BankReport> reports(const Program& program) const { return uses_.reports(program); }

 private:
  PerInstruction<BankUse, BankReport> uses_;
};

}  // namespace lanescope::emulator
