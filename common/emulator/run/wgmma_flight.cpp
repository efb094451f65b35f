// SPDX-License-Identifier: MIT
#include "emulator/run/wgmma_flight.hpp"

#include <algorithm>
#include <cstring>

#include "emulator/execute/wgmma_fetch.hpp"

namespace lanescope::emulator {
namespace {

bool overlaps(const Accumulators& entry, const std::uint32_t* rows, std::size_t count) {
  for (const std::uint32_t mine : entry.rows)
    if (std::find(rows, rows + count, mine) != rows + count) return true;
  return false;
}

}  // namespace

std::uint32_t* in_flight(Accumulators& entry, int warp, std::size_t reg) {
  return entry.registers.data() +
         (static_cast<std::size_t>(warp) * entry.rows.size() + reg) * kFragmentLanes;
}

void hand_over(Accumulators& entry, int warp) {
  for (std::size_t reg = 0; reg < entry.rows.size(); ++reg)
    std::memcpy(entry.base[warp] + entry.rows[reg], in_flight(entry, warp, reg), kRegisterBytes);
  entry.waiting &= ~(1u << warp);
}

void drop_finished(Warpgroup& group) {
  auto& all = group.pending;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const Accumulators& entry) { return entry.waiting == 0; }),
            all.end());
}

Accumulators& accumulators(Warp& w, Warpgroup& group, const WgmmaPlan& plan, std::uint32_t list) {
  const std::uint32_t* rows = rows_at(w, list);
  const auto count = static_cast<std::size_t>(plan.D.registers);
  Accumulators* found = nullptr;
  for (Accumulators& entry : group.pending) {
    const bool same = entry.rows.size() == count &&
                      std::equal(rows, rows + count, entry.rows.begin()) &&
                      entry.operand->element_bytes == plan.D.element_bytes &&
                      std::equal(group.rows, group.rows + 4, entry.base);
    if (same) found = &entry;
    if (same || !overlaps(entry, rows, count)) continue;
    for (int warp = 0; warp < 4; ++warp)
      if (((entry.waiting >> warp) & 1) != 0) hand_over(entry, warp);
  }
  if (found == nullptr) {
    found = &group.pending.emplace_back();
    found->rows.assign(rows, rows + count);
    found->registers.resize(4 * count * kFragmentLanes);
    std::copy(group.rows, group.rows + 4, found->base);
  }
  found->operand = &plan.D;
  for (int warp = 0; warp < 4; ++warp) {
    for (std::size_t reg = 0; reg < count && ((found->waiting >> warp) & 1) == 0; ++reg)
      std::memcpy(in_flight(*found, warp, reg), group.rows[warp] + rows[reg], kRegisterBytes);
    found->group[warp] = group.commits[warp];
  }
  found->waiting = 15;
  return *found;
}

}  // namespace lanescope::emulator
