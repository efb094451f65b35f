// SPDX-License-Identifier: MIT
// Rung 1, tile: a block of eight warps computes 128 x 128 of C from tiles of A and B in shared
// memory. Every element that comes from far away is now used 128 times instead of 8 or 16.
//
//     128 x 128 of C       warps 0 1 2 3      each 64 x 32: 4 x 4 blocks of mma
//                                4 5 6 7
#pragma once

#include "parts.cuh"

namespace rung_1 {

constexpr int kM = 128, kN = 128, kK = 32, kThreads = 256;
constexpr int kWarpM = 64, kWarpN = 32, kBlocksM = kWarpM / 16, kBlocksN = kWarpN / 8;
using TileA = Tile<kM, kK, kPlain>;
using TileB = Tile<kK, kN, kPlain>;

__global__ void __launch_bounds__(kThreads, 2) tile(Gemm g) {
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

}  // namespace rung_1
