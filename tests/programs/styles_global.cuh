// SPDX-License-Identifier: MIT
// How CTAs hand work to each other through global memory: flags, counters, locks, queues. Kernels
// of styles.cu.
#pragma once

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

constexpr int kThreads = 128, kBlocks = 12, kCount = kThreads * kBlocks;

// Decoupled look-back: each block's sum, then its prefix, behind a status word.
__device__ volatile int status[kBlocks], sums[kBlocks], prefixes[kBlocks];

__global__ void scan_by_look_back(const int* in, int* out) {
  __shared__ int warp_sums[kThreads / 32], before;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int block = blockIdx.x;
  int sum = in[block * kThreads + threadIdx.x];
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += left;
  }
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  int mine = 0, all = 0;
  for (int k = 0; k < kThreads / 32; ++k) {
    if (k < warp) mine += warp_sums[k];
    all += warp_sums[k];
  }
  if (threadIdx.x == 0) {
    sums[block] = all;
    __threadfence();
    status[block] = 1;
    int prefix = 0;
    for (int look = block - 1; look >= 0;) {
      int seen;
      while ((seen = status[look]) == 0) {
      }
      __threadfence();
      if (seen == 2) {
        prefix += prefixes[look];
        break;
      }
      prefix += sums[look--];
    }
    prefixes[block] = prefix + all;
    __threadfence();
    status[block] = 2;
    before = prefix;
  }
  __syncthreads();
  out[block * kThreads + threadIdx.x] = before + mine + sum;
}

// Split-K: partial sums in global memory, the last block of a tile adds them up in order.
__global__ void split_k_last_block(const int* in, int* partials, int* counter, int* out) {
  __shared__ bool is_last;
  partials[blockIdx.x * kThreads + threadIdx.x] = 3 * in[blockIdx.x * kThreads + threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(counter, 1) == kBlocks - 1;
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (int k = 0; k < kBlocks; ++k) sum += partials[k * kThreads + threadIdx.x];
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0) *counter = 0;
}

// Stream-K: a block that begins in the middle of a tile leaves its part for the tile's owner.
__global__ void stream_k_fixup(const int* in, int* workspace, int* flags, int* out) {
  const int block = blockIdx.x, at = block * kThreads + threadIdx.x;
  int sum = in[at];
  if (block % 2 == 1) {
    workspace[at] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[block]);
      flag.store(1, cuda::memory_order_release);
    }
    return;
  }
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[block + 1]);
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
  }
  __syncthreads();
  out[block / 2 * kThreads + threadIdx.x] = sum + workspace[at + kThreads];
}

// A barrier of the grid by hand, twice.
__device__ void meet(int* arrived, int goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*static_cast<volatile int*>(arrived) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void grid_barrier(int* data, int* arrived) {
  const int at = blockIdx.x * kThreads + threadIdx.x;
  data[at] = at;
  meet(arrived, kBlocks);
  const int other = data[(at + kThreads) % kCount];
  meet(arrived, 2 * kBlocks);
  data[at] = other;
}

__global__ void grid_group(int* data) {
  const cg::grid_group grid = cg::this_grid();
  const int at = grid.thread_rank();
  data[at] = at;
  grid.sync();
  const int other = data[(at + kThreads) % kCount];
  grid.sync();
  data[at] = other;
}

// Blocks add to the same numbers in turn; the last one clears the turn with a plain store.
__global__ void one_after_another(const int* in, int* turn, int* out) {
  if (threadIdx.x == 0) {
    int now = -1;
    while (now != static_cast<int>(blockIdx.x))
      asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(now) : "l"(turn) : "memory");
  }
  __syncthreads();
  out[threadIdx.x] += in[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (blockIdx.x == kBlocks - 1)
    *turn = 0;
  else
    asm volatile("fence.acq_rel.gpu; red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(turn)
                 : "memory");
}

__global__ void lock(int* mutex, int* total) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
    *total += 1;
    __threadfence();
    atomicExch(mutex, 0);
  }
}

__global__ void hash_insert(unsigned* keys, int* counts) {  // open addressing
  const unsigned key = 1 + (blockIdx.x * kThreads + threadIdx.x) * 7919u % 257;
  for (unsigned slot = key * 2654435761u % 1024;; slot = (slot + 1) % 1024) {
    const unsigned found = atomicCAS(&keys[slot], 0u, key);
    if (found != 0 && found != key) continue;
    atomicAdd(&counts[slot], 1);
    return;
  }
}

// What there is no instruction for, as the CUDA C++ Programming Guide has it: a plain load guesses,
// and atomicCAS finds out.
__device__ void add_by_swaps(double* sum, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
}

__device__ void raise_by_swaps(float* most, float value) {
  int *bits = reinterpret_cast<int*>(most), old = *bits;
  while (__int_as_float(old) < value) {
    const int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
}

__global__ void guess_and_swap(const int* in, double* sum, float* most) {
  __shared__ double block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  const int mine = in[blockIdx.x * kThreads + threadIdx.x];
  add_by_swaps(&block_sum, mine);
  raise_by_swaps(&most[threadIdx.x % 3], static_cast<float>(mine));
  __syncthreads();
  if (threadIdx.x == 0) add_by_swaps(sum, block_sum);
}

__global__ void everybody_says_so(const int* in, bool* found) {
  if (in[blockIdx.x * kThreads + threadIdx.x] >= 0) *found = true;  // the same value from all
}

__global__ void warp_ticket(int* next, int* owner) {  // a persistent kernel's work queue
  __shared__ int tile;
  while (true) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    const int mine = tile;
    __syncthreads();
    if (mine >= 40) return;
    owner[mine * kThreads + threadIdx.x] = mine;
  }
}

__global__ void own_memory(const int* in, int* out) {  // what one frees another gets
  const int at = blockIdx.x * kThreads + threadIdx.x;
  int* box = new int[4];
  for (int k = 0; k < 4; ++k) box[k] = in[at] + k;
  out[at] = box[0] + box[3];
  delete[] box;
}
