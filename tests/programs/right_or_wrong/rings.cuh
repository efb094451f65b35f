// SPDX-License-Identifier: MIT
// Stages that warps of a block, and blocks of a cluster, hand to each other. Kernels of
// right_or_wrong.cu.
#pragma once

#include "pieces.cuh"

/// A warp has TMA fill three stages, four warps read them. 1: a stage is free when one warp has
/// read it; 2: nobody waits until it is; 3: no fence behind that wait; 4: it is said too early.
template <int kMistake>
__global__ void ring(Given g) {
  __shared__ alignas(128) int tile[3][kTile];
  __shared__ std::uint64_t full[3], empty[3];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  make(full, 3, 1);
  make(empty, 3, kMistake == 1 ? 1 : 4);
  __syncthreads();
  if (warp == 4) {
    for (int k = 0; k < 8 && lane == 0; ++k) {
      if (kMistake != 2) ptx::mbarrier_wait_parity(&empty[k % 3], k / 3 % 2 ^ 1);
      if (kMistake != 3) ptx::fence_proxy_async_shared_cta();
      //! race-write-after-read 1 4; late-read 3; mbarrier 2
      fetch(tile[k % 3], g.in + k * kTile, &full[k % 3]);
    }
    return;
  }
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    ptx::mbarrier_wait_parity(&full[k % 3], k / 3 % 2);
    if (kMistake == 4 && lane == 0) ptx::mbarrier_arrive_shared_b64(&empty[k % 3]);
    for (int j = 0; j < 4; ++j) sum += tile[k % 3][32 * j + lane];
    __syncwarp();
    const bool says = lane == 0 && kMistake != 4 && (kMistake != 1 || warp == 0);
    if (says) ptx::mbarrier_arrive_shared_b64(&empty[k % 3]);
  }
  g.out[threadIdx.x] = sum;
}

