// SPDX-License-Identifier: MIT
// What CUDA 13 changed of the runtime, as CUDA 12 had it: libcudart.so.12 has these, and everything
// else jumps on to libcudart.so.13 (forward.cmake), where all that there is of the card is kept.
// Source: cuda_runtime_api.h and driver_types.h of CUDA 12.9, and the list of changes in CUDA 13's
// release notes.
//
// CUDA 12 had two forms of many of these: the plain name without what was new, and `_v2` with it,
// which is what the plain name means today.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cudart/abi.hpp"
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

/// The value of an attribute (cudaDeviceAttr), 0 where there is none.
int attribute(int number, int device) {
  int value = 0;
  return now_cudaDeviceGetAttribute(&value, number, device) == cudaSuccess ? value : 0;
}

cudaError properties(DeviceProp12& older, int device) {
  cudaDeviceProp now;
  if (const cudaError error = now_cudaGetDeviceProperties(&now, device)) return error;
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
  return cudaSuccess;
}

/// A device's number, or -1 for the host, as a place.
cudaMemLocation place_of(int device) {
  constexpr int kHost = -1;
  constexpr int kOfDevice = 1, kOfHost = 2;  // cudaMemLocationType
  return device == kHost ? cudaMemLocation{kOfHost, 0} : cudaMemLocation{kOfDevice, device};
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// ---- the card

OLDER(cudaGetDeviceProperties_v2)
cudaError older_cudaGetDeviceProperties_v2(DeviceProp12* wanted, int device) {
  DeviceProp12 found;
  if (!wanted) return now_cudaGetDeviceProperties(nullptr, device);
  if (const cudaError error = properties(found, device)) return error;
  std::memcpy(wanted, &found, sizeof found);
  return cudaSuccess;
}

OLDER(cudaGetDeviceProperties)
cudaError older_cudaGetDeviceProperties(void* wanted, int device) {  // CUDA 11's, still there in 12
  DeviceProp12 found;
  if (!wanted) return now_cudaGetDeviceProperties(nullptr, device);
  if (const cudaError error = properties(found, device)) return error;
  std::memcpy(wanted, &found, kBytesOfCuda11);
  return cudaSuccess;
}

OLDER(cudaRuntimeGetVersion)
cudaError older_cudaRuntimeGetVersion(int* version) {
  if (!version) return cudaErrorInvalidValue;
  *version = kThisRuntime;
  return cudaSuccess;
}

OLDER(cudaGetDriverEntryPoint)
OLDER(cudaGetDriverEntryPoint_ptsz)
cudaError older_cudaGetDriverEntryPoint(const char* symbol, void** function,
                                        unsigned long long flags, int* status) {
  return now_cudaGetDriverEntryPointByVersion(symbol, function, kThisRuntime, flags, status);
}
decltype(older_cudaGetDriverEntryPoint) older_cudaGetDriverEntryPoint_ptsz
    __attribute__((alias("older_cudaGetDriverEntryPoint")));

// ---- memory

OLDER(cudaPointerGetAttributes)
cudaError older_cudaPointerGetAttributes(void* wanted, const void* pointer) {
  constexpr std::size_t kBytes = offsetof(cudaPointerAttributes, reserved);
  cudaPointerAttributes found;
  if (!wanted) return now_cudaPointerGetAttributes(nullptr, pointer);
  if (const cudaError error = now_cudaPointerGetAttributes(&found, pointer)) return error;
  std::memcpy(wanted, &found, kBytes);
  return cudaSuccess;
}

OLDER(cudaMemAdvise)
cudaError older_cudaMemAdvise(const void* pointer, std::size_t bytes, int advice, int device) {
  return now_cudaMemAdvise(pointer, bytes, advice, place_of(device));
}
RENAMED(cudaMemAdvise_v2, cudaMemAdvise)

OLDER(cudaMemPrefetchAsync)
OLDER(cudaMemPrefetchAsync_ptsz)
cudaError older_cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                     cudaStream_t stream) {
  return now_cudaMemPrefetchAsync(pointer, bytes, place_of(device), 0, stream);
}
decltype(older_cudaMemPrefetchAsync) older_cudaMemPrefetchAsync_ptsz
    __attribute__((alias("older_cudaMemPrefetchAsync")));
