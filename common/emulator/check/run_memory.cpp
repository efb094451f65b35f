// SPDX-License-Identifier: MIT
// Checked instructions in which each lane touches memory of its own: loads, stores, atomics,
// copies. The instruction itself runs as ever; before or after it the checker hears of each byte.
// What a warp touches as a whole is in run_collective.cpp.
#include "emulator/check/touched.hpp"
#include "emulator/decode/rare.hpp"

namespace lanescope::emulator {
namespace {

// Each element of a vector access is a flag: act(key, lanes).
template <class Act>
void each_flag(const Warp& w, const Instruction& i, const Site& site, const Addresses& at,
               Act act) {
  const auto each = static_cast<std::uint64_t>(i.bytes / site.flags);
  each_key(w, at, [&](std::uint64_t key, std::uint32_t lanes) {
    for (std::uint64_t element = 0; element < site.flags; ++element)
      act(key + element * each, lanes);
  });
}

// A strong load hears what was published where it looks.
void hear(Checker& check, const Warp& w, const Instruction& i, const Site& site,
          const Addresses& at) {
  each_flag(w, i, site, at, [&](std::uint64_t key, std::uint32_t lanes) {
    check.hear(w, lanes, key, site.is_far, site.acquires);
  });
  check.forget_news();
}

// A strong store publishes what its thread has released.
void publish(Checker& check, const Warp& w, const Instruction& i, const Site& site,
             const Addresses& at) {
  if (site.releases) check.fence_memory(w, at.mask | at.global_mask, site.is_far, false);
  each_flag(w, i, site, at, [&](std::uint64_t key, std::uint32_t lanes) {
    check.publish(w, lanes, key, site.is_far);
  });
}

// Of a vector load the elements that somebody reads.
void read_elements(Checker& check, const Actor& actor, Cta& cta, std::uint32_t offset,
                   const Instruction& i, const Site& site) {
  const auto each = static_cast<std::uint32_t>(i.bytes / site.elements);
  for (std::uint32_t element = 0; element < site.elements; ++element)
    if ((site.dropped >> element & 1) == 0) check.read(actor, cta, offset + element * each, each);
}

// A vector that is only stored again takes padding along. But an element is none where another lane
// has at its place what a store of single elements has written, as that of a neighbour.
void find_holes(Checker& check, const Warp& w, const Instruction& i, const Site& site,
                const Addresses& at) {
  const std::uint32_t each = i.bytes / site.elements;
  const auto is_of_elements = [&](const Touch& write) {
    return write.time != 0 && write.time != ~Time{0} && check.is_warp(write.component()) &&
           check.plan().code[write.pc()].bytes <= each;
  };
  std::array<std::uint32_t, kLanes> holes{};
  std::uint32_t members = 0;
  each_lane(check, w, at, i.bytes, [&](const Actor& actor, Cta& cta, std::uint32_t offset) {
    std::array<Touch, 16> writes;
    for (std::uint32_t k = 0; k < site.elements; ++k) {
      writes[k] = check.writer_of(cta, offset + k * each, each);
      if (writes[k].time == 0) holes[__builtin_ctz(actor.lanes)] |= 1u << k;
      for (std::uint32_t other = 0; other < k; ++other)
        if (writes[other].time == writes[k].time && writes[other].where == writes[k].where &&
            is_of_elements(writes[k]))
          members |= 1u << k | 1u << other;
    }
  });
  members &= ~std::uint32_t{site.dropped};
  each_lane(check, w, at, i.bytes, [&](const Actor& actor, Cta& cta, std::uint32_t offset) {
    const std::uint32_t missing = holes[__builtin_ctz(actor.lanes)] & members;
    if (missing == 0) return;
    const std::uint32_t first = static_cast<std::uint32_t>(__builtin_ctz(missing)) * each;
    check.report(FindingKind::uninitialised_shared, actor, cta, offset + first, nullptr);
  });
}

void loaded(Checker& check, const Warp& w, const Instruction& i, const Site& site,
            const Addresses& at) {
  const bool is_guess = site.is_guess && !check.options().strict;
  each_global(check, w, at, i.bytes, site, [&](Actor actor, std::uint64_t address) {
    actor.is_guess = is_guess;
    check.global_read(actor, address, i.bytes);
  });
  if (at.mask == 0) return;
  const bool is_plain = !site.is_strong && !is_guess && site.dropped == 0;
  if (is_plain && check.read_lanes(w, at.shared, at.mask, i.bytes)) return;
  if (site.copying == Copying::some && site.elements > 1) find_holes(check, w, i, site, at);
  each_lane(check, w, at, i.bytes, [&](Actor actor, Cta& cta, std::uint32_t offset) {
    actor.is_strong = site.is_strong || is_guess;
    actor.decides_nothing = site.decides_nothing;
    if (site.dropped == 0) return check.read(actor, cta, offset, i.bytes);
    read_elements(check, actor, cta, offset, i, site);
  });
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

// The lanes for which something comes of it.
Addresses kept(const Warp& w, const Site& site, Addresses at) {
  const std::uint32_t holds = predicate(w, site.kept_by);
  const std::uint32_t lanes = site.keeps_where_false ? ~holds : holds;
  at.mask &= lanes;
  at.global_mask &= lanes;
  return at;
}

Flow run_load(Checker& check, const Site& site, Warp& w, const Instruction& i,
              std::uint32_t active) {
  const bool hears = site.is_strong && check.hears();
  const bool watches = hears || check.watches(site);
  if (i.space == Space::global && !watches && !check.options().sectors)
    return i.handler(w, i, active);
  Addresses at;
  find_addresses(w, i, active, at);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next && flow != Flow::yield) return flow;
  count_sectors(check, w, at, i.bytes);
  if (!watches) at.global_mask = 0;
  if ((at.mask | at.global_mask) == 0) return flow;
  if (site.kept_by == kNoRow)
    loaded(check, w, i, site, at);
  else
    loaded(check, w, i, site, kept(w, site, at));
  if (at.mask != 0) count_banks(check, w, at, kLanes, i.bytes, true);
  if (hears) hear(check, w, i, site, at);
  return flow;
}

using Value = std::array<std::uint64_t, 2>;

Value value_at(const Warp& w, const Instruction& i, std::uint32_t offset, int lane) {
  if (i.bytes >= 8)
    return {row<std::uint64_t>(w, offset)[lane],
            i.bytes == 16 ? row<std::uint64_t>(w, offset + kWideRow)[lane] : 0};
  const std::uint32_t value = row<std::uint32_t>(w, offset)[lane];
  return {i.bytes == 2 ? value & 0xffff : value, 0};
}

bool is_swap(const Instruction& i) {
  if (i.handler == &run_wide_atomic) return i.c != kNoRow;
  return i.handler == &run_atomic && i.d != kNoRow &&
         static_cast<AtomicOperation>(i.count) == AtomicOperation::cas;
}

// A compare-and-swap that found another value has only looked: it hands on nothing.
class Swaps {
 public:
  Swaps(const Warp& w, const Instruction& i) : is_swap_(is_swap(i)) {
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
  Value compared_[kLanes];
};

Flow run_store(Checker& check, const Site& site, Warp& w, const Instruction& i,
               std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  if ((at.mask | at.global_mask) == 0) return i.handler(w, i, active);
  if (site.kind == SiteKind::store && at.mask != 0) count_banks(check, w, at, kLanes, i.bytes);
  count_sectors(
      check, w, at, i.bytes,
      site.kind == SiteKind::store ? layout::SectorAccess::ordinary : layout::SectorAccess::atomic);
  const bool is_flag = site.is_strong && check.hears();
  if (is_flag && site.answers) hear(check, w, i, site, at);
  check.before_store(false);
  as_one_store(check, w, [&] { stores(check, w, i, site, at); });
  const Swaps swaps(w, i);
  const Flow flow = i.handler(w, i, active);
  check.after_store();
  swaps.leave_out(w, i, at);
  if (is_flag && (at.mask | at.global_mask) != 0) publish(check, w, i, site, at);
  return flow;
}

// An atomic on a vector runs as one on each element, and then moves what they gave.
Flow run_vector_atomic(Checker& check, const Site& site, Warp& w, const Instruction& i,
                       std::uint32_t active) {
  Flow end = Flow::next;
  for (const Instruction& part :
       w.cta->launch->program->composites[static_cast<std::size_t>(i.immediate)]) {
    const Flow flow = part.handler == &run_atomic ? run_store(check, site, w, part, active)
                                                  : part.handler(w, part, active);
    if (flow == Flow::yield)
      end = flow;  // when all are done, as without the checker
    else if (flow != Flow::next)
      return flow;
  }
  return end;
}

// st.async and red.async, which run as a store or atomic and a complete_tx.
Flow run_async_store(Checker& check, const Site& site, Warp& w, const Instruction& i,
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
      check.async_stores(w, lane, *target, offset, bytes, barriers.shared[lane] & kOffsetMask,
                         site.is_strong);
  }
  return i.handler(w, i, active);
}

// st.bulk: of each lane as many bytes as it says.
Flow run_bulk_stores(Checker& check, const Site&, Warp& w, const Instruction& i,
                     std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  for (std::uint32_t rest = at.mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    Cta* target = owner(w, at.shared[lane]);
    const std::uint32_t offset = at.shared[lane] & kOffsetMask;
    const std::uint64_t bytes =
        i.count == 8 ? row<std::uint64_t>(w, i.b)[lane] : row<std::uint32_t>(w, i.b)[lane];
    if (target == nullptr || bytes > kOffsetMask ||
        !fits(*target, offset, static_cast<std::uint32_t>(bytes)))
      continue;
    check.as_lanes(w, 1u << lane, w.pc, [&](const Actor& actor) {
      check.write(actor, *target, offset, static_cast<std::uint32_t>(bytes));
    });
  }
  return i.handler(w, i, active);
}

// What a lane's cp.async reads: src-size, or nothing where it is told to ignore the source.
std::uint32_t source_bytes(const Warp& w, const Instruction& i, int lane) {
  if ((i.detail & 8) != 0) {
    const std::uint32_t ignore = predicate(w, i.c) ^ ((i.detail & 16) != 0 ? kAllLanes : 0);
    return ((ignore >> lane) & 1) != 0 ? 0 : i.bytes;
  }
  return i.c == kNoRow ? i.bytes : row<std::uint32_t>(w, i.c)[lane];
}

// Who is told to fetch nothing goes to no sector.
void count_fetched(Checker& check, const Warp& w, const Instruction& i, const Site& site,
                   Addresses at) {
  for (std::uint32_t rest = at.global_mask; rest != 0; rest &= rest - 1)
    if (const int lane = __builtin_ctz(rest); source_bytes(w, i, lane) == 0)
      at.global_mask &= ~(1u << lane);
  count_sectors(
      check, w, at, i.bytes,
      site.passes_l1 ? layout::SectorAccess::copy_past_l1 : layout::SectorAccess::ordinary);
}

Flow run_copy(Checker& check, const Site& site, Warp& w, const Instruction& i,
              std::uint32_t active) {
  const std::size_t first = w.copies.size();
  Addresses at;
  const bool watches = check.watches(site);
  if (watches || check.options().sectors) find_addresses(w, i, active, at);
  const Flow flow = i.handler(w, i, active);
  if (flow != Flow::next) return flow;
  if (check.options().sectors) count_fetched(check, w, i, site, at);
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

}  // namespace

Handler checked_memory(SiteKind kind) {
  switch (kind) {
    case SiteKind::load:
      return &checked<run_load>;
    case SiteKind::store:
    case SiteKind::atomic:
      return &checked<run_store>;
    case SiteKind::vector_atomic:
      return &checked<run_vector_atomic>;
    case SiteKind::async_store:
      return &checked<run_async_store>;
    case SiteKind::bulk_store:
      return &checked<run_bulk_stores>;
    case SiteKind::async_copy:
      return &checked<run_copy>;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator
