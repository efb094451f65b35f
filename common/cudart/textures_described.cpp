// SPDX-License-Identifier: MIT
// From what a program says of a texture or a surface to what a kernel sees. What is refused, and
// with which error, is an H200's answer (tests/programs/texture_errors.cu), but for what is not
// emulated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cudart/context.hpp"
#include "cudart/texture.hpp"

namespace lanescope::cudart {
namespace {

constexpr std::uint64_t kAlignment = 512, kPitchAlignment = 32;
constexpr int kMostLinearTexels = 69, kMostPitchWidth = 70, kMostPitchHeight = 71,
              kMostPitch = 72;  // attributes

constexpr int kLinear = 1, kToUnit = 1;  // cudaTextureFilterMode, cudaTextureReadMode

using emulator::Texture;

struct Describer {
  const Context& context;
  const cudaResourceDesc& resource;
  const cudaTextureDesc& how;
  Texture& texture;
  std::string& why;

  cudaError no(cudaError error, std::string text) const {
    why = std::move(text);
    return error;
  }
  cudaError no(std::string text) const { return no(cudaErrorInvalidValue, std::move(text)); }

  cudaError texels(const cudaChannelFormatDesc& channels) const {
    const auto texel = texel_of(channels);
    if (!texel)
      return no(cudaErrorInvalidChannelDescriptor,
                "texels have 1, 2 or 4 channels of 8, 16 or 32 bits each, floats of 16 or 32");
    texture.image.format = texel->format;
    texture.image.channels = texel->channels;
    return cudaSuccess;
  }

  // That it is there nobody asks before a kernel fetches.
  cudaError memory(const void* pointer) const {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address == 0) return no("there is no memory at 0");
    if (address % kAlignment != 0)
      return no(
          fmt::format("the memory begins at {}, which is no multiple of {} "
                      "(textureAlignment)",
                      pointer, kAlignment));
    texture.image.address = address;
    return cudaSuccess;
  }

  cudaError line() const {
    const auto& linear = resource.res.linear;
    if (const cudaError error = texels(linear.desc); error != cudaSuccess) return error;
    const auto each = static_cast<std::uint64_t>(texture.image.texel_bytes());
    const std::uint64_t count = linear.sizeInBytes / each;
    const auto most = static_cast<std::uint64_t>(*texture_limit(kMostLinearTexels));
    if (count > most) return no(fmt::format("{} texels in a row, {} may be", count, most));
    texture.is_line = true;
    texture.image.size = {static_cast<std::int64_t>(count), 1, 1};
    return memory(linear.devPtr);
  }

  cudaError plane() const {
    const auto& pitched = resource.res.pitch2D;
    if (const cudaError error = texels(pitched.desc); error != cudaSuccess) return error;
    const auto widest = static_cast<std::uint64_t>(*texture_limit(kMostPitchWidth));
    const auto highest = static_cast<std::uint64_t>(*texture_limit(kMostPitchHeight));
    if (pitched.width > widest || pitched.height > highest)
      return no(fmt::format("{} x {} texels, {} x {} may be", pitched.width, pitched.height, widest,
                            highest));
    if (pitched.pitchInBytes % kPitchAlignment != 0)
      return no(fmt::format("the pitch of {} is no multiple of {} (texturePitchAlignment)",
                            pitched.pitchInBytes, kPitchAlignment));
    const auto most = static_cast<std::uint64_t>(*texture_limit(kMostPitch));
    if (pitched.pitchInBytes > most)
      return no(fmt::format("a pitch of {}, {} may be", pitched.pitchInBytes, most));
    texture.image.dims = 2;
    texture.image.pitch_bytes = pitched.pitchInBytes;
    texture.image.size = {static_cast<std::int64_t>(pitched.width),
                          static_cast<std::int64_t>(pitched.height), 1};
    return memory(pitched.devPtr);
  }

  cudaError array() const {
    const Array* found = context.textures.find_array(resource.res.array.array);
    if (!found) return no(cudaErrorInvalidResourceHandle, "the array is none, or has been freed");
    texture.image = found->image;
    return cudaSuccess;
  }

  cudaError mipmap() const {
    const Mipmap* found = context.textures.find_mipmap(resource.res.array.array);
    if (!found)
      return no(cudaErrorInvalidResourceHandle, "the mipmapped array is none, or has been freed");
    for (const cudaArray_t level : found->levels) {
      const emulator::TextureImage& one = context.textures.find_array(level)->image;
      if (level == found->levels.front())
        texture.image = one;
      else
        texture.further.push_back(one);
    }
    return cudaSuccess;
  }

  cudaError image() const {
    switch (resource.resType) {
      case ResourceType::array:
        return array();
      case ResourceType::linear:
        return line();
      case ResourceType::pitch2d:
        return plane();
      case ResourceType::mipmapped:
        return mipmap();
    }
    return no("there is no such type of resource");
  }