RENAMED(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync)
RENAMED(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_ptsz)

OLDER(cudaMemcpyBatchAsync)
OLDER(cudaMemcpyBatchAsync_ptsz)
cudaError older_cudaMemcpyBatchAsync(void** to, void** from, std::size_t* bytes, std::size_t count,
                                     cudaMemcpyAttributes* attributes, std::size_t* begins,
                                     std::size_t attribute_count, std::size_t* failed,
                                     cudaStream_t stream) {
  const cudaError error =
      now_cudaMemcpyBatchAsync(to, from, bytes, count, attributes, begins, attribute_count, stream);
  if (error && failed) *failed = SIZE_MAX;  // no copy alone
  return error;
}
decltype(older_cudaMemcpyBatchAsync) older_cudaMemcpyBatchAsync_ptsz
    __attribute__((alias("older_cudaMemcpyBatchAsync")));

RENAMED(cudaEventElapsedTime_v2, cudaEventElapsedTime)

// ---- graphs: edges had no data

OLDER(cudaGraphAddDependencies)
cudaError older_cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                         const cudaGraphNode_t* to, std::size_t count) {
  return now_cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
RENAMED(cudaGraphAddDependencies_v2, cudaGraphAddDependencies)

OLDER(cudaGraphRemoveDependencies)
cudaError older_cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, std::size_t count) {
  return now_cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
RENAMED(cudaGraphRemoveDependencies_v2, cudaGraphRemoveDependencies)

OLDER(cudaGraphGetEdges)
cudaError older_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                  std::size_t* count) {
  return now_cudaGraphGetEdges(graph, from, to, nullptr, count);
}
RENAMED(cudaGraphGetEdges_v2, cudaGraphGetEdges)

OLDER(cudaGraphNodeGetDependencies)
cudaError older_cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* needs,
                                             std::size_t* count) {
  return now_cudaGraphNodeGetDependencies(node, needs, nullptr, count);
}
RENAMED(cudaGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies)

OLDER(cudaGraphNodeGetDependentNodes)
cudaError older_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* later,
                                               std::size_t* count) {
  return now_cudaGraphNodeGetDependentNodes(node, later, nullptr, count);
}
RENAMED(cudaGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes)

OLDER(cudaGraphAddNode)
cudaError older_cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, std::size_t count,
                                 cudaGraphNodeParams* params) {
  return now_cudaGraphAddNode(node, graph, needs, nullptr, count, params);
}
RENAMED(cudaGraphAddNode_v2, cudaGraphAddNode)

// ---- captures

OLDER(cudaStreamGetCaptureInfo)
OLDER(cudaStreamGetCaptureInfo_ptsz)
cudaError older_cudaStreamGetCaptureInfo(cudaStream_t stream, int* status, unsigned long long* id) {
  return now_cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
decltype(older_cudaStreamGetCaptureInfo) older_cudaStreamGetCaptureInfo_ptsz
    __attribute__((alias("older_cudaStreamGetCaptureInfo")));

OLDER(cudaStreamGetCaptureInfo_v2)
OLDER(cudaStreamGetCaptureInfo_v2_ptsz)
cudaError older_cudaStreamGetCaptureInfo_v2(cudaStream_t stream, int* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** needs, std::size_t* count) {
  return now_cudaStreamGetCaptureInfo(stream, status, id, graph, needs, nullptr, count);
}
decltype(older_cudaStreamGetCaptureInfo_v2) older_cudaStreamGetCaptureInfo_v2_ptsz
    __attribute__((alias("older_cudaStreamGetCaptureInfo_v2")));
RENAMED(cudaStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo)
RENAMED(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_ptsz)

OLDER(cudaStreamUpdateCaptureDependencies)
OLDER(cudaStreamUpdateCaptureDependencies_ptsz)
cudaError older_cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                    std::size_t count, unsigned flags) {
  return now_cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}
decltype(older_cudaStreamUpdateCaptureDependencies) older_cudaStreamUpdateCaptureDependencies_ptsz
    __attribute__((alias("older_cudaStreamUpdateCaptureDependencies")));
RENAMED(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies)
RENAMED(cudaStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_ptsz)

}  // extern "C"
#pragma GCC visibility pop

}  // namespace lanescope::cudart
