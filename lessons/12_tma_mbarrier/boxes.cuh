// SPDX-License-Identifier: MIT
// The host's side of lesson 12: the matrix that boxes are cut out of, where a box must have which
// of its elements, and what the lesson prints of it. No instruction is in here.
//
// Source: PTX ISA 9.2, 5.5 (boxes and swizzles).
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "element.cuh"
#include "tensor_map.cuh"

// The matrix: f16, A[row][col] = 100*row + col, 20 x 72.
constexpr int kRows = 20, kCols = 72;
constexpr int kBoxRows = 8, kBoxCols = 64, kBoxBytes = kBoxRows * kBoxCols * 2;

inline int number(int row, int col) { return 100 * row + col; }
inline uint16_t f16(int n) { return static_cast<uint16_t>(F16::encode(n)); }

inline std::vector<uint16_t> matrix_a() {
  std::vector<uint16_t> A;
  for (int i = 0; i < kRows * kCols; ++i) A.push_back(f16(number(i / kCols, i % kCols)));
  return A;
}

struct Box {
  const char* what;
  CUtensorMapSwizzle swizzle;
  int units, col, row;  // units: of 16 bytes, in a row
};

// Narrow and wide, and over every edge of the matrix.
constexpr Box kBoxes[] = {
    {"no swizzle, 8 columns", CU_TENSOR_MAP_SWIZZLE_NONE, 1, 40, 7},
    {"32 B, 16 columns", CU_TENSOR_MAP_SWIZZLE_32B, 2, 40, 7},
    {"64 B, 32 columns", CU_TENSOR_MAP_SWIZZLE_64B, 4, 40, 7},
    {"128 B, 64 columns", CU_TENSOR_MAP_SWIZZLE_128B, 8, 8, 7},
    {"128 B, over the end", CU_TENSOR_MAP_SWIZZLE_128B, 8, 40, 17},
    {"128 B, before the beginning", CU_TENSOR_MAP_SWIZZLE_128B, 8, -16, -3},
    {"128 B, outside", CU_TENSOR_MAP_SWIZZLE_128B, 8, 0, 20},
};

// The byte of the box where its element (row, col) is: rows of `units` times 16 bytes, one behind
// the other; then the swizzle of lesson 10.
inline int place(int row, int col, int units) {
  const int byte = row * 16 * units + col * 2;
  return byte ^ (byte / 128 % units) * 16;
}

inline void print_head_of_boxes() {
  std::printf(
      "A box of 8 rows of      A[row][col] of its first  bytes  right  zeros  row 2's units of "
      "16\n");
}

inline bool print_box(const Box& b, const std::vector<uint16_t>& box) {
  const int cols = b.units * 8, bytes = kBoxRows * cols * 2;
  int right = 0, zeros = 0;
  for (int row = 0; row < kBoxRows; ++row)
    for (int col = 0; col < cols; ++col) {
      const int r = b.row + row, c = b.col + col;
      const bool inside = r >= 0 && r < kRows && c >= 0 && c < kCols;
      zeros += !inside;
      right += box[static_cast<size_t>(place(row, col, b.units) / 2)] ==
               (inside ? f16(number(r, c)) : 0);
    }
  std::printf("%-28s%4d,%-4d         %9d  %5d  %5d ", b.what, b.row, b.col, bytes, right, zeros);
  for (int unit = 0; unit < b.units; ++unit)
    std::printf(" %d", place(2, unit * 8, b.units) % (16 * b.units) / 16);
  std::printf("\n");
  return right == bytes / 2;
}

// `sum` of each tile; `where`: twice its stage, and the parity of its full mbarrier.
inline bool print_ring(const std::vector<int>& sum, const std::vector<int>& where) {
  const auto print_row = [&](const char* name, auto of) {
    std::printf("%s", name);
    for (size_t tile = 0; tile < sum.size(); ++tile) std::printf(" %d", static_cast<int>(of(tile)));
  };
  print_row("\nA ring of 3 stages:  tile ", [](size_t tile) { return tile; });
  print_row("\n                    stage ", [&](size_t tile) { return where[tile] / 2; });
  print_row("\n   wait for full, parity ", [&](size_t tile) { return where[tile] % 2; });
  print_row("\n  wait for empty, parity ", [&](size_t tile) { return 1 - where[tile] % 2; });
  int right = 0;
  const int tiles = static_cast<int>(sum.size());
  for (int tile = 0; tile < tiles; ++tile) {
    int expected = 0;
    for (int row = tile; row < tile + kBoxRows; ++row)
      for (int col = 0; col < kBoxCols; ++col) expected += f16(number(row, col));
    right += sum[static_cast<size_t>(tile)] == expected;
  }
  std::printf("\n%d of %d tiles came whole.\n", right, tiles);
  return right == tiles;
}

inline bool print_multicast(const std::vector<uint16_t>& boxes) {
  int right = 0;
  for (int i = 0; i < 2 * kBoxRows * kBoxCols; ++i)
    right += boxes[static_cast<size_t>(i)] == f16(number(i / kBoxCols % kBoxRows, i % kBoxCols));
  std::printf(
      "\nMulticast: each of two blocks fetched half; both have it all: %d of 1024 elements.\n",
      right);
  return right == 1024;
}

// A box whose element i is i + 1, stored at 17,40 of a matrix of NaNs.
inline bool print_store(const std::vector<uint16_t>& matrix, bool fence) {
  int right = 0, touched = 0;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col) {
      const uint16_t found = matrix[static_cast<size_t>(row * kCols + col)];
      const bool inside = row >= 17 && col >= 40;
      touched += found != 0xffff;
      right += found == (inside ? (row - 17) * kBoxCols + col - 40 + 1 : 0xffff);
    }
  std::printf(
      "\nStore %s: box at 17,40 of a matrix of 20 x 72: %d elements written, %d of %d right.\n",
      fence ? "with its fence" : "WITHOUT its fence", touched, right, kRows * kCols);
  return !fence || right == kRows * kCols;
}