/// The same with cp.async. 1: the warp says that it has asked, not that it is there.
template <int kMistake>
__global__ void ring_of_cp_async(Given g) {
  __shared__ alignas(16) int tile[2][kTile];
  __shared__ std::uint64_t full[2], empty[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  make(full, 2, 32);
  make(empty, 2, 32);
  __syncthreads();
  if (warp > 1) return;
  int sum = 0;
  for (int k = 0; k < 6; ++k) {
    const int stage = k % 2, phase = k / 2 % 2;
    if (warp == 0) {
      ptx::mbarrier_wait_parity(&empty[stage], phase ^ 1);
      ptx::cp_async_cg_shared_global_16(&tile[stage][4 * lane], g.in + k * kTile + 4 * lane);
      if (kMistake == 1)
        ptx::mbarrier_arrive_shared_b64(&full[stage]);
      else
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                         ptx::shared_address(&full[stage]))
                     : "memory");
    } else {
      ptx::mbarrier_wait_parity(&full[stage], phase);
      //! missing-cp-async-wait 1
      for (int j = 0; j < 4; ++j) sum += tile[stage][32 * j + lane];
      ptx::mbarrier_arrive_shared_b64(&empty[stage]);
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  g.out[threadIdx.x] = sum;
}

/// Three stages of cp.async in one group of threads, and a ragged end. 1: groups end with the
/// tiles.
template <int kMistake>
__global__ void ragged_end(Given g) {
  __shared__ alignas(16) int tile[3][4 * kTile];
  const int tiles = 7, mine = 4 * threadIdx.x;
  const auto ask = [&](int k) {
    if (k < tiles) ptx::cp_async_cg_shared_global_16(&tile[k % 3][mine], g.in + k * kTile + mine);
    if (kMistake == 0 || k < tiles) ptx::cp_async_commit_group();
  };
  ask(0), ask(1);
  int sum = 0;
  for (int k = 0; k < tiles; ++k) {
    ptx::cp_async_wait_group<1>();
    __syncthreads();
    ask(k + 2);
    //! missing-cp-async-wait 1
    sum += tile[k % 3][4 * kTile - 1 - mine];
  }
  g.out[threadIdx.x] = sum;
}

/// Both blocks of a cluster get both halves of each tile. 1: a block has the other's tile
/// overwritten when its own threads have read; 2: the blocks do not meet first; 3: nor last.
template <int kMistake>
__global__ void __cluster_dims__(2) multicast(Given g) {
  __shared__ alignas(128) int tile[2][kTile];
  __shared__ std::uint64_t full[2], empty[2];
  const int rank = ptx::cluster_ctarank(), half = rank * kTile / 2;
  make(full, 2, 1);
  make(empty, 2, kMistake == 1 ? 1 : 2);
  if (kMistake == 2)
    __syncthreads();
  else
    ptx::cluster_sync();
  int sum = 0;
  for (int k = 0; k < 6; ++k) {
    const int stage = k % 2, phase = k / 2 % 2;
    if (threadIdx.x == 0) {
      ptx::mbarrier_wait_parity(&empty[stage], phase ^ 1);
      ptx::fence_proxy_async_shared_cta();
      ptx::mbarrier_arrive_expect_tx_shared_b64(&full[stage], kTileBytes);
      //! race-write-after-read 1; cluster-start 2
      fetch_for_both(&tile[stage][half], g.in + k * kTile + half, &full[stage]);
    }
    ptx::mbarrier_wait_parity(&full[stage], phase);
    sum += tile[stage][threadIdx.x];
    __syncthreads();
    const int to = threadIdx.x;
    if (to < 2 && (kMistake != 1 || to == rank))
      //! cluster-exit 3
      ptx::mbarrier_arrive_release_cluster_shared_cluster_b64(&empty[stage], to);
  }
  g.out[blockIdx.x * kTile + threadIdx.x] = sum;
  if (kMistake != 3) ptx::cluster_sync();
}

/// Tiles leave through two buffers. 1: the wait leaves both under way; 2: one thread's wait, and no
/// barrier behind it; 3: no fence between the stores and the copy.
template <int kMistake>
__global__ void epilogue(Given g) {
  __shared__ alignas(128) int tile[2][kTile];
  for (int k = 0; k < 6; ++k) {
    if (threadIdx.x == 0) {
      if (kMistake == 1)
        ptx::cp_async_bulk_wait_group_read<2>();
      else
        ptx::cp_async_bulk_wait_group_read<1>();
    }
    if (kMistake != 2) __syncthreads();
    //! race-write-after-read 1 2
    tile[k % 2][threadIdx.x] = k * g.in[threadIdx.x];
    if (kMistake != 3) ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    //! missing-proxy-fence 3
    if (threadIdx.x == 0) send(g.out + k * kTile, tile[k % 2]);
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group<0>();
}

/// Two groups of warps use one tile in turn. 1: nothing gives them their turns.
template <int kMistake>
__global__ void ping_pong(Given g) {
  __shared__ int tile[kTile];
  const int group = threadIdx.x / kTile, at = threadIdx.x % kTile;
  const auto says = [](int to) { asm volatile("bar.arrive %0, 256;" ::"r"(1 + to) : "memory"); };
  const auto waits = [](int of) { asm volatile("bar.sync %0, 256;" ::"r"(1 + of) : "memory"); };
  if (group == 1 && kMistake == 0) says(0);
  for (int k = 0; k < 4; ++k) {
    if (kMistake == 0) waits(group);
    //! race-write-after-read 1; race-write-after-write 1
    tile[at] = g.in[(2 * k + group) * kTile + at];
    asm volatile("bar.sync %0, 128;" ::"r"(3 + group) : "memory");
    g.out[(2 * k + group) * kTile + at] = tile[kTile - 1 - at];
    if (kMistake == 0) says(1 - group);
  }
  if (group == 0 && kMistake == 0) waits(0);
}

/// Warps take a box each by a counter in shared memory and fill it. 1: one lane speaks for all.
template <int kMistake>
__global__ void tickets(Given g) {
  __shared__ int next, box[8][32];
  __shared__ std::uint64_t full[8];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) next = 0;
  make(full, 8, kMistake == 1 ? 1 : 32);
  __syncthreads();
  for (int k = 0; k < 4 && warp < 2; ++k) {
    const int mine = __shfl_sync(~0u, lane == 0 ? atomicAdd(&next, 1) : 0, 0);
    box[mine][lane] = g.in[lane];
    if (kMistake == 0 || lane == 0) ptx::mbarrier_arrive_shared_b64(&full[mine]);
  }
  for (int k = warp - 2; k < 8 && warp >= 2; k += 2) {
    ptx::mbarrier_wait_parity(&full[k], 0);
    //! race-read-after-write 1
    g.out[k * 32 + lane] = box[k][31 - lane];
  }
}
