// SPDX-License-Identifier: MIT
// One texel: read from an image, as it is filtered, and as a program is given it.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/texture/sample.hpp"
#include "emulator/texture/texture.hpp"

namespace lanescope::emulator {

inline constexpr std::int64_t kOutside = -1;  // along an axis, with AddressMode::border

/// What the channels of an image are when they are filtered, or given to the program.
struct Channels {
  const Texture& texture;
  TexelFormat format(std::size_t channel) const;
  std::uint32_t given(std::uint32_t bits, std::size_t channel) const;
  /// A border's colour as a texel would have it.
  std::uint32_t coloured(float colour, std::size_t channel) const;
};

/// The channels of one texel of a level, as they are stored.
FetchedTexel texel_at(const Texture& texture, const TextureImage& level,
                      const std::array<std::int64_t, 3>& at);
/// And as a program is given them.
FetchedTexel given(const Texture& texture, FetchedTexel texel);

}  // namespace lanescope::emulator
