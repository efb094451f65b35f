// SPDX-License-Identifier: MIT
// Reads of shared memory: is what is read there, and did its write happen before? Who has read what
// is remembered beside it, for the next write.
#include <algorithm>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kMostLoggable = 65536;  // cells: what a log's entry can name
constexpr std::size_t kManyReaders = 32;      // from here on, those that are ordered are dropped

}  // namespace

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

// Where there are many, those are dropped that the actor knows: who knows of it knows of them. From
// the log (nullptr) what it knew then is not known any more.
void Checker::add_reader(Shadow& shadow, const WholeCell& at, const Touch& me, const Actor* actor) {
  const auto is_covered = [&](const Touch& read) {
    return actor != nullptr && ordered(actor->knows->order, read, *actor);
  };
  const auto replaces = [&](Touch& read) {
    if (read.component() != me.component()) return false;
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
    const std::size_t list = shadow.fresh_list();
    shadow.many[list].assign(first.begin(), first.end());
    cell.readers = Cell::kMany;
    first[0].time = static_cast<Time>(list);
  }
  std::vector<Touch>& reads = shadow.many[first[0].time];
  for (Touch& read : reads)
    if (replaces(read)) return;
  if (reads.size() >= kManyReaders)
    reads.erase(std::remove_if(reads.begin(), reads.end(), is_covered), reads.end());
  reads.push_back(me);
}

}  // namespace lanescope::emulator
