// SPDX-License-Identifier: MIT
// Writes to shared memory: did what is overwritten happen before, its reads as well as its write?
#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

namespace {

// Of a word, the bytes of a cell that begins there: a bit each.
std::uint8_t bytes_of_word(std::uint32_t offset, std::uint32_t bytes) {
  return bytes >= 4 ? 0xf : static_cast<std::uint8_t>(1u << offset % 4);
}

}  // namespace

// Bytes of a word go their own ways: two 16-bit atomics may lie in one.
void Checker::keep_write(const Cta& cta, const WholeCell& at, std::uint32_t offset,
                         std::uint32_t bytes, const Touch& write, bool is_plain) {
  const std::uint8_t mine = bytes_of_word(offset, bytes);
  const bool is_first = is_plain || (at.cell.flags & Cell::kMore) == 0;
  for (std::uint32_t word = offset / 4; word * 4 < offset + bytes; ++word) {
    std::vector<KeptWrite>& all = more_writes_[key_of(cta, word)];
    for (KeptWrite& known : all)
      if (known.is_plain == is_plain &&
          (is_first || (known.write.component() == write.component() &&
                        (known.write.lanes & ~write.lanes) == 0)))
        known.bytes = static_cast<std::uint8_t>(known.bytes & ~mine);
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const KeptWrite& known) { return known.bytes == 0; }),
              all.end());
    all.push_back({write, mine, is_plain});
  }
}

const Touch* Checker::unordered_below(const Actor& actor, const Cta& cta, std::uint32_t offset,
                                      std::uint32_t bytes, bool is_plain) const {
  const std::uint8_t mine = bytes_of_word(offset, bytes);
  for (std::uint32_t word = offset / 4; word * 4 < offset + bytes; ++word) {
    const auto found = more_writes_.find(key_of(cta, word));
    if (found == more_writes_.end()) continue;
    for (const KeptWrite& known : found->second)
      if (known.is_plain == is_plain && (known.bytes & mine) != 0 &&
          !ordered(actor.knows->order, known.write, actor))
        return &known.write;
  }
  return nullptr;
}

// Mostly a barrier has followed what comes before atomics.
bool Checker::is_known_to_all(const Touch& write) const {
  for (const auto& cta : cluster_->ctas)
    for (const Warp& warp : cta->warps)
      for (const LaneClass& known : warps_[component_of(warp)]) {
        const bool knows = known.knows.order.covers(write.component(), write.lanes, write.time);
        if (!knows && (known.lanes & warp.alive) != 0) return false;
      }
  return true;
}

// What a strong store does not forget, as flags of its cell: other strong ones, of which somebody
// with a plain access may not know, and the plain one below, of which another strong one may not.
std::uint8_t Checker::keep_below(const Actor& actor, const Cta& cta, const WholeCell& at,
                                 std::uint32_t offset, std::uint32_t bytes) {
  const Touch before = at.write();
  const std::uint8_t flags = at.cell.flags;
  if ((flags & Cell::kAtomic) == 0) {
    if (at.cell.state != CellState::valid || (flags & Cell::kAsync) != 0 || is_known_to_all(before))
      return 0;
    keep_write(cta, at, offset, bytes, before, true);
    return Cell::kUnder;
  }
  const std::uint8_t under = flags & Cell::kUnder;
  if ((flags & Cell::kMore) == 0 && ordered(actor.knows->order, before, actor)) return under;
  keep_write(cta, at, offset, bytes, before, false);
  return under | Cell::kMore;
}

void Checker::write(const Actor& actor, Cta& cta, std::uint32_t offset, std::uint32_t bytes,
                    CellState state) {
  Shadow& shadow = shadow_of(cta);
  const Touch me{now_, actor.lanes, actor.where()};
  const auto flags = static_cast<std::uint8_t>((actor.is_async ? Cell::kAsync : 0) |
                                               (actor.is_strong ? Cell::kAtomic : 0));
  Time all = known_of_all(actor);
  if (actor.is_async) all = std::min(all, actor.knows->fenced.known_of_all(next_component_));
  // Parts of which each keeps its readers stay parts.
  const bool joins = pass_ != Pass::looks && !actor.is_strong;
  shadow.each(offset, bytes, joins,
              [&](const WholeCell& at, std::uint32_t where, std::uint32_t size) {
                if (pass_ != Pass::sets) {
                  if (at.cell.state != CellState::unwritten)
                    check_write(actor, cta, at, where, size);
                  // After an atomic others ask, who may know less.
                  const bool may_matter = at.cell.logged > (actor.is_strong ? 0 : all);
                  if (may_matter) enter_log(shadow);
                  check_readers(actor, cta, at, where);
                }
                if (pass_ == Pass::looks) return;
                Touch made = me;
                const Touch before = at.write();
                if (pass_ == Pass::sets && at.cell.time == me.time && at.cell.where == me.where)
                  made.lanes |= before.lanes;  // of the same instruction
                const std::uint8_t below =
                    actor.is_strong ? keep_below(actor, cta, at, where, size) : std::uint8_t{0};
                const std::uint8_t readers = at.cell.readers;
                at.set(made, state, flags | below);
                // Another atomic need not know of this one, and so not of who has read.
                if (actor.is_strong) at.cell.readers = readers;
              });
}

