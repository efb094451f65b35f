// SPDX-License-Identifier: MIT
// Barriers of a CTA: bar, barrier, with what their threads count or agree on. Who waits goes on
// when all have arrived: open_barriers.cpp.
//
// Source: PTX ISA 9.2, 9.7.13 (bar, barrier).
#include <fmt/format.h>

#include "emulator/decode/warp_operation.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/open_barriers.hpp"

namespace lanescope::emulator {
namespace {

// Some lanes of the warp have come to the barrier before these, and have not done the same there:
// arrived, or waited. An H200 calls that an illegal instruction, or hangs where lanes that have
// arrived come again.
bool is_mixed(Warp& w, const Barrier& barrier, int index, bool arrives, std::uint32_t active) {
  const std::uint32_t before = barrier.lanes[static_cast<std::size_t>(w.index)];
  if (before == 0 || (w.alive & ~before) == 0) return false;  // nobody, or a whole warp
  std::uint32_t waiting = 0;
  for (const Group& group : w.groups)
    if (group.waiting == Waiting::barrier && group.barrier == index) waiting |= group.mask;
  const std::uint32_t others = before & (arrives ? waiting : ~waiting);
  if (others == 0) return false;
  const bool again = (others & active) != 0;
  fail(w, again ? ErrorCode::launch_timeout : ErrorCode::illegal_instruction, "barrier",
       __builtin_ctz(active),
       fmt::format("lanes 0x{:08x} {} at barrier {}, where lanes 0x{:08x} of the same warp {}",
                   active, arrives ? "arrive" : "wait", index, others,
                   arrives ? "wait" : "have only arrived"),
       "let all lanes of a warp do the same at a barrier");
  return true;
}

}  // namespace

Flow run_barrier(Warp& w, const Instruction& i, std::uint32_t active) {
  const bool aligned = (i.detail & kBarrierAligned) != 0;
  const int lane = __builtin_ctz(active);
  w.required = w.alive;
  if (aligned && (w.alive & ~active) != 0) return Flow::converge;
  const std::uint32_t index = row<std::uint32_t>(w, i.a)[lane];
  const std::int64_t expected = i.b == kNoRow ? 0 : row<std::uint32_t>(w, i.b)[lane];
  if (index >= w.cta->barriers.size())
    return fail(w, ErrorCode::illegal_instruction, "barrier", lane,
                fmt::format("there is no barrier {}", index), "barriers are numbered 0 to 15");
  if (expected % kLanes != 0)
    return fail(w, ErrorCode::illegal_instruction, "barrier", lane,
                fmt::format("{} threads are no whole warps", expected),
                "give a multiple of 32 as the number of threads");
  Barrier& barrier = w.cta->barriers[index];
  // Nobody need have waited for it: who comes when all have come is the first of another round.
  if (barrier.expected != 0) release_barrier(*w.cta, static_cast<int>(index));
  if (barrier.arrived != 0 && barrier.expected != expected)
    return fail(w, ErrorCode::illegal_instruction, "barrier", lane,
                fmt::format("barrier {} waits for {} threads, now for {}", index, barrier.expected,
                            expected),
                "all warps must give the same number of threads");
  const bool arrives = (i.detail & kBarrierArrives) != 0;
  if (is_mixed(w, barrier, static_cast<int>(index), arrives, active)) return Flow::fault;
  const int here = __builtin_popcount(active);
  barrier.expected = expected;
  barrier.arrived += aligned && expected != 0 ? kLanes : here;
  if (!aligned && expected != 0) {
    std::uint32_t& lanes = barrier.lanes[static_cast<std::size_t>(w.index)];
    const auto is_part = [](std::uint32_t some) { return some != 0 && some != kAllLanes ? 1 : 0; };
    barrier.parts -= is_part(lanes);
    lanes |= active;
    barrier.parts += is_part(lanes);
  }
  if ((i.detail & (kBarrierCounts | kBarrierAll | kBarrierAny)) != 0) {
    const std::uint32_t flip = (i.detail & kBarrierNegated) != 0 ? kAllLanes : 0;
    barrier.sum +=
        static_cast<std::uint32_t>(__builtin_popcount((predicate(w, i.c) ^ flip) & active));
    barrier.voters += static_cast<std::uint32_t>(here);
  }
  if (arrives) return Flow::next;
  w.barrier = static_cast<int>(index);
  return Flow::barrier;
}

}  // namespace lanescope::emulator
