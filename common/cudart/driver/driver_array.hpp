// SPDX-License-Identifier: MIT
// Arrays, textures, surfaces and copies of blocks, as the driver API describes them. Source: cuda.h
// of CUDA 13.0.
#pragma once

#include <optional>

#include "cudart/abi_driver.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

/// CUarray_format and number of channels, as the runtime has them; and back.
std::optional<cudaChannelFormatDesc> channels_of(int format, unsigned count);
struct ChannelFormat {
  int format;
  unsigned channels;
};
ChannelFormat format_of(const cudaChannelFormatDesc& channels);

/// The same copy as the runtime has it; cudaErrorInvalidValue where there is none.
cudaError as_runtime(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& same);
/// And back.
CUDA_MEMCPY3D as_driver(const cudaMemcpy3DParms& copy);

LANESCOPE_API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy);
LANESCOPE_API CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy);
LANESCOPE_API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUhandle stream);
LANESCOPE_API CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy);
LANESCOPE_API CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUhandle stream);
LANESCOPE_API CUresult cuMemcpyAtoA_v2(CUhandle to, std::size_t to_byte, CUhandle from,
                                       std::size_t from_byte, std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUhandle from, std::size_t byte,
                                       std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyDtoA_v2(CUhandle to, std::size_t byte, CUdeviceptr from,
                                       std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyAtoH_v2(void* to, CUhandle from, std::size_t byte,
                                       std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyHtoA_v2(CUhandle to, std::size_t byte, const void* from,
                                       std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyAtoHAsync_v2(void* to, CUhandle from, std::size_t byte,
                                            std::size_t bytes, CUhandle stream);
LANESCOPE_API CUresult cuMemcpyHtoAAsync_v2(CUhandle to, std::size_t byte, const void* from,
                                            std::size_t bytes, CUhandle stream);

LANESCOPE_API CUresult cuArrayCreate_v2(CUhandle* array, const CUDA_ARRAY_DESCRIPTOR* asked);
LANESCOPE_API CUresult cuArray3DCreate_v2(CUhandle* array, const CUDA_ARRAY3D_DESCRIPTOR* asked);
LANESCOPE_API CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* found, CUhandle array);
LANESCOPE_API CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* found, CUhandle array);
LANESCOPE_API CUresult cuArrayDestroy(CUhandle array);
LANESCOPE_API CUresult cuMipmappedArrayCreate(CUhandle* mipmap,
                                              const CUDA_ARRAY3D_DESCRIPTOR* asked,
                                              unsigned levels);
LANESCOPE_API CUresult cuMipmappedArrayGetLevel(CUhandle* array, CUhandle mipmap, unsigned level);
LANESCOPE_API CUresult cuMipmappedArrayDestroy(CUhandle mipmap);
LANESCOPE_API CUresult cuTexObjectCreate(unsigned long long* texture,
                                         const CUDA_RESOURCE_DESC* resource,
                                         const CUDA_TEXTURE_DESC* how,
                                         const cudaResourceViewDesc* view);
LANESCOPE_API CUresult cuTexObjectDestroy(unsigned long long texture);
LANESCOPE_API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource,
                                                  unsigned long long texture);
LANESCOPE_API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* how,
                                                 unsigned long long texture);
LANESCOPE_API CUresult cuSurfObjectCreate(unsigned long long* surface,
                                          const CUDA_RESOURCE_DESC* resource);
LANESCOPE_API CUresult cuSurfObjectDestroy(unsigned long long surface);
LANESCOPE_API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource,
                                                   unsigned long long surface);

}  // namespace lanescope::cudart
