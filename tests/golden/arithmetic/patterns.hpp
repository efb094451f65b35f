// SPDX-License-Identifier: MIT
// Random numbers and floating-point patterns made of integers alone, the same on every machine; and
// what is kept of a result. Plain C++17, as case.hpp.
#pragma once

#include <cstdint>
#include <cstring>

#include "case.hpp"

namespace lanescope::golden {

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// 0 .. limit - 1.
  int below(int limit) {
    return static_cast<int>((bits() >> 20) % static_cast<std::uint64_t>(limit));
  }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int of_256) { return below(256) < of_256; }

 private:
  std::uint64_t state_;
};

inline std::uint64_t fnv(const void* data, std::size_t bytes,
                         std::uint64_t hash = 0xcbf29ce484222325ull) {
  const auto* at = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 0x100000001b3ull;
  return hash;
}

/// What a recording keeps of a tile that it does not keep in full.
inline std::uint32_t fingerprint(const void* d, std::size_t bytes) {
  const std::uint64_t hash = fnv(d, bytes);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

/// The pattern of (-1)^minus * 1.mantissa * 2^exponent, cut to what the format has: subnormal, then
/// zero, below; the largest number above. `mantissa` has its first bit in bit 51.
inline std::uint64_t pattern(const Element& f, bool minus, int exponent, std::uint64_t mantissa) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const int top = (1 << f.exponent_bits) - (f.has_infinity ? 2 : 1);
  const int low = f.mantissa_bits + f.ignored_bits;
  std::uint64_t significand =
      (std::uint64_t{1} << 52 | (mantissa & ((std::uint64_t{1} << 52) - 1)));
  int field = exponent + bias;
  if (field > top) {
    field = top;
    significand = (std::uint64_t{2} << 52) - 1;
  }
  if (field <= 0) {
    significand = 1 - field > 60 ? 0 : significand >> (1 - field);
    field = 0;
  }
  std::uint64_t bits = (significand & ((std::uint64_t{1} << 52) - 1)) >> (52 - f.mantissa_bits);
  if (!f.has_infinity && field == top && bits == (1u << f.mantissa_bits) - 1) --bits;  // e4m3's NaN
  return (minus ? std::uint64_t{1} << (f.bits - 1) : 0) | static_cast<std::uint64_t>(field) << low |
         bits << f.ignored_bits;
}

/// `count` patterns of `bits` bits each, the first in the lowest bits.
inline void pack(const std::uint64_t* patterns, int count, int bits, void* out) {
  auto* bytes = static_cast<unsigned char*>(out);
  std::memset(bytes, 0, static_cast<std::size_t>(count * bits / 8));
  for (int i = 0; i < count; ++i)
    for (int bit = 0; bit < bits; bit += bits < 8 ? bits : 8) {
      const int at = i * bits + bit;
      bytes[at / 8] =
          static_cast<unsigned char>(bytes[at / 8] | (patterns[i] >> bit & 0xff) << (at % 8));
    }
}

}  // namespace lanescope::golden
