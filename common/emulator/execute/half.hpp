// SPDX-License-Identifier: MIT
// f16 and bf16 to f32 and back, without branches, for loops over lanes. tests/emulator compares
// every pattern with common/numeric, where the formats are defined.
#pragma once

#include <cstdint>

namespace lanescope::emulator::LANESCOPE_HOST {

inline float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

inline constexpr std::uint32_t kNanF32 = 0x7fffffffu;  // what every f32 operation returns as NaN
inline constexpr std::uint16_t kNanHalf = 0x7fffu;     // ... and f16 and bf16

struct F16 {
  static constexpr std::uint32_t kInfinity = 0x7c00u;
  [[gnu::always_inline]] static float load(std::uint32_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t mantissa = half & 0x3ffu;
    const std::uint32_t normal = ((exponent + 112u) << 23) | (mantissa << 13);
    const std::uint32_t special = 0x7f800000u | (mantissa << 13);
    const std::uint32_t tiny =
        bits_of(static_cast<float>(static_cast<std::int32_t>(mantissa)) * 0x1p-24f);
    return float_of(sign | (exponent == 0x1fu ? special : exponent == 0 ? tiny : normal));
  }
  // Round to nearest even.
  [[gnu::always_inline]] static std::uint16_t store(float value) {
    const std::uint32_t bits = bits_of(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const std::uint32_t large = magnitude > 0x7f800000u ? 0x7fffu : 0x7c00u;
    // Adding 0.5 leaves the subnormal's bits, rounded, at the low end.
    const std::uint32_t tiny = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
    const std::uint32_t normal =
        (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    const std::uint32_t made = magnitude >= 0x47800000u  ? large
                               : magnitude < 0x38800000u ? tiny
                                                         : normal;
    return static_cast<std::uint16_t>(magnitude > 0x7f800000u ? kNanHalf : (sign | made));
  }
  static float flush(float value) {
    return __builtin_fabsf(value) < 0x1p-14f ? __builtin_copysignf(0.0f, value) : value;
  }
  // A result, before it is rounded: from here on it rounds to a normal number.
  static float flush_tiny(float value) {
    constexpr float kTiny = 0x1p-14f - 0x1p-26f;
    return __builtin_fabsf(value) < kTiny ? __builtin_copysignf(0.0f, value) : value;
  }
};

struct Bf16 {
  static constexpr std::uint32_t kInfinity = 0x7f80u;
  static float load(std::uint32_t half) { return float_of(half << 16); }
  static std::uint16_t store(float value) {
    const std::uint32_t bits = bits_of(value);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return static_cast<std::uint16_t>(value != value ? kNanHalf : rounded);
  }
  static float flush(float value) { return value; }
  static float flush_tiny(float value) { return value; }
};

inline float flush_f32(float value) {
  return __builtin_fabsf(value) < 0x1p-126f ? __builtin_copysignf(0.0f, value) : value;
}
inline float canonical(float value) { return value != value ? float_of(kNanF32) : value; }
inline double canonical(double value) { return value; }
/// What becomes of a NaN that is handed on: an f64 keeps its payload
/// (docs/experiments/nan_patterns.md).
inline float quiet(float value) { return canonical(value); }
inline double quiet(double value) {
  constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51;
  return value != value
             ? __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, value) | kQuiet)
             : value;
}
/// What add, sub, mul (and fma: b before c before a) make of several NaNs: an H200 takes an f64's
/// second one.
inline float nan_of(float, float, float made) { return canonical(made); }
inline double nan_of(double a, double b, double made) {
  return b != b ? quiet(b) : a != a ? quiet(a) : made;
}
inline float clamp01(float value) {  // NaN becomes +0
  return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}
inline double clamp01(double value) { return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0; }

}  // namespace lanescope::emulator::LANESCOPE_HOST
