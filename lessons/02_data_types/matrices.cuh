// SPDX-License-Identifier: MIT
// The host's side of lesson 02: its two matrices, how far a product is from theirs, and the lines
// of its two tables. No kernel and no encoding is in here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using Matrix = std::vector<float>;

// A is 8 x 4 and B 4 x 8, the smallest mma of the nine.
constexpr int kRows = 8, kK = 4, kCols = 8;

inline Matrix matrix_a() {  // -47/7 to 46/7: no type but f64 has such numbers exactly
  Matrix A(kRows * kK);
  for (size_t i = 0; i < A.size(); ++i) A[i] = (static_cast<int>(i * 37 + 5) % 97 - 48) / 7.0f;
  return A;
}
inline Matrix matrix_b() {
  Matrix B(kK * kCols);
  for (size_t i = 0; i < B.size(); ++i) B[i] = (static_cast<int>(i * 29 + 7) % 89 - 44) / 9.0f;
  return B;
}
inline Matrix identity() {
  Matrix ones(kK * kCols, 0);
  for (int k = 0; k < kK; ++k) ones[k * kCols + k] = 1;
  return ones;
}

inline float largest(const Matrix& matrix) {
  float most = 0;
  for (const float x : matrix) most = std::max(most, std::fabs(x));
  return most;
}

// What a type does to A: `arrived` is A times the identity, `D` is A*B.
inline void print_head(const Matrix& A) {
  std::printf(
      "            in a           A[5][2]      largest error\n"
      "type  bits  register  K    %11.7f  of A         of A*B\n",
      A[5 * kK + 2]);
}

// How wrong rounding may make an element x at most: `relative` of x, or of the largest one where
// numbers are whole steps.
inline bool print_line(const char* name, int bits, bool steps, double relative, const Matrix& A,
                       const Matrix& B, const std::vector<double>& arrived,
                       const std::vector<double>& D) {
  double element_error = 0, sum_error = 0;
  bool good = true;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col) {
      double exact = 0;
      for (int k = 0; k < kK; ++k) exact += double(A[row * kK + k]) * B[k * kCols + col];
      sum_error = std::max(sum_error, std::fabs(D[row * kCols + col] - exact));
      if (col >= kK) continue;
      const double x = A[row * kK + col], error = std::fabs(arrived[row * kCols + col] - x);
      element_error = std::max(element_error, error);
      good = good && error <= relative * (steps ? largest(A) : std::fabs(x)) * (1 + 1e-6);
    }
  std::printf("%-5s %4d  %5d  %3d    %11.7f   %10.7f   %10.7f%s\n", name, bits,
              std::max(1, 32 / bits), bits == 64 ? 4 : 8 * (32 / bits), arrived[5 * kCols + 2],
              element_error, sum_error, good ? "" : "   ^ too much");
  return good;
}

inline void print_head_of_sums() {
  std::printf(
      "\nNot a chain of FMAs (f16 in, f32 sums; t = 3.0625 * 2^-25):\n"
      "%-36s  tensor core                 FMA, k = 0 to 15\n",
      "");
}
inline void print_sums(const char* what, const std::vector<float>& found) {
  uint32_t bits[2];
  std::memcpy(bits, found.data(), 8);
  std::printf("%-36s  %08x = %-13.8g  %08x = %.8g\n", what, bits[0], found[0], bits[1], found[1]);
}
