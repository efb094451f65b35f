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
  shadow.each(offset, bytes, false,
              [&](const WholeCell& at, std::uint32_t where, std::uint32_t size) {
                const bool fine = at.cell.state == CellState::valid && !actor.is_async &&
                                  (at.cell.flags & Cell::kMore) == 0 &&
                                  order.known(at.cell.component()) >= at.cell.time;
                if (!fine) slow_read(actor, cta, at, where, size);
                // Who polls may see it change.
                if (actor.is_strong && !actor.decides_nothing) return;
                add_reader(shadow, at, me, &actor);
              });
}

void Checker::read_rows(const Actor& actor, Cta& cta, const std::uint32_t* offsets, int rows) {
  Shadow& shadow = shadow_of(cta);
  if (shadows_.size() > 1 || shadow.count() > kMostLoggable) {
    for (int row = 0; row < rows; ++row) read(actor, cta, offsets[row], 16);
    return;
  }
  ReadLog::Entry& entry = new_entry(shadow);
  entry.touch = {now_, actor.lanes, actor.where()};
  entry.rows = static_cast<std::uint16_t>(rows);
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

// Lanes that all read the same are one row.
bool Checker::read_lanes(const Warp& warp, const std::uint32_t* offsets, std::uint32_t lanes,
                         std::uint32_t bytes) {
  const std::size_t component = component_of(warp);
  Shadow& shadow = shadows_.front();
  if ((bytes != 4 && bytes != 16) || shadows_.size() > 1 || shadow.log.is_in_vain ||
      shadow.count() * 16 / bytes > kMostLoggable || warps_[component].size() > 1)
    return false;
  const std::uint32_t first = offsets[__builtin_ctz(lanes)];
  std::uint32_t differs = 0, most = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t offset = (lanes >> lane & 1) != 0 ? offsets[lane] : first;
    differs |= offset ^ first;
    most = std::max(most, offset);
  }
  if (std::uint64_t{most} + bytes > static_cast<std::uint64_t>(launch_.shared_bytes)) return false;
  ReadLog::Entry& entry = new_entry(shadow);
  entry.touch = {now_, lanes, Touch::place(component, warp.pc)};
  entry.bytes = static_cast<std::uint8_t>(bytes);
  entry.is_by_lane = differs != 0;
  const bool done = is_logged(shadow, warps_[component].front().knows, offsets, entry);
  if (!done) shadow.log.entries.pop_back();  // a cell that thinks it has been logged does no harm
  return done;
}

bool Checker::is_logged(Shadow& shadow, const Knowledge& knows, const std::uint32_t* offsets,
                        ReadLog::Entry& entry) {
  const Time now = now_;
  const Time all = std::min(knows.order.known_of_all(next_component_), now - 1);
  const std::uint32_t lanes = entry.touch.lanes;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t offset = offsets[__builtin_ctz(rest)];
    Cell* const cell = shadow.cell(offset, entry.bytes);
    if (cell == nullptr || cell->state != CellState::valid) return false;
    if (cell->time > all &&
        ((cell->flags & Cell::kMore) != 0 || knows.order.known(cell->component()) < cell->time))
      return false;
    cell->logged = now;
    entry.cells[entry.rows++] = static_cast<std::uint16_t>(offset / entry.bytes);
    if (!entry.is_by_lane) break;
  }
  return true;
}

namespace {

// Of the lanes of an entry those that read what `row` does; 0 where an earlier row has said so.
std::uint32_t lanes_of(const ReadLog::Entry& entry, int row) {
  if (!entry.is_by_lane) return entry.touch.lanes;
  const std::uint16_t cell = entry.cells[static_cast<std::size_t>(row)];
  std::uint32_t same = 0;
  std::uint32_t rest = entry.touch.lanes;
  for (int other = 0; other < entry.rows; ++other, rest &= rest - 1) {
    if (entry.cells[static_cast<std::size_t>(other)] != cell) continue;
    if (other < row) return 0;
    same |= rest & (0 - rest);
  }
  return same;
}

}  // namespace

