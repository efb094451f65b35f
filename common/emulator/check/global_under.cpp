// SPDX-License-Identifier: MIT
// Global memory that strong stores lie over each other in, and over plain ones: what the last of
// them does not stand for is kept beside it.
//
//     c = 0;                 plain: whoever adds must know of it          GlobalWatch::under
//     atomicAdd(&c, 1);      of another cluster, and nobody looked:       GlobalWatch::beside
//     atomicAdd(&c, 1);      the last: in the shadow
//     ... = c;               must know of all three
#include <algorithm>
#include <iterator>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

// `write`, which may meet what the actor does, lies over a plain store that may not.
const GlobalTouch* Checker::plain_under(const Actor& actor, const GlobalTouch& write,
                                        std::uint64_t address) const {
  if (!write.is_under() || knows_of(actor, write)) return nullptr;
  auto found = global_.under.find(address);
  for (std::uint64_t cell = 4; found == global_.under.end() && cell <= 16; cell *= 2)
    found = global_.under.find(address & ~(cell - 1));
  return found == global_.under.end() || knows_of(actor, found->second) ? nullptr : &found->second;
}

// What is kept for a cell, or for a larger one that it was part of; nullptr: nothing.
const std::vector<GlobalTouch>* Checker::kept(const TouchesOfCells& touches, std::uint64_t address,
                                              std::uint32_t bytes) {
  for (; bytes <= 16; bytes *= 2)
    if (const auto found = touches.find(GlobalWatch::cell_key(address, bytes));
        found != touches.end())
      return &found->second;
  return nullptr;
}

// Before a strong store lies over `write`: whether others' are below then. Who looks at what was
// there has seen them, and whoever knows of him knows of them.
bool Checker::keep_beside(const Actor& actor, const GlobalTouch& write, std::uint64_t address,
                          std::uint32_t bytes) {
  constexpr std::size_t kMostCells = 1 << 16, kMostOfCell = 4;
  if (!write.is_there() || !write.is_strong() || actor.answers) return false;
  if (write.cluster() == cluster_->number) return write.is_more();
  if (global_.beside.size() >= kMostCells && !write.is_more()) return false;
  if (knows_of(actor, write)) return write.is_more();
  std::vector<GlobalTouch> all;
  if (const auto* known = write.is_more() ? kept(global_.beside, address, bytes) : nullptr;
      known != nullptr)
    std::copy_if(known->begin(), known->end(), std::back_inserter(all),
                 [&](const GlobalTouch& one) { return one.cluster() != write.cluster(); });
  if (all.size() == kMostOfCell) all.erase(all.begin());
  all.push_back(write);
  global_.beside[GlobalWatch::cell_key(address, bytes)] = std::move(all);
  return true;
}

// Of those the first that a plain access need not have come after.
const GlobalTouch* Checker::unknown_beside(const Actor& actor, const GlobalTouch& write,
                                           std::uint64_t address, std::uint32_t bytes) const {
  if (!write.is_more() || actor.is_strong || actor.is_guess) return nullptr;
  const std::vector<GlobalTouch>* all = kept(global_.beside, address, bytes);
  if (all == nullptr) return nullptr;
  const auto unknown = std::find_if(
      all->begin(), all->end(), [&](const GlobalTouch& other) { return !knows_of(actor, other); });
  return unknown == all->end() ? nullptr : &*unknown;
}

// Before a strong store lies over `write`: whether a plain one is below then.
bool Checker::keep_under(const GlobalTouch& write, std::uint64_t address) {
  if (!write.is_there() || write.is_strong()) return write.is_under();
  global_.under[address] = write;
  return true;
}

}  // namespace lanescope::emulator
