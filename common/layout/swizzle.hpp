// SPDX-License-Identifier: MIT
// Swizzled tiles in shared memory, as wgmma and tcgen05 (and TMA) lay them out: where the element
// (mn, k) lies. `mn` counts along M for A and along N for B.
//
// 16-byte units within 8 rows of an atom, K-major, 128 B mode: unit u of row r goes to unit u ^ r.
//
//   row 0   0 1 2 3 4 5 6 7      mode     row of an atom   XOR of the unit with
//   row 1   1 0 3 2 5 4 7 6      none      16 bytes        nothing
//   row 2   2 3 0 1 6 7 4 5      32 B      32              (row / 4) & 1
//   row 3   3 2 1 0 7 6 5 4      64 B      64              (row / 2) & 3
//   ...                          128 B    128              row & 7
//
// all of them `offset ^ (((offset >> 7) & (2^B - 1)) << 4)` with B = 0, 1, 2, 3.
// Source: PTX ISA 9.2, 9.7.15.5.1.2 (table 38), 9.7.15.5.1.2.1.3 (canonical layouts). The (T,2k) of
// the swizzled K-major layouts holds only while a row has room: 2k <= W (docs/errata.md, 6).
//
// tcgen05 has a fifth, "128B with 32-byte atomicity", for MN-major tiles of 32-bit types alone: an
// atom is 4 columns of K of 128 bytes, and atoms of 32 bytes change places, a of column k to a ^ k
// (`wide`). The ISA says the atom's shape (9.7.16.10.6, table 53), the pattern is in a figure
// (219); CuTe's Swizzle<2,5,2> says the same. Derived: no card has confirmed it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::layout {

enum class Swizzle : std::uint8_t { none, b32, b64, b128 };
inline constexpr std::array kSwizzles{Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128};
enum class Major : std::uint8_t { K, MN };

constexpr std::string_view name(Swizzle mode) {
  constexpr std::array<std::string_view, 4> kNames{"none", "32B", "64B", "128B"};
  return kNames[static_cast<std::size_t>(mode)];
}
constexpr std::optional<Swizzle> swizzle_mode(std::string_view text) {
  for (const Swizzle mode : kSwizzles) {
    const std::string_view known = name(mode), bytes = known.substr(0, known.size() - 1);
    const bool is_short = text == bytes || (text.size() == known.size() && text.back() == 'b');
    if (text == known ||
        (mode != Swizzle::none && is_short && text.substr(0, bytes.size()) == bytes))
      return mode;
  }
  return std::nullopt;
}

/// W: 16-byte units in a row of an atom (1, 2, 4, 8); also log2(W) = B of Swizzle<B,4,3>.
constexpr int swizzle_bits(Swizzle mode) { return static_cast<int>(mode); }
constexpr int units_per_row(Swizzle mode) { return 1 << swizzle_bits(mode); }
/// After how many bytes the pattern repeats; where it must begin for a base offset of 0.
constexpr std::uint32_t pattern_bytes(Swizzle mode) { return 128u * (1u << swizzle_bits(mode)); }

/// The swizzle itself, on a byte address or an offset from a pattern's beginning. Its own inverse.
constexpr std::uint32_t swizzled(std::uint32_t offset, Swizzle mode) {
  const std::uint32_t mask = (1u << swizzle_bits(mode)) - 1;
  return offset ^ (((offset >> 7) & mask) << 4);
}

/// The same with atoms of 32 bytes.
constexpr std::uint32_t swizzled_wide(std::uint32_t offset) {
  return offset ^ (((offset >> 7) & 3u) << 5);
}

/// A tile: how it lies, and the two strides of its canonical layout.
struct Tile {
  Swizzle mode = Swizzle::none;
  Major major = Major::K;
  int bits = 16;  // of an element: 1, 8, 16 or 32
  int mn = 0, k = 0;
  std::uint32_t lbo_bytes = 0, sbo_bytes = 0;
  std::uint32_t slab_bytes =
      0;              // K-major swizzled: to the next W*T elements of K (a new start address)
  bool wide = false;  // atoms of 32 bytes: mode b128, MN-major, 32 bits, tcgen05 only
};

