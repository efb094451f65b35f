// SPDX-License-Identifier: MIT
// Matrices in shared memory as wgmma and tcgen05.mma take them, transcribed a second time from the
// ISA's figures: what common/layout/swizzle.hpp says is not asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "layout/swizzle.hpp"

namespace lanescope::emulator::test {

using Words = std::vector<std::uint32_t>;

struct Strides {
  std::uint32_t lbo, sbo;
};

// The byte of element (mn, k) and the descriptor's two strides: 8 x 16-byte core matrices without
// swizzle, 8-row atoms of 32, 64 or 128 bytes with.
inline std::uint32_t place(layout::Swizzle mode, bool mn_major, int element_bits, int mn, int k,
                           Strides strides) {
  const std::uint32_t width = 16u << static_cast<int>(mode);
  const auto fast = static_cast<std::uint32_t>((mn_major ? mn : k) * element_bits / 8);
  const auto slow = static_cast<std::uint32_t>(mn_major ? k : mn);
  std::uint32_t at;
  if (mode == layout::Swizzle::none)
    at = fast % 16 + slow % 8 * 16 + fast / 16 * (mn_major ? strides.sbo : strides.lbo) +
         slow / 8 * (mn_major ? strides.lbo : strides.sbo);
  else
    at = fast % width + slow % 8 * width + fast / width * strides.lbo + slow / 8 * strides.sbo;
  const std::uint32_t row_mask = (width / 16) - 1;
  return at ^ ((at / 128 & row_mask) * 16);
}

inline Strides strides_of(layout::Swizzle mode, bool mn_major, int mn, int k = 16) {
  const std::uint32_t width = 16u << static_cast<int>(mode);
  const auto rows = static_cast<std::uint32_t>(mn);
  if (mode == layout::Swizzle::none)
    return mn_major ? Strides{rows / 8 * 128, 128} : Strides{rows / 8 * 128, 128};
  if (!mn_major) return {16, 8 * width};
  return {static_cast<std::uint32_t>(k) * width, 8 * width};  // along k first, atoms of 8
}

// Elements as words, row-major mn x k; the image of them in shared memory.
inline void store(std::vector<std::byte>& shared, std::uint32_t start, const Words& matrix,
                  int mn_count, int k_count, int bits, layout::Swizzle mode, bool mn_major) {
  const Strides strides = strides_of(mode, mn_major, mn_count, k_count);
  for (int mn = 0; mn < mn_count; ++mn) {
    for (int k = 0; k < k_count; ++k) {
      const std::uint32_t value = matrix[static_cast<std::size_t>(mn * k_count + k)];
      const std::size_t at = start + place(mode, mn_major, bits, mn, k, strides);
      if (bits == 1)
        shared[at] |= static_cast<std::byte>(value << (k % 8));
      else
        std::memcpy(&shared[at], &value, static_cast<std::size_t>(bits / 8));
    }
  }
}

}  // namespace lanescope::emulator::test
