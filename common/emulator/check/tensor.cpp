// SPDX-License-Identifier: MIT
// Tensor memory: which of its columns are whose, and what orders tcgen05's ways into and out of
// them (tensor.hpp).
#include "emulator/check/tensor.hpp"

#include <algorithm>

#include "emulator/check/checker.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint32_t kTensorWork = 1u << 29;  // of a thread's mma and cp

bool overlaps(const TensorStore& store, const TensorRange& range) {
  return std::any_of(store.places.begin(), store.places.end(), [&](std::uint32_t place) {
    const auto column = static_cast<int>(place / kTensorLanes);
    return column >= range.column && column < range.column + range.columns &&
           ((range.chunks >> (place % kTensorLanes / 16)) & 1) != 0;
  });
}

}  // namespace

void TensorWatch::start(std::size_t ctas, std::size_t warps) {
  cells_.assign(ctas, {});
  fenced_.assign(warps, {});
  commits_.clear();
}

const Actor& TensorWatch::thread(const Warp& warp, int lane) {
  const auto thread = static_cast<std::uint32_t>(warp.index * kLanes + lane);
  check_.as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& issuer) {
    knows_ = *issuer.knows;
    knows_.order.raise(issuer.component, issuer.lanes, check_.now());
    actor_ = issuer;
  });
  actor_.knows = &knows_;
  actor_.component = check_.bulk_component(*warp.cta, thread | kTensorWork);
  actor_.lanes = kAllLanes;
  actor_.is_async = true;
  return actor_;
}

void TensorWatch::moved(const Warp& warp, Cta& cta, const TensorRange& range, TensorUse use) {
  check_.as_one(warp, kAllLanes, warp.pc,
                [&](const Actor& actor) { touched(actor, cta, range, use); });
}

// Whether the actor knows that `before` is over; says so where it does not.
bool TensorWatch::is_over(const Actor& actor, const Touch& before, const Touch& issuer,
                          FindingKind kind, bool needs_fence) {
  const std::size_t own = check_.component_of(*actor.warp);
  if (before.component() == actor.component || before.component() == own) return true;
  const bool is_work = !check_.is_warp(before.component());
  // An mma behind an mma needs no commit between them, only to know that it was issued.
  const bool both_work = is_work && !check_.is_warp(actor.component);
  if (both_work && issuer.component() == own) return true;
  const auto knows = [&](const Clock& clock) {
    return ordered(clock, before, actor) || (both_work && ordered(clock, issuer, actor));
  };
  if (!knows(actor.knows->order)) {
    check_.report(is_work ? FindingKind::tensor_in_flight : kind, actor, *actor.warp->cta,
                  kNoAddress, &before);
    return false;
  }
  if (!needs_fence || issuer.component() == own || knows(fenced_[own])) return true;
  check_.report(FindingKind::missing_tensor_fence, actor, *actor.warp->cta, kNoAddress, &before);
  return false;
}

void TensorWatch::touched(const Actor& actor, Cta& cta, const TensorRange& range, TensorUse use) {
  const bool writes = use != TensorUse::reads;
  // The fence orders the asynchronous ones that follow; dealloc is none (9.7.16.6.1).
  const bool needs_fence = use != TensorUse::ends;
  Cells& cells = cells_[static_cast<std::size_t>(cta.rank)];
  cells.resize(static_cast<std::size_t>(kTensorColumns) * kChunks);
  for (const TensorStore& store : tensor_memory(cta).stores) {
    if (!overlaps(store, range) || (writes && check_.is_warp(actor.component))) continue;
    const Touch pending{
        check_.now(), kAllLanes,
        Touch::place(check_.component_of(cta.warps[static_cast<std::size_t>(store.warp)]),
                     store.pc)};
    check_.report(FindingKind::missing_store_wait, actor, cta, kNoAddress, &pending);
    break;
  }
  const Touch me{check_.now(), actor.lanes, actor.where()};
  const bool is_work = !check_.is_warp(actor.component);
  const Touch issuer = is_work ? Touch{check_.now(), kAllLanes,
                                       Touch::place(check_.component_of(*actor.warp), actor.pc)}
                               : me;
  bool fine = true;  // one report an access is enough
  for (int column = range.column; column < range.column + range.columns; ++column)
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      if (((range.chunks >> chunk) & 1) == 0) continue;
      Cell& cell = cells[static_cast<std::size_t>(column * kChunks + chunk)];
      if (fine && cell.write.time != 0)
        fine = is_over(actor, cell.write, cell.issuer,
                       writes ? FindingKind::tensor_overwritten : FindingKind::tensor_race,
                       needs_fence);
      for (const Touch& read : cell.reads)
        if (fine && writes)
          fine = is_over(actor, read, read, FindingKind::tensor_reread, needs_fence);
      if (use == TensorUse::writes) {
        cell.write = me;
        cell.issuer = issuer;
        cell.reads.clear();
      } else if (use == TensorUse::reads) {
        const auto mine = std::find_if(cell.reads.begin(), cell.reads.end(), [&](const Touch& one) {
          return one.component() == me.component();
        });
        if (mine != cell.reads.end())
          *mine = me;
        else
          cell.reads.push_back(me);
      }
    }
}

