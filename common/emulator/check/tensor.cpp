// SPDX-License-Identifier: MIT
// Tensor memory: which of its columns are whose, and what orders tcgen05's ways into and out of
// them.
//
//     mma, cp of a thread        one after the other; done for who knows of their commit
//     ld, st of a warp           done at wait::ld and wait::st
//     knowledge of others' work  counts once tcgen05.fence::after_thread_sync has followed it
//
// Source: PTX ISA 9.2, 9.7.16.6 (memory consistency of tcgen05). No card has been asked.
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

// Who does the mma or cp that a lane issues: it knows what the lane does.
const Actor& Checker::tensor_thread(const Warp& warp, int lane) {
  const auto thread = static_cast<std::uint32_t>(warp.index * kLanes + lane);
  as_lanes(warp, 1u << lane, warp.pc, [&](const Actor& issuer) {
    tensor_knows_ = *issuer.knows;
    tensor_knows_.order.raise(issuer.component, issuer.lanes, now_);
    tensor_actor_ = issuer;
  });
  tensor_actor_.knows = &tensor_knows_;
  tensor_actor_.component = bulk_component(*warp.cta, thread | kTensorWork);
  tensor_actor_.lanes = kAllLanes;
  tensor_actor_.is_async = true;
  return tensor_actor_;
}

// What a whole warp does: ld and st in its own CTA's tensor memory, dealloc in the peer's, too.
void Checker::tensor_moved(const Warp& warp, Cta& cta, const TensorRange& range, TensorUse use) {
  as_one(warp, kAllLanes, warp.pc,
         [&](const Actor& actor) { tensor_touched(actor, cta, range, use); });
}

// Whether the actor knows that `before` is over; says so where it does not.
bool Checker::tensor_is_over(const Actor& actor, const Touch& before, const Touch& issuer,
                             FindingKind kind) {
  const std::size_t own = component_of(*actor.warp);
  if (before.component() == actor.component || before.component() == own) return true;
  const bool is_work = before.component() >= warps_.size();
  // An mma behind an mma needs no commit between them, only to know that it was issued.
  const bool both_work = is_work && actor.component >= warps_.size();
  if (both_work && issuer.component() == own) return true;
  const auto knows = [&](const Clock& clock) {
    return ordered(clock, before, actor) || (both_work && ordered(clock, issuer, actor));
  };
  if (!knows(actor.knows->order)) {
    report(is_work ? FindingKind::tensor_in_flight : kind, actor, *actor.warp->cta, kNoAddress,
           &before);
    return false;
  }
  if (issuer.component() == own || knows(tensor_fenced_[own])) return true;
  report(FindingKind::missing_tensor_fence, actor, *actor.warp->cta, kNoAddress, &before);
  return false;
}

