// SPDX-License-Identifier: MIT
// wgmma: its operands, its registers, and what a wait tells (warpgroup.hpp).
#include "emulator/check/warpgroup.hpp"

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "layout/descriptor.hpp"

namespace lanescope::emulator {
namespace {

template <class Item, class Like>
bool has(const std::vector<Item>& items, const Like& like) {
  return std::find(items.begin(), items.end(), like) != items.end();
}

// One of the warp's lanes is enough for each lane that stored.
bool warp_knows(const LaneClasses& lanes, Clock Knowledge::*what, const Touch& write,
                const Actor& actor) {
  const auto one_knows = [&](const Touch& touch) {
    return std::any_of(lanes.begin(), lanes.end(), [&](const LaneClass& known) {
      return ordered(known.knows.*what, touch, actor);
    });
  };
  if (one_knows(write)) return true;
  Touch one = write;
  for (std::uint32_t rest = write.lanes; rest != 0; rest &= rest - 1) {
    one.lanes = rest & (0 - rest);
    if (!one_knows(one)) return false;
  }
  return true;
}

}  // namespace

void WarpgroupWatch::start(std::size_t warps) {
  groups_.clear();
  registers_.assign(warps, {});
}

WarpgroupWatch::Group& WarpgroupWatch::group_of(const Warp& warp) {
  const std::size_t first = check_.component_of(warp) - static_cast<std::size_t>(warp.index % 4);
  const auto [at, is_new] = groups_.try_emplace(first);
  if (is_new) at->second.component = check_.new_warpgroup();
  return at->second;
}

bool WarpgroupWatch::is_of_one_warp(std::size_t component) const {
  for (const auto& [first, group] : groups_)
    if (component > group.component && component <= group.component + 4) return true;
  return false;
}

const Actor& WarpgroupWatch::reads(const Warp& warp) {
  Group& group = group_of(warp);
  const std::size_t first = check_.component_of(warp) - static_cast<std::size_t>(warp.index % 4);
  group.together.clear();
  for (std::size_t k = first; k < first + 4; ++k) {
    for (const LaneClass& known : check_.known_by(k)) group.together.join(known.knows);
    group.together.order.raise(k, kAllLanes, check_.now());
  }
  group.last_read = check_.now();
  group.actor.warp = &warp;
  group.actor.knows = &group.together;
  group.actor.component = group.component;
  group.actor.lanes = kAllLanes;
  group.actor.pc = warp.pc;
  group.actor.is_async = true;
  return group.actor;
}

// What threads stored, each warp must know itself. That a bulk copy has landed, or that all have
// read, one of the four may know for the others.
void WarpgroupWatch::operand_read(const Actor& actor, Cta& cta, std::uint32_t offset) {
  check_.read(actor, cta, offset, 16);
  const std::size_t first =
      check_.component_of(*actor.warp) - static_cast<std::size_t>(actor.warp->index % 4);
  Shadow& shadow = check_.shadow_of(cta);
  shadow.each(offset, 16, false, [&](const WholeCell& at, std::uint32_t where, std::uint32_t) {
    const bool stored = (at.cell.flags & Cell::kAsync) == 0;
    if (!stored && !check_.options().strict) return;
    const Touch write = at.write();
    for (std::size_t k = 0; k < 4; ++k) {
      Actor alone = actor;
      alone.component = actor.component + 1 + k;
      const LaneClasses& lanes = check_.known_by(first + k);
      alone.knows = &lanes.front().knows;
      const bool mine =
          write.component() == first + k || warp_knows(lanes, &Knowledge::order, write, alone);
      if (!mine && at.cell.state == CellState::valid && ordered(actor.knows->order, write, actor))
        check_.report(stored ? FindingKind::race_read_after_write : FindingKind::warpgroup_lockstep,
                      alone, cta, where, &write);
      if (check_.options().strict && stored && mine && ordered(actor.knows->fenced, write, actor) &&
          !warp_knows(lanes, &Knowledge::fenced, write, alone))
        check_.report(FindingKind::missing_proxy_fence, alone, cta, where, &write);
      if (check_.options().strict)
        Checker::add_reader(shadow, at, {check_.now(), alone.lanes, alone.where()}, &alone);
    }
  });
}

void WarpgroupWatch::issued(const Warp& warp, const WgmmaPlan& plan, std::uint32_t list) {
  Registers& mine = registers_[check_.component_of(warp)];
  const std::uint32_t* rows = check_.program().rows.data();
  Flying issued;
  issued.pc = warp.pc;
  issued.frame = warp.rows;
  issued.results.assign(rows + list, rows + list + plan.D.registers);
  issued.own = issued.results.size();
  if (plan.a_in_registers)
    issued.operands.assign(rows + plan.a_list, rows + plan.a_list + plan.A.registers);
  Actor actor;
  actor.warp = &warp;
  actor.lanes = kAllLanes;
  actor.pc = warp.pc;
  Touch touch;
  if (!mine.fenced)
    check_.report(FindingKind::first_wgmma_fence, actor, *warp.cta, kNoAddress, nullptr);
  check_registers_under_way(actor, issued);
  if (!plan.a_in_registers) check_descriptor(warp, plan.a_descriptor);
  check_descriptor(warp, plan.b_descriptor);
  const auto is_its = [&](const Access& one) {
    return has(issued.results, one.row) || has(issued.operands, one.row);
  };
  const auto first = std::find_if(mine.accesses.begin(), mine.accesses.end(), is_its);
  // Compilers move arithmetic over a fence, and ptxas knows: any fence since the wait will do.
  if (first != mine.accesses.end() && !mine.fenced_anew) {
    touch.lanes = kAllLanes;
    touch.where = Touch::place(check_.component_of(warp), first->pc);
    check_.report(
        first->is_write ? FindingKind::missing_wgmma_fence : FindingKind::wgmma_fence_behind_read,
        actor, *warp.cta, kNoAddress, &touch);
  }
  // From now on they are this wgmma's: the next of the same shape needs no fence.
  mine.accesses.erase(std::remove_if(mine.accesses.begin(), mine.accesses.end(), is_its),
                      mine.accesses.end());
  const Warpgroup& group = warp.cta->async->warpgroups[static_cast<std::size_t>(warp.index / 4)];
  issued.group = group.commits[warp.index % 4];
  const Time time = group_of(warp).last_read;
  if (mine.reads.empty() || mine.reads.back().first != issued.group)
    mine.reads.emplace_back(issued.group, time);
  mine.reads.back().second = time;
  if (plan.is_serialised) {
    check_.tick();
    return;
  }
  // Another step of the same sum takes the place of the one before.
  for (Flying& older : mine.flying)
    if (older.results == issued.results && older.operands == issued.operands &&
        older.frame == issued.frame) {
      older = std::move(issued);
      check_.tick();
      return;
    }
  mine.flying.push_back(std::move(issued));
  check_.tick();
}

// The registers of a D under way are another one's D alone, and in the same order: the ISA wants a
// wait before any other use, and of another order ptxas copies what was in them before.
// docs/experiments/ptxas_mistakes.md
void WarpgroupWatch::check_registers_under_way(const Actor& actor, const Flying& issued) {
  const std::size_t component = check_.component_of(*actor.warp);
  for (const Flying& older : registers_[component].flying) {
    if (older.frame != issued.frame) continue;
    const auto begin = older.results.begin(), end = begin + static_cast<std::ptrdiff_t>(older.own);
    bool is_other = false;
    for (std::size_t k = 0; k < issued.own; ++k)
      if (const auto there = std::find(begin, end, issued.results[k]); there != end)
        is_other =
            is_other || older.own != issued.own || there - begin != static_cast<std::ptrdiff_t>(k);
    const bool is_a =
        std::find_first_of(begin, end, issued.operands.begin(), issued.operands.end()) != end;
    if (!is_other && !is_a) continue;
    const Touch touch{check_.now(), kAllLanes, Touch::place(component, older.pc)};
    check_.report(
        is_other ? FindingKind::accumulator_in_other_order : FindingKind::accumulator_in_flight,
        actor, *actor.warp->cta, kNoAddress, &touch);
    return;
  }
}

// 9.7.15.5.1.2: base_offset is 0 where the pattern begins at a multiple of its size, else the row
// of 128 bytes at which it does. The pattern of a tensor copy always begins at such a multiple,
// wherever its tile does.
void WarpgroupWatch::check_descriptor(const Warp& warp, std::uint32_t row_offset) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, warp.rows + row_offset, 8);
  const layout::Descriptor descriptor = layout::decode(bits);
  const auto rows = static_cast<std::uint32_t>(layout::units_per_row(descriptor.mode));
  if (descriptor.mode == layout::Swizzle::none) return;
  const std::uint32_t first = descriptor.start_bytes >> 7;
  if (((first ^ static_cast<std::uint32_t>(descriptor.base_offset)) & (rows - 1)) == 0) return;
  if (descriptor.base_offset == 0 && is_of_tensor_copy(*warp.cta, descriptor.start_bytes)) return;
  Actor actor;
  actor.warp = &warp;
  actor.lanes = kAllLanes;
  actor.pc = warp.pc;
  check_.report(FindingKind::misaligned_descriptor, actor, *warp.cta, descriptor.start_bytes,
                nullptr);
}

