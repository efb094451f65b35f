// SPDX-License-Identifier: MIT
// Rung 0, naive: a warp computes 16 x 8 of C, with fragments fetched from global memory element by
// element. Lesson 06, as the foot of the ladder.
#pragma once

#include "parts.cuh"

namespace rung_0 {

constexpr int kM = 16, kN = 8, kThreads = 32;

/// An element of a matrix, 0 outside.
__device__ __forceinline__ std::uint32_t element(const std::uint16_t* matrix, int rows, int cols,
                                                 int row, int col) {
  return row < rows && col < cols ? matrix[static_cast<std::size_t>(row) * cols + col] : 0u;
}

__global__ void __launch_bounds__(kThreads) naive(Gemm g) {
  const int row = static_cast<int>(blockIdx.y) * kM, col = static_cast<int>(blockIdx.x) * kN;
  const int group = lane_id() / 4, thread = lane_id() % 4;
  float acc[4] = {};
  for (int k0 = 0; k0 < g.K; k0 += 16) {
    std::uint32_t a[4], b[2];
#pragma unroll
    for (int reg = 0; reg < 4; ++reg) {
      const int m = row + group + reg % 2 * 8, k = k0 + thread * 2 + reg / 2 * 8;
      a[reg] = element(g.A, g.M, g.K, m, k) | element(g.A, g.M, g.K, m, k + 1) << 16;
    }
#pragma unroll
    for (int reg = 0; reg < 2; ++reg) {
      const int k = k0 + thread * 2 + reg * 8;
      b[reg] = element(g.B, g.K, g.N, k, col + group) | element(g.B, g.K, g.N, k + 1, col + group)
                                                            << 16;
    }
    mma(acc, a, b);
  }
  store_fragment(g, row, col, acc);
}

}  // namespace rung_0
