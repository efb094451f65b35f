// SPDX-License-Identifier: MIT
// Attention as it is meant, for the programs that compute it: softmax(Q K^T / sqrt(64)) V with a
// causal mask, in f64, and how far from it f16 may be. Rows of all heads lie one after the other.
#pragma once

#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <vector>

__device__ inline float power_of_two(float exponent) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
  return power;
}
__device__ inline std::uint32_t pack(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(both);
}

// Relative to sum(p |v|) / sum(p): 2^-11 for P in f16, 2^-11 for the output, 2^-16 for exponents of
// up to 46 in f32 (three roundings of 2^-24 each), ex2.approx (2^-22) and the sums in f32. Powers
// below 2^-14 are subnormal in f16: 2^-25 for each of the keys, with values up to 2.
inline double tolerance(double magnitude, int keys) {
  return magnitude * (std::ldexp(1, -10) + std::ldexp(1, -16)) + keys * std::ldexp(1, -24);
}

/// How many elements of `out` are not within tolerance(); `length` rows a head.
inline int count_wrong(const std::vector<__half>& q, const std::vector<__half>& k,
                       const std::vector<__half>& v, const std::vector<__half>& out, int length) {
  constexpr int kHead = 64;
  int wrong = 0;
  for (int row = 0; row < static_cast<int>(q.size()) / kHead; ++row) {
    const int keys = row % length + 1, first = row - row % length;
    std::vector<double> p(keys);
    double sum = 0;
    for (int key = 0; key < keys; ++key) {
      double score = 0;
      for (int d = 0; d < kHead; ++d)
        score +=
            double{__half2float(q[row * kHead + d])} * __half2float(k[(first + key) * kHead + d]);
      sum += p[key] = std::exp(score / std::sqrt(kHead));
    }
    for (int d = 0; d < kHead; ++d) {
      double expected = 0, magnitude = 0;
      for (int key = 0; key < keys; ++key) {
        const double part = p[key] / sum * __half2float(v[(first + key) * kHead + d]);
        expected += part;
        magnitude += std::abs(part);
      }
      const double found = __half2float(out[row * kHead + d]);
      wrong += !(std::abs(found - expected) <= tolerance(magnitude, keys));
    }
  }
  return wrong;
}
