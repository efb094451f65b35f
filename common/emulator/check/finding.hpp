// SPDX-License-Identifier: MIT
// What the checker may find. The words for it are in finding.cpp.
#pragma once

#include <cstdint>

#include "trace/event.hpp"

namespace lanescope::emulator {

enum class FindingKind : std::uint8_t {
  uninitialised_shared,
  reserved_shared,
  missing_copy_wait,
  missing_copy_commit,
  missing_bulk_wait,
  race_read_after_write,
  race_write_after_read,
  race_write_after_write,
  warp_read_after_write,  // both by lanes of one warp
  warp_write_after_read,
  warp_write_after_write,
  peer_read_after_write,  // by two CTAs of one cluster
  peer_write_after_read,
  peer_write_after_write,
  missing_proxy_fence,
  proxy_overwrites,
  late_read,
  global_unfenced,  // the same three of global memory
  global_unfenced_overwritten,
  global_late_read,
  grid_read_after_write,  // a launch that may begin early, and what the one before does
  grid_write_after_write,
  grid_write_after_read,
  grid_before_the_last,
  map_not_acquired,
  map_not_released,
  map_never_acquired,
  first_wgmma_fence,
  missing_wgmma_fence,
  wgmma_fence_behind_read,
  accumulator_in_other_order,
  accumulator_in_flight,
  accumulator_uncommitted,
  misaligned_descriptor,
  barrier_round,
  mbarrier_before_init,
  mbarrier_twice,
  mbarrier_gone,
  mbarrier_ended,
  mbarrier_overwritten,
  mbarrier_elsewhere,
  mbarrier_missed,
  missing_barrier_fence,
  missing_bulk_read_wait,
  copy_outlives_target,
  copy_outlives_source,
  cluster_exit,
  cluster_start,
  warpgroup_lockstep,
  missing_acquire,
  cached_read,
  narrow_scope,
  non_coherent_read,
  tensor_in_flight,
  tensor_race,
  tensor_overwritten,
  tensor_reread,
  missing_store_wait,
  missing_load_wait,
  missing_tensor_fence,
  tensor_kept,
  tensor_grown,
  global_read_after_write,  // in one CTA; of one warp; between two CTAs
  global_write_after_read,
  global_write_after_write,
  lane_read_after_write,
  lane_write_after_read,
  lane_write_after_write,
  far_read_after_write,
  far_write_after_read,
  far_write_after_write,
  cluster_read_after_write,  // between two CTAs of one cluster
  cluster_write_after_read,
  cluster_write_after_write,
  copy_read_after_write,  // after a bulk copy into global memory
  copy_write_after_write,
  copy_write_after_read,  // beside a bulk copy out of global memory
};

struct Wording {
  const char* kind;
  const char* before;  // the other instruction's place stands between these two
  const char* after;
};
const Wording& wording(FindingKind kind);

/// A problem at one instruction, against another; however often.
struct Finding {
  trace::Diagnostic diagnostic;
  std::uint64_t cta = 0;
  std::uint64_t count = 0;
};

}  // namespace lanescope::emulator
