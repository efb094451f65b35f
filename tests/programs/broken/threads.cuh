// SPDX-License-Identifier: MIT
// Mistakes of warps and of clusters: who takes part, and who is still there.
#pragma once

#include "arguments.cuh"
#include "ptx/cluster.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mbarrier.cuh"

namespace {

__global__ void crooked_row(Arguments a) {
  __shared__ alignas(16) std::uint16_t tile[32 * 9];  // rows of 18 bytes
  for (int k = threadIdx.x; k < 32 * 9; k += 32) tile[k] = k;
  __syncwarp();
  std::uint32_t r[4];
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(r, &tile[9 * threadIdx.x]);  //! misaligned-address
  a.memory[threadIdx.x] = r[0];
}

__global__ void diverged(Arguments a) {
  __shared__ alignas(16) std::uint16_t tile[32 * 8];
  for (int k = threadIdx.x; k < 32 * 8; k += 32) tile[k] = k;
  __syncwarp();
  std::uint32_t r[4] = {};
  if (threadIdx.x < 16) ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(r, &tile[8 * threadIdx.x]);
  __syncwarp();  //! diverged-collective
  a.memory[threadIdx.x] = r[0];
}

__global__ void outside_mask(Arguments a) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) value = __shfl_sync(0xffff0000u, value, 20);  //! membermask
  a.memory[threadIdx.x] = value;
}

__global__ void missing_lane(Arguments a) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) value = __shfl_sync(0xffffffffu, value, 20);
  __syncwarp();  //! diverged-collective
  a.memory[threadIdx.x] = value;
}

__global__ void lanes_in_step(Arguments a) {  // as before sm_70
  __shared__ volatile int sums[64];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  volatile int& mine = sums[threadIdx.x];
  mine = mine + sums[threadIdx.x + 32];
  if (threadIdx.x < 16) mine = mine + sums[threadIdx.x + 16];  //! race-read-after-write
  if (threadIdx.x < 8) mine = mine + sums[threadIdx.x + 8];    //! race-read-after-write
  if (threadIdx.x == 0) a.memory[0] = mine;
}

__global__ void lanes_in_half_a_step(Arguments a) {
  __shared__ volatile int sums[64];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int step = 16; step > 0; step /= 2) {
    sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + step];  //! race-write-after-read
    __syncwarp();
  }
  if (threadIdx.x == 0) a.memory[0] = sums[0];
}

__global__ void waits_forever(Arguments) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 96;");  //! deadlock
}

__global__ void shared_number(Arguments) {  // warps 0 and 1, 2 and 3
  asm volatile("bar.sync 1, 64;");          //! barrier
}

__device__ std::uint32_t mapa(std::uint32_t address, int rank) {
  std::uint32_t other;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(address), "r"(rank));
  return other;
}

#define STORE(to, value) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(value))

__global__ void __cluster_dims__(2) too_early(Arguments a) {
  __shared__ int number;
  const std::uint32_t other = mapa(shared_address(&number), blockIdx.x ^ 1);
  if (threadIdx.x == 0) STORE(other, a.threads);  //! cluster-start
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
}

#define STORE_ASYNC(to, value, barrier)                                                           \
  asm volatile(                                                                                   \
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), \
      "r"(value), "r"(barrier))

__global__ void __cluster_dims__(2) no_wait_for_stores(Arguments a) {
  __shared__ Ring ring;
  ring.tile[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
    ptx::fence_mbarrier_init_release_cluster();
  }
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
  const std::uint32_t tile = mapa(shared_address(&ring.tile[threadIdx.x]), 1);
  const std::uint32_t barrier = mapa(shared_address(&ring.barrier), 1);
  if (ptx::cluster_ctarank() == 0)
    STORE_ASYNC(tile, a.threads, barrier);
  else
    a.memory[threadIdx.x] = ring.tile[threadIdx.x];  //! race-read-after-write
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
}

__global__ void __cluster_dims__(2) stores_outlive(Arguments a) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
    ptx::fence_mbarrier_init_release_cluster();
  }
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
  const std::uint32_t tile = mapa(shared_address(&ring.tile[threadIdx.x]), 1);
  const std::uint32_t barrier = mapa(shared_address(&ring.barrier), 1);
  if (ptx::cluster_ctarank() == 0) STORE_ASYNC(tile, a.threads, barrier);  //! missing-bulk-wait
}

#define SEND_ACROSS(to, from, barrier)                                                            \
  asm volatile(                                                                                   \
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 1024, " \
      "[%2];" ::"r"(to),                                                                          \
      "r"(from), "r"(barrier))

__global__ void __cluster_dims__(2) barrier_at_home(Arguments a) {
  __shared__ Ring ring;
  for (int k = threadIdx.x; k < 256; k += 64) ring.tile[k] = 0;
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 1024);
    ptx::fence_mbarrier_init_release_cluster();
  }
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
  const std::uint32_t tile = shared_address(ring.tile), barrier = shared_address(&ring.barrier);
  if (ptx::cluster_ctarank() == 1)
    ptx::mbarrier_wait_parity(&ring.barrier, 0);
  else if (threadIdx.x == 0)
    SEND_ACROSS(mapa(tile, 1), tile, barrier);  //! mbarrier
  a.memory[threadIdx.x] = ring.tile[threadIdx.x];
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
}

#define MEET_RELAXED()                                                                    \
  asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" :: \
                   : "memor"                                                              \
                     "y")

__global__ void __cluster_dims__(2) no_fence_before_relaxed(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 64);
  MEET_RELAXED();
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);  //! mbarrier-before-init
}

__global__ void __cluster_dims__(2) relaxed_orders_nothing(Arguments a) {
  __shared__ int number;
  if (threadIdx.x == 0) number = a.threads;
  ptx::fence_mbarrier_init_release_cluster();
  MEET_RELAXED();
  a.memory[blockIdx.x * 64 + threadIdx.x] = number;  //! race-read-after-write
}

__global__ void __cluster_dims__(2) too_late(Arguments a) {
  __shared__ int number;
  if (threadIdx.x == 0) number = blockIdx.x;
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
  const std::uint32_t other = mapa(shared_address(&number), blockIdx.x ^ 1);
  int value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(other));  //! cluster-exit
  a.memory[blockIdx.x] = value;
}

}  // namespace
