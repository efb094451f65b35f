// SPDX-License-Identifier: MIT
// Rung 4, ldmatrix.x4: rung 3 with its fragments loaded by ldmatrix (lesson 03). A fragment of A is
// one instruction instead of four, two of B one instead of eight, and .trans puts B's two elements
// of a register together, which took shifts before.
#pragma once

#include "parts.cuh"

namespace rung_4 {

constexpr int kM = 128, kN = 128, kK = 32, kStages = 4, kThreads = 256;
constexpr int kWarpM = 64, kWarpN = 32, kBlocksM = kWarpM / 16, kBlocksN = kWarpN / 8;
using TileA = Tile<kM, kK, kSwizzled>;
using TileB = Tile<kK, kN, kSwizzled>;
constexpr int kStage = TileA::kElements + TileB::kElements;
constexpr int kSharedBytes = kStages * kStage * 2;

__global__ void __launch_bounds__(kThreads, 2) ldmatrix(Gemm g) {
  extern __shared__ __align__(128) std::uint16_t shared[];
  const int row0 = static_cast<int>(blockIdx.y) * kM, col0 = static_cast<int>(blockIdx.x) * kN;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / 4 * kWarpM, warp_col = warp % 4 * kWarpN;
  const int steps = blocks_along(g.K, kK);

  const auto start = [&](int step) {
    std::uint16_t* stage = shared + step % kStages * kStage;
    if (step < steps) {
      start_tile<TileA, kThreads>(stage, g.A, g.M, g.K, row0, step * kK);
      start_tile<TileB, kThreads>(stage + TileA::kElements, g.B, g.K, g.N, step * kK, col0);
    }
    ptx::cp_async_commit_group();  // an empty group counts too: the wait below stays right
  };
  for (int step = 0; step < kStages - 1; ++step) start(step);

  float acc[kBlocksM][kBlocksN][4] = {};
  for (int step = 0; step < steps; ++step) {
    ptx::cp_async_wait_group<kStages - 2>();  // all but the newest two: this step's has landed,
    __syncthreads();                          // everybody's, and everybody is done with the last
    start(step + kStages - 1);
    const std::uint16_t* a_tile = shared + step % kStages * kStage;
    const std::uint16_t* b_tile = a_tile + TileA::kElements;
#pragma unroll
    for (int k = 0; k < kK; k += 16) {
      std::uint32_t a[kBlocksM][4], b[kBlocksN][2];
#pragma unroll
      for (int i = 0; i < kBlocksM; ++i) ldmatrix_a<TileA>(a[i], a_tile, warp_row + i * 16, k);
#pragma unroll
      for (int j = 0; j < kBlocksN; j += 2)
        ldmatrix_b<TileB>(b[j], b[j + 1], b_tile, k, warp_col + j * 8);
#pragma unroll
      for (int i = 0; i < kBlocksM; ++i)
#pragma unroll
        for (int j = 0; j < kBlocksN; ++j) mma(acc[i][j], a[i], b[j]);
    }
  }
  store_fragments(g, row0 + warp_row, col0 + warp_col, acc);
}

}  // namespace rung_4
