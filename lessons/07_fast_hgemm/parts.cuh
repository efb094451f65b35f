// SPDX-License-Identifier: MIT
// What the rungs share: the problem, a tile of shared memory, and the ways in and out of it. What a
// rung is about stands in its own file, rung_N_name.cuh.
//
//     C = A*B    A  M x K    B  K x N    C  M x N    all row-major f16, sums in f32
//
//                   n0
//            +------+--+----+        A block of threads computes a tile of C and walks along K: of
//            |      |B |    | k0     each step it needs a tile of A and a tile of B.
//            +------+--+----+
//     +----+ +------+--+----+        M, N and K need not be multiples of a tile: what lies outside
//     |    | |      |  |    |        is 0 in shared memory and is not stored. N and K are multiples
//     +----+ +------+--+----+ m0     of 8, so that 16 bytes are never half inside.
//     | A  | |      |C |    |
//     +----+ +------+--+----+
//     |    | |      |  |    |
//     +----+ +------+--+----+
//
// Source: PTX ISA 9.2, 9.7.14.5.8 (fragments of mma.m16n8k16), 9.7.14.5.15 (ldmatrix).
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "ptx/cp_async.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"

struct Gemm {
  const std::uint16_t* A;
  const std::uint16_t* B;
  std::uint16_t* C;
  int M, N, K;
};

__host__ __device__ constexpr int blocks_along(int size, int block) {
  return (size + block - 1) / block;
}

// ---- A tile of shared memory --------------------------------------------------------------------

constexpr bool kPlain = false, kSwizzled = true;

/// kRows x kCols f16, in chunks of 8 elements, 16 bytes. Swizzled (lesson 04), the chunks of a row
/// change places by the row's number, so that a column of chunks is spread over all banks.
template <int kRowCount, int kColCount, bool kIsSwizzled>
struct Tile {
  static constexpr int kRows = kRowCount, kCols = kColCount;
  static constexpr int kChunks = kCols / 8;  // of a row
  static constexpr int kElements = kRows * kCols;
  static_assert(kChunks == 4 || kChunks % 8 == 0, "a row is 64 bytes or whole 128 bytes");

  __device__ static int at(int row, int col) {
    int chunk = col >> 3;
    // 128 bytes are all the banks: one row of 8 chunks, or two rows of 4.
    if (kIsSwizzled) chunk ^= kChunks == 4 ? row >> 1 & 3 : row & 7;
    return row * kCols + chunk * 8 + (col & 7);
  }
};

/// One chunk of a tile for one thread: the kThreads threads take the tile row by row.
template <class Tile, int kThreads, class Copy>
__device__ __forceinline__ void each_chunk(Copy&& copy) {
  static_assert(Tile::kElements / 8 % kThreads == 0, "every thread has as much to do");
#pragma unroll
  for (int i = 0; i < Tile::kElements / 8 / kThreads; ++i) {
    const int chunk = i * kThreads + static_cast<int>(threadIdx.x);
    copy(chunk / Tile::kChunks, chunk % Tile::kChunks * 8);
  }
}

/// The tile from (row0, col0) on, of a matrix of rows x cols: by way of a register.
template <class Tile, int kThreads>
__device__ __forceinline__ void load_tile(std::uint16_t* tile, const std::uint16_t* matrix,
                                          int rows, int cols, int row0, int col0) {
  each_chunk<Tile, kThreads>([&](int row, int col) {
    uint4 chunk = make_uint4(0, 0, 0, 0);
    if (row0 + row < rows && col0 + col < cols)
      chunk = *reinterpret_cast<const uint4*>(
          &matrix[static_cast<std::size_t>(row0 + row) * cols + col0 + col]);
    *reinterpret_cast<uint4*>(&tile[Tile::at(row, col)]) = chunk;
  });
}

