// SPDX-License-Identifier: MIT
// Which accesses race, and of which races the checker need not know (docs/checker.md, "What it does
// not see").
#include <algorithm>

#include "tests/emulator/races/oracle.hpp"

namespace lanescope::emulator::races {

Verdict Oracle::judge(const Access& a, const Access& b) const {
  Verdict verdict = Verdict::ordered;
  bool is_unknown = false;
  for (const int from : a.events) {
    for (const int to : b.events) {
      if (!before(from, to)) {
        const bool voted = has(Rule::vote_tells) && !a.writes && !a.async && !b.async &&
                           !b.is_sent && a.cta == b.cta && a.warp == b.warp && from < b.voted;
        // The checker looks at a wgmma as one, and then at its warps.
        const bool is_one_of_four = !b.warps.empty() && !has(Rule::warp_for_warpgroup);
        if (!voted) return is_one_of_four ? Verdict::both : Verdict::unordered;
      }
      // 8.2: from the generic to the async proxy a fence of proxies stands on the way.
      if (a.async || !b.async) continue;
      if (a.home == kGlobal && !a.writes && has(Rule::global_is_read)) continue;
      const auto unknown = [&](int warp) { return !before(from, warp); };
      if (std::any_of(b.warps.begin(), b.warps.end(), unknown)) is_unknown = true;
      const auto between = [&](const ProxyFence& fence) {
        return fence.is_for(a.home) && before(from, fence.event) && before(fence.event, to);
      };
      if (std::none_of(proxy_fences_.begin(), proxy_fences_.end(), between))
        verdict = Verdict::unfenced;
    }
  }
  if (!is_unknown) return verdict;
  return verdict == Verdict::unfenced ? Verdict::both : Verdict::unordered;
}

// That a lane hears through a vote of a fence that came after its own access is open: the vote
// tells nothing of what the warp has done, and the fence is of nothing else.
void Oracle::find_races(std::size_t first_new) {
  for (std::size_t n = first_new; n < accesses_.size(); ++n) {
    Access& b = accesses_[n];
    if (b.warp >= 0)
      b.asked = state_.asked[static_cast<std::size_t>(b.cta)][static_cast<std::size_t>(b.warp)];
    if (b.warp >= 0)
      b.voted = state_.voted[static_cast<std::size_t>(b.cta)][static_cast<std::size_t>(b.warp)];
    for (std::size_t k = 0; k < n; ++k) {
      const Access& a = accesses_[k];
      // Lanes of one instruction that store to the same place: one of them wins; those of one
      // cp.async have the same source. Not bulk copies.
      const bool is_copy = a.is_copy && a.async;
      const bool is_one = a.step == b.step && !is_copy;
      const bool diverged =
          b.warp >= 0 &&
          state_.diverged[static_cast<std::size_t>(b.cta)][static_cast<std::size_t>(b.warp)];
      if (is_one && !diverged) continue;
      const int offset = std::max(a.offset, b.offset);
      const int end = std::min(a.offset + a.bytes, b.offset + b.bytes);
      if (a.kernel != b.kernel) continue;
      if (a.home != b.home || offset >= end || (!a.writes && !b.writes)) continue;
      if (a.strong && b.strong) continue;
      Verdict verdict = judge(a, b);
      const bool hears_of_fence = verdict == Verdict::ordered && b.async && !a.async &&
                                  a.cta == b.cta && a.warp == b.warp && b.asked > a.events[0];
      if (verdict == Verdict::ordered && !hears_of_fence) continue;
      if (hears_of_fence) verdict = Verdict::unfenced;
      const bool reads_first = a.home == kGlobal && !shape_.is_cluster && a.cta != b.cta;
      const int reader = !reads_first ? -1 : !a.writes ? a.cta : !b.writes ? b.cta : -1;
      const int writer = reader == a.cta ? b.cta : a.cta;
      races_.push_back({a.step, b.step, a.kernel, reader, writer, a.home, offset, end, verdict,
                        !a.writes, is_one || hears_of_fence || is_open(a, b), k, n});
    }
  }
}

// Who polls may see it change: a strong load beside a plain store. And of lanes that store the same
// to one place the last is remembered, of those that copy the same there the first.
bool Oracle::is_open(const Access& a, const Access& b) {
  return (a.strong && !a.writes) || (b.strong && !b.writes) || a.is_parted || b.is_parted;
}

// A copy that comes behind the first access, and the second behind the copy: so the two are in
// order, though a copy tells nobody of what was before it.
bool Oracle::is_overwritten(const Race& race) const {
  const Access &a = accesses_[race.one], &b = accesses_[race.other];
  return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& copy) {
    if ((!copy.is_copy && !copy.is_sent) || copy.kernel != b.kernel || copy.home != b.home ||
        !copy.writes || copy.offset > race.offset || copy.offset + copy.bytes < race.end)
      return false;
    const int at = copy.events[0];
    return std::all_of(a.events.begin(), a.events.end(),
                       [&](int event) { return before(event, at); }) &&
           std::all_of(b.events.begin(), b.events.end(),
                       [&](int event) { return before(at, event); });
  });
}

// Lanes have fenced as one: the second access comes behind one of them, and the fence of another is
// behind the first.
bool Oracle::is_fenced_together(const Access& a, const Access& b) const {
  for (const ProxyFence& one : proxy_fences_)
    for (const ProxyFence& other : proxy_fences_)
      if (one.step == other.step && one.is_for(a.home) && before(a.events[0], one.event) &&
          before(other.event, b.events[0]))
        return true;
  return false;
}

// Of a cell of global memory the checker keeps one write and two reads.
bool Oracle::is_forgotten(const Race& race) const {
  int reads = 0, strong_writes = 0;
  for (const Access& one : accesses_) {
    if (one.kernel != race.kernel || one.home != kGlobal || one.offset >= race.end ||
        race.offset >= one.offset + one.bytes)
      continue;
    reads += one.writes ? 0 : 1;
    strong_writes += one.writes && one.strong ? 1 : 0;
  }
  return strong_writes > 1 || reads > 2;
}

// A CTA that has stored something for others to poll may have told that it has read, one that has
// polled.
bool Oracle::may_be_told(const Race& race) const {
  const auto kernel = static_cast<std::size_t>(race.kernel);
  return has(Rule::reads_may_be_told) && race.reader >= 0 &&
         state_.tells[kernel][static_cast<std::size_t>(race.reader)] &&
         state_.looks[kernel][static_cast<std::size_t>(race.writer)];
}

bool Oracle::is_unseen(const Race& race) const {
  const Access &a = accesses_[race.one], &b = accesses_[race.other];
  return may_be_told(race) || (race.home == kGlobal && is_forgotten(race)) ||
         is_overwritten(race) || (race.verdict == Verdict::unfenced && is_fenced_together(a, b));
}

std::vector<Race> Oracle::races() const {
  std::vector<Race> all = races_;
  for (Race& race : all) race.is_open = race.is_open || is_unseen(race);
  // A read and a write that it need not see it has taken for ordered, and what it knew of the read
  // is gone.
  std::vector<Race> told = all;
  for (Race& race : all)
    race.is_open =
        race.is_open || std::any_of(told.begin(), told.end(), [&](const Race& other) {
          const auto shares = [&](int step) { return step == race.first || step == race.second; };
          return other.is_open && other.reader >= 0 && other.home == race.home &&
                 other.offset < race.end && race.offset < other.end &&
                 (shares(other.first) || shares(other.second));
        });
  return all;
}

}  // namespace lanescope::emulator::races
