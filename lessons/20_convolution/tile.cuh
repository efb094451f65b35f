// SPDX-License-Identifier: MIT
// Who is who in a block of lesson 20: which rows of A it has, and where the pixels lie that they
// are made of.
#pragma once

constexpr int kHigh = 4, kWide = 16;  // 4 x 16 pixels of D want 6 x 18 of X
constexpr int kRows = kHigh * kWide;  // of A, one for each pixel of D
constexpr int kApart = kWide + 2;     // places from row to row of the tile
constexpr int kPlaces = (kHigh + 2) * kApart;
constexpr int kThreads = 128;  // four warps, 16 rows of A each

/// The place of the pixel that is row `row` of A for tap r,s.
__host__ __device__ constexpr int place_of(int row, int r, int s) {
  return (row / kWide + r) * kApart + row % kWide + s;
}

/// The row of A that this lane names to ldmatrix.
__device__ inline int my_row() {
  return static_cast<int>(threadIdx.x) / 32 * 16 + static_cast<int>(threadIdx.x) % 16;
}

/// It records.
__device__ inline bool first_warp() {
  return threadIdx.x < 32 && blockIdx.x + blockIdx.y + blockIdx.z == 0;
}
