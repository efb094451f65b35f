// SPDX-License-Identifier: MIT
// What a multiprocessor's L1 may still hold of global memory: a plain load leaves a copy there,
// which neither another block's store nor a flag takes away, only a fence does. An H200 then loads
// what was there before, always (docs/experiments/missing_fences.md). Taken for the L1 of one CTA;
// any fence of its cluster counts for it.
#include <algorithm>
#include <vector>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

bool Checker::is_of_this_cta(const Actor& actor, const GlobalTouch& other) const {
  return is_of_this_cluster(other) && !is_by_peers(actor, other.touch);
}

// Before a store lies over `write` and takes the place of those who have loaded it: whether CTAs
// may have in their L1 what was there. The storing one's own store is in its L1, too.
bool Checker::keep_cached(const Actor& actor, const GlobalTouch& write, const GlobalReads* reads,
                          std::uint64_t address, std::uint32_t bytes) {
  constexpr std::size_t kMostCells = 1 << 16, kMostOfCell = 4;
  if (!global_.has_flags) return false;
  std::vector<GlobalTouch> all;
  const auto add = [&](const GlobalTouch& read) {
    if (read.is_there() && read.is_cached() && !is_of_this_cta(actor, read)) all.push_back(read);
  };
  if (const auto* known = write.is_cached() ? kept(global_.cached, address, bytes) : nullptr)
    std::for_each(known->begin(), known->end(), add);
  if (reads != nullptr) std::for_each(reads->begin(), reads->end(), add);
  if (all.empty()) return false;
  if (global_.cached.size() >= kMostCells && !write.is_cached()) return false;
  if (all.size() > kMostOfCell) all.erase(all.begin(), all.end() - kMostOfCell);
  global_.cached[GlobalWatch::cell_key(address, bytes)] = std::move(all);
  return true;
}

// A load that the CTA's L1 may answer, with what was there before another cluster stored `write`.
bool Checker::may_be_cached(const Actor& actor, const GlobalTouch& write, std::uint64_t address,
                            std::uint32_t bytes) const {
  if (!write.is_cached() || !actor.is_cached || is_of_this_cluster(write)) return false;
  const std::vector<GlobalTouch>* all = kept(global_.cached, address, bytes);
  return all != nullptr && std::any_of(all->begin(), all->end(), [&](const GlobalTouch& read) {
           return is_of_this_cta(actor, read) && read.touch.time > l1_emptied_;
         });
}

}  // namespace lanescope::emulator