  /// In 256ths: the clamps are cut off downwards, the bias towards zero.
  cudaError levels() const {
    emulator::Sampler& sampler = texture.sampler;
    if (how.mipmapFilterMode < 0 || how.mipmapFilterMode > 1)
      return no(fmt::format("there is no filter mode {} of mipmaps", how.mipmapFilterMode));
    const auto parts = [](float level) {
      return std::isnan(level) ? 0 : std::clamp<double>(level, -1000, 1000) * 256;
    };
    sampler.filters_levels = how.mipmapFilterMode == 1;
    sampler.bias = static_cast<int>(parts(how.mipmapLevelBias));
    sampler.least_level = static_cast<int>(std::floor(parts(how.minMipmapLevelClamp)));
    sampler.most_level = static_cast<int>(std::floor(parts(how.maxMipmapLevelClamp)));
    sampler.is_anisotropic = how.maxAnisotropy > 1;
    if (texture.further.empty() || !sampler.filters_levels) return cudaSuccess;
    if (sampler.is_srgb)
      return no(cudaErrorNotSupported, "filtering of sRGB between levels is not emulated");
    if (!is_real(texture.image.format) && !sampler.to_unit)
      return no(cudaErrorNotSupported,
                "whole numbers that are read as they are are not filtered between levels");
    return cudaSuccess;
  }

  /// Whether texels can be read so, which an H200 looks at before all but their format.
  cudaError reading() const {
    const emulator::TexelFormat format = texture.image.format;
    const bool to_unit = how.readMode == kToUnit, is_number = !is_real(format);
    const bool is_small = bytes_of(format) < 4;
    const bool as_it_is = how.readMode == 0 || (to_unit && !is_small);
    if (how.filterMode == kLinear && is_number && as_it_is)
      return no(cudaErrorInvalidFilterSetting,
                "whole numbers that are read as they are cannot be filtered");
    if (to_unit && !(is_number && is_small))
      return no(cudaErrorInvalidNormSetting,
                "only whole numbers of 8 and 16 bits can be read as normalized floats");
    return cudaSuccess;
  }

  cudaError sampler() const {
    constexpr int kMostMode = 3;
    emulator::Sampler& sampler = texture.sampler;
    const int axes = texture.is_line ? 1 : texture.image.dims;
    for (int axis = 0; axis < 3; ++axis) {
      const int mode = how.addressMode[axis];
      if (mode >= 0 && mode <= kMostMode)
        sampler.mode[static_cast<std::size_t>(axis)] = static_cast<emulator::AddressMode>(mode);
      else if (axis < axes)
        return no(fmt::format("there is no address mode {}", mode));
    }
    if (how.filterMode < 0 || how.filterMode > kLinear)
      return no(fmt::format("there is no filter mode {}", how.filterMode));
    if (how.seamlessCubemap != 0)
      return texture.image.is_cube ? no(cudaErrorNotSupported,
                                        "filtering over the edges of a cube map is not emulated")
                                   : no("seamlessCubemap is for cube maps");
    const emulator::TexelFormat format = texture.image.format;
    sampler.filters = how.filterMode == kLinear;
    sampler.is_normalized = how.normalizedCoords != 0 || texture.image.is_cube;
    sampler.to_unit = how.readMode == kToUnit && !is_real(format);
    sampler.is_srgb = how.sRGB != 0 && sampler.to_unit && format == emulator::TexelFormat::u8;
    std::memcpy(sampler.border.data(), how.borderColor, sizeof how.borderColor);
    if (const cudaError error = levels(); error != cudaSuccess) return error;
    if (sampler.filters && sampler.is_srgb)
      return no(cudaErrorNotSupported, "filtering of sRGB is not emulated, a point of it is");
    return cudaSuccess;
  }
};

}  // namespace

cudaError describe(const Context& context, const cudaResourceDesc& resource,
                   const cudaTextureDesc& how, Texture& texture, std::string& why) {
  const Describer describer{context, resource, how, texture, why};
  if (resource.resType < ResourceType::array || resource.resType > ResourceType::pitch2d)
    return describer.no("there is no such type of resource");
  const cudaError shape = describer.image();
  if (shape != cudaSuccess && shape != cudaErrorInvalidValue) return shape;
  const std::string shape_why = why;
  if (const cudaError error = describer.reading(); error != cudaSuccess) return error;
  why = shape_why;
  return shape != cudaSuccess ? shape : describer.sampler();
}

cudaError describe_surface(const Context& context, const cudaResourceDesc& resource,
                           Texture& surface, std::string& why) {
  const cudaTextureDesc none{};
  const Describer describer{context, resource, none, surface, why};
  surface.is_surface = true;
  if (resource.resType == ResourceType::array) return describer.array();
  if (resource.resType == ResourceType::mipmapped || resource.resType == ResourceType::linear ||
      resource.resType == ResourceType::pitch2d)
    if (const cudaError error = describer.image(); error != cudaSuccess) return error;
  return describer.no("a surface is of an array");
}

}  // namespace lanescope::cudart
