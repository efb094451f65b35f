// SPDX-License-Identifier: MIT
// Rung 6, register double buffer: while the tensor cores are busy with the fragments of one 16 k,
// ldmatrix fetches those of the next into other registers. The copies of the next stage are spread
// among the mma, a third at a time.
//
//     k          0         16        32        48        0 of the next stage
//     ldmatrix   -> 1      -> 0      -> 1      | -> 0
//     mma        0         1         0         | 1       fragments 0 or 1
//     cp.async   a third   a third   a third   wait, barrier at |
#pragma once

#include "rung_5_warp_tile.cuh"

namespace rung_6 {

using namespace rung_5;  // the same tiles

constexpr int kSlices = kK / 16;     // of a stage
constexpr int kParts = kSlices - 1;  // of its copies
constexpr int kCopiesA = Source<TileA, kThreads>::kCount,
              kCopiesB = Source<TileB, kThreads>::kCount;
constexpr int kCopiesOfPart = blocks_along(kCopiesA + kCopiesB, kParts);

using Sums = float[kBlocksM][kBlocksN][4];  // of a warp
__device__ __forceinline__ int warp_row() { return static_cast<int>(threadIdx.x) / 128 * kWarpM; }
__device__ __forceinline__ int warp_col() {
  return static_cast<int>(threadIdx.x) / 32 % 4 * kWarpN;
}

/// The sums of the tile of C from (row0, col0) on. Rungs 7 to 9 only change what is around it, and
/// Order: which block of a row of blocks is the nth to be multiplied.
template <class Order>
__device__ __forceinline__ void multiply(const Gemm& g, int row0, int col0, Sums& acc) {
  extern __shared__ __align__(128) std::uint16_t shared[];
  const int steps = blocks_along(g.K, kK);

  Source<TileA, kThreads> a_source(g.A, g.M, g.K, row0, 0);
  Source<TileB, kThreads> b_source(g.B, g.K, g.N, 0, col0);
  const auto start_part = [&](int step, int part) {
    std::uint16_t* stage = shared + step % kStages * kStage;
    if (step >= steps) return;
#pragma unroll
    for (int n = 0; n < kCopiesOfPart; ++n) {
      const int i = part * kCopiesOfPart + n;
      if (i < kCopiesA)
        a_source.start(stage, i);
      else if (i < kCopiesA + kCopiesB)
        b_source.start(stage + TileA::kElements, i - kCopiesA);
    }
  };
  const auto commit = [&] {
    a_source.step_right();
    b_source.step_down();
    ptx::cp_async_commit_group();
  };
  for (int step = 0; step < kStages - 1; ++step) {
#pragma unroll
    for (int part = 0; part < kParts; ++part) start_part(step, part);
    commit();
  }

  std::uint32_t a[2][kBlocksM][4], b[2][kBlocksN][2];
  const auto load = [&](int buffer, int step, int k) {
    const std::uint16_t* a_tile = shared + step % kStages * kStage;
    const std::uint16_t* b_tile = a_tile + TileA::kElements;
#pragma unroll
    for (int i = 0; i < kBlocksM; ++i)
      ldmatrix_a<TileA>(a[buffer][i], a_tile, warp_row() + i * 16, k);
#pragma unroll
    for (int j = 0; j < kBlocksN; j += 2)
      ldmatrix_b<TileB>(b[buffer][j], b[buffer][j + 1], b_tile, k, warp_col() + j * 8);
  };
  ptx::cp_async_wait_group<kStages - 2>();
  __syncthreads();
  load(0, 0, 0);

  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
      if (slice + 1 < kSlices) {
        load((slice + 1) % 2, step, (slice + 1) * 16);
        start_part(step + kStages - 1, slice);
      } else {
        // The next stage: all groups but the newest two have landed, and behind the barrier nobody
        // reads this stage any more: its last fragments are in registers.
        commit();
        ptx::cp_async_wait_group<kStages - 2>();
        __syncthreads();
        if (step + 1 < steps) load((slice + 1) % 2, step + 1, 0);
      }
#pragma unroll
      for (int i = 0; i < kBlocksM; ++i)
#pragma unroll
        for (int n = 0; n < kBlocksN; ++n) {
          const int j = Order::column(i, n);
          mma(acc[i][j], a[slice % 2][i], b[slice % 2][j]);
        }
    }
  }
}

struct RowByRow {
  __device__ static constexpr int column(int, int n) { return n; }
};

__global__ void __launch_bounds__(kThreads, 1) double_buffer(Gemm g) {
  const int row0 = static_cast<int>(blockIdx.y) * kM, col0 = static_cast<int>(blockIdx.x) * kN;
  Sums acc = {};
  multiply<RowByRow>(g, row0, col0, acc);
  store_fragments(g, row0 + warp_row(), col0 + warp_col(), acc);
}

}  // namespace rung_6
