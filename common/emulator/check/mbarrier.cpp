// SPDX-License-Identifier: MIT
// mbarriers hand knowledge from who arrives to who waits, and are to be known before they are used.
// What copies bring to them is async.cpp.
//
// Source: PTX ISA 9.2, 9.7.13.15 (mbarrier), 9.7.13.4 (fence.mbarrier_init).
#include <fmt/format.h>

#include <algorithm>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

WatchedBarrier* Checker::watched(const Cta& cta, std::uint32_t offset) {
  auto& known = mbarriers_[static_cast<std::size_t>(cta.rank)];
  const auto found = known.find(offset);
  return found == known.end() ? nullptr : &found->second;
}

// Phases complete inside the instruction or with the last byte; it is noticed here.
void Checker::promote(WatchedBarrier& barrier, const Cta& cta, std::uint32_t offset) {
  const MemoryBarrier* real = barrier_at(cta, offset);
  if (real == nullptr || real->phase == barrier.phase) return;
  barrier.phase = real->phase;
  barrier.completed = barrier.arriving;
}

void Checker::barrier_initialised(const Warp& warp, int lane, Cta& cta, std::uint32_t offset) {
  as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& actor) {
    const WatchedBarrier* before = watched(cta, offset);
    std::optional<std::size_t> component;
    const bool again = before != nullptr && !(before->init.where == actor.where() &&
                                              before->init.time == now_);  // another lane, now
    if (again && (options_.strict || !ordered(actor.knows->order, before->init, actor))) {
      report(FindingKind::mbarrier_twice, actor, cta, offset, &before->init);
    } else {
      if (again) check_unused(actor, cta, offset, *before);
      if (again) component = kept_component(actor, *before);
      write(actor, cta, offset, 8);
    }
    auto& gone = invalidated_[static_cast<std::size_t>(cta.rank)];
    if (const auto found = gone.find(offset); found != gone.end()) {
      if (!ordered(actor.knows->order, found->second.inval, actor))
        report(FindingKind::mbarrier_ended, actor, cta, offset, &found->second.inval);
      else
        component = kept_component(actor, found->second);
      gone.erase(found);
    }
    WatchedBarrier& made = mbarriers_[static_cast<std::size_t>(cta.rank)][offset];
    made = {};
    made.component = component ? *component : new_component();
    made.init = {now_, actor.lanes, actor.where()};
  });
}

void Checker::barrier_invalidated(const Warp& warp, std::uint32_t lanes, const Cta& cta,
                                  std::uint32_t offset) {
  WatchedBarrier* barrier = watched(cta, offset);
  if (barrier == nullptr) return;
  promote(*barrier, cta, offset);
  check_init(warp, lanes, cta, offset, *barrier);
  as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    check_unused(actor, cta, offset, *barrier);
    barrier->inval = {now_, actor.lanes, actor.where()};
  });
  const auto rank = static_cast<std::size_t>(cta.rank);
  invalidated_[rank][offset] = std::move(*barrier);
  mbarriers_[rank].erase(offset);
}

// Whoever knows all that was done with an mbarrier begins another in its place: times tell what its
// copies do from what those of the one before did.
std::optional<std::size_t> Checker::kept_component(const Actor& actor,
                                                   const WatchedBarrier& before) {
  for (const Touch& use : before.uses)
    if (!ordered(actor.knows->order, use, actor)) return std::nullopt;
  return before.component;
}

void Checker::note_use(WatchedBarrier& barrier, const Warp& warp, std::uint32_t lanes) {
  const std::size_t component = component_of(warp);
  barrier.note({now_, lanes, Touch::place(component, warp.pc)});
  votes_[component].are_wanted = true;
}

// Known by habit, as that lanes have read: a library lets one lane of each warp say that its lanes
// are done, and the last of all ends the mbarriers.
bool Checker::has_voted_since(const Actor& actor, const Touch& use) const {
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
void Checker::check_unused(const Actor& actor, const Cta& cta, std::uint32_t offset,
                           const WatchedBarrier& barrier) {
  for (const Touch& use : barrier.uses)
    if (!ordered(actor.knows->order, use, actor) && !has_voted_since(actor, use))
      report(FindingKind::mbarrier_ended, actor, cta, offset, &use);
}

void Checker::check_init(const Warp& warp, std::uint32_t lanes, const Cta& cta,
                         std::uint32_t offset, const WatchedBarrier& barrier) {
  as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    if (&cta != warp.cta) reach_out(actor, cta, offset);
    if (ordered(actor.knows->order, barrier.init, actor)) return;
    Actor other = actor;  // one that did not initialise it itself
    if (barrier.init.component() == actor.component && (actor.lanes & ~barrier.init.lanes) != 0)
      other.lanes &= ~barrier.init.lanes;
    report(FindingKind::mbarrier_before_init, other, cta, offset, &barrier.init);
  });
}

