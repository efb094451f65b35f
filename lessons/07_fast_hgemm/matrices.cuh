// SPDX-License-Identifier: MIT
// Lesson 07: the matrices that the rungs are tried with, bits of f16, and what those are in f64.
#pragma once

#include <cstdint>
#include <vector>

#include <cuda_fp16.h>

#include "bench_gemm.cuh"

/// Numbers between -2 and 2 that depend on the seed alone.
inline std::vector<std::uint16_t> matrix(int rows, int cols, std::uint64_t seed) {
  std::vector<std::uint16_t> bits;
  for (int i = 0; i < rows * cols; ++i) {
    const std::uint64_t random = bench::mixed(seed * 1000003 + static_cast<std::uint64_t>(i));
    bits.push_back(__half_as_ushort(__float2half(static_cast<float>(random % 4001) / 1000 - 2)));
  }
  return bits;
}

/// Each of the bits once: a product asks for them a hundred times.
inline std::vector<double> values(const std::vector<std::uint16_t>& halves) {
  std::vector<double> found;
  for (std::uint16_t bits : halves) found.push_back(__half2float(__ushort_as_half(bits)));
  return found;
}
