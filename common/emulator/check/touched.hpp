// SPDX-License-Identifier: MIT
// Where the lanes of a checked instruction point to: shared memory (of another CTA of the cluster,
// too) and global memory, and loops over those places. And `checked`, the detour itself.
//
// Only check/run_*.cpp include this: everything here is theirs alone.
#pragma once

#include <span>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

struct Addresses {
  std::uint32_t shared[kLanes];  // 32-bit shared addresses, with the rank of a CTA
  std::uint32_t mask = 0;        // lanes that point into shared memory
  std::uint64_t global[kLanes];
  std::uint32_t global_mask = 0;  // lanes that point into global memory
};

// Global memory is below the windows of generic addresses.
inline void find_global(const std::uint64_t* rows, const Instruction& i, std::uint32_t lanes,
                        Addresses& at) {
  if (i.space == Space::global) at.mask = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    at.global[lane] = rows[lane] + static_cast<std::uint64_t>(i.immediate);
    if (at.global[lane] < kSharedWindow) at.global_mask |= lanes & 1u << lane;
  }
}

// What the lanes' address registers hold, before a load overwrites them.
inline void find_addresses(const Warp& w, const Instruction& i, std::uint32_t active,
                           Addresses& at) {
  at.mask = active;
  if (!i.wide_address) {
    const auto* a = row<std::uint32_t>(w, i.a);
    const auto displacement = static_cast<std::uint32_t>(i.immediate);
    for (int lane = 0; lane < kLanes; ++lane) at.shared[lane] = a[lane] + displacement;
    return;
  }
  const auto* a = row<std::uint64_t>(w, i.a);
  if (i.space == Space::global) return find_global(a, i, active, at);
  const std::uint64_t displacement =
      static_cast<std::uint64_t>(i.immediate) - (i.space == Space::generic ? kSharedWindow : 0);
  std::uint32_t inside = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t address = a[lane] + displacement;
    at.shared[lane] = static_cast<std::uint32_t>(address);
    inside |= (address < kWindowBytes ? 1u : 0u) << lane;
  }
  at.mask &= inside;
  if (at.mask != active && i.space == Space::generic) find_global(a, i, active & ~at.mask, at);
}

inline Cta* owner(const Warp& w, std::uint32_t address) {
  const std::uint32_t rank = address >> kRankBit;
  const auto& ctas = w.cta->cluster->ctas;
  return rank < ctas.size() ? ctas[rank].get() : nullptr;
}

inline bool fits(const Cta& cta, std::uint32_t offset, std::uint32_t bytes) {
  return offset + bytes <= static_cast<std::uint64_t>(cta.launch->shared_bytes);
}

// Whether two lanes may point to the same bytes, at a glance.
template <class Address>
bool may_coincide(const Address* addresses, std::uint32_t lanes, std::uint32_t bytes) {
  const int shift = __builtin_ctz(bytes | 16);
  std::uint64_t seen = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t bit = std::uint64_t{1} << (addresses[__builtin_ctz(rest)] >> shift & 63);
    if ((seen & bit) != 0) return true;
    seen |= bit;
  }
  return false;
}

// Of `lanes`, those that point where the first of them does.
template <class Address>
std::uint32_t same_place(const Address* addresses, std::uint32_t lanes) {
  const Address address = addresses[__builtin_ctz(lanes)];
  std::uint32_t same = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (addresses[__builtin_ctz(rest)] == address) same |= rest & (0 - rest);
  return same;
}

// Calls act(actor, cta, offset) for each place in shared memory: lanes that touch the same bytes do
// so as one.
template <class Act>
void each_lane(Checker& check, const Warp& w, const Addresses& at, std::uint32_t bytes, Act act) {
  const bool together = may_coincide(at.shared, at.mask, bytes);
  check.as_lanes(w, at.mask, w.pc, [&](Actor actor) {
    std::uint32_t rest = actor.lanes;
    while (rest != 0) {
      const std::uint32_t address = at.shared[__builtin_ctz(rest)];
      actor.lanes = together ? same_place(at.shared, rest) : rest & (0 - rest);
      rest &= ~actor.lanes;
      Cta* cta = owner(w, address);
      const std::uint32_t offset = address & kOffsetMask;
      if (cta == nullptr || !fits(*cta, offset, bytes)) continue;
      if (cta != w.cta) check.reach_out(actor, *cta, offset);
      act(actor, *cta, offset);
    }
  });
}

