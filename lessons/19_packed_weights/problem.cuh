// SPDX-License-Identifier: MIT
// The host's side of lesson 19's product: activations, weights of 4 bits,
// scales, and what D must be, exactly. No kernel is here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "counts.cuh"
#include "element.cuh"

constexpr int kRows = 16, kK = 512, kN = 64, kGroup = 128, kGroups = kK / kGroup;

struct Weight {
  int k, col;
};

/// A: whole numbers from -2 to 2, in f16. W: q - 8 times the scale of its
/// column and 128 of k, q from 0 to 15. A scale is m * 2^-13, m from 1024 to
/// 2047: f16 with all its bits. A group's sum is a whole number, 128 * 2 * 8 at
/// most; times m and four of them: below 2^24. So f32 has every sum exactly, in
/// whatever order it is made.
struct Problem {
  std::vector<uint16_t> A, scales;  // A[row][k], scales[group][col]
  std::vector<uint8_t> columns;     // two nibbles a byte, k after k, column after column
  std::vector<double> D;            // D[row][col], exact
  static uint32_t hash(int i) {     // Knuth's multiplicative one, twice: no pattern is left
    const uint32_t once = static_cast<uint32_t>(i) * 2654435761u;
    return (once ^ once >> 15) * 2654435761u >> 16;
  }
  static int a(int row, int k) { return static_cast<int>(hash(row * kK + k) % 5) - 2; }
  static int q(int k, int col) { return static_cast<int>(hash(0x28000 + col * kK + k) % 16); }
  static int m(int group, int col) { return 1024 + (group * 389 + col * 211) % 1024; }
  Problem() {
    for (int i = 0; i < kRows * kK; ++i) {
      const int number = a(i / kK, i % kK);
      A.push_back(
          static_cast<uint16_t>(F16::encode(std::abs(number)) | (number < 0 ? 0x8000u : 0u)));
    }
    for (int i = 0; i < kGroups * kN; ++i)
      scales.push_back(static_cast<uint16_t>(0x3000 | (m(i / kN, i % kN) & 0x3ff)));
    for (int i = 0; i < kN * kK; i += 2)
      columns.push_back(static_cast<uint8_t>(q(i % kK, i / kK) | q(i % kK + 1, i / kK) << 4));
    for (int i = 0; i < kRows * kN; ++i) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) sum += a(i / kN, k) * (q(k, i % kN) - 8) * m(k / kGroup, i % kN);
      D.push_back(std::ldexp(sum, -13));
    }
  }
  bool right(const std::vector<float>& found) const {
    return std::equal(found.begin(), found.end(), D.begin(), D.end());
  }
};

inline void print_head_of_products() {
  std::printf(
      "\n3. D = A * W, 16 x %d by %d x %d, a scale for %d of k and a column\n\n"
      "   W is stored           scaled      exact in D     D is off by%s\n",
      kK, kK, kN, kGroup, counts::there() ? "   a warp's loads   instructions" : "");
}
/// `counted`: what the emulator says of a block, which is a warp.
inline bool print_product(const char* order, bool weights_scaled, const Problem& p,
                          const std::vector<float>& D, bool counted, const counts::Block& block) {
  int exact = 0;
  double off = 0, all = 0;
  for (size_t i = 0; i < D.size(); ++i) {
    exact += D[i] == p.D[i];
    off += (D[i] - p.D[i]) * (D[i] - p.D[i]), all += p.D[i] * p.D[i];
  }
  const double share = std::sqrt(off / all);
  std::printf("   %-21s %-7s %5d of %zu %13.4f %%", order, weights_scaled ? "weights" : "sums",
              exact, D.size(), 100 * share);
  if (counted)
    std::printf("  %15d %14d", static_cast<int>(block.global_loads),
                static_cast<int>(block.instructions));
  std::printf("\n");
  // A scaled weight is rounded to 11 bits: by less than 2^-11 of it.
  return weights_scaled ? share > 0 && share < 0x1p-11 : p.right(D);
}
