// SPDX-License-Identifier: MIT
// What the approximate functions are asked: for each form the inputs, made from their number by
// integer arithmetic, so that only results have to be kept. Plain C++17, read by nvcc and by the
// tests.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define LANESCOPE_BOTH __host__ __device__
#else
#define LANESCOPE_BOTH
#endif

namespace lanescope::golden::approximate {

using Word = std::uint32_t;
using Long = std::uint64_t;

enum class Shape { single, two, half, packed, wide };  // f32, two of f32, f16 or bf16, pairs, f64

/// The forms of PTX, in the order of the recording: _(shape, C++ name, mnemonic).
#define LANESCOPE_APPROXIMATE_FORMS(_)           \
  _(single, ex2, "ex2.approx.f32")               \
  _(single, ex2_ftz, "ex2.approx.ftz.f32")       \
  _(single, lg2, "lg2.approx.f32")               \
  _(single, lg2_ftz, "lg2.approx.ftz.f32")       \
  _(single, rcp, "rcp.approx.f32")               \
  _(single, rcp_ftz, "rcp.approx.ftz.f32")       \
  _(single, rsqrt, "rsqrt.approx.f32")           \
  _(single, rsqrt_ftz, "rsqrt.approx.ftz.f32")   \
  _(single, sqrt, "sqrt.approx.f32")             \
  _(single, sqrt_ftz, "sqrt.approx.ftz.f32")     \
  _(single, sin, "sin.approx.f32")               \
  _(single, sin_ftz, "sin.approx.ftz.f32")       \
  _(single, cos, "cos.approx.f32")               \
  _(single, cos_ftz, "cos.approx.ftz.f32")       \
  _(single, tanh, "tanh.approx.f32")             \
  _(two, div_approx, "div.approx.f32")           \
  _(two, div_approx_ftz, "div.approx.ftz.f32")   \
  _(two, div_full, "div.full.f32")               \
  _(two, div_full_ftz, "div.full.ftz.f32")       \
  _(half, ex2_f16, "ex2.approx.f16")             \
  _(half, tanh_f16, "tanh.approx.f16")           \
  _(half, ex2_bf16, "ex2.approx.ftz.bf16")       \
  _(half, tanh_bf16, "tanh.approx.bf16")         \
  _(packed, ex2_f16x2, "ex2.approx.f16x2")       \
  _(packed, tanh_f16x2, "tanh.approx.f16x2")     \
  _(packed, ex2_bf16x2, "ex2.approx.ftz.bf16x2") \
  _(packed, tanh_bf16x2, "tanh.approx.bf16x2")   \
  _(wide, rcp_f64, "rcp.approx.ftz.f64")         \
  _(wide, rsqrt_f64, "rsqrt.approx.f64")         \
  _(wide, rsqrt_ftz_f64, "rsqrt.approx.ftz.f64")

inline constexpr Word kBlock = 256;  // outputs to a fingerprint

LANESCOPE_BOTH constexpr Word inputs_of(Shape shape) {
  return shape == Shape::half || shape == Shape::packed ? 1u << 16 : 1u << 18;
}

LANESCOPE_BOTH constexpr Word mix(Word v) {  // a bijection of 32 bits
  v = (v ^ v >> 16) * 0x7feb352du;
  v = (v ^ v >> 15) * 0x846ca68bu;
  return v ^ v >> 16;
}

/// Every sign and exponent with 24 significands: both ends, the middle, and fourteen at random.
LANESCOPE_BOTH constexpr Word special(Word i) {
  constexpr Word kEnds[10] = {0,        1,        2,        3,        0x7fffff,
                              0x7ffffe, 0x7ffffd, 0x400000, 0x400001, 0x3fffff};
  const Word k = i % 24;
  return (i / 24 % 512) << 23 | (k < 10 ? kEnds[k] : mix(i) & 0x7fffff);
}
inline constexpr Word kSpecials = 512 * 24;

LANESCOPE_BOTH constexpr Word single_input(Word i, Word salt) {
  const Word any = mix(i ^ salt);
  if (i < kSpecials) return special(salt == 0 ? i : any % kSpecials);
  return i % 4 == 0 ? any : (any & 0x807fffff) | (111 + (any >> 23 & 0xff) % 28) << 23;
}

LANESCOPE_BOTH constexpr Long wide_input(Word i) {
  constexpr Word kEnds[4] = {0, 1, 0xfffff, 0x80000}, kLow[3] = {0, 0xffffffff, 1};
  if (i >= 4096 * 12)
    return Long{(mix(i) & 0x800fffff) | 0x3fe00000 | (i & 1) << 20} << 32 | mix(~i);
  return Long{(i / 12) << 20 | (i % 12 < 4 ? kEnds[i % 4] : mix(i) & 0xfffff)} << 32 | kLow[i % 3];
}

/// The first operand; the second is single_input(i, kSecond).
inline constexpr Word kSecond = 0x9e3779b9u;
LANESCOPE_BOTH constexpr Long input(Shape shape, Word i) {
  if (shape == Shape::half) return i;
  if (shape == Shape::packed) return i | mix(i) << 16;
  return shape == Shape::wide ? wide_input(i) : single_input(i, 0);
}

/// FNV-1a over the words of a block's outputs.
struct Fingerprint {
  Word value = 0x811c9dc5u;
  constexpr void add(Long output) {
    value = (value ^ static_cast<Word>(output)) * 0x01000193u;
    value = (value ^ static_cast<Word>(output >> 32)) * 0x01000193u;
  }
};

}  // namespace lanescope::golden::approximate
