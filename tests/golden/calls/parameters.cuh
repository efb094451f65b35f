// SPDX-License-Identifier: MIT
// Structs of parameters, made of several draws. The arguments of a call are drawn from right to
// left, as g++ evaluates them; a list in braces goes from left to right.
#pragma once

#include "things.cuh"

namespace calls {

inline dim3 dims() {
  const unsigned all[] = {0, 1, 2, 3, 32, 64, 65, 128, 256, 1024, 1025, 2000, 65536, 1, 1, 1};
  unsigned x = all[below(16)];
  unsigned y = below(3) ? 1 : all[below(16)];
  unsigned z = below(4) ? 1 : all[below(16)];
  if (uint64_t(x) * y * z > 3000000) y = z = 1;
  say("{" + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "}");
  return dim3(x, y, z);
}

inline cudaChannelFormatDesc format() {
  const int bits[] = {0, 8, 16, 32, 8, 16, 32, 64, 5};
  cudaChannelFormatDesc made{};
  made.x = bits[1 + below(6)];
  if (!below(12)) made.x = bits[below(9)];
  const int more = int(below(4));
  made.y = more > 0 ? made.x : 0;
  made.z = more > 1 ? made.x : 0;
  made.w = more > 2 ? made.x : 0;
  if (!below(12)) made.y = bits[below(9)];
  made.f = cudaChannelFormatKind(below(10) ? below(4) : below(30));
  char text[80];
  snprintf(text, sizeof text, "{%d %d %d %d f%d}", made.x, made.y, made.z, made.w, made.f);
  say(text);
  return made;
}

inline cudaExtent extent() {
  const size_t all[] = {0, 1, 2, 4, 8, 16, 64, 6, 12, 20000, 200000};
  cudaExtent made{all[below(10) ? below(9) : below(11)], all[below(8) ? below(8) : below(11)],
                  all[below(8) ? below(8) : below(11)]};
  if (!below(3)) made.height = 0;
  if (!below(2)) made.depth = 0;
  char text[80];
  snprintf(text, sizeof text, "{%zu %zu %zu}", made.width, made.height, made.depth);
  say(text);
  return made;
}

inline cudaPitchedPtr pitched() {
  char* to = pointer();
  const size_t pitch = bytes();
  const size_t x = few();
  const size_t y = few();
  return cudaPitchedPtr{to, pitch, x, y};
}

inline cudaMemcpy3DParms copy3d() {
  cudaMemcpy3DParms made{};
  if (below(2)) made.srcArray = an_array();
  if (below(2)) made.srcPtr = pitched();
  if (!below(3)) made.srcPos = {few(), few(), few()};
  if (below(2)) made.dstArray = an_array();
  if (below(2)) made.dstPtr = pitched();
  if (!below(3)) made.dstPos = {few(), few(), few()};
  made.extent = extent();
  made.kind = kind();
  return made;
}

inline cudaKernelNodeParams kernel_node() {
  static int* null_pointer;
  static void* arguments[] = {&null_pointer};
  cudaKernelNodeParams made{};
  made.func = (void*)function();
  made.gridDim = dims();
  made.blockDim = dims();
  made.sharedMemBytes = unsigned(bytes());
  made.kernelParams = arguments;
  return made;
}

inline cudaMemsetParams memset_node() {
  cudaMemsetParams made{};
  made.dst = pointer();
  made.elementSize = unsigned(small(0, 5));
  made.width = few();
  made.height = few();
  made.pitch = bytes();
  made.value = 7;
  return made;
}

inline cudaResourceDesc resource() {
  cudaResourceDesc made;
  memset(&made, 0, sizeof made);
  made.resType = cudaResourceType(small(0, below(8) ? 3 : 5));
  switch (made.resType) {
    case cudaResourceTypeArray:
      made.res.array.array = an_array();
      break;
    case cudaResourceTypeMipmappedArray:
      made.res.mipmap.mipmap = below(8) ? named("mip", mip) : named("null", cudaMipmappedArray_t{});
      break;
    case cudaResourceTypeLinear:
      made.res.linear.devPtr = pointer();
      made.res.linear.desc = format();
      made.res.linear.sizeInBytes = bytes();
      break;
    case cudaResourceTypePitch2D:
      made.res.pitch2D.devPtr = pointer();
      made.res.pitch2D.desc = format();
      made.res.pitch2D.width = few();
      made.res.pitch2D.height = few();
      made.res.pitch2D.pitchInBytes = bytes();
      break;
    default:
      break;
  }
  return made;
}

inline cudaTextureDesc texture() {
  cudaTextureDesc made;
  memset(&made, 0, sizeof made);
  for (auto& mode : made.addressMode) mode = cudaTextureAddressMode(small(0, below(10) ? 3 : 5));
  made.filterMode = cudaTextureFilterMode(small(0, below(10) ? 1 : 2));
  made.readMode = cudaTextureReadMode(small(0, below(10) ? 1 : 2));
  made.sRGB = small(0, 1);
  made.normalizedCoords = small(0, 1);
  made.maxAnisotropy = unsigned(below(4) ? 0 : small(0, 20));
  made.mipmapFilterMode = cudaTextureFilterMode(small(0, 1));
  made.disableTrilinearOptimization = below(6) ? 0 : small(0, 1);
  made.seamlessCubemap = below(6) ? 0 : small(0, 1);
  return made;
}

}  // namespace calls
