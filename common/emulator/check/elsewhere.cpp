// SPDX-License-Identifier: MIT
#include "emulator/check/elsewhere.hpp"

#include <algorithm>

namespace lanescope::emulator {

std::uint32_t Releases::add(std::uint64_t cluster, Clock clock) {
  Log& log = logs_[cluster];
  const auto number = static_cast<std::uint32_t>(log.clocks.size()) + 1;
  const bool goes_on = !log.clocks.empty() && clock.includes(log.clocks.back());
  log.since.push_back(goes_on ? log.since.back() : number);
  log.clocks.push_back(std::move(clock));
  return number;
}

std::uint32_t Releases::join(std::uint64_t cluster, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t low = std::min(a, b);
  const std::uint32_t high = std::max(a, b);
  if (low == 0 || low == high) return high;
  const Log& log = logs_[cluster];
  if (low >= log.since[high - 1]) return high;
  if (clock(cluster, high).includes(clock(cluster, low))) return high;
  if (clock(cluster, low).includes(clock(cluster, high))) return low;
  Clock both = clock(cluster, high);
  both.join(clock(cluster, low));
  return add(cluster, std::move(both));
}

bool Elsewhere::covers(std::uint64_t cluster, std::size_t component, std::uint32_t lanes,
                       Time time) const {
  if (!releases->tells_apart()) return true;
  if (cluster >= heard.size() || heard[cluster] == 0) return false;
  return releases->clock(cluster, heard[cluster]).covers(component, lanes, time);
}

Heard joined(const Heard& a, const Heard& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  const Heard& longer = a->heard.size() >= b->heard.size() ? a : b;
  const Heard& other = a->heard.size() >= b->heard.size() ? b : a;
  std::shared_ptr<Elsewhere> made;
  for (std::size_t k = 0; k < other->heard.size(); ++k) {
    const std::uint32_t both = longer->releases->join(k, longer->heard[k], other->heard[k]);
    if (both == longer->heard[k]) continue;
    if (made == nullptr) made = std::make_shared<Elsewhere>(*longer);
    made->heard[k] = both;
  }
  return made == nullptr ? longer : made;
}

}  // namespace lanescope::emulator
