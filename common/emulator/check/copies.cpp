// SPDX-License-Identifier: MIT
// cp.async: written when it is issued, there after its thread's wait, or for whoever waits for an
// mbarrier that cp.async.mbarrier.arrive has told. Bulk copies are async.cpp.
//
// Source: PTX ISA 9.2, 9.7.9.25.3 (cp.async), 9.7.13.15 (mbarrier).
#include <algorithm>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {
namespace {

// Under which key bulk_component() has what cp.async of a warp brought and an mbarrier has told of.
std::uint32_t copies_of(const Warp& warp) {
  return 1u << 30 | static_cast<std::uint32_t>(warp.index);
}

bool is_alike(const AsyncCopy& copy, const AsyncCopy& other) {
  return other.offset == copy.offset && other.bytes == copy.bytes &&
         std::equal(copy.data.begin(), copy.data.begin() + copy.bytes, other.data.begin());
}

// One of `lanes` has copied the same bytes to the same place by the same instruction: lanes that
// are one too many do so in memcpy_async of a tile (cooperative_groups/details/async.h).
bool is_copied_already(const std::vector<AsyncCopy>& copies, std::size_t first, std::uint32_t lanes,
                       const AsyncCopy& copy) {
  return std::any_of(copies.begin() + static_cast<std::ptrdiff_t>(first), copies.end(),
                     [&](const AsyncCopy& other) {
                       return (lanes >> other.lane & 1) != 0 && is_alike(copy, other);
                     });
}

}  // namespace

// Warps that each copy a table of all, the same bytes to the same place: as two stores of one
// value.
bool Checker::brings_the_same(const Actor& actor, const Cta& cta, const Cell& before,
                              std::uint32_t offset, std::uint32_t bytes) {
  const AsyncCopy& copy = *actor.copy;
  if ((before.flags & Cell::kAsync) != 0 || (before.flags & Cell::kMore) != 0) return false;
  if (before.state == CellState::valid)
    return std::equal(copy.data.begin() + (offset - copy.offset),
                      copy.data.begin() + (offset - copy.offset) + bytes,
                      cta.shared.get() + offset);
  if (before.state != CellState::copying) return false;
  return std::any_of(cta.warps.begin(), cta.warps.end(), [&](const Warp& warp) {
    return std::any_of(warp.copies.begin(), warp.copies.end(), [&](const AsyncCopy& other) {
      return &other != &copy && is_alike(copy, other);
    });
  });
}

// cp.async writes when it is issued, as far as others are concerned; who reads before the wait that
// lands it is told.
void Checker::copies_written(const Warp& warp, std::size_t first) {
  Shadow& shadow = shadow_of(*warp.cta);
  std::uint32_t done = 0;  // lanes
  as_lanes(warp, kAllLanes, warp.pc, [&](Actor actor) {
    const std::uint32_t lanes = actor.lanes;
    const Time all = known_of_all(actor);
    Cell made;
    made.time = now_;
    made.where = actor.where();
    made.state = CellState::copying;
    for (auto copy = warp.copies.begin() + static_cast<std::ptrdiff_t>(first);
         copy != warp.copies.end(); ++copy) {
      if (((lanes >> copy->lane) & 1) == 0) continue;
      const WholeCell at = shadow.at(copy->offset);
      if (copy->bytes == 16 && may_overwrite(at, actor, all)) {
        made.writer = copy->lane;
        at.cell = made;
      } else if (!is_copied_already(warp.copies, first, done, *copy)) {
        actor.lanes = 1u << copy->lane;
        actor.copy = &*copy;
        write(actor, *warp.cta, copy->offset, copy->bytes, CellState::copying);
      }
      done |= 1u << copy->lane;
    }
  });
}

bool Checker::is_uncommitted(const Touch& write, std::uint32_t offset) const {
  const std::size_t component = write.component();
  if (component >= warps_.size()) return false;
  const Cta& cta = *cluster_->ctas[component / warps_per_cta_];
  const Warp& warp = cta.warps[component % warps_per_cta_];
  const auto tells = [](const BulkCopy& one) {
    return one.kind == BulkCopy::Kind::arrive_after_copies;
  };
  if (std::any_of(cluster_->landing.begin(), cluster_->landing.end(), tells)) return false;
  return std::any_of(warp.copies.begin(), warp.copies.end(), [&](const AsyncCopy& copy) {
    return offset - copy.offset < copy.bytes && copy.group == warp.commits[copy.lane];
  });
}

