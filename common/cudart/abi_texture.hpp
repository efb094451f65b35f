// SPDX-License-Identifier: MIT
// Arrays, textures and surfaces as programs describe them, the memory layout of CUDA 13.0
// (tests/cudart/abi_test.cpp compares).
#pragma once

#include "cudart/abi.hpp"

namespace lanescope::cudart {

using cudaArray_t = void*;
using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;

inline constexpr unsigned kArrayLayered = 1, kArraySurface = 2, kArrayCubemap = 4, kArrayGather = 8;

enum class ChannelKind : int { is_signed = 0, is_unsigned = 1, is_float = 2, none = 3 };

enum class ResourceType : int { array = 0, mipmapped = 1, linear = 2, pitch2d = 3 };

struct cudaResourceDesc {
  ResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t width;
      std::size_t height;
      std::size_t pitchInBytes;
    } pitch2D;
    int reserved[32];
  } res;
  unsigned flags;
};

struct cudaTextureDesc {
  int addressMode[3];
  int filterMode;
  int readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};

struct cudaResourceViewDesc {
  int format;
  std::size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel;
  unsigned firstLayer, lastLayer;
  unsigned reserved[16];
};

}  // namespace lanescope::cudart
