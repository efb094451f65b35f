// SPDX-License-Identifier: MIT
// Where a fetch looks, and what it makes of the texels it finds there.
//
// Source: CUDA C++ Programming Guide, "Texture fetching"; what it leaves open is an H200's
// (docs/experiments/textures.md).
#include "emulator/texture/sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "emulator/texture/cube.hpp"
#include "emulator/texture/filter.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::int64_t kOutside = -1;  // with AddressMode::border

std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

/// Wrap and mirror are for coordinates from 0 to 1; in texels they clamp.
AddressMode mode_of(const Sampler& sampler, std::size_t axis) {
  const AddressMode mode = sampler.mode[axis];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !sampler.is_normalized ? AddressMode::clamp : mode;
}

/// The texel's number along one axis, or kOutside.
std::int64_t addressed(std::int64_t texel, std::int64_t size, AddressMode mode) {
  if (texel >= 0 && texel < size) return texel;
  if (mode == AddressMode::border) return kOutside;
  if (mode == AddressMode::clamp) return std::clamp<std::int64_t>(texel, 0, size - 1);
  const std::int64_t period = mode == AddressMode::mirror ? 2 * size : size;
  const std::int64_t within = ((texel % period) + period) % period;
  return within < size ? within : period - 1 - within;
}

std::uint32_t single_of_half(std::uint32_t bits) {
  const bool is_nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0;
  if (is_nan) return (bits & 0x8000) << 16 | 0x7f800000u | (bits & 0x3ff) << 13;
  return bits_of(static_cast<float>(numeric::decode(numeric::kF16, bits)));
}

/// What the channels of an image are when they are filtered, or given to the program.
struct Channels {
  const Texture& texture;
  TexelFormat format(std::size_t channel) const {
    return texture.sampler.is_srgb && channel < 3 && texture.image.format == TexelFormat::u8
               ? TexelFormat::f16
               : texture.image.format;
  }
  std::uint32_t given(std::uint32_t bits, std::size_t channel) const {
    const TexelFormat stored = format(channel);
    if (stored == TexelFormat::f16) return single_of_half(bits);
    if (texture.sampler.to_unit && bytes_of(stored) < 4) return bits_of(unit_of(stored, bits));
    if (stored == TexelFormat::s8)
      return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
    if (stored == TexelFormat::s16)
      return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
    return bits;
  }
  /// A border's colour as a texel would have it.
  std::uint32_t coloured(float colour, std::size_t channel) const {
    const TexelFormat stored = format(channel);
    if (stored == TexelFormat::f16)
      return numeric::encode(numeric::kF16, colour, numeric::Rounding::rz);
    if (!texture.sampler.to_unit) return bits_of(colour);
    const int size = 8 * bytes_of(stored);
    const bool is_signed = stored == TexelFormat::s8 || stored == TexelFormat::s16;
    const double most = (1 << (is_signed ? size - 1 : size)) - 1;
    const double value = std::clamp<double>(colour, is_signed ? -1 : 0, 1);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::floor(value * most))) &
           ((1u << size) - 1);
  }
};

/// The channels of one texel, as they are stored.
FetchedTexel texel_at(const Texture& texture, const std::array<std::int64_t, 3>& at) {
  const TextureImage& image = texture.image;
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

/// Along one axis: the first of two texels, and how much of the second, in 256ths.
struct Position {
  std::int64_t texel = 0;
  int part = 0;
};

/// A coordinate in texels. From 0 to 1 it has 21 bits behind the point; what is too small is 0, and
/// what is none, too, where it would be repeated.
double in_texels(double coordinate, std::int64_t size, const Sampler& sampler, AddressMode mode) {
  constexpr double kParts = 1 << 21, kFar = 0x1p40;
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  if (std::isnan(coordinate) || std::fabs(coordinate) < 0x1p-126f) return 0;
  if (std::isinf(coordinate) && repeats) return 0;
  double at = std::clamp(coordinate, -kFar, kFar);
  if (sampler.is_normalized) at = std::floor(at * kParts) / kParts * static_cast<double>(size);
  return at;
}

/// Between the centres of two texels.
Position between(double at) {
  const auto fixed = static_cast<std::int64_t>(std::floor((at - 0.5) * 256 + 0.5));
  return {fixed >> 8, static_cast<int>(fixed & 255)};
}

Position position(double coordinate, std::int64_t size, const Sampler& sampler, AddressMode mode) {
  const double at = in_texels(coordinate, size, sampler, mode);
  if (!sampler.filters) return {static_cast<std::int64_t>(std::floor(at)), 0};
  Position found = between(at);
  // Beyond the edge there is the one texel, and no second.
  if (mode == AddressMode::clamp && found.texel < 0) found = {0, 0};
  if (mode == AddressMode::clamp && found.texel >= size - 1) found = {size - 1, 0};
  return found;
}

std::int64_t layer_of(const TextureImage& image, const TexturePlace& place, std::int64_t layers) {
  if (!image.is_layered) return 0;
  return std::min<std::int64_t>(static_cast<std::uint32_t>(place.layer), layers - 1);
}

bool is_empty(const TextureImage& image) {
  return *std::min_element(image.size.begin(), image.size.end()) <= 0;
}

}  // namespace

