// SPDX-License-Identifier: MIT
// Arrays of the driver API: the runtime's, described in other words.
#include "cudart/driver/driver_array.hpp"

#include <optional>

#include "cudart/api/api_texture.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

std::optional<cudaChannelFormatDesc> channels_of(int format, unsigned count) {
  struct Known {
    int format, bits;
    ChannelKind kind;
  };
  constexpr Known kKnown[] = {
      {0x01, 8, ChannelKind::is_unsigned},  {0x02, 16, ChannelKind::is_unsigned},
      {0x03, 32, ChannelKind::is_unsigned}, {0x08, 8, ChannelKind::is_signed},
      {0x09, 16, ChannelKind::is_signed},   {0x0a, 32, ChannelKind::is_signed},
      {0x10, 16, ChannelKind::is_float},    {0x20, 32, ChannelKind::is_float}};
  for (const Known& known : kKnown)
    if (known.format == format && (count == 1 || count == 2 || count == 4)) {
      const auto bits = [&](unsigned channel) { return channel < count ? known.bits : 0; };
      return cudaChannelFormatDesc{bits(0), bits(1), bits(2), bits(3),
                                   static_cast<int>(known.kind)};
    }
  return std::nullopt;
}

ChannelFormat format_of(const cudaChannelFormatDesc& channels) {
  const auto kind = static_cast<ChannelKind>(channels.f);
  const int size = channels.x == 8 ? 0 : channels.x == 16 ? 1 : 2;
  const int format = kind == ChannelKind::is_float    ? (size == 1 ? 0x10 : 0x20)
                     : kind == ChannelKind::is_signed ? 0x08 + size
                                                      : 0x01 + size;
  return {format, channels.w != 0 ? 4u : channels.y != 0 ? 2u : 1u};
}

CUresult cuArrayCreate_v2(CUhandle* array, const CUDA_ARRAY_DESCRIPTOR* asked) {
  if (!is_mapped(asked, sizeof *asked)) return to_driver(cudaErrorInvalidValue);
  const CUDA_ARRAY3D_DESCRIPTOR deep{asked->Width,  asked->Height,      0,
                                     asked->Format, asked->NumChannels, 0};
  return cuArray3DCreate_v2(array, &deep);
}

CUresult cuArray3DCreate_v2(CUhandle* array, const CUDA_ARRAY3D_DESCRIPTOR* asked) {
  return drive([&] {
    if (!is_mapped(asked, sizeof *asked)) return cudaErrorInvalidValue;
    const auto channels = channels_of(asked->Format, asked->NumChannels);
    if (!channels) return cudaErrorInvalidValue;
    return cudaMalloc3DArray(array, &*channels, {asked->Width, asked->Height, asked->Depth},
                             asked->Flags);
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* found, CUhandle array) {
  CUDA_ARRAY3D_DESCRIPTOR deep{};
  const CUresult error = cuArray3DGetDescriptor_v2(found ? &deep : nullptr, array);
  if (error == 0) *found = {deep.Width, deep.Height, deep.Format, deep.NumChannels};
  return error;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* found, CUhandle array) {
  return drive([&] {
    if (!found) return cudaErrorInvalidValue;
    cudaChannelFormatDesc channels{};
    cudaExtent extent{};
    unsigned flags = 0;
    const cudaError error = cudaArrayGetInfo(&channels, &extent, &flags, array);
    if (error != cudaSuccess) return error;
    const ChannelFormat format = format_of(channels);
    *found = {extent.width, extent.height, extent.depth, format.format, format.channels, flags};
    return cudaSuccess;
  });
}

CUresult cuArrayDestroy(CUhandle array) {
  return drive([&] { return array ? cudaFreeArray(array) : cudaErrorInvalidResourceHandle; });
}

CUresult cuMipmappedArrayCreate(CUhandle* mipmap, const CUDA_ARRAY3D_DESCRIPTOR* asked,
                                unsigned levels) {
  return drive([&] {
    if (!is_mapped(asked, sizeof *asked)) return cudaErrorInvalidValue;
    const auto channels = channels_of(asked->Format, asked->NumChannels);
    if (!channels) return cudaErrorInvalidValue;
    return cudaMallocMipmappedArray(mipmap, &*channels, {asked->Width, asked->Height, asked->Depth},
                                    levels, asked->Flags);
  });
}

CUresult cuMipmappedArrayGetLevel(CUhandle* array, CUhandle mipmap, unsigned level) {
  return drive([&] { return cudaGetMipmappedArrayLevel(array, mipmap, level); });
}

CUresult cuMipmappedArrayDestroy(CUhandle mipmap) {
  return drive(
      [&] { return mipmap ? cudaFreeMipmappedArray(mipmap) : cudaErrorInvalidResourceHandle; });
}

}  // namespace lanescope::cudart
