// SPDX-License-Identifier: MIT
// A warp's way into tensor memory and out of it. Who takes its columns is
// execute_tcgen05_alloc.cpp's, what multiplies execute_tcgen05_mma.cpp's.
//
//     lanes 0-31 | 32-63 | 64-95 | 96-127     of tensor memory
//     warp  0    | 1     | 2     | 3          of its warpgroup reaches them, and no others
//
// Source: PTX ISA 9.2, 9.7.16.8 (ld, st, wait), 9.7.16.2.3.1 (who reaches what).
#include <fmt/format.h>

#include "emulator/check/checker.hpp"
#include "emulator/execute/extreme.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/tcgen05_pair.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

// The lane and column that a warp's ld or st begins at; false where it may not go there.
bool find_begin(Warp& w, const Tcgen05Plan& plan, TensorAddress& begin) {
  std::uint32_t addresses[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    addresses[lane] = static_cast<std::uint32_t>(address_of(w, plan.tensor, lane));
  if (!same_in_all_lanes(w, addresses, "address of tensor memory")) return false;
  begin = tensor_address(addresses[0]);
  const int first = w.index % 4 * kLanes;
  if (begin.lane < first || begin.lane + plan.rows > first + kLanes)
    return tensor_misuse(
               w,
               fmt::format("lanes {} to {} of tensor memory, warp {} of its warpgroup reaches "
                           "lanes {} to {}",
                           begin.lane, begin.lane + plan.rows - 1, w.index % 4, first,
                           first + kLanes - 1),
               "add 32 * (warp % 4) << 16 to the address"),
           false;
  if (tensor_memory(*w.cta).is_allocated(begin.column, plan.columns)) return true;
  tensor_misuse(w,
                fmt::format("columns {} to {} of tensor memory are not allocated", begin.column,
                            begin.column + plan.columns - 1),
                "tcgen05.alloc writes the first of its columns into shared memory");
  return false;
}

const Tcgen05Plan& plan_of(const Warp& w, const Instruction& i) {
  return w.cta->launch->program->tcgen05s[static_cast<std::size_t>(i.immediate)];
}

std::uint32_t base_of(const TensorAddress& begin) {
  return static_cast<std::uint32_t>(begin.column * kTensorLanes + begin.lane);
}

TensorRange range_of(const Tcgen05Plan& plan, const TensorAddress& begin) {
  const unsigned chunks = plan.rows > 16 ? 3 : 1;
  return {begin.column, plan.columns, chunks << begin.lane / 16};
}

std::uint32_t extreme(const Tcgen05Plan::Reduction& how, std::uint32_t a, std::uint32_t b) {
  if (how.type == Type::f32) return extreme_f32(how.is_min, how.nan_wins, a, b);
  const std::uint32_t sign = how.type == Type::s32 ? kSignF32 : 0;
  return ((a ^ sign) < (b ^ sign)) == how.is_min ? a : b;
}

// Each lane's, of its own registers, as one register more.
void append_extremes(const Tcgen05Plan::Reduction& how, std::vector<std::uint32_t>& words) {
  const std::uint32_t mask = how.of_magnitudes ? ~kSignF32 : ~0u;
  const std::size_t count = words.size();
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::uint32_t found = words[lane] & mask;
    for (std::size_t k = lane; k < count; k += kLanes) found = extreme(how, found, words[k] & mask);
    words.push_back(found);
  }
}

}  // namespace

Flow run_tensor_fence(Warp& w, const Instruction&, std::uint32_t active) {
  if (w.cta->check != nullptr) w.cta->check->tensor().fence(w, active);
  return Flow::next;
}

Flow run_tensor_load(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Tcgen05Plan& plan = plan_of(w, i);
  TensorAddress begin;
  if (!find_begin(w, plan, begin)) return Flow::fault;
  TensorMemory& memory = tensor_memory(*w.cta);
  if (w.cta->check != nullptr)
    w.cta->check->tensor().moved(w, *w.cta, range_of(plan, begin), TensorUse::reads);
  TensorLoad& load = memory.loads.emplace_back();
  load.warp = w.index;
  load.frame = w.rows;
  load.pc = w.pc;
  const std::uint32_t* rows = rows_at(w, i.list);
  load.rows.assign(rows, rows + plan.registers + (plan.reduction ? 1 : 0));
  const std::size_t each = plan.is_packed ? 2 : 1;
  load.words.resize(plan.places.size() / each);
  const std::uint32_t* from = memory.words.data() + base_of(begin);
  for (std::size_t k = 0; k < load.words.size(); ++k) {
    load.words[k] = from[plan.places[each * k]];
    if (plan.is_packed)
      load.words[k] = (load.words[k] & 0xffff) | from[plan.places[each * k + 1]] << 16;
  }
  if (plan.reduction) append_extremes(*plan.reduction, load.words);
  if (plan.at_once) hand_over_loads(*w.cta, w.index);
  return Flow::next;
}

Flow run_tensor_store(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Tcgen05Plan& plan = plan_of(w, i);
  TensorAddress begin;
  if (!find_begin(w, plan, begin)) return Flow::fault;
  if (w.cta->check != nullptr)
    w.cta->check->tensor().moved(w, *w.cta, range_of(plan, begin), TensorUse::writes);
  TensorStore& store = tensor_memory(*w.cta).stores.emplace_back();
  store.warp = w.index;
  store.pc = w.pc;
  if (plan.is_packed) store.mask = 0xffff;
  const std::size_t each = plan.is_packed ? 2 : 1;
  const std::uint32_t* rows = rows_at(w, i.list);
  for (std::size_t k = 0; k < plan.places.size(); ++k) {
    const std::size_t word = k / each;
    store.places.push_back(plan.places[k] + base_of(begin));
    store.words.push_back(row<std::uint32_t>(w, rows[word / kLanes])[word % kLanes] >>
                          (k % each * 16));
  }
  return Flow::next;
}

Flow run_tensor_wait_load(Warp& w, const Instruction&, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  hand_over_loads(*w.cta, w.index);
  return Flow::next;
}

Flow run_tensor_wait_store(Warp& w, const Instruction&, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  hand_over_stores(*w.cta, w.index);
  return Flow::next;
}

}  // namespace lanescope::emulator
