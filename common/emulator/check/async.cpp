// SPDX-License-Identifier: MIT
// Bulk copies and st.async write and read on their own, known to who waits for their mbarrier or
// their group; who reaches into another CTA. What mbarriers hand on is mbarrier.cpp, cp.async
// copies.cpp.
//
// Source: PTX ISA 9.2, 9.7.9.25 (asynchronous copies), 8.2 and 9.7.13.4 (fence.proxy.async).
#include <algorithm>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

namespace {

constexpr std::uint32_t kWrites = 1u << 31;  // of a thread's bulk copies: into global memory

// The runs of global memory that a bulk copy touches: act(address, bytes).
template <class Act>
void each_run(const BulkCopy& copy, Act act) {
  if (copy.kind != BulkCopy::Kind::tensor) return act(copy.global, std::uint64_t{copy.bytes});
  const TensorMap& map = copy.map;
  const RowPart part = part_of_rows(map, copy.place);
  BoxRows rows(map, copy.place);
  for (std::uint32_t left = map.rows(); left > 0 && part.begin < part.end; --left) {
    const BoxRow row = rows.next();
    if (row.is_inside)
      act(row.address + static_cast<std::uint64_t>(part.begin),
          static_cast<std::uint64_t>(part.end - part.begin));
  }
}

// The runs of shared memory that a copy into global memory reads: act(offset, bytes). What of a box
// lies outside of the tensor goes nowhere, nor what a last unit of 16 bytes has behind its edge.
template <class Act>
void each_source(const BulkCopy& copy, Act act) {
  if (copy.kind != BulkCopy::Kind::tensor) return act(copy.shared, copy.bytes);
  const TensorMap& map = copy.map;
  TensorPlace place = copy.place;
  place.whole_units = false;
  const RowPart part = part_of_rows(map, place);
  const std::int64_t end = part.into + part.end - part.begin;
  const std::int64_t step = map.swizzle == layout::Swizzle::none ? end : 16;
  BoxRows rows(map, place);
  for (std::uint32_t index = 0; index < map.rows() && part.begin < part.end; ++index) {
    if (!rows.next().is_inside) continue;
    const std::uint32_t row = copy.shared + index * map.row_bytes();
    for (std::int64_t at = part.into; at < end;) {
      const std::int64_t next = std::min(end, (at / step + 1) * step);
      act(layout::swizzled(row + static_cast<std::uint32_t>(at), map.swizzle),
          static_cast<std::uint32_t>(next - at));
      at = next;
    }
  }
}

}  // namespace

void Checker::bulk_touches_global(Actor copier, const BulkCopy& copy) {
  const bool writes = copy.way == BulkPlan::Way::to_global;
  if (writes) {
    copier.component = bulk_component(*copier.warp->cta, copy.thread | kWrites);
    const auto& commits = copier.warp->cta->async->commits;
    const auto group = commits.find(copy.thread);
    bulk_writes_.push_back(
        {copier.warp, copy.thread, group == commits.end() ? 0 : group->second, now_});
  }
  copier.is_strong = copy.reduces;
  each_run(copy, [&](std::uint64_t address, std::uint64_t bytes) {
    if (copy.byte_mask != 0xffff)
      for (std::uint64_t k = 0; k < bytes; ++k) {
        if ((copy.byte_mask >> k % 16 & 1) != 0) global_write(copier, address + k, 1);
      }
    else if (writes)
      global_write(copier, address, bytes);
    else
      global_read(copier, address, bytes);
  });
}

// A Touch has room for so many. Every warpgroup that there may be has its five; the last one before
// those stands for all mbarriers and threads with copies that are left.
std::size_t Checker::last_of_copies() const {
  constexpr std::size_t kMost = (std::size_t{1} << (32 - Touch::kPcBits)) - 1;
  return kMost - 5 * (warps_.size() / 4);
}

std::size_t Checker::new_component() {
  return next_component_ < last_of_copies() ? next_component_++ : last_of_copies();
}

// Five: of the four together, and of each warp.
std::size_t Checker::new_warpgroup() {
  const std::size_t last = last_of_copies();  // not among the five
  if (next_component_ <= last && next_component_ + 5 > last) next_component_ = last + 1;
  next_component_ += 5;
  return next_component_ - 5;
}

std::size_t Checker::bulk_component(const Cta& cta, std::uint32_t thread) {
  const auto [at, is_new] =
      bulk_components_.emplace(static_cast<std::uint64_t>(cta.rank) << 32 | thread, 0);
  if (is_new) at->second = new_component();
  return at->second;
}

void Checker::bulk_issued(const Warp& warp, int lane, BulkCopy& copy) {
  copy.pc = warp.pc;
  copy.time = now_;
  const std::uint32_t bytes =
      copy.kind == BulkCopy::Kind::tensor ? copy.map.rows() * copy.map.row_bytes() : copy.bytes;
  as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& issuer) {
    Knowledge knows = *issuer.knows;
    knows.order.raise(issuer.component, issuer.lanes, now_);
    Actor copier = issuer;
    copier.knows = &knows;
    copier.lanes = kAllLanes;
    copier.is_async = true;
    if (copy.way == BulkPlan::Way::to_global) {
      copier.component = bulk_component(*warp.cta, copy.thread);
      bulk_touches_global(copier, copy);
      return each_source(copy, [&](std::uint32_t offset, std::uint32_t count) {
        read(copier, *warp.cta, offset, count);
      });
    }
    const bool is_from_watched =
        copy.way == BulkPlan::Way::to_shared && watches(plan_.sites[warp.pc]);
    for (std::uint32_t rest = copy.targets; rest != 0; rest &= rest - 1) {
      Cta& target = *warp.cta->cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
      const auto offset = static_cast<std::uint32_t>(copy.barrier);
      const Cta& told = told_of(copy, target);
      WatchedBarrier* barrier = mbarriers_.find(told, offset);
      if (barrier == nullptr) continue;
      if (&target != warp.cta) reach_out(copier, target, copy.shared);
      const Touch made{now_, kAllLanes, Touch::place(barrier->component, warp.pc)};
      barrier->note(made);
      flies({&target, &warp, issuer.lanes, copy.shared, made, false});
      if (copy.way == BulkPlan::Way::shared_to_shared)
        flies({warp.cta, &warp, issuer.lanes, copy.remote_source, made, true});
      if (!ordered(knows.order, barrier->init, issuer))
        report(FindingKind::mbarrier_before_init, issuer, told, offset, &barrier->init);
      else if (!barrier->fenced && options_.strict)  // cards see it after the next barrier
        report(FindingKind::missing_barrier_fence, issuer, told, offset, &barrier->init);
      copier.component = barrier->component;
      if (copy.way == BulkPlan::Way::shared_to_shared)
        read(copier, *warp.cta, copy.remote_source, bytes);
      if (is_from_watched) bulk_touches_global(copier, copy);
      Actor writer = copier;
      writer.is_strong = copy.reduces;  // sums may meet
      write(writer, target, copy.shared, bytes, CellState::landing);
    }
  });
  ++now_;
}

// By the generic proxy, and there at once; known to who waits for the phase that it completes. Who
// sends them may exit before: they come from registers.
void Checker::async_stores(const Warp& warp, int lane, Cta& target, std::uint32_t offset,
                           std::uint32_t bytes, std::uint32_t barrier, bool is_sum) {
  WatchedBarrier* watching = mbarriers_.find(target, barrier);
  if (watching == nullptr) return;
  mbarriers_.promote(*watching, target, barrier);
  mbarriers_.check_init(warp, 1u << lane, target, barrier, *watching);
  as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& issuer) {
    Knowledge knows = *issuer.knows;
    knows.order.raise(issuer.component, issuer.lanes, now_);
    Actor storing = issuer;
    storing.is_async = true;
    if (&target != warp.cta) reach_out(storing, target, offset);
    storing.is_async = false;
    storing.knows = &knows;
    storing.lanes = kAllLanes;
    storing.component = watching->component;
    storing.is_strong = is_sum;  // sums may meet
    write(storing, target, offset, bytes);
    flies({&target, &warp, issuer.lanes, offset, {now_, kAllLanes, storing.where()}, false});
  });
  watching->note({now_, kAllLanes, Touch::place(watching->component, warp.pc)});
  watching->arriving.order.raise(watching->component, kAllLanes, now_);
}

void Checker::bulk_landed(const BulkCopy& copy, Cta& target) {
  const auto offset = static_cast<std::uint32_t>(copy.barrier);
  const Cta& told = told_of(copy, target);
  WatchedBarrier* barrier = mbarriers_.find(told, offset);
  if (barrier == nullptr) return;
  const std::uint32_t bytes =
      copy.kind == BulkCopy::Kind::tensor ? copy.map.rows() * copy.map.row_bytes() : copy.bytes;
  mbarriers_.promote(*barrier, told, offset);
  land(barrier->component, kAllLanes, CellState::landing, target, copy.shared, bytes);
  barrier->arriving.order.raise(barrier->component, kAllLanes, now_);
  ++now_;
}

void Checker::bulk_waits(const Warp& warp, std::uint32_t active, std::int64_t pending_groups,
                         bool for_reads) {
  const CtaAsync& async = *warp.cta->async;
  const auto is_done = [&](std::uint32_t thread, std::uint32_t group) {
    const auto commits = async.commits.find(thread);
    return static_cast<int>(thread / kLanes) == warp.index &&
           ((active >> thread % kLanes) & 1) != 0 && commits != async.commits.end() &&
           std::int64_t{group} < std::int64_t{commits->second} - pending_groups;
  };
  const auto done = [&](std::uint32_t thread, std::uint32_t key, Time time) {
    Knowledge news;
    news.order.raise(bulk_component(*warp.cta, key), kAllLanes, time);
    acquire(warp, 1u << thread % kLanes, news);
  };
  for (const BulkCopy& copy : async.groups)
    if (is_done(copy.thread, copy.group)) done(copy.thread, copy.thread, copy.time);
  if (for_reads) return;
  for (const BulkWrite& write : bulk_writes_)
    if (write.warp == &warp && is_done(write.thread, write.group))
      done(write.thread, write.thread | kWrites, write.time);
  bulk_writes_.erase(std::remove_if(bulk_writes_.begin(), bulk_writes_.end(),
                                    [&](const BulkWrite& write) {
                                      return write.warp == &warp &&
                                             is_done(write.thread, write.group);
                                    }),
                     bulk_writes_.end());
}

void Checker::reach_out(const Actor& actor, const Cta& target, std::uint32_t offset) {
  const auto rank = static_cast<std::size_t>(target.rank);
  bool heard = false;
  for (std::size_t warp = 0; warp < warps_per_cta_ && !heard; ++warp)
    heard = actor.knows->order.has_heard_of(rank * warps_per_cta_ + warp);
  if (!heard) report(FindingKind::cluster_start, actor, target, offset, nullptr);
  if (actor.is_async) return;  // who waits for it there knows when it comes
  if (ended_[rank]) return report(FindingKind::cluster_exit, actor, target, offset, nullptr);
  const Touch me{now_, actor.lanes, actor.where()};
  for (Touch& touch : reached_[rank])
    if (touch.component() == me.component() && touch.lanes == me.lanes) return void(touch = me);
  reached_[rank].push_back(me);
}

// The last of an mbarrier stands for those before it: who knows of it knows of them.
void Checker::flies(const FlyingCopy& made) {
  const auto is_same = [&](const FlyingCopy& known) {
    return known.cta == made.cta && known.takes == made.takes &&
           known.copy.component() == made.copy.component();
  };
  const auto known = std::find_if(flying_.begin(), flying_.end(), is_same);
  if (known == flying_.end())
    flying_.push_back(made);
  else
    *known = made;
  if (ended_[static_cast<std::size_t>(made.cta->rank)]) check_flying(*made.cta);
}

void Checker::check_flying(const Cta& cta) {
  for (const FlyingCopy& flying : flying_) {
    const Touch& copy = flying.copy;
    if (flying.cta != &cta) continue;
    // Who has waited without an acquire knows that the copy is over, whatever he may read of it.
    const Knowledge& left = left_[static_cast<std::size_t>(cta.rank)];
    const auto is_over = [&](const Clock& known) {
      return known.covers(copy.component(), copy.lanes, copy.time);
    };
    if (is_over(left.order) || (left.heard != nullptr && is_over(left.heard->order))) continue;
    // Of somebody who has not waited it has been said already.
    if (findings_.is_there(FindingKind::missing_bulk_wait, copy.pc()) ||
        findings_.is_there(FindingKind::race_read_after_write, copy.pc()))
      continue;
    Actor actor;
    actor.warp = flying.issuer;
    actor.lanes = flying.lanes;
    actor.pc = copy.pc();
    report(flying.takes ? FindingKind::copy_outlives_source : FindingKind::copy_outlives_target,
           actor, cta, flying.offset, nullptr);
  }
}

// A CTA has exited: nobody may reach into it any more, and it must know that nobody does.
void Checker::ended(Cta& cta) {
  const auto rank = static_cast<std::size_t>(cta.rank);
  if (ended_[rank]) return;
  ended_[rank] = true;
  tensor_.ended(cta);
  Actor actor;
  for (const BulkCopy& copy : cta.async->groups) {
    actor.warp = &cta.warps[copy.thread / kLanes];
    actor.lanes = 1u << copy.thread % kLanes;
    actor.pc = copy.pc;
    report(FindingKind::missing_bulk_read_wait, actor, cta, copy.shared, nullptr);
  }
  check_flying(cta);
  for (const Touch& touch : reached_[rank]) {
    if (left_[rank].order.covers(touch.component(), touch.lanes, touch.time)) continue;
    const auto from = touch.component() / warps_per_cta_;
    actor.warp = &cluster_->ctas[from]->warps[touch.component() % warps_per_cta_];
    actor.lanes = touch.lanes;
    actor.pc = touch.pc();
    report(FindingKind::cluster_exit, actor, cta, kNoAddress, nullptr);
  }
}

}  // namespace lanescope::emulator
