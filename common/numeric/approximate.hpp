// SPDX-License-Identifier: MIT
// PTX's approximate functions, bit by bit as an NVIDIA H200 computes them: ex2, lg2, rcp, rsqrt,
// sqrt, sin, cos, tanh and the divisions made of them, in f32, f16, bf16 and f64. Not accurate
// functions: those are libm's. The unit that computes them all is in approximate_unit.hpp; here
// stands what surrounds it. Patterns go in and come out. nvcc reads this file, too.
#pragma once

#include "approximate_unit.hpp"

namespace lanescope::numeric::approximate {

// ---- What ptxas makes of the unit: a factor before, a factor after
// -------------------------------

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
