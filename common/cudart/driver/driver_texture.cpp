// SPDX-License-Identifier: MIT
// Textures and surfaces of the driver API: the runtime's, described in other words.
#include <cstring>

#include "cudart/api/api_texture.hpp"
#include "cudart/driver/driver_array.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

// CU_TRSF_...
constexpr unsigned kAsInteger = 1, kNormalized = 2, kSrgb = 0x10, kNoTrilinear = 0x20,
                   kSeamless = 0x40;

bool as_runtime(const CUDA_RESOURCE_DESC& asked, cudaResourceDesc& same,
                cudaChannelFormatDesc& channels) {
  same = {};
  const bool is_array =
      asked.resType == ResourceType::array || asked.resType == ResourceType::mipmapped;
  if (asked.flags != 0 || (is_array && !asked.res.array.hArray)) return false;
  same.resType = asked.resType;
  same.flags = asked.flags;
  if (asked.resType == ResourceType::linear) {
    const auto found = channels_of(asked.res.linear.format, asked.res.linear.numChannels);
    if (!found) return false;
    channels = *found;
    same.res.linear = {reinterpret_cast<void*>(asked.res.linear.devPtr), channels,
                       asked.res.linear.sizeInBytes};
  } else if (asked.resType == ResourceType::pitch2d) {
    const auto& plane = asked.res.pitch2D;
    const auto found = channels_of(plane.format, plane.numChannels);
    if (!found) return false;
    channels = *found;
    same.res.pitch2D = {reinterpret_cast<void*>(plane.devPtr), channels, plane.width, plane.height,
                        plane.pitchInBytes};
  } else {
    same.res.array.array = asked.res.array.hArray;
    const Mipmap* mipmap = context().textures.find_mipmap(asked.res.array.hArray);
    const Array* array =
        context().textures.find_array(mipmap ? mipmap->levels.front() : asked.res.array.hArray);
    if (array) channels = array->channels;
  }
  return true;
}

CUDA_RESOURCE_DESC as_driver(const cudaResourceDesc& found) {
  CUDA_RESOURCE_DESC same{};
  same.resType = found.resType;
  same.flags = found.flags;
  if (found.resType == ResourceType::linear) {
    const auto& linear = found.res.linear;
    const ChannelFormat format = format_of(linear.desc);
    same.res.linear = {address_of(linear.devPtr), format.format, format.channels,
                       linear.sizeInBytes};
  } else if (found.resType == ResourceType::pitch2d) {
    const auto& plane = found.res.pitch2D;
    const ChannelFormat format = format_of(plane.desc);
    same.res.pitch2D = {
        address_of(plane.devPtr), format.format, format.channels, plane.width, plane.height,
        plane.pitchInBytes};
  } else {
    same.res.array.hArray = found.res.array.array;
  }
  return same;
}

bool is_whole(const cudaChannelFormatDesc& channels) {
  return static_cast<ChannelKind>(channels.f) != ChannelKind::is_float;
}

/// Whole numbers of 8 and 16 bits become 0 to 1 unless that is forbidden; of others it is not said.
cudaTextureDesc as_runtime(const CUDA_TEXTURE_DESC& asked, const cudaChannelFormatDesc& channels) {
  cudaTextureDesc same{};
  std::memcpy(same.addressMode, asked.addressMode, sizeof same.addressMode);
  std::memcpy(same.borderColor, asked.borderColor, sizeof same.borderColor);
  const bool is_small =
      channels.x < 32 && static_cast<ChannelKind>(channels.f) != ChannelKind::is_float;
  same.filterMode = asked.filterMode;
  same.readMode = is_small && (asked.flags & kAsInteger) == 0;
  same.sRGB = (asked.flags & kSrgb) != 0;
  same.normalizedCoords = (asked.flags & kNormalized) != 0;
  same.maxAnisotropy = asked.maxAnisotropy;
  same.mipmapFilterMode = asked.mipmapFilterMode;
  same.mipmapLevelBias = asked.mipmapLevelBias;
  same.minMipmapLevelClamp = asked.minMipmapLevelClamp;
  same.maxMipmapLevelClamp = asked.maxMipmapLevelClamp;
  same.disableTrilinearOptimization = (asked.flags & kNoTrilinear) != 0;
  same.seamlessCubemap = (asked.flags & kSeamless) != 0;
  return same;
}

