// SPDX-License-Identifier: MIT
// PTX's approximate functions, bit by bit as an NVIDIA H200 computes them: ex2, lg2, rcp, rsqrt,
// sqrt, sin, cos, tanh and the divisions made of them. Not accurate functions: those are libm's.
//
// One unit of the card, MUFU, computes them all. It looks three numbers up and adds
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

// ---- MUFU: the functions as .ftz has them -------------------------------------------------------

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

// ---- What ptxas makes of the others: a factor before, a factor after
// -----------------------------

LANESCOPE_APPROXIMATE Word canonical(float value) {
  return select(value != value, kNan, bits_of(value));
}
LANESCOPE_APPROXIMATE bool is_subnormal(Word a) { return (a & ~kSign) < 0x800000u; }  // or zero
LANESCOPE_APPROXIMATE Word scaled(Word a, float factor) { return bits_of(float_of(a) * factor); }
LANESCOPE_APPROXIMATE float choose(bool which, float yes, float no) {
  return float_of(select(which, bits_of(yes), bits_of(no)));
}

LANESCOPE_APPROXIMATE Word ex2(Word a) {
  const bool small = float_of(a) < -126.0f;
  const float made = float_of(ex2_ftz(scaled(a, choose(small, 0.5f, 1.0f))));
  return canonical(made * choose(small, made, 1.0f));
}
LANESCOPE_APPROXIMATE Word lg2(Word a) {
  const bool tiny = is_subnormal(a);
  const float made = float_of(lg2_ftz(scaled(a, choose(tiny, 0x1p24f, 1.0f))));
  return canonical(made - choose(tiny, 24.0f, 0.0f));
}
LANESCOPE_APPROXIMATE Word rcp(Word a) {
  const float large = choose(magnitude_of(a) > 0x1p126f, 0.25f, 1.0f);
  const float factor = choose(is_subnormal(a), 0x1p24f, large);
  return canonical(float_of(rcp_ftz(scaled(a, factor))) * factor);
}
LANESCOPE_APPROXIMATE Word rsqrt(Word a) {
  const bool tiny = is_subnormal(a);
  const float made = float_of(rsqrt_ftz(scaled(a, choose(tiny, 0x1p24f, 1.0f))));
  return canonical(made * choose(tiny, 0x1p12f, 1.0f));
}
LANESCOPE_APPROXIMATE Word sqrt(Word a) {
  const bool tiny = is_subnormal(a);
  const float made = float_of(sqrt_ftz(scaled(a, choose(tiny, 0x1p24f, 1.0f))));
  return canonical(made * choose(tiny, 0x1p-12f, 1.0f));
}

/// mul.ftz: tiny is what is tiny before it is rounded.
LANESCOPE_APPROXIMATE float flushed(float a) {
  return choose(is_subnormal(bits_of(a)), float_of(bits_of(a) & kSign), a);
}
LANESCOPE_APPROXIMATE float product_ftz(float a, float b) {
  const float x = flushed(a), y = flushed(b), made = x * y;
  const double exact = static_cast<double>(x) * static_cast<double>(y);
  const bool tiny = (exact < 0.0 ? -exact : exact) < 0x1p-126 - 0x1p-151;
  return choose(tiny, float_of(bits_of(made) & kSign), made);
}

// A quotient is dividend * divisor, where the divisor is a reciprocal already. Both are scaled by
// the same factor, so that the reciprocal is a normal number.
LANESCOPE_APPROXIMATE float div_factor(Word b, bool full, bool ftz) {
  const float large = choose(full & (magnitude_of(b) > 0x1p126f), 0.25f, 1.0f);
  return choose(!ftz & is_subnormal(b), 0x1p24f, large);
}
template <bool kFull, bool kFtz>
LANESCOPE_APPROXIMATE Word dividend(Word a, Word b) {
  if constexpr (kFtz && !kFull) return bits_of(flushed(float_of(a)));
  const float factor = div_factor(b, kFull, kFtz);
  if constexpr (kFtz) return bits_of(product_ftz(float_of(a), factor));
  return bits_of(float_of(a) * factor);
}
template <bool kFull, bool kFtz>
LANESCOPE_APPROXIMATE Word scaled_divisor(Word b) {
  if constexpr (kFtz && !kFull) return b;
  const float factor = div_factor(b, kFull, kFtz);
  if constexpr (kFtz) return bits_of(product_ftz(float_of(b), factor));
  return scaled(b, factor);
}
template <bool kFull, bool kFtz>
LANESCOPE_APPROXIMATE Word divisor(Word b) {
  return rcp_ftz(scaled_divisor<kFull, kFtz>(b));
}
template <bool kFull, bool kFtz>
LANESCOPE_APPROXIMATE Word quotient(Word a, Word b) {
  const float x = float_of(dividend<kFull, kFtz>(a, b)), y = float_of(divisor<kFull, kFtz>(b));
  if constexpr (kFtz) return canonical(product_ftz(y, x));
  return canonical(y * x);
}
LANESCOPE_APPROXIMATE Word div_approx_ftz(Word a, Word b) { return quotient<false, true>(a, b); }
LANESCOPE_APPROXIMATE Word div_full_ftz(Word a, Word b) { return quotient<true, true>(a, b); }
LANESCOPE_APPROXIMATE Word div_approx(Word a, Word b) { return quotient<false, false>(a, b); }
LANESCOPE_APPROXIMATE Word div_full(Word a, Word b) { return quotient<true, false>(a, b); }

