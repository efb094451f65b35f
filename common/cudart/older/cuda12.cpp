// SPDX-License-Identifier: MIT
// What CUDA 13 changed of the runtime, as CUDA 12 had it: libcudart.so.12 has these, and everything
// else jumps on to libcudart.so.13 (forward.cmake), where all that there is of the card is kept.
// Source: declarations of CUDA 12's runtime as public code repeats them (cudaDeviceProp is 12.9's);
// NVIDIA's own headers of that version were not at hand (docs/runtime.md, CUDA 12).
//
// CUDA 12 had two forms of many of these: the plain name without what was new, and `_v2` with it,
// which is what the plain name means today.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cudart/abi.hpp"
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/api/api_graph.hpp"
#include "cudart/older/now.hpp"

// `name` of this library is older_name below, now_name is that of libcudart.so.13.
#define OLDER(name) asm(".symver older_" #name ", " #name "@@libcudart.so.12");
#define RENAMED(name, now)  // forward.cmake reads these
#define NOW(name) \
  const auto now_##name = reinterpret_cast<decltype(&name)>(find_now("libcudart.so.13", #name));

namespace lanescope::cudart {

namespace {

NOW(cudaDeviceGetAttribute)
NOW(cudaGetDeviceProperties)
NOW(cudaGetDriverEntryPointByVersion)
NOW(cudaGraphAddDependencies)
NOW(cudaGraphAddNode)
NOW(cudaGraphGetEdges)
NOW(cudaGraphNodeGetDependencies)
NOW(cudaGraphNodeGetDependentNodes)
NOW(cudaGraphRemoveDependencies)
NOW(cudaMemAdvise)
NOW(cudaMemcpyBatchAsync)
NOW(cudaMemPrefetchAsync)
NOW(cudaPointerGetAttributes)
NOW(cudaRuntimeGetVersion)
NOW(cudaStreamGetCaptureInfo)
NOW(cudaStreamUpdateCaptureDependencies)

constexpr int kThisRuntime = 12090;

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

// ---- the card

OLDER(cudaGetDeviceProperties_v2)
LANESCOPE_API cudaError older_cudaGetDeviceProperties_v2(void* wanted, int device) {
  return give_properties(wanted, sizeof(DeviceProp12), device);
}

OLDER(cudaGetDeviceProperties)  // CUDA 11's, still there in 12
LANESCOPE_API cudaError older_cudaGetDeviceProperties(void* wanted, int device) {
  return give_properties(wanted, kBytesOfCuda11, device);
}

OLDER(cudaRuntimeGetVersion)
LANESCOPE_API cudaError older_cudaRuntimeGetVersion(int* version) {
  const cudaError error = now_cudaRuntimeGetVersion(version);
  if (!error) *version = kThisRuntime;
  return error;
}

OLDER(cudaGetDriverEntryPoint)
OLDER(cudaGetDriverEntryPoint_ptsz)
LANESCOPE_API cudaError older_cudaGetDriverEntryPoint(const char* symbol, void** function,
                                                      unsigned long long flags, int* status) {
  return now_cudaGetDriverEntryPointByVersion(symbol, function, kThisRuntime, flags, status);
}
LANESCOPE_ALIAS(older_cudaGetDriverEntryPoint, _ptsz);

// ---- memory

OLDER(cudaPointerGetAttributes)
LANESCOPE_API cudaError older_cudaPointerGetAttributes(void* wanted, const void* pointer) {
  constexpr std::size_t kBytes = offsetof(cudaPointerAttributes, reserved);
  cudaPointerAttributes found;
  if (!wanted) return now_cudaPointerGetAttributes(nullptr, pointer);
  if (const cudaError error = now_cudaPointerGetAttributes(&found, pointer)) return error;
  std::memcpy(wanted, &found, kBytes);
  return cudaSuccess;
}

OLDER(cudaMemAdvise)
LANESCOPE_API cudaError older_cudaMemAdvise(const void* pointer, std::size_t bytes, int advice,
                                            int device) {
  return now_cudaMemAdvise(pointer, bytes, advice, place_of_device(device));
}
RENAMED(cudaMemAdvise_v2, cudaMemAdvise)

OLDER(cudaMemPrefetchAsync)
OLDER(cudaMemPrefetchAsync_ptsz)
LANESCOPE_API cudaError older_cudaMemPrefetchAsync(const void* pointer, std::size_t bytes,
                                                   int device, cudaStream_t stream) {
  return now_cudaMemPrefetchAsync(pointer, bytes, place_of_device(device), 0, stream);
}
LANESCOPE_ALIAS(older_cudaMemPrefetchAsync, _ptsz);
RENAMED(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync)
RENAMED(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_ptsz)

OLDER(cudaMemcpyBatchAsync)
OLDER(cudaMemcpyBatchAsync_ptsz)
LANESCOPE_API cudaError older_cudaMemcpyBatchAsync(void** to, void** from, std::size_t* bytes,
                                                   std::size_t count,
                                                   cudaMemcpyAttributes* attributes,
                                                   std::size_t* begins, std::size_t attribute_count,
                                                   std::size_t* failed, cudaStream_t stream) {
  const cudaError error =
      now_cudaMemcpyBatchAsync(to, from, bytes, count, attributes, begins, attribute_count, stream);
  if (error && failed) *failed = SIZE_MAX;  // no copy alone
  return error;
}
LANESCOPE_ALIAS(older_cudaMemcpyBatchAsync, _ptsz);

RENAMED(cudaEventElapsedTime_v2, cudaEventElapsedTime)

// ---- graphs: edges had no data

OLDER(cudaGraphAddDependencies)
LANESCOPE_API cudaError older_cudaGraphAddDependencies(cudaGraph_t graph,
                                                       const cudaGraphNode_t* from,
                                                       const cudaGraphNode_t* to,
                                                       std::size_t count) {
  return now_cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
RENAMED(cudaGraphAddDependencies_v2, cudaGraphAddDependencies)

OLDER(cudaGraphRemoveDependencies)
LANESCOPE_API cudaError older_cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                          const cudaGraphNode_t* from,
                                                          const cudaGraphNode_t* to,
                                                          std::size_t count) {
  return now_cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
RENAMED(cudaGraphRemoveDependencies_v2, cudaGraphRemoveDependencies)

OLDER(cudaGraphGetEdges)
LANESCOPE_API cudaError older_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                                cudaGraphNode_t* to, std::size_t* count) {
  return now_cudaGraphGetEdges(graph, from, to, nullptr, count);
}
RENAMED(cudaGraphGetEdges_v2, cudaGraphGetEdges)

OLDER(cudaGraphNodeGetDependencies)
LANESCOPE_API cudaError older_cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                           cudaGraphNode_t* needs,
                                                           std::size_t* count) {
  return now_cudaGraphNodeGetDependencies(node, needs, nullptr, count);
}
RENAMED(cudaGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies)

OLDER(cudaGraphNodeGetDependentNodes)
LANESCOPE_API cudaError older_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                             cudaGraphNode_t* later,
                                                             std::size_t* count) {
  return now_cudaGraphNodeGetDependentNodes(node, later, nullptr, count);
}
RENAMED(cudaGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes)

