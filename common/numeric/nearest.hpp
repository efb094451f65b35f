// SPDX-License-Identifier: MIT
// Approximate functions of numbers that are known at compile time: ptxas computes them itself, and
// puts the nearest f32 in their place, where the unit (approximate.hpp) would give a neighbour.
// What would be a NaN, and lg2 of zero, it leaves to the unit.
//
// Source: the constants in ptxas 13.0's code, docs/experiments/approximate.md.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace lanescope::numeric::nearest {

using Word = std::uint32_t;

inline float float_of(Word bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline Word bits_of(float value) {
  Word bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
/// Zero of the same sign in place of a subnormal number.
inline float flushed(float value, bool flushes = true) {
  return flushes && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}
inline float rounded(double value) {
  constexpr double kInfiniteFrom = 0x1.ffffffp127;  // half-way to 2^128
  if (std::fabs(value) < kInfiniteFrom) return static_cast<float>(value);
  return std::copysign(std::numeric_limits<float>::infinity(),
                       static_cast<float>(value < 0 ? -1 : 1));
}

/// rcp, rsqrt, sqrt, ex2, lg2, sin or cos of `bits`; nothing: another name, or the unit is asked.
inline std::optional<Word> function(std::string_view name, Word bits, bool flushes) {
  const bool is_sine = name == "sin" || name == "cos";
  const double a = flushed(float_of(bits), flushes || is_sine);
  double made = std::numeric_limits<double>::quiet_NaN();
  if (name == "rcp") made = a == 0 ? std::copysign(HUGE_VAL, a) : 1 / a;
  if (name == "rsqrt") made = a == 0 ? std::copysign(HUGE_VAL, a) : 1 / std::sqrt(a);
  if (name == "sqrt") made = std::sqrt(a);
  if (name == "ex2") made = std::exp2(a);
  if (name == "lg2" && a > 0) made = std::log2(a);
  if (is_sine && std::isfinite(a)) made = name == "sin" ? std::sin(a) : std::cos(a);
  if (std::isnan(made)) return std::nullopt;
  return bits_of(flushed(rounded(made), flushes));
}

/// What div.approx and div.full multiply with, of a divisor that is scaled already; a NaN is the
/// unit's.
inline std::optional<Word> reciprocal(Word bits) { return function("rcp", bits, true); }

}  // namespace lanescope::numeric::nearest
