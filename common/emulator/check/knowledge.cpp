// SPDX-License-Identifier: MIT
// Barriers, fences and waits: who learns from whom.
#include <algorithm>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

// Sets of lanes that lie partly inside `lanes` become two.
void Checker::split_off(LaneClasses& classes, std::uint32_t lanes) {
  const std::size_t count = classes.size();
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t inside = classes[k].lanes & lanes;
    if (inside == 0 || inside == classes[k].lanes) continue;
    LaneClass outside = classes[k];
    outside.lanes &= ~lanes;
    classes[k].lanes = inside;
    classes.push_back(std::move(outside));
  }
}

void Checker::release(const Warp& warp, std::uint32_t lanes, Knowledge& into) {
  const std::size_t component = component_of(warp);
  for (LaneClass& known : warps_[component]) {
    if ((known.lanes & lanes) == 0) continue;
    into.join(known.knows);
    const std::uint32_t own = own_lanes(warp, known.lanes & lanes) & known.lanes;
    if (known.knows.near_at != 0) into.join_near(ready_near(known.knows, component, own));
    if (known.knows.far_at != 0) into.join_far(ready_far(known.knows, component, own));
  }
  into.order.raise(component, own_lanes(warp, lanes), now_);
  ++now_;
}

void Checker::acquire(const Warp& warp, std::uint32_t lanes, const Knowledge& from) {
  each_known(warp, lanes, [&](Knowledge& knows, std::uint32_t) { knows.join(from); });
}

// 8.7: a fence and then a strong write, as which an arrival counts, are a release pattern.
void Checker::release_fenced(const Warp& warp, std::uint32_t lanes, Knowledge& into) {
  const std::size_t component = component_of(warp);
  for (LaneClass& known : warps_[component]) {
    if ((known.lanes & lanes) == 0 || known.knows.released_near == nullptr) continue;
    const std::uint32_t own = own_lanes(warp, known.lanes & lanes) & known.lanes;
    const std::shared_ptr<const Ready> ready = ready_near(known.knows, component, own);
    into.learn(*ready);
    into.join_near(ready);
    if (known.knows.released != nullptr) into.join_far(ready_far(known.knows, component, own));
  }
}

void Checker::hear_of(const Warp& warp, std::uint32_t lanes, const Knowledge& near,
                      const Knowledge* far) {
  auto told = std::make_shared<Knowledge>();
  static_cast<Ready&>(*told) = near;
  Knowledge unacquired;
  unacquired.heard = std::move(told);
  Knowledge::join_heard(unacquired.heard, near.heard);
  unacquired.heard_far = far != nullptr ? std::make_shared<const Knowledge>(*far) : near.heard_far;
  acquire(warp, lanes, unacquired);
}

// All of these lanes know what each of them knew.
void Checker::meet(const Warp& warp, std::uint32_t lanes) {
  const std::size_t component = component_of(warp);
  LaneClasses& classes = warps_[component];
  lanes = own_lanes(warp, lanes);
  LaneClass met;
  met.lanes = lanes;
  if (lanes == kAllLanes && classes.size() == 1 && classes[0].knows.near_at == 0) {
    classes[0].knows.order.raise(component, lanes, now_);
    ++now_;
    return;
  }
  release(warp, lanes, met.knows);
  split_off(classes, lanes);
  classes.erase(std::remove_if(classes.begin(), classes.end(),
                               [&](const LaneClass& known) { return (known.lanes & lanes) != 0; }),
                classes.end());
  classes.push_back(std::move(met));
}

// PTX promises nothing, but lanes that get an answer from each other are past what was asked: one
// asks an mbarrier or a flag for all, as NVIDIA's own libraries do. What they learnt of others is
// handed on, and that they have read; for what they wrote themselves lanes need bar.warp.sync.
void Checker::exchange(const Warp& warp, std::uint32_t lanes) {
  const std::size_t component = component_of(warp);
  if (options_.strict) return;
  if ((warp.alive & ~lanes) == 0) {
    mbarriers_.voted(component);
    exchanged_[component] = now_++;
  }
  if (warps_[component].size() == 1) return;
  Knowledge learnt;
  for (const LaneClass& known : warps_[component]) {
    if ((known.lanes & lanes) == 0) continue;
    Ready part = known.knows;
    part.order.forget(component);
    if (const auto copies = copies_component(warp)) part.order.forget(*copies);
    learnt.learn(part);
  }
  acquire(warp, lanes, learnt);
}

