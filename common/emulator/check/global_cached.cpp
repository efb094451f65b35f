// SPDX-License-Identifier: MIT
// What a multiprocessor's L1 may still hold of global memory: a plain load leaves a copy there,
// of the 32 bytes around it, which neither another block's store nor a flag takes away, only a
// fence does. An H200 then loads what was there before, always
// (docs/experiments/missing_fences.md). Taken for the L1 of one CTA; any fence of its cluster
// counts for it.
#include <algorithm>
#include <vector>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

bool Checker::is_of_this_cta(const Actor& actor, const GlobalTouch& other) const {
  return is_of_this_cluster(other) && !is_by_peers(actor, other.touch);
}

// Before a store lies over a cell: whether CTAs may have in their L1 what was there, since they
// have loaded something of its sector. The storing one's own store is in its L1, too.
bool Checker::keep_cached(const Actor& actor, const GlobalReads* reads, std::uint64_t address,
                          std::uint32_t bytes) {
  constexpr std::size_t kMostCells = 1 << 16, kMostCtas = 4;
  constexpr std::uint64_t kSectorBytes = 32;
  if (!global_.has_flags || reads == nullptr) return false;  // nobody has loaded near it
  std::vector<GlobalTouch> all;                              // of each CTA the last load
  const auto add = [&](const GlobalTouch& read) {
    if (!read.is_there() || !read.is_cached() || is_of_this_cta(actor, read)) return;
    const auto before = std::find_if(all.begin(), all.end(), [&](const GlobalTouch& other) {
      return other.cluster() == read.cluster() &&
             !are_peers(other.touch.component(), read.touch.component());
    });
    if (before == all.end())
      all.push_back(read);
    else if (before->touch.time < read.touch.time)
      *before = read;
  };
  const auto look = [&](const GlobalTouch& write, const GlobalReads* loaded, std::uint64_t at,
                        std::uint32_t size) {
    if (const auto* known = write.is_cached() ? kept(global_.cached, at, size) : nullptr)
      std::for_each(known->begin(), known->end(), add);
    if (loaded != nullptr) std::for_each(loaded->begin(), loaded->end(), add);
  };
  global_.shadow.look(address & ~(kSectorBytes - 1), kSectorBytes, look);
  if (all.empty()) return false;
  const std::uint64_t key = GlobalWatch::cell_key(address, bytes);
  if (global_.cached.size() >= kMostCells && global_.cached.count(key) == 0) return false;
  if (all.size() > kMostCtas) all.erase(all.begin(), all.end() - kMostCtas);
  global_.cached[key] = std::move(all);
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
