// SPDX-License-Identifier: MIT
#include "emulator/check/elsewhere.hpp"

#include <algorithm>

namespace lanescope::emulator {

std::uint32_t Releases::add(std::uint64_t cluster, Clock clock, By fence) {
  if (kept_ >= most_) sweep();
  Log& log = logs_[cluster];
  const bool is_first = log.releases.empty();
  const std::uint32_t number = is_first ? 1 : log.releases.back().number + 1;
  const bool goes_on = !is_first && clock.includes(log.releases.back().clock);
  const std::uint32_t since = goes_on ? log.releases.back().since : number;
  log.releases.push_back({number, since, std::move(clock)});
  log.last[static_cast<std::size_t>(fence)] = number;
  ++kept_;
  return number;
}

const Releases::Release& Releases::at(std::uint64_t cluster, std::uint32_t number) const {
  const std::vector<Release>& log = logs_[cluster].releases;
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
      for (const auto* known : {&living->heard, &living->fenced})
        for (std::size_t k = 0; k < known->size(); ++k)
          if ((*known)[k] != 0) named[k].push_back((*known)[k]);
  kept_ = 0;
  for (std::size_t k = 0; k < logs_.size(); ++k) {
    auto& [releases, last] = logs_[k];
    named[k].insert(named[k].end(), last.begin(), last.end());
    if (!releases.empty()) named[k].push_back(releases.back().number);
    std::sort(named[k].begin(), named[k].end());
    releases.erase(std::remove_if(releases.begin(), releases.end(),
                                  [&](const Release& one) {
                                    return !std::binary_search(named[k].begin(), named[k].end(),
                                                               one.number);
                                  }),
                   releases.end());
    kept_ += releases.size();
  }
  most_ = std::max(kMany, 2 * kept_);
}

bool Elsewhere::covers(const std::vector<std::uint32_t>& known, std::uint64_t cluster,
                       std::size_t component, std::uint32_t lanes, Time time) const {
  if (!releases->tells_apart()) return true;
  if (cluster >= known.size() || known[cluster] == 0) return false;
  return releases->clock(cluster, known[cluster]).covers(component, lanes, time);
}

bool Elsewhere::anybody_knows(std::size_t component) const {
  if (!releases->tells_apart()) return true;
  for (std::size_t k = 0; k < heard.size(); ++k)
    if (heard[k] != 0 && releases->clock(k, heard[k]).known(component) != 0) return true;
  return false;
}

Heard joined(const Heard& a, const Heard& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  const Heard& longer = a->heard.size() >= b->heard.size() ? a : b;
  const Heard& other = a->heard.size() >= b->heard.size() ? b : a;
  std::shared_ptr<Elsewhere> made;
  for (const auto row : {&Elsewhere::heard, &Elsewhere::fenced}) {
    const std::vector<std::uint32_t>&mine = (*longer).*row, &theirs = (*other).*row;
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      const std::uint32_t known = k < mine.size() ? mine[k] : 0;
      const std::uint32_t both = longer->releases->join(k, known, theirs[k]);
      if (both == known) continue;
      if (made == nullptr) made = longer->releases->make(longer);
      auto& joint = (*made).*row;
      if (joint.size() <= k) joint.resize(k + 1, 0);
      joint[k] = both;
    }
  }
  return made == nullptr ? longer : made;
}

}  // namespace lanescope::emulator
