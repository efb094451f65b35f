// SPDX-License-Identifier: MIT
// Arrays: memory of the card whose rows only copies, textures and surfaces know.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cudart/api/api.hpp"
#include "cudart/array_limits.hpp"
#include "cudart/context.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::uint64_t kRowBytes = 64;  // rows begin at multiples of it
constexpr unsigned kFlags = kArrayLayered | kArraySurface | kArrayCubemap | kArrayGather;

// cudaArrayColorAttachment, and a number that is no flag: an H200's runtime makes no such arrays.
constexpr unsigned kNeverMade = 0x20 | 0x10;

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

/// The texel of an array that can be.
cudaError check(Context& state, const cudaArray_t* array, const cudaChannelFormatDesc* channels,
                const cudaExtent& extent, unsigned flags, Texel& texel) {
  if (!array || !is_mapped(channels, sizeof *channels)) return cudaErrorInvalidValue;
  // In the order in which an H200 looks.
  if (const std::string why = malformed_array(extent, flags); !why.empty())
    return refuse(state, cudaErrorInvalidValue, why);
  const auto found = texel_of(*channels);
  if (!found) return cudaErrorInvalidChannelDescriptor;
  if (const std::string why = too_large_array(extent, flags); !why.empty())
    return refuse(state, cudaErrorInvalidValue, why);
  if (const unsigned others = flags & ~kFlags; others != 0)
    return refuse(state, (others & kNeverMade) != 0 ? cudaErrorInvalidValue : cudaErrorNotSupported,
                  fmt::format("arrays with the flags {:#x} (sparse, deferred mapping, colour "
                              "attachments) are not emulated",
                              others));
  texel = *found;
  return cudaSuccess;
}

std::uint64_t bytes_of(const Array& array) {
  return array.image.slice_bytes * static_cast<std::uint64_t>(array.image.size[2]);
}

cudaArray_t keep(Context& state, const Array& array) {
  const cudaArray_t made = handle(state.next_handle++);
  state.textures.arrays[number(made)] = array;
  return made;
}

cudaError make(Context& state, cudaArray_t* array, const cudaChannelFormatDesc* channels,
               const cudaExtent& extent, unsigned flags) {
  Texel texel;
  const cudaError error = check(state, array, channels, extent, flags, texel);
  if (error != cudaSuccess) return error;
  Array made{shape(texel, extent, flags), *channels, extent, flags};
  void* memory = nullptr;
  if (const cudaError full = cudaMalloc(&memory, bytes_of(made)); full != cudaSuccess) return full;
  made.image.address = address_of(memory);
  *array = keep(state, made);
  return cudaSuccess;
}

/// Half of every direction, as often; layers and faces stay.
cudaExtent extent_of_level(const cudaExtent& extent, unsigned flags, unsigned level) {
  const auto half = [level](std::size_t size) {
    return size == 0 ? 0 : std::max<std::size_t>(size >> level, 1);
  };
  const bool is_volume = (flags & (kArrayLayered | kArrayCubemap)) == 0;
  return {half(extent.width), half(extent.height), is_volume ? half(extent.depth) : extent.depth};
}

/// As many as are asked for, one at least; the last has one texel.
unsigned levels_of(const cudaExtent& extent, unsigned flags, unsigned asked) {
  std::size_t longest = std::max(extent.width, extent.height);
  if ((flags & (kArrayLayered | kArrayCubemap)) == 0) longest = std::max(longest, extent.depth);
  unsigned most = 1;
  while ((longest >>= 1) != 0) ++most;
  return std::clamp(asked, 1u, most);
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
    if (found->is_level) return cudaSuccess;  // its mipmap's memory stays
    const cudaError error = cudaFree(handle(found->image.address));
    state.textures.arrays.erase(number(array));
    return error;
  });
}

cudaError cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                           cudaArray_t array) {
  return call("cudaArrayGetInfo", [&](Context& state) {
    const Array* found = state.textures.find_array(array);
    const Array none{};
    const Array& told = found ? *found : none;
    if (channels) *channels = told.channels;
    if (extent) *extent = told.extent;
    if (flags) *flags = told.flags;
    return found ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaGetChannelDesc(cudaChannelFormatDesc* channels, const void* array) {
  return call("cudaGetChannelDesc", [&](Context& state) {
    const Array* found = state.textures.find_array(array);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (!channels) return cudaErrorInvalidValue;
    *channels = found->channels;
    return cudaSuccess;
  });
}

// Arrays here are neither of planes, as those of video are, nor sparse, nor without memory of their
// own: an H200 refuses these questions of all others.
cudaError cudaArrayGetPlane(cudaArray_t*, cudaArray_t array, unsigned) {
  return call("cudaArrayGetPlane", [&](Context& state) {
    return state.textures.find_array(array) ? cudaErrorInvalidValue
                                            : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaArrayGetMemoryRequirements(void*, cudaArray_t, int) {
  return call("cudaArrayGetMemoryRequirements", [](Context&) { return cudaErrorInvalidValue; });
}

cudaError cudaArrayGetSparseProperties(void*, cudaArray_t) {
  return call("cudaArrayGetSparseProperties", [](Context&) { return cudaErrorInvalidValue; });
}

cudaError cudaMallocMipmappedArray(cudaArray_t* mipmap, const cudaChannelFormatDesc* channels,
                                   cudaExtent extent, unsigned levels, unsigned flags) {
  return call("cudaMallocMipmappedArray", [&](Context& state) {
    Texel texel;
    const cudaError error = check(state, mipmap, channels, extent, flags, texel);
    if (error != cudaSuccess) return error;
    std::vector<Array> made;
    std::uint64_t bytes = 0;
    for (unsigned level = 0; level < levels_of(extent, flags, levels); ++level) {
      const cudaExtent smaller = extent_of_level(extent, flags, level);
      made.push_back({shape(texel, smaller, flags), *channels, smaller, flags, true});
      made.back().image.address = bytes;
      bytes += bytes_of(made.back());
    }
    void* memory = nullptr;
    if (const cudaError full = cudaMalloc(&memory, bytes); full != cudaSuccess) return full;
    Mipmap all{address_of(memory), {}};
    for (Array& level : made) {
      level.image.address += all.address;
      all.levels.push_back(keep(state, level));
    }
    *mipmap = handle(state.next_handle++);
    state.textures.mipmaps[number(*mipmap)] = all;
    return cudaSuccess;
  });
}

cudaError cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaArray_t mipmap, unsigned level) {
  return call("cudaGetMipmappedArrayLevel", [&](Context& state) {
    const Mipmap* found = state.textures.find_mipmap(mipmap);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (!array || level >= found->levels.size()) return cudaErrorInvalidValue;
    *array = found->levels[level];
    return cudaSuccess;
  });
}

cudaError cudaFreeMipmappedArray(cudaArray_t mipmap) {
  return call("cudaFreeMipmappedArray", [&](Context& state) {
    if (!mipmap) return cudaSuccess;
    const Mipmap* found = state.textures.find_mipmap(mipmap);
    if (!found)
      return refuse(state, cudaErrorContextIsDestroyed,  // as an H200 has it
                    fmt::format("{} is no mipmapped array, or is already freed", mipmap));
    const cudaError error = cudaFree(handle(found->address));
    for (const cudaArray_t level : found->levels) state.textures.arrays.erase(number(level));
    state.textures.mipmaps.erase(number(mipmap));
    return error;
  });
}

}  // namespace lanescope::cudart
