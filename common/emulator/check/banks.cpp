// SPDX-License-Identifier: MIT
#include "emulator/check/banks.hpp"

#include <algorithm>
#include <array>

#include "layout/banks.hpp"

namespace lanescope::emulator {
namespace {

// Passes of one phase, as layout::passes counts them, word after word.
class Phase {
 public:
  void want(std::uint32_t address, int bytes) {
    const std::uint32_t last = (address + static_cast<std::uint32_t>(bytes) - 1) / 4;
    for (std::uint32_t word = address / 4; word <= last; ++word) {
      const auto bank = static_cast<std::size_t>(word % layout::kBanks);
      auto& words = words_[bank];
      const auto end = words.begin() + counts_[bank];
      if (std::find(words.begin(), end, word) != end) continue;
      words[static_cast<std::size_t>(counts_[bank]++)] = word;
      worst_ = std::max(worst_, counts_[bank]);
    }
  }
  int passes() const { return worst_; }

 private:
  std::array<std::array<std::uint32_t, 32>, layout::kBanks> words_;  // at most one of each lane
  std::array<int, layout::kBanks> counts_{};
  int worst_ = 0;
};

}  // namespace

void BankCounts::count(std::uint32_t pc, std::span<const std::uint32_t> addresses,
                       std::uint32_t active, int bytes, bool loads) {
  BankUse& use = uses_[pc];
  ++use.accesses;
  const int together = layout::lanes_together(addresses, active, bytes, loads);
  for (int first = 0; first < static_cast<int>(addresses.size()); first += together) {
    Phase phase;
    for (int lane = first; lane < first + together; ++lane)
      if (((active >> lane) & 1) != 0) phase.want(addresses[static_cast<std::size_t>(lane)], bytes);
    if (phase.passes() == 0) continue;  // nobody is there
    ++use.phases;
    use.passes += static_cast<std::uint64_t>(phase.passes());
    use.worst = std::max(use.worst, phase.passes());
  }
}

}  // namespace lanescope::emulator
