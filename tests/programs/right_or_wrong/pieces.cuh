// SPDX-License-Identifier: MIT
// What the kernels of right_or_wrong.cu are given, and the copies that several of them make.
// Reports name the line that calls these.
#pragma once

#include <cstdint>

#include "ptx/cluster.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"

constexpr int kTile = 128, kTileBytes = 4 * kTile;

struct Given {
  const int* in;    // 8192 numbers
  int *out, *work;  // as many zeros each
};

/// mbarriers; a barrier of the block or cluster follows.
__device__ inline void make(std::uint64_t* barriers, int count, int arrivals) {
  if (threadIdx.x != 0) return;
  for (int k = 0; k < count; ++k) ptx::mbarrier_init_shared_b64(&barriers[k], arrivals);
  ptx::fence_mbarrier_init_release_cluster();
}

/// Arrives for a tile's bytes, and has TMA bring them.
__device__ inline void fetch(int* to, const int* from, std::uint64_t* full) {
  ptx::mbarrier_arrive_expect_tx_shared_b64(full, kTileBytes);
  ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(to, from, kTileBytes, full);
}

/// Half a tile, to the same place in both blocks of the cluster.
__device__ inline void fetch_for_both(int* to, const int* from, std::uint64_t* full) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1], %2, [%3], %4;" ::"r"(ptx::shared_address(to)),
      "l"(from), "n"(kTileBytes / 2), "r"(ptx::shared_address(full)), "h"(std::uint16_t{3})
      : "memory");
}

__device__ inline void send(int* to, const int* from) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(ptx::shared_address(from)), "n"(kTileBytes)
               : "memory");
  ptx::cp_async_bulk_commit_group();
}
__device__ inline void add(int* to, const int* from) {
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(to),
      "r"(ptx::shared_address(from)), "n"(kTileBytes)
      : "memory");
  ptx::cp_async_bulk_commit_group();
}

/// Counts up, and waits for a count.
__device__ inline void count_up(int* counter, bool releases = true) {
  if (releases)
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(counter) : "memory");
  else
    asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(counter) : "memory");
}
__device__ inline void wait_for(const int* counter, int count) {
  int now = 0;
  while (now < count)
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
}
