// SPDX-License-Identifier: MIT
// cudaDeviceProp as CUDA 12 had it, and CUDA 11, whose function CUDA 12 kept: CUDA 13 took fields
// out of its middle. Source: driver_types.h of CUDA 12.4, whose 76 names lie where they lie here.
#include <cstddef>
#include <cstring>

#include "cudart/abi.hpp"
#include "cudart/api/api.hpp"
#include "cudart/older/now.hpp"

namespace lanescope::cudart {

namespace {

NOW(cudaDeviceGetAttribute)
NOW(cudaGetDeviceProperties)

/// cudaDeviceProp of CUDA 12. Up to reservedSharedMemPerBlock it is CUDA 11's, too.
struct DeviceProp12 {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate;  // not in CUDA 13
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap;  // not in CUDA 13
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;  // not in CUDA 13
  int integrated, canMapHostMemory;
  int computeMode;  // not in CUDA 13
  int maxTexture1D, maxTexture1DMipmap;
  int maxTexture1DLinear;              // not in CUDA 13
  int more_textures_and_surfaces[37];  // maxTexture2D ... maxSurfaceCubemapLayered
  std::size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing;
  int memoryClockRate;  // not in CUDA 13
  int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;  // not in CUDA 13
  int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;  // not in CUDA 13
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
  int reserved[63];
};
static_assert(sizeof(DeviceProp12) == 1032);
constexpr std::size_t kBytesOfCuda11 = offsetof(DeviceProp12, hostRegisterSupported);

/// The value of an attribute that every card has (cudaDeviceAttr).
int attribute(int number, int device) {
  int value = 0;
  now_cudaDeviceGetAttribute(&value, number, device);
  return value;
}

/// The properties, of which the caller's struct has the first `bytes`.
cudaError give_properties(void* wanted, std::size_t bytes, int device) {
  if (!wanted) return now_cudaGetDeviceProperties(nullptr, device);
  cudaDeviceProp now;
  if (const cudaError error = now_cudaGetDeviceProperties(&now, device)) return error;
  DeviceProp12 older;
  std::memset(&older, 0, sizeof older);
#define SAME(field)                                      \
  static_assert(sizeof older.field == sizeof now.field); \
  std::memcpy(&older.field, &now.field, sizeof older.field)
  SAME(name);
  SAME(uuid);
  SAME(luid);
  SAME(luidDeviceNodeMask);
  SAME(totalGlobalMem);
  SAME(sharedMemPerBlock);
  SAME(regsPerBlock);
  SAME(warpSize);
  SAME(memPitch);
  SAME(maxThreadsPerBlock);
  SAME(maxThreadsDim);
  SAME(maxGridSize);
  SAME(totalConstMem);
  SAME(major);
  SAME(minor);
  SAME(textureAlignment);
  SAME(texturePitchAlignment);
  SAME(multiProcessorCount);
  SAME(integrated);
  SAME(canMapHostMemory);
  SAME(surfaceAlignment);
  SAME(concurrentKernels);
  SAME(ECCEnabled);
  SAME(pciBusID);
  SAME(pciDeviceID);
  SAME(pciDomainID);
  SAME(tccDriver);
  SAME(asyncEngineCount);
  SAME(unifiedAddressing);
  SAME(memoryBusWidth);
  SAME(l2CacheSize);
  SAME(persistingL2CacheMaxSize);
  SAME(maxThreadsPerMultiProcessor);
  SAME(streamPrioritiesSupported);
  SAME(globalL1CacheSupported);
  SAME(localL1CacheSupported);
  SAME(sharedMemPerMultiprocessor);
  SAME(regsPerMultiprocessor);
  SAME(managedMemory);
  SAME(isMultiGpuBoard);
  SAME(multiGpuBoardGroupID);
  SAME(hostNativeAtomicSupported);
  SAME(pageableMemoryAccess);
  SAME(concurrentManagedAccess);
  SAME(computePreemptionSupported);
  SAME(canUseHostPointerForRegisteredMem);
  SAME(cooperativeLaunch);
  SAME(sharedMemPerBlockOptin);
  SAME(pageableMemoryAccessUsesHostPageTables);
  SAME(directManagedMemAccessFromHost);
  SAME(maxBlocksPerMultiProcessor);
  SAME(accessPolicyMaxWindowSize);
  SAME(reservedSharedMemPerBlock);
  SAME(hostRegisterSupported);
  SAME(sparseCudaArraySupported);
  SAME(hostRegisterReadOnlySupported);
  SAME(timelineSemaphoreInteropSupported);
  SAME(memoryPoolsSupported);
  SAME(gpuDirectRDMASupported);
  SAME(gpuDirectRDMAFlushWritesOptions);
  SAME(gpuDirectRDMAWritesOrdering);
  SAME(memoryPoolSupportedHandleTypes);
  SAME(deferredMappingCudaArraySupported);
  SAME(ipcEventSupported);
  SAME(clusterLaunch);
  SAME(unifiedFunctionPointers);
#undef SAME
  older.maxTexture1D = now.textures_and_surfaces[0];
  older.maxTexture1DMipmap = now.textures_and_surfaces[1];
  std::memcpy(older.more_textures_and_surfaces, now.textures_and_surfaces + 2,
              sizeof older.more_textures_and_surfaces);
  older.clockRate = attribute(13, device);
  older.deviceOverlap = attribute(15, device);
  older.kernelExecTimeoutEnabled = attribute(17, device);
  older.computeMode = attribute(20, device);
  older.memoryClockRate = attribute(36, device);
  older.maxTexture1DLinear = attribute(69, device);
  older.singleToDoublePrecisionPerfRatio = attribute(87, device);
  older.cooperativeMultiDeviceLaunch = attribute(96, device);
  std::memcpy(wanted, &older, bytes);
  return cudaSuccess;
}

}  // namespace

OLDER(cudaGetDeviceProperties_v2)
LANESCOPE_API cudaError older_cudaGetDeviceProperties_v2(void* wanted, int device) {
  return give_properties(wanted, sizeof(DeviceProp12), device);
}

OLDER(cudaGetDeviceProperties)  // CUDA 11's, still there in 12
LANESCOPE_API cudaError older_cudaGetDeviceProperties(void* wanted, int device) {
  return give_properties(wanted, kBytesOfCuda11, device);
}

}  // namespace lanescope::cudart
