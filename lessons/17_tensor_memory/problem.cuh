// SPDX-License-Identifier: MIT
// The host's side of lesson 17's loop: matrices of small whole numbers, whose sums are exact in f32
// whatever their order, the tensor maps of their tiles, and a line of the table. No kernel is here.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "element.cuh"
#include "tensor_map.cuh"

// A is M x K, row after row; B is K x N, column after column: k by k in memory, both.
struct Problem {
  int M, N, K;
  std::vector<uint16_t> A, B;

  Problem(int m, int n, int k) : M(m), N(n), K(k) {
    for (int row = 0; row < M; ++row)
      for (int i = 0; i < K; ++i) A.push_back(static_cast<uint16_t>(F16::encode(a(row, i))));
    for (int col = 0; col < N; ++col)
      for (int i = 0; i < K; ++i) B.push_back(static_cast<uint16_t>(F16::encode(b(i, col))));
  }
  dim3 tiles(int rows, int cols) const {  // that D has: across, down
    return dim3(static_cast<unsigned>((N + cols - 1) / cols),
                static_cast<unsigned>((M + rows - 1) / rows));
  }
  static int a(int row, int k) { return (row * 5 + k * 3 + row / 8) % 11; }
  static int b(int k, int col) { return (k * 2 + col * 7 + k / 16) % 13; }
  float exact(int row, int col) const {  // at most K * 120: below 2^24
    int sum = 0;
    for (int k = 0; k < K; ++k) sum += a(row, k) * b(k, col);
    return static_cast<float>(sum);
  }
};

/// Tiles of a matrix of f16 with rows of K, as TMA brings them: swizzled by 128 bytes, and 0 where
/// the matrix ends.
inline CUtensorMap tiles_of(uint16_t* matrix, int rows, int K, int tile_rows, int tile_cols) {
  return tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, matrix, static_cast<uint64_t>(K),
                       static_cast<uint64_t>(rows), static_cast<uint64_t>(K) * 2,
                       static_cast<uint32_t>(tile_cols), static_cast<uint32_t>(tile_rows),
                       CU_TENSOR_MAP_SWIZZLE_128B);
}

inline void print_head_of_products() {
  std::printf(
      "3. D = A*B, A M x K and B K x N: tiles of 128 x 32, two stages of 64 of K by TMA\n\n"
      "     M     N     K   stages filled   D: right, of\n");
}
inline bool print_product(const Problem& p, const std::vector<float>& D) {
  int right = 0;
  for (int row = 0; row < p.M; ++row)
    for (int col = 0; col < p.N; ++col)
      right += D[static_cast<size_t>(row * p.N + col)] == p.exact(row, col);
  std::printf("  %4d  %4d  %4d  %14d  %6d  %6d\n", p.M, p.N, p.K, (p.K + 63) / 64, right,
              p.M * p.N);
  return right == p.M * p.N;
}