// By the ISA a CTA takes no more columns than the time before (9.7.16.7.1).
void TensorWatch::grown(const Cta& cta) {
  const TensorMemory::Allocation &made = cta.tensor->allocations.back(), &before = cta.tensor->last;
  if (before.columns == 0 || made.columns <= before.columns) return;
  Actor actor;
  actor.warp = &cta.warps[static_cast<std::size_t>(made.warp)];
  actor.lanes = kAllLanes;
  actor.pc = made.pc;
  const Warp& other = cta.warps[static_cast<std::size_t>(before.warp)];
  const Touch touch{check_.now(), kAllLanes, Touch::place(check_.component_of(other), before.pc)};
  check_.report(FindingKind::tensor_grown, actor, cta, kNoAddress, &touch);
}

void TensorWatch::allocated(const Cta& cta) {
  grown(cta);
  const TensorMemory::Allocation& made = cta.tensor->allocations.back();
  Cells& cells = cells_[static_cast<std::size_t>(cta.rank)];
  if (cells.empty()) return;
  const auto at = cells.begin() + made.first * kChunks;
  std::fill(at, at + made.columns * kChunks, Cell{});
}

// It stands for the work of its thread, and for the copies that this came after; not for what the
// thread has stored.
Time TensorWatch::commit_issued(const Warp& warp, int lane, Cta& target, std::uint32_t offset) {
  const Actor& actor = thread(warp, lane);
  const Time time = check_.mbarriers().arrival_issued(warp, lane, target, offset);
  Clock& handed_on = commits_[time];
  for (std::size_t copy = check_.warps(); copy < check_.components(); ++copy)
    if (const Time known = actor.knows->order.known(copy); known > 0)
      handed_on.raise(copy, kAllLanes, known);
  handed_on.raise(actor.component, kAllLanes, time);
  return time;
}

void TensorWatch::committed(Time time, const Cta& target, std::uint32_t offset) {
  WatchedBarrier* barrier = check_.mbarriers().find(target, offset);
  if (barrier == nullptr) return;
  check_.mbarriers().promote(*barrier, target, offset);
  barrier->arriving.order.join(commits_[time]);
  barrier->arriving.order.raise(barrier->component, kAllLanes, time);  // the mbarrier has heard it
  check_.tick();
}

void TensorWatch::fence(const Warp& warp, std::uint32_t lanes) {
  Clock& fenced = fenced_[check_.component_of(warp)];
  check_.as_lanes(warp, lanes, warp.pc,
                  [&](const Actor& actor) { fenced.join(actor.knows->order); });
}

void TensorWatch::registers_used(const Warp& warp, const Site& site, std::uint32_t active) {
  if (site.is_move || warp.cta->tensor == nullptr) return;
  const std::uint32_t* rows = check_.plan().rows.data() + site.first_use;
  for (const TensorLoad& load : warp.cta->tensor->loads) {
    if (load.warp != warp.index || load.frame != warp.rows) continue;
    const bool has_some = std::any_of(rows, rows + site.uses, [&](std::uint32_t row) {
      return std::find(load.rows.begin(), load.rows.end(), row) != load.rows.end();
    });
    if (!has_some) continue;
    Actor actor;
    actor.warp = &warp;
    actor.lanes = active;
    actor.pc = warp.pc;
    const Touch touch{check_.now(), kAllLanes, Touch::place(check_.component_of(warp), load.pc)};
    check_.report(FindingKind::missing_load_wait, actor, *warp.cta, kNoAddress, &touch);
  }
}

void TensorWatch::ended(const Cta& cta) {
  if (cta.tensor == nullptr) return;
  for (const TensorMemory::Allocation& kept : cta.tensor->allocations) {
    Actor actor;
    actor.warp = &cta.warps[static_cast<std::size_t>(kept.warp)];
    actor.lanes = kAllLanes;
    actor.pc = kept.pc;
    check_.report(FindingKind::tensor_kept, actor, cta, kNoAddress, nullptr);
  }
}

}  // namespace lanescope::emulator
