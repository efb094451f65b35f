// SPDX-License-Identifier: MIT
// Structs of parameters, made of several draws.
#pragma once

#include "things.cuh"

namespace calls {

struct Dims {
  unsigned x, y, z;
};
inline Dims dims() {
  const unsigned all[] = {0, 1, 2, 3, 32, 64, 65, 128, 256, 1024, 1025, 2000, 65536, 1, 1, 1};
  unsigned x = all[below(16)];
  unsigned y = below(3) ? 1 : all[below(16)];
  unsigned z = below(4) ? 1 : all[below(16)];
  if (uint64_t(x) * y * z > 70000) y = z = 1;
  say("{" + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "}");
  return {x, y, z};
}

/// What any kernel of texts.cuh may be given.
inline void** arguments() {
  static CUdeviceptr to;
  static unsigned value[8];
  static uint64_t zero[4];
  static void* all[] = {&to, value, zero, zero};
  static void* for_many[] = {zero, zero, value, zero};
  switch (below(10)) {
    case 0:
      to = named("null", CUdeviceptr{});
      break;
    case 1:
      to = named("man", man);
      break;
    case 2:
      to = named("mapped", address_of(mapped));
      break;
    case 3:
      return named("for_many", for_many);
    default:
      to = named("dev", dev);
  }
  value[0] = unsigned(small(0, 9));
  if (rarely(40)) to = named("dev+1", dev + 1);
  return all;
}

struct Format {
  CUarray_format format;
  unsigned channels;
};
inline Format format() {
  const int usual[] = {1, 2, 3, 8, 9, 10, 0x10, 0x20};
  const int odd[] = {0, 4, 5, 7, 11, 0x11, 0x30, -1};
  const int format = rarely(16) ? one_of(odd) : one_of(usual);
  return {CUarray_format(format), unsigned(rarely(8) ? small(0, 5) : 1 << small(0, 2))};
}

struct Extent {
  size_t x, y, z;
};
inline Extent extent() {
  const size_t all[] = {0, 1, 2, 4, 8, 16, 64, 6, 12, 20000, 200000};
  Extent made{all[below(10) ? below(9) : below(11)], all[below(8) ? below(8) : below(11)],
              all[below(8) ? below(8) : below(11)]};
  if (!below(3)) made.y = 0;
  if (!below(2)) made.z = 0;
  say("{" + std::to_string(made.x) + " " + std::to_string(made.y) + " " + std::to_string(made.z) +
      "}");
  return made;
}

/// Where one end of a copy is.
struct Place {
  CUmemorytype type;
  void* host;
  CUdeviceptr device;
  CUarray array;
  size_t pitch, x, y;
};
inline Place place() {
  Place made{};
  made.type = CUmemorytype(rarely(20) ? small(0, 6) : small(1, 4));
  if (made.type == CU_MEMORYTYPE_HOST)
    made.host = pointer();
  else if (made.type == CU_MEMORYTYPE_ARRAY)
    made.array = an_array();
  else
    made.device = address();
  made.pitch = below(2) ? 0 : bytes();
  if (!below(3)) made.x = few();
  if (!below(3)) made.y = few();
  return made;
}
inline CUDA_MEMCPY2D copy2d() {
  CUDA_MEMCPY2D made{};
  const Place from = place();
  made.srcMemoryType = from.type;
  made.srcHost = from.host;
  made.srcDevice = from.device;
  made.srcArray = from.array;
  made.srcPitch = from.pitch;
  made.srcXInBytes = from.x;
  made.srcY = from.y;
  const Place to = place();
  made.dstMemoryType = to.type;
  made.dstHost = to.host;
  made.dstDevice = to.device;
  made.dstArray = to.array;
  made.dstPitch = to.pitch;
  made.dstXInBytes = to.x;
  made.dstY = to.y;
  made.WidthInBytes = rarely(6) ? bytes() : few();
  made.Height = few();
  return made;
}
inline CUDA_MEMCPY3D copy3d() {
  CUDA_MEMCPY3D made{};
  const Place from = place();
  made.srcMemoryType = from.type;
  made.srcHost = from.host;
  made.srcDevice = from.device;
  made.srcArray = from.array;
  made.srcPitch = from.pitch;
  made.srcHeight = below(2) ? 0 : few();
  made.srcXInBytes = from.x;
  made.srcY = from.y;
  made.srcZ = below(3) ? 0 : few();
  const Place to = place();
  made.dstMemoryType = to.type;
  made.dstHost = to.host;
  made.dstDevice = to.device;
  made.dstArray = to.array;
  made.dstPitch = to.pitch;
  made.dstHeight = below(2) ? 0 : few();
  made.dstXInBytes = to.x;
  made.dstY = to.y;
  made.dstZ = below(3) ? 0 : few();
  made.WidthInBytes = rarely(6) ? bytes() : few();
  made.Height = few();
  made.Depth = rarely(3) ? few() : 1;
  return made;
}

inline CUDA_KERNEL_NODE_PARAMS kernel_node() {
  CUDA_KERNEL_NODE_PARAMS made{};
  if (rarely(4))
    made.kern = kernel();
  else
    made.func = function();
  const Dims grid = dims(), block = dims();
  made.gridDimX = grid.x;
  made.gridDimY = grid.y;
  made.gridDimZ = grid.z;
  made.blockDimX = block.x;
  made.blockDimY = block.y;
  made.blockDimZ = block.z;
  made.sharedMemBytes = unsigned(bytes());
  made.kernelParams = arguments();
  return made;
}
inline CUDA_MEMSET_NODE_PARAMS memset_node() {
  CUDA_MEMSET_NODE_PARAMS made{};
  made.dst = address();
  made.elementSize = unsigned(small(0, 5));
  made.width = few();
  made.height = few();
  made.pitch = bytes();
  made.value = 7;
  return made;
}

inline CUDA_RESOURCE_DESC resource() {
  CUDA_RESOURCE_DESC made;
  memset(&made, 0, sizeof made);
  made.resType = CUresourcetype(small(0, below(8) ? 3 : 5));
  if (made.resType == CU_RESOURCE_TYPE_ARRAY) made.res.array.hArray = an_array();
  if (made.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    made.res.mipmap.hMipmappedArray =
        below(8) ? named("mip", mip) : named("null", CUmipmappedArray{});
  if (made.resType == CU_RESOURCE_TYPE_LINEAR) {
    made.res.linear.devPtr = address();
    const Format how = format();
    made.res.linear.format = how.format;
    made.res.linear.numChannels = how.channels;
    made.res.linear.sizeInBytes = bytes();
  }
  if (made.resType == CU_RESOURCE_TYPE_PITCH2D) {
    made.res.pitch2D.devPtr = address();
    const Format how = format();
    made.res.pitch2D.format = how.format;
    made.res.pitch2D.numChannels = how.channels;
    made.res.pitch2D.width = few();
    made.res.pitch2D.height = few();
    made.res.pitch2D.pitchInBytes = bytes();
  }
  if (rarely(20)) made.flags = unsigned(small(0, 1));
  return made;
}
inline CUDA_TEXTURE_DESC texture() {
  CUDA_TEXTURE_DESC made;
  memset(&made, 0, sizeof made);
  for (auto& mode : made.addressMode) mode = CUaddress_mode(small(0, below(10) ? 3 : 5));
  made.filterMode = CUfilter_mode(small(0, below(10) ? 1 : 2));
  made.flags = unsigned(rarely(6) ? small(0, 130) : small(0, 3));
  made.maxAnisotropy = unsigned(below(4) ? 0 : small(0, 20));
  made.mipmapFilterMode = CUfilter_mode(small(0, 1));
  return made;
}
inline CUDA_RESOURCE_VIEW_DESC view() {
  CUDA_RESOURCE_VIEW_DESC made;
  memset(&made, 0, sizeof made);
  made.format = CUresourceViewFormat(small(0, 36));
  made.width = few();
  made.height = few();
  made.depth = below(3) ? 0 : few();
  made.firstMipmapLevel = below(3) ? 0 : unsigned(few());
  made.lastMipmapLevel = below(3) ? 0 : unsigned(few());
  made.firstLayer = below(3) ? 0 : unsigned(few());
  made.lastLayer = below(3) ? 0 : unsigned(few());
  return made;
}

inline CUmemLocation location() {
  CUmemLocation made{};
  made.type = CUmemLocationType(rarely(3) ? small(0, 5) : small(1, 1));
  made.id = rarely(6) ? small(-1, 1) : 0;
  return made;
}
inline CUmemAllocationProp memory_kind() {
  CUmemAllocationProp made{};
  made.type = CUmemAllocationType(rarely(8) ? small(0, 3) : 1);
  made.requestedHandleTypes = CUmemAllocationHandleType(rarely(3) ? small(0, 9) : 0);
  made.location = rarely(2) ? location() : CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  if (rarely(10)) made.allocFlags.compressionType = (unsigned char)small(0, 2);
  if (rarely(10)) made.allocFlags.gpuDirectRDMACapable = (unsigned char)small(0, 2);
  if (rarely(10)) made.allocFlags.usage = (unsigned short)small(0, 3);
  return made;
}

}  // namespace calls
