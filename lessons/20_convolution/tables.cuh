// SPDX-License-Identifier: MIT
// The first two tables of lesson 20, counted on the host by address: what goes to and from global
// memory, and how often a pixel is a row of A. No instruction is in here.
#pragma once

#include <cstdio>
#include <set>

#include "problem.cuh"
#include "tile.cuh"

/// Bytes of X, of A as it is written and as it is read; in all, as multiples of X.
inline void print_bytes(const char* A, long long x, long long written, long long read) {
  std::printf("   %-18s %10lld %14lld %12lld %9.1f times X\n", A, x, written, read,
              static_cast<double>(x + written + read) / (2.0 * kPixels * kChannels));
}

inline bool print_traffic() {
  constexpr int kPixelBytes = kChannels * 2;
  long long taps = 0, halos = 0;
  for (int at = 0; at < kPixels; ++at)
    for (int tap = 0; tap < kTaps; ++tap)
      taps += inside(at / kWidth % kHeight + tap / 3 - 1, at % kWidth + tap % 3 - 1);
  for (int y = 0; y < kHeight; y += kHigh)
    for (int x = 0; x < kWidth; x += kWide)
      for (int place = 0; place < kPlaces; ++place)
        halos += kImages * inside(y + place / kApart - 1, x + place % kApart - 1);
  const long long A = static_cast<long long>(kPixels) * kK * 2;
  std::printf(
      "1. Bytes of global memory. X, %d images of %d x %d pixels of %d channels, has %d\n\n"
      "   A is                X is read   A is written    A is read    in all\n",
      kImages, kHeight, kWidth, kChannels, kPixels * kPixelBytes);
  print_bytes("written out", taps * kPixelBytes, A, A);
  print_bytes("never stored", halos * kPixelBytes, 0, 0);
  return halos < taps && A == 9ll * kPixels * kPixelBytes;
}

/// The rows of A, of a block's 64, that a pixel of the tile is, one for each tap.
inline bool print_rows(int shown) {
  std::set<int> rows;
  std::printf(
      "\n2. Pixel %d,%d of a block's tile with its halo, place %d, is row ... of A for tap r,s\n\n"
      "           s = 0   s = 1   s = 2\n",
      shown / kApart, shown % kApart, shown);
  for (int tap = 0; tap < kTaps; ++tap) {
    int found = -1;
    for (int row = 0; row < kRows; ++row)
      if (place_of(row, tap / 3, tap % 3) == shown) found = row;
    rows.insert(found);
    if (tap % 3 == 0) std::printf("   r = %d", tap / 3);
    std::printf("%8d%s", found, tap % 3 == 2 ? "\n" : "");
  }
  std::printf("\n");
  return rows.size() == kTaps && rows.count(-1) == 0;
}
