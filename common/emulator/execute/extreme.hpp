// SPDX-License-Identifier: MIT
// The lesser or the greater of two f32, by their bits, as instructions have it that compare many:
// redux, tcgen05.ld.red.
//
// Source: PTX ISA 9.2, 9.7.13.13 (redux.sync), 9.7.16.8.3 (tcgen05.ld).
#pragma once

#include <cstdint>

namespace lanescope::emulator {

inline constexpr std::uint32_t kSignF32 = 0x80000000u;

inline constexpr std::uint32_t kNanOfMany = 0x7fffffffu;

/// A NaN loses unless .NaN says that it wins, and of two the canonical one is left; -0 is below +0.
inline std::uint32_t extreme_f32(bool is_min, bool nan_wins, std::uint32_t a, std::uint32_t b) {
  const bool a_is_nan = (a & ~kSignF32) > 0x7f800000u, b_is_nan = (b & ~kSignF32) > 0x7f800000u;
  if (a_is_nan && b_is_nan) return kNanOfMany;
  if (a_is_nan || b_is_nan) return nan_wins ? kNanOfMany : a_is_nan ? b : a;
  const auto ordered = [](std::uint32_t bits) {
    return (bits & kSignF32) != 0 ? ~bits : bits | kSignF32;
  };
  return (ordered(a) < ordered(b)) == is_min ? a : b;
}

}  // namespace lanescope::emulator
