// SPDX-License-Identifier: MIT
// Libraries that are device code: CUB's pieces for warps, blocks and devices, and random numbers of
// curand_kernel.h. What comes out is printed as hashes, and compared with the CPU where that is
// easy.
#include <curand_kernel.h>

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <algorithm>
#include <numeric>

#include "program.cuh"

constexpr int kThreads = 128, kEach = 4;

__global__ void of_blocks(const unsigned* in, unsigned* out) {
  using Load = cub::BlockLoad<unsigned, kThreads, kEach, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<unsigned, kThreads, kEach>;
  using Scan = cub::BlockScan<unsigned, kThreads, cub::BLOCK_SCAN_RAKING>;
  using Reduce = cub::BlockReduce<unsigned, kThreads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
  using Store = cub::BlockStore<unsigned, kThreads, kEach, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage load;
    Sort::TempStorage sort;
    Scan::TempStorage scan;
    Reduce::TempStorage reduce;
    Store::TempStorage store;
  } room;
  unsigned mine[kEach];
  Load(room.load).Load(in + blockIdx.x * kThreads * kEach, mine);
  __syncthreads();
  Sort(room.sort).Sort(mine, 3, 17);
  __syncthreads();
  unsigned sums[kEach];
  Scan(room.scan).ExclusiveSum(mine, sums);
  __syncthreads();
  const unsigned most = Reduce(room.reduce).Reduce(mine[0] ^ sums[1], cuda::maximum<>{});
  __syncthreads();
  if (threadIdx.x == 0) sums[0] += most;
  Store(room.store).Store(out + blockIdx.x * kThreads * kEach, sums);
}

__global__ void of_warps(const float* in, float* out) {
  using Reduce = cub::WarpReduce<float, 16>;
  using Scan = cub::WarpScan<float>;
  __shared__ Reduce::TempStorage reduce[kThreads / 16];
  __shared__ Scan::TempStorage scan[kThreads / 32];
  const float value = in[threadIdx.x];
  const float sum = Reduce(reduce[threadIdx.x / 16]).Sum(value);
  float before;
  Scan(scan[threadIdx.x / 32]).ExclusiveScan(value, before, -1.0f, cuda::maximum<>{});
  out[threadIdx.x] = (threadIdx.x % 16 == 0 ? sum : 0) + before;
}

template <class State>
__global__ void draw(unsigned* whole, float* real) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  curand_init(1234, at, 5, &state);
  whole[at] = curand(&state);
  whole[at] ^= curand(&state) >> 3;
  real[4 * at] = curand_uniform(&state);
  real[4 * at + 1] = curand_normal(&state);
  const float2 two = curand_normal2(&state);
  real[4 * at + 2] = two.x + curand_log_normal(&state, 0.5f, 0.25f);
  real[4 * at + 3] = two.y + static_cast<float>(curand_poisson(&state, 3.5));
}

template <class Call>
void with_room(Call&& call) {
  std::size_t bytes = 0;
  CHECK(call(nullptr, bytes));
  void* room = nullptr;
  CHECK(cudaMalloc(&room, bytes));
  CHECK(call(room, bytes));
  CHECK(cudaFree(room));
}

int main() {
  constexpr int kCount = 16 * kThreads * kEach;
  Numbers numbers;
  std::vector<unsigned> values(kCount);
  for (unsigned& value : values) value = static_cast<unsigned>(numbers.next(1 << 30)) * 5u;
  unsigned *in = to_device(values), *out = to_device(values);
  of_blocks<<<16, kThreads>>>(in, out);
  print_bits(from_device(out, kCount));
  std::vector<float> reals(kThreads);
  for (float& value : reals) value = numbers.next(1000) / 7.0f;
  float *some = to_device(reals), *others = to_device(std::vector<float>(4 * 256));
  of_warps<<<1, kThreads>>>(some, others);
  print_bits(from_device(others, kThreads));

  with_room([&](void* room, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(room, bytes, in, out, kCount);
  });
  std::vector<unsigned> expected(kCount);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0u);
  int failed = verdict("scan", from_device(out, kCount) != expected, 1);
  with_room([&](void* room, std::size_t& bytes) {
    return cub::DeviceReduce::Max(room, bytes, in, out, kCount);
  });
  failed |=
      verdict("most", from_device(out, 1)[0] != *std::max_element(values.begin(), values.end()), 1);

  unsigned* whole = to_device(std::vector<unsigned>(256));
  draw<curandStatePhilox4_32_10_t><<<2, 128>>>(whole, others);
  print_bits(from_device(whole, 256));
  print_bits(from_device(others, 4 * 256));
  draw<curandStateXORWOW_t><<<2, 128>>>(whole, others);
  print_bits(from_device(whole, 256));
  print_bits(from_device(others, 4 * 256));
  draw<curandStateMRG32k3a_t><<<2, 128>>>(whole, others);
  print_bits(from_device(whole, 256));
  print_bits(from_device(others, 4 * 256));
  return failed;
}
