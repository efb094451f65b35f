// SPDX-License-Identifier: MIT
#include "emulator/check/clock.hpp"

#include <algorithm>

namespace lanescope::emulator {

bool Clock::covers_lanes(std::size_t component, std::uint32_t lanes, Time time) const {
  for (const Lanes& entry : some_) {
    if (entry.component != component) continue;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      if (entry.times[static_cast<std::size_t>(__builtin_ctz(rest))] < time) return false;
    return true;
  }
  return false;
}

bool Clock::is_empty() const {
  return some_.empty() && std::all_of(all_.begin(), all_.end(), [](Time at) { return at == 0; });
}

bool Clock::includes(const Clock& other) const {
  for (std::size_t k = 0; k < other.all_.size(); ++k)
    if (known(k) < other.all_[k]) return false;
  for (const Lanes& theirs : other.some_)
    for (std::size_t lane = 0; lane < theirs.times.size(); ++lane)
      if (!covers(theirs.component, 1u << lane, theirs.times[lane])) return false;
  return true;
}

bool Clock::has_heard_of(std::size_t component) const {
  if (known(component) != 0) return true;
  for (const Lanes& entry : some_)
    if (entry.component == component) return true;
  return false;
}

void Clock::join(const Clock& other) {
  if (other.all_.size() > all_.size()) all_.resize(other.all_.size(), 0);
  for (std::size_t k = 0; k < other.all_.size(); ++k) all_[k] = std::max(all_[k], other.all_[k]);
  for (const Lanes& theirs : other.some_) {
    Lanes& mine = lanes_of(theirs.component);
    for (std::size_t lane = 0; lane < 32; ++lane)
      mine.times[lane] = std::max(mine.times[lane], theirs.times[lane]);
  }
  settle();
}

void Clock::raise(std::size_t component, std::uint32_t lanes, Time time) {
  if (component >= all_.size()) all_.resize(component + 1, 0);
  if (lanes == 0xffffffffu) {
    all_[component] = std::max(all_[component], time);
  } else {
    Lanes& entry = lanes_of(component);
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      Time& at = entry.times[static_cast<std::size_t>(__builtin_ctz(rest))];
      at = std::max(at, time);
    }
  }
  settle();
}

void Clock::forget(std::size_t component) {
  if (component < all_.size()) all_[component] = 0;
  some_.erase(std::remove_if(some_.begin(), some_.end(),
                             [&](const Lanes& entry) { return entry.component == component; }),
              some_.end());
  settle();
}

void Clock::clear() {
  std::fill(all_.begin(), all_.end(), 0);
  least_ = 0;
  some_.clear();
}

Clock::Lanes& Clock::lanes_of(std::size_t component) {
  for (Lanes& entry : some_)
    if (entry.component == component) return entry;
  Lanes& made = some_.emplace_back();
  made.component = component;
  made.times.fill(known(component));
  return made;
}

void Clock::settle() {
  if (!some_.empty()) tidy();
  least_ = all_.empty() ? 0 : *std::min_element(all_.begin(), all_.end());
}

// Entries that say no more than `all_` does go; what all lanes have reached goes into `all_`.
void Clock::tidy() {
  for (Lanes& entry : some_) {
    Time& all = all_[entry.component];
    Time least = entry.times[0];
    for (Time& time : entry.times) {
      time = std::max(time, all);
      least = std::min(least, time);
    }
    all = std::max(all, least);
  }
  some_.erase(std::remove_if(some_.begin(), some_.end(),
                             [&](const Lanes& entry) {
                               const Time all = all_[entry.component];
                               return std::all_of(entry.times.begin(), entry.times.end(),
                                                  [&](Time time) { return time <= all; });
                             }),
              some_.end());
}

}  // namespace lanescope::emulator
