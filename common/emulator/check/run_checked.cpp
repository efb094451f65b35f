// SPDX-License-Identifier: MIT
// The detour that instructions take when a launch is checked: the instruction itself runs as ever;
// before or after it the checker hears of it.
#include <algorithm>
#include <cstring>
#include <span>

#include "emulator/check/checker.hpp"
#include "emulator/handlers.hpp"
#include "emulator/warp.hpp"

namespace lanescope::emulator {
namespace {

struct Addresses {
  std::uint32_t shared[kLanes];  // 32-bit shared addresses, with the rank of another CTA
  std::uint32_t mask = 0;        // lanes that point into shared memory
  std::uint64_t global[kLanes];
  std::uint32_t global_mask = 0;  // lanes that point into global memory
};

// Global memory is below the windows of generic addresses.
void find_global(const std::uint64_t* rows, const Instruction& i, std::uint32_t lanes,
                 Addresses& at) {
  if (i.space == Space::global) at.mask = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    at.global[lane] = rows[lane] + static_cast<std::uint64_t>(i.immediate);
    if (at.global[lane] < kSharedWindow) at.global_mask |= lanes & 1u << lane;
  }
}

// What the lanes' address registers hold, before a load overwrites them.
void find_addresses(const Warp& w, const Instruction& i, std::uint32_t active, Addresses& at) {
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

Cta* owner(const Warp& w, std::uint32_t address) {
  const std::uint32_t tag = address >> kRankBit;
  if (tag == 0) return w.cta;
  const auto& ctas = w.cta->cluster->ctas;
  return tag - 1 < ctas.size() ? ctas[tag - 1].get() : nullptr;
}

bool fits(const Cta& cta, std::uint32_t offset, std::uint32_t bytes) {
  return offset + bytes <= static_cast<std::uint64_t>(cta.launch->shared_bytes);
}

// Calls act(actor, cta, offset) for each lane in shared memory; lanes that want the same bytes
// are one reader.
template <class Act>
void each_lane(Checker& check, const Warp& w, const Addresses& at, std::uint32_t bytes,
               bool together, Act act) {
  check.as_lanes(w, at.mask, w.pc, [&](Actor actor) {
    std::uint32_t rest = actor.lanes;
    while (rest != 0) {
      const int lane = __builtin_ctz(rest);
      const std::uint32_t address = at.shared[lane];
      std::uint32_t same = 1u << lane;
      rest &= rest - 1;
      if (together) {
        while (rest != 0 && at.shared[__builtin_ctz(rest)] == address) {
          same |= rest & (0 - rest);
          rest &= rest - 1;
        }
      }
      actor.lanes = same;
      Cta* cta = owner(w, address);
      const std::uint32_t offset = address & kOffsetMask;
      if (cta == nullptr || !fits(*cta, offset, bytes)) continue;
      if (cta != w.cta) check.reach_out(actor, *cta, offset);
      act(actor, *cta, offset);
    }
  });
}

// Calls act(actor, address) for each lane in global memory.
template <class Act>
void each_global(Checker& check, const Warp& w, const Addresses& at, const Site& site, Act act) {
  if (at.global_mask == 0) return;
  check.as_lanes(w, at.global_mask, w.pc, [&](Actor actor) {
    actor.is_strong = site.is_strong;
    for (std::uint32_t rest = actor.lanes; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      actor.lanes = 1u << lane;
      act(actor, at.global[lane]);
    }
  });
}

// Places that several lanes name once: act(key, lanes).
template <class Act>
void each_key(const Warp& w, const Addresses& at, Act act) {
  const auto key_of = [&](int lane) -> std::uint64_t {
    if (((at.mask >> lane) & 1) == 0) return at.global[lane];
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

// A strong load hears what was published where it looks.
void hear(Checker& check, const Warp& w, const Addresses& at) {
  each_key(w, at, [&](std::uint64_t key, std::uint32_t lanes) { check.hear(w, lanes, key); });
  check.forget_news();
}

// A strong store publishes what its thread has released.
void publish(Checker& check, const Warp& w, const Site& site, const Addresses& at) {
  if (site.releases) check.fence_memory(w, at.mask | at.global_mask, site.is_far);
  each_key(w, at, [&](std::uint64_t key, std::uint32_t lanes) { check.publish(w, lanes, key); });
}

void loaded(Checker& check, const Warp& w, const Instruction& i, const Site& site,
            const Addresses& at) {
  each_global(check, w, at, site, [&](const Actor& actor, std::uint64_t address) {
    check.global_read(actor, address, i.bytes);
  });
  if (at.mask == 0) return;
  each_lane(check, w, at, i.bytes, true, [&](Actor actor, Cta& cta, std::uint32_t offset) {
    actor.is_strong = site.is_strong;
    check.read(actor, cta, offset, i.bytes);
  });
}

void stores(Checker& check, const Warp& w, const Instruction& i, const Site& site,
            const Addresses& at) {
  each_global(check, w, at, site, [&](const Actor& actor, std::uint64_t address) {
    check.global_write(actor, address, i.bytes);
  });
  if (at.mask == 0) return;
  each_lane(check, w, at, i.bytes, false, [&](Actor actor, Cta& cta, std::uint32_t offset) {
    actor.is_strong = site.is_strong;
    check.write(actor, cta, offset, i.bytes);
  });
}

// ldmatrix and stmatrix: the rows of 16 bytes are touched by the warp as a whole.
void matrix_rows(Checker& check, const Warp& w, const Instruction& i, std::uint32_t active,
                 const Addresses& at, bool writes) {
  const int rows = 8 * i.count;
  std::uint32_t tags = 0;
  for (int row = 0; row < rows; ++row) tags |= at.shared[row];
  const bool is_plain =
      (at.mask | ~std::uint32_t{0} << (rows - 1) << 1) == kAllLanes && tags >> kRankBit == 0;
  check.as_one(w, active, w.pc, [&](const Actor& actor) {
    if (is_plain && !writes) return check.read_rows(actor, *w.cta, at.shared, rows);
    for (int row = 0; row < rows; ++row) {
      Cta* cta = ((at.mask >> row) & 1) != 0 ? owner(w, at.shared[row]) : nullptr;
      const std::uint32_t offset = at.shared[row] & kOffsetMask;
      if (cta == nullptr || !fits(*cta, offset, 16)) continue;
      if (writes)
        check.write_row(actor, *cta, offset, CellState::valid);
      else
        check.read(actor, *cta, offset, 16);
    }
  });
}

// bar.warp.sync: lanes that execute it together may belong to several sets.
void warp_barrier(Checker& check, const Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* masks = row<std::uint32_t>(w, i.a);
  for (std::uint32_t rest = active; rest != 0;) {
    const std::uint32_t mask = masks[__builtin_ctz(rest)] & active;
    check.meet(w, mask);
    rest &= ~mask;
  }
}

// --banks: the CTA's own shared memory.
void count_banks(Checker& check, const Warp& w, const Addresses& at, int rows, int bytes) {
  if (!check.options().banks) return;
  check.banks().count(w.pc, std::span(at.shared, static_cast<std::size_t>(rows)), at.mask, bytes);
}

Flow run_load(Checker& check, const Site& site, Warp& w, const Instruction& i,
              std::uint32_t active) {
  const bool hears = site.is_strong && check.hears();
  const bool watches = hears || check.watches(site);
  if (i.space == Space::global && !watches) return i.handler(w, i, active);
  Addresses at;
  find_addresses(w, i, active, at);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next && flow != Flow::yield) return flow;
  if (!watches) at.global_mask = 0;
  if ((at.mask | at.global_mask) == 0) return flow;
  loaded(check, w, i, site, at);
  if (at.mask != 0) count_banks(check, w, at, kLanes, i.bytes);
  if (hears) hear(check, w, at);
  return flow;
}

Flow run_store(Checker& check, const Site& site, Warp& w, const Instruction& i,
               std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  if ((at.mask | at.global_mask) == 0) return i.handler(w, i, active);
  if (site.kind == SiteKind::store && at.mask != 0) count_banks(check, w, at, kLanes, i.bytes);
  const bool is_flag = site.is_strong && check.hears();
  if (is_flag && site.kind == SiteKind::atomic) hear(check, w, at);
  check.before_store();
  stores(check, w, i, site, at);
  if (is_flag) publish(check, w, site, at);
  const Flow flow = i.handler(w, i, active);
  check.after_store();
  return flow;
}

// wmma.load and wmma.store: the warp as a whole touches `outer` runs of `inner` elements.
Flow run_wmma(Checker& check, const Site& site, Warp& w, const Instruction& i,
              std::uint32_t active) {
  const WmmaPlan& plan = w.cta->launch->program->wmmas[i.target];
  Addresses at;
  find_addresses(w, i, active, at);
  const WmmaOperand& operand = plan.D;
  const auto inner = static_cast<std::uint32_t>(plan.row_major ? operand.cols : operand.rows);
  const auto outer = static_cast<std::uint32_t>(plan.row_major ? operand.rows : operand.cols);
  const auto each = static_cast<std::uint32_t>(operand.element_bytes);
  const auto together = static_cast<std::uint32_t>(operand.together);
  const std::uint32_t stride =
      plan.stride == kNoRow ? inner : row<std::uint32_t>(w, plan.stride)[0] / together;
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next || ((at.mask | at.global_mask) & 1) == 0) return flow;
  const bool is_global = (at.global_mask & 1) != 0;
  if (is_global && !check.watches(site)) return flow;
  check.as_one(w, active, w.pc, [&](const Actor& actor) {
    for (std::uint32_t k = 0; k < outer; ++k) {
      if (is_global) {
        const std::uint64_t address = at.global[0] + std::uint64_t{k} * stride * each;
        if (i.detail == 0)
          check.global_read(actor, address, inner * each);
        else
          check.global_write(actor, address, inner * each);
        continue;
      }
      const std::uint32_t offset = at.shared[0] + k * stride * each;
      if (!fits(*w.cta, offset, inner * each)) return;
      if (i.detail == 0)
        check.read(actor, *w.cta, offset, inner * each);
      else
        check.write(actor, *w.cta, offset, inner * each);
    }
  });
  return flow;
}

// st.async, which runs as a store and a complete_tx.
Flow run_async_store(Checker& check, const Site&, Warp& w, const Instruction& i,
                     std::uint32_t active) {
  const auto& parts = w.cta->launch->program->composites[static_cast<std::size_t>(i.immediate)];
  const std::uint32_t bytes = parts.front().bytes;
  Addresses to, barriers;
  find_addresses(w, parts.front(), active, to);
  find_addresses(w, parts.back(), active, barriers);
  for (std::uint32_t rest = to.mask & barriers.mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    Cta* target = owner(w, to.shared[lane]);
    Cta* home = owner(w, barriers.shared[lane]);
    const std::uint32_t offset = to.shared[lane] & kOffsetMask;
    if (target != nullptr && home != nullptr && fits(*target, offset, bytes))
      check.async_stores(w, lane, *target, offset, bytes, *home,
                         barriers.shared[lane] & kOffsetMask);
  }
  return i.handler(w, i, active);
}

Flow run_matrix(Checker& check, const Site& site, Warp& w, const Instruction& i,
                std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next) return flow;
  matrix_rows(check, w, i, active, at, site.kind == SiteKind::matrix_store);
  count_banks(check, w, at, 8 * i.count, 16);
  return flow;
}

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

Flow run_mbarrier(Checker& check, const Site& site, Warp& w, const Instruction& i,
                  std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  const bool arrives = (i.detail & kMbarrierArrives) != 0 && site.synchronises;
  if (site.kind == SiteKind::mbarrier_arrive)
    each_barrier(w, at, [&](Cta& cta, std::uint32_t offset, std::uint32_t lanes) {
      check.barrier_arrival(w, lanes, cta, offset, arrives);
    });
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next && flow != Flow::yield) return flow;
  each_barrier(w, at, [&](Cta& cta, std::uint32_t offset, std::uint32_t lanes) {
    if (site.kind == SiteKind::mbarrier_init)
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        check.barrier_initialised(w, __builtin_ctz(rest), cta, offset);
    else if (site.kind == SiteKind::mbarrier_invalidate)
      check.barrier_invalidated(cta, offset);
    else if (site.kind == SiteKind::mbarrier_wait)
      check.barrier_passed(w, lanes & predicate(w, i.d), cta, offset, site.synchronises);
  });
  return flow;
}

