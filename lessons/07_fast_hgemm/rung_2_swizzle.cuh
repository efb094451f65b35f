// SPDX-License-Identifier: MIT
// Rung 2, conflict-free shared memory: rung 1 with its tiles swizzled (lesson 04), one word
// changed. The eight rows that a fragment's lanes read lay in the same few banks; now each has its
// own.
#pragma once

#include "parts.cuh"

namespace rung_2 {

constexpr int kM = 128, kN = 128, kK = 32, kThreads = 256;
constexpr int kWarpM = 64, kWarpN = 32, kBlocksM = kWarpM / 16, kBlocksN = kWarpN / 8;
using TileA = Tile<kM, kK, kSwizzled>;
using TileB = Tile<kK, kN, kSwizzled>;

__global__ void __launch_bounds__(kThreads) swizzle(Gemm g) {
  __shared__ __align__(128) std::uint16_t a_tile[TileA::kElements], b_tile[TileB::kElements];
  const int row0 = static_cast<int>(blockIdx.y) * kM, col0 = static_cast<int>(blockIdx.x) * kN;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / 4 * kWarpM, warp_col = warp % 4 * kWarpN;

  float acc[kBlocksM][kBlocksN][4] = {};
  for (int k0 = 0; k0 < g.K; k0 += kK) {
    load_tile<TileA, kThreads>(a_tile, g.A, g.M, g.K, row0, k0);
    load_tile<TileB, kThreads>(b_tile, g.B, g.K, g.N, k0, col0);
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int k = 0; k < kK; k += 16) {
      std::uint32_t a[kBlocksM][4], b[2];
#pragma unroll
      for (int i = 0; i < kBlocksM; ++i) fragment_a<TileA>(a[i], a_tile, warp_row + i * 16, k);
#pragma unroll
      for (int j = 0; j < kBlocksN; ++j) {
        fragment_b<TileB>(b, b_tile, k, warp_col + j * 8);
#pragma unroll
        for (int i = 0; i < kBlocksM; ++i) mma(acc[i][j], a[i], b);
      }
    }
    __syncthreads();  // nobody reads them any more
  }
  store_fragments(g, row0 + warp_row, col0 + warp_col, acc);
}

}  // namespace rung_2
