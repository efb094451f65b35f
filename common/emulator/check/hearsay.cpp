// SPDX-License-Identifier: MIT
#include "emulator/check/hearsay.hpp"

#include <algorithm>

namespace lanescope::emulator {

void Hearsay::tells(std::uint64_t cluster, Time time) {
  Teller& teller = tellers_[cluster];
  if (!teller.told.empty() && teller.told.back().time >= time) return;
  teller.told.push_back({time, ++turns_});
  if (teller.told.size() > teller.most) merge(cluster, teller);
}

bool Hearsay::may_know(std::uint64_t listener, std::uint64_t teller, Time time) const {
  const auto found = tellers_.find(teller);
  const auto looked = looked_.find(listener);
  if (found == tellers_.end() || looked == looked_.end()) return false;
  const auto& told = found->second.told;
  const auto first =
      std::lower_bound(told.begin(), told.end(), time,
                       [](const Told& one, Time wanted) { return one.time < wanted; });
  return first != told.end() && first->turn < looked->second;
}

// Who looks later knows of all that is here, and of others only the last look counts. So two are
// one, told at the earlier turn, where nobody's last look lies between them.
void Hearsay::merge(std::uint64_t cluster, Teller& teller) const {
  std::vector<std::uint64_t> looks;
  for (const auto& [listener, turn] : looked_)
    if (listener != cluster) looks.push_back(turn);
  std::sort(looks.begin(), looks.end());
  const auto known_to = [&](const Told& one) {
    return std::upper_bound(looks.begin(), looks.end(), one.turn);
  };
  std::vector<Told>& told = teller.told;
  auto last = told.begin();
  for (auto one = last + 1; one != told.end(); ++one) {
    if (known_to(*last) == known_to(*one))
      last->time = one->time;
    else
      *++last = *one;
  }
  told.erase(last + 1, told.end());
  teller.most = std::max({kAlways, looks.size(), 2 * told.size()});  // so that merging is rare
}

std::size_t Hearsay::kept(std::uint64_t cluster) const {
  const auto found = tellers_.find(cluster);
  return found == tellers_.end() ? 0 : found->second.told.size();
}

}  // namespace lanescope::emulator