bool WarpgroupWatch::is_of_tensor_copy(const Cta& cta, std::uint32_t offset) {
  Shadow& shadow = check_.shadow_of(cta);
  if (offset / 16 >= shadow.count()) return false;
  const Cell& cell = shadow.at(offset).cell;
  if (cell.state == CellState::split || (cell.flags & Cell::kAsync) == 0) return false;
  const PtxStatement* written = check_.program().statement(cell.where & Touch::kMostPc);
  return written != nullptr && has(written->modifiers, "tensor");
}

void WarpgroupWatch::fence(const Warp& warp) {
  Registers& mine = registers_[check_.component_of(warp)];
  mine.fenced = mine.fenced_anew = true;
  mine.accesses.clear();
}

void WarpgroupWatch::wait(const Warp& warp, std::int64_t pending_groups) {
  Registers& mine = registers_[check_.component_of(warp)];
  mine.fenced_anew = false;
  const auto index = static_cast<std::size_t>(warp.index / 4);
  if (index >= warp.cta->async->warpgroups.size()) return;  // of no warpgroup: nothing to wait for
  const Warpgroup& group = warp.cta->async->warpgroups[index];
  const std::int64_t last = std::int64_t{group.commits[warp.index % 4]} - pending_groups;
  mine.flying.erase(std::remove_if(mine.flying.begin(), mine.flying.end(),
                                   [&](const Flying& one) { return one.group < last; }),
                    mine.flying.end());
  Knowledge done;
  const Group& together = group_of(warp);
  const std::size_t first = check_.component_of(warp) - static_cast<std::size_t>(warp.index % 4);
  while (!mine.reads.empty() && mine.reads.front().first < last) {
    const Time time = mine.reads.front().second;
    done.order.raise(together.component, kAllLanes, time);
    done.order.raise(together.component + 1 + static_cast<std::size_t>(warp.index % 4), kAllLanes,
                     time);
    // The four had come there: what they had read before, as scales or for A, they have.
    for (std::size_t k = first; k < first + 4 && !check_.options().strict; ++k)
      done.reads.raise(k, kAllLanes, time);
    mine.reads.erase(mine.reads.begin());
  }
  check_.acquire(warp, kAllLanes, done);
}

