// SPDX-License-Identifier: MIT
// How warps of a CTA, and CTAs of a cluster, hand work to each other with the library's barriers,
// pipelines and groups. Kernels of styles.cu.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "styles_global.cuh"
#include "tensor_map.cuh"

// A block's barrier is made by hand: its constructor does nothing.
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void library_barrier(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> barriers[2];
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0)
    for (auto& barrier : barriers) init(&barrier, kThreads);
  block.sync();
  int sum = 0;
  for (int k = 0; k < kBlocks; ++k) {
    cuda::memcpy_async(block, tile[k % 2], in + k * kThreads, sizeof(tile[0]), barriers[k % 2]);
    barriers[k % 2].arrive_and_wait();
    sum += tile[k % 2][kThreads - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// One thread of a block fills in what all of them read then; before, it takes part of it at once.
__global__ void speculated(const int* in, int* out) {
  __shared__ int first, last[2];
  if (threadIdx.x == 0) first = in[0];
  int mine = 0;
  if (threadIdx.x == 0) mine = first;
  if (threadIdx.x % 32 == 0 && threadIdx.x < 64) last[threadIdx.x / 32] = in[threadIdx.x];
  __syncwarp();
  if (threadIdx.x < 64) mine += threadIdx.x / 32 != 0 ? last[1] : last[0];
  __syncthreads();
  out[threadIdx.x] = mine + first;
}

// Sorts pairs in shared memory: with them goes padding that nobody writes.
struct Pair {
  int key;
  char value;
};
__global__ void pairs_sorted(int* out) {
  __shared__ Pair pairs[kThreads];
  const int k = static_cast<int>(threadIdx.x);
  pairs[k].key = k * 37 % kThreads;
  pairs[k].value = static_cast<char>(k);
  __syncthreads();
  for (int size = 2; size <= kThreads; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = k ^ step;
      if (other > k && (pairs[k].key > pairs[other].key) == ((k & size) == 0)) {
        const Pair kept = pairs[k];
        pairs[k] = pairs[other];
        pairs[other] = kept;
      }
      __syncthreads();
    }
  out[k] = pairs[k].key * 256 + pairs[k].value;
}

// The last tiles hang over two edges of the tensor: only what lies in it is put into shared memory.
constexpr int kTensorRows = 13, kTensorCols = 20, kBoxRows = 8, kBoxCols = 32;
__global__ void tensor_edges(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(1024) int box[kBoxRows * kBoxCols];
  const int first = static_cast<int>(blockIdx.x) * kBoxRows;
  for (int k = static_cast<int>(threadIdx.x); k < kBoxRows * kTensorCols; k += kThreads) {
    const int row = k / kTensorCols, col = k % kTensorCols;
    if (first + row < kTensorRows)  // swizzled: units of four words, by the row
      box[row * kBoxCols + (col ^ row * 4)] = (first + row) * kTensorCols + col;
  }
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int at[] = {0, first};
  cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_global, cuda::ptx::space_shared, &map, at, box);
  cuda::ptx::cp_async_bulk_commit_group();
  cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>());
}

