// SPDX-License-Identifier: MIT
// --bench of lesson 16: the same tiles in shared memory multiplied again and again by wgmma
// m64n128k32 of e4m3, and what it costs to move the sums out every so many of K: one warpgroup an
// SM, which waits meanwhile, or two, of which the other one multiplies.
//
// Method: common/device/bench.cuh. For GPUs only.
#pragma once

#include <string>
#include <vector>

#include "bench.cuh"
#include "bench_gemm.cuh"
#include "device_array.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "this_device.cuh"

namespace bench_sums {

constexpr int kRounds = 4096, kStepsOfTile = 4;  // a tile is 128 of K wide
constexpr int kRowBytes = 128, kA = 64 * kRowBytes, kB = 128 * kRowBytes;
constexpr int kSwizzle128 = 1, kEightRows = 8 * kRowBytes;

__device__ __forceinline__ void multiply_n128(float (&d)[64], uint64_t a, uint64_t b, int scale_d) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %66, 0; "
      "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 "
      "{" PTX_WGMMA_REGISTERS_64 "}, %64, %65, adds, 1, 1; }"
      : PTX_WGMMA_64(d, 0)
      : "l"(a), "l"(b), "r"(scale_d));
}

// kEvery: steps of 32 between two promotions, 4 or 1; 0: never.
template <int kEvery>
__global__ void __launch_bounds__(256, 1) multiply_only(const uint32_t* words, float* out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
  using namespace ptx;
  __shared__ __align__(1024) uint32_t tiles[(2 * kA + kB) / 4];
  for (unsigned i = threadIdx.x; i < (2 * kA + kB) / 4; i += blockDim.x) tiles[i] = words[i];
  fence_proxy_async_shared_cta();
  __syncthreads();
  constexpr int kGroup = kEvery == 0 ? 1 : kEvery;
  float d[64] = {}, sums[64] = {};
  settle(d);
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    wgmma_fence_sync_aligned();
#pragma unroll
    for (int step = 0; step < kStepsOfTile; ++step) {
      const uint64_t a = matrix_descriptor(tiles + threadIdx.x / 128 * (kA / 4) + step * 8, 16,
                                           kEightRows, kSwizzle128);
      const uint64_t b =
          matrix_descriptor(tiles + 2 * kA / 4 + step * 8, 16, kEightRows, kSwizzle128);
      multiply_n128(d, a, b, kEvery == 0 || step % kGroup != 0);
      if (kEvery == 0 || (step + 1) % kGroup != 0) continue;
      wgmma_commit_group_sync_aligned();
      wgmma_wait_group_sync_aligned<0>();
#pragma unroll
      for (int i = 0; i < 64; ++i) sums[i] += d[i];
      wgmma_fence_sync_aligned();
    }
    if (kEvery == 0) {
      wgmma_commit_group_sync_aligned();
      wgmma_wait_group_sync_aligned<1>();
    }
  }
  wgmma_wait_group_sync_aligned<0>();
  float sum = 0;  // wanted by somebody
#pragma unroll
  for (int i = 0; i < 64; ++i) sum += d[i] + sums[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
#endif
}

inline int run() {
  if (bench::needs_gpu()) return 0;
  cudaDeviceProp device{};
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  if (compiled_for(multiply_only<0>) != 90 || device.major != 9) {
    std::printf("--bench needs wgmma, which sm_90a alone has.\n");
    return 0;
  }
  const unsigned blocks = static_cast<unsigned>(device.multiProcessorCount);
  std::vector<uint32_t> random;
  uint64_t state = 2026;  // Knuth's MMIX generator; e4m3 from -1.875 to 1.875
  for (int i = 0; i < (2 * kA + kB) / 4; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    random.push_back(static_cast<uint32_t>(state >> 32) & 0xbfbfbfbfu);
  }
  DeviceArray<uint32_t> words(random);
  DeviceArray<float> out(std::size_t{blocks} * 256);
  std::vector<bench::Contestant> contestants;
  std::vector<int> warpgroups;
  const auto enter = [&](auto kernel, const char* what) {
    for (const int count : {1, 2}) {
      const std::string name =
          std::string(what) + (count == 1 ? ", 1 warpgroup" : ", 2 warpgroups");
      contestants.push_back({name, [=, &words, &out](int) {
                               kernel<<<blocks, count * 128>>>(words.data(), out.data());
                             }});
      warpgroups.push_back(count);
    }
  };
  enter(multiply_only<0>, "never");
  enter(multiply_only<4>, "every 128");
  enter(multiply_only<1>, "every 32");
  const bench::Monitor monitor;
  std::printf("%s\nwgmma m64n128k32 e4m3; the sums move out, and so many warpgroups an SM:\n",
              bench::card().c_str());
  std::size_t i = 0;
  for (const bench::Measured& one : bench::race(contestants, {3}, monitor)) {
    const double flop = 2.0 * 64 * 128 * 32 * kStepsOfTile * kRounds * warpgroups[i++] * blocks;
    std::printf("  %-24s %8.1f TFLOP/s  +-%.1f %%  %5.0f MHz  %4.0f W\n", one.name.c_str(),
                flop / one.seconds.median * 1e-12, bench::spread_percent(one.seconds), one.mhz,
                one.watts);
  }
  return 0;
}

}  // namespace bench_sums