// ---- Half precision: the f32 function, cut off --------------------------------------------------

LANESCOPE_APPROXIMATE Word widened(Word half) {
  const Word sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu, mantissa = half & 0x3ffu;
  const Word tiny = bits_of(static_cast<float>(static_cast<int>(mantissa)) * 0x1p-24f);
  const Word normal = (exponent + select(exponent == 31, 224u, 112u)) << 23 | mantissa << 13;
  return sign | select(exponent == 0, tiny, normal);
}
LANESCOPE_APPROXIMATE Word narrowed(Word a) {
  const Word size = a & ~kSign, sign = a >> 16 & 0x8000u;
  // A subnormal half counts units of 2^-24.
  const bool subnormal = size < 0x38800000u;
  const float units = float_of(select(subnormal, size, 0u)) * 0x1p24f;
  const Word normal = select(size >= 0x47800000u, 0x7c00u, (size - 0x38000000u) >> 13);
  const Word made = select(subnormal, static_cast<Word>(static_cast<int>(units)), normal);
  return select(size > kInfinity, 0x7fffu, sign | made);
}
LANESCOPE_APPROXIMATE Word ex2_f16(Word a) { return narrowed(ex2_ftz(widened(a & 0xffffu))); }
LANESCOPE_APPROXIMATE Word tanh_f16(Word a) { return narrowed(tanh(widened(a & 0xffffu))); }
LANESCOPE_APPROXIMATE Word ex2_bf16(Word a) { return ex2_ftz(a << 16) >> 16; }
LANESCOPE_APPROXIMATE Word tanh_bf16(Word a) { return tanh(a << 16) >> 16; }

// ---- f64: the upper word through the f32 tables, the lower one zero -----------------------------

LANESCOPE_APPROXIMATE Long wide(Word upper) { return static_cast<Long>(upper) << 32; }

LANESCOPE_APPROXIMATE Long rcp_f64(Long a) {
  const Word upper = static_cast<Word>(a >> 32), sign = upper & kSign;
  const int exponent = static_cast<int>(upper >> 20 & 0x7ffu);
  if (exponent == 0x7ff) return wide((upper & 0xfffffu) != 0 ? kNan : sign);
  if (exponent == 0) return wide(sign | 0x7ff00000u);
  // 20 of the 23 bits of an f32 in [1, 2)
  const Word made = rcp_ftz(0x3f800000u | (upper & 0xfffffu) << 3);
  const int size = static_cast<int>(made >> 3) + (1023 + 896 - exponent) * (1 << 20);
  return wide(sign | (size < 0x100000 ? 0u : static_cast<Word>(size)));
}
LANESCOPE_APPROXIMATE Long rsqrt_ftz_f64(Long a) {
  const Word upper = static_cast<Word>(a >> 32);
  const int exponent = static_cast<int>(upper >> 20 & 0x7ffu);
  if (exponent == 0x7ff && (upper & 0xfffffu) != 0) return wide(kNan);
  if (exponent == 0) return wide((upper & kSign) | 0x7ff00000u);
  if (upper >> 31 != 0) return wide(kNan);
  if (exponent == 0x7ff) return 0;
  const int odd = ~exponent & 1;  // an f32 in [1, 4)
  const Word made =
      rsqrt_ftz((0x3f800000u + (static_cast<Word>(odd) << 23)) | (upper & 0xfffffu) << 3);
  return wide((made >> 3) + static_cast<Word>((896 - (exponent - 1023 - odd) / 2) * (1 << 20)));
}
/// One step of Newton and Raphson on it, in f64.
LANESCOPE_APPROXIMATE double refined_rsqrt(double a) {
  const double guess = double_of(rsqrt_ftz_f64(bits_of(a)));
  const double error = __builtin_fma(a, -(guess * guess), 1.0);
  return __builtin_fma(__builtin_fma(error, 0.375, 0.5), guess * error, guess);
}
LANESCOPE_APPROXIMATE Long rsqrt_f64(Long a) {
  const double value = double_of(a);
  if (value != value) return a | Long{1} << 51;
  if (value == 0.0) return a | Long{0x7ff} << 52;
  if (value < 0.0) return Long{0xfff8} << 48;
  if (a == Long{0x7ff} << 52) return 0;
  const bool tiny = a < Long{1} << 52;
  const double made = refined_rsqrt(tiny ? value * 0x1p54 : value);
  return bits_of(tiny ? made * 0x1p27 : made);
}

}  // namespace lanescope::numeric::approximate
