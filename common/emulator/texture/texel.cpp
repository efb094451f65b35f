// SPDX-License-Identifier: MIT
#include "emulator/texture/texel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "emulator/texture/filter.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

std::uint32_t single_of_half(std::uint32_t bits) {
  const bool is_nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0;
  if (is_nan) return (bits & 0x8000) << 16 | 0x7f800000u | (bits & 0x3ff) << 13;
  return bits_of(static_cast<float>(numeric::decode(numeric::kF16, bits)));
}

double srgb_of(double linear) {
  return linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace

TexelFormat Channels::format(std::size_t channel) const {
  return texture.sampler.is_srgb && channel < 3 && texture.image.format == TexelFormat::u8
             ? TexelFormat::f16
             : texture.image.format;
}

std::uint32_t Channels::given(std::uint32_t bits, std::size_t channel) const {
  const TexelFormat stored = format(channel);
  if (stored == TexelFormat::f16) return single_of_half(bits);
  if (texture.sampler.to_unit && bytes_of(stored) < 4) return bits_of(unit_of(stored, bits));
  if (stored == TexelFormat::s8) return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
  if (stored == TexelFormat::s16)
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
  return bits;
}

std::uint32_t Channels::coloured(float colour, std::size_t channel) const {
  const TexelFormat stored = format(channel);
  if (stored == TexelFormat::f16 && stored == texture.image.format)
    return std::isnan(colour) ? 0x7e00
                              : numeric::encode(numeric::kF16, colour, numeric::Rounding::rz);
  const int size = 8 * bytes_of(texture.image.format);
  if (!texture.sampler.to_unit || size == 32)  // of whole numbers the lowest bits of the float
    return bits_of(colour) & (~0u >> (32 - size));
  const bool is_signed = stored == TexelFormat::s8 || stored == TexelFormat::s16;
  const double kept = std::isnan(colour) ? 0 : std::clamp<double>(colour, is_signed ? -1 : 0, 1);
  if (stored != texture.image.format)
    return half_of_srgb(static_cast<std::uint32_t>(std::lround(255 * srgb_of(kept))));
  // c * 2^n - c to the nearest, c subtracted as the next sixteenth above it.
  const double part = std::fabs(kept), all = 1 << (is_signed ? size - 1 : size);
  const double sixteenth = part < 1 ? (std::floor(part * 16) + 1) / 16 : 1;
  const auto units = static_cast<std::int32_t>(std::floor(part * all - sixteenth + 0.5));
  return static_cast<std::uint32_t>(kept < 0 ? -units : units) & ((1u << size) - 1);
}

FetchedTexel texel_at(const Texture& texture, const TextureImage& image,
                      const std::array<std::int64_t, 3>& at) {
  const Channels channels{texture};
  const bool is_outside = at[0] == kOutside || at[1] == kOutside || at[2] == kOutside;
  FetchedTexel texel{};
  const auto bytes = static_cast<std::size_t>(bytes_of(image.format));
  for (std::size_t k = 0; k < static_cast<std::size_t>(image.channels); ++k) {
    if (is_outside) {
      texel[k] = channels.coloured(texture.sampler.border[k], k);
      continue;
    }
    std::memcpy(
        &texel[k],
        reinterpret_cast<const std::byte*>(image.row(at[1], at[2])) +
            static_cast<std::uint64_t>(at[0]) * static_cast<std::uint64_t>(image.texel_bytes()) +
            k * bytes,
        bytes);
    if (channels.format(k) != image.format) texel[k] = half_of_srgb(texel[k]);
  }
  return texel;
}

FetchedTexel given(const Texture& texture, FetchedTexel texel) {
  const Channels channels{texture};
  for (std::size_t k = 0; k < static_cast<std::size_t>(texture.image.channels); ++k)
    texel[k] = channels.given(texel[k], k);
  return texel;
}

}  // namespace lanescope::emulator