// What a lane's cp.async reads: src-size, or nothing where it is told to ignore the source.
std::uint32_t source_bytes(const Warp& w, const Instruction& i, int lane) {
  if ((i.detail & 8) != 0) {
    const std::uint32_t ignore = predicate(w, i.c) ^ ((i.detail & 16) != 0 ? kAllLanes : 0);
    return ((ignore >> lane) & 1) != 0 ? 0 : i.bytes;
  }
  return i.c == kNoRow ? i.bytes : row<std::uint32_t>(w, i.c)[lane];
}

Flow run_copy(Checker& check, const Site& site, Warp& w, const Instruction& i,
              std::uint32_t active) {
  const std::size_t first = w.copies.size();
  Addresses at;
  const bool watches = check.watches(site);
  if (watches) find_addresses(w, i, active, at);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next) return flow;
  check.copies_written(w, first);
  if (watches)
    each_global(check, w, at, site, [&](const Actor& actor, std::uint64_t address) {
      check.global_read(actor, address, source_bytes(w, i, __builtin_ctz(actor.lanes)));
    });
  return flow;
}

// What is left: the checker hears of it before the instruction runs ...
Flow run_before(Checker& check, const Site& site, Warp& w, const Instruction& i,
                std::uint32_t active) {
  switch (site.kind) {
    case SiteKind::async_wait:
      check.copies_landed(w, active, i.immediate);
      break;
    case SiteKind::memory_fence:
      check.fence_memory(w, active, site.is_far);
      break;
    case SiteKind::proxy_fence:
      check.fence_proxy(w, active);
      check.fence_barrier_init(w, active);
      break;
    case SiteKind::barrier_init_fence:
      check.fence_barrier_init(w, active);
      break;
    case SiteKind::bulk_wait:
      check.bulk_waits(w, active, i.immediate, site.waits_for_reads);
      break;
    default:
      break;
  }
  return i.handler(w, i, active);
}

