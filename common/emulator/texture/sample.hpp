// SPDX-License-Identifier: MIT
// One fetch: from coordinates to the four words that an instruction gives. Whether the image's
// memory is there its callers have looked at.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/texture/texture.hpp"

namespace lanescope::emulator {

using FetchedTexel = std::array<std::uint32_t, 4>;

struct TexturePlace {
  std::array<double, 3> at{};  // of a cube: a direction
  std::int64_t layer = 0;
};

/// tex: at a place, between texels where the sampler filters.
FetchedTexel sample(const Texture& texture, const TexturePlace& place);

/// tld4: one channel of the four texels that would be filtered: lower left, lower right, upper
/// right, upper left, where y grows downwards.
FetchedTexel gather(const Texture& texture, const TexturePlace& place, std::size_t channel);

/// tex.1d.s32: one of the texels in a row.
FetchedTexel fetch_line(const Texture& texture, std::int64_t index);

}  // namespace lanescope::emulator
