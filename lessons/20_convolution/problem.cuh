// SPDX-License-Identifier: MIT
// The host's side of lesson 20: images, filters, and what D must be, exactly; and the lines that
// say whether it is. No kernel is in here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "counts.cuh"
#include "element.cuh"

constexpr int kImages = 4, kHeight = 8, kWidth = 32, kChannels = 64;  // X[image][y][x][channel]
constexpr int kFilters = 16, kTaps = 9, kK = kTaps * kChannels;       // F[filter][r][s][channel]
constexpr int kPixels = kImages * kHeight * kWidth;                   // D[image][y][x][filter]

__host__ __device__ constexpr bool inside(int y, int x) {
  return y >= 0 && y < kHeight && x >= 0 && x < kWidth;
}
/// A pixel's number: NHWC, its channels are neighbours.
__host__ __device__ constexpr int pixel(int image, int y, int x) {
  return (image * kHeight + y) * kWidth + x;
}

inline uint16_t f16(int number) {
  return static_cast<uint16_t>(F16::encode(std::abs(number)) | (number < 0 ? 0x8000u : 0u));
}

/// Whole numbers: X from -4 to 4, F from -8 to 7. A sum is at most 576 * 4 * 8, below 2^24: f32 has
/// it exactly, in whatever order it is made. Or, to be looked at, X says where it lies:
/// 100 * column + 10 * row + channel / 8 (from column 20 on as from 0, for f16 ends being exact at
/// 2048), and filter f picks channel 21 of tap f: D has the pixels around, as A's rows have
/// them.
struct Problem {
  std::vector<uint16_t> X, F;
  std::vector<float> D;
  static int hash(int i) {  // Knuth's multiplicative one, twice: no pattern is left
    const uint32_t once = static_cast<uint32_t>(i) * 2654435761u;
    return static_cast<int>((once ^ once >> 15) * 2654435761u >> 16);
  }
  explicit Problem(bool numbered = false) {
    std::vector<int> x, f;
    for (int i = 0; i < kPixels * kChannels; ++i) {
      const int at = i / kChannels;
      x.push_back(numbered ? at % kWidth % 20 * 100 + at / kWidth % kHeight * 10 + i % kChannels / 8
                           : hash(i) % 9 - 4);
    }
    for (int i = 0; i < kFilters * kK; ++i)
      f.push_back(numbered ? i % kK == i / kK * kChannels + 21 : hash(0x200000 + i) % 16 - 8);
    for (const int number : x) X.push_back(f16(number));
    for (const int number : f) F.push_back(f16(number));
    for (int at = 0; at < kPixels; ++at)
      for (int filter = 0; filter < kFilters; ++filter) D.push_back(sum(x, f, at, filter));
  }
  /// By the definition: every tap, every channel.
  static float sum(const std::vector<int>& x, const std::vector<int>& f, int at, int filter) {
    const int image = at / kWidth / kHeight, p = at / kWidth % kHeight, q = at % kWidth;
    int sum = 0;
    for (int tap = 0; tap < kTaps; ++tap) {
      const int y = p + tap / 3 - 1, from = q + tap % 3 - 1;
      if (!inside(y, from)) continue;
      const int* pixel_at = &x[pixel(image, y, from) * kChannels];
      const int* filter_at = &f[filter * kK + tap * kChannels];
      for (int c = 0; c < kChannels; ++c) sum += pixel_at[c] * filter_at[c];
    }
    return static_cast<float>(sum);
  }
};

inline void print_head_of_products() {
  std::printf(
      "3. D = X convolved with %d filters of 3 x 3 x %d, padding 1\n\n"
      "   A is taken from       unit u lies at         exact in D%s\n",
      kFilters, kChannels, counts::there() ? "   a block's loads   passes   at least" : "");
}
/// `counted`: what the emulator says of a block. `right`: whether D should be.
inline bool print_product(const char* from, const char* swizzle, const Problem& p,
                          const std::vector<float>& D, bool right, bool counted,
                          const counts::Block& block) {
  int exact = 0;
  for (size_t i = 0; i < D.size(); ++i) exact += D[i] == p.D[i];
  std::printf("   %-21s %-15s %8d of %zu", from, swizzle, exact, D.size());
  if (counted)
    std::printf(" %17d %8d %10d", static_cast<int>(block.global_loads),
                static_cast<int>(block.passes), static_cast<int>(block.least_passes));
  std::printf("\n");
  return (D == p.D) == right;
}