CUDA_TEXTURE_DESC as_driver(const cudaTextureDesc& found) {
  CUDA_TEXTURE_DESC same{};
  std::memcpy(same.addressMode, found.addressMode, sizeof same.addressMode);
  std::memcpy(same.borderColor, found.borderColor, sizeof same.borderColor);
  same.filterMode = found.filterMode;
  same.flags = (found.readMode == 0 ? kAsInteger : 0) | (found.sRGB != 0 ? kSrgb : 0) |
               (found.normalizedCoords != 0 ? kNormalized : 0) |
               (found.disableTrilinearOptimization != 0 ? kNoTrilinear : 0) |
               (found.seamlessCubemap != 0 ? kSeamless : 0);
  same.maxAnisotropy = found.maxAnisotropy;
  same.mipmapFilterMode = found.mipmapFilterMode;
  same.mipmapLevelBias = found.mipmapLevelBias;
  same.minMipmapLevelClamp = found.minMipmapLevelClamp;
  same.maxMipmapLevelClamp = found.maxMipmapLevelClamp;
  return same;
}

/// ask(runtime's description): what it has answered, in the driver's words.
template <class Runtime, class Driver, class Ask>
CUresult tell(Driver* answer, Ask ask, const char* function_called = __builtin_FUNCTION()) {
  const auto run = [&] {
    if (!answer) return cudaErrorInvalidValue;
    Runtime found{};
    const cudaError error = ask(&found);
    if (error == cudaSuccess) *answer = as_driver(found);
    return error;
  };
  return drive(run, function_called);
}

}  // namespace

CUresult cuTexObjectCreate(unsigned long long* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* how, const cudaResourceViewDesc* view) {
  return drive([&] {
    if (!is_mapped(resource, sizeof *resource) || !is_mapped(how, sizeof *how))
      return cudaErrorInvalidValue;
    cudaResourceDesc same{};
    cudaChannelFormatDesc channels{};
    if (!as_runtime(*resource, same, channels)) return cudaErrorInvalidValue;
    cudaTextureDesc same_how = as_runtime(*how, channels);
    const bool is_memory =
        same.resType == ResourceType::linear || same.resType == ResourceType::pitch2d;
    if (is_memory && is_whole(channels) && same_how.readMode == 0)
      same_how.filterMode = 0;  // may be asked for, and cannot be done
    const cudaError error = cudaCreateTextureObject(texture, &same, &same_how, view);
    if (error == cudaSuccess) context().driver_textures[*texture] = *how;
    return error;
  });
}

CUresult cuTexObjectDestroy(unsigned long long texture) {
  context().driver_textures.erase(texture);
  return drive([&] { return cudaDestroyTextureObject(texture); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, unsigned long long texture) {
  return tell<cudaResourceDesc>(resource, [&](cudaResourceDesc* found) {
    return cudaGetTextureObjectResourceDesc(found, texture);
  });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* how, unsigned long long texture) {
  const auto& told = context().driver_textures;
  if (const auto found = told.find(texture); found != told.end() && how) {
    *how = found->second;
    return 0;
  }
  return tell<cudaTextureDesc>(
      how, [&](cudaTextureDesc* found) { return cudaGetTextureObjectTextureDesc(found, texture); });
}

CUresult cuSurfObjectCreate(unsigned long long* surface, const CUDA_RESOURCE_DESC* resource) {
  return drive([&] {
    cudaResourceDesc same{};
    cudaChannelFormatDesc channels{};
    if (!is_mapped(resource, sizeof *resource) || !as_runtime(*resource, same, channels))
      return cudaErrorInvalidValue;
    return cudaCreateSurfaceObject(surface, &same);
  });
}

CUresult cuSurfObjectDestroy(unsigned long long surface) {
  return drive([&] { return cudaDestroySurfaceObject(surface); });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, unsigned long long surface) {
  return tell<cudaResourceDesc>(resource, [&](cudaResourceDesc* found) {
    return cudaGetSurfaceObjectResourceDesc(found, surface);
  });
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t* texels, int format, unsigned channels,
                                            CUdevice device) {
  return drive([&] {
    const auto texel = channels_of(format, channels);
    return texel ? cudaDeviceGetTexture1DLinearMaxWidth(texels, &*texel, device)
                 : cudaErrorInvalidValue;
  });
}

}  // namespace lanescope::cudart