void Checker::barrier_arrival(const Warp& warp, std::uint32_t lanes, Cta& cta, std::uint32_t offset,
                              bool releases) {
  WatchedBarrier* barrier = watched(cta, offset);
  if (barrier == nullptr) return;
  promote(*barrier, cta, offset);
  check_init(warp, lanes, cta, offset, *barrier);
  note_use(*barrier, warp, lanes);
  if (releases) release(warp, lanes, barrier->arriving);
}

// It arrives later, by itself, as a copy does.
Time Checker::arrival_issued(const Warp& warp, int lane, Cta& cta, std::uint32_t offset) {
  if (WatchedBarrier* barrier = watched(cta, offset); barrier != nullptr) {
    promote(*barrier, cta, offset);
    check_init(warp, 1u << lane, cta, offset, *barrier);
    barrier->note({now_, kAllLanes, Touch::place(barrier->component, warp.pc)});
  }
  return now_++;
}

void Checker::barrier_asked(const Warp& warp, std::uint32_t lanes, std::uint32_t passed, Cta& cta,
                            std::uint32_t offset, bool acquires) {
  if (passed != 0) barrier_passed(warp, passed, cta, offset, acquires);
  if (WatchedBarrier* barrier = watched(cta, offset); barrier != nullptr)
    note_use(*barrier, warp, lanes);
}

void Checker::barrier_passed(const Warp& warp, std::uint32_t lanes, Cta& cta, std::uint32_t offset,
                             bool acquires) {
  WatchedBarrier* barrier = watched(cta, offset);
  if (barrier == nullptr) {  // invalidated while these lanes were on their way out of the wait
    auto& gone = invalidated_[static_cast<std::size_t>(cta.rank)];
    const auto found = gone.find(offset);
    if (found == gone.end()) return;
    barrier = &found->second;
    as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
      report(FindingKind::mbarrier_gone, actor, cta, offset, &barrier->inval);
    });
  } else {
    promote(*barrier, cta, offset);
    check_init(warp, lanes, cta, offset, *barrier);
  }
  if (acquires) acquire(warp, lanes, barrier->completed);
}

// A card tells the mbarrier there of the CTA that gets the bytes; PTX says nothing of it
// (docs/experiments/cluster_barriers.md).
void Checker::barrier_named(const Warp& warp, int lane, std::uint64_t address, const Cta& target) {
  const auto rank = static_cast<int>((address >> kRankBit) & 0xff);
  if (rank == target.rank) return;
  as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& actor) {
    if (!findings_.is_new(FindingKind::mbarrier_elsewhere, actor, Touch::kMostPc)) return;
    findings_.tell(FindingKind::mbarrier_elsewhere, actor,
                   fmt::format(", shared address 0x{:x} of CTA rank {}, bytes for CTA rank {}",
                               address & kOffsetMask, rank, target.rank),
                   Touch::kMostPc, "");
  });
}

// One of the lanes has: they fence together.
bool Checker::has_seen_init(const Actor& actor, const WatchedBarrier& barrier) {
  return ordered(actor.knows->order, barrier.init, actor) ||
         (barrier.init.component() == actor.component && (barrier.init.lanes & actor.lanes) != 0);
}

void Checker::fence_barrier_init(const Warp& warp, std::uint32_t lanes) {
  as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    for (auto& of_cta : mbarriers_)
      for (auto& [offset, barrier] : of_cta)
        if (!barrier.fenced && has_seen_init(actor, barrier)) barrier.fenced = true;
  });
}

// barrier.cluster.arrive.relaxed orders nothing but what fence.mbarrier_init was for; and whoever
// passes the barrier knows that the CTA has started.
void Checker::arrive_relaxed_at_cluster_barrier(const Warp& warp, std::uint32_t lanes) {
  promote_cluster_barrier();
  as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    Clock& news = cluster_arrivals_.order;
    news.raise(actor.component, kAllLanes, kStarted);
    for (const auto& of_cta : mbarriers_)
      for (const auto& [offset, barrier] : of_cta)
        if (barrier.fenced && has_seen_init(actor, barrier))
          news.raise(barrier.init.component(), barrier.init.lanes, barrier.init.time);
  });
}

}  // namespace lanescope::emulator
