// SPDX-License-Identifier: MIT
// Where a fetch looks, and what it makes of the texels it finds there.
//
// Source: CUDA C++ Programming Guide, "Texture fetching"; what it leaves open is an H200's
// (docs/experiments/textures.md).
#include "emulator/texture/sample.hpp"

#include <algorithm>
#include <cmath>

#include "emulator/texture/cube.hpp"
#include "emulator/texture/filter.hpp"
#include "emulator/texture/texel.hpp"

namespace lanescope::emulator {
namespace {

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

Position position(double coordinate, int shift, std::int64_t size, const Sampler& sampler,
                  AddressMode mode) {
  const double at = in_texels(coordinate, size, sampler, mode);
  if (!sampler.filters) return {static_cast<std::int64_t>(std::floor(at)) + shift, 0};
  Position found = between(at);
  found.texel += shift;
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

const TextureImage& level_of(const Texture& texture, int level) {
  return level == 0 ? texture.image : texture.further[static_cast<std::size_t>(level - 1)];
}

/// A level in 256ths; where the clamps exclude each other the lower one counts.
int within_clamps(const Sampler& sampler, int level) {
  return std::max(std::min(level, sampler.most_level), sampler.least_level);
}

/// The texels around a place of one level, by channel.
struct Looked {
  std::array<Corners, 4> texels{};
  std::array<int, 3> part{};
  Around around(std::size_t channel) const { return {texels[channel], part}; }
};

Looked look(const Texture& texture, const TextureImage& image, const TexturePlace& where) {
  const Sampler& sampler = texture.sampler;
  const auto dims = static_cast<std::size_t>(image.dims);
  std::array<std::int64_t, 3> first{}, second{};
  Looked looked;
  TexturePlace place = where;
  if (image.is_cube) {
    const CubePlace on = on_cube(where.at);
    place.at = {on.s, on.t, 0};
    first[2] = second[2] = 6 * layer_of(image, place, image.size[2] / 6) + on.face;
  } else if (image.is_layered) {
    first[2] = second[2] = layer_of(image, place, image.size[2]);
  }
  // A row has a height of 1, and y is 0: half of what is filtered is the border, where y has one.
  const std::size_t axes = dims == 1 && !image.is_layered &&
                                   sampler.mode[1] == AddressMode::border &&
                                   (sampler.filters || place.shift[1] != 0)
                               ? 2
                               : dims;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const AddressMode mode = mode_of(sampler, axis);
    const Position at =
        position(place.at[axis], place.shift[axis], image.size[axis], sampler, mode);
    first[axis] = addressed(at.texel, image.size[axis], mode);
    second[axis] = addressed(at.texel + 1, image.size[axis], mode);
    looked.part[axis] = at.part;
  }
  for (std::size_t corner = 0; corner < kMostCorners; ++corner) {
    if (!takes_part(looked.part, corner)) continue;
    const FetchedTexel texel = texel_at(
        texture, image,
        {(corner & 1) != 0 ? second[0] : first[0], (corner & 2) != 0 ? second[1] : first[1],
         (corner & 4) != 0 ? second[2] : first[2]});
    for (std::size_t k = 0; k < 4; ++k) looked.texels[k][corner] = texel[k];
  }
  return looked;
}

/// Of a level in 256ths, or of two; of the nearest where levels are not filtered.
FetchedTexel at_level(const Texture& texture, const TexturePlace& place, int level) {
  const TextureImage& image = texture.image;
  const Sampler& sampler = texture.sampler;
  if (is_empty(image)) return {};
  const int last = static_cast<int>(texture.further.size());
  const bool between_levels = last > 0 && sampler.filters_levels;
  if (!between_levels) level = (level + 128) & ~255;
  level = std::clamp(level, 0, 256 * last);
  const int part = level & 255;
  const Looked here = look(texture, level_of(texture, level >> 8), place);
  const Looked next =
      part == 0 ? Looked{} : look(texture, level_of(texture, (level >> 8) + 1), place);
  const Channels channels{texture};
  FetchedTexel result{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(image.channels); ++k)
    result[k] = sampler.filters || between_levels
                    ? filtered(channels.format(k), here.around(k), next.around(k), part)
                    : channels.given(here.texels[k][0], k);
  return result;
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
      texels[axis][static_cast<std::size_t>(k)] =
          addressed(at.texel + place.shift[axis] + k, image.size[axis], mode);
  }
  const std::int64_t layer = layer_of(image, place, image.size[2]);
  constexpr std::size_t kOrder[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  const Channels channels{texture};
  const TexelFormat format = image.format;  // of the others it is the same
  const bool is_filtered =
      format == TexelFormat::f16 || (format == TexelFormat::s8 && texture.sampler.to_unit);
  FetchedTexel result{};
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint32_t texel = texel_at(
        texture, image, {texels[0][kOrder[k][0]], texels[1][kOrder[k][1]], layer})[channel];
    const bool is_there = channel < static_cast<std::size_t>(image.channels);
    // As a filter gives it that has nothing else, whether or not there is one.
    result[k] = !is_there     ? 0
                : is_filtered ? filtered(channels.format(channel), {Corners{texel}, {}})
                              : channels.given(texel, channel);
  }
  return result;
}

FetchedTexel fetch(const Texture& texture, const std::array<std::int64_t, 3>& at) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (at[axis] < 0 || at[axis] >= texture.image.size[axis]) return {};
  return given(texture, texel_at(texture, texture.image, at));
}

FetchedTexel fetch_level(const Texture& texture, const std::array<std::int64_t, 3>& at,
                         std::int64_t level) {
  const auto levels = static_cast<std::int64_t>(texture.further.size()) + 1;
  if (texture.is_line) level = 0;
  if (level < 0 || level >= levels) return {};
  const TextureImage& image = level_of(texture, static_cast<int>(level));
  std::array<std::int64_t, 3> nearest = at;
  for (std::size_t axis = 0; axis < 3; ++axis)
    nearest[axis] = std::clamp<std::int64_t>(at[axis], 0, image.size[axis] - 1);
  return given(texture, texel_at(texture, image, nearest));
}

FetchedTexel sample(const Texture& texture, const TexturePlace& place) {
  return at_level(texture, place, within_clamps(texture.sampler, 0));
}

namespace {

FetchedTexel at_asked_level(const Texture& texture, const TexturePlace& place, int asked) {
  return at_level(texture, place, within_clamps(texture.sampler, asked + texture.sampler.bias));
}

}  // namespace

FetchedTexel sample_level(const Texture& texture, const TexturePlace& place, float level) {
  const bool is_nothing = std::isnan(level) || std::fabs(level) < 0x1p-126f;
  const double kept = is_nothing ? 0 : std::clamp<double>(level, -1000, 1000);
  return at_asked_level(texture, place, static_cast<int>(kept * 256));  // towards zero
}

FetchedTexel sample_slopes(const Texture& texture, const TexturePlace& place, const Slope& along_x,
                           const Slope& along_y) {
  const TextureImage& image = texture.image;
  Slope x{}, y{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(image.dims); ++axis) {
    x[axis] = along_x[axis] * static_cast<float>(image.size[axis]);
    y[axis] = along_y[axis] * static_cast<float>(image.size[axis]);
  }
  return at_asked_level(texture, place, level_of(x, y, image.dims));
}

}  // namespace lanescope::emulator
