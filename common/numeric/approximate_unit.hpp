// SPDX-License-Identifier: MIT
// MUFU, the unit of a card that computes ex2, lg2, rcp, rsqrt, sqrt, sin, cos and tanh of f32, bit
// by bit as an NVIDIA H200 does. What PTX makes of them is in approximate.hpp.
//
// It looks three numbers up and adds
//
//     operand   e eeee eee | iiiiii | xxxxxxxxxxxxxxxxx      (64 intervals and 17 bits; rcp has 128
//                           interval        x                 intervals and 16 bits)
//
//     sum = C0[i] * 2^k + C1[i] * x + C2[i] * square(x) + bias,
//
// and cuts off what the result has no place for. square(x) is x * x / 2^19 without the carries of
// what is left out. The method is published (Oberman and Siu, A High-Performance Area-Efficient
// Multifunction Interpolator, 2005); the tables and every detail here were found from outputs of a
// card and compared with it for every input: docs/experiments/approximate.md.
//
// Sums stay below 2^44, so that a double holds them exactly, whatever the order: that is what makes
// loops over lanes fast. Patterns go in and come out. nvcc reads this file, too.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define LANESCOPE_APPROXIMATE __host__ __device__ __forceinline__
#else
// Inlined always: the emulator compiles its loops several times, for different hosts, and one copy
// must not stand in for another.
#define LANESCOPE_APPROXIMATE [[gnu::always_inline]] inline
#endif

#include "approximate_tables.hpp"