OLDER(cudaGraphAddNode)
LANESCOPE_API cudaError older_cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* needs, std::size_t count,
                                               cudaGraphNodeParams* params) {
  return now_cudaGraphAddNode(node, graph, needs, nullptr, count, params);
}
RENAMED(cudaGraphAddNode_v2, cudaGraphAddNode)

// ---- captures

OLDER(cudaStreamGetCaptureInfo)
OLDER(cudaStreamGetCaptureInfo_ptsz)
LANESCOPE_API cudaError older_cudaStreamGetCaptureInfo(cudaStream_t stream, int* status,
                                                       unsigned long long* id) {
  return now_cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
LANESCOPE_ALIAS(older_cudaStreamGetCaptureInfo, _ptsz);

OLDER(cudaStreamGetCaptureInfo_v2)
OLDER(cudaStreamGetCaptureInfo_v2_ptsz)
LANESCOPE_API cudaError older_cudaStreamGetCaptureInfo_v2(cudaStream_t stream, int* status,
                                                          unsigned long long* id,
                                                          cudaGraph_t* graph,
                                                          const cudaGraphNode_t** needs,
                                                          std::size_t* count) {
  return now_cudaStreamGetCaptureInfo(stream, status, id, graph, needs, nullptr, count);
}
LANESCOPE_ALIAS(older_cudaStreamGetCaptureInfo_v2, _ptsz);
RENAMED(cudaStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo)
RENAMED(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_ptsz)

OLDER(cudaStreamUpdateCaptureDependencies)
OLDER(cudaStreamUpdateCaptureDependencies_ptsz)
LANESCOPE_API cudaError older_cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                  cudaGraphNode_t* nodes,
                                                                  std::size_t count,
                                                                  unsigned flags) {
  return now_cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}
LANESCOPE_ALIAS(older_cudaStreamUpdateCaptureDependencies, _ptsz);
RENAMED(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies)
RENAMED(cudaStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_ptsz)

}  // namespace lanescope::cudart
