// SPDX-License-Identifier: MIT
// Between texels: weights in 256ths, and sums of products with them, as an H200 has them.
//
// Source: docs/experiments/textures.md.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/texture/texture.hpp"

namespace lanescope::emulator {

/// Of the texels around a place: number k has the second one along x, y, z where its bit is 1.
inline constexpr std::size_t kMostCorners = 8;
using Corners = std::array<std::uint32_t, kMostCorners>;

/// Whether this texel is there at all: `part` says how much of the second texel there is along
/// each axis, in 256ths.
inline bool takes_part(const std::array<int, 3>& part, std::size_t corner) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if ((corner >> axis & 1) != 0 && part[axis] == 0) return false;
  return true;
}

/// One channel of the texels around a place, and how much of the second of them there is.
struct Around {
  Corners texels{};
  std::array<int, 3> part{};
};

/// One channel of the texels, as the image has it, and its mean as f32. Floats of 16 and 32 bits,
/// whole numbers of 8 and 16 bits that become 0 to 1 or -1 to 1. `of_next`: how much of the next
/// level there is, in 256ths, around the same place there.
std::uint32_t filtered(TexelFormat format, const Around& here, const Around& next = {},
                       int of_next = 0);

/// sRGB to linear, as f16.
std::uint32_t half_of_srgb(std::uint32_t byte);

/// A whole number of 8 or 16 bits as 0 to 1, or -1 to 1.
float unit_of(TexelFormat format, std::uint32_t bits);

}  // namespace lanescope::emulator
