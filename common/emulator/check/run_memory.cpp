// SPDX-License-Identifier: MIT
// Checked instructions that touch memory: loads, stores, atomics, matrices, copies, tensor maps.
// The instruction itself runs as ever; before or after it the checker hears of each byte.
#include <algorithm>
#include <span>

#include "emulator/check/touched.hpp"

namespace lanescope::emulator {
namespace {

// A strong load hears what was published where it looks.
void hear(Checker& check, const Warp& w, const Site& site, const Addresses& at) {
  each_key(w, at, [&](std::uint64_t key, std::uint32_t lanes) {
    check.hear(w, lanes, key, site.acquires);
  });
  check.forget_news();
}

// A strong store publishes what its thread has released.
void publish(Checker& check, const Warp& w, const Site& site, const Addresses& at) {
  if (site.releases) check.fence_memory(w, at.mask | at.global_mask, site.is_far, false);
  each_key(w, at, [&](std::uint64_t key, std::uint32_t lanes) { check.publish(w, lanes, key); });
}

void loaded(Checker& check, const Warp& w, const Instruction& i, const Site& site,
            const Addresses& at) {
  const bool is_guess = site.is_guess && !check.options().strict;
  each_global(check, w, at, i.bytes, site, [&](Actor actor, std::uint64_t address) {
    actor.is_guess = is_guess;
    check.global_read(actor, address, i.bytes);
  });
  if (at.mask == 0) return;
  each_lane(check, w, at, i.bytes, [&](Actor actor, Cta& cta, std::uint32_t offset) {
    actor.is_strong = site.is_strong || is_guess;
    check.read(actor, cta, offset, i.bytes);
  });
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

void stores(Checker& check, const Warp& w, const Instruction& i, const Site& site,
            const Addresses& at) {
  each_global(check, w, at, i.bytes, site, [&](const Actor& actor, std::uint64_t address) {
    check.global_write(actor, address, i.bytes);
  });
  if (at.mask == 0) return;
  each_lane(check, w, at, i.bytes, [&](Actor actor, Cta& cta, std::uint32_t offset) {
    actor.is_strong = site.is_strong;
    check.write(actor, cta, offset, i.bytes);
  });
}

// ldmatrix and stmatrix: the rows of 16 bytes are touched by the warp as a whole.
void matrix_rows(Checker& check, const Warp& w, const Instruction& i, std::uint32_t active,
                 const Addresses& at, bool writes) {
  const int rows = 8 * i.count;
  std::uint32_t offsets[kLanes], all = 0;
  for (int row = 0; row < rows; ++row) all |= offsets[row] = at.shared[row] - w.cta->window;
  const bool is_plain =
      (at.mask | ~std::uint32_t{0} << (rows - 1) << 1) == kAllLanes && all >> kRankBit == 0;
  check.as_one(w, active, w.pc, [&](const Actor& actor) {
    if (is_plain && !writes) return check.read_rows(actor, *w.cta, offsets, rows);
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
  if (hears) hear(check, w, site, at);
  return flow;
}

std::uint64_t value_at(const Warp& w, const Instruction& i, std::uint32_t offset, int lane) {
  if (i.bytes == 8) return row<std::uint64_t>(w, offset)[lane];
  const std::uint32_t value = row<std::uint32_t>(w, offset)[lane];
  return i.bytes == 2 ? value & 0xffff : value;
}

// A compare-and-swap that found another value has only looked: it hands on nothing.
class Swaps {
 public:
  Swaps(const Warp& w, const Instruction& i)
      : is_swap_(i.handler == &run_atomic && i.d != kNoRow &&
                 static_cast<AtomicOperation>(i.count) == AtomicOperation::cas) {
    for (int lane = 0; is_swap_ && lane < kLanes; ++lane)
      compared_[lane] = value_at(w, i, i.b, lane);
  }
  /// Afterwards: those that have not written are left out.
  void leave_out(const Warp& w, const Instruction& i, Addresses& at) const {
    for (int lane = 0; is_swap_ && lane < kLanes; ++lane) {
      if (value_at(w, i, i.d, lane) == compared_[lane]) continue;
      at.mask &= ~(1u << lane);
      at.global_mask &= ~(1u << lane);
    }
  }

 private:
  bool is_swap_;
  std::uint64_t compared_[kLanes];
};

Flow run_store(Checker& check, const Site& site, Warp& w, const Instruction& i,
               std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  if ((at.mask | at.global_mask) == 0) return i.handler(w, i, active);
  if (site.kind == SiteKind::store && at.mask != 0) count_banks(check, w, at, kLanes, i.bytes);
  const bool is_flag = site.is_strong && check.hears();
  if (is_flag && site.answers) hear(check, w, site, at);
  check.before_store();
  as_one_store(check, w, [&] { stores(check, w, i, site, at); });
  const Swaps swaps(w, i);
  const Flow flow = i.handler(w, i, active);
  check.after_store();
  swaps.leave_out(w, i, at);
  if (is_flag && (at.mask | at.global_mask) != 0) publish(check, w, site, at);
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
      const std::uint32_t offset = (at.shared[0] & kOffsetMask) + k * stride * each;
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
    const std::uint32_t offset = to.shared[lane] & kOffsetMask;
    if (target != nullptr && fits(*target, offset, bytes))
      check.async_stores(w, lane, *target, offset, bytes, barriers.shared[lane] & kOffsetMask);
  }
  return i.handler(w, i, active);
}

Flow run_matrix(Checker& check, const Site& site, Warp& w, const Instruction& i,
                std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next) return flow;
  if (site.kind == SiteKind::matrix_store)
    as_one_store(check, w, [&] { matrix_rows(check, w, i, active, at, true); });
  else
    matrix_rows(check, w, i, active, at, false);
  count_banks(check, w, at, 8 * i.count, 16);
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
    each_global(check, w, at, i.bytes, site, [&](Actor actor, std::uint64_t address) {
      for (std::uint32_t rest = actor.lanes; rest != 0; rest &= rest - 1) {
        actor.lanes = rest & (0 - rest);
        check.global_read(actor, address, source_bytes(w, i, __builtin_ctz(rest)));
      }
    });
  return flow;
}

// tensormap.replace rewrites a map as a whole: its 128 bytes.
constexpr std::uint32_t kMapBytes = 128;

Flow run_map_replace(Checker& check, const Site& site, Warp& w, const Instruction& i,
                     std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next) return flow;
  if (!check.watches(site)) at.global_mask = 0;
  each_global(check, w, at, kMapBytes, site, [&](const Actor& actor, std::uint64_t address) {
    check.global_write(actor, address, kMapBytes);
  });
  each_lane(check, w, at, kMapBytes, [&](const Actor& actor, Cta& cta, std::uint32_t offset) {
    check.write(actor, cta, offset, kMapBytes);
  });
  return flow;
}

// tensormap.cp_fenceproxy: the warp as a whole reads a map in shared memory and writes it to global
// memory, which it releases there.
Flow run_map_copy(Checker& check, const Site& site, Warp& w, const Instruction& i,
                  std::uint32_t active) {
  const BulkPlan& plan = w.cta->launch->program->bulks[static_cast<std::size_t>(i.immediate)];
  const int lane = __builtin_ctz(active);
  const auto address_of = [&](const RowAddress& place) {
    const std::uint64_t base = place.wide ? row<std::uint64_t>(w, place.row)[lane]
                                          : row<std::uint32_t>(w, place.row)[lane];
    return base + static_cast<std::uint64_t>(place.displacement);
  };
  const auto from = static_cast<std::uint32_t>(address_of(plan.source)) & kOffsetMask;
  const std::uint64_t to = address_of(plan.destination);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next) return flow;
  check.as_one(w, active, w.pc, [&](Actor actor) {
    if (fits(*w.cta, from, kMapBytes)) check.read(actor, *w.cta, from, kMapBytes);
    actor.lanes = 1u << lane;
    if (check.watches(site)) check.global_write(actor, to, kMapBytes);
  });
  check.fence_memory(w, active, site.is_far, false);
  return flow;
}

}  // namespace

Handler checked_memory(SiteKind kind) {
  switch (kind) {
    case SiteKind::load:
      return &checked<run_load>;
    case SiteKind::store:
    case SiteKind::atomic:
      return &checked<run_store>;
    case SiteKind::matrix_load:
    case SiteKind::matrix_store:
      return &checked<run_matrix>;
    case SiteKind::wmma_transfer:
      return &checked<run_wmma>;
    case SiteKind::async_store:
      return &checked<run_async_store>;
    case SiteKind::async_copy:
      return &checked<run_copy>;
    case SiteKind::map_replace:
      return &checked<run_map_replace>;
    case SiteKind::map_copy:
      return &checked<run_map_copy>;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator
