// SPDX-License-Identifier: MIT
// Columns of tensor memory, taken and given back by a warp; with .cta_group::2 by two, one of each
// CTA of the pair: who comes first waits, and who comes second does it for both.
//
//     rank 2i      alloc ........ . address            the same columns in both CTAs, whose address
//     rank 2i + 1          alloc '. address            each warp writes into its own shared memory
//
// Source: PTX ISA 9.2, 9.7.16.7 (alloc, dealloc, relinquish_alloc_permit), 9.7.16.5 (pairs).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/tcgen05_pair.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

bool good_count(Warp& w, std::uint32_t columns) {
  if (columns >= 32 && columns <= kTensorColumns && (columns & (columns - 1)) == 0) return true;
  tensor_misuse(w, fmt::format("{} columns of tensor memory", columns), "32, 64, 128, 256 or 512");
  return false;
}

// What the warp waits for, and who in a CTA waits for a peer at the same.
TensorMeeting* meeting_of(const Warp& w) {
  for (TensorMeeting& one : tensor_memory(*w.cta).meetings)
    if (one.warp == w.index) return &one;
  return nullptr;
}
TensorMeeting* unmet(Cta& cta, Handler what) {
  for (TensorMeeting& one : tensor_memory(cta).meetings)
    if (one.what == what && !one.is_met) return &one;
  return nullptr;
}

// Calls act(the warps' requests, this one's first) once a warp of each CTA has come, and
// finish(request) in each of them then. `act` returns Flow::next when it is done.
template <class Act, class Finish>
Flow together(Warp& w, const TensorCtas& ctas, const TensorMeeting& asked, Act act, Finish finish) {
  if (ctas.count == 1) {
    TensorMeeting mine = asked;
    const Flow flow = act(mine, nullptr);
    if (flow == Flow::next) finish(mine);
    return flow;
  }
  TensorMeeting* own = meeting_of(w);
  if (own == nullptr) own = &tensor_memory(*w.cta).meetings.emplace_back(asked);
  if (!own->is_met) {
    TensorMeeting* peer = unmet(*ctas.all[w.cta->rank % 2 == 0 ? 1 : 0], asked.what);
    if (peer == nullptr) return all_live(w, 0, ctas) ? Flow::retry : Flow::fault;
    if (const Flow flow = act(*own, peer); flow != Flow::next) return flow;
    peer->is_met = true;
    ++w.cta->cluster->events;  // the other one goes on
  }
  finish(*own);
  std::erase_if(tensor_memory(*w.cta).meetings,
                [&](const TensorMeeting& one) { return one.warp == w.index; });
  return Flow::next;
}

Flow differ(Warp& w, const char* name, const TensorMeeting& mine, const TensorMeeting& peer) {
  return tensor_misuse(
      w,
      fmt::format("tcgen05.{} of {} columns at 0x{:x} here, of {} at 0x{:x} in the peer CTA", name,
                  mine.columns, mine.first, peer.columns, peer.first),
      "both CTAs of the pair must give the same");
}

}  // namespace

Flow run_tensor_alloc(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const auto* counts = row<std::uint32_t>(w, i.b);
  SharedPlace place;
  TensorCtas ctas;
  if (!same_in_all_lanes(w, counts, "number of columns") || !good_count(w, counts[0]) ||
      !find_shared(w, 0, i.space, address_of(w, {i.a, i.immediate, i.wide_address}, 0), 4, 4, place,
                   Reach::own) ||
      !find_ctas(w, 0, i.detail, ctas))
    return Flow::fault;
  if (tensor_memory(*w.cta).relinquished && meeting_of(w) == nullptr)
    return tensor_misuse(w, "tcgen05.alloc after tcgen05.relinquish_alloc_permit",
                         "the CTA has given up the right to allocate: allocate before");
  const auto take = [&](TensorMeeting& mine, TensorMeeting* peer) {
    if (peer != nullptr && peer->columns != mine.columns) return differ(w, "alloc", mine, *peer);
    const int first = tensor_memory(*w.cta).find_free(mine.columns);  // in the peer's the same
    if (first < 0) return Flow::retry;
    mine.first = first;
    if (peer != nullptr) peer->first = first;
    for (Cta* cta : ctas) {
      const TensorMeeting& one = cta == w.cta ? mine : *peer;
      TensorMemory& memory = tensor_memory(*cta);
      memory.allocations.push_back({first, mine.columns, one.warp, one.pc});
      if (cta->check != nullptr) cta->check->tensor().allocated(*cta);
      memory.last = memory.allocations.back();
    }
    return Flow::next;
  };
  const auto tell = [&](const TensorMeeting& mine) {
    const auto address = static_cast<std::uint32_t>(mine.first);
    std::memcpy(place.host(), &address, 4);
    if (Checker* check = w.cta->check; check != nullptr)
      check->as_one(w, kAllLanes, w.pc,
                    [&](const Actor& actor) { check->write(actor, *place.cta, place.offset, 4); });
  };
  return together(w, ctas, {&run_tensor_alloc, w.index, w.pc, 0, static_cast<int>(counts[0])}, take,
                  tell);
}

