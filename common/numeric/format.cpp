// SPDX-License-Identifier: MIT
// One decoder and one encoder for every format: a pattern is sign, exponent field, mantissa field,
// and a Format says how wide the fields are. Integers throughout; nothing here depends on how the
// host rounds. Not a conversion for hot loops: the emulator has vector code for those.
//
// Source: IEEE 754-2019, 3.4 (encodings), 4.3 (roundings), 7.4 (overflow under each rounding).
#include "numeric/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace lanescope::numeric {
namespace {

constexpr std::array kFormats{&kF32, &kTf32, &kF16, &kBf16, &kE5m2, &kE4m3, &kE3m2, &kE2m3, &kE2m1};

// Patterns below are without the ignored bits and without the sign: exponent field, then mantissa.
// They count the format's non-negative values in order, so carries and comparisons just work.
constexpr std::uint32_t all_ones(const Format& format) {
  return (1u << (format.exponent_bits + format.mantissa_bits)) - 1;
}
constexpr std::uint32_t infinity(const Format& format) {  // of an ieee format
  return all_ones(format) - ((1u << format.mantissa_bits) - 1);
}
constexpr std::uint32_t largest_finite(const Format& format) {
  switch (format.specials) {
    case Specials::ieee:
      return infinity(format) - 1;
    case Specials::one_nan:
      return all_ones(format) - 1;
    case Specials::none:
      break;
  }
  return all_ones(format);
}
constexpr int smallest_exponent(const Format& format) { return 1 - format.bias; }

std::uint32_t pattern(const Format& format, bool negative, std::uint32_t magnitude) {
  const std::uint32_t sign = negative ? all_ones(format) + 1 : 0;
  return (sign | magnitude) << format.ignored_bits;
}

/// `significand` / 2^`dropped`, rounded to an integer.
std::uint64_t round_shift(std::uint64_t significand, int dropped, bool negative,
                          Rounding rounding) {
  const std::uint64_t kept = significand >> dropped;
  const std::uint64_t rest = significand - (kept << dropped);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  bool up = false;
  switch (rounding) {
    case Rounding::rn:
      up = rest > half || (rest == half && (kept & 1) != 0);
      break;
    case Rounding::rz:
      break;
    case Rounding::rna:
      up = rest >= half;
      break;
    case Rounding::rm:
      up = negative && rest != 0;
      break;
    case Rounding::rp:
      up = !negative && rest != 0;
      break;
  }
  return kept + (up ? 1 : 0);
}

/// What stands for a value beyond the largest finite one: IEEE 754-2019, 7.4.
std::uint32_t beyond_largest(const Format& format, bool negative, bool is_infinite,
                             Rounding rounding, Overflow overflow) {
  const bool inwards = rounding == Rounding::rz || (rounding == Rounding::rm && !negative) ||
                       (rounding == Rounding::rp && negative);
  if (overflow == Overflow::satfinite || (inwards && !is_infinite))
    return pattern(format, negative, largest_finite(format));
  switch (format.specials) {
    case Specials::ieee:
      return pattern(format, negative, infinity(format));
    case Specials::one_nan:
      return pattern(format, false, all_ones(format));
    case Specials::none:
      break;
  }
  return pattern(format, negative, largest_finite(format));
}

}  // namespace

const Format* find_format(std::string_view name) {
  for (const Format* format : kFormats)
    if (format->name == name) return format;
  return nullptr;
}

double decode(const Format& format, std::uint32_t bits) {
  const std::uint32_t meaningful = bits >> format.ignored_bits;
  const std::uint32_t magnitude = meaningful & all_ones(format);
  const bool negative = (meaningful & (all_ones(format) + 1)) != 0;
  if (magnitude > largest_finite(format)) {
    if (format.specials == Specials::ieee && magnitude == infinity(format))
      return negative ? -std::numeric_limits<double>::infinity()
                      : std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
  }
  const std::uint32_t field = magnitude >> format.mantissa_bits;
  const std::uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  // Field 0 has no implicit leading one and the exponent of field 1.
  const std::uint32_t significand = field == 0 ? mantissa : mantissa + (1u << format.mantissa_bits);
  const int exponent = (field == 0 ? 1 : static_cast<int>(field)) - format.bias;
  const double value = std::ldexp(significand, exponent - format.mantissa_bits);
  return negative ? -value : value;
}

std::uint32_t encode(const Format& format, double value, Rounding rounding, Overflow overflow) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const bool negative = (bits >> 63) != 0;
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (field == 0x7ff && fraction != 0)
    return format.specials == Specials::none ? pattern(format, false, largest_finite(format))
                                             : pattern(format, false, all_ones(format));
  if (field == 0x7ff) return beyond_largest(format, negative, true, rounding, overflow);

  const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const int exponent =
      (field == 0 ? 1 : field) - 1023;  // |value| = significand * 2^(exponent - 52)
  // Below the smallest normal number the quantum stays; 60 dropped bits leave less than a half.
  const int scale = exponent > smallest_exponent(format) ? exponent : smallest_exponent(format);
  const int dropped = scale - exponent + 52 - format.mantissa_bits;
  const std::uint64_t kept =
      round_shift(significand, dropped < 60 ? dropped : 60, negative, rounding);
  // The leading one, where there is one, adds the 1 by which fields count from 1; so does a carry.
  const std::uint64_t magnitude =
      (static_cast<std::uint64_t>(scale - smallest_exponent(format)) << format.mantissa_bits) +
      kept;
  if (magnitude > largest_finite(format))
    return beyond_largest(format, negative, false, rounding, overflow);
  return pattern(format, negative, static_cast<std::uint32_t>(magnitude));
}

namespace {

/// Whole numbers that people count in are written out; of the others, the fewest digits that lead
/// back to the same pattern (0.1 for the f16 next to 0.1).
std::string float_text(const Format& format, std::uint32_t bits) {
  const double value = decode(format, bits);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == std::trunc(value) && std::fabs(value) < 0x1p24) return fmt::format("{:.0f}", value);
  const std::uint32_t same = encode(format, value);
  for (int digits = 1; digits < 9; ++digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (encode(format, std::strtod(text.c_str(), nullptr)) == same) return text;
  }
  return fmt::format("{:.9g}", value);  // 9 digits name every f32
}

std::int64_t sign_extended(std::uint64_t pattern, int bits) {
  return static_cast<std::int64_t>(pattern << (64 - bits)) >> (64 - bits);
}

}  // namespace

std::optional<double> decode_scale(std::string_view type, std::uint32_t pattern) {
  constexpr int kBias = 127, kNan = 0xff;
  if (type == "ue4m3") return decode(kE4m3, pattern & 0x7f);
  if (type != "ue8m0") return std::nullopt;
  const int exponent = static_cast<int>(pattern & 0xff);
  return exponent == kNan ? std::numeric_limits<double>::quiet_NaN()
                          : std::ldexp(1.0, exponent - kBias);
}

std::optional<std::string> to_text(std::string_view type, std::uint64_t pattern) {
  if (const auto scale = decode_scale(type, static_cast<std::uint32_t>(pattern))) {
    if (std::isnan(*scale)) return "nan";
    if (type == "ue4m3") return fmt::format("{}", *scale);  // a factor is said exactly
    return *scale == 1 ? std::string("1") : fmt::format("2^{}", std::ilogb(*scale));
  }
  if (const Format* format = find_format(type))
    return float_text(*format, static_cast<std::uint32_t>(pattern));
  if (type == "f64") {
    double value = 0;
    std::memcpy(&value, &pattern, sizeof value);
    return std::isnan(value) ? std::string("nan") : fmt::format("{}", value);
  }
  struct Integer {
    std::string_view name;
    int bits;
    bool is_signed;
  };
  constexpr std::array integers{Integer{"s32", 32, true}, Integer{"s8", 8, true},
                                Integer{"u8", 8, false},  Integer{"s4", 4, true},
                                Integer{"u4", 4, false},  Integer{"b1", 1, false}};
  for (const Integer& integer : integers)
    if (integer.name == type)
      return integer.is_signed
                 ? fmt::format("{}", sign_extended(pattern, integer.bits))
                 : fmt::format("{}", pattern & ((std::uint64_t{1} << integer.bits) - 1));
  return std::nullopt;
}

}  // namespace lanescope::numeric
