// SPDX-License-Identifier: MIT
// The operands of lesson 11 and of its exercise: small whole numbers as the bits of any type, and
// where they go in shared memory. For the host; the instructions are in lesson.cu.
//
// Source: PTX ISA 9.2, 5.2.3 (types), 9.7.15.5.1.2 (shared memory, no swizzle).
#pragma once

#include <cstdint>
#include <vector>

#include "element.cuh"

enum Kind { kF16, kBf16, kTf32, kE4m3, kE5m2, kS8, kU8, kB1, kF32, kS32 };

struct Numbers {  // the same in every run: Knuth's MMIX generator
  std::uint64_t state = 2026;
  int between(int low, int high) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return low + static_cast<int>((state >> 33) % static_cast<std::uint64_t>(high - low + 1));
  }
};

inline std::uint32_t encode(Kind kind, int n) {
  const int size = n < 0 ? -n : n;
  const auto with_sign = [n](std::uint32_t magnitude, int bits) {
    return magnitude | (n < 0 ? 1u << (bits - 1) : 0u);
  };
  switch (kind) {
    case kF16:
      return with_sign(F16::encode(size), 16);
    case kBf16:
      return with_sign(Bf16::encode(size), 16);
    case kE4m3:
      return with_sign(E4m3::encode(size), 8);
    case kE5m2:
      return with_sign(Element<8, 2, 15>::encode(size), 8);
    case kTf32:
    case kF32:
      return with_sign(Element<32, 23, 127>::encode(size), 32);
    case kS8:
    case kU8:
      return static_cast<std::uint32_t>(n) & 0xff;
    default:
      return static_cast<std::uint32_t>(n);
  }
}

inline int random_number(Kind kind, Numbers& numbers) {
  switch (kind) {
    case kS8:
      return numbers.between(-128, 127);
    case kU8:
      return numbers.between(0, 255);
    case kB1:
      return numbers.between(0, 1);
    default:
      return numbers.between(-2, 2);  // sums up to 128: exact in every type
  }
}

inline void put(std::uint32_t* words, int bit, std::uint32_t value) {
  words[bit / 32] |= value << (bit % 32);
}

// In shared memory, lesson 10 without a swizzle: 8 rows of 16 bytes are a block. K-major a row is
// 16 bytes along k, and two blocks lie beside each other; else (16-bit types) a row is 8 elements
// along m or n. `matrix` is [mn][k].
inline void lay_out(std::uint32_t* words, int K, int bits, Kind kind,
                    const std::vector<int>& matrix, int mn_count, bool mn_major) {
  const int unit = 128 / bits;  // elements in 16 bytes
  for (int mn = 0; mn < mn_count; ++mn)
    for (int k = 0; k < K; ++k) {
      const int row = mn_major ? k : mn, along = mn_major ? mn : k;
      const int blocks = mn_major ? mn_count / 8 : 2;  // beside each other
      const int block = row / 8 * blocks + along / unit;
      put(words, block * 1024 + row % 8 * 128 + along % unit * bits,
          encode(kind, matrix[static_cast<std::size_t>(mn * K + k)]));
    }
}
