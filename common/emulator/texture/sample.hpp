// SPDX-License-Identifier: MIT
// One fetch: from coordinates to the four words that an instruction gives. Whether the image's
// memory is there its callers have looked at.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/texture/gradient.hpp"
#include "emulator/texture/texture.hpp"

namespace lanescope::emulator {

using FetchedTexel = std::array<std::uint32_t, 4>;

struct TexturePlace {
  std::array<double, 3> at{};  // of a cube: a direction
  std::int64_t layer = 0;
  std::array<int, 3> shift{};  // texels to go on from there: -8 to 7
};

/// tex: at a place, between texels where the sampler filters; of a mipmap the first level that the
/// sampler allows.
FetchedTexel sample(const Texture& texture, const TexturePlace& place);
/// tex.level: of a mipmap that level, or between two of them. What has one level takes it.
FetchedTexel sample_level(const Texture& texture, const TexturePlace& place, float level);
/// tex.grad: of a mipmap the level of these gradients, of coordinates from 0 to 1.
FetchedTexel sample_slopes(const Texture& texture, const TexturePlace& place, const Slope& along_x,
                           const Slope& along_y);

/// tld4: one channel of the four texels that would be filtered: lower left, lower right, upper
/// right, upper left, where y grows downwards.
FetchedTexel gather(const Texture& texture, const TexturePlace& place, std::size_t channel);

/// tex with coordinates of .s32: a texel by its numbers, 0 outside.
FetchedTexel fetch(const Texture& texture, const std::array<std::int64_t, 3>& at);
/// tex.level with coordinates of .s32: the nearest texel of a level, 0 where it is none.
FetchedTexel fetch_level(const Texture& texture, const std::array<std::int64_t, 3>& at,
                         std::int64_t level);

}  // namespace lanescope::emulator
