// SPDX-License-Identifier: MIT
#include "emulator/check/elsewhere.hpp"

#include <algorithm>

namespace lanescope::emulator {

std::uint32_t Releases::add(std::uint64_t cluster, Clock clock) {
  if (kept_ >= most_) sweep();
  Log& log = logs_[cluster];
  const std::uint32_t number = last(cluster) + 1;
  const bool goes_on = !log.empty() && clock.includes(log.back().clock);
  const std::uint32_t since = goes_on ? log.back().since : number;
  log.push_back({number, since, std::move(clock)});
  ++kept_;
  return number;
}

const Releases::Release& Releases::at(std::uint64_t cluster, std::uint32_t number) const {
  const Log& log = logs_[cluster];
  const std::size_t back = log.back().number - number;  // mostly none between has gone
  if (back < log.size() && log[log.size() - 1 - back].number == number)
    return log[log.size() - 1 - back];
  return *std::lower_bound(
      log.begin(), log.end(), number,
      [](const Release& one, std::uint32_t wanted) { return one.number < wanted; });
}

std::uint32_t Releases::join(std::uint64_t cluster, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t low = std::min(a, b);
  const std::uint32_t high = std::max(a, b);
  if (low == 0 || low == high) return high;
  if (low >= at(cluster, high).since) return high;
  if (clock(cluster, high).includes(clock(cluster, low))) return high;
  if (clock(cluster, low).includes(clock(cluster, high))) return low;
  Clock both = clock(cluster, high);
  both.join(clock(cluster, low));
  return add(cluster, std::move(both));
}

std::shared_ptr<Elsewhere> Releases::make(const Heard& like) {
  auto made = like != nullptr ? std::make_shared<Elsewhere>(*like) : std::make_shared<Elsewhere>();
  made->releases = this;
  if (made_.size() >= most_made_) forget_expired();
  made_.push_back(made);
  return made;
}

void Releases::forget_expired() {
  made_.erase(
      std::remove_if(made_.begin(), made_.end(), [](const auto& one) { return one.expired(); }),
      made_.end());
  most_made_ = std::max(kMany, 2 * made_.size());
}

void Releases::sweep() {
  forget_expired();
  std::vector<std::vector<std::uint32_t>> named(logs_.size());
  for (const auto& one : made_)
    if (const Heard living = one.lock(); living != nullptr)
      for (std::size_t k = 0; k < living->heard.size(); ++k)
        if (living->heard[k] != 0) named[k].push_back(living->heard[k]);
  kept_ = 0;
  for (std::size_t k = 0; k < logs_.size(); ++k) {
    std::sort(named[k].begin(), named[k].end());
    Log& log = logs_[k];
    const std::uint32_t latest = last(k);
    log.erase(std::remove_if(log.begin(), log.end(),
                             [&](const Release& one) {
                               return one.number != latest &&
                                      !std::binary_search(named[k].begin(), named[k].end(),
                                                          one.number);
                             }),
              log.end());
    kept_ += log.size();
  }
  most_ = std::max(kMany, 2 * kept_);
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
    if (made == nullptr) made = longer->releases->make(longer);
    made->heard[k] = both;
  }
  return made == nullptr ? longer : made;
}

}  // namespace lanescope::emulator