void Checker::copies_landed(const Warp& warp, std::uint32_t active, std::int64_t pending) {
  const std::size_t component = component_of(warp);
  if (!landed_[component].empty()) landed_before(warp, active, pending);
  Cell* cells = shadow_of(*warp.cta).cells();
  const auto& landing = cluster_->landing;
  const bool has_arrivals = std::any_of(
      landing.begin(), landing.end(),
      [](const BulkCopy& pending) { return pending.kind == BulkCopy::Kind::arrive_after_copies; });
  std::uint32_t later = ~active;  // lanes whose other copies do not land either
  for (const AsyncCopy& copy : warp.copies) {
    if (later == kAllLanes) break;
    if (!lands(warp, copy, active, pending)) {
      later |= 1u << copy.lane;
      continue;
    }
    if (has_arrivals && lands_for_mbarrier(warp, copy)) continue;
    Cell& cell = cells[copy.offset / 16];
    if (copy.bytes != 16 || cell.state == CellState::split) {
      land(component, 1u << copy.lane, CellState::copying, *warp.cta, copy.offset, copy.bytes);
    } else if (cell.state == CellState::copying && cell.writer == copy.lane &&
               cell.component() == component) {
      cell.state = CellState::valid;
      cell.time = now_;
    }
  }
}

// What of them mbarriers have told has it, if there is any.
std::optional<std::size_t> Checker::copies_component(const Warp& warp) const {
  const auto found =
      bulk_components_.find(static_cast<std::uint64_t>(warp.cta->rank) << 32 | copies_of(warp));
  if (found == bulk_components_.end()) return std::nullopt;
  return found->second;
}

// An mbarrier is about to hear of it: whoever waits there need not know of its thread's wait.
bool Checker::lands_for_mbarrier(const Warp& warp, const AsyncCopy& copy) {
  for (const BulkCopy& pending : cluster_->landing) {
    if (pending.kind != BulkCopy::Kind::arrive_after_copies || pending.issuer != warp.cta ||
        pending.warp != warp.index || pending.lane != copy.lane || pending.issue <= copy.issue)
      continue;
    const std::uint32_t lane = 1u << copy.lane;
    const std::size_t copies = bulk_component(*warp.cta, copies_of(warp));
    land(component_of(warp), lane, CellState::copying, *warp.cta, copy.offset, copy.bytes,
         pending.time, copies);
    Knowledge news;
    news.order.raise(copies, lane, pending.time);
    acquire(warp, lane, news);
    return true;
  }
  return false;
}

// What a lane had done until it said so counts as published by it when its copies have landed. The
// copies are there for whoever waits for the phase, and for the lane when it waits for their
// groups: a barrier of threads says nothing of them.
void Checker::copies_arrive(const BulkCopy& copy, Cta& target) {
  const auto offset = static_cast<std::uint32_t>(copy.barrier);
  WatchedBarrier* barrier = mbarriers_.find(target, offset);
  const Warp& warp = copy.issuer->warps[static_cast<std::size_t>(copy.warp)];
  const std::size_t component = component_of(warp);
  const std::uint32_t lane = 1u << copy.lane;
  const std::size_t copies = bulk_component(*warp.cta, copies_of(warp));
  for (const AsyncCopy& part : warp.copies) {
    if (part.lane != copy.lane || part.issue >= copy.issue) continue;
    land(component, lane, CellState::copying, *warp.cta, part.offset, part.bytes, copy.time,
         copies);
    note_landed(component, {part.group, lane, copy.time});
  }
  if (barrier == nullptr) return;
  mbarriers_.promote(*barrier, target, offset);
  barrier->arriving.order.raise(component, lane, copy.time);
  barrier->arriving.order.raise(copies, lane, copy.time);
  barrier->arriving.order.raise(barrier->component, kAllLanes, copy.time);
}

// Lanes that went the same way are one entry, and the last word on a group is enough; of groups
// that nobody waits for the oldest goes.
void Checker::note_landed(std::size_t component, const LandedCopies& made) {
  constexpr std::size_t kMost = 64;
  auto& all = landed_[component];
  bool is_there = false;
  for (LandedCopies& known : all) {
    if (known.group != made.group) continue;
    is_there = is_there || known.time == made.time;
    known.lanes = known.time == made.time ? known.lanes | made.lanes : known.lanes & ~made.lanes;
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const LandedCopies& known) { return known.lanes == 0; }),
            all.end());
  if (is_there) return;
  if (all.size() == kMost) all.erase(all.begin());
  all.push_back(made);
}

void Checker::landed_before(const Warp& warp, std::uint32_t active, std::int64_t pending) {
  const std::size_t component = component_of(warp);
  for (LandedCopies& known : landed_[component]) {
    for (std::uint32_t rest = known.lanes & active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
      const bool is_covered =
          pending < 0 || std::int64_t{known.group} < std::int64_t{warp.commits[lane]} - pending;
      if (!is_covered) continue;
      Knowledge news;
      news.order.raise(bulk_component(*warp.cta, copies_of(warp)), 1u << lane, known.time);
      acquire(warp, 1u << lane, news);
      known.lanes &= ~(1u << lane);
    }
  }
  auto& all = landed_[component];
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const LandedCopies& known) { return known.lanes == 0; }),
            all.end());
}

}  // namespace lanescope::emulator