// TMA fills two stages again and again, which threads read: the fence between the proxies is
// theirs, or that of the thread that copies.
__global__ void ring_of_copies(const int* in, int* out, bool readers_fence) {
  __shared__ alignas(128) int tile[2][kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> full[2];
  if (threadIdx.x == 0)
    for (auto& barrier : full) init(&barrier, kThreads);
  __syncthreads();
  const auto ask = [&](int k) {
    auto& barrier = full[k % 2];
    if (threadIdx.x != 0) return barrier.arrive();
    if (!readers_fence) cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    cuda::device::memcpy_async_tx(tile[k % 2], in + k * kThreads,
                                  cuda::aligned_size_t<16>(sizeof tile[0]), barrier);
    return cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile[0]);
  };
  int sum = 0;
  auto token = ask(0);
  for (int k = 0; k < kBlocks; ++k) {
    full[k % 2].wait(std::move(token));
    if (k + 1 < kBlocks) token = ask(k + 1);
    sum += tile[k % 2][kThreads - 1 - threadIdx.x];
    if (readers_fence) cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void library_pipeline(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int fetched = 0, k = 0; k < kBlocks; ++k) {
    for (; fetched < kBlocks && fetched < k + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % 2], in + fetched * kThreads, sizeof(tile[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[k % 2][kThreads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void library_thread_pipeline(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int fetched = 0, k = 0; k < kBlocks; ++k) {
    for (; fetched < kBlocks && fetched < k + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[fetched % 2][threadIdx.x], in + fetched * kThreads + threadIdx.x,
                         sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[k % 2][threadIdx.x];
    pipe.consumer_release();
  }
  out[kThreads - 1 - threadIdx.x] = sum;
}

__global__ void library_groups(const int* in, int* out) {
  __shared__ int tile[kThreads], sums[kThreads / 32];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * kThreads, sizeof(tile));
  cg::wait(block);
  const auto warp = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(warp, tile[kThreads - 1 - threadIdx.x], cg::plus<int>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
  block.sync();
  if (threadIdx.x == 0) atomicAdd(out, sums[0] + sums[1] + sums[2] + sums[3]);
}

// A tile of four warps: the library's lane 0 hears of the other warps, shuffles tell its lanes.
__global__ void library_wide_tile(const int* in, int* out) {
  __shared__ cg::block_tile_memory<kThreads> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<kThreads>(block);
  const int number = in[threadIdx.x];
  out[threadIdx.x] = cg::inclusive_scan(tile, number, cg::plus<int>());
  out[kThreads + threadIdx.x] = cg::reduce(tile, number, cg::plus<int>());
}

__global__ void __cluster_dims__(4) library_cluster(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const auto cluster = cg::this_cluster();
  tile[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  cluster.sync();
  const int next = (cluster.block_rank() + 1) % 4;
  const int other = *cluster.map_shared_rank(&tile[threadIdx.x], next);
  cluster.sync();
  out[blockIdx.x * kThreads + threadIdx.x] = other;
}

// Tables of all, which each warp copies whole: the same bytes to the same place, over copies that
// are there and over such as are under way.
__global__ void shared_tables(const int* in, int* out) {
  __shared__ alignas(16) int tables[2][kThreads];
  const int four = threadIdx.x % 32 * 4;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&tables[k][four], &in[kThreads * k + four], 16);
    __pipeline_commit();
    if (k == 1) __syncthreads();
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  out[threadIdx.x] = tables[0][kThreads - 1 - threadIdx.x] - tables[1][threadIdx.x];
}

// A spin lock and a flag in shared memory.
__global__ void near_flags(int* out) {
  __shared__ int mutex, total;
  __shared__ volatile int ready;
  __shared__ int box[32];
  if (threadIdx.x == 0) mutex = total = ready = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence_block();
    total += 1;
    __threadfence_block();
    atomicExch(&mutex, 0);
  }
  if (threadIdx.x / 32 == 3) {
    box[threadIdx.x % 32] = threadIdx.x;
    __syncwarp();
    __threadfence_block();
    if (threadIdx.x % 32 == 0) ready = 1;
  } else if (threadIdx.x / 32 == 1) {
    while (ready == 0) {
    }
    __threadfence_block();
    __syncwarp();
    out[threadIdx.x % 32] = box[31 - threadIdx.x % 32];
  }
  __syncthreads();
  if (threadIdx.x == 0) out[32] = total;
}

// Lanes of a warp that add by volatile memory and meet in between; and one that tells the others.
__global__ void lanes_in_turn(const int* in, int* out) {
  __shared__ volatile int sums[kThreads], total, ready;
  const int lane = static_cast<int>(threadIdx.x);
  sums[lane] = in[lane];
  if (lane == 0) ready = 0;
  __syncthreads();
  if (lane >= 32) return;
  int sum = sums[lane] + sums[lane + 32] + sums[lane + 64] + sums[lane + 96];
  for (int step = 16; step > 0; step /= 2) {
    sums[lane] = sum;
    __syncwarp();
    sum += sums[lane ^ step];
    __syncwarp();
  }
  if (lane == 0) {
    total = sum;
    __threadfence_block();
    ready = 1;
  }
  while (ready == 0) {
  }
  __threadfence_block();
  out[lane] = total;
}

// st.async: parts go to the first CTA of a cluster, where who has waited for their bytes reads
// them. The others have nothing left to do and may exit: what they send comes from registers.
__global__ void __cluster_dims__(4) async_stores(const int* in, int* out) {
  __shared__ int parts[4][kThreads];
  __shared__ std::uint64_t full;
  const cg::cluster_group cluster = cg::this_cluster();
  const auto address = [](const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
  };
  if (threadIdx.x == 0)
    asm volatile(
        "mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster; "
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(&full)),
        "r"(static_cast<int>(sizeof parts))
        : "memory");
  cluster.sync();
  asm volatile(
      "{ .reg .b32 part, there; mapa.shared::cluster.u32 part, %0, 0; "
      "mapa.shared::cluster.u32 there, %1, 0; "
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.s32 [part], %2, [there]; }" ::"r"(
          address(&parts[cluster.block_rank()][threadIdx.x])),
      "r"(address(&full)), "r"(in[blockIdx.x * kThreads + threadIdx.x])
      : "memory");
  if (cluster.block_rank() == 0) {
    asm volatile(
        "{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%0], 0; @!done bra "
        "AGAIN; }" ::"r"(address(&full))
        : "memory");
    out[blockIdx.x / 4 * kThreads + threadIdx.x] = parts[0][threadIdx.x] + parts[1][threadIdx.x] +
                                                   parts[2][threadIdx.x] + parts[3][threadIdx.x];
  }
}

// mbarriers that other CTAs arrive at, after a barrier of the cluster that orders nothing else.
__global__ void __cluster_dims__(2) relaxed_start(int* out) {
  __shared__ std::uint64_t met;
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&met));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(2 * kThreads) : "memory");
  asm volatile(
      "fence.mbarrier_init.release.cluster; barrier.cluster.arrive.relaxed.aligned; "
      "barrier.cluster.wait.aligned;" ::
          : "memory");
  for (int rank = 0; rank < 2; ++rank)
    asm volatile(
        "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(address),
        "r"(rank)
        : "memory");
  asm volatile(
      "{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared.b64 done, [%0], "
      "0; "
      "@!done bra AGAIN; }" ::"r"(address)
      : "memory");
  out[blockIdx.x * kThreads + threadIdx.x] = 1;
  cg::this_cluster().sync();
}

// A tile of sums that is loaded, changed and stored where it was, in global and in shared memory:
// every lane has the same elements of both fragments.
__global__ void sums_in_place(float* sums) {
  __shared__ float tile[kThreads / 32][16 * 16];
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> mine;
  const int warp = threadIdx.x / 32;
  float* const own = sums + (blockIdx.x * kThreads / 32 + warp) * 16 * 16;
  for (int turn = 0; turn < 2; ++turn) {
    wmma::load_matrix_sync(mine, own, 16, wmma::mem_row_major);
    for (float& x : mine.x) x += 1;
    wmma::store_matrix_sync(own, mine, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(tile[warp], mine, 16, wmma::mem_col_major);
    wmma::load_matrix_sync(mine, tile[warp], 16, wmma::mem_col_major);
    for (float& x : mine.x) x *= 2;
    wmma::store_matrix_sync(tile[warp], mine, 16, wmma::mem_col_major);
  }
  __syncwarp();
  for (int k = threadIdx.x % 32; k < 256; k += 32) own[k] += tile[warp][k % 16 * 16 + k / 16];
}