FetchedTexel gather(const Texture& texture, const TexturePlace& place, std::size_t channel) {
  const TextureImage& image = texture.image;
  if (is_empty(image)) return {};
  std::array<std::array<std::int64_t, 2>, 2> texels{};  // by axis: the near one, the far one
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const AddressMode mode = mode_of(texture.sampler, axis);
    const Position at = between(in_texels(place.at[axis], image.size[axis], texture.sampler, mode));
    for (std::int64_t k = 0; k < 2; ++k)
      texels[axis][static_cast<std::size_t>(k)] = addressed(at.texel + k, image.size[axis], mode);
  }
  const std::int64_t layer = layer_of(image, place, image.size[2]);
  constexpr std::size_t kOrder[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  FetchedTexel result{};
  for (std::size_t k = 0; k < 4; ++k)
    result[k] = given(texture, texel_at(texture, {texels[0][kOrder[k][0]], texels[1][kOrder[k][1]],
                                                  layer}))[channel];
  return result;
}

FetchedTexel fetch_line(const Texture& texture, std::int64_t index) {
  if (index < 0 || index >= texture.image.size[0]) return {};
  return given(texture, texel_at(texture, {index, 0, 0}));
}

FetchedTexel sample(const Texture& texture, const TexturePlace& where) {
  const TextureImage& image = texture.image;
  const Sampler& sampler = texture.sampler;
  if (is_empty(image)) return {};
  const auto dims = static_cast<std::size_t>(image.dims);
  std::array<std::int64_t, 3> first{}, second{};
  std::array<int, 3> part{};
  TexturePlace place = where;
  if (image.is_cube) {
    const CubePlace on = on_cube(where.at);
    place.at = {on.s, on.t, 0};
    first[2] = second[2] = 6 * layer_of(image, place, image.size[2] / 6) + on.face;
  } else if (image.is_layered) {
    first[2] = second[2] = layer_of(image, place, image.size[2]);
  }
  // A row has a height of 1, and y is 0: half of what is filtered is the border, where y has one.
  const std::size_t axes =
      dims == 1 && sampler.filters && sampler.mode[1] == AddressMode::border ? 2 : dims;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const AddressMode mode = mode_of(sampler, axis);
    const Position at = position(place.at[axis], image.size[axis], sampler, mode);
    first[axis] = addressed(at.texel, image.size[axis], mode);
    second[axis] = addressed(at.texel + 1, image.size[axis], mode);
    part[axis] = at.part;
  }
  if (!sampler.filters) return given(texture, texel_at(texture, first));
  std::array<std::array<std::uint32_t, kMostCorners>, 4> texels{};  // by channel
  for (std::size_t corner = 0; corner < kMostCorners; ++corner) {
    if (!takes_part(part, corner)) continue;
    const FetchedTexel texel = texel_at(texture, {(corner & 1) != 0 ? second[0] : first[0],
                                                  (corner & 2) != 0 ? second[1] : first[1],
                                                  (corner & 4) != 0 ? second[2] : first[2]});
    for (std::size_t k = 0; k < 4; ++k) texels[k][corner] = texel[k];
  }
  FetchedTexel result{};
  const Channels channels{texture};
  for (std::size_t k = 0; k < static_cast<std::size_t>(image.channels); ++k)
    result[k] = filtered(channels.format(k), texels[k], part);
  return result;
}

}  // namespace lanescope::emulator
