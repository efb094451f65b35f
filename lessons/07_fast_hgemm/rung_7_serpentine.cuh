// SPDX-License-Identifier: MIT
// Rung 7, serpentine: every other row of blocks is multiplied from right to left, so that within a
// slice every mma shares its A or its B with the one before it.
//
//     row by row  0 1 2 3 4 5 6 7        serpentine  0 1 2 3 4 5 6 7    At the turn B's fragment
//                 0 1 2 3 4 5 6 7                    7 6 5 4 3 2 1 0    stays, A's changes.
#pragma once

#include "rung_6_double_buffer.cuh"

namespace rung_7 {

using namespace rung_6;  // the same tiles, the same main loop

struct Serpentine {
  __device__ static constexpr int column(int i, int n) { return i % 2 == 0 ? n : kBlocksN - 1 - n; }
};

__global__ void __launch_bounds__(kThreads, 1) serpentine(Gemm g) {
  const int row0 = static_cast<int>(blockIdx.y) * kM, col0 = static_cast<int>(blockIdx.x) * kN;
  Sums acc = {};
  multiply<Serpentine>(g, row0, col0, acc);
  store_fragments(g, row0 + warp_row(), col0 + warp_col(), acc);
}

}  // namespace rung_7
