// SPDX-License-Identifier: MIT
// tcgen05 but for what multiplies (execute_tcgen05_mma.cpp): columns of tensor memory taken and
// given back, and a warp's way into and out of them.
//
//     lanes 0-31 | 32-63 | 64-95 | 96-127     of tensor memory
//     warp  0    | 1     | 2     | 3          of its warpgroup reaches them, and no others
//
// Source: PTX ISA 9.2, 9.7.16.7 (alloc), 9.7.16.8 (ld, st, wait), 9.7.16.2.3.1 (who reaches what).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

Flow misuse(Warp& w, std::string what, const char* hint, int lane = 0) {
  return fail(w, ErrorCode::illegal_instruction, "tensor-memory", lane, std::move(what), hint);
}

// What all lanes must agree on.
bool same(Warp& w, const std::uint32_t* values, const char* what) {
  for (int lane = 1; lane < kLanes; ++lane)
    if (values[lane] != values[0])
      return misuse(w,
                    fmt::format("the lanes of the warp give 0x{:x} and 0x{:x} as {}", values[0],
                                values[lane], what),
                    "all 32 must give the same", lane),
             false;
  return true;
}

bool good_count(Warp& w, std::uint32_t columns) {
  if (columns >= 32 && columns <= kTensorColumns && (columns & (columns - 1)) == 0) return true;
  misuse(w, fmt::format("{} columns of tensor memory", columns), "32, 64, 128, 256 or 512");
  return false;
}

// The lane and column that a warp's ld or st begins at; false where it may not go there.
bool find_begin(Warp& w, const Tcgen05Plan& plan, TensorAddress& begin) {
  std::uint32_t addresses[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    addresses[lane] = static_cast<std::uint32_t>(address_of(w, plan.tensor, lane));
  if (!same(w, addresses, "address of tensor memory")) return false;
  begin = tensor_address(addresses[0]);
  const int first = w.index % 4 * kLanes;
  if (begin.lane < first || begin.lane + plan.rows > first + kLanes)
    return misuse(w,
                  fmt::format("lanes {} to {} of tensor memory, warp {} of its warpgroup reaches "
                              "lanes {} to {}",
                              begin.lane, begin.lane + plan.rows - 1, w.index % 4, first,
                              first + kLanes - 1),
                  "add 32 * (warp % 4) << 16 to the address"),
           false;
  if (tensor_memory(*w.cta).is_allocated(begin.column, plan.columns)) return true;
  misuse(w,
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

}  // namespace

Flow run_tensor_alloc(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const auto* counts = row<std::uint32_t>(w, i.b);
  SharedPlace place;
  if (!same(w, counts, "number of columns") || !good_count(w, counts[0])) return Flow::fault;
  if (!find_shared(w, 0, i.space, address_of(w, {i.a, i.immediate, i.wide_address}, 0), 4, 4, place,
                   Reach::own))
    return Flow::fault;
  TensorMemory& memory = tensor_memory(*w.cta);
  if (memory.relinquished)
    return misuse(w, "tcgen05.alloc after tcgen05.relinquish_alloc_permit",
                  "the CTA has given up the right to allocate: allocate before");
  const auto columns = static_cast<int>(counts[0]);
  const int first = memory.find_free(columns);
  if (first < 0) return Flow::retry;
  memory.allocations.push_back({first, columns, w.index, w.pc});
  const auto address = static_cast<std::uint32_t>(first);
  std::memcpy(place.host(), &address, 4);
  if (Checker* check = w.cta->check; check != nullptr) {
    check->as_one(w, kAllLanes, w.pc,
                  [&](const Actor& actor) { check->write(actor, *place.cta, place.offset, 4); });
    check->tensor_allocated(w, {first, columns, 0xff});
  }
  return Flow::next;
}

Flow run_tensor_dealloc(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const auto* counts = row<std::uint32_t>(w, i.b);
  const auto* addresses = row<std::uint32_t>(w, i.a);
  if (!same(w, counts, "number of columns") || !same(w, addresses, "address of tensor memory") ||
      !good_count(w, counts[0]))
    return Flow::fault;
  auto& all = tensor_memory(*w.cta).allocations;
  const TensorAddress begin = tensor_address(addresses[0]);
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) {
    return begin.lane == 0 && one.first == begin.column &&
           one.columns == static_cast<int>(counts[0]);
  });
  if (found == all.end())
    return misuse(
        w,
        fmt::format("tcgen05.dealloc of {} columns at 0x{:x}, which nobody has allocated so",
                    counts[0], addresses[0]),
        "give back what tcgen05.alloc gave, with the same number of columns");
  if (w.cta->check != nullptr)  // as if all of it were written
    w.cta->check->tensor_moved(w, {found->first, found->columns, 0xff}, true);
  all.erase(found);
  ++w.cta->cluster->events;  // who waits for columns looks again
  return Flow::next;
}

Flow run_tensor_relinquish(Warp& w, const Instruction&, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  tensor_memory(*w.cta).relinquished = true;
  return Flow::next;
}

Flow run_tensor_fence(Warp& w, const Instruction&, std::uint32_t active) {
  if (w.cta->check != nullptr) w.cta->check->tensor_fence(w, active);
  return Flow::next;
}

Flow run_tensor_load(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Tcgen05Plan& plan = plan_of(w, i);
  TensorAddress begin;
  if (!find_begin(w, plan, begin)) return Flow::fault;
  TensorMemory& memory = tensor_memory(*w.cta);
  if (w.cta->check != nullptr) w.cta->check->tensor_moved(w, range_of(plan, begin), false);
  TensorLoad& load = memory.loads.emplace_back();
  load.warp = w.index;
  load.frame = w.rows;
  load.pc = w.pc;
  const std::uint32_t* rows = rows_at(w, i.list);
  load.rows.assign(rows, rows + plan.registers);
  const std::size_t each = plan.is_packed ? 2 : 1;
  load.words.resize(plan.places.size() / each);
  const std::uint32_t* from = memory.words.data() + base_of(begin);
  for (std::size_t k = 0; k < load.words.size(); ++k) {
    load.words[k] = from[plan.places[each * k]];
    if (plan.is_packed)
      load.words[k] = (load.words[k] & 0xffff) | from[plan.places[each * k + 1]] << 16;
  }
  if (plan.at_once) hand_over_loads(*w.cta, w.index);
  return Flow::next;
}

Flow run_tensor_store(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Tcgen05Plan& plan = plan_of(w, i);
  TensorAddress begin;
  if (!find_begin(w, plan, begin)) return Flow::fault;
  if (w.cta->check != nullptr) w.cta->check->tensor_moved(w, range_of(plan, begin), true);
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
