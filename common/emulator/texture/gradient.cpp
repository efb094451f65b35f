// SPDX-License-Identifier: MIT
// The longer half axis of what a picture's square covers, as an H200 guesses it, in numbers of ten
// bits:
//
//     length of (a, b, c), a >= b >= c    a + (11/32 b + 1/4 c)
//     of two slopes p, q                  the longest of p, q, 11/16 (p + q), 11/16 (p - q)
//     level                               its logarithm, by the eight bits behind the first
//
// Source: what an H200 answered (docs/experiments/textures.md).
#include "emulator/texture/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lanescope::emulator {
namespace {

// Of 1 + n/256, in 256ths.
constexpr std::uint16_t kLogarithm[256] = {
    0,   2,   4,   5,   6,   8,   9,   11,  12,  13,  15,  16,  18,  19,  20,  22,  23,  24,  26,
    27,  28,  30,  31,  32,  34,  35,  36,  38,  39,  40,  42,  43,  44,  45,  47,  48,  49,  50,
    52,  53,  54,  55,  57,  58,  59,  60,  62,  63,  64,  65,  66,  68,  69,  70,  71,  72,  74,
    75,  76,  77,  78,  79,  81,  82,  83,  84,  85,  86,  88,  89,  90,  91,  92,  93,  94,  95,
    97,  98,  99,  100, 101, 102, 103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116,
    117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 135, 136,
    137, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154,
    155, 156, 157, 158, 159, 160, 161, 162, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172,
    173, 173, 174, 175, 176, 177, 178, 179, 180, 181, 181, 182, 183, 184, 185, 186, 187, 188, 188,
    189, 190, 191, 192, 193, 194, 195, 195, 196, 197, 198, 199, 200, 200, 201, 202, 203, 204, 205,
    205, 206, 207, 208, 209, 210, 210, 211, 212, 213, 214, 214, 215, 216, 217, 218, 218, 219, 220,
    221, 222, 222, 223, 224, 225, 226, 226, 227, 228, 229, 229, 230, 231, 232, 233, 233, 234, 235,
    236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244, 245, 245, 246, 247, 248, 248, 249,
    250, 251, 251, 252, 253, 253, 254, 255, 255,
};

constexpr int kBits = 10, kNothing = -100000;

/// value = bits * 2^exponent, cut off to ten bits.
struct Short {
  int bits = 0;
  int exponent = kNothing;
  bool is_negative = false;
};
using Shorts = std::array<Short, 3>;

Short normalized(Short number) {
  if (number.bits == 0) return {};
  for (; number.bits >= 1 << kBits; ++number.exponent) number.bits >>= 1;
  for (; number.bits < 1 << (kBits - 1); --number.exponent) number.bits <<= 1;
  return number;
}

Short cut_off(float value) {
  if (std::isnan(value) || std::fabs(value) < 0x1p-126f) return {};
  if (std::isinf(value)) return {1 << (kBits - 1), 200, value < 0};
  int exponent = 0;
  const float part = std::frexp(std::fabs(value), &exponent);
  return {static_cast<int>(part * (1 << kBits)), exponent - kBits, value < 0};
}

bool is_less(const Short& a, const Short& b) {
  return a.exponent != b.exponent ? a.exponent < b.exponent : a.bits < b.bits;
}

/// One bit more than is kept takes part.
Short sum(Short a, Short b) {
  if (is_less(a, b)) std::swap(a, b);
  if (b.bits == 0) return a;
  const int lower = 2 * b.bits >> std::min(a.exponent - b.exponent, 30);
  a.bits = 2 * a.bits + (a.is_negative == b.is_negative ? lower : -lower);
  --a.exponent;
  return normalized(a);
}

Short negative(Short number) {
  number.is_negative = !number.is_negative;
  return number;
}

/// 11/16 of it; 11/32 with one less.
Short eleven_parts(Short number, int exponent) {
  if (number.bits == 0) return {};
  return normalized(
      {(11 * number.bits + 4) >> 3, number.exponent + 3 + exponent, number.is_negative});
}

Short length(Shorts slope) {
  for (Short& along : slope) along.is_negative = false;
  std::sort(slope.begin(), slope.end(),
            [](const Short& a, const Short& b) { return is_less(b, a); });
  Short quarter = slope[2];
  quarter.exponent -= 2;
  return sum(slope[0], sum(eleven_parts(slope[1], -5), quarter));
}

}  // namespace

int level_of(const Slope& along_x, const Slope& along_y, int dims) {
  Shorts x{}, y{}, both{}, apart{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dims); ++axis) {
    x[axis] = cut_off(along_x[axis]);
    y[axis] = cut_off(along_y[axis]);
    both[axis] = eleven_parts(sum(x[axis], y[axis]), -4);
    apart[axis] = eleven_parts(sum(x[axis], negative(y[axis])), -4);
  }
  const Short longest = std::max({length(x), length(y), length(both), length(apart)}, is_less);
  if (longest.bits == 0) return kNothing;
  return 256 * (longest.exponent + kBits - 1) + kLogarithm[(longest.bits >> 1) & 255];
}

}  // namespace lanescope::emulator
