// SPDX-License-Identifier: MIT
// A second computation of what patterns are worth, with nothing in common with common/numeric: the
// fields are moved into the fields of an f32, and one multiplication corrects the bias (it also
// turns subnormals into what they are). Which patterns are special is written out per format.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "numeric/format.hpp"

namespace lanescope::numeric::oracle {

/// What a test knows about a format without asking it.
struct Known {
  const Format* format;
  int pattern_bits;  // with the sign, without ignored bits
  int exponent_bits;
  int mantissa_bits;
  double scale;                 // 2^(127 - bias)
  std::uint32_t infinity;       // magnitude pattern, 0: none
  std::uint32_t first_nan;      // magnitude pattern, 0: none
  std::uint32_t canonical_nan;  // full pattern, in the container
  double largest;               // as published
  double smallest;              // the smallest subnormal, as published
};

// e4m3, e5m2: OCP 8-bit Floating Point Specification 1.0, table 1; e3m2, e2m3, e2m1: OCP
// Microscaling Formats 1.0, tables 2 to 4; f16: IEEE 754; bf16, tf32: f32 with a shorter mantissa.
inline const Known kAll[] = {
    {&kF16, 16, 5, 10, 0x1p112, 0x7c00, 0x7c01, 0x7fff, 65504.0, 0x1p-24},
    {&kBf16, 16, 8, 7, 1.0, 0x7f80, 0x7f81, 0x7fff, 0x1.fep127, 0x1p-133},
    {&kTf32, 19, 8, 10, 1.0, 0x3fc00, 0x3fc01, 0x7fffe000, 0x1.ffcp127, 0x1p-136},
    {&kE5m2, 8, 5, 2, 0x1p112, 0x7c, 0x7d, 0x7f, 57344.0, 0x1p-16},
    {&kE4m3, 8, 4, 3, 0x1p120, 0, 0x7f, 0x7f, 448.0, 0x1p-9},
    {&kE3m2, 6, 3, 2, 0x1p124, 0, 0, 0x1f, 28.0, 0x1p-4},
    {&kE2m3, 6, 2, 3, 0x1p126, 0, 0, 0x1f, 7.5, 0x1p-3},
    {&kE2m1, 4, 2, 1, 0x1p126, 0, 0, 0x7, 6.0, 0x1p-1},
};

inline std::uint32_t sign_bit(const Known& known) { return 1u << (known.pattern_bits - 1); }

/// The container's bits for a pattern without ignored bits.
inline std::uint32_t container(const Known& known, std::uint32_t pattern) {
  return pattern << (known.format == &kTf32 ? 13 : 0);
}

/// The value of a magnitude pattern, as if there were no special patterns.
inline double magnitude(const Known& known, std::uint32_t pattern) {
  const float moved = std::bit_cast<float>(pattern << (23 - known.mantissa_bits));
  return static_cast<double>(moved) * known.scale;
}

/// Every finite value from 0 up; the pattern is the index. One more follows: the value the next
/// pattern would have, where rounding to nearest changes over to "beyond the largest".
inline std::vector<double> values(const Known& known) {
  std::vector<double> all;
  for (std::uint32_t p = 0; p < sign_bit(known); ++p) {
    if ((known.infinity != 0 && p >= known.infinity) ||
        (known.first_nan != 0 && p >= known.first_nan))
      break;
    all.push_back(magnitude(known, p));
  }
  all.push_back(2 * all.back() - all[all.size() - 2]);
  return all;
}

}  // namespace lanescope::numeric::oracle
