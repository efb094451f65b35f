// SPDX-License-Identifier: MIT
// mbarriers: made, arrived at, asked and ended, and what each of these must know (mbarrier.hpp).
#include "emulator/check/mbarrier.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

void MbarrierWatch::start(std::size_t ctas, std::size_t warps) {
  known_.assign(ctas, {});
  gone_.assign(ctas, {});
  votes_.assign(warps, {});
  looked_.assign(warps, {});
}

WatchedBarrier* MbarrierWatch::find(const Cta& cta, std::uint32_t offset) {
  auto& known = known_[static_cast<std::size_t>(cta.rank)];
  const auto found = known.find(offset);
  return found == known.end() ? nullptr : &found->second;
}

void MbarrierWatch::promote(WatchedBarrier& barrier, const Cta& cta, std::uint32_t offset) {
  const MemoryBarrier* real = barrier_at(cta, offset);
  if (real == nullptr || real->phase == barrier.phase) return;
  barrier.phase = real->phase;
  barrier.before = barrier.completed.order;
  barrier.ends_before = barrier.ends;
  barrier.ends = barrier.arrival;
  barrier.completed = barrier.arriving;
}

void MbarrierWatch::initialised(const Warp& warp, int lane, Cta& cta, std::uint32_t offset) {
  check_.as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& actor) {
    const WatchedBarrier* before = find(cta, offset);
    std::optional<std::size_t> component;
    const bool again =
        before != nullptr && !(before->init.where == actor.where() &&
                               before->init.time == check_.now());  // another lane, now
    if (again && (check_.options().strict || !ordered(actor.knows->order, before->init, actor))) {
      check_.report(FindingKind::mbarrier_twice, actor, cta, offset, &before->init);
    } else {
      if (again) check_unused(actor, cta, offset, *before);
      if (again) component = kept_component(actor, *before);
      check_.keep_mbarrier(cta, offset, false);
      check_.write(actor, cta, offset, 8);
      check_.keep_mbarrier(cta, offset, true);
    }
    auto& gone = gone_[static_cast<std::size_t>(cta.rank)];
    if (const auto found = gone.find(offset); found != gone.end()) {
      if (!ordered(actor.knows->order, found->second.inval, actor))
        check_.report(FindingKind::mbarrier_ended, actor, cta, offset, &found->second.inval);
      else
        component = kept_component(actor, found->second);
      gone.erase(found);
    }
    WatchedBarrier& made = known_[static_cast<std::size_t>(cta.rank)][offset];
    made = {};
    made.component = component ? *component : check_.new_component();
    made.init = {check_.now(), actor.lanes, actor.where()};
  });
}

void MbarrierWatch::invalidated(const Warp& warp, std::uint32_t lanes, const Cta& cta,
                                std::uint32_t offset) {
  WatchedBarrier* barrier = find(cta, offset);
  if (barrier == nullptr) return;
  promote(*barrier, cta, offset);
  check_init(warp, lanes, cta, offset, *barrier);
  check_.as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    check_unused(actor, cta, offset, *barrier);
    barrier->inval = {check_.now(), actor.lanes, actor.where()};
  });
  check_.keep_mbarrier(cta, offset, false);
  const auto rank = static_cast<std::size_t>(cta.rank);
  gone_[rank][offset] = std::move(*barrier);
  known_[rank].erase(offset);
}

// Whoever knows all that was done with an mbarrier begins another in its place: times tell what its
// copies do from what those of the one before did.
std::optional<std::size_t> MbarrierWatch::kept_component(const Actor& actor,
                                                         const WatchedBarrier& before) {
  for (const Touch& use : before.uses)
    if (!ordered(actor.knows->order, use, actor)) return std::nullopt;
  return before.component;
}

void MbarrierWatch::note_use(WatchedBarrier& barrier, const Warp& warp, std::uint32_t lanes) {
  const std::size_t component = check_.component_of(warp);
  barrier.note({check_.now(), lanes, Touch::place(component, warp.pc)});
  votes_[component].are_wanted = true;
}

