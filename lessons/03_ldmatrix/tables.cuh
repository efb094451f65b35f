// SPDX-License-Identifier: MIT
// The host's side of lesson 03: its matrices, what their fragments and their product must be, and
// the lines that say whether they are. No kernel is in here.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "element.cuh"

using Matrix = std::vector<int>;  // whole numbers that f16 stores exactly

inline Matrix matrix_a() {  // 16 x 16, A[9][5] is 905
  Matrix A;
  for (int i = 0; i < 256; ++i) A.push_back(100 * (i / 16) + i % 16);
  return A;
}
inline Matrix matrix_b() {  // 16 x 8
  Matrix B;
  for (int i = 0; i < 128; ++i) B.push_back(10 * (i / 8) + i % 8);
  return B;
}
inline Matrix identity() {
  Matrix ones(256, 0);
  for (int i = 0; i < 16; ++i) ones[i * 17] = 1;
  return ones;
}

inline std::vector<uint16_t> f16(const Matrix& matrix) {
  std::vector<uint16_t> bits;
  for (const int number : matrix) bits.push_back(static_cast<uint16_t>(F16::encode(number)));
  return bits;
}

// "5,2..3": row 5, columns 2 and 3; "2..3,5": rows 2 and 3 of column 5. Low half first; an element
// is 8 * row + column.
inline std::string places(uint32_t word) {
  const auto range = [](unsigned from, unsigned to) {
    return std::to_string(from) + (from == to ? "" : ".." + std::to_string(to));
  };
  const unsigned low = word & 0xffff, high = word >> 16;
  return range(low / 8, high / 8) + "," + range(low % 8, high % 8);
}

// Twelve words a lane: r0 to r3 of x4, r0 to r3 of x4.trans, x1, two of x2, movmatrix of x1.
inline bool print_rows(const std::vector<uint32_t>& words) {
  std::printf("Lane n hands in the address of row n. Row,columns that each lane gets:\n\n");
  std::printf("      ldmatrix.x4                          ldmatrix.x4.trans\n");
  std::printf("lane  r0       r1       r2        r3       r0       r1       r2        r3\n");
  const int widths[] = {9, 9, 10, 9, 9, 9, 10, 0};
  int same = 0, moved = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const uint32_t* w = &words[lane * 12];
    same += w[8] == w[0] && w[9] == w[0] && w[10] == w[1];
    moved += w[11] == w[4];
    if (lane == 6) std::printf(" ...\n");
    if (lane >= 6 && lane < 31) continue;
    std::printf("%4d  ", lane);
    for (int reg = 0; reg < 8; ++reg) std::printf("%-*s", widths[reg], places(w[reg]).c_str());
    std::printf("\n");
  }
  std::printf("\nx1 is r0 of x4, x2 is r0 and r1: %d of 32 lanes. ", same);
  std::printf("movmatrix makes r0 of .trans from r0: %d.\n\n", moved);
  return same == 32 && moved == 32;
}

// Six words a lane: four of A, two of B; and A as stmatrix put it back. As lesson 01 loads them, by
// hand.
inline bool print_fragments(const std::vector<uint32_t>& words, const std::vector<uint16_t>& back,
                            bool has_stmatrix) {
  const std::vector<uint16_t> A = f16(matrix_a()), B = f16(matrix_b());
  int right_a = 0, right_b = 0, right_back = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;
    for (int reg = 0; reg < 4; ++reg) {
      const uint16_t* at = &A[(group + reg % 2 * 8) * 16 + thread * 2 + reg / 2 * 8];
      right_a += words[lane * 6 + reg] == (at[0] | static_cast<uint32_t>(at[1]) << 16);
    }
    for (int reg = 0; reg < 2; ++reg) {
      const uint16_t* at = &B[(thread * 2 + reg * 8) * 8 + group];
      right_b += words[lane * 6 + 4 + reg] == (at[0] | static_cast<uint32_t>(at[8]) << 16);
    }
  }
  for (int i = 0; i < 256; ++i) right_back += back[i] == A[i];
  std::printf("A by ldmatrix.x4: %d of 128 registers are what lesson 01 loads by hand.\n", right_a);
  std::printf("B by ldmatrix.x2.trans: %d of 64.\n", right_b);
  if (has_stmatrix)
    std::printf("A put back by stmatrix.x4: %d of 256 elements.\n\n", right_back);
  else
    std::printf("stmatrix needs sm_90 or newer, and code for it: left out.\n\n");
  return right_a == 128 && right_b == 64 && (!has_stmatrix || right_back == 256);
}

inline int count_right(const std::vector<float>& D, const Matrix& A, bool transposed) {
  const Matrix B = matrix_b();
  int right = 0;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 8; ++col) {
      int sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += A[transposed ? k * 16 + row : row * 16 + k] * B[k * 8 + col];
      right += D[row * 8 + col] == static_cast<float>(sum);
    }
  return right;
}

inline bool print_test(int kernel, const std::vector<float>& D, const Matrix& A) {
  const int right = count_right(D, A, false);
  std::printf("kernel %d: %d of 128 elements of D are those of A*B", kernel, right);
  if (A != identity())
    std::printf(", %d are those of A-transposed times B", count_right(D, A, true));
  std::printf("\n");
  return right == 128;
}
