// SPDX-License-Identifier: MIT
// The host's side of lesson 06: random matrices, the error of a product as a share of what the
// arithmetic explains, and the lines of the two tables. No kernel is in here.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 3.1.
#pragma once

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

struct Problem {
  int M, N, K;
  std::vector<__half> A, B;
  Problem(int m, int n, int k) : M(m), N(n), K(k), A(size_t(m) * k), B(size_t(k) * n) {
    uint32_t seed = 20261120;  // written down: every run is the same
    const auto random = [&] {  // -1 to 1
      seed = seed * 1664525 + 1013904223;
      return __half(static_cast<float>(seed >> 8) / (1 << 23) - 1.0f);
    };
    for (__half& element : A) element = random();
    for (__half& element : B) element = random();
  }
};

// The largest error of C against sums in f64, as a share of what the arithmetic explains: each mma
// may cut 17 terms off at the 24th bit of the largest, which is no larger than the sum of all
// |a*b|, and at the end C is rounded to 11 bits. Above 1 something else is wrong.
inline double worst_error(const Problem& p, const std::vector<__half>& C) {
  double worst = 0;
  for (int row = 0; row < p.M; ++row)
    for (int col = 0; col < p.N; ++col) {
      double sum = 0, size = 0;
      for (int k = 0; k < p.K; ++k) {
        const double product =
            double(float(p.A[size_t(row) * p.K + k])) * double(float(p.B[size_t(k) * p.N + col]));
        sum += product;
        size += std::fabs(product);
      }
      const int steps = (p.K + 15) / 16;
      const double bound = steps * 17 * std::ldexp(size, -23) + std::ldexp(std::fabs(sum), -11);
      const double error = std::fabs(double(float(C[size_t(row) * p.N + col])) - sum);
      worst = std::isnan(error) ? INFINITY : std::max(worst, error / bound);
    }
  return worst;
}

inline void print_head_of_sizes() {
  std::printf("     M     N     K   tiles   multiplied for nothing   worst error / explained\n");
}
inline bool print_size(const Problem& p, const std::vector<__half>& C) {
  const double worst = worst_error(p, C);
  const double tiles = double((p.M + 15) / 16) * ((p.N + 7) / 8);
  const double done = tiles * 16 * 8 * ((p.K + 15) / 16) * 16;
  std::printf("  %4d  %4d  %4d  %6.0f  %22.0f %%  %24.3f\n", p.M, p.N, p.K, tiles,
              100 * (1 - p.M * p.N * double(p.K) / done), worst);
  return worst <= 1;
}

inline void print_head_of_stores(bool same, bool gpu) {
  std::printf(
      "\nC is complete after the last step. Stored in every step it is as right%s, but of one "
      "tile, "
      "with\nK = 1024:\n\n  %-30s %14s%s\n",
      same ? "" : " (NOT!)", "C is stored", "bytes written",
      gpu ? "         ms   TFLOP/s of 2048 x 2048 x 2048" : "");
}
// `milliseconds` for a product of M = N = K = size; 0 where nobody has a clock.
inline void print_stores(const char* name, int bytes, float milliseconds, int size) {
  std::printf("  %-30s %14d", name, bytes);
  if (milliseconds > 0) {
    const double flop = 2.0 * size * size * size;
    std::printf("  %9.3f  %8.2f", milliseconds, flop / milliseconds * 1e-9);
  }
  std::printf("\n");
}