void Checker::keep_mbarrier(const Cta& cta, std::uint32_t offset, bool is_there) {
  shadow_of(cta).each(offset, 8, false, [&](const WholeCell& at, std::uint32_t, std::uint32_t) {
    constexpr std::uint8_t kFlag = Cell::kMbarrier;
    at.cell.flags =
        static_cast<std::uint8_t>(is_there ? at.cell.flags | kFlag : at.cell.flags & ~kFlag);
  });
}

void Checker::check_write(const Actor& actor, const Cta& cta, const WholeCell& at,
                          std::uint32_t offset, std::uint32_t bytes) {
  if (at.cell.state == CellState::reserved)
    return report(FindingKind::reserved_shared, actor, cta, offset, nullptr);
  const Touch write = at.write();
  if ((at.cell.flags & Cell::kMbarrier) != 0)
    return report(FindingKind::mbarrier_overwritten, actor, cta, offset, &write);
  if (actor.copy != nullptr && brings_the_same(actor, cta, at.cell, offset, bytes)) return;
  const bool may_meet = (at.cell.flags & Cell::kAtomic) != 0 && actor.is_strong;
  const auto check_under = [&] {
    if ((at.cell.flags & Cell::kUnder) == 0) return;
    const Touch* plain = unordered_below(actor, cta, offset, bytes, true);
    if (plain != nullptr) race_of_writes(actor, cta, *plain, offset, bytes);
  };
  if (at.cell.state == CellState::landing && may_meet) return check_under();
  if (at.cell.state == CellState::copying || at.cell.state == CellState::landing)
    return report(at.cell.state == CellState::copying ? FindingKind::missing_copy_wait
                                                      : FindingKind::missing_bulk_wait,
                  actor, cta, offset, &write);
  const bool was_async = (at.cell.flags & Cell::kAsync) != 0;
  if (ordered(actor.knows->order, write, actor)) {
    if (actor.is_async && !was_async && !ordered(actor.knows->fenced, write, actor))
      report(FindingKind::proxy_overwrites, actor, cta, offset, &write);
    if ((at.cell.flags & Cell::kMore) == 0 || actor.is_strong) return;
    const Touch* other = unordered_below(actor, cta, offset, bytes, false);
    return other != nullptr ? race_of_writes(actor, cta, *other, offset, bytes) : void();
  }
  if (may_meet) return check_under();
  if (was_async) return report(FindingKind::missing_bulk_wait, actor, cta, offset, &write);
  if (is_copied(write)) return report(FindingKind::missing_copy_wait, actor, cta, offset, &write);
  race_of_writes(actor, cta, write, offset, bytes);
}

void Checker::race_of_writes(const Actor& actor, const Cta& cta, const Touch& write,
                             std::uint32_t offset, std::uint32_t bytes) {
  // Lanes of one instruction that write the same place: one of them wins, which is allowed.
  const bool same_instruction =
      may_meet_itself_ && write.where == actor.where() && write.time == now_;
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
  may_meet_itself_ = true;
  for (const Deferred& race : deferred_)
    if (std::memcmp(race.old.data(), race.cta->shared.get() + race.offset, race.bytes) != 0)
      report(FindingKind::race_write_after_write, race.actor, *race.cta, race.offset, &race.other);
  deferred_.clear();
  for (const DeferredGlobal& race : deferred_global_)
    if (std::memcmp(race.old.data(), reinterpret_cast<const void*>(race.address), race.bytes) !=
        0) {
      if (race.of != nullptr)
        report_earlier(race.kind, race.actor, race.address, race.other, *race.of);
      else
        report_global(race.kind, race.actor, race.address, race.other);
    }
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
    // Volatile data: lanes of a warp that run in step (is_in_step), as far as they store.
    const bool is_volatile =
        read.component() < warps_.size() && plan_.sites[read.pc()].decides_nothing;
    if (is_volatile &&
        (read.component() != actor.component || plan_.sites[actor.pc].kind != SiteKind::store))
      continue;
    const bool is_fine = order.known(read.component()) >= read.time || has_read(actor, read);
    if (!is_fine && !ordered(order, read, actor))
      report(warpgroups_.is_of_one_warp(read.component()) ? FindingKind::warpgroup_lockstep
                                                          : FindingKind::race_write_after_read,
             actor, cta, offset, &read);
    else if (actor.is_async && may_be_late(actor, read))
      report(FindingKind::late_read, actor, cta, offset, &read);
  }
}

// 8.2: that a thread has read, what it told others of it and that it reads no more are one to the
// generic proxy alone; a card does copy first (docs/experiments/late_reads.md).
bool Checker::may_be_late(const Actor& actor, const Touch& read) const {
  const bool is_generic = read.component() < warps_.size();  // not a wgmma's or a copy's
  return is_generic && !ordered(actor.knows->fenced, read, actor) &&
         !ordered(actor.knows->fenced_reads, read, actor);
}

}  // namespace lanescope::emulator
