// SPDX-License-Identifier: MIT
// cooperative_groups as people use them: groups of a warp and of parts of one, of a block, a
// cluster and the grid; reduce, scan, memcpy_async, votes and shuffles of each. What comes out is
// printed as a hash, and one thread's part in full.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "program.cuh"

namespace cg = cooperative_groups;

constexpr int kBlocks = 2, kThreads = 256, kResults = 24;

__device__ void whole_warp(int* out, int value) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto four = cg::tiled_partition<4>(warp);
  out[0] = cg::reduce(warp, value, cg::plus<int>());
  out[1] = cg::reduce(four, value, cg::greater<int>());
  out[2] = cg::inclusive_scan(warp, value, cg::plus<int>());
  out[3] = cg::exclusive_scan(four, value);
  out[4] = cg::exclusive_scan(warp, value, cg::bit_xor<int>());
  out[13] = warp.ballot(value > 10);
  out[14] = warp.any(value == 7);
  out[15] = warp.match_any(value & 7);
  out[16] = warp.shfl_xor(value, 5);
  out[17] = four.meta_group_rank() * 100 + four.meta_group_size();
}

__device__ void part_of_a_warp(int* out, int value) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (value & 1) {
    const auto odd = cg::coalesced_threads();
    out[5] = odd.size();
    out[6] = odd.thread_rank();
    out[7] = cg::reduce(odd, value, cg::less<int>());
    out[8] = odd.shfl(value, 0);
    out[9] = cg::inclusive_scan(odd, value);
  }
  const auto labeled = cg::labeled_partition(warp, value % 3);
  out[10] = labeled.size();
  out[11] = cg::reduce(labeled, value, cg::plus<int>());
  out[12] = cg::binary_partition(warp, value > 50).size();
}

__device__ void more_than_a_warp(int* out, int value) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  __shared__ int count;
  if (block.thread_rank() == 0) count = 0;
  block.sync();
  cg::invoke_one(warp, [&] { atomicAdd(&count, 1); });
  block.sync();
  out[18] = count;
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  out[19] = block.group_index().x;
  __shared__ cg::block_tile_memory<kThreads> memory;
  const auto half = cg::tiled_partition<128>(cg::this_thread_block(memory));
  out[20] = cg::reduce(half, value, cg::plus<int>());
  out[21] = half.any(value == 200);
  out[22] = cg::inclusive_scan(half, value);
}

__global__ void groups(int* all, const int* in, float* sums) {
  __shared__ int tile[kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * kThreads, sizeof tile);
  cg::wait(block);
  const int index = blockIdx.x * kThreads + block.thread_rank();
  const int value = tile[block.thread_rank()];
  int* out = all + index * kResults;
  whole_warp(out, value);
  part_of_a_warp(out, value);
  const auto warp = cg::tiled_partition<32>(block);
  sums[index] =
      cg::reduce(warp, value * 0.1f, cg::plus<float>()) + cg::inclusive_scan(warp, value * 0.3f);
  more_than_a_warp(out, value);
  cuda::atomic<int>& total =
      *reinterpret_cast<cuda::atomic<int>*>(all + kBlocks * kThreads * kResults);
  cg::reduce_update_async(warp, total, value, cg::plus<int>());
}

__global__ void __cluster_dims__(2, 1, 1) cluster(int* out) {
  __shared__ int mine;
  const auto group = cg::this_cluster();
  if (threadIdx.x == 0) mine = 10 * static_cast<int>(group.block_rank());
  group.sync();
  const int* other = group.map_shared_rank(&mine, group.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = *other + group.num_blocks() + group.thread_rank();
  group.sync();
}

__global__ void grid(int* out) {
  const auto all = cg::this_grid();
  atomicAdd(out, 1);
  all.sync();
  if (all.thread_rank() == 0) out[1] = out[0];
  all.sync();
  if (all.thread_rank() == 5) out[2] = out[1] + all.size();
}

int main() {
  std::vector<int> in(kBlocks * kThreads);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = (static_cast<int>(i) * 37 + 11) % 101;
  const int* values = to_device(in);
  constexpr int kAll = kBlocks * kThreads * kResults;
  int* out = to_device(std::vector<int>(kAll + 8));
  float* sums = to_device(std::vector<float>(kBlocks * kThreads));
  groups<<<kBlocks, kThreads>>>(out, values, sums);
  print_bits(from_device(out, kAll + 8));
  print_bits(from_device(sums, kBlocks * kThreads));
  const std::vector<int> found = from_device(out, kAll + 1);
  for (int k = 0; k < 23; ++k) std::printf("%d ", found[kResults * 77 + k]);
  std::printf("| %d\n", found[kAll]);
  cluster<<<4, 32>>>(out);
  print_bits(from_device(out, 128));
  int* counts = to_device(std::vector<int>(4));
  void* arguments[] = {&counts};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid), dim3(8), dim3(64), arguments));
  const std::vector<int> three = from_device(counts, 3);
  std::printf("%d %d %d\n", three[0], three[1], three[2]);
  return 0;
}
