// SPDX-License-Identifier: MIT
// Producers and consumers with what libcu++ offers: a cuda::pipeline whose threads have roles, bulk
// copies that a cuda::barrier counts in bytes, one store of a tile by the asynchronous proxy, a
// barrier over a cluster in distributed shared memory, and a grid of blocks that work until a
// shared counter runs out. What it prints does not depend on who was first.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "program.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128, kWords = 256, kTiles = 9;

// Warp 0 fetches, the others add up.
__global__ void with_roles(const int* in, long long* out) {
  constexpr int kStages = 3;
  __shared__ alignas(16) int tile[kStages][kWords];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  const auto role =
      threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipeline = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    for (int k = 0; k < kTiles; ++k) {
      pipeline.producer_acquire();
      for (int word = threadIdx.x * 4; word < kWords; word += 128)
        cuda::memcpy_async(&tile[k % kStages][word], in + k * kWords + word,
                           cuda::aligned_size_t<16>(16), pipeline);
      pipeline.producer_commit();
    }
    pipeline.quit();
    return;
  }
  long long sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    pipeline.consumer_wait();
    for (int word = threadIdx.x - 32; word < kWords; word += kThreads - 32)
      sum = sum * 5 + tile[k % kStages][word];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// A ring of bulk copies; then the tile goes back as one.
__global__ void with_bytes(const int* in, int* out) {
  constexpr int kStages = 2;
  __shared__ alignas(128) int tile[kStages][kWords];
  __shared__ alignas(128) int result[kWords];
  __shared__ Barrier full[kStages];
  if (threadIdx.x == 0) {
    for (Barrier& barrier : full) init(&barrier, blockDim.x);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  int sum[kWords / kThreads] = {};
  const auto ask = [&](int k) {
    Barrier& barrier = full[k % kStages];
    if (threadIdx.x == 0) {
      cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // behind what was read there
      cuda::device::memcpy_async_tx(tile[k % kStages], in + k * kWords,
                                    cuda::aligned_size_t<16>(sizeof tile[0]), barrier);
      return cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile[0]);
    }
    return barrier.arrive();
  };
  auto token = ask(0);
  for (int k = 0; k < kTiles; ++k) {
    full[k % kStages].wait(std::move(token));
    if (k + 1 < kTiles) token = ask(k + 1);
    for (int part = 0; part < kWords / kThreads; ++part)
      sum[part] = sum[part] * 7 + tile[k % kStages][part * kThreads + threadIdx.x];
    __syncthreads();
  }
  for (int part = 0; part < kWords / kThreads; ++part)
    result[part * kThreads + threadIdx.x] = sum[part];
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out, result,
                           sizeof result);
  cuda::ptx::cp_async_bulk_commit_group();
  cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>{});
}

// Histogram in the shared memory of a cluster: each block owns a quarter of the bins.
__global__ void __cluster_dims__(4, 1, 1) spread(const int* in, int count, int* bins) {
  constexpr int kEach = 16;
  __shared__ int mine[kEach];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < kEach) mine[threadIdx.x] = 0;
  cluster.sync();
  for (int at = cluster.thread_rank(); at < count; at += cluster.num_threads()) {
    const int bin = in[at] & (4 * kEach - 1);
    atomicAdd(cluster.map_shared_rank(mine, bin / kEach) + bin % kEach, 1);
  }
  cluster.sync();
  if (threadIdx.x < kEach) bins[cluster.block_rank() * kEach + threadIdx.x] = mine[threadIdx.x];
}

// Blocks that take work until there is none.
__device__ cuda::atomic<int, cuda::thread_scope_device> next_tile;
__global__ void persistent(const int* in, int tiles, int* out) {
  __shared__ int tile;
  for (;;) {
    if (threadIdx.x == 0) tile = next_tile.fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    const int mine = tile;
    if (mine >= tiles) return;
    const int value = in[mine * kThreads + threadIdx.x];
    const int highest = __reduce_max_sync(~0u, value), sum = __reduce_add_sync(~0u, value);
    if (threadIdx.x % 32 == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device>(out[2 * mine]).fetch_max(highest);
      cuda::atomic_ref<int, cuda::thread_scope_device>(out[2 * mine + 1]).fetch_add(sum);
    }
    __syncthreads();
  }
}

int main() {
  Numbers numbers;
  std::vector<int> values(kTiles * kWords);
  for (int& value : values) value = numbers.next(1000000);
  const int* in = to_device(values);
  long long* sums = to_device(std::vector<long long>(kThreads));
  with_roles<<<1, kThreads>>>(in, sums);
  print_bits(from_device(sums, kThreads));
  int* out = to_device(std::vector<int>(kWords));
  with_bytes<<<1, kThreads>>>(in, out);
  print_bits(from_device(out, kWords));
  int* bins = to_device(std::vector<int>(64));
  spread<<<4, 96>>>(in, kTiles * kWords, bins);
  for (const int bin : from_device(bins, 64)) std::printf("%d ", bin);
  std::printf("\n");
  int* found = to_device(std::vector<int>(2 * 18));
  persistent<<<5, kThreads>>>(in, 18, found);
  print_bits(from_device(found, 2 * 18));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