namespace lanescope::numeric::approximate {

using Word = std::uint32_t;
using Long = std::uint64_t;

inline constexpr Word kNan = 0x7fffffffu, kInfinity = 0x7f800000u, kSign = 0x80000000u;

LANESCOPE_APPROXIMATE Word bits_of(float value) {
  Word bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
LANESCOPE_APPROXIMATE Long bits_of(double value) {
  Long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
LANESCOPE_APPROXIMATE float float_of(Word bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
LANESCOPE_APPROXIMATE double double_of(Long bits) {
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
LANESCOPE_APPROXIMATE float magnitude_of(Word bits) { return float_of(bits & ~kSign); }
LANESCOPE_APPROXIMATE bool is_nan(Word bits) { return (bits & ~kSign) > kInfinity; }
/// By masks: a compiler that sees a choice moves the work into its branches, and the loop over
/// lanes is a loop then.
LANESCOPE_APPROXIMATE Word select(bool which, Word yes, Word no) {
  const Word mask = 0u - static_cast<Word>(which);
  return (yes & mask) | (no & ~mask);
}
LANESCOPE_APPROXIMATE int exponent_of(Word bits) { return static_cast<int>(bits >> 23 & 0xffu); }

/// x * x / 2^19 of 17 bits. Each row of the multiplication is cut off at its lower end, then the
/// sum is halved.
LANESCOPE_APPROXIMATE Word square(Word x) {
  Word sum = 0;
#define LANESCOPE_ROW(bit) sum += (0u - (x >> bit & 1u)) & (x >> (18 - bit));
  LANESCOPE_ROW(2)
  LANESCOPE_ROW(3)
  LANESCOPE_ROW(4)
  LANESCOPE_ROW(5)
  LANESCOPE_ROW(6)
  LANESCOPE_ROW(7)
  LANESCOPE_ROW(8)
  LANESCOPE_ROW(9)
  LANESCOPE_ROW(10)
  LANESCOPE_ROW(11)
  LANESCOPE_ROW(12)
  LANESCOPE_ROW(13)
  LANESCOPE_ROW(14)
  LANESCOPE_ROW(15)
  LANESCOPE_ROW(16)
#undef LANESCOPE_ROW
  return sum >> 1;
}

/// c0 and bias carry their factor 2^k already. Exact: all are integers (or halves), all below 2^44.
LANESCOPE_APPROXIMATE double interpolated(double c0, int c1, int c2, Word x, double bias) {
  return c0 + bias + c1 * static_cast<double>(static_cast<int>(x)) +
         c2 * static_cast<double>(static_cast<int>(square(x)));
}

/// A positive normal number as f32, what does not fit cut off.
LANESCOPE_APPROXIMATE Word cut(double value) {
  return static_cast<Word>(bits_of(value) >> 29) - (896u << 23);
}
/// The same of an integer that fits in 25 bits.
LANESCOPE_APPROXIMATE Word cut_integer(double value) {
  return static_cast<Word>(static_cast<int>(value));
}

// The functions as .ftz has them.

LANESCOPE_APPROXIMATE Word ex2_ftz(Word a) {
  // Into fixed point, 23 bits behind the point, the rest cut off; then minus one's complement, but
  // for whole numbers. 128 gives infinity or zero like all that is larger.
  constexpr Word kMost = 0x43000000u;  // 128.0f
  const Word size = select((a & ~kSign) < kMost, a & ~kSign, kMost);
  const int fixed = static_cast<int>(float_of(size) * 0x1p23f);
  const int negative = -fixed - static_cast<int>((fixed & 0x7fffff) != 0);
  const int value =
      static_cast<int>(select(a >> 31 != 0, static_cast<Word>(negative), static_cast<Word>(fixed)));
  const Word i = static_cast<Word>(value) >> 17 & 0x3fu, x = static_cast<Word>(value) & 0x1ffffu;
  const double sum = interpolated(kEx2C0[i] * 0x1p13, kEx2C1[i], kEx2C2[i], x, 0x17e2);
  const int exponent = (value >> 23) + 127;
  const Word made = (static_cast<Word>(exponent - 1) << 23) + cut_integer(sum * 0x1p-15);
  const Word large = select(exponent >= 255, kInfinity, made);
  return select(is_nan(a), kNan, select(exponent <= 0, 0u, large));
}

LANESCOPE_APPROXIMATE Word rcp_ftz(Word a) {
  const Word sign = a & kSign, i = a >> 16 & 0x7fu, x = (a & 0xffffu) << 1;
  const double sum = interpolated(kRcpC0[i] * 0x1p14, kRcpC1[i], 2 * kRcpC2[i], x, 2 * 0x7e7);
  const int exponent = exponent_of(a);
  const int made = (252 - exponent) * (1 << 23) + static_cast<int>(cut_integer(sum * 0x1p-16));
  const Word finite = select(made < 0x800000, 0u, static_cast<Word>(made));
  const Word size = select(exponent == 0, kInfinity, select(exponent == 255, 0u, finite));
  return select(is_nan(a), kNan, sign | size);
}

LANESCOPE_APPROXIMATE Word root(Word a, Word significand, int exponent, Word of_infinity,
                                Word of_zero) {
  const Word made = (static_cast<Word>(exponent) << 23) + significand;
  const Word positive = select(a == kInfinity, of_infinity, made);
  const Word known = select(a > kInfinity, kNan, positive);  // NaN, and what is negative
  return select((a & ~kSign) < 0x800000u, (a & kSign) | of_zero, known);
}
LANESCOPE_APPROXIMATE Word rsqrt_ftz(Word a) {
  // Two binades: the exponent's last bit is the interval's first.
  const Word odd = ~a >> 23 & 1u, i = odd << 6 | (a >> 17 & 0x3fu), x = a & 0x1ffffu;
  const double sum = interpolated(kRsqrtC0[i] * 0x1p14, kRsqrtC1[i], kRsqrtC2[i], x, 0x3fff);
  const int half = (exponent_of(a) - 127 - static_cast<int>(odd)) / 2;
  const bool exact = odd == 0 && (a & 0x7fffffu) == 0;  // a power of 4
  const Word significand = select(exact, 1u << 24, cut_integer(sum * 0x1p-16));
  return root(a, significand, 125 - half, 0u, kInfinity);
}
LANESCOPE_APPROXIMATE Word sqrt_ftz(Word a) {
  const Word odd = ~a >> 23 & 1u, i = odd << 6 | (a >> 17 & 0x3fu), x = a & 0x1ffffu;
  const double sum = interpolated(kSqrtC0[i] * 0x1p15, kSqrtC1[i], kSqrtC2[i], x, 0x7fff);
  const int half = (exponent_of(a) - 127 - static_cast<int>(odd)) / 2;
  return root(a, cut_integer(sum * 0x1p-17), 126 + half, kInfinity, 0u);
}

LANESCOPE_APPROXIMATE Word lg2_ftz(Word a) {
  const Word i = a >> 17 & 0x3fu, x = a & 0x1ffffu;
  const double sum = interpolated(kLg2C0[i] * 0x1p12, kLg2C1[i], kLg2C2[i], x, 0x345);
  // Two bits are cut off: the constant makes rounding to nearest even just that.
  const double floor = (sum * 0.25 - 0.375 + 0x1p52) - 0x1p52;
  // A fixed point with 36 bits behind it; below zero one's complement.
  const bool one = a == 0x3f800000u;  // whose table would give something
  const double fixed = (exponent_of(a) - 127) * 0x1p36 + floor;
  const Long below = Long{0} - static_cast<Long>(fixed < 0.0);
  const double size =
      double_of(bits_of(fixed) ^ (below & Long{1} << 63)) - double_of(below & bits_of(1.0));
  const Word made = select(fixed < 0.0, kSign, 0u) | cut(size * 0x1p-36);
  const Word finite = select(one || size == 0.0, 0u, made);
  const Word known = select(a > kInfinity, kNan, select(a == kInfinity, kInfinity, finite));
  return select((a & ~kSign) < 0x800000u, kSign | kInfinity, known);
}

/// kQuarter: 0 for sin, 1 for cos, which is sin a quarter of a turn later, of |a|.
template <int kQuarter>
LANESCOPE_APPROXIMATE Word sine(Word a) {
  // Into turns: times 1 / (2 pi) as f32, to f32 towards zero. Whole turns do not count, and from
  // 2^24 on there is nothing else.
  const double product = static_cast<double>(magnitude_of(a)) * 0x1.45f306p-3;
  const Long turns = bits_of(product) & ~Long{0x1fffffff};
  const double small = double_of(turns & (Long{0} - static_cast<Long>(product < 0x1p24)));
  const double part = small - static_cast<int>(small);
  const Word fixed = static_cast<Word>(static_cast<int>(part * 0x1p25)) + (kQuarter << 23);
  const Word mirrored = fixed ^ (0u - (fixed >> 23 & 1u));
  const Word i = mirrored >> 17 & 0x3fu, x = mirrored & 0x1ffffu;
  const double sum = interpolated(kSinC0[i] * 0x1p11, kSinC1[i], kSinC2[i], x, 0.0);
  const Word sign = ((kQuarter == 0 ? a : 0u) ^ fixed << 7) & kSign;
  const Word size = select(sum == 0.0, 0u, cut(sum * 0x1p-37));
  return select((a & ~kSign) >= kInfinity, kNan, sign | size);
}
LANESCOPE_APPROXIMATE Word sin(Word a) { return sine<0>(a); }
LANESCOPE_APPROXIMATE Word cos(Word a) { return sine<1>(a); }

LANESCOPE_APPROXIMATE Word tanh(Word a) {
  // Intervals of their own for every binade from 2^-8 on: 1 1 1 2 2 4 4 4 8 16 8 of them.
  const int exponent = exponent_of(a);
  const Word below = select(exponent > 129, 10u, static_cast<Word>(exponent - 119));
  const Word row = select(exponent < 119, 0u, below);
  const Word mantissa = (a & 0x7fffffu) >> kTanhShift[row];
  const Word i = static_cast<Word>(kTanhFirst[row]) + (mantissa >> 17), x = mantissa & 0x1ffffu;
  const double sum = interpolated(kTanhC0[i] * 0x1p15, kTanhC1[i], kTanhC2[i], x, 0.0);
  const Word made = cut(sum * 0x1p-38) + (static_cast<Word>(kTanhUnit[row]) << 23);
  const Word one = select(exponent > 129, 0x3f800000u, made);
  const Word size = select(exponent < 119, a & ~kSign, one);
  return select(is_nan(a), kNan, (a & kSign) | size);
}

}  // namespace lanescope::numeric::approximate
