// SPDX-License-Identifier: MIT
// The host's side of lesson 15: matrices, what must come out, and the lines that say whether it
// does. No kernel is in here.
//
// Source: PTX ISA 9.2, 9.7.14.6.2.2 (m16n8k32).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "element.cuh"

constexpr int kK = 32;  // columns of A, rows of B

inline uint16_t f16(int number) {
  return static_cast<uint16_t>(F16::encode(std::abs(number)) | (number < 0 ? 0x8000u : 0u));
}
inline int whole(uint16_t bits) {  // back again
  const int exponent = (bits >> 10 & 31) - 15, mantissa = (bits & 0x3ff) | 0x400;
  const int size = (bits & 0x7fff) == 0 ? 0 : mantissa << exponent >> 10;
  return bits & 0x8000 ? -size : size;
}

// ---- 1 ------------------------------------------------------------------------------------------

/// D of each of 256 questions: about nibble q % 8 of lane q / 8.
inline bool print_whose(int selector, const std::vector<float>& answers) {
  if (selector == 0)
    std::printf(
        "1. Which row and which four of it is a nibble of a lane's metadata about? row,four\n\n");
  std::printf(
      "selector %d   nibble, low bits first\n  lane    0    1    2    3    4    5    6    7\n",
      selector);
  int read = 0, as_manual = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const bool chosen = lane % 4 / 2 == selector;  // the manual's: two neighbours of four lanes
    std::string line;
    for (int i = 0; i < 8; ++i) {
      const float* D = &answers[(lane * 8 + i) * 128];
      int changed = 0, at = -1;
      for (int place = 0; place < 128; ++place)
        if (D[place] != 0) ++changed, at = D[place] == 2 ? place : -1;
      const int wanted = chosen ? (lane / 4 + i / 4 * 8) * 8 + lane % 2 * 4 + i % 4 : -1;
      read += changed == 1;
      as_manual += changed == chosen && at == wanted;
      if (at >= 0) line += "  " + std::to_string(at / 8) + "," + std::to_string(at % 8);
    }
    if (lane < 8) std::printf("%6d  %s\n", lane, line.empty() ? "  not read" : line.c_str());
  }
  std::printf("   ...\n%d of 256 nibbles are read; %d of 256 answers are the manual's.\n\n", read,
              as_manual);
  return read == 128 && as_manual == 256;
}

// ---- 2 ------------------------------------------------------------------------------------------

inline void print_head_of_which() {
  std::printf(
      "2. Which column of A does a stored element stand for? Lane 6: row 1, fours 2 and 6\n\n"
      "  nibble  kept      A.r0.lo  A.r0.hi  A.r2.lo  A.r2.hi\n");
}
/// D of each of 256 questions: about slot q, half q % 2 of register q / 2 % 4 of lane q / 8.
inline bool print_which(uint32_t nibble, int first, int second, const std::vector<float>& answers) {
  int right = 0, shown[8] = {};
  for (int q = 0; q < 256; ++q) {
    const int lane = q / 8, reg = q / 2 % 4, half = q % 2;
    const int row = lane / 4 + reg % 2 * 8, four = lane % 4 + reg / 2 * 4;
    const int wanted = four * 4 + (half == 0 ? first : second);
    bool good = true;
    for (int place = 0; place < 128; ++place)
      good = good && answers[q * 128 + place] == (place / 8 == row ? wanted + 1 : 0);
    right += good;
    if (lane == 6) shown[q % 8] = static_cast<int>(answers[q * 128 + row * 8]) - 1;
  }
  std::string bits;
  for (int bit = 3; bit >= 0; --bit) bits += nibble >> bit & 1 ? '1' : '0';
  std::printf("  %s    %d and %d %9d %8d %8d %8d    %d of 256 as the manual says\n", bits.c_str(),
              first, second, shown[0], shown[1], shown[4], shown[5], right);
  return right == 256;
}

// ---- 3 ------------------------------------------------------------------------------------------

/// A[9][11] is 911, but of every four only two are there; of one there is one, of another none.
inline std::vector<uint16_t> two_of_four() {
  constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  std::vector<uint16_t> A(16 * kK, 0);
  for (int four = 0; four < 16 * kK / 4; ++four)
    for (const int i : kPairs[(four / 8 + four % 8) % 6])
      A[four * 4 + i] = f16(four / 8 * 100 + four % 8 * 4 + i);
  A[3 * kK + 5] = 0;                      // row 3, four 1: of 5 and 7 only 7
  A[12 * kK + 22] = A[12 * kK + 23] = 0;  // row 12, four 5: neither
  return A;
}
inline std::vector<uint16_t> all_of_four() {  // from -9 to 9
  std::vector<uint16_t> A;
  for (int i = 0; i < 16 * kK; ++i)
    A.push_back(f16((i / kK * 7 + i % kK * 11 + i / kK * (i % kK)) % 19 - 9));
  return A;
}
inline std::vector<uint16_t> matrix_b() {  // B[9][5] is 95
  std::vector<uint16_t> B;
  for (int i = 0; i < kK * 8; ++i) B.push_back(f16(i / 8 * 10 + i % 8));
  return B;
}

/// Of every four the two largest, the left one of two alike; whole numbers.
inline std::vector<double> pruned(const std::vector<uint16_t>& A) {
  std::vector<double> all(A.size(), 0);
  for (std::size_t four = 0; four < A.size(); four += 4) {
    int order[4] = {0, 1, 2, 3};
    std::stable_sort(order, order + 4, [&](int left, int right) {
      return std::abs(whole(A[four + left])) > std::abs(whole(A[four + right]));
    });
    for (int i = 0; i < 2; ++i) all[four + order[i]] = whole(A[four + order[i]]);
  }
  return all;
}
inline std::vector<double> product(const std::vector<double>& A, const std::vector<uint16_t>& B) {
  std::vector<double> D(128, 0);
  for (int i = 0; i < 128; ++i)
    for (int k = 0; k < kK; ++k) D[i] += A[i / 8 * kK + k] * whole(B[k * 8 + i % 8]);
  return D;
}
inline double squares(const std::vector<double>& numbers) {
  return std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0);
}

inline void print_head_of_products() {
  std::printf(
      "\n3. A, 16 x 32, the two largest of every four kept, times B, 32 x 8\n\n"
      "  not zero in A          D as by the dense mma   exact    squares kept   D is off by\n");
}
inline bool print_product(const char* name, const std::vector<uint16_t>& A,
                          const std::vector<uint16_t>& B, const std::vector<float>& sparse,
                          const std::vector<float>& dense) {
  std::vector<double> all;
  for (const uint16_t bits : A) all.push_back(whole(bits));
  const std::vector<double> kept = pruned(A), wanted = product(kept, B), D = product(all, B);
  int same = 0, exact = 0;
  std::vector<double> off;
  for (int i = 0; i < 128; ++i) {
    same += sparse[i] == dense[i];
    exact += sparse[i] == wanted[i];
    off.push_back(wanted[i] - D[i]);
  }
  std::printf("  %-20s %12d of 128 %14d %13.1f %% %11.1f %%\n", name, same, exact,
              100 * squares(kept) / squares(all), 100 * std::sqrt(squares(off) / squares(D)));
  return same == 128 && exact == 128;
}