// What the log knows goes to the cells, unless they have been written since: so has been what is
// in one cell of 16 bytes again.
void Checker::enter_log(Shadow& shadow) {
  if (shadow.log.entries.empty()) return;
  shadow.log.is_in_vain = true;
  for (const ReadLog::Entry& entry : shadow.log.entries)
    for (int row = 0; row < entry.rows; ++row) {
      Touch touch = entry.touch;
      touch.lanes = lanes_of(entry, row);
      const std::uint32_t offset =
          std::uint32_t{entry.cells[static_cast<std::size_t>(row)]} * entry.bytes;
      if (touch.lanes == 0 || shadow.cell(offset, entry.bytes) == nullptr) continue;
      shadow.each(offset, entry.bytes, false,
                  [&](const WholeCell& at, std::uint32_t, std::uint32_t) {
                    if (at.cell.time <= touch.time) add_reader(shadow, at, touch, nullptr);
                  });
    }
  shadow.log.entries.clear();
}

// What a struct's copy takes along: of the same load others bytes are there, or it is of padding.
// Loads are aligned to their size.
bool Checker::may_be_padding(const Actor& actor, const Cta& cta, std::uint32_t offset) {
  const Copying copying = actor.is_async ? Copying::no : plan_.sites[actor.pc].copying;
  if (copying != Copying::some) return copying == Copying::bytes;
  const auto bytes = static_cast<std::uint32_t>(plan_.code[actor.pc].bytes);
  bool is_there = false;
  shadow_of(cta).each(offset & ~(bytes - 1), bytes, false,
                      [&](const WholeCell& at, std::uint32_t, std::uint32_t) {
                        is_there = is_there || at.cell.state != CellState::unwritten;
                      });
  return is_there;
}

Touch Checker::writer_of(const Cta& cta, std::uint32_t offset, std::uint32_t bytes) {
  constexpr Touch kSeveral{~Time{0}, 0, 0};
  Shadow& shadow = shadow_of(cta);
  if (shadow.at(offset).cell.state != CellState::split) return kSeveral;
  std::optional<Touch> found;
  shadow.each(offset, bytes, false, [&](const WholeCell& at, std::uint32_t, std::uint32_t) {
    const Touch one = at.cell.state == CellState::unwritten ? Touch{} : at.write();
    if (!found) found = one;
    if (one.time != found->time || one.where != found->where) found = kSeveral;
  });
  return *found;
}

// Data that one lane of a warp has stored and another one loads, both by volatile accesses: no flag
// is among them that either waits for. Since sm_70 lanes need not run in step.
bool Checker::is_in_step(const Actor& actor, const Touch& write) const {
  return actor.decides_nothing && write.component() == actor.component &&
         plan_.sites[write.pc()].kind == SiteKind::store && plan_.sites[write.pc()].is_volatile;
}

void Checker::slow_read(const Actor& actor, Cta& cta, const WholeCell& at, std::uint32_t offset,
                        std::uint32_t bytes) {
  const Touch write = at.write();
  switch (at.cell.state) {
    case CellState::unwritten:
      if (may_be_padding(actor, cta, offset)) return;
      return report(FindingKind::uninitialised_shared, actor, cta, offset, nullptr);
    case CellState::reserved:
      return report(FindingKind::reserved_shared, actor, cta, offset, nullptr);
    case CellState::copying:
      return report(FindingKind::missing_copy_wait, actor, cta, offset, &write);
    case CellState::landing:
      return report(FindingKind::missing_bulk_wait, actor, cta, offset, &write);
    default:
      break;
  }
  const bool was_async = (at.cell.flags & Cell::kAsync) != 0;
  if (!ordered(actor.knows->order, write, actor)) {
    if ((at.cell.flags & Cell::kAtomic) != 0 && actor.is_strong && !is_in_step(actor, write)) {
      const Touch* plain = (at.cell.flags & Cell::kUnder) == 0
                               ? nullptr
                               : unordered_below(actor, cta, offset, bytes, true);
      if (plain != nullptr) report(FindingKind::race_read_after_write, actor, cta, offset, plain);
      return;
    }
    return report(was_async          ? FindingKind::missing_bulk_wait
                  : is_copied(write) ? FindingKind::missing_copy_wait
                                     : FindingKind::race_read_after_write,
                  actor, cta, offset, &write);
  }
  if (actor.is_async && !was_async && !ordered(actor.knows->fenced, write, actor))
    report(FindingKind::missing_proxy_fence, actor, cta, offset, &write);
  if ((at.cell.flags & Cell::kMore) == 0 || actor.is_strong) return;
  if (const Touch* other = unordered_below(actor, cta, offset, bytes, false); other != nullptr)
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
