// SPDX-License-Identifier: MIT
// Accesses: is what is read there, and did what is overwritten happen before?
#include "emulator/check/checker.hpp"

#include <algorithm>
#include <cstring>

namespace lanescope::emulator {
namespace {

constexpr std::size_t kManyReaders = 32;  // from here on, those that are ordered are dropped

bool same_component(const Touch& a, const Touch& b) {
  return (a.where ^ b.where) >> Touch::kPcBits == 0;
}

}  // namespace

Checker::Checker(const LaunchState& launch, const CheckPlan& plan, const CheckOptions& options,
                 GlobalWatch& global)
    : launch_(launch),
      plan_(plan),
      options_(options),
      global_(global),
      warps_per_cta_(static_cast<std::size_t>(launch.warps)) {}

void Checker::start(const Cluster& cluster) {
  const std::size_t ctas = cluster.ctas.size();
  cluster_ = &cluster;
  now_ = 1;
  shadows_.resize(ctas);
  for (Shadow& shadow : shadows_) shadow.start(static_cast<std::size_t>(launch_.shared_bytes));
  warps_.assign(ctas * warps_per_cta_, Classes(1));
  for (Classes& classes : warps_) classes[0].lanes = kAllLanes;
  barriers_.assign(ctas, {});
  left_.assign(ctas, {});
  cluster_arrivals_ = {};
  cluster_opened_ = {};
  cluster_phase_ = 0;
  next_component_ = ctas * warps_per_cta_;
  mbarriers_.assign(ctas, {});
  bulk_components_.clear();
  warpgroups_.clear();
  registers_.assign(plan_.has_async_proxy ? ctas * warps_per_cta_ : 0, {});
  reached_.assign(ctas, {});
  ended_.assign(ctas, false);
  deferred_.clear();
  deferred_global_.clear();
  news_.clear();
  bulk_writes_.clear();
  published_near_.clear();
  last_global_.assign(ctas * warps_per_cta_, 0);
}

bool Checker::ordered(const Clock& clock, const Touch& before, const Actor& actor) {
  if (clock.known(before.component()) >= before.time) return true;
  std::uint32_t lanes = before.lanes;
  const bool single = (actor.lanes & (actor.lanes - 1)) == 0;
  if (single && before.component() == actor.component) lanes &= ~actor.lanes;
  return lanes == 0 || clock.covers(before.component(), lanes, before.time);
}

void Checker::read(const Actor& actor, Cta& cta, std::uint32_t offset, std::uint32_t bytes) {
  Shadow& shadow = shadow_of(cta);
  shadow.each(offset, bytes, false, [&](Cell& cell, std::uint32_t at, std::uint32_t) {
    const bool fine = cell.state == CellState::valid && !actor.is_async &&
                      actor.knows->order.known(cell.write.component()) >= cell.write.time;
    if (!fine) slow_read(actor, cta, cell, at);
    if (!actor.is_strong) add_reader(shadow, cell, actor);  // who polls may see it change
  });
}

void Checker::slow_read(const Actor& actor, Cta& cta, Cell& cell, std::uint32_t offset) {
  switch (cell.state) {
    case CellState::unwritten:
      return report(FindingKind::uninitialised_shared, actor, cta, offset, nullptr);
    case CellState::copying:
      return report(FindingKind::missing_copy_wait, actor, cta, offset, &cell.write);
    case CellState::landing:
      return report(FindingKind::missing_bulk_wait, actor, cta, offset, &cell.write);
    default:
      break;
  }
  const bool was_async = (cell.flags & Cell::kAsync) != 0;
  if (!ordered(actor.knows->order, cell.write, actor)) {
    if ((cell.flags & Cell::kAtomic) != 0 && actor.is_strong) return;
    return report(was_async ? FindingKind::missing_bulk_wait : FindingKind::race_read_after_write,
                  actor, cta, offset, &cell.write);
  }
  if (actor.is_async && !was_async && !ordered(actor.knows->fenced, cell.write, actor))
    report(FindingKind::missing_proxy_fence, actor, cta, offset, &cell.write);
}

void Checker::add_reader(Shadow& shadow, Cell& cell, const Actor& actor) {
  const Touch me{now_, actor.lanes, actor.where()};
  const auto replaces = [&](Touch& read) {
    if (!same_component(read, me)) return false;
    if ((read.lanes & ~me.lanes) == 0) return read = me, true;
    if (read.time != me.time) return false;
    read.lanes |= me.lanes;
    return true;
  };
  const auto is_covered = [&](const Touch& read) {
    return ordered(actor.knows->order, read, actor);
  };
  if (cell.readers != Cell::kMany) {
    for (std::size_t k = 0; k < cell.readers; ++k)
      if (replaces(cell.reads[k])) return;
    if (cell.readers == cell.reads.size()) {
      const auto end = std::remove_if(cell.reads.begin(), cell.reads.end(), is_covered);
      cell.readers = static_cast<std::uint8_t>(end - cell.reads.begin());
    }
    if (cell.readers < cell.reads.size()) {
      cell.reads[cell.readers++] = me;
      return;
    }
    shadow.many.emplace_back(cell.reads.begin(), cell.reads.end());
    cell.readers = Cell::kMany;
    cell.reads[0].time = static_cast<Time>(shadow.many.size() - 1);
  }
  std::vector<Touch>& reads = shadow.many[cell.reads[0].time];
  for (Touch& read : reads)
    if (replaces(read)) return;
  if (reads.size() >= kManyReaders)
    reads.erase(std::remove_if(reads.begin(), reads.end(), is_covered), reads.end());
  reads.push_back(me);
}

void Checker::write(const Actor& actor, Cta& cta, std::uint32_t offset, std::uint32_t bytes,
                    CellState state) {
  Shadow& shadow = shadow_of(cta);
  const Touch me{now_, actor.lanes, actor.where()};
  const auto flags = static_cast<std::uint8_t>((actor.is_async ? Cell::kAsync : 0) |
                                               (actor.is_strong ? Cell::kAtomic : 0));
  shadow.each(offset, bytes, true, [&](Cell& cell, std::uint32_t at, std::uint32_t size) {
    const Clock& clock = actor.knows->order;
    if (cell.state != CellState::unwritten) check_write(actor, cta, cell, at, size);
    if (cell.readers == Cell::kMany) {
      check_readers(actor, cta, cell, at);
    } else {
      for (std::size_t k = 0; k < cell.readers; ++k)
        if (clock.known(cell.reads[k].component()) < cell.reads[k].time)
          check_readers(actor, cta, cell, at);
    }
    cell.write = me;
    cell.state = state;
    cell.flags = flags;
    cell.readers = 0;
  });
}

void Checker::check_write(const Actor& actor, const Cta& cta, const Cell& cell,
                          std::uint32_t offset, std::uint32_t bytes) {
  if (cell.state == CellState::copying || cell.state == CellState::landing)
    return report(cell.state == CellState::copying ? FindingKind::missing_copy_wait
                                                   : FindingKind::missing_bulk_wait,
                  actor, cta, offset, &cell.write);
  const bool was_async = (cell.flags & Cell::kAsync) != 0;
  if (ordered(actor.knows->order, cell.write, actor)) {
    if (actor.is_async && !was_async && !ordered(actor.knows->fenced, cell.write, actor))
      report(FindingKind::proxy_overwrites, actor, cta, offset, &cell.write);
    return;
  }
  if ((cell.flags & Cell::kAtomic) != 0 && actor.is_strong) return;
  if (was_async) return report(FindingKind::missing_bulk_wait, actor, cta, offset, &cell.write);
  race_of_writes(actor, cta, cell, offset, bytes);
}

void Checker::race_of_writes(const Actor& actor, const Cta& cta, const Cell& cell,
                             std::uint32_t offset, std::uint32_t bytes) {
  // Lanes of one instruction that write the same place: one of them wins, which is allowed.
  const bool same_instruction = cell.write.where == actor.where() && cell.write.time == now_;
  if (same_instruction) return;
  if (!defers_) return report(FindingKind::race_write_after_write, actor, cta, offset, &cell.write);
  Deferred& made = deferred_.emplace_back();
  made.actor = actor;
  made.cta = &cta;
  made.offset = offset;
  made.bytes = bytes;
  made.other = cell.write;
  std::memcpy(made.old.data(), cta.shared.get() + offset, bytes);
}

void Checker::after_store() {
  defers_ = false;
  for (const Deferred& race : deferred_)
    if (std::memcmp(race.old.data(), race.cta->shared.get() + race.offset, race.bytes) != 0)
      report(FindingKind::race_write_after_write, race.actor, *race.cta, race.offset, &race.other);
  deferred_.clear();
  for (const DeferredGlobal& race : deferred_global_)
    if (std::memcmp(&race.old, reinterpret_cast<const void*>(race.address), race.bytes) != 0)
      report_global(race.kind, race.actor, race.address, race.other);
  deferred_global_.clear();
}

void Checker::check_readers(const Actor& actor, const Cta& cta, const Cell& cell,
                            std::uint32_t offset) {
  const bool many = cell.readers == Cell::kMany;
  const Touch* reads = many ? shadow_of(cta).many[cell.reads[0].time].data() : cell.reads.data();
  const std::size_t count = many ? shadow_of(cta).many[cell.reads[0].time].size() : cell.readers;
  for (std::size_t k = 0; k < count; ++k)
    if (!ordered(actor.knows->order, reads[k], actor))
      report(is_of_one_warp(reads[k].component()) ? FindingKind::warpgroup_lockstep
                                                  : FindingKind::race_write_after_read,
             actor, cta, offset, &reads[k]);
}

void Checker::land(std::size_t component, std::uint32_t lanes, CellState state, Cta& cta,
                   std::uint32_t offset, std::uint32_t bytes, Time time) {
  shadow_of(cta).each(offset, bytes, false, [&](Cell& cell, std::uint32_t, std::uint32_t) {
    if (cell.state != state || cell.write.component() != component || cell.write.lanes != lanes)
      return;
    cell.state = CellState::valid;
    cell.write.time = time;
  });
}

}  // namespace lanescope::emulator
