// SPDX-License-Identifier: MIT
// The arithmetic of lesson 19 on pairs of f16, a PTX instruction each, and f16
// to f32. Each rounds to nearest, where there is anything to round.
//
// Source: PTX ISA 9.2, 9.7.4.2 (sub), 9.7.4.3 (mul), 9.7.4.4 (fma), 9.7.9.21
// (cvt).
#pragma once

#include <cstdint>

inline __device__ uint32_t sub_f16x2(uint32_t a, uint32_t b) {
  uint32_t result;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
inline __device__ uint32_t mul_f16x2(uint32_t a, uint32_t b) {
  uint32_t result;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
inline __device__ uint32_t fma_f16x2(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}
inline __device__ float to_f32(uint16_t f16) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(f16));
  return value;
}
