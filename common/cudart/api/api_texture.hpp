// SPDX-License-Identifier: MIT
// Arrays, textures and surfaces: what api.hpp would declare, were it not long already.
#pragma once

#include "cudart/abi_texture.hpp"

namespace lanescope::cudart {

// api_array.cpp
LANESCOPE_API cudaError cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                                        std::size_t width, std::size_t height, unsigned flags);
LANESCOPE_API cudaError cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                                          cudaExtent extent, unsigned flags);
LANESCOPE_API cudaError cudaFreeArray(cudaArray_t array);
LANESCOPE_API cudaError cudaArrayGetPlane(cudaArray_t* plane, cudaArray_t array, unsigned index);
LANESCOPE_API cudaError cudaArrayGetMemoryRequirements(void* answer, cudaArray_t array, int device);
LANESCOPE_API cudaError cudaArrayGetSparseProperties(void* answer, cudaArray_t array);
LANESCOPE_API cudaError cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent,
                                         unsigned* flags, cudaArray_t array);
LANESCOPE_API cudaError cudaMallocMipmappedArray(cudaArray_t* mipmap,
                                                 const cudaChannelFormatDesc* channels,
                                                 cudaExtent extent, unsigned levels,
                                                 unsigned flags);
LANESCOPE_API cudaError cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaArray_t mipmap,
                                                   unsigned level);
LANESCOPE_API cudaError cudaFreeMipmappedArray(cudaArray_t mipmap);
LANESCOPE_API cudaError cudaGetChannelDesc(cudaChannelFormatDesc* channels, const void* array);

// api_array_copy.cpp
LANESCOPE_API cudaError cudaMemcpy2DToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y,
                                            const void* from, std::size_t pitch_bytes,
                                            std::size_t width_bytes, std::size_t height,
                                            cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y,
                                                 const void* from, std::size_t pitch_bytes,
                                                 std::size_t width_bytes, std::size_t height,
                                                 cudaMemcpyKind kind, cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpy2DFromArray(void* to, std::size_t pitch_bytes, const void* from,
                                              std::size_t x_bytes, std::size_t y,
                                              std::size_t width_bytes, std::size_t height,
                                              cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch_bytes,
                                                   const void* from, std::size_t x_bytes,
                                                   std::size_t y, std::size_t width_bytes,
                                                   std::size_t height, cudaMemcpyKind kind,
                                                   cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x_bytes,
                                                 std::size_t to_y, const void* from,
                                                 std::size_t from_x_bytes, std::size_t from_y,
                                                 std::size_t width_bytes, std::size_t height,
                                                 cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpyToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y,
                                          const void* from, std::size_t bytes, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y,
                                               const void* from, std::size_t bytes,
                                               cudaMemcpyKind kind, cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpyFromArray(void* to, const void* from, std::size_t x_bytes,
                                            std::size_t y, std::size_t bytes, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpyFromArrayAsync(void* to, const void* from, std::size_t x_bytes,
                                                 std::size_t y, std::size_t bytes,
                                                 cudaMemcpyKind kind, cudaStream_t stream);

// api_texture.cpp
LANESCOPE_API cudaError cudaCreateTextureObject(cudaTextureObject_t* texture,
                                                const cudaResourceDesc* resource,
                                                const cudaTextureDesc* how,
                                                const cudaResourceViewDesc* view);
LANESCOPE_API cudaError cudaDestroyTextureObject(cudaTextureObject_t texture);
LANESCOPE_API cudaError cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                                         cudaTextureObject_t texture);
LANESCOPE_API cudaError cudaGetTextureObjectTextureDesc(cudaTextureDesc* how,
                                                        cudaTextureObject_t texture);
LANESCOPE_API cudaError cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                             cudaTextureObject_t texture);
LANESCOPE_API cudaError cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                                const cudaResourceDesc* resource);
LANESCOPE_API cudaError cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
LANESCOPE_API cudaError cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                                         cudaSurfaceObject_t surface);
LANESCOPE_API cudaError cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* texels,
                                                             const cudaChannelFormatDesc* channels,
                                                             int device);

}  // namespace lanescope::cudart
