// SPDX-License-Identifier: MIT
// What the driver API describes in other words than the runtime: copies, arrays, textures, nodes of
// graphs. The memory layout of CUDA 13.0's cuda.h (tests/cudart/abi_test.cpp compares).
#pragma once

#include "cudart/abi_texture.hpp"

namespace lanescope::cudart {

using CUdeviceptr = std::uint64_t;
using CUhandle = void*;  // CUcontext, CUmodule, CUfunction, CUstream, CUevent, CUlibrary, CUkernel

struct CUexecAffinityParam {
  int type;  // 0: multiprocessors
  unsigned count;
};

struct CUctxCreateParams {
  const void* affinity;
  int affinities;
  void* graphics;
};

struct CUdevprop {
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int sharedMemPerBlock, totalConstantMemory, SIMDWidth, memPitch, regsPerBlock, clockRate;
  int textureAlign;
};

/// CUstreamBatchMemOpParams: a value, or nothing but the operation and its flags.
struct CUstreamOperation {
  unsigned operation;
  unsigned short_flags;  // of a barrier, or of what flushes
  CUdeviceptr address;
  std::uint64_t value;  // of 32 bits the lower half
  unsigned flags;
  CUdeviceptr alias;
  std::uint64_t unused;
};

struct CUDA_MEMCPY2D {
  std::size_t srcXInBytes, srcY;
  int srcMemoryType;  // 1 host, 2 device, 3 array, 4 unified
  const void* srcHost;
  CUdeviceptr srcDevice;
  void* srcArray;
  std::size_t srcPitch;
  std::size_t dstXInBytes, dstY;
  int dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  void* dstArray;
  std::size_t dstPitch;
  std::size_t WidthInBytes, Height;
};

struct CUDA_MEMCPY3D {
  std::size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;  // 1 host, 2 device, 3 array, 4 unified
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUhandle srcArray, reserved0;
  std::size_t srcPitch, srcHeight;
  std::size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUhandle dstArray, reserved1;
  std::size_t dstPitch, dstHeight;
  std::size_t WidthInBytes, Height, Depth;
};

struct CUDA_ARRAY_DESCRIPTOR {
  std::size_t Width, Height;
  int Format;
  unsigned NumChannels;
};

struct CUDA_ARRAY3D_DESCRIPTOR {
  std::size_t Width, Height, Depth;
  int Format;
  unsigned NumChannels;
  unsigned Flags;  // as the runtime's
};

struct CUDA_RESOURCE_DESC {
  ResourceType resType;
  union {
    struct {
      CUhandle hArray;
    } array;
    struct {
      CUdeviceptr devPtr;
      int format;
      unsigned numChannels;
      std::size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      int format;
      unsigned numChannels;
      std::size_t width, height, pitchInBytes;
    } pitch2D;
    int reserved[32];
  } res;
  unsigned flags;
};

struct CUDA_TEXTURE_DESC {
  int addressMode[3];
  int filterMode;
  unsigned flags;
  unsigned maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
};

struct CUDA_KERNEL_NODE_PARAMS {  // _v2
  cudaKernelNodeParams node;
  CUhandle kernel;  // where `node` names no function
  CUhandle context;
};

struct CUDA_MEMCPY_NODE_PARAMS {
  int flags, reserved;
  CUhandle context;
  CUDA_MEMCPY3D copy;
};

/// What is not a kernel or a copy is as the runtime has it.
struct CUgraphNodeParams {
  int type;
  int reserved0[3];
  union {
    long long reserved1[29];
    CUDA_KERNEL_NODE_PARAMS kernel;
    CUDA_MEMCPY_NODE_PARAMS memcpy;
  };
  long long reserved2;
};

struct CUmemAllocationProp {
  int type;  // 1: pinned, there is no other
  int requestedHandleTypes;
  cudaMemLocation location;
  void* win32HandleMetaData;
  unsigned char allocFlags[8];
};
using CUmemAccessDesc = cudaMemAccessDesc;

}  // namespace lanescope::cudart
