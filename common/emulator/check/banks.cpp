// SPDX-License-Identifier: MIT
#include "emulator/check/banks.hpp"

#include <algorithm>

#include "emulator/report.hpp"
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
  Use& use = uses_[pc];
  ++use.accesses;
  const int together = loads
                           ? layout::lanes_per_phase_of_load(addresses, active, std::max(bytes, 4))
                           : layout::lanes_per_phase(std::max(bytes, 4));
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

void BankCounts::add(const BankCounts& other) {
  for (const auto& [pc, more] : other.uses_) {
    Use& use = uses_[pc];
    use.accesses += more.accesses;
    use.phases += more.phases;
    use.passes += more.passes;
    use.worst = std::max(use.worst, more.worst);
  }
}

std::vector<BankReport> BankCounts::reports(const Program& program) const {
  std::vector<BankReport> all;
  for (const auto& [pc, use] : uses_) {
    const PtxStatement* at = program.statement(pc);
    if (at == nullptr || use.passes == use.phases) continue;
    BankReport& report = all.emplace_back();
    report.instruction = in_short(at->text);
    report.ptx_line = at->line;
    report.source = source_line(program.module, *at);
    report.accesses = use.accesses;
    report.phases = use.phases;
    report.passes = use.passes;
    report.worst = use.worst;
  }
  std::sort(all.begin(), all.end(), [](const BankReport& a, const BankReport& b) {
    const std::uint64_t lost_a = a.passes - a.phases, lost_b = b.passes - b.phases;
    return lost_a != lost_b ? lost_a > lost_b : a.ptx_line < b.ptx_line;
  });
  return all;
}

}  // namespace lanescope::emulator