/// The same by cp.async: started here, there after the wait (lesson 05). Outside it copies 0 bytes
/// and fills 16 with zeros.
template <class Tile, int kThreads>
__device__ __forceinline__ void start_tile(std::uint16_t* tile, const std::uint16_t* matrix,
                                           int rows, int cols, int row0, int col0) {
  each_chunk<Tile, kThreads>([&](int row, int col) {
    const bool inside = row0 + row < rows && col0 + col < cols;
    const std::size_t from = static_cast<std::size_t>(row0 + row) * cols + col0 + col;
    ptx::cp_async_cg_shared_global_16(&tile[Tile::at(row, col)], matrix + (inside ? from : 0),
                                      inside ? 16 : 0);
  });
}

// ---- Fragments of mma.m16n8k16 ------------------------------------------------------------------

__device__ __forceinline__ int lane_id() { return static_cast<int>(threadIdx.x) % 32; }

/// A 16 x 16 block of A, element by element as lesson 01 has it: four 32-bit loads.
template <class Tile>
__device__ __forceinline__ void fragment_a(std::uint32_t (&a)[4], const std::uint16_t* tile,
                                           int row, int k) {
  const int group = lane_id() / 4, thread = lane_id() % 4;
#pragma unroll
  for (int reg = 0; reg < 4; ++reg)
    a[reg] = *reinterpret_cast<const std::uint32_t*>(
        &tile[Tile::at(row + group + reg % 2 * 8, k + thread * 2 + reg / 2 * 8)]);
}

/// A 16 x 8 block of B. The two elements of a register lie below each other: four 16-bit loads.
template <class Tile>
__device__ __forceinline__ void fragment_b(std::uint32_t (&b)[2], const std::uint16_t* tile, int k,
                                           int col) {
  const int group = lane_id() / 4, thread = lane_id() % 4;
#pragma unroll
  for (int reg = 0; reg < 2; ++reg) {
    const int row = k + thread * 2 + reg * 8;
    b[reg] = tile[Tile::at(row, col + group)] |
             static_cast<std::uint32_t>(tile[Tile::at(row + 1, col + group)]) << 16;
  }
}

/// The same by ldmatrix (lesson 03): a 16 x 16 block of A by one instruction ...
template <class Tile>
__device__ __forceinline__ void ldmatrix_a(std::uint32_t (&a)[4], const std::uint16_t* tile,
                                           int row, int k) {
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(
      a, &tile[Tile::at(row + lane_id() % 16, k + lane_id() / 16 * 8)]);
}

/// ... and a 16 x 16 block of B, the fragments of two mma, by another.
template <class Tile>
__device__ __forceinline__ void ldmatrix_b(std::uint32_t (&left)[2], std::uint32_t (&right)[2],
                                           const std::uint16_t* tile, int k, int col) {
  std::uint32_t b[4];
  ptx::ldmatrix_sync_aligned_m8n8_x4_trans_shared_b16(
      b, &tile[Tile::at(k + lane_id() % 16, col + lane_id() / 16 * 8)]);
  left[0] = b[0], left[1] = b[1], right[0] = b[2], right[1] = b[3];
}

__device__ __forceinline__ void mma(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
  ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
}

// ---- The way out --------------------------------------------------------------------------------

/// Two sums as two f16 in a register.
__device__ __forceinline__ std::uint32_t packed(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

/// A 16 x 8 block of C, 4 bytes a lane and row: a lane's two elements are neighbours.
__device__ __forceinline__ void store_fragment(const Gemm& g, int row0, int col0,
                                               const float (&d)[4]) {
  const int col = col0 + lane_id() % 4 * 2;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = row0 + lane_id() / 4 + half * 8;
    if (row < g.M && col < g.N)
      *reinterpret_cast<std::uint32_t*>(&g.C[static_cast<std::size_t>(row) * g.N + col]) =
          packed(d[half * 2], d[half * 2 + 1]);
  }
}

template <int kBlocksM, int kBlocksN>
__device__ __forceinline__ void store_fragments(const Gemm& g, int row0, int col0,
                                                const float (&acc)[kBlocksM][kBlocksN][4]) {
#pragma unroll
  for (int i = 0; i < kBlocksM; ++i)
#pragma unroll
    for (int j = 0; j < kBlocksN; ++j) store_fragment(g, row0 + i * 16, col0 + j * 8, acc[i][j]);
}
