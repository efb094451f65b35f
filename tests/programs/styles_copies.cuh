// SPDX-License-Identifier: MIT
// Global memory that threads and bulk copies have in common: who stores, who fetches, and the fence
// between their proxies. Kernels of styles.cu.
#pragma once

#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"
#include "styles_global.cuh"

constexpr int kTileBytes = kThreads * sizeof(int);

struct Stage {
  alignas(128) int tile[kThreads];
  std::uint64_t full;
};

__device__ void prepare(Stage& stage) {
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&stage.full, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
}

__device__ void fetch(Stage& stage, const int* from) {
  ptx::mbarrier_arrive_expect_tx_shared_b64(&stage.full, kTileBytes);
  ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(stage.tile, from, kTileBytes,
                                                                      &stage.full);
}

/// The tile into global memory; `adds`: to what is there.
__device__ void send(int* to, const Stage& stage, bool adds) {
  const std::uint32_t from = ptx::shared_address(stage.tile);
  if (adds)
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(to),
        "r"(from), "n"(kTileBytes)
        : "memory");
  else
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from),
                 "n"(kTileBytes)
                 : "memory");
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group<0>();
}

__device__ void set(int* flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
}

__device__ void await(int* flag) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> seen(*flag);
  while (seen.load(cuda::memory_order_acquire) == 0) {
  }
}

/// Who has the fence between what blocks store and the copies by which the next ones fetch it.
enum class Fences { writers, teller, reader };

// Blocks leave tiles for their neighbours, who fetch them by TMA.
__global__ void handed_to_copies(const int* in, int* workspace, int* flags, int* out,
                                 Fences fences) {
  __shared__ Stage stage;
  prepare(stage);
  const int block = static_cast<int>(blockIdx.x), at = block * kThreads + threadIdx.x;
  if (block % 2 == 1) {
    workspace[at] = in[at];
    if (fences == Fences::writers) ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (fences == Fences::teller) asm volatile("fence.proxy.async.global;" ::: "memory");
    return set(&flags[block]);
  }
  if (threadIdx.x == 0) {
    await(&flags[block + 1]);
    if (fences == Fences::reader) asm volatile("fence.proxy.async.global;" ::: "memory");
    fetch(stage, workspace + (block + 1) * kThreads);
  }
  ptx::mbarrier_wait_parity(&stage.full, 0);
  out[block / 2 * kThreads + threadIdx.x] = in[at] + stage.tile[threadIdx.x];
}

// From copy to copy no fence is missing: the end of the first is one.
__global__ void copied_on(const int* in, int* workspace, int* flags, int* out) {
  __shared__ Stage stage;
  prepare(stage);
  const int block = static_cast<int>(blockIdx.x), at = block * kThreads + threadIdx.x;
  if (block % 2 == 1) {
    stage.tile[threadIdx.x] = in[at];
    ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x != 0) return;
    send(workspace + block * kThreads, stage, false);
    return set(&flags[block]);
  }
  if (threadIdx.x == 0) {
    await(&flags[block + 1]);
    fetch(stage, workspace + (block + 1) * kThreads);
  }
  ptx::mbarrier_wait_parity(&stage.full, 0);
  out[block / 2 * kThreads + threadIdx.x] = in[at] + stage.tile[threadIdx.x];
}

// Zeros that threads store, sums that copies add to them, a barrier of the grid on both sides.
__global__ void zeroed_and_added(const int* in, int* arrived, int* out) {
  __shared__ Stage stage;
  if (blockIdx.x == 0) out[threadIdx.x] = 0;
  stage.tile[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  ptx::fence_proxy_async();
  meet(arrived, kBlocks);
  if (threadIdx.x == 0) send(out, stage, true);
  meet(arrived, 2 * kBlocks);
  if (blockIdx.x == kBlocks - 1) out[kThreads + threadIdx.x] = out[kThreads - 1 - threadIdx.x];
}

// What has been fetched may be written again: by whoever has waited for it.
__global__ void doubled_in_place(int* data, bool by_copies) {
  __shared__ Stage stage;
  prepare(stage);
  int* const own = data + blockIdx.x * kThreads;
  if (threadIdx.x == 0) fetch(stage, own);
  ptx::mbarrier_wait_parity(&stage.full, 0);
  if (!by_copies) {
    own[threadIdx.x] = 2 * stage.tile[threadIdx.x];
    return;
  }
  stage.tile[threadIdx.x] *= 2;
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) send(own, stage, false);
}
