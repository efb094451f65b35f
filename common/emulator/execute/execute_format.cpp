// SPDX-License-Identifier: MIT
// The conversions that are rare enough to be done one lane at a time through common/numeric: 8-bit
// formats, tf32, f64 to halves, directed roundings.
//
// Source: PTX ISA 9.2, 9.7.9.21.
#include <cmath>
#include <cstring>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

const numeric::Format* format_of(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2:
      return &numeric::kF16;
    case Type::bf16:
    case Type::bf16x2:
      return &numeric::kBf16;
    case Type::f32:
      return &numeric::kF32;
    case Type::tf32:
      return &numeric::kTf32;
    case Type::e4m3x2:
      return &numeric::kE4m3;
    case Type::e5m2x2:
      return &numeric::kE5m2;
    case Type::e3m2x2:
      return &numeric::kE3m2;
    case Type::e2m3x2:
      return &numeric::kE2m3;
    case Type::e2m1x2:
      return &numeric::kE2m1;
    default:
      return nullptr;
  }
}

bool is_pair(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2 || type == Type::e4m3x2 ||
         (type >= Type::e5m2x2 && type <= Type::ue8m0x2);
}

// What has no sign, no infinity and no mantissa: the magnitude's exponent, .rp the next one where
// something is left over; .satfinite ends at 2^127. As the host's path of the toolkit's
// cuda_fp8.hpp has it: 2^-127 and what is smaller is 0.
std::uint32_t ue8m0_of(double value, std::uint16_t mode) {
  constexpr std::uint32_t kNan = 0xff, kLargest = 0xfe, kSmallestMantissa = 0x00400000;
  if (std::isnan(value)) return kNan;
  const auto narrow = static_cast<float>(std::fabs(value));
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  std::uint32_t exponent = bits >> 23;
  const bool up = (mode & FloatMode::kRoundMask) == 3;
  if (up && (bits & 0x7fffff) != 0 && bits > kSmallestMantissa) ++exponent;
  const bool clamps = (mode & FloatMode::kSaturateFinite) != 0;
  return clamps && exponent == kNan ? kLargest : exponent;
}

numeric::Rounding rounding(std::uint16_t mode) {
  switch (mode & FloatMode::kRoundMask) {
    case 1:
      return numeric::Rounding::rz;
    case 2:
      return numeric::Rounding::rm;
    case 3:
      return numeric::Rounding::rp;
    case 4:
      return numeric::Rounding::rna;
    default:
      return numeric::Rounding::rn;
  }
}

double integer_value(Type type, std::uint64_t pattern) {
  switch (type) {
    case Type::u8:
      return static_cast<std::uint8_t>(pattern);
    case Type::s8:
      return static_cast<std::int8_t>(pattern);
    case Type::u16:
      return static_cast<std::uint16_t>(pattern);
    case Type::s16:
      return static_cast<std::int16_t>(pattern);
    case Type::u32:
      return static_cast<std::uint32_t>(pattern);
    default:
      return static_cast<std::int32_t>(pattern);
  }
}

// A 64-bit integer rounded to odd: its 53 highest bits, of which the last says whether anything was
// lost. Rounding that once more, to fewer bits, is as rounding the integer.
double odd_value(bool is_negative, std::uint64_t magnitude) {
  int lost = 0;
  while (magnitude >> lost >> 53 != 0) ++lost;
  const bool inexact = (magnitude & ((std::uint64_t{1} << lost) - 1)) != 0;
  const auto kept = static_cast<double>(magnitude >> lost | (inexact ? 1 : 0));
  return std::ldexp(is_negative ? -kept : kept, lost);
}

double real_value(Type type, std::uint64_t pattern) {
  if (type == Type::u64) return odd_value(false, pattern);
  if (type == Type::s64) {
    const bool is_negative = pattern >> 63 != 0;
    return odd_value(is_negative, is_negative ? 0 - pattern : pattern);
  }
  if (!is_real(type)) return integer_value(type, pattern);
  if (const numeric::Format* format = format_of(type))
    return numeric::decode(
        *format, static_cast<std::uint32_t>(info(type).bits == 16 ? pattern & 0xffff : pattern));
  double value;
  std::memcpy(&value, &pattern, 8);
  return value;
}

std::uint32_t encoded(Type to, double value, std::uint16_t mode) {
  if (to == Type::ue8m0x2) return ue8m0_of(value, mode);
  const numeric::Format& format = *format_of(to);
  if ((mode & FloatMode::kRelu) != 0 && value <= 0) value = 0;
  if ((mode & FloatMode::kSaturate) != 0) value = value > 0 ? std::fmin(value, 1.0) : 0.0;
  const bool clamps = (mode & FloatMode::kSaturateFinite) != 0;
  if (to == Type::f32 && std::isnan(value)) return 0x7fffffffu;
  const std::uint32_t made =
      numeric::encode(format, value, rounding(mode),
                      clamps ? numeric::Overflow::satfinite : numeric::Overflow::infinity);
  const bool tiny = (made & 0x7f800000u) == 0;
  if (to == Type::f32 && (mode & FloatMode::kFtz) != 0 && tiny) return made & 0x80000000u;
  return made;
}

std::uint64_t read(const Warp& w, std::uint32_t offset, Type type, int lane) {
  return info(type).bits == 64 ? row<std::uint64_t>(w, offset)[lane]
                               : row<std::uint32_t>(w, offset)[lane];
}

// What becomes of a NaN, as an H200 has it (docs/experiments/nan_patterns.md): an f64's keeps its
// sign and the first bits of its payload; .rna.tf32 cuts bits off and no more.
bool hands_on_nan(Type to, Type from, std::uint16_t mode) {
  if ((mode & (FloatMode::kSaturate | FloatMode::kRelu)) != 0) return false;
  return from == Type::f64 || (to == Type::tf32 && rounding(mode) == numeric::Rounding::rna);
}
std::uint32_t handed_on(Type to, Type from, std::uint64_t nan, bool clamps) {
  if (from != Type::f64)
    return (static_cast<std::uint32_t>(nan) & 0xffffe000u) - (clamps ? 0x2000 : 0);
  const int bits = info(to).bits, digits = to == Type::f16 ? 10 : to == Type::bf16 ? 7 : 23;
  const std::uint64_t mantissa = (nan & 0xfffffffffffffu) >> (52 - digits);
  const std::uint64_t sign = nan >> 63 << (bits - 1);
  const std::uint64_t exponent = ((std::uint64_t{1} << (bits - 1 - digits)) - 1) << digits;
  return static_cast<std::uint32_t>(sign | exponent | std::uint64_t{1} << (digits - 1) | mantissa);
}

// Instruction::count and ::target hold the types.
Flow run_format(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto to = static_cast<Type>(i.count);
  const auto from = static_cast<Type>(i.target);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t pattern = read(w, i.a, from, lane);
    double value = real_value(from, pattern);
    if (std::isnan(value) && hands_on_nan(to, from, i.detail)) {
      row<std::uint32_t>(w, i.d)[lane] =
          handed_on(to, from, pattern, (i.detail & FloatMode::kSaturateFinite) != 0);
      continue;
    }
    const bool flushes =  // to an f16 a card rounds every subnormal f32, .ftz or not
        from == Type::f32 && to != Type::f16 && (i.detail & FloatMode::kFtz) != 0;
    if (flushes && std::fabs(value) < 0x1p-126) value = std::copysign(0.0, value);
    row<std::uint32_t>(w, i.d)[lane] = encoded(to, value, i.detail);
  }
  return Flow::next;
}

// Two f32 into a pair: `a` becomes the high half.
Flow run_format_two(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto to = static_cast<Type>(i.count);
  const auto from = static_cast<Type>(i.target);
  const int half = info(to).bits / 2;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint32_t high = encoded(to, real_value(from, read(w, i.a, from, lane)), i.detail);
    const std::uint32_t low = encoded(to, real_value(from, read(w, i.b, from, lane)), i.detail);
    row<std::uint32_t>(w, i.d)[lane] = high << half | low;
  }
  return Flow::next;
}

// A pair of one format into a pair of another.
Flow run_format_pair(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto to = static_cast<Type>(i.count);
  const auto from = static_cast<Type>(i.target);
  const int to_half = info(to).bits / 2;
  const int from_half = info(from).bits / 2;
  const std::uint32_t mask = (1u << from_half) - 1;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint32_t pair = row<std::uint32_t>(w, i.a)[lane];
    const auto value = [from](std::uint32_t pattern) {
      return from == Type::ue8m0x2 ? *numeric::decode_scale("ue8m0", pattern)
                                   : numeric::decode(*format_of(from), pattern);
    };
    const std::uint32_t low = encoded(to, value(pair & mask), i.detail);
    const std::uint32_t high = encoded(to, value(pair >> from_half & mask), i.detail);
    row<std::uint32_t>(w, i.d)[lane] = high << to_half | low;
  }
  return Flow::next;
}

bool is_integer(Type type) {
  return info(type).kind == TypeKind::unsigned_integer || is_signed(type);
}

// cvt.rz.f64.u64 and its kin: the only integers that an f64 does not hold.
Flow run_wide_integer(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto from = static_cast<Type>(i.target);
  const auto mode = rounding(i.detail);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t pattern = row<std::uint64_t>(w, i.a)[lane];
    const bool is_negative = from == Type::s64 && pattern >> 63 != 0;
    const std::uint64_t magnitude = is_negative ? 0 - pattern : pattern;
    int lost = 0;
    while (magnitude >> lost >> 53 != 0) ++lost;
    const std::uint64_t rest_bits = magnitude & ((std::uint64_t{1} << lost) - 1);
    std::uint64_t kept = magnitude >> lost;
    const std::uint64_t half = lost == 0 ? 0 : std::uint64_t{1} << (lost - 1);
    const bool up = mode == numeric::Rounding::rm   ? is_negative && rest_bits != 0
                    : mode == numeric::Rounding::rp ? !is_negative && rest_bits != 0
                    : mode == numeric::Rounding::rz
                        ? false
                        : rest_bits > half || (rest_bits == half && half != 0 && (kept & 1) != 0);
    kept += up ? 1 : 0;
    double value = std::ldexp(static_cast<double>(kept), lost);
    if (is_negative) value = -value;
    if ((i.detail & FloatMode::kSaturate) != 0) value = value > 0 ? std::fmin(value, 1.0) : 0.0;
    row<double>(w, i.d)[lane] = value;
  }
  return Flow::next;
}

// Which pairs become which, and how: ptxas takes no others.
bool pair_exists(Type to, Type from, std::uint16_t mode) {
  const bool to_nearest = (mode & FloatMode::kRoundMask) == 0;
  const bool clamps = (mode & FloatMode::kSaturateFinite) != 0;
  const auto is_scale = [](Type type) { return type == Type::ue8m0x2; };
  if (is_scale(to)) {
    const int rounding = mode & FloatMode::kRoundMask;
    return (from == Type::f32 || from == Type::bf16x2) && (rounding == 1 || rounding == 3);
  }
  if (is_scale(from)) return to == Type::bf16x2 && to_nearest;
  const bool is_6_or_4 = to >= Type::e3m2x2 && to <= Type::e2m1x2;
  if (is_6_or_4)
    return to_nearest && clamps &&
           (from == Type::f32 || (to == Type::e2m1x2 && from == Type::f16x2));
  return from < Type::e3m2x2 || from > Type::e2m1x2 || to == Type::f16x2;
}

}  // namespace

Handler format_handler(Type to, Type from, bool two_sources, std::uint16_t mode) {
  if (to == Type::f64 && (from == Type::u64 || from == Type::s64) && !two_sources)
    return &run_wide_integer;
  const auto is_known = [](Type type) {
    return type == Type::ue8m0x2 || format_of(type) != nullptr;
  };
  if (!is_known(to) || !pair_exists(to, from, mode)) return nullptr;
  if (two_sources) return is_pair(to) && from == Type::f32 ? &run_format_two : nullptr;
  if (is_pair(to) || is_pair(from)) {
    const bool known = is_pair(to) && is_pair(from) && is_known(from) && to != from;
    return known ? &run_format_pair : nullptr;
  }
  const bool source = from == Type::f64 || format_of(from) != nullptr || is_integer(from);
  return source ? &run_format : nullptr;
}

}  // namespace lanescope::emulator
