// SPDX-License-Identifier: MIT
// Rung 5, 64 x 64 warp tiles: a block computes 128 x 256 of C, a warp 64 x 64 of it. For 32 mma a
// warp now reads 8 fragments' worth of rows, 4 KB; with 64 x 32 it read 3 KB for 16. Registers pay
// for it: 128 of a lane's 255 are sums.
//
//     128 x 256 of C       warps 0 1 2 3      each 64 x 64: 4 x 8 blocks of mma
//                                4 5 6 7
#pragma once

#include "source.cuh"

namespace rung_5 {

constexpr int kM = 128, kN = 256, kK = 64, kThreads = 256;
constexpr int kWarpM = 64, kWarpN = 64, kBlocksM = kWarpM / 16, kBlocksN = kWarpN / 8;
using TileA = Tile<kM, kK, kSwizzled>;
using TileB = Tile<kK, kN, kSwizzled>;
constexpr int kStage = TileA::kElements + TileB::kElements;

/// Four stages are 192 KB, which is Hopper's; before it two have to do.
__host__ __device__ constexpr int stages_of(int arch) { return arch >= 900 ? 4 : 2; }
constexpr int shared_bytes(int arch) { return stages_of(arch) * kStage * 2; }
#ifdef __CUDA_ARCH__
constexpr int kStages = stages_of(__CUDA_ARCH__);
#else
constexpr int kStages = stages_of(900);  // of no kernel
#endif

__global__ void __launch_bounds__(kThreads, 1) warp_tile(Gemm g) {
  extern __shared__ __align__(128) std::uint16_t shared[];
  const int row0 = static_cast<int>(blockIdx.y) * kM, col0 = static_cast<int>(blockIdx.x) * kN;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / 4 * kWarpM, warp_col = warp % 4 * kWarpN;
  const int steps = blocks_along(g.K, kK);

  Source<TileA, kThreads> a_source(g.A, g.M, g.K, row0, 0);
  Source<TileB, kThreads> b_source(g.B, g.K, g.N, 0, col0);
  const auto start = [&](int step) {
    std::uint16_t* stage = shared + step % kStages * kStage;
    if (step < steps) {
#pragma unroll
      for (int i = 0; i < a_source.kCount; ++i) a_source.start(stage, i);
#pragma unroll
      for (int i = 0; i < b_source.kCount; ++i) b_source.start(stage + TileA::kElements, i);
    }
    a_source.step_right();
    b_source.step_down();
    ptx::cp_async_commit_group();
  };
  for (int step = 0; step < kStages - 1; ++step) start(step);

  float acc[kBlocksM][kBlocksN][4] = {};
  for (int step = 0; step < steps; ++step) {
    ptx::cp_async_wait_group<kStages - 2>();
    __syncthreads();
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

}  // namespace rung_5
