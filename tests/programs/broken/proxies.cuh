// SPDX-License-Identifier: MIT
// Mistakes with bulk copies and global memory: TMA goes by the async proxy, stores and loads by the
// generic one.
#pragma once

#include "barriers.cuh"

namespace {

#define ADD(to, from)                                                                          \
  asm volatile(                                                                                \
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], 256;" ::"l"(to), \
      "r"(shared_address(from))                                                                \
      : "memory")

__device__ void expect(Ring& ring) {
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
  }
  __syncthreads();
}

__global__ void fetched_without_fence(Arguments a) {
  __shared__ Ring ring;
  expect(ring);
  a.memory[threadIdx.x] = a.threads;
  __syncthreads();
  if (threadIdx.x == 0) FETCH(ring, a.memory);  //! missing-proxy-fence
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void fenced_for_shared_memory(Arguments a) {
  __shared__ Ring ring;
  expect(ring);
  a.memory[threadIdx.x] = a.threads;
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) FETCH(ring, a.memory);  //! missing-proxy-fence
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void handed_over_without_fence(Arguments a) {
  __shared__ Ring ring;
  expect(ring);
  if (blockIdx.x == 0) {
    a.memory[threadIdx.x] = a.threads;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&a.memory[64], 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(&a.memory[64], 0) == 0) {
      }
      __threadfence();
      FETCH(ring, a.memory);  //! missing-proxy-fence
    }
    ptx::mbarrier_wait_parity(&ring.barrier, 0);
  }
}

__global__ void fenced_before_the_stores(Arguments a) {
  __shared__ Ring ring;
  expect(ring);
  if (blockIdx.x == 0) {
    ptx::fence_proxy_async();
    a.memory[threadIdx.x] = a.threads;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&a.memory[64], 1);
  } else {
    if (threadIdx.x == 0) {
      ptx::fence_proxy_async();
      while (atomicAdd(&a.memory[64], 0) == 0) {
      }
      __threadfence();
      FETCH(ring, a.memory);  //! missing-proxy-fence
    }
    ptx::mbarrier_wait_parity(&ring.barrier, 0);
  }
}

__global__ void overwritten_source(Arguments a) {
  __shared__ Ring ring;
  start(ring, a, 256);
  a.memory[threadIdx.x] = a.threads;  //! race-write-after-read
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void waited_for_reads_alone(Arguments a) {
  __shared__ Ring ring;
  ring.tile[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    SEND(a.memory, ring.tile, 256);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read<0>();
  }
  __syncthreads();
  a.memory[threadIdx.x + 128] = a.memory[threadIdx.x];  //! race-read-after-write
}

__global__ void added_to_stored_zeros(Arguments a) {
  __shared__ Ring ring;
  a.memory[threadIdx.x] = 0;
  ring.tile[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  ADD(a.memory, ring.tile);  //! missing-proxy-fence
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group<0>();
}

__global__ void stored_over_what_was_read(Arguments a) {
  __shared__ Ring ring;
  ring.tile[threadIdx.x] = a.memory[63 - threadIdx.x];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  SEND(a.memory, ring.tile, 256);  //! late-read strict
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group<0>();
}

}  // namespace
