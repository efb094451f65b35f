// SPDX-License-Identifier: MIT
// The 64-bit matrix descriptor of wgmma: encode, decode, and the bytes that it makes the hardware
// fetch. Not the descriptor of tcgen05, which is another.
//
//   63 62 | 61 .. 52 | 51 49 | 48 46 | 45 .. 32 | 31 30 | 29 .. 16 | 15 14 | 13 .. 0
//   mode  |          | base  |       |   SBO    |       |   LBO    |       |  start
//                                 (in units of 16 bytes, all three)
//
// mode: 0 none, 1 = 128 B, 2 = 64 B, 3 = 32 B: the numbering runs backwards.
// Source: PTX ISA 9.2, 9.7.15.5.1.2.2. What a base offset other than 0 does is derived from its
// formula; tests/golden has what a card fetches, base offsets included.
#pragma once

#include <cstdint>
#include <string>

#include "layout/swizzle.hpp"

namespace lanescope::layout {

struct Descriptor {
  std::uint32_t start_bytes = 0;  // all three: multiples of 16 below 2^18
  std::uint32_t lbo_bytes = 0;
  std::uint32_t sbo_bytes = 0;
  int base_offset = 0;  // (pattern start >> 7) & 7
  Swizzle mode = Swizzle::none;
  friend constexpr bool operator==(const Descriptor&, const Descriptor&) = default;
};

/// matrix-descriptor-encode of the ISA.
constexpr std::uint64_t encoded(std::uint32_t bytes) { return (bytes & 0x3FFFFu) >> 4; }

constexpr std::uint64_t encode(const Descriptor& d) {
  const std::uint64_t mode = d.mode == Swizzle::none ? 0 : 4u - static_cast<unsigned>(d.mode);
  return encoded(d.start_bytes) | encoded(d.lbo_bytes) << 16 | encoded(d.sbo_bytes) << 32 |
         static_cast<std::uint64_t>(d.base_offset & 7) << 49 | mode << 62;
}

constexpr Descriptor decode(std::uint64_t bits) {
  const auto field = [bits](int from) {
    return static_cast<std::uint32_t>(bits >> from & 0x3FFFu) << 4;
  };
  const auto mode = static_cast<unsigned>(bits >> 62);
  return {field(0), field(16), field(32), static_cast<int>(bits >> 49 & 7),
          mode == 0 ? Swizzle::none : static_cast<Swizzle>(4u - mode)};
}

/// The bits that belong to no field: a descriptor that has some was not made for wgmma.
inline constexpr std::uint64_t kUnusedDescriptorBits =
    ~(0x3FFFull | 0x3FFFull << 16 | 0x3FFFull << 32 | 7ull << 49 | 3ull << 62);

/// The shared-memory byte from which wgmma takes element (mn, k) of the operand. The B of wgmma.sp
/// has 64 bytes of K: where a row of the swizzle is 32, LBO leads to the others, as an H200 has it
/// (tests/golden/random). Nothing else reads LBO there.
constexpr std::uint32_t fetched_byte(const Descriptor& d, Major major, int bits, int mn, int k) {
  Tile t{d.mode, major, bits, 0, 0, d.lbo_bytes, d.sbo_bytes, d.lbo_bytes};
  const std::uint32_t address = d.start_bytes + linear_offset(t, mn, k);
  const std::uint32_t mask = (1u << swizzle_bits(d.mode)) - 1;
  const std::uint32_t row = (address >> 7) - static_cast<std::uint32_t>(d.base_offset);
  return address ^ ((row & mask) << 4);
}

/// The descriptor for a tile that begins at `start_bytes`, the beginning of a pattern.
constexpr Descriptor descriptor_for(const Tile& tile, std::uint32_t start_bytes) {
  const bool lbo_unused = tile.major == Major::K && tile.mode != Swizzle::none;
  return {start_bytes, lbo_unused ? 16u : tile.lbo_bytes, tile.sbo_bytes, 0, tile.mode};
}

/// What is wrong with a descriptor, in a line, or "".
std::string problem(const Descriptor& d);

/// Two lines for a reader: what LBO and SBO mean in this mode and major.
std::string meaning_of_lbo(Swizzle mode, Major major);
std::string meaning_of_sbo(Swizzle mode, Major major);

}  // namespace lanescope::layout
