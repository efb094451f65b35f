// SPDX-License-Identifier: MIT
// The ceiling: mma.sync and nothing else. Two sets of fragments of random numbers, loaded once, are
// multiplied again and again by 64 x 64 warp tiles, in the order of rung 7. No kernel that has to
// fetch its operands can be faster, whatever it is made of.
#pragma once

#include "rung_7_serpentine.cuh"

namespace ceiling {

using namespace rung_7;

constexpr int kRounds = 4000;
constexpr int kSets = 2;
constexpr int kWordsOfLane = kSets * (kBlocksM * 4 + kBlocksN * 2);

constexpr double flop(int blocks) {
  return 2.0 * 16 * 8 * 16 * kBlocksM * kBlocksN * kSets * kRounds * (kThreads / 32) * blocks;
}

/// `words`: kWordsOfLane for every thread of a block, f16 pairs. `out`: one float a thread, so that
/// the sums are wanted by somebody.
__global__ void __launch_bounds__(kThreads, 1) mma_only(const std::uint32_t* words, float* out) {
  std::uint32_t a[kSets][kBlocksM][4], b[kSets][kBlocksN][2];
  const std::uint32_t* word = words + threadIdx.x * kWordsOfLane;
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
#pragma unroll
    for (int i = 0; i < kBlocksM * 4; ++i) a[set][i / 4][i % 4] = *word++;
#pragma unroll
    for (int i = 0; i < kBlocksN * 2; ++i) b[set][i / 2][i % 2] = *word++;
  }
  Sums acc = {};
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round)
#pragma unroll
    for (int set = 0; set < kSets; ++set)
#pragma unroll
      for (int i = 0; i < kBlocksM; ++i)
#pragma unroll
        for (int n = 0; n < kBlocksN; ++n) {
          const int j = Serpentine::column(i, n);
          mma(acc[i][j], a[set][i], b[set][j]);
        }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kBlocksM; ++i)
#pragma unroll
    for (int j = 0; j < kBlocksN; ++j)
#pragma unroll
      for (int reg = 0; reg < 4; ++reg) sum += acc[i][j][reg];
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

}  // namespace ceiling