// Known by habit, as that lanes have read: a library lets one lane of each warp say that its lanes
// are done, and the last of all ends the mbarriers.
bool MbarrierWatch::has_voted_since(const Actor& actor, const Touch& use) const {
  const std::size_t component = use.component();
  if (component >= votes_.size()) return false;
  const std::vector<Time>& times = votes_[component].times;
  const auto vote = std::lower_bound(times.begin(), times.end(), use.time);
  if (vote == times.end()) return false;
  bool is_known = component == actor.component;
  for (int lane = 0; lane < kLanes && !is_known; ++lane)
    is_known = actor.knows->order.covers(component, 1u << lane, *vote);
  return is_known;
}

// Whoever ends it knows of all that was done with it. In another order of warps a use that he does
// not know of would come too late, and find no mbarrier there or the next one.
void MbarrierWatch::check_unused(const Actor& actor, const Cta& cta, std::uint32_t offset,
                                 const WatchedBarrier& barrier) {
  for (const Touch& use : barrier.uses)
    if (!ordered(actor.knows->order, use, actor) && !has_voted_since(actor, use))
      check_.report(FindingKind::mbarrier_ended, actor, cta, offset, &use);
}

void MbarrierWatch::check_init(const Warp& warp, std::uint32_t lanes, const Cta& cta,
                               std::uint32_t offset, const WatchedBarrier& barrier) {
  check_.as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    if (ordered(actor.knows->order, barrier.init, actor)) return;
    Actor other = actor;  // one that did not initialise it itself
    if (barrier.init.component() == actor.component && (actor.lanes & ~barrier.init.lanes) != 0)
      other.lanes &= ~barrier.init.lanes;
    check_.report(FindingKind::mbarrier_before_init, other, cta, offset, &barrier.init);
  });
}

void MbarrierWatch::arrival(const Warp& warp, std::uint32_t lanes, Cta& cta, std::uint32_t offset,
                            Hands hands) {
  WatchedBarrier* barrier = find(cta, offset);
  if (barrier == nullptr) return;
  promote(*barrier, cta, offset);
  if (&cta != warp.cta)
    check_.as_lanes(warp, lanes, warp.pc,
                    [&](const Actor& actor) { check_.reach_out(actor, cta, offset); });
  check_init(warp, lanes, cta, offset, *barrier);
  note_use(*barrier, warp, lanes);
  barrier->arrival = {check_.now(), lanes, Touch::place(check_.component_of(warp), warp.pc)};
  if (hands == Hands::all) check_.release(warp, lanes, barrier->arriving);
  if (hands == Hands::fenced) check_.release_fenced(warp, lanes, barrier->arriving);
}

Time MbarrierWatch::arrival_issued(const Warp& warp, int lane, Cta& cta, std::uint32_t offset) {
  if (WatchedBarrier* barrier = find(cta, offset); barrier != nullptr) {
    promote(*barrier, cta, offset);
    check_init(warp, 1u << lane, cta, offset, *barrier);
    barrier->note({check_.now(), kAllLanes, Touch::place(barrier->component, warp.pc)});
  }
  const Time time = check_.now();
  check_.tick();
  return time;
}

void MbarrierWatch::asked(const Warp& warp, std::uint32_t lanes, std::uint32_t done, Cta& cta,
                          std::uint32_t offset, Asks how) {
  if (done != 0) passed(warp, done, cta, offset, how);
  if (WatchedBarrier* barrier = find(cta, offset); barrier != nullptr)
    note_use(*barrier, warp, lanes);
}

bool MbarrierWatch::is_first_look(const Warp& warp) {
  std::vector<std::uint32_t>& places = looked_[check_.component_of(warp)];
  if (std::find(places.begin(), places.end(), warp.pc) != places.end()) return false;
  places.push_back(warp.pc);
  return true;
}

// What these lanes have seen, whatever they may read of it: what the own warp did, and what waits
// without an acquire have told, too.
Clock MbarrierWatch::all_seen(const Actor& actor) const {
  Clock seen = actor.knows->order;
  seen.raise(actor.component, kAllLanes, check_.now());
  if (actor.knows->heard != nullptr) seen.join(actor.knows->heard->order);
  return seen;
}

