// SPDX-License-Identifier: MIT
// What arithmetic of halves has in common with that of f32 and f64: sums with what they lack, and
// the smaller and larger of two. Included by files compiled once per host (see rows.hpp).
#pragma once

#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// a + b as a rounded sum and what it lacks.
struct ExactSum {
  double sum, rest;
};
inline ExactSum exact_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

// .ftz flushes what would be subnormal if it were rounded to 24 bits with an exponent as small as
// it needs. From here on it rounds up to the smallest normal number.
constexpr double kTiny = 0x1p-126 - 0x1p-151;

// NaN loses against a number unless .NaN is given; -0 is below +0.
template <class T, bool kMax>
inline T extreme(T a, T b, bool nan_wins) {
  const bool b_first = kMax ? (b > a || (a == b && __builtin_signbit(a)))
                            : (b < a || (a == b && __builtin_signbit(b)));
  T made = b_first ? b : a;
  if (a != a) made = nan_wins ? a : b;
  if (b != b) made = nan_wins || a != a ? b : a;
  return made;
}

// The same without .NaN, and without branches. Equals differ in the sign of a zero at most.
template <class T, bool kMax>
inline T plain_extreme(T a, T b) {
  using Bits = typename Unsigned<sizeof(T)>::type;
  const auto a_bits = __builtin_bit_cast(Bits, a), b_bits = __builtin_bit_cast(Bits, b);
  const Bits equal = kMax ? a_bits & b_bits : a_bits | b_bits;
  T made = (kMax ? b > a : b < a) ? b : a;
  made = a == b ? __builtin_bit_cast(T, equal) : made;
  return a != a ? b : made;
}

}  // namespace
}  // namespace lanescope::emulator::LANESCOPE_HOST