/// Elements in 16 bytes: the T of the canonical layouts.
constexpr int elements_per_unit(int bits) { return 128 / bits; }

/// Before swizzling: the canonical layout's byte offset of element (mn, k).
constexpr std::uint32_t linear_offset(const Tile& t, int mn, int k) {
  const int T = elements_per_unit(t.bits);
  const int W = units_per_row(t.mode);
  const auto at = [](int index, std::uint32_t stride) {
    return static_cast<std::uint32_t>(index) * stride;
  };
  const auto within = [&t](int index) {  // a row; the byte that holds the element
    return static_cast<std::uint32_t>(index * t.bits / 8);
  };
  const std::uint32_t row_bytes = 16u * static_cast<std::uint32_t>(W);
  if (t.major == Major::K) {
    if (t.mode == Swizzle::none)  // ((8,m),(T,2k)):((1T,SBO),(1,LBO))
      return at(mn % 8, 16) + at(mn / 8, t.sbo_bytes) + within(k % T) + at(k / T, t.lbo_bytes);
    // ((8,m),(T,2k)):((WT,SBO),(1,T))
    return at(mn % 8, row_bytes) + at(mn / 8, t.sbo_bytes) + within(k % (W * T)) +
           at(k / (W * T), t.slab_bytes);
  }
  if (t.mode == Swizzle::none)  // ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))
    return within(mn % T) + at(mn / T, t.sbo_bytes) + at(k % 8, 16) + at(k / 8, t.lbo_bytes);
  // ((T,W,m),(8,k)):((1,T,LBO),(WT,SBO))
  const int columns = t.wide ? 4 : 8;
  return within(mn % (W * T)) + at(mn / (W * T), t.lbo_bytes) + at(k % columns, row_bytes) +
         at(k / columns, t.sbo_bytes);
}

/// Where element (mn, k) lies, from the tile's first byte (which begins a pattern).
constexpr std::uint32_t byte_offset(const Tile& t, int mn, int k) {
  const std::uint32_t linear = linear_offset(t, mn, k);
  return t.wide ? swizzled_wide(linear) : swizzled(linear, t.mode);
}

/// What one atom has along mn and along k.
struct Extent {
  int mn, k;
};
constexpr Extent atom(Swizzle mode, Major major, int bits) {
  const int along = units_per_row(mode) * elements_per_unit(bits);
  return major == Major::K ? Extent{8, along} : Extent{along, 8};
}

inline constexpr Extent kWideAtom{32, 4};

/// A tile with nothing between its atoms, atoms along MN first, as the ISA's examples have it.
constexpr Tile packed(Swizzle mode, Major major, int bits, int mn, int k) {
  Tile t{mode, major, bits, mn, k, 0, 0, 0};
  const Extent a = atom(mode, major, bits);
  const std::uint32_t atom_bytes = 128u * static_cast<std::uint32_t>(units_per_row(mode));
  const std::uint32_t column_bytes =
      atom_bytes * static_cast<std::uint32_t>((mn + a.mn - 1) / a.mn);
  if (major == Major::K) {
    t.sbo_bytes = atom_bytes;
    t.lbo_bytes = mode == Swizzle::none ? column_bytes : 16;  // encodes as 1, which is ignored
    t.slab_bytes = column_bytes;
  } else if (mode == Swizzle::none) {
    t.sbo_bytes = atom_bytes;
    t.lbo_bytes = column_bytes;
  } else {
    t.lbo_bytes = atom_bytes;
    t.sbo_bytes = column_bytes;
  }
  return t;
}

constexpr Tile packed_wide(int mn, int k) {
  constexpr std::uint32_t kAtom_bytes = 128u * kWideAtom.k;
  const auto atoms = static_cast<std::uint32_t>((mn + kWideAtom.mn - 1) / kWideAtom.mn);
  return {Swizzle::b128, Major::MN, 32, mn, k, kAtom_bytes, kAtom_bytes * atoms, 0, true};
}

}  // namespace lanescope::layout