// ... or when it has.
Flow run_after(Checker& check, const Site& site, Warp& w, const Instruction& i,
               std::uint32_t active) {
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next && flow != Flow::barrier) return flow;
  switch (site.kind) {
    case SiteKind::warp_barrier:
      warp_barrier(check, w, i, active);
      break;
    case SiteKind::exchange:
      check.exchange(w, active);
      break;
    case SiteKind::barrier:
      check.arrive_at_barrier(w, active,
                              static_cast<int>(row<std::uint32_t>(w, i.a)[__builtin_ctz(active)]));
      break;
    case SiteKind::cluster_arrive:
      if (site.synchronises)
        check.arrive_at_cluster_barrier(w, active);
      else
        check.arrive_relaxed_at_cluster_barrier(w, active);
      break;
    case SiteKind::cluster_wait:
      check.pass_cluster_barrier(w, active);
      break;
    case SiteKind::wgmma:
      check.wgmma_issued(w, w.cta->launch->program->wgmmas[static_cast<std::size_t>(i.immediate)],
                         i.list);
      break;
    case SiteKind::wgmma_fence:
      check.wgmma_fence(w);
      break;
    case SiteKind::wgmma_wait:
      check.wgmma_wait(w, i.immediate);
      break;
    default:
      break;
  }
  return flow;
}

