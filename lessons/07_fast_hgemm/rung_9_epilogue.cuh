// SPDX-License-Identifier: MIT
// Rung 9, epilogue: C is stored 16 bytes a lane. The four lanes of a quad hold a row of a block,
// two elements each, and so they do of the three blocks beside it: 4 x 4 registers. Transposed
// among the lanes, each lane has eight elements side by side, and a quad stores 64 bytes in one go.
//
//            block  0    1    2    3                  block  0    1    2    3
//     lane 0       0,1  0,1  0,1  0,1          lane 0       0,1  2,3  4,5  6,7  of block 0
//     lane 1       2,3  2,3  2,3  2,3   --->   lane 1       0,1  2,3  4,5  6,7  of block 1
//     lane 2       4,5  4,5  4,5  4,5          lane 2                           of block 2
//     lane 3       6,7  6,7  6,7  6,7          lane 3                           of block 3
#pragma once

#include "rung_8_raster.cuh"

namespace rung_9 {

using namespace rung_8;

/// words[n] of lane q becomes words[q] of lane n, in every quad: first what is off the diagonal of
/// the 2 x 2 corners, then the corners themselves.
__device__ __forceinline__ void transpose_quad(std::uint32_t (&words)[4]) {
  constexpr unsigned kAll = 0xffffffff;
#pragma unroll
  for (int apart = 1; apart <= 2; apart *= 2) {
    const bool upper = (lane_id() & apart) != 0;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      if ((n & apart) != 0) continue;  // n and n + apart: one goes, one stays
      const std::uint32_t away = upper ? words[n] : words[n + apart];
      const std::uint32_t got = __shfl_xor_sync(kAll, away, apart);
      if (upper)
        words[n] = got;
      else
        words[n + apart] = got;
    }
  }
}

template <int kBlocksM, int kBlocksN>
__device__ __forceinline__ void store_quads(const Gemm& g, int row0, int col0,
                                            const float (&acc)[kBlocksM][kBlocksN][4]) {
#pragma unroll
  for (int i = 0; i < kBlocksM; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int j = 0; j < kBlocksN; j += 4) {
        std::uint32_t words[4];
#pragma unroll
        for (int n = 0; n < 4; ++n)
          words[n] = packed(acc[i][j + n][half * 2], acc[i][j + n][half * 2 + 1]);
        transpose_quad(words);
        const int row = row0 + i * 16 + half * 8 + lane_id() / 4;
        const int col = col0 + (j + lane_id() % 4) * 8;
        if (row < g.M && col < g.N)
          *reinterpret_cast<uint4*>(&g.C[static_cast<std::size_t>(row) * g.N + col]) =
              make_uint4(words[0], words[1], words[2], words[3]);
      }
}

__global__ void __launch_bounds__(kThreads, 1) epilogue(Gemm g) {
  const Place at =
      place(static_cast<int>(blockIdx.x), blocks_along(g.M, kM), blocks_along(g.N, kN), kGroup);
  const int row0 = at.row * kM, col0 = at.col * kN;
  Sums acc = {};
  multiply<Serpentine>(g, row0, col0, acc);
  store_quads(g, row0 + warp_row(), col0 + warp_col(), acc);
}

}  // namespace rung_9