bool MbarrierWatch::may_be_incomplete(const Warp& warp, std::uint32_t lanes, const Cta& cta,
                                      std::uint32_t offset) {
  WatchedBarrier* barrier = find(cta, offset);
  if (barrier == nullptr) return false;
  promote(*barrier, cta, offset);
  if (barrier->phase == 0) return false;  // what comes before the first is
  bool may_be = true;
  check_.as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    may_be = may_be && !all_seen(actor).includes(barrier->completed.order);
  });
  return may_be;
}

// Of a parity each second phase is alike: who need not have seen that the one before was complete
// may have gone on two phases ago, or has missed as many.
void MbarrierWatch::check_phase(const Warp& warp, std::uint32_t lanes, const Cta& cta,
                                std::uint32_t offset, const WatchedBarrier& barrier) {
  if (barrier.phase < 2) return;
  const auto has_seen = [&](const Clock& known) { return known.includes(barrier.before); };
  check_.as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    if (!has_seen(actor.knows->order) && !has_seen(all_seen(actor)))
      check_.report(FindingKind::mbarrier_missed, actor, cta, offset, &barrier.ends_before);
  });
}

void MbarrierWatch::passed(const Warp& warp, std::uint32_t lanes, Cta& cta, std::uint32_t offset,
                           Asks how) {
  WatchedBarrier* barrier = find(cta, offset);
  if (barrier == nullptr) {  // invalidated while these lanes were on their way out of the wait
    auto& gone = gone_[static_cast<std::size_t>(cta.rank)];
    const auto found = gone.find(offset);
    if (found == gone.end()) return;
    barrier = &found->second;
    check_.as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
      check_.report(FindingKind::mbarrier_gone, actor, cta, offset, &barrier->inval);
    });
  } else {
    promote(*barrier, cta, offset);
    check_init(warp, lanes, cta, offset, *barrier);
    if (how.by_parity) check_phase(warp, lanes, cta, offset, *barrier);
  }
  if (how.acquires)
    check_.acquire(warp, lanes, barrier->completed);
  else
    check_.hear_of(warp, lanes, barrier->completed);
}

// A card tells the mbarrier there of the CTA that gets the bytes; PTX says nothing of it
// (docs/experiments/cluster_barriers.md).
void MbarrierWatch::named(const Warp& warp, int lane, std::uint64_t address, const Cta& target) {
  const auto rank = static_cast<int>((address >> kRankBit) & 0xff);
  if (rank == target.rank) return;
  check_.as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& actor) {
    if (!check_.findings().is_new(FindingKind::mbarrier_elsewhere, actor, Touch::kMostPc)) return;
    check_.findings().tell(
        FindingKind::mbarrier_elsewhere, actor,
        fmt::format(", shared address 0x{:x} of CTA rank {}, bytes for CTA rank {}",
                    address & kOffsetMask, rank, target.rank),
        Touch::kMostPc, {});
  });
}

// One of the lanes has: they fence together.
bool MbarrierWatch::has_seen_init(const Actor& actor, const WatchedBarrier& barrier) {
  return ordered(actor.knows->order, barrier.init, actor) ||
         (barrier.init.component() == actor.component && (barrier.init.lanes & actor.lanes) != 0);
}

void MbarrierWatch::fence_init(const Warp& warp, std::uint32_t lanes) {
  check_.as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    for (auto& of_cta : known_)
      for (auto& [offset, barrier] : of_cta)
        if (!barrier.fenced && has_seen_init(actor, barrier)) barrier.fenced = true;
  });
}

void MbarrierWatch::tell_fenced(const Actor& actor, Clock& news) const {
  for (const ByOffset& of_cta : known_)
    for (const auto& [offset, barrier] : of_cta)
      if (barrier.fenced && has_seen_init(actor, barrier))
        news.raise(barrier.init.component(), barrier.init.lanes, barrier.init.time);
}

void MbarrierWatch::voted(std::size_t component) {
  Votes& votes = votes_[component];
  if (votes.are_wanted) votes.times.push_back(check_.now());
  votes.are_wanted = false;
}

}  // namespace lanescope::emulator
