// SPDX-License-Identifier: MIT
// Small numbers as the bits of a tensor core's element types: enough to feed an instruction with
// whole numbers. How these types round, and the cvt instructions for them, are the matter of lesson
// 02.
//
//     f16  s eeeee mmmmmmmmmm     bf16  s eeeeeeee mmmmmmm     e4m3  s eeee mmm
//
// Source: IEEE 754-2019, 3.4 (f16); PTX ISA 9.2, 5.2.3 (bf16, e4m3).
#pragma once

#include <cstdint>
#include <type_traits>

/// kExact: the largest n for which every whole number 0..n is stored exactly.
template <int kBitCount, int kMantissaBits, int kBias>
struct Element {
  static constexpr int kBits = kBitCount;
  static constexpr int kExact = 2 << kMantissaBits;
  // kExact << kMantissaBits has room in it.
  using Wide = std::conditional_t<(kMantissaBits > 14), std::int64_t, int>;

  /// The bits of the whole number n, 0 <= n <= kExact.
  __host__ __device__ static constexpr std::uint32_t encode(int n) {
    if (n == 0) return 0;
    int exponent = 0;
    while (n >> (exponent + 1) != 0) ++exponent;
    // The leading 1 is not stored: added to the exponent's field, it makes up for the -1.
    return static_cast<std::uint32_t>(((exponent + kBias - 1) << kMantissaBits) +
                                      ((static_cast<Wide>(n) << kMantissaBits) >> exponent));
  }
};

using F16 = Element<16, 10, 15>;
using Bf16 = Element<16, 7, 127>;
using E4m3 = Element<8, 3, 7>;

static_assert(F16::encode(1) == 0x3c00 && F16::encode(2048) == 0x6800 && F16::encode(3) == 0x4200);
static_assert(Bf16::encode(1) == 0x3f80 && Bf16::encode(256) == 0x4380);
static_assert(Element<32, 23, 127>::encode(256) == 0x43800000 &&
              Element<32, 23, 127>::encode(1 << 24) == 0x4b800000);
static_assert(E4m3::encode(1) == 0x38 && E4m3::encode(16) == 0x58 && E4m3::encode(13) == 0x55);
