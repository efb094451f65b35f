// SPDX-License-Identifier: MIT
// Mistakes in shared and global memory: nobody waits for whom one reads from.
#pragma once

#include "arguments.cuh"
#include "ptx/cp_async.cuh"

namespace {

__global__ void uninitialised(Arguments a) {
  __shared__ int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a.memory[threadIdx.x] = tile[threadIdx.x + 64];  //! uninitialised-shared
}

__global__ void hole_in_vector(Arguments a) {
  __shared__ alignas(16) int numbers[64];
  if (threadIdx.x % 16 != 15) numbers[threadIdx.x] = a.threads;
  __syncthreads();
  if (threadIdx.x >= 16) return;
  const int4 four = reinterpret_cast<int4*>(numbers)[threadIdx.x];
  reinterpret_cast<int4*>(a.memory)[threadIdx.x] = four;  //! uninitialised-shared
}

__global__ void read_after_write(Arguments a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x >= 32) a.memory[threadIdx.x] = tile[threadIdx.x - 32];  //! race-read-after-write
}

__global__ void write_after_read(Arguments a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a.memory[threadIdx.x] = tile[threadIdx.x ^ 32];
  if (threadIdx.x >= 32) tile[threadIdx.x] = a.threads;  //! race-write-after-read
}

__global__ void write_after_write(Arguments a) {
  __shared__ int tile[32];
  tile[threadIdx.x % 32] = threadIdx.x;  //! race-write-after-write
  __syncthreads();
  a.memory[threadIdx.x] = tile[threadIdx.x % 32];
}

__global__ void in_flight(Arguments a) {
  __shared__ alignas(16) int tile[256];
  ptx::cp_async_cg_shared_global_16(&tile[4 * threadIdx.x], a.memory + 4 * threadIdx.x);
  ptx::cp_async_commit_group();
  a.memory[threadIdx.x + 512] = tile[4 * threadIdx.x];  //! missing-cp-async-wait
  ptx::cp_async_wait_group<0>();
}

__global__ void weak_wait(Arguments a) {
  __shared__ alignas(16) int tile[2][256];
  for (int stage = 0; stage < 2; ++stage) {
    ptx::cp_async_cg_shared_global_16(&tile[stage][4 * threadIdx.x], a.memory + 4 * threadIdx.x);
    ptx::cp_async_commit_group();
  }
  ptx::cp_async_wait_group<1>();
  __syncthreads();
  a.memory[threadIdx.x + 256] = tile[1][threadIdx.x];  //! missing-cp-async-wait
}

__global__ void neighbours(Arguments a) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  a.memory[index] = index;                                       //! race-write-after-read
  a.memory[index + 512] = a.memory[(index + blockDim.x) % 512];  //! race-read-after-write
}

__global__ void no_fence(Arguments a) {
  a.memory[blockIdx.x] = blockIdx.x;
  if (atomicAdd(&a.memory[64], 1) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) sum += a.memory[k];  //! race-read-after-write
  a.memory[65] = sum;
}

__global__ void never_looked(Arguments a) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    a.memory[0] = a.memory[1];
    __threadfence();
    atomicAdd(&a.memory[64], 1);  // tells that it has read, but nobody
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) a.memory[1] = a.threads;  //! race-write-after-read
}

__global__ void no_acquire(Arguments a) {
  volatile int* flag = &a.memory[64];
  if (blockIdx.x == 0) {
    a.memory[threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    while (*flag == 0) {
    }
    a.memory[threadIdx.x + 128] = a.memory[threadIdx.x];  //! missing-acquire strict
  }
}

// A look that acquires nothing; but here the L1 still has what the first load found.
__global__ void still_cached(Arguments a) {
  int* word = &a.memory[threadIdx.x];
  if (blockIdx.x == 1) {
    const int before = *word;
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicExch(&a.memory[65], 1);
      while (atomicAdd(&a.memory[64], 0) == 0) {
      }
    }
    __syncthreads();
    a.memory[threadIdx.x + 128] = *word - before;  //! missing-acquire
  } else {
    if (threadIdx.x == 0)
      while (atomicAdd(&a.memory[65], 0) == 0) {
      }
    __syncthreads();
    *word = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&a.memory[64], 1);
  }
}

__global__ void narrow_scope(Arguments a) {
  if (threadIdx.x == 0) atomicAdd_block(&a.memory[64], 1);  //! narrow-scope
}

__global__ void not_coherent(Arguments a) {
  a.memory[threadIdx.x] = a.threads;
  __syncthreads();
  a.memory[threadIdx.x + 64] = __ldg(&a.memory[63 - threadIdx.x]);  //! non-coherent-read
}

__global__ void out_of_bounds(Arguments a) {
  a.memory[1024 + threadIdx.x] = 1;  //! out-of-bounds
}

}  // namespace