// Calls act(actor, address) for each place in global memory.
template <class Act>
void each_global(Checker& check, const Warp& w, const Addresses& at, std::uint32_t bytes,
                 const Site& site, Act act) {
  if (at.global_mask == 0) return;
  const bool together = may_coincide(at.global, at.global_mask, bytes);
  check.as_lanes(w, at.global_mask, w.pc, [&](Actor actor) {
    actor.is_strong = site.is_strong;
    actor.is_near = !site.is_far;
    actor.answers = site.answers;
    actor.is_by_nc = site.is_by_nc;
    actor.is_cached = site.is_cached;
    for (std::uint32_t rest = actor.lanes; rest != 0; rest &= ~actor.lanes) {
      actor.lanes = together ? same_place(at.global, rest) : rest & (0 - rest);
      act(actor, at.global[__builtin_ctz(rest)]);
    }
  });
}

// Places that several lanes name once: act(key, lanes).
template <class Act>
void each_key(const Warp& w, const Addresses& at, Act act) {
  const auto key_of = [&](int lane) -> std::uint64_t {
    if (((at.mask >> lane) & 1) == 0) return Checker::key_of_global(at.global[lane]);
    const Cta* cta = owner(w, at.shared[lane]);
    return cta == nullptr ? 0 : Checker::key_of(*cta, at.shared[lane] & kOffsetMask);
  };
  for (std::uint32_t rest = at.mask | at.global_mask; rest != 0;) {
    const std::uint64_t key = key_of(__builtin_ctz(rest));
    std::uint32_t lanes = 0;
    for (std::uint32_t others = rest; others != 0; others &= others - 1)
      if (key_of(__builtin_ctz(others)) == key) lanes |= others & (0 - others);
    rest &= ~lanes;
    act(key, lanes);
  }
}

// Lanes that know different things store as one: all must have known what was there before.
template <class Act>
void as_one_store(Checker& check, const Warp& w, Act act) {
  if (!check.is_divided(w)) return act();
  check.only(Checker::Pass::looks);
  act();
  check.only(Checker::Pass::sets);
  act();
  check.only(Checker::Pass::whole);
}

// --banks: the CTA's own shared memory.
inline void count_banks(Checker& check, const Warp& w, const Addresses& at, int rows, int bytes,
                        bool loads = false) {
  if (!check.options().banks) return;
  check.banks().count(w.pc, std::span(at.shared, static_cast<std::size_t>(rows)), at.mask, bytes,
                      loads);
}

// --sectors: global memory.
inline void count_sectors(Checker& check, const Warp& w, const Addresses& at, int bytes,
                          layout::SectorAccess access = layout::SectorAccess::ordinary) {
  if (!check.options().sectors || at.global_mask == 0) return;
  check.sectors().count(w.pc, at.global, at.global_mask, bytes, access);
}

/// The handler of an instruction that is checked: the registers that it uses, then `run`, which
/// calls the instruction's own handler and tells the checker before or after that.
template <Flow (*run)(Checker&, const Site&, Warp&, const Instruction&, std::uint32_t)>
Flow checked(Warp& w, const Instruction&, std::uint32_t active) {
  Checker& check = *w.cta->check;
  const std::uint32_t pc = w.pc;
  const Site& site = check.plan().sites[pc];
  if (site.uses != 0) check.registers_used(w, site, active);
  return run(check, site, w, w.cta->launch->program->code[pc], active);
}

/// The handlers of what touches memory, by lanes (run_memory.cpp) or as a warp
/// (run_collective.cpp), or nullptr; and of the rest (run_order.cpp).
Handler checked_memory(SiteKind kind);
Handler checked_collective(SiteKind kind);
Handler checked_order(SiteKind kind);

}  // namespace lanescope::emulator
