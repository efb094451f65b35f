// SPDX-License-Identifier: MIT
#include "emulator/check/sector_counts.hpp"

#include <algorithm>

#include "emulator/report.hpp"

namespace lanescope::emulator {

void SectorCounts::count(std::uint32_t pc, std::span<const std::uint64_t> addresses,
                         std::uint32_t active, int bytes, layout::SectorAccess access) {
  const layout::Sectors found = layout::sectors(addresses, active, bytes, access);
  Use& use = uses_[pc];
  ++use.accesses;
  use.sectors += static_cast<std::uint64_t>(found.taken);
  use.least += static_cast<std::uint64_t>(found.least);
  use.bytes += static_cast<std::uint64_t>(found.bytes);
}

void SectorCounts::add(const SectorCounts& other) {
  for (const auto& [pc, more] : other.uses_) {
    Use& use = uses_[pc];
    use.accesses += more.accesses;
    use.sectors += more.sectors;
    use.least += more.least;
    use.bytes += more.bytes;
  }
}

std::vector<SectorReport> SectorCounts::reports(const Program& program) const {
  std::vector<SectorReport> all;
  for (const auto& [pc, use] : uses_) {
    const PtxStatement* at = program.statement(pc);
    if (at == nullptr || use.sectors == use.least) continue;
    SectorReport& report = all.emplace_back();
    report.instruction = in_short(at->text);
    report.ptx_line = at->line;
    report.source = source_line(program.module, *at);
    report.accesses = use.accesses;
    report.sectors = use.sectors;
    report.least = use.least;
    report.bytes = use.bytes;
  }
  std::sort(all.begin(), all.end(), [](const SectorReport& a, const SectorReport& b) {
    const std::uint64_t lost_a = a.sectors - a.least, lost_b = b.sectors - b.least;
    return lost_a != lost_b ? lost_a > lost_b : a.ptx_line < b.ptx_line;
  });
  return all;
}

}  // namespace lanescope::emulator
