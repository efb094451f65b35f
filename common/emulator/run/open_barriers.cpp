// SPDX-License-Identifier: MIT
// See open_barriers.hpp.
#include "emulator/run/open_barriers.hpp"

#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/decode/warp_operation.hpp"
#include "emulator/record/step_recorder.hpp"

namespace lanescope::emulator {
namespace {

// What bar.red gives: a count, or a predicate in all lanes.
void write_reduction(const Group& group, const Instruction& i, const Barrier& barrier) {
  if ((i.detail & (kBarrierCounts | kBarrierAll | kBarrierAny)) == 0) return;
  std::byte* rows = group.frame->rows.get() + i.d;
  if ((i.detail & kBarrierCounts) != 0) {
    for (int lane = 0; lane < kLanes; ++lane)
      if (((group.mask >> lane) & 1) != 0) std::memcpy(rows + 4 * lane, &barrier.sum, 4);
    return;
  }
  const bool answer =
      (i.detail & kBarrierAll) != 0 ? barrier.sum == barrier.voters : barrier.sum != 0;
  std::uint32_t word;
  std::memcpy(&word, rows, 4);
  word = answer ? word | group.mask : word & ~group.mask;
  std::memcpy(rows, &word, 4);
}

void release(Cta& cta, int index) {
  const Instruction* code = cta.launch->program->code.data();
  Barrier& barrier = cta.barriers[static_cast<std::size_t>(index)];
  StepRecorder* steps = cta.launch->steps;
  if (steps != nullptr && steps->sees(cta)) steps->released(cta, index);
  const auto waits = [&](const Group& group) {
    return group.waiting == Waiting::barrier && group.barrier == index;
  };
  for (const Warp& warp : cta.warps) {
    if (cta.check == nullptr) break;
    if (warp.alive == 0 && barrier.expected == 0) cta.check->stand_still(warp, kAllLanes, index);
    for (const Group& group : warp.groups)
      if (waits(group)) cta.check->stand_still(warp, group.mask, index);
  }
  for (Warp& warp : cta.warps) {
    for (Group& group : warp.groups) {
      if (!waits(group)) continue;
      group.waiting = Waiting::no;
      if (cta.check != nullptr) cta.check->pass_barrier(warp, group.mask, index);
      write_reduction(group, code[group.pc - 1], barrier);
      if (steps != nullptr && steps->sees(cta)) steps->reduced(warp, group);
    }
  }
  if (cta.check != nullptr) cta.check->open_barrier(cta, index);
  barrier = {};
}

}  // namespace

std::int64_t arrived(const Cta& cta, const Barrier& barrier) {
  std::int64_t count = barrier.arrived;
  if (barrier.expected == 0) return count;
  for (const Warp& warp : cta.warps) {
    const std::uint32_t lanes = barrier.lanes[static_cast<std::size_t>(warp.index)];
    if (lanes != 0 && (warp.alive & ~lanes) == 0) count += kLanes - __builtin_popcount(lanes);
  }
  return count;
}

bool release_barrier(Cta& cta, int index) {
  const Barrier& barrier = cta.barriers[static_cast<std::size_t>(index)];
  if (barrier.arrived == 0) return false;
  const std::int64_t expected = barrier.expected != 0 ? barrier.expected : cta.live_threads;
  if (barrier.arrived < expected && (barrier.parts == 0 || arrived(cta, barrier) < expected))
    return false;
  release(cta, index);
  return true;
}

bool release_barriers(Cta& cta) {
  bool any = false;
  for (int index = 0; index < static_cast<int>(cta.barriers.size()); ++index)
    any = release_barrier(cta, index) || any;
  return any;
}

}  // namespace lanescope::emulator
