// SPDX-License-Identifier: MIT
// The host's side of lesson 10: what it prints of the bytes that wgmma fetched. The descriptor, the
// prediction and the kernel are in lesson.cu.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

// B is 16 x 64 (K x N); of each element the byte it was fetched from.
constexpr int kN = 64, kK = 16;
struct Fetched {
  std::vector<int> bytes = std::vector<int>(kK * kN, 0);  // [k][n]
  int at(int k, int n) const { return bytes[static_cast<size_t>(k * kN + n)]; }
};

inline void print_head_of_modes() {
  std::printf("mode  major       LBO   SBO  descriptor          B[0][1] B[1][0] B[8][0] B[0][8]\n");
}
inline bool print_mode(const char* name, int lbo, int sbo, uint64_t bits, const Fetched& b,
                       int right) {
  std::printf("%s  %5d %5d  0x%016llx  %7d %7d %7d %7d  %4d of 1024 right\n", name, lbo, sbo,
              static_cast<unsigned long long>(bits), b.at(0, 1), b.at(1, 0), b.at(8, 0), b.at(0, 8),
              right);
  return right == 1024;
}

// Of the first mode: which element lies at the byte that each of a few came from.
inline bool print_wrong_lbo(int lbo, const Fetched& b, int right) {
  std::printf("\nThe first mode again, with LBO = %d: %d of 1024 elements are the right ones.\n",
              lbo, right);
  for (const int k : {0, 7, 8, 15}) {
    std::printf("  B[%2d][0..2] come from where", k);
    for (int n = 0; n < 3; ++n) {
      const int byte = b.at(k, n);
      std::printf(" B[%2d][%d]", byte % 256 / 128 * 8 + byte % 16 / 2,
                  byte / 256 * 8 + byte % 128 / 16);
    }
    std::printf(" lie\n");
  }
  return (right == 1024) == (lbo == 128);
}

// Of the first eight rows: the unit of 16 bytes, of eight in a row, where k = 0 and k = 8 of each
// slice lie.
inline bool print_slices(const std::vector<Fetched>& slices, bool good) {
  std::printf(
      "\n64 x 64, 128B, K-major: units of 16 bytes (of 8 in a row) that hold k = 0..7, 8..15, "
      "...\n");
  std::printf("       start  0       32      64      96\n");
  for (int n = 0; n < 8; ++n) {
    std::printf("  row %d ", n);
    for (const Fetched& slice : slices)
      std::printf("    %d %d ", slice.at(0, n) % 128 / 16, slice.at(8, n) % 128 / 16);
    std::printf("\n");
  }
  std::printf("4 slices of 1024 elements: %s\n", good ? "all as predicted" : "NOT as predicted");
  return good;
}
