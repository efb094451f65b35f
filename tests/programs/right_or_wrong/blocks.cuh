// SPDX-License-Identifier: MIT
// Work that blocks hand to each other through global memory. Kernels of right_or_wrong.cu.
#pragma once

#include "pieces.cuh"

/// Stream-K as CUTLASS has it: parts of a tile are added up in a workspace, and its owner waits for
/// all. 1: a part is announced without a release; 2: before all threads have added; 3: one thread
/// waits, and the others do not for it.
template <int kMistake>
__global__ void stream_k(Given g) {
  int* const arrived = g.work + 4096;
  const int at = threadIdx.x;
  if (blockIdx.x != 0) {
    //! race-write-after-read 3
    atomicAdd(&g.work[at], g.in[blockIdx.x * kTile + at]);
    if (kMistake != 2) __syncthreads();
    if (at == 0) count_up(arrived, kMistake != 1);
    return;
  }
  if (at == 0) wait_for(arrived, gridDim.x - 1);
  if (kMistake != 3) __syncthreads();
  //! race-read-after-write 1 2
  g.out[at] = g.in[at] + g.work[at];
}

/// Split-K: tiles are added by TMA, the last block reads the sum. 1: the others wait for what is
/// read of shared memory alone; 2: nobody fences before he counts.
template <int kMistake>
__global__ void split_k(Given g) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ bool is_last;
  tile[threadIdx.x] = g.in[blockIdx.x * kTile + threadIdx.x];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    add(g.work, tile);
    if (kMistake == 1)
      ptx::cp_async_bulk_wait_group_read<0>();
    else
      ptx::cp_async_bulk_wait_group<0>();
    if (kMistake != 2) __threadfence();
    is_last = atomicAdd(g.work + 4096, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  //! race-read-after-write 1 2
  g.out[threadIdx.x] = g.work[threadIdx.x];
}

/// Blocks add in turn, as the gradient of Q in an attention's backward pass wants it. 1 as above.
template <int kMistake>
__global__ void in_turn(Given g) {
  __shared__ alignas(128) int tile[kTile];
  tile[threadIdx.x] = g.in[blockIdx.x * kTile + threadIdx.x];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    wait_for(g.work, blockIdx.x);
    add(g.out, tile);
    if (kMistake == 1)
      ptx::cp_async_bulk_wait_group_read<0>();
    else
      ptx::cp_async_bulk_wait_group<0>();
    count_up(g.work);
  }
  if (blockIdx.x != gridDim.x - 1) return;
  if (threadIdx.x == 0) wait_for(g.work, gridDim.x);
  __syncthreads();
  //! race-read-after-write 1
  g.work[64 + threadIdx.x] = g.out[threadIdx.x];
}

/// A block's tile is fetched by another one. Stored by threads (0, 1: with the fence for shared
/// memory alone) or by TMA (2: announced too early).
template <int kMistake>
__global__ void handed_over(Given g) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ std::uint64_t full;
  make(&full, 1, 1);
  __syncthreads();
  const int block = blockIdx.x, other = block ^ 1;
  int* const flag = g.work + 4096 + block / 2;
  if (block % 2 == 1 && kMistake < 2) {
    g.work[block * kTile + threadIdx.x] = g.in[block * kTile + threadIdx.x];
    if (kMistake == 1)
      ptx::fence_proxy_async_shared_cta();
    else
      ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) count_up(flag);
  } else if (block % 2 == 1) {
    tile[threadIdx.x] = g.in[block * kTile + threadIdx.x];
    ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x != 0) return;
    send(g.work + block * kTile, tile);
    ptx::cp_async_bulk_wait_group_read<0>();
    count_up(flag);
  } else {
    if (threadIdx.x == 0) {
      wait_for(flag, 1);
      //! missing-proxy-fence 1; race-read-after-write 2
      fetch(tile, g.work + other * kTile, &full);
    }
    ptx::mbarrier_wait_parity(&full, 0);
    g.out[block * kTile + threadIdx.x] = tile[threadIdx.x];
  }
}

/// A ring of two slots in global memory, from block 0 to block 1. 1: a slot is said to be empty
/// before it is read; 2: before all have read it.
template <int kMistake>
__global__ void global_ring(Given g) {
  int *filled = g.work, *emptied = g.work + 32, *slots = g.work + 64;
  const int at = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 6; ++k) {
    int* const slot = slots + k % 2 * kTile;
    if (blockIdx.x == 0) {
      if (at == 0) wait_for(emptied, k - 1);
      __syncthreads();
      //! race-write-after-read 1 2
      slot[at] = g.in[k * kTile + at];
      __syncthreads();
      if (at == 0) count_up(filled);
      continue;
    }
    if (at == 0) wait_for(filled, k + 1);
    __syncthreads();
    if (kMistake == 1 && at == 0) count_up(emptied);
    sum += slot[kTile - 1 - at];
    if (kMistake != 2) __syncthreads();
    if (kMistake != 1 && at == 0) count_up(emptied);
  }
  g.out[blockIdx.x * kTile + at] = sum;
}

/// A barrier of the grid by hand. 1: nobody fences before it.
template <int kMistake>
__global__ void grid_barrier(Given g) {
  const int at = blockIdx.x * kTile + threadIdx.x, all = gridDim.x * kTile;
  const auto meet = [&](int goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
      if (kMistake != 1) __threadfence();
      atomicAdd(g.work, 1);
      wait_for(g.work, goal);
    }
    __syncthreads();
  };
  int meetings = 0;
  for (int k = 0; k < 3; ++k) {
    g.out[at] = k;
    meet(++meetings * gridDim.x);
    //! race-read-after-write 1
    const int next = g.out[(at + kTile) % all];
    meet(++meetings * gridDim.x);
    g.work[64 + at] = next;
  }
}

/// The first block to come makes a table for all. 1: it does not fence; 2: the others' threads do
/// not wait for the one that looks.
template <int kMistake>
__global__ void table_for_all(Given g) {
  __shared__ bool is_first;
  int* const table = g.work + 64;
  if (threadIdx.x == 0) is_first = atomicCAS(g.work, 0, 1) == 0;
  __syncthreads();
  if (is_first) {
    table[threadIdx.x] = g.in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) count_up(g.work + 1, kMistake != 1);
  } else {
    if (threadIdx.x == 0) wait_for(g.work + 1, 1);
    if (kMistake != 2) __syncthreads();
  }
  //! race-read-after-write 1 2
  g.out[blockIdx.x * kTile + threadIdx.x] = table[kTile - 1 - threadIdx.x];
}