// Of each register the first write, or else the first read.
void WarpgroupWatch::note(std::vector<Access>& accesses, const Access& one) {
  const auto at = std::find_if(accesses.begin(), accesses.end(),
                               [&](const Access& other) { return other.row == one.row; });
  if (at == accesses.end())
    accesses.push_back(one);
  else if (one.is_write && !at->is_write)
    *at = one;
}

void WarpgroupWatch::registers_used(const Warp& warp, const Site& site, std::uint32_t active) {
  Registers& mine = registers_[check_.component_of(warp)];
  const std::uint32_t* rows = check_.plan().rows.data() + site.first_use;
  const std::uint32_t pc = warp.pc;
  for (int k = 0; k < site.uses && !site.is_move; ++k)
    note(mine.accesses, {rows[k], pc, k < site.writes});
  for (Flying& flying : mine.flying) {
    if (flying.frame != warp.rows) continue;
    int found = -1;
    for (int k = 0; k < site.uses && found < 0; ++k)
      if (has(flying.results, rows[k]) || (k < site.writes && has(flying.operands, rows[k])))
        found = k;
    if (found < 0) continue;
    const bool from_flying = site.uses > 1 && has(flying.results, rows[1]);
    if (site.is_move && (from_flying || has(flying.operands, rows[0]))) {
      if (from_flying && !has(flying.results, rows[0])) flying.results.push_back(rows[0]);
      continue;
    }
    Actor actor;
    actor.warp = &warp;
    actor.lanes = active;
    actor.pc = pc;
    const Touch touch{check_.now(), kAllLanes, Touch::place(check_.component_of(warp), flying.pc)};
    const Warpgroup& group = warp.cta->async->warpgroups[static_cast<std::size_t>(warp.index / 4)];
    check_.report(flying.group == group.commits[warp.index % 4]
                      ? FindingKind::accumulator_uncommitted
                      : FindingKind::accumulator_in_flight,
                  actor, *warp.cta, kNoAddress, &touch);
  }
}

}  // namespace lanescope::emulator
