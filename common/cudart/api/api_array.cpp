// SPDX-License-Identifier: MIT
// Arrays: memory of the card whose rows only copies, textures and surfaces know.
#include <fmt/format.h>

#include <algorithm>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::uint64_t kRowBytes = 64;  // rows begin at multiples of it
constexpr unsigned kFlags = kArrayLayered | kArraySurface | kArrayCubemap | kArrayGather;

/// The limits of a kind of array, by cudaDeviceAttr; 0: it has not that direction.
struct Limits {
  int width = 0, height = 0, depth = 0;
};

Limits limits_of(const cudaExtent& extent, unsigned flags) {
  const bool stores = (flags & kArraySurface) != 0, is_flat = extent.height == 0;
  if ((flags & kArrayCubemap) != 0) {
    const bool is_layered = (flags & kArrayLayered) != 0;
    if (is_layered) return stores ? Limits{67, 67, 68} : Limits{53, 53, 54};
    return stores ? Limits{66, 66, 0} : Limits{52, 52, 0};
  }
  if ((flags & kArrayLayered) != 0) {
    if (is_flat) return stores ? Limits{61, 0, 62} : Limits{42, 0, 43};
    return stores ? Limits{63, 64, 65} : Limits{27, 28, 29};
  }
  if (extent.depth != 0) return stores ? Limits{58, 59, 60} : Limits{24, 25, 26};
  if (is_flat) return stores ? Limits{55, 0, 0} : Limits{21, 0, 0};
  if ((flags & kArrayGather) != 0) return {45, 46, 0};
  return stores ? Limits{56, 57, 0} : Limits{22, 23, 0};
}

bool fits(std::size_t size, int attribute) {
  return attribute == 0 || size <= static_cast<std::size_t>(*texture_limit(attribute));
}

/// "" where such an array can be.
std::string impossible(const cudaExtent& extent, unsigned flags) {
  const bool is_layered = (flags & kArrayLayered) != 0;
  if (extent.width == 0) return "an array has a width of 1 at least";
  if (is_layered && extent.depth == 0) return "a layered array has a layer at least";
  if ((flags & kArrayCubemap) != 0 && (extent.width != extent.height || extent.depth % 6 != 0 ||
                                       (is_layered ? extent.depth == 0 : extent.depth != 6)))
    return "a cube map has six square faces, a layered one six a layer";
  if (!is_layered && extent.height == 0 && extent.depth != 0)
    return "an array with a depth has a height, too";
  if ((flags & kArrayGather) != 0 && (extent.height == 0 || extent.depth != 0))
    return "cudaArrayTextureGather is for two dimensions";
  const Limits limits = limits_of(extent, flags);
  if (fits(extent.width, limits.width) && fits(extent.height, limits.height) &&
      fits(extent.depth, limits.depth))
    return "";
  constexpr Limits kDeep{47, 48, 49};  // a volume may be deeper where it is narrower
  const bool is_volume = extent.depth != 0 && !is_layered;
  if (is_volume && fits(extent.width, kDeep.width) && fits(extent.height, kDeep.height) &&
      fits(extent.depth, kDeep.depth))
    return "";
  return fmt::format("{} x {} x {} texels are more than cudaDeviceProp allows", extent.width,
                     extent.height, extent.depth);
}

emulator::TextureImage shape(const Texel& texel, const cudaExtent& extent, unsigned flags) {
  emulator::TextureImage image;
  image.format = texel.format;
  image.channels = texel.channels;
  image.is_layered = (flags & kArrayLayered) != 0;
  image.is_cube = (flags & kArrayCubemap) != 0;
  image.dims = extent.height == 0                      ? 1
               : image.is_cube                         ? 2
               : extent.depth == 0 || image.is_layered ? 2
                                                       : 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t sizes[3] = {extent.width, extent.height, extent.depth};
    image.size[axis] = static_cast<std::int64_t>(std::max<std::size_t>(sizes[axis], 1));
  }
  const std::uint64_t bytes = extent.width * static_cast<std::uint64_t>(image.texel_bytes());
  image.pitch_bytes = (bytes + kRowBytes - 1) / kRowBytes * kRowBytes;
  image.slice_bytes = image.pitch_bytes * static_cast<std::uint64_t>(image.size[1]);
  return image;
}

cudaError make(Context& state, cudaArray_t* array, const cudaChannelFormatDesc* channels,
               const cudaExtent& extent, unsigned flags) {
  if (!array || !is_mapped(channels, sizeof *channels)) return cudaErrorInvalidValue;
  if ((flags & ~kFlags) != 0)
    return refuse(state, cudaErrorNotSupported,
                  fmt::format("arrays with the flags {:#x} (sparse, deferred mapping, colour "
                              "attachments) are not emulated",
                              flags & ~kFlags));
  const auto texel = texel_of(*channels);
  if (!texel) return cudaErrorInvalidChannelDescriptor;
  if (const std::string why = impossible(extent, flags); !why.empty())
    return refuse(state, cudaErrorInvalidValue, why);
  Array made{shape(*texel, extent, flags), *channels, extent, flags};
  const std::uint64_t bytes =
      made.image.slice_bytes * static_cast<std::uint64_t>(made.image.size[2]);
  void* memory = nullptr;
  if (const cudaError error = cudaMalloc(&memory, bytes); error != cudaSuccess) return error;
  made.image.address = address_of(memory);
  *array = handle(state.next_handle++);
  state.textures.arrays[number(*array)] = made;
  return cudaSuccess;
}

}  // namespace

cudaError cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                            cudaExtent extent, unsigned flags) {
  return call("cudaMalloc3DArray",
              [&](Context& state) { return make(state, array, channels, extent, flags); });
}

cudaError cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                          std::size_t width, std::size_t height, unsigned flags) {
  return call("cudaMallocArray", [&](Context& state) {
    return make(state, array, channels, {width, height, 0}, flags);
  });
}

cudaError cudaFreeArray(cudaArray_t array) {
  return call("cudaFreeArray", [&](Context& state) {
    if (!array) return cudaSuccess;
    const Array* found = state.textures.find_array(array);
    if (!found)
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("{} is no array, or is already freed", array));
    const cudaError error = cudaFree(handle(found->image.address));
    state.textures.arrays.erase(number(array));
    return error;
  });
}

cudaError cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                           cudaArray_t array) {
  return call("cudaArrayGetInfo", [&](Context& state) {
    const Array* found = state.textures.find_array(array);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (channels) *channels = found->channels;
    if (extent) *extent = found->extent;
    if (flags) *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError cudaGetChannelDesc(cudaChannelFormatDesc* channels, const void* array) {
  return call("cudaGetChannelDesc", [&](Context& state) {
    const Array* found = state.textures.find_array(array);
    if (!channels || !found) return cudaErrorInvalidValue;
    *channels = found->channels;
    return cudaSuccess;
  });
}

}  // namespace lanescope::cudart
