// SPDX-License-Identifier: MIT
// A question of lesson 16 in the registers of an instruction: all rows of A are alike, and all
// columns of B, so that every element of D is the same sum, a[0]*b[0] + a[1]*b[1] + ... + c.
//
// Source: PTX ISA 9.2, 9.7.14.5.8 and .10 (fragments; A's are those of wgmma in every warp).
#pragma once

#include <cstdint>

#include "questions.cuh"

// A number that the type has, as its bits: f32's with less of the exponent and of the mantissa.
template <int kBitCount, int kMantissa, int kBias>
struct Type {
  static constexpr int kBits = kBitCount;
  static __device__ uint32_t encode(float number) {
    const uint32_t bits = __float_as_uint(number), size = bits & 0x7fffffff;
    if (size == 0) return 0;
    return bits >> 31 << (kBits - 1) | ((size >> (23 - kMantissa)) - ((127 - kBias) << kMantissa));
  }
};
using F16Type = Type<16, 10, 15>;
using E4m3Type = Type<8, 3, 7>;

// A register holds two neighbours in k, or four (lesson 02).
template <class Type>
struct Operands {
  static constexpr int kPer = 32 / Type::kBits, kK = 8 * kPer;
  uint32_t a[4], b[2];
  float d[4];

  static __device__ uint32_t word(const float* numbers) {
    uint32_t bits = 0;
    for (int i = 0; i < kPer; ++i) bits |= Type::encode(numbers[i]) << (i * Type::kBits);
    return bits;
  }
  __device__ explicit Operands(const Question& q) {
    const int k = static_cast<int>(threadIdx.x) % 4 * kPer;
    for (int reg = 0; reg < 4; ++reg) a[reg] = word(q.a + k + reg / 2 * 4 * kPer);
    for (int reg = 0; reg < 2; ++reg) b[reg] = word(q.b + k + reg * 4 * kPer);
    for (float& sum : d) sum = q.c;
  }
};
