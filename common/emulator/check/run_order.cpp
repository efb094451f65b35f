// SPDX-License-Identifier: MIT
// Checked instructions that order others: barriers, mbarriers, fences, waits, wgmma. Where threads
// meet, the checker hears of it when the instruction has run; where one waits or hands over what it
// knows, before.
#include "emulator/check/touched.hpp"

namespace lanescope::emulator {
namespace {

// The mbarriers that lanes name: act(cta, offset, lanes) for each.
template <class Act>
void each_barrier(const Warp& w, const Addresses& at, Act act) {
  for (std::uint32_t rest = at.mask; rest != 0;) {
    const std::uint32_t address = at.shared[__builtin_ctz(rest)];
    std::uint32_t lanes = 0;
    for (std::uint32_t others = rest; others != 0; others &= others - 1)
      if (at.shared[__builtin_ctz(others)] == address) lanes |= others & (0 - others);
    rest &= ~lanes;
    if (Cta* cta = owner(w, address); cta != nullptr) act(*cta, address & kOffsetMask, lanes);
  }
}

// The first wait of a warp at this place is answered that the phase is not complete, unless the
// lanes know that it is: a try_wait may give up, and the run may have been slower. Who does not ask
// again goes on without having heard of anything.
bool may_be_early(Checker& check, const Warp& w, const Addresses& at) {
  bool may_be = true;
  each_barrier(w, at, [&](Cta& cta, std::uint32_t offset, std::uint32_t lanes) {
    may_be = may_be && check.mbarriers().may_be_incomplete(w, lanes, cta, offset);
  });
  return may_be;
}

Flow run_mbarrier(Checker& check, const Site& site, Warp& w, const Instruction& i,
                  std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  const Hands hands = (i.detail & kMbarrierArrives) == 0 ? Hands::nothing
                      : site.synchronises                ? Hands::all
                                                         : Hands::fenced;
  if (site.kind == SiteKind::mbarrier_arrive)
    each_barrier(w, at, [&](Cta& cta, std::uint32_t offset, std::uint32_t lanes) {
      check.mbarriers().arrival(w, lanes, cta, offset, hands);
    });
  if (site.kind == SiteKind::mbarrier_invalidate)
    each_barrier(w, at, [&](Cta& cta, std::uint32_t offset, std::uint32_t lanes) {
      check.mbarriers().invalidated(w, lanes, cta, offset);
    });
  Flow flow = i.handler(w, i, active);
  if (site.kind == SiteKind::mbarrier_wait && (flow == Flow::next || flow == Flow::retry) &&
      check.mbarriers().is_first_look(w) && (flow == Flow::retry || may_be_early(check, w, at))) {
    predicate(w, i.d) &= ~active;
    flow = Flow::yield;
  }
  if (flow != Flow::next && flow != Flow::yield) return flow;
  each_barrier(w, at, [&](Cta& cta, std::uint32_t offset, std::uint32_t lanes) {
    if (site.kind == SiteKind::mbarrier_init)
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        check.mbarriers().initialised(w, __builtin_ctz(rest), cta, offset);
    else if (site.kind == SiteKind::mbarrier_wait)
      check.mbarriers().asked(w, lanes, lanes & predicate(w, i.d), cta, offset,
                              {site.synchronises, (i.detail & kMbarrierParity) != 0});
  });
  return flow;
}

// What a thread hands over or waits for: the checker hears of it before the instruction runs.
template <void (*tell)(Checker&, const Site&, const Warp&, const Instruction&, std::uint32_t)>
Flow before(Checker& check, const Site& site, Warp& w, const Instruction& i, std::uint32_t active) {
  tell(check, site, w, i, active);
  return i.handler(w, i, active);
}

void async_wait(Checker& check, const Site&, const Warp& w, const Instruction& i,
                std::uint32_t active) {
  check.copies_landed(w, active, i.immediate);
}
void bulk_wait(Checker& check, const Site& site, const Warp& w, const Instruction& i,
               std::uint32_t active) {
  check.bulk_waits(w, active, i.immediate, site.waits_for_reads);
}
void memory_fence(Checker& check, const Site& site, const Warp& w, const Instruction&,
                  std::uint32_t active) {
  check.fence_memory(w, active, site.is_far, site.acquires);
}
void proxy_fence(Checker& check, const Site& site, const Warp& w, const Instruction&,
                 std::uint32_t active) {
  check.fence_proxy(w, active, {site.of_shared, site.of_global});
  if (site.of_shared) check.mbarriers().fence_init(w, active);
}
void grid_wait(Checker& check, const Site&, const Warp& w, const Instruction&,
               std::uint32_t active) {
  check.wait_for_grid(w, active);
}
void barrier_init_fence(Checker& check, const Site&, const Warp& w, const Instruction&,
                        std::uint32_t active) {
  check.mbarriers().fence_init(w, active);
}

void map_fence(Checker& check, const Site& site, const Warp& w, const Instruction& i,
               std::uint32_t active) {
  if (site.releases) check.tensor_maps().released(w, active);
  if (!site.acquires) return;
  Addresses at;
  find_addresses(w, i, active, at);
  each_global(check, w, at, 128, site, [&](const Actor& actor, std::uint64_t address) {
    check.tensor_maps().acquired(actor, address);
  });
  check.tick();  // what is stored from now on comes later
}

// Where threads meet: the checker hears of it when the instruction has run.
template <void (*tell)(Checker&, const Site&, const Warp&, const Instruction&, std::uint32_t)>
Flow after(Checker& check, const Site& site, Warp& w, const Instruction& i, std::uint32_t active) {
  const Flow flow = i.handler(w, i, active);
  if (flow == Flow::next || flow == Flow::barrier) tell(check, site, w, i, active);
  if (flow == Flow::part) tell(check, site, w, i, w.part);
  return flow;
}

// bar.warp.sync: lanes that execute it together may belong to several sets.
void warp_barrier(Checker& check, const Site&, const Warp& w, const Instruction& i,
                  std::uint32_t active) {
  const auto* masks = row<std::uint32_t>(w, i.a);
  for (std::uint32_t rest = active; rest != 0;) {
    const std::uint32_t mask = masks[__builtin_ctz(rest)] & active;
    check.meet(w, mask);
    rest &= ~mask;
  }
}
void exchange(Checker& check, const Site&, const Warp& w, const Instruction&,
              std::uint32_t active) {
  check.exchange(w, active);
}
void barrier(Checker& check, const Site&, const Warp& w, const Instruction& i,
             std::uint32_t active) {
  const auto name = row<std::uint32_t>(w, i.a)[__builtin_ctz(active)];
  check.arrive_at_barrier(w, active, static_cast<int>(name));
}
void cluster_arrive(Checker& check, const Site& site, const Warp& w, const Instruction&,
                    std::uint32_t active) {
  if (site.synchronises)
    check.arrive_at_cluster_barrier(w, active);
  else
    check.arrive_relaxed_at_cluster_barrier(w, active);
}
void cluster_wait(Checker& check, const Site&, const Warp& w, const Instruction&,
                  std::uint32_t active) {
  check.pass_cluster_barrier(w, active);
}
void wgmma(Checker& check, const Site&, const Warp& w, const Instruction& i, std::uint32_t) {
  const auto& plans = w.cta->launch->program->wgmmas;
  check.warpgroups().issued(w, plans[static_cast<std::size_t>(i.immediate)], i.list);
}
void wgmma_fence(Checker& check, const Site&, const Warp& w, const Instruction&, std::uint32_t) {
  check.warpgroups().fence(w);
}
void wgmma_wait(Checker& check, const Site&, const Warp& w, const Instruction& i, std::uint32_t) {
  check.warpgroups().wait(w, i.immediate);
}
// Only the registers that it uses are of interest.
void nothing(Checker&, const Site&, const Warp&, const Instruction&, std::uint32_t) {}

}  // namespace

Handler checked_order(SiteKind kind) {
  switch (kind) {
    case SiteKind::async_wait:
      return &checked<before<async_wait>>;
    case SiteKind::bulk_wait:
      return &checked<before<bulk_wait>>;
    case SiteKind::memory_fence:
      return &checked<before<memory_fence>>;
    case SiteKind::proxy_fence:
      return &checked<before<proxy_fence>>;
    case SiteKind::map_fence:
      return &checked<before<map_fence>>;
    case SiteKind::grid_wait:
      return &checked<before<grid_wait>>;
    case SiteKind::barrier_init_fence:
      return &checked<before<barrier_init_fence>>;
    case SiteKind::mbarrier_init:
    case SiteKind::mbarrier_invalidate:
    case SiteKind::mbarrier_arrive:
    case SiteKind::mbarrier_wait:
      return &checked<run_mbarrier>;
    case SiteKind::warp_barrier:
      return &checked<after<warp_barrier>>;
    case SiteKind::exchange:
      return &checked<after<exchange>>;
    case SiteKind::barrier:
      return &checked<after<barrier>>;
    case SiteKind::cluster_arrive:
      return &checked<after<cluster_arrive>>;
    case SiteKind::cluster_wait:
      return &checked<after<cluster_wait>>;
    case SiteKind::wgmma:
      return &checked<after<wgmma>>;
    case SiteKind::wgmma_fence:
      return &checked<after<wgmma_fence>>;
    case SiteKind::wgmma_wait:
      return &checked<after<wgmma_wait>>;
    default:
      return &checked<after<nothing>>;
  }
}

Handler checked_handler(SiteKind kind) {
  for (const Handler found : {checked_memory(kind), checked_collective(kind)})
    if (found != nullptr) return found;
  return checked_order(kind);
}

}  // namespace lanescope::emulator