void Checker::tensor_touched(const Actor& actor, Cta& cta, const TensorRange& range,
                             TensorUse use) {
  const bool writes = use != TensorUse::reads;
  WatchedTensor& watched = tensors_[static_cast<std::size_t>(cta.rank)];
  watched.cells.resize(static_cast<std::size_t>(kTensorColumns) * WatchedTensor::kChunks);
  for (const TensorStore& store : tensor_memory(cta).stores) {
    if (!overlaps(store, range) || (writes && actor.component < warps_.size())) continue;
    const Touch pending{
        now_, kAllLanes,
        Touch::place(component_of(cta.warps[static_cast<std::size_t>(store.warp)]), store.pc)};
    report(FindingKind::missing_store_wait, actor, cta, kNoAddress, &pending);
    break;
  }
  const Touch me{now_, actor.lanes, actor.where()};
  const bool is_work = actor.component >= warps_.size();
  const Touch issuer =
      is_work ? Touch{now_, kAllLanes, Touch::place(component_of(*actor.warp), actor.pc)} : me;
  bool fine = true;  // one report an access is enough
  for (int column = range.column; column < range.column + range.columns; ++column)
    for (int chunk = 0; chunk < WatchedTensor::kChunks; ++chunk) {
      if (((range.chunks >> chunk) & 1) == 0) continue;
      TensorCell& cell =
          watched.cells[static_cast<std::size_t>(column * WatchedTensor::kChunks + chunk)];
      if (fine && cell.write.time != 0)
        fine = tensor_is_over(actor, cell.write, cell.issuer,
                              writes ? FindingKind::tensor_overwritten : FindingKind::tensor_race);
      for (const Touch& read : cell.reads)
        if (fine && writes) fine = tensor_is_over(actor, read, read, FindingKind::tensor_reread);
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
void Checker::tensor_grown(const Cta& cta) {
  const TensorMemory::Allocation &made = cta.tensor->allocations.back(), &before = cta.tensor->last;
  if (before.columns == 0 || made.columns <= before.columns) return;
  Actor actor;
  actor.warp = &cta.warps[static_cast<std::size_t>(made.warp)];
  actor.lanes = kAllLanes;
  actor.pc = made.pc;
  const Warp& other = cta.warps[static_cast<std::size_t>(before.warp)];
  const Touch touch{now_, kAllLanes, Touch::place(component_of(other), before.pc)};
  report(FindingKind::tensor_grown, actor, cta, kNoAddress, &touch);
}

void Checker::tensor_allocated(const Cta& cta) {
  tensor_grown(cta);
  const TensorMemory::Allocation& made = cta.tensor->allocations.back();
  WatchedTensor& watched = tensors_[static_cast<std::size_t>(cta.rank)];
  if (watched.cells.empty()) return;
  const auto at = watched.cells.begin() + made.first * WatchedTensor::kChunks;
  std::fill(at, at + made.columns * WatchedTensor::kChunks, TensorCell{});
}

// It stands for the work of its thread, and for the copies that this came after; not for what the
// thread has stored.
Time Checker::tensor_commit_issued(const Warp& warp, int lane, Cta& target, std::uint32_t offset) {
  const Actor& actor = tensor_thread(warp, lane);
  const Time time = arrival_issued(warp, lane, target, offset);
  Clock& handed_on = tensor_commits_[time];
  for (std::size_t copy = warps_.size(); copy < next_component_; ++copy)
    if (const Time known = actor.knows->order.known(copy); known > 0)
      handed_on.raise(copy, kAllLanes, known);
  handed_on.raise(actor.component, kAllLanes, time);
  return time;
}

void Checker::tensor_committed(Time time, const Cta& target, std::uint32_t offset) {
  WatchedBarrier* barrier = watched(target, offset);
  if (barrier == nullptr) return;
  promote(*barrier, target, offset);
  barrier->arriving.order.join(tensor_commits_[time]);
  ++now_;
}

void Checker::tensor_fence(const Warp& warp, std::uint32_t lanes) {
  Clock& fenced = tensor_fenced_[component_of(warp)];
  as_lanes(warp, lanes, warp.pc, [&](const Actor& actor) { fenced.join(actor.knows->order); });
}

// Registers of a tcgen05.ld that no wait has covered.
void Checker::tensor_registers_used(const Warp& warp, const Site& site, std::uint32_t active) {
  if (site.is_move || warp.cta->tensor == nullptr) return;
  const std::uint32_t* rows = plan_.rows.data() + site.first_use;
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
    const Touch touch{now_, kAllLanes, Touch::place(component_of(warp), load.pc)};
    report(FindingKind::missing_load_wait, actor, *warp.cta, kNoAddress, &touch);
  }
}

void Checker::tensor_ended(const Cta& cta) {
  if (cta.tensor == nullptr) return;
  for (const TensorMemory::Allocation& kept : cta.tensor->allocations) {
    Actor actor;
    actor.warp = &cta.warps[static_cast<std::size_t>(kept.warp)];
    actor.lanes = kAllLanes;
    actor.pc = kept.pc;
    report(FindingKind::tensor_kept, actor, cta, kNoAddress, nullptr);
  }
}

}  // namespace lanescope::emulator
