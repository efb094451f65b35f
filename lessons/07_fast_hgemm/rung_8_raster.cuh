// SPDX-License-Identifier: MIT
// Rung 8, raster: the blocks that run at the same time lie close together in C. Row by row, 132
// blocks need a few tile rows of A and nearly all of B; in groups of 16 tile rows, each group
// walked through column by column, they need 16 tile rows of A and 9 tile columns of B.
//
//     row by row    0  1  2  3  4  5 ...      groups of 16    0 16 32 48 ...
//                  64 65 66 67 ...                            1 17 33 49
//                                                             ...
//                                                            15 31 47 63      then the next group
#pragma once

#include "rung_7_serpentine.cuh"

namespace rung_8 {

using namespace rung_7;

constexpr int kGroup = 16;  // tile rows

struct Place {
  int row, col;  // in tiles
};

/// Where the nth tile of C lies.
__host__ __device__ __forceinline__ Place place(int n, int tile_rows, int tile_cols, int group) {
  const int first = n / (group * tile_cols) * group, in_group = n % (group * tile_cols);
  const int left = tile_rows - first, rows = left < group ? left : group;
  return {first + in_group % rows, in_group / rows};
}

__global__ void __launch_bounds__(kThreads, 1) raster(Gemm g) {
  const Place at =
      place(static_cast<int>(blockIdx.x), blocks_along(g.M, kM), blocks_along(g.N, kN), kGroup);
  const int row0 = at.row * kM, col0 = at.col * kN;
  Sums acc = {};
  multiply<Serpentine>(g, row0, col0, acc);
  store_fragments(g, row0 + warp_row(), col0 + warp_col(), acc);
}

}  // namespace rung_8
