// SPDX-License-Identifier: MIT
// The host's side of lesson 21's product: two sets of numbers, and what D must
// be, exactly. No kernel is here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "element.cuh"

constexpr int kRows = 64, kCols = 64, kK = 1024;
constexpr int kTileRows = 32, kTileCols = 16, kTilesAcross = kCols / kTileCols;
constexpr int kTiles = kRows / kTileRows * kTilesAcross, kSteps = kK / 16;  // of a tile
constexpr int kThreads = 128;
constexpr int kMostParts = kTiles * 4 + kTiles;  // split by 4: blocks and tiles (Row::place)

struct Place {
  int row, col;
};

/// D = A * B, f16, A row by row, B column by column. `whole`: numbers from -4 to 4; no sum is
/// larger than 1024 * 16, so f32 has every sum exactly, in whatever order it is made. Else: 11 bits
/// each, from 0.5 to 1 in size, of both signs: sums have more bits than f32.
struct Problem {
  std::vector<uint16_t> A, B;  // A[row][k], B[col][k]
  std::vector<double> D;       // D[row][col], exact
  explicit Problem(bool whole) {
    std::vector<double> a, b;
    for (int i = 0; i < kRows * kK; ++i) add(A, a, whole, hash(i));
    for (int i = 0; i < kCols * kK; ++i) add(B, b, whole, hash(0x28000 + i));
    for (int i = 0; i < kRows * kCols; ++i) {
      double sum = 0;  // 22 bits a product and 10 for 1024 of them: f64 has 53
      for (int k = 0; k < kK; ++k)
        sum +=
            a[static_cast<size_t>(i / kCols * kK + k)] * b[static_cast<size_t>(i % kCols * kK + k)];
      D.push_back(sum);
    }
  }
  bool right(const std::vector<float>& found) const {
    return std::equal(found.begin(), found.end(), D.begin(), D.end());
  }
  /// How far off, of the size of D's elements: both by root mean square.
  double off(const std::vector<float>& found) const {
    double off = 0, all = 0;
    for (size_t i = 0; i < D.size(); ++i)
      off += (found[i] - D[i]) * (found[i] - D[i]), all += D[i] * D[i];
    return std::sqrt(off / all);
  }

 private:
  static uint32_t hash(int i) {  // Knuth's multiplicative one, twice: no pattern is left
    const uint32_t once = static_cast<uint32_t>(i) * 2654435761u;
    return (once ^ once >> 15) * 2654435761u >> 16;
  }
  static void add(std::vector<uint16_t>& bits, std::vector<double>& values, bool whole,
                  uint32_t number) {
    const int n = static_cast<int>(number % 9) - 4, m = static_cast<int>(number % 1024);
    const bool minus = whole ? n < 0 : number >= 0x8000;
    const uint32_t size = whole ? F16::encode(std::abs(n)) : 0x3800u | static_cast<uint32_t>(m);
    bits.push_back(static_cast<uint16_t>(size | (minus ? 0x8000u : 0u)));
    values.push_back((minus ? -1 : 1) * (whole ? std::abs(n) : (1024 + m) / 2048.0));
  }
};