Flow run_tensor_dealloc(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const auto* counts = row<std::uint32_t>(w, i.b);
  const auto* addresses = row<std::uint32_t>(w, i.a);
  TensorCtas ctas;
  if (!same_in_all_lanes(w, counts, "number of columns") ||
      !same_in_all_lanes(w, addresses, "address of tensor memory") || !good_count(w, counts[0]) ||
      !find_ctas(w, 0, i.detail, ctas))
    return Flow::fault;
  const TensorAddress begin = tensor_address(addresses[0]);
  const auto columns = static_cast<int>(counts[0]);
  const auto find = [&](TensorMemory& memory) {
    return std::find_if(memory.allocations.begin(), memory.allocations.end(), [&](const auto& one) {
      return begin.lane == 0 && one.first == begin.column && one.columns == columns;
    });
  };
  const bool comes = meeting_of(w) == nullptr;
  if (comes && find(tensor_memory(*w.cta)) == tensor_memory(*w.cta).allocations.end())
    return tensor_misuse(
        w,
        fmt::format("tcgen05.dealloc of {} columns at 0x{:x}, which nobody has allocated so",
                    counts[0], addresses[0]),
        "give back what tcgen05.alloc gave, with the same number of columns");
  if (comes && w.cta->check != nullptr)  // what either CTA's columns are used for must be over
    for (Cta* cta : ctas)
      w.cta->check->tensor().moved(w, *cta, {begin.column, columns, 0xff}, TensorUse::ends);
  const auto give_back = [&](const TensorMeeting& own, const TensorMeeting* peer) {
    if (peer != nullptr && (peer->columns != own.columns || peer->first != own.first))
      return differ(w, "dealloc", own, *peer);
    for (Cta* cta : ctas) {
      TensorMemory& memory = tensor_memory(*cta);
      memory.allocations.erase(find(memory));
    }
    ++w.cta->cluster->events;  // who waits for columns looks again
    return Flow::next;
  };
  return together(w, ctas, {&run_tensor_dealloc, w.index, w.pc, begin.column, columns}, give_back,
                  [](const TensorMeeting&) {});
}

Flow run_tensor_relinquish(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  TensorCtas ctas;
  if (!find_ctas(w, 0, i.detail, ctas)) return Flow::fault;
  const auto give_up = [&](const TensorMeeting&, const TensorMeeting*) {
    for (Cta* cta : ctas) tensor_memory(*cta).relinquished = true;
    return Flow::next;
  };
  return together(w, ctas, {&run_tensor_relinquish, w.index, w.pc, 0, 0}, give_up,
                  [](const TensorMeeting&) {});
}

std::string describe_columns(const Cta& cta, const Warp& warp, const Instruction& i, int line) {
  const auto rank = static_cast<std::size_t>(cta.rank) ^ 1;
  const auto& ctas = cta.cluster->ctas;
  if (i.detail == 2 && rank < ctas.size() && unmet(*ctas[rank], i.handler) == nullptr)
    return fmt::format("warp {} waits at tcgen05.{} (PTX line {}) for a warp of the peer CTA",
                       warp.index,
                       i.handler == &run_tensor_alloc     ? "alloc"
                       : i.handler == &run_tensor_dealloc ? "dealloc"
                                                          : "relinquish_alloc_permit",
                       line);
  return fmt::format("warp {} waits for columns of tensor memory (PTX line {}), {} of {} are free",
                     warp.index, line, cta.tensor->free_columns(), kTensorColumns);
}

}  // namespace lanescope::emulator