void Checker::fence_proxy(const Warp& warp, std::uint32_t lanes, Spaces spaces) {
  const std::size_t component = component_of(warp);
  each_known(warp, lanes, [&](Knowledge& knows, std::uint32_t whose) {
    if (spaces.shared) {
      knows.fenced.join(knows.order);
      knows.fenced.raise(component, whose, now_);
      knows.fenced_reads.join(knows.reads);
    }
    if (!spaces.global || !plan_.has_bulk_copies) return;
    knows.fenced_global.join(knows.order);
    knows.fenced_global.raise(component, whose, now_);
    knows.elsewhere = with_proxy_fence(knows.elsewhere, knows.fenced_global);
  });
  ++now_;
}

void Checker::arrive_at_barrier(const Warp& warp, std::uint32_t lanes, int barrier) {
  comes(warp, lanes, barrier);
  release(warp, lanes,
          barriers_[static_cast<std::size_t>(warp.cta->rank)][static_cast<std::size_t>(barrier)]);
}

// Since it arrived it has done nothing. So everybody will know the same time of everybody, and one
// comparison is enough for nearly all accesses after it (known_of_all).
void Checker::stand_still(const Warp& warp, std::uint32_t lanes, int barrier) {
  barriers_[static_cast<std::size_t>(warp.cta->rank)][static_cast<std::size_t>(barrier)]
      .order.raise(component_of(warp), own_lanes(warp, lanes), now_);
}

// Everybody who waits has arrived: what the barrier knows is all that he knows, and more.
void Checker::pass_barrier(const Warp& warp, std::uint32_t lanes, int barrier) {
  const auto rank = static_cast<std::size_t>(warp.cta->rank);
  Knowledge& all = barriers_[rank][static_cast<std::size_t>(barrier)];
  // Without a count it waits for all threads but those; with one they mean nothing to it.
  if (warp.cta->barriers[static_cast<std::size_t>(barrier)].expected == 0) all.join(left_[rank]);
  LaneClasses& classes = warps_[component_of(warp)];
  if (own_lanes(warp, lanes) != kAllLanes) return acquire(warp, lanes, all);
  classes.resize(1);
  classes[0].lanes = kAllLanes;
  classes[0].knows = all;
}

// What the log says everybody knows now. (Clusters of more than one CTA keep none.) A copy may come
// that wants to know more: that it was fenced.
void Checker::forget_log(const Cta& cta) {
  Shadow& shadow = shadow_of(cta);
  if (plan_.has_copies_in) return;
  shadow.log.is_in_vain = false;
  if (shadow.log.entries.empty()) return;
  Time all = shadow.log.entries.back().touch.time;
  for (const Warp& warp : cta.warps)
    if (warp.alive != 0)
      for (const LaneClass& known : warps_[component_of(warp)])
        all = std::min(all, known.knows.order.known_of_all(next_component_));
  if (all == shadow.log.entries.back().touch.time) shadow.log.entries.clear();
}

void Checker::open_barrier(const Cta& cta, int barrier) {
  barriers_[static_cast<std::size_t>(cta.rank)][static_cast<std::size_t>(barrier)].clear();
  BarrierRounds& rounds =
      rounds_[static_cast<std::size_t>(cta.rank)][static_cast<std::size_t>(barrier)];
  std::swap(rounds.before, rounds.now);
  rounds.now.clear();
  forget_log(cta);
  ++now_;
}

// The phase completes inside the last arrival; it is noticed here. True: only now.
bool Checker::promote_cluster_barrier() {
  if (cluster_->barrier_phase == cluster_phase_) return false;
  cluster_phase_ = cluster_->barrier_phase;
  cluster_opened_ = cluster_arrivals_;
  return true;
}

void Checker::arrive_at_cluster_barrier(const Warp& warp, std::uint32_t lanes) {
  promote_cluster_barrier();
  release(warp, lanes, cluster_arrivals_);
}

// barrier.cluster.arrive.relaxed orders nothing but what a fence before it covers, and what
// fence.mbarrier_init was for; and whoever passes the barrier knows that the CTA has started.
void Checker::arrive_relaxed_at_cluster_barrier(const Warp& warp, std::uint32_t lanes) {
  promote_cluster_barrier();
  as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) {
    Clock& news = cluster_arrivals_.order;
    news.raise(actor.component, kAllLanes, kStarted);
    mbarriers_.tell_fenced(actor, news);
  });
  release_fenced(warp, lanes, cluster_arrivals_);
}

void Checker::pass_cluster_barrier(const Warp& warp, std::uint32_t lanes) {
  if (promote_cluster_barrier())
    for (const Knowledge& left : left_) cluster_opened_.join(left);
  acquire(warp, lanes, cluster_opened_);
}

// A barrier does not wait for threads that have exited; what they did is done.
void Checker::leave(const Warp& warp, std::uint32_t lanes) {
  release(warp, lanes, left_[static_cast<std::size_t>(warp.cta->rank)]);
}

}  // namespace lanescope::emulator