template <Flow (*run)(Checker&, const Site&, Warp&, const Instruction&, std::uint32_t)>
Flow checked(Warp& w, const Instruction&, std::uint32_t active) {
  Checker& check = *w.cta->check;
  const std::uint32_t pc = w.pc;
  const Site& site = check.plan().sites[pc];
  if (site.uses != 0) check.registers_used(w, site, active);
  return run(check, site, w, w.cta->launch->program->code[pc], active);
}

}  // namespace

Handler checked_handler(SiteKind kind) {
  switch (kind) {
    case SiteKind::load:
      return &checked<run_load>;
    case SiteKind::store:
    case SiteKind::atomic:
      return &checked<run_store>;
    case SiteKind::matrix_load:
    case SiteKind::matrix_store:
      return &checked<run_matrix>;
    case SiteKind::async_store:
      return &checked<run_async_store>;
    case SiteKind::async_copy:
      return &checked<run_copy>;
    case SiteKind::mbarrier_init:
    case SiteKind::mbarrier_invalidate:
    case SiteKind::mbarrier_arrive:
    case SiteKind::mbarrier_wait:
      return &checked<run_mbarrier>;
    case SiteKind::wmma_transfer:
      return &checked<run_wmma>;
    case SiteKind::async_wait:
    case SiteKind::memory_fence:
    case SiteKind::proxy_fence:
    case SiteKind::barrier_init_fence:
    case SiteKind::bulk_wait:
      return &checked<run_before>;
    default:
      return &checked<run_after>;
  }
}

}  // namespace lanescope::emulator
