// SPDX-License-Identifier: MIT
// Checked instructions in which a warp as a whole touches memory: matrices, fragments of wmma,
// tensor maps. The instruction itself runs as ever; afterwards the checker hears of each byte.
#include "emulator/check/touched.hpp"

namespace lanescope::emulator {
namespace {

// ldmatrix and stmatrix: the rows of 16 bytes are touched by the warp as a whole.
void matrix_rows(Checker& check, const Warp& w, const Instruction& i, std::uint32_t active,
                 const Addresses& at, bool writes) {
  const int rows = 8 * i.count;
  // Of sixteen elements of 4 or 6 bits the rest of the 16 bytes is padding, that may be anything.
  const std::uint32_t bytes = !writes && i.target < 8 ? 2 * i.target : 16;
  std::uint32_t offsets[kLanes], all = 0;
  for (int row = 0; row < rows; ++row) all |= offsets[row] = at.shared[row] - w.cta->window;
  const bool is_plain =
      (at.mask | ~std::uint32_t{0} << (rows - 1) << 1) == kAllLanes && all >> kRankBit == 0;
  check.as_one(w, active, w.pc, [&](const Actor& actor) {
    if (is_plain && !writes && bytes == 16) return check.read_rows(actor, *w.cta, offsets, rows);
    for (int row = 0; row < rows; ++row) {
      Cta* cta = ((at.mask >> row) & 1) != 0 ? owner(w, at.shared[row]) : nullptr;
      const std::uint32_t offset = at.shared[row] & kOffsetMask;
      if (cta == nullptr || !fits(*cta, offset, 16)) continue;
      if (writes)
        check.write_row(actor, *cta, offset, CellState::valid);
      else
        check.read(actor, *cta, offset, bytes);
    }
  });
}

Flow run_matrix(Checker& check, const Site& site, Warp& w, const Instruction& i,
                std::uint32_t active) {
  Addresses at;
  find_addresses(w, i, active, at);
  const bool stores = site.kind == SiteKind::matrix_store;
  const bool runs = whole_warp(w, active);  // else it is here again later
  if (stores && runs) {                     // what is there now is compared with what is stored
    check.before_store(true);
    as_one_store(check, w, [&] { matrix_rows(check, w, i, active, at, true); });
  }
  const Flow flow = i.handler(w, i, active);
  if (stores && runs) {
    check.after_store();
    check.tick();  // the next round of a loop is another instruction
  }
  if (flow != Flow::next) return flow;
  if (!stores) matrix_rows(check, w, i, active, at, false);
  count_banks(check, w, at, 8 * i.count, 16);
  return flow;
}

// C and D, piece by piece: a lane that has loaded an element, changed it and stored it again is in
// nobody's way. act(actor, bytes from the matrix's beginning).
template <class Act>
void each_sum(Checker& check, const Warp& w, std::uint32_t active, const WmmaPlan& plan,
              std::uint64_t line_bytes, Act act) {
  const auto pieces = static_cast<std::size_t>(plan.D.register_bytes) /
                      static_cast<std::size_t>(plan.D.piece_bytes);
  check.as_lanes(w, active, w.pc, [&](Actor actor) {
    const std::uint32_t alike = actor.lanes;
    for (std::size_t k = 0; k < plan.moves.size(); ++k) {
      actor.lanes = alike & 1u << k / pieces % kLanes;
      if (actor.lanes != 0) act(actor, plan.moves[k].line * line_bytes + plan.moves[k].byte);
    }
  });
}

// wmma.load and wmma.store: of A and B, of which several lanes may hold an element, the warp as a
// whole touches `outer` runs of `inner` elements.
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
  const auto touch = [&](const Actor& actor, std::uint64_t from, std::uint32_t bytes) {
    if (is_global && i.detail == 0) return check.global_read(actor, at.global[0] + from, bytes);
    if (is_global) return check.global_write(actor, at.global[0] + from, bytes);
    const auto offset = static_cast<std::uint32_t>((at.shared[0] & kOffsetMask) + from);
    if (!fits(*w.cta, offset, bytes)) return;
    if (i.detail == 0)
      check.read(actor, *w.cta, offset, bytes);
    else
      check.write(actor, *w.cta, offset, bytes);
  };
  const std::uint64_t line_bytes = std::uint64_t{stride} * each;
  if (plan.of_sums)
    each_sum(check, w, active, plan, line_bytes, [&](const Actor& actor, std::uint64_t from) {
      touch(actor, from, static_cast<std::uint32_t>(plan.D.piece_bytes));
    });
  else
    check.as_one(w, active, w.pc, [&](const Actor& actor) {
      for (std::uint32_t k = 0; k < outer; ++k) touch(actor, k * line_bytes, inner * each);
    });
  if (i.detail != 0) check.tick();
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
    check.tensor_maps().changed(actor, address, false);
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
    check.tensor_maps().changed(actor, to, true);
  });
  check.fence_memory(w, active, site.is_far, false);
  return flow;
}

}  // namespace

Handler checked_collective(SiteKind kind) {
  switch (kind) {
    case SiteKind::matrix_load:
    case SiteKind::matrix_store:
      return &checked<run_matrix>;
    case SiteKind::wmma_transfer:
      return &checked<run_wmma>;
    case SiteKind::map_replace:
      return &checked<run_map_replace>;
    case SiteKind::map_copy:
      return &checked<run_map_copy>;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator
