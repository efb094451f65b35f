// SPDX-License-Identifier: MIT
#include "emulator/texture/filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kGuardBits = 4;   // of a texel, below its significand
constexpr int kWeightBits = 8;  // a weight of 256 is one
constexpr int kNone = -100000;  // exponent of nothing

using Weights = std::array<int, kMostCorners>;  // in 256ths, 256 together

int rounded(int product) { return (product + 128) >> 8; }

/// Of `whole` 256ths: all, or what a level has of two.
Weights weights_of(const std::array<int, 3>& part, int whole) {
  Weights weights{};
  const int near = rounded((256 - part[2]) * whole);
  for (int z = 0; z < 2; ++z) {
    const int slice = z != 0 ? whole - near : near;
    const int second = rounded(part[0] * slice), first = slice - second;
    const int first_near = rounded(first * (256 - part[1])), second_far = rounded(second * part[1]);
    const auto k = static_cast<std::size_t>(4 * z);
    weights[k] = first_near;
    weights[k + 1] = second - second_far;
    weights[k + 2] = first - first_near;
    weights[k + 3] = second_far;
  }
  return weights;
}

/// A float as sign, significand and exponent: value = significand * 2^exponent.
struct Number {
  std::int64_t significand = 0;  // with its sign
  int exponent = 0;
  bool is_nan = false, is_infinite = false;
};

struct Shape {
  int significand_bits;  // with the one in front
  int least_exponent;    // of the last bit
};
constexpr Shape kSingle{24, -149}, kHalf{11, -24};

Number taken_apart(TexelFormat format, std::uint32_t bits) {
  const bool is_half = format == TexelFormat::f16;
  const int stored = is_half ? 10 : 23, bias = is_half ? 25 : 150;
  const int most = is_half ? 31 : 255;
  const std::uint32_t fraction = bits & ((1u << stored) - 1);
  const int exponent = static_cast<int>(bits >> stored) & most;
  Number number;
  number.is_nan = exponent == most && fraction != 0;
  number.is_infinite = exponent == most && fraction == 0;
  number.significand = fraction | (exponent == 0 ? 0 : 1u << stored);
  number.exponent = std::max(exponent, 1) - bias;
  if ((bits >> (is_half ? 15 : 31)) != 0) number.significand = -number.significand;
  if (number.is_infinite) number.significand = number.significand < 0 ? -1 : 1;
  return number;
}

int bit_length(std::uint64_t value) { return value == 0 ? 0 : 64 - __builtin_clzll(value); }

/// Where the first bit of a number stands; kNone: it is 0.
int top_of(const Number& number) {
  const auto magnitude = static_cast<std::uint64_t>(std::llabs(number.significand));
  return magnitude == 0 ? kNone : number.exponent + bit_length(magnitude);
}

/// Up to four texels of one slice: cut off so many bits below the largest, times their weights.
Number slice_sum(const Number* numbers, const int* weights, int count, const Shape& shape) {
  int top = kNone;
  for (int k = 0; k < count; ++k)
    if (weights[k] != 0) top = std::max(top, top_of(numbers[k]));
  if (top == kNone) return {};
  const int unit = top - shape.significand_bits - kGuardBits;
  Number sum;
  sum.exponent = unit - kWeightBits;
  for (int k = 0; k < count; ++k) {
    if (weights[k] == 0 || numbers[k].significand == 0) continue;
    const int shift = numbers[k].exponent - unit;
    std::int64_t cut = std::llabs(numbers[k].significand);
    cut = shift >= 0 ? cut << shift : shift > -64 ? cut >> -shift : 0;
    sum.significand += (numbers[k].significand < 0 ? -cut : cut) * weights[k];
  }
  return sum;
}

/// The two slices of a volume: what is far below the larger one is rounded down.
Number sum_of(const Number& a, const Number& b) {
  constexpr int kBitsKept = 34;
  const int top_a = top_of(a), top_b = top_of(b);
  if (top_a == kNone) return b;
  if (top_b == kNone) return a;
  const int unit = std::min({std::max(top_a, top_b) - kBitsKept, a.exponent, b.exponent});
  const int least = std::max(unit, std::max(top_a, top_b) - 60);
  const auto aligned = [&](const Number& number) {
    const int shift = number.exponent - least;
    return shift >= 0 ? number.significand << shift : number.significand >> std::min(-shift, 63);
  };
  return {aligned(a) + aligned(b), least, false, false};
}

/// To the nearest of a format's numbers, away from zero where two are equally near; as f32.
std::uint32_t single_of(const Number& number, const Shape& shape) {
  const bool is_negative = number.significand < 0;
  auto magnitude = static_cast<std::uint64_t>(std::llabs(number.significand));
  int exponent = number.exponent;
  const int surplus =
      std::max(bit_length(magnitude) - shape.significand_bits, shape.least_exponent - exponent);
  if (surplus > 63) magnitude = 0;
  if (surplus > 0 && magnitude != 0) {
    magnitude = (magnitude + (std::uint64_t{1} << (surplus - 1))) >> surplus;
    exponent += surplus;
  }
  float value = std::ldexp(static_cast<float>(magnitude), exponent);
  if (shape.significand_bits == kHalf.significand_bits && value > 65504.0f)
    value = std::numeric_limits<float>::infinity();
  return __builtin_bit_cast(std::uint32_t, is_negative ? -value : value);
}

/// What is no finite number among the texels of a level.
struct Unusual {
  bool is_nan = false, has_plus = false, has_minus = false;
};

/// The sum of a level's products.
Number level_sum(TexelFormat format, const Around& around, const Weights& weights,
                 const Shape& shape, Unusual& unusual) {
  std::array<Number, kMostCorners> numbers;
  for (std::size_t k = 0; k < kMostCorners; ++k) {
    const Number& number = numbers[k] = taken_apart(format, around.texels[k]);
    if (!takes_part(around.part, k)) continue;  // a weight may be 0 nevertheless: 0 of infinity
    unusual.is_nan |= number.is_nan || (number.is_infinite && weights[k] == 0);
    unusual.has_plus |= number.is_infinite && number.significand > 0;
    unusual.has_minus |= number.is_infinite && number.significand < 0;
  }
  return sum_of(slice_sum(numbers.data(), weights.data(), 4, shape),
                slice_sum(numbers.data() + 4, weights.data() + 4, 4, shape));
}

std::uint32_t filtered_reals(TexelFormat format, const Around& here, const Around& next,
                             int of_next) {
  const Shape& shape = format == TexelFormat::f16 ? kHalf : kSingle;
  Unusual unusual;
  Number sum = level_sum(format, here, weights_of(here.part, 256 - of_next), shape, unusual);
  if (of_next != 0)
    sum = sum_of(sum, level_sum(format, next, weights_of(next.part, of_next), shape, unusual));
  if (unusual.is_nan || (unusual.has_plus && unusual.has_minus))
    return format == TexelFormat::f16 ? 0x7fffe000u : 0x7fffffffu;
  if (unusual.has_plus || unusual.has_minus) return unusual.has_plus ? 0x7f800000u : 0xff800000u;
  return single_of(sum, shape);
}

/// The weighted sum of texels, in 256ths of the last bit of 16.
std::int64_t sum_of_units(TexelFormat format, const Corners& texels, const Weights& weights) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < kMostCorners; ++k) {
    std::int64_t texel = texels[k];
    if (format == TexelFormat::u8) texel *= 257;
    if (format == TexelFormat::s8) texel = static_cast<std::int8_t>(texels[k]);
    if (format == TexelFormat::s16) texel = static_cast<std::int16_t>(texels[k]);
    sum += texel * weights[k];
  }
  return sum;
}

}  // namespace

float unit_of(TexelFormat format, std::uint32_t bits) {
  switch (format) {
    case TexelFormat::u8:
      return static_cast<float>(bits / 255.0);
    case TexelFormat::u16:
      return static_cast<float>(bits / 65535.0);
    case TexelFormat::s8:
      return static_cast<float>(std::max(static_cast<std::int8_t>(bits) / 127.0, -1.0));
    default:
      return static_cast<float>(std::max(static_cast<std::int16_t>(bits) / 32767.0, -1.0));
  }
}

std::uint32_t filtered(TexelFormat format, const Around& here, const Around& next, int of_next) {
  if (is_real(format)) return filtered_reals(format, here, next, of_next);
  std::int64_t sum = sum_of_units(format, here.texels, weights_of(here.part, 256 - of_next));
  if (of_next != 0) sum += sum_of_units(format, next.texels, weights_of(next.part, of_next));
  // Of 8 bits with a sign the sum is widened, its upper bits behind its last; the others before.
  const std::int64_t units =
      format == TexelFormat::s8 ? (8 * sum + (sum >> 4) + (sum >> 12) + 4) >> 3 : (sum + 128) >> 8;
  const bool is_signed = format == TexelFormat::s8 || format == TexelFormat::s16;
  const float value = unit_of(is_signed ? TexelFormat::s16 : TexelFormat::u16,
                              static_cast<std::uint32_t>(std::max<std::int64_t>(units, -32767)));
  return __builtin_bit_cast(std::uint32_t, value);
}

}  // namespace lanescope::emulator
