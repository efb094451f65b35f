// SPDX-License-Identifier: MIT
// The conversions of lesson 18, a PTX instruction or two each: scales to ue4m3 and back, and two
// numbers at once to e2m1. sm_120a has the last one, also sm_100a.
//
// Source: PTX ISA 9.2, 9.7.9.21 (cvt).
#pragma once

#include <cstdint>

inline __device__ uint32_t to_ue4m3(float scale) {  // to nearest
  uint16_t pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %1;" : "=h"(pair) : "f"(scale));
  return pair & 0x7f;
}
inline __device__ float from_ue4m3(uint32_t scale) {
  uint32_t halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(static_cast<uint16_t>(scale)));
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<uint16_t>(halves)));
  return value;
}
inline __device__ uint32_t to_e2m1(float low, float high) {  // two of them in a byte
  uint32_t byte;
  asm("{ .reg .b8 both; cvt.rn.satfinite.e2m1x2.f32 both, %2, %1; cvt.u32.u8 %0, both; }"
      : "=r"(byte)
      : "f"(low), "f"(high));
  return byte;
}
