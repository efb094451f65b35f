// SPDX-License-Identifier: MIT
// How the upper rungs copy: the addresses of a thread's chunks are worked out once and counted on
// from step to step. The 64 x 64 tiles of rung 5 and up leave no registers to work them out again.
//
// Source: PTX ISA 9.2, cp.async (src-size 0 reads nothing, so its address need not be valid).
#pragma once

#include "parts.cuh"

/// One thread's chunks of a tile of shared memory, and where they are to come from.
template <class Tile, int kThreads>
class Source {
  static constexpr int kRowsApart = kThreads / Tile::kChunks;  // of a thread's chunks
  static_assert(kThreads % Tile::kChunks == 0, "a thread's chunks lie below each other");
  // The swizzle repeats every 8 rows, so from chunk to chunk it stays the same.
  static_assert(kRowsApart % 8 == 0);

 public:
  static constexpr int kCount = Tile::kRows / kRowsApart;

  /// The tile begins at (row0, col0) of a matrix of rows x cols.
  __device__ Source(const std::uint16_t* matrix, int rows, int cols, int row0, int col0)
      : row_(static_cast<int>(threadIdx.x) / Tile::kChunks),
        col_(static_cast<int>(threadIdx.x) % Tile::kChunks * 8),
        to_(Tile::at(row_, col_)),
        rows_left_(rows - row0 - row_),
        cols_left_(cols - col0 - col_),
        apart_(static_cast<std::size_t>(cols) * kRowsApart),
        from_(matrix + static_cast<std::size_t>(row0 + row_) * cols + col0 + col_) {}

  /// Starts the copy of chunk i, 0 to kCount - 1.
  __device__ __forceinline__ void start(std::uint16_t* tile, int i) const {
    const bool inside = i * kRowsApart < rows_left_ && 0 < cols_left_;
    ptx::cp_async_cg_shared_global_16(tile + to_ + i * kRowsApart * Tile::kCols,
                                      from_ + static_cast<std::size_t>(i) * apart_,
                                      inside ? 16 : 0);
  }
  /// Moves on: along a row of the matrix (A walks along K so), or down (B).
  __device__ __forceinline__ void step_right() { from_ += Tile::kCols, cols_left_ -= Tile::kCols; }
  __device__ __forceinline__ void step_down() {
    from_ += apart_ * kCount, rows_left_ -= Tile::kRows;
  }

 private:
  int row_, col_, to_, rows_left_, cols_left_;
  std::size_t apart_;  // elements of the matrix from chunk to chunk
  const std::uint16_t* from_;
};
