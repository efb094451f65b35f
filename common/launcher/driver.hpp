// SPDX-License-Identifier: MIT
// The functions of the CUDA driver that the launcher calls, written out so that it needs no
// toolkit: libcuda.so.1 of a card's driver has them, and so has the emulator's.
//
// Source: CUDA driver API 13.0 (cuda.h).
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct CUlaunchAttribute {
  int id;  // 4: the cluster's dimensions
  char pad[4];
  union {
    unsigned dimensions[3];
    char bytes[64];
  } value;
};
struct CUlaunchConfig {
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  void* stream;
  CUlaunchAttribute* attributes;
  unsigned attribute_count;
};

int cuInit(unsigned flags);
int cuDeviceGet(int* device, int ordinal);
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuCtxSetCurrent(void* context);
int cuCtxSynchronize();
int cuModuleLoad(void** module, const char* path);
int cuModuleLoadDataEx(void** module, const void* image, unsigned count, const int* options,
                       void** values);
int cuModuleGetFunction(void** function, void* module, const char* name);
int cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, void* module,
                         const char* name);
int cuFuncGetParamInfo(void* function, std::size_t index, std::size_t* offset, std::size_t* bytes);
int cuFuncSetAttribute(void* function, int attribute, int value);
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes);
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes);
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes);
int cuTensorMapEncodeTiled(void* map, int type, std::uint32_t rank, void* address,
                           const std::uint64_t* size, const std::uint64_t* strides,
                           const std::uint32_t* box, const std::uint32_t* steps, int interleave,
                           int swizzle, int promotion, int fill);
int cuLaunchKernelEx(const CUlaunchConfig* config, void* function, void** parameters, void** extra);
int cuGetErrorString(int error, const char** text);

}  // extern "C"
