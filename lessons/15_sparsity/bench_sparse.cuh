// SPDX-License-Identifier: MIT
// --bench of lesson 15: the same registers multiplied again and again, by the dense instruction and
// by the sparse one, which does twice the columns at a time. Nothing is loaded meanwhile: no kernel
// gains more than this by sparsity.
//
// Method: common/device/bench.cuh. For GPUs only.
#pragma once

#include "bench.cuh"
#include "bench_gemm.cuh"
#include "device_array.cuh"
#include "ptx/mma.cuh"

namespace bench_sparse {

constexpr int kThreads = 256, kRounds = 4000;
constexpr int kBlocksM = 4, kBlocksN = 8;  // a warp's tile: 64 x 64
constexpr int kWordsOfLane = kBlocksM * 4 + kBlocksN * 4;

/// `words`: kWordsOfLane for every thread of a block, f16 pairs. Metadata: any legal ones.
template <bool kSparse>
__global__ void __launch_bounds__(kThreads, 1) multiply_only(const uint32_t* words, float* out) {
  uint32_t a[kBlocksM][4], b[kBlocksN][4];
  const uint32_t* word = words + threadIdx.x * kWordsOfLane;
#pragma unroll
  for (int i = 0; i < kBlocksM * 4; ++i) a[i / 4][i % 4] = *word++;
#pragma unroll
  for (int i = 0; i < kBlocksN * 4; ++i) b[i / 4][i % 4] = *word++;
  const uint32_t e = threadIdx.x % 2 == 0 ? 0x4d9ec844 : 0xe84c9d4e;
  float d[kBlocksM][kBlocksN][4] = {};
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round)
#pragma unroll
    for (int i = 0; i < kBlocksM; ++i)
#pragma unroll
      for (int n = 0; n < kBlocksN; ++n)
        if constexpr (kSparse) {
          ptx::mma_sp_ordered_metadata_sync_aligned_m16n8k32_row_col_f32_f16_f16_f32<0>(
              d[i][n], a[i], b[n], d[i][n], e);
        } else {
          const uint32_t half[2] = {b[n][0], b[n][1]};
          ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d[i][n], a[i], half, d[i][n]);
        }
  float sum = 0;  // wanted by somebody
#pragma unroll
  for (int i = 0; i < kBlocksM * kBlocksN * 4; ++i)
    sum += d[i / 4 / kBlocksN][i / 4 % kBlocksN][i % 4];
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

inline int run() {
  if (bench::needs_gpu()) return 0;
  cudaDeviceProp device{};
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  const unsigned blocks = static_cast<unsigned>(device.multiProcessorCount);
  DeviceArray<std::uint16_t> random(2 * kWordsOfLane * kThreads), zeros(random.size());
  DeviceArray<float> out(std::size_t{blocks} * kThreads);
  bench::fill_normal<<<64, 256>>>(random.data(), random.size(), 3, bench::Type::kF16);
  CUDA_CHECK(cudaMemset(zeros.data(), 0, zeros.size() * 2));
  std::vector<bench::Contestant> contestants;
  for (const auto& [words, what] : {std::pair{&random, ""}, std::pair{&zeros, ", zeros"}}) {
    const auto* pairs = reinterpret_cast<const uint32_t*>(words->data());
    contestants.push_back({std::string("mma m16n8k16") + what, [=, &out](int) {
                             multiply_only<false><<<blocks, kThreads>>>(pairs, out.data());
                           }});
    contestants.push_back({std::string("mma.sp m16n8k32") + what, [=, &out](int) {
                             multiply_only<true><<<blocks, kThreads>>>(pairs, out.data());
                           }});
  }
  const bench::Monitor monitor;
  std::printf(
      "%s\nWhat A leaves out counted as if it were multiplied; zeros cost the card less power:\n",
      bench::card().c_str());
  bool sparse = false;
  for (const bench::Measured& one : bench::race(contestants, {3}, monitor)) {
    const double flop = 2.0 * 16 * 8 * (sparse ? 32 : 16) * kBlocksM * kBlocksN * kRounds *
                        (kThreads / 32) * blocks;
    std::printf("  %-23s %8.1f TFLOP/s  +-%.1f %%  %5.0f MHz  %4.0f W\n", one.name.c_str(),
                flop / one.seconds.median * 1e-12, bench::spread_percent(one.seconds), one.mhz,
                one.watts);
    sparse = !sparse;
  }
  return 0;
}

}  // namespace bench_sparse
