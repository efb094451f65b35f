// SPDX-License-Identifier: MIT
// The host's side of lesson 05: the numbers that its kernels copy and multiply, and the lines of
// its two tables. No kernel is in here.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "element.cuh"

inline uint16_t f16(int number) { return static_cast<uint16_t>(F16::encode(number)); }

// ---- Four copies --------------------------------------------------------------------------------

inline std::vector<uint16_t> four_tiles_of_a() {  // 16 x 64, A[9][5] is 905
  std::vector<uint16_t> A(16 * 64);
  for (int i = 0; i < 16 * 64; ++i) A[i] = f16(100 * (i / 64) + i % 64);
  return A;
}

inline void print_head_of_copies() {
  std::printf(
      "1. Four groups are committed, then a wait, then all four tiles are read. Shared memory "
      "held\n"
      "   NaNs before. Of 128 registers of A's fragment, filled:\n\n"
      "                      group 0    group 1    group 2    group 3\n");
}

// How many registers of each tile's fragment hold something. `wait` groups may be missing; 4: there
// was no wait.
inline bool print_copies(int wait, const std::vector<uint32_t>& words) {
  bool promised = true;
  std::printf("  %s", wait == 4 ? "no wait at all" : "wait_group ");
  if (wait < 4) std::printf("%d  ", wait);
  for (int step = 0; step < 4; ++step) {
    int there = 0;
    for (int i = 0; i < 128; ++i) there += words[i / 4 * 16 + step * 4 + i % 4] != 0xffffffff;
    std::printf("%11d", there);
    if (step < 4 - wait) promised = promised && there == 128;
  }
  std::printf("%s\n", promised ? "" : "   ^ not what the manual promises");
  return promised;
}

// ---- The loop -----------------------------------------------------------------------------------

// A is 16 x K, B is K x 8. Whole numbers, so that every sum is exact: anything else than the right
// D is a wrong answer.
struct Problem {
  static constexpr int K = 1024;
  std::vector<uint16_t> A, B;
  std::vector<float> D = std::vector<float>(16 * 8, 0);
  Problem() : A(16 * K), B(K * 8) {
    for (int row = 0; row < 16; ++row)
      for (int k = 0; k < K; ++k) A[row * K + k] = f16((row * 5 + k * 3) % 7);
    for (int k = 0; k < K; ++k)
      for (int col = 0; col < 8; ++col) B[k * 8 + col] = f16((k + col * 3) % 5);
    for (int i = 0; i < 16 * 8; ++i)
      for (int k = 0; k < K; ++k)
        D[i] += static_cast<float>((i / 8 * 5 + k * 3) % 7 * ((k + i % 8 * 3) % 5));
  }
};

inline void print_head_of_loops(bool gpu) {
  std::printf(
      "2. D = A*B over %d steps of k: tiles and bytes under way while one is multiplied;\n"
      "   of 128 elements of D:\n\n"
      "  stages  wait_group   tiles       bytes      right    NaN%s\n",
      Problem::K / 16, gpu ? "    cycles a step" : "");
}

// Cycles are those of the whole loop; the emulator has no clock.
inline int print_loop(int stages, int wait, const Problem& problem, const std::vector<float>& D,
                      long long cycles, bool gpu) {
  int right = 0, nan = 0;
  for (int i = 0; i < 16 * 8; ++i) right += D[i] == problem.D[i], nan += std::isnan(D[i]);
  std::printf("  %6d  %10d  %6d  %10d  %9d  %5d", stages, wait, stages - 1, (stages - 1) * 768,
              right, nan);
  if (gpu) std::printf("  %8.0f", static_cast<double>(cycles) / (Problem::K / 16));
  std::printf("\n");
  return right;
}
