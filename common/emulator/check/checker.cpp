// SPDX-License-Identifier: MIT
// Accesses: is what is read there, and did what is overwritten happen before?
#include "emulator/check/checker.hpp"

#include <algorithm>
#include <cstring>

namespace lanescope::emulator {
namespace {

constexpr std::size_t kMostLoggable = 65536;  // cells: what a log's entry can name
constexpr std::size_t kManyReaders = 32;      // from here on, those that are ordered are dropped

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
  now_ = kStarted + 1;
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
  invalidated_.assign(ctas, {});
  bulk_components_.clear();
  warpgroups_.clear();
  registers_.assign(plan_.has_async_proxy ? ctas * warps_per_cta_ : 0, {});
  reached_.assign(ctas, {});
  ended_.assign(ctas, false);
  votes_.assign(ctas * warps_per_cta_, {});
  exchanged_.assign(ctas * warps_per_cta_, 0);
  deferred_.clear();
  deferred_global_.clear();
  news_.clear();
  bulk_writes_.clear();
  more_writes_.clear();
  landed_.assign(ctas * warps_per_cta_, {});
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
  const Touch me{now_, actor.lanes, actor.where()};
  const Clock& order = actor.knows->order;
  shadow.each(offset, bytes, false, [&](const WholeCell& at, std::uint32_t where, std::uint32_t) {
    const bool fine = at.cell.state == CellState::valid && !actor.is_async &&
                      (at.cell.flags & Cell::kMore) == 0 &&
                      order.known(at.cell.component()) >= at.cell.time;
    if (!fine) slow_read(actor, cta, at, where);
    if (actor.is_strong) return;  // who polls may see it change
    add_reader(shadow, at, me, &actor);
  });
}

void Checker::read_rows(const Actor& actor, Cta& cta, const std::uint32_t* offsets, int rows) {
  Shadow& shadow = shadow_of(cta);
  if (shadows_.size() > 1 || shadow.count() > kMostLoggable) {
    for (int row = 0; row < rows; ++row) read(actor, cta, offsets[row], 16);
    return;
  }
  if (shadow.log.entries.size() == ReadLog::kMost) enter_log(shadow);
  ReadLog::Entry& entry = shadow.log.entries.emplace_back();
  entry.touch = {now_, actor.lanes, actor.where()};
  entry.rows = rows;
  Cell* cells = shadow.cells();
  const Time now = now_;
  const Time all = known_of_all(actor);
  for (int row = 0; row < rows; ++row) {
    Cell& cell = cells[offsets[row] / 16];
    entry.cells[static_cast<std::size_t>(row)] = static_cast<std::uint16_t>(offsets[row] / 16);
    if (cell.state == CellState::valid && (cell.time <= all || is_known(actor, cell)))
      cell.logged = now;
    else
      read(actor, cta, offsets[row], 16);
  }
}

// What the log knows goes to the cells, unless they have been written since.
void Checker::enter_log(Shadow& shadow) {
  for (const ReadLog::Entry& entry : shadow.log.entries)
    for (int row = 0; row < entry.rows; ++row)
      shadow.each(std::uint32_t{entry.cells[static_cast<std::size_t>(row)]} * 16, 16, false,
                  [&](const WholeCell& at, std::uint32_t, std::uint32_t) {
                    if (at.cell.time <= entry.touch.time)
                      add_reader(shadow, at, entry.touch, nullptr);
                  });
  shadow.log.entries.clear();
}

// By a cp.async of which an mbarrier has told.
bool Checker::is_copied(const Touch& write) const {
  const PtxStatement* at =
      write.component() < warps_.size() ? nullptr : launch_.program->statement(write.pc());
  return at != nullptr && at->opcode == "cp";
}

void Checker::slow_read(const Actor& actor, Cta& cta, const WholeCell& at, std::uint32_t offset) {
  const Touch write = at.write();
  switch (at.cell.state) {
    case CellState::unwritten:
      return report(FindingKind::uninitialised_shared, actor, cta, offset, nullptr);
    case CellState::copying:
      return report(FindingKind::missing_copy_wait, actor, cta, offset, &write);
    case CellState::landing:
      return report(FindingKind::missing_bulk_wait, actor, cta, offset, &write);
    default:
      break;
  }
  const bool was_async = (at.cell.flags & Cell::kAsync) != 0;
  if (!ordered(actor.knows->order, write, actor)) {
    if ((at.cell.flags & Cell::kAtomic) != 0 && actor.is_strong) return;
    return report(was_async          ? FindingKind::missing_bulk_wait
                  : is_copied(write) ? FindingKind::missing_copy_wait
                                     : FindingKind::race_read_after_write,
                  actor, cta, offset, &write);
  }
  if (actor.is_async && !was_async && !ordered(actor.knows->fenced, write, actor))
    report(FindingKind::missing_proxy_fence, actor, cta, offset, &write);
  if ((at.cell.flags & Cell::kMore) == 0 || actor.is_strong) return;
  if (const Touch* other = unordered_atomic(actor, cta, offset); other != nullptr)
    report(FindingKind::race_read_after_write, actor, cta, offset, other);
}

void Checker::keep_write(const Cta& cta, const WholeCell& at, std::uint32_t offset,
                         const Touch& write) {
  std::vector<Touch>& all = more_writes_[key_of(cta, offset / 4)];
  if ((at.cell.flags & Cell::kMore) == 0) all.clear();
  for (Touch& known : all) {
    if (!same_component(known, write)) continue;
    if ((known.lanes & ~write.lanes) == 0) return void(known = write);
  }
  all.push_back(write);
}

const Touch* Checker::unordered_atomic(const Actor& actor, const Cta& cta,
                                       std::uint32_t offset) const {
  const auto found = more_writes_.find(key_of(cta, offset / 4));
  if (found == more_writes_.end()) return nullptr;
  for (const Touch& write : found->second)
    if (!ordered(actor.knows->order, write, actor)) return &write;
  return nullptr;
}

// Where there are many, those are dropped that the actor knows: who knows of it knows of them. From
// the log (nullptr) what it knew then is not known any more.
void Checker::add_reader(Shadow& shadow, const WholeCell& at, const Touch& me, const Actor* actor) {
  const auto is_covered = [&](const Touch& read) {
    return actor != nullptr && ordered(actor->knows->order, read, *actor);
  };
  const auto replaces = [&](Touch& read) {
    if (!same_component(read, me)) return false;
    if (read.time > me.time) return (me.lanes & ~read.lanes) == 0;  // me comes from the log
    if ((read.lanes & ~me.lanes) == 0) return read = me, true;
    if (read.time != me.time) return false;
    read.lanes |= me.lanes;
    return true;
  };
  auto& [cell, detail] = at;
  auto& first = detail.reads;
  if (cell.readers != Cell::kMany) {
    for (std::size_t k = 0; k < cell.readers; ++k)
      if (replaces(first[k])) return;
    if (cell.readers == first.size()) {
      const auto end = std::remove_if(first.begin(), first.end(), is_covered);
      cell.readers = static_cast<std::uint8_t>(end - first.begin());
    }
    if (cell.readers < first.size()) {
      first[cell.readers++] = me;
      return;
    }
    shadow.many.emplace_back(first.begin(), first.end());
    cell.readers = Cell::kMany;
    first[0].time = static_cast<Time>(shadow.many.size() - 1);
  }
  std::vector<Touch>& reads = shadow.many[first[0].time];
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
  const Time all = known_of_all(actor);
  // Parts of which each keeps its readers stay parts.
  const bool joins = pass_ != Pass::looks && !actor.is_strong;
  shadow.each(
      offset, bytes, joins, [&](const WholeCell& at, std::uint32_t where, std::uint32_t size) {
        if (pass_ != Pass::sets) {
          if (at.cell.state != CellState::unwritten) check_write(actor, cta, at, where, size);
          if (at.cell.logged > all) enter_log(shadow);
          check_readers(actor, cta, at, where);
        }
        if (pass_ == Pass::looks) return;
        Touch made = me;
        const Touch before = at.write();
        if (pass_ == Pass::sets && at.cell.time == me.time && at.cell.where == me.where)
          made.lanes |= before.lanes;  // of the same instruction
        const bool more =
            actor.is_strong && (at.cell.flags & Cell::kAtomic) != 0 &&
            ((at.cell.flags & Cell::kMore) != 0 || !ordered(actor.knows->order, before, actor));
        if (more) keep_write(cta, at, where, before);
        const std::uint8_t readers = at.cell.readers;
        at.set(made, state, more ? flags | Cell::kMore : flags);
        // Another atomic need not know of this one, and so not of who has read.
        if (actor.is_strong) at.cell.readers = readers;
      });
}

void Checker::check_write(const Actor& actor, const Cta& cta, const WholeCell& at,
                          std::uint32_t offset, std::uint32_t bytes) {
  const Touch write = at.write();
  const bool may_meet = (at.cell.flags & Cell::kAtomic) != 0 && actor.is_strong;
  if (at.cell.state == CellState::landing && may_meet) return;
  if (at.cell.state == CellState::copying || at.cell.state == CellState::landing)
    return report(at.cell.state == CellState::copying ? FindingKind::missing_copy_wait
                                                      : FindingKind::missing_bulk_wait,
                  actor, cta, offset, &write);
  const bool was_async = (at.cell.flags & Cell::kAsync) != 0;
  if (ordered(actor.knows->order, write, actor)) {
    if (actor.is_async && !was_async && !ordered(actor.knows->fenced, write, actor))
      report(FindingKind::proxy_overwrites, actor, cta, offset, &write);
    if ((at.cell.flags & Cell::kMore) == 0 || actor.is_strong) return;
    const Touch* other = unordered_atomic(actor, cta, offset);
    return other != nullptr ? race_of_writes(actor, cta, *other, offset, bytes) : void();
  }
  if (may_meet) return;
  if (was_async) return report(FindingKind::missing_bulk_wait, actor, cta, offset, &write);
  if (is_copied(write)) return report(FindingKind::missing_copy_wait, actor, cta, offset, &write);
  race_of_writes(actor, cta, write, offset, bytes);
}

void Checker::race_of_writes(const Actor& actor, const Cta& cta, const Touch& write,
                             std::uint32_t offset, std::uint32_t bytes) {
  // Lanes of one instruction that write the same place: one of them wins, which is allowed.
  const bool same_instruction = write.where == actor.where() && write.time == now_;
  if (same_instruction) return;
  if (!defers_) return report(FindingKind::race_write_after_write, actor, cta, offset, &write);
  Deferred& made = deferred_.emplace_back();
  made.actor = actor;
  made.cta = &cta;
  made.offset = offset;
  made.bytes = bytes;
  made.other = write;
  std::memcpy(made.old.data(), cta.shared.get() + offset, bytes);
}

void Checker::after_store() {
  defers_ = false;
  for (const Deferred& race : deferred_)
    if (std::memcmp(race.old.data(), race.cta->shared.get() + race.offset, race.bytes) != 0)
      report(FindingKind::race_write_after_write, race.actor, *race.cta, race.offset, &race.other);
  deferred_.clear();
  for (const DeferredGlobal& race : deferred_global_)
    if (std::memcmp(race.old.data(), reinterpret_cast<const void*>(race.address), race.bytes) != 0)
      report_global(race.kind, race.actor, race.address, race.other);
  deferred_global_.clear();
}

// Known by habit: through a vote of the actor's own warp, or a wgmma.
bool Checker::has_read(const Actor& actor, const Touch& read) const {
  const bool voted = read.component() == actor.component && actor.component < exchanged_.size() &&
                     exchanged_[actor.component] >= read.time;
  return voted || actor.knows->reads.known(read.component()) >= read.time;
}

void Checker::check_readers(const Actor& actor, const Cta& cta, const WholeCell& at,
                            std::uint32_t offset) {
  const Clock& order = actor.knows->order;
  const bool many = at.cell.readers == Cell::kMany;
  const auto& long_list = shadow_of(cta).many;
  const Touch* reads = many ? long_list[at.detail.reads[0].time].data() : at.detail.reads.data();
  const std::size_t count = many ? long_list[at.detail.reads[0].time].size() : at.cell.readers;
  for (std::size_t k = 0; k < count; ++k) {
    const Touch& read = reads[k];
    const bool is_fine = order.known(read.component()) >= read.time || has_read(actor, read);
    if (!is_fine && !ordered(order, read, actor))
      report(is_of_one_warp(read.component()) ? FindingKind::warpgroup_lockstep
                                              : FindingKind::race_write_after_read,
             actor, cta, offset, &read);
  }
}

void Checker::land(std::size_t component, std::uint32_t lanes, CellState state, Cta& cta,
                   std::uint32_t offset, std::uint32_t bytes, Time time, std::size_t into) {
  const auto lands = [&](const WholeCell& at, std::uint32_t, std::uint32_t) {
    if (at.cell.state != state || at.cell.component() != component || at.write().lanes != lanes)
      return;
    at.cell.state = CellState::valid;
    at.cell.time = time;
    at.cell.where = Touch::place(into, at.cell.where & Touch::kMostPc);
  };
  shadow_of(cta).each(offset, bytes, false, lands);
}

}  // namespace lanescope::emulator
