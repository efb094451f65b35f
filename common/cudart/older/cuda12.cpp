// SPDX-License-Identifier: MIT
// What CUDA 13 changed of the runtime, as CUDA 12 had it: libcudart.so.12 has these, and everything
// else jumps on to libcudart.so.13 (forward.cmake), where all that there is of the card is kept.
// cudaGetDeviceProperties is next door (cuda12_properties.cpp). Source: cuda_runtime_api.h of
// CUDA 12.4 and, for what came later, declarations of 12.9 as public code repeats them
// (docs/runtime.md, CUDA 12).
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
#include "cudart/api/api_texture.hpp"
#include "cudart/older/now.hpp"

namespace lanescope::cudart {

namespace {

NOW(cudaCreateSurfaceObject)
NOW(cudaCreateTextureObject)
NOW(cudaGetDriverEntryPointByVersion)
NOW(cudaGetDriverEntryPointByVersion_ptsz)
NOW(cudaGetSurfaceObjectResourceDesc)
NOW(cudaGetTextureObjectResourceDesc)
NOW(cudaGetTextureObjectResourceViewDesc)
NOW(cudaGraphAddDependencies)
NOW(cudaGraphAddNode)
NOW(cudaGraphGetEdges)
NOW(cudaGraphNodeGetDependencies)
NOW(cudaGraphNodeGetDependentNodes)
NOW(cudaGraphRemoveDependencies)
NOW(cudaLaunchCooperativeKernel)
NOW(cudaMemAdvise)
NOW(cudaMemcpyBatchAsync)
NOW(cudaMemPrefetchAsync)
NOW(cudaPointerGetAttributes)
NOW(cudaRuntimeGetVersion)
NOW(cudaStreamGetCaptureInfo)
NOW(cudaStreamUpdateCaptureDependencies)
NOW_TWIN(cudaMemcpyBatchAsync)
NOW_TWIN(cudaMemPrefetchAsync)
NOW_TWIN(cudaStreamGetCaptureInfo)
NOW_TWIN(cudaStreamUpdateCaptureDependencies)

constexpr int kThisRuntime = 12090;

// CUDA 13 made some structs longer: how much of them CUDA 12 had.
constexpr std::size_t kBytesOfPointer = offsetof(cudaPointerAttributes, reserved);
constexpr std::size_t kBytesOfResource =
    offsetof(cudaResourceDesc, res) + sizeof(cudaResourceDesc::res.pitch2D);
constexpr std::size_t kBytesOfView = offsetof(cudaResourceViewDesc, reserved);
static_assert(kBytesOfPointer == 24 && kBytesOfResource == 64 && kBytesOfView == 48);

/// What ask(T*) answers, of which the caller's struct has the first `bytes`.
template <class T, class Ask>
cudaError give(void* wanted, std::size_t bytes, Ask ask) {
  T found{};
  const cudaError error = ask(wanted ? &found : nullptr);
  if (!error) std::memcpy(wanted, &found, bytes);
  return error;
}

/// The caller's struct of `bytes`, as long as it is now: zeros behind.
template <class T>
struct Longer {
  Longer(const void* given, std::size_t bytes) {
    if (!given) return;
    std::memcpy(&value, given, bytes);
    pointer = &value;
  }
  T value{};
  const T* pointer = nullptr;
};

}  // namespace

// ---- the card

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
LANESCOPE_API cudaError older_cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                                           unsigned long long flags, int* status) {
  return now_cudaGetDriverEntryPointByVersion_ptsz(symbol, function, kThisRuntime, flags, status);
}

// ---- memory

OLDER(cudaPointerGetAttributes)
LANESCOPE_API cudaError older_cudaPointerGetAttributes(void* wanted, const void* pointer) {
  return give<cudaPointerAttributes>(wanted, kBytesOfPointer, [&](cudaPointerAttributes* found) {
    return now_cudaPointerGetAttributes(found, pointer);
  });
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
LANESCOPE_API cudaError older_cudaMemPrefetchAsync_ptsz(const void* pointer, std::size_t bytes,
                                                        int device, cudaStream_t stream) {
  return now_cudaMemPrefetchAsync_ptsz(pointer, bytes, place_of_device(device), 0, stream);
}
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
LANESCOPE_API cudaError older_cudaMemcpyBatchAsync_ptsz(
    void** to, void** from, std::size_t* bytes, std::size_t count, cudaMemcpyAttributes* attributes,
    std::size_t* begins, std::size_t attribute_count, std::size_t* failed, cudaStream_t stream) {
  const cudaError error = now_cudaMemcpyBatchAsync_ptsz(to, from, bytes, count, attributes, begins,
                                                        attribute_count, stream);
  if (error && failed) *failed = SIZE_MAX;  // no copy alone
  return error;
}

RENAMED(cudaEventElapsedTime_v2, cudaEventElapsedTime)

// ---- textures and surfaces

OLDER(cudaCreateTextureObject)
LANESCOPE_API cudaError older_cudaCreateTextureObject(cudaTextureObject_t* handle,
                                                      const void* resource,
                                                      const cudaTextureDesc* how,
                                                      const void* view) {
  const Longer<cudaResourceDesc> of{resource, kBytesOfResource};
  const Longer<cudaResourceViewDesc> seen{view, kBytesOfView};
  return now_cudaCreateTextureObject(handle, of.pointer, how, seen.pointer);
}

OLDER(cudaCreateSurfaceObject)
LANESCOPE_API cudaError older_cudaCreateSurfaceObject(cudaSurfaceObject_t* handle,
                                                      const void* resource) {
  const Longer<cudaResourceDesc> of{resource, kBytesOfResource};
  return now_cudaCreateSurfaceObject(handle, of.pointer);
}

OLDER(cudaGetTextureObjectResourceDesc)
LANESCOPE_API cudaError older_cudaGetTextureObjectResourceDesc(void* resource,
                                                               cudaTextureObject_t texture) {
  return give<cudaResourceDesc>(resource, kBytesOfResource, [&](cudaResourceDesc* found) {
    return now_cudaGetTextureObjectResourceDesc(found, texture);
  });
}

OLDER(cudaGetTextureObjectResourceViewDesc)
LANESCOPE_API cudaError older_cudaGetTextureObjectResourceViewDesc(void* view,
                                                                   cudaTextureObject_t texture) {
  return give<cudaResourceViewDesc>(view, kBytesOfView, [&](cudaResourceViewDesc* found) {
    return now_cudaGetTextureObjectResourceViewDesc(found, texture);
  });
}

OLDER(cudaGetSurfaceObjectResourceDesc)
LANESCOPE_API cudaError older_cudaGetSurfaceObjectResourceDesc(void* resource,
                                                               cudaSurfaceObject_t surface) {
  return give<cudaResourceDesc>(resource, kBytesOfResource, [&](cudaResourceDesc* found) {
    return now_cudaGetSurfaceObjectResourceDesc(found, surface);
  });
}

// ---- launches

/// cudaLaunchParams, a launch on one of several cards.
struct LaunchOfOne {
  void* function;
  dim3 grid, block;
  void** arguments;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

OLDER(cudaLaunchCooperativeKernelMultiDevice)
LANESCOPE_API cudaError older_cudaLaunchCooperativeKernelMultiDevice(const LaunchOfOne* launches,
                                                                     unsigned cards, unsigned) {
  if (!launches || cards != 1) return cudaErrorInvalidValue;  // there is one card
  return now_cudaLaunchCooperativeKernel(launches->function, launches->grid, launches->block,
                                         launches->arguments, launches->shared_bytes,
                                         launches->stream);
}

// ---- names gone since, of CUDA 3 and before

RENAMED(cudaThreadExit, cudaDeviceReset)
RENAMED(cudaThreadSynchronize, cudaDeviceSynchronize)
RENAMED(cudaThreadGetLimit, cudaDeviceGetLimit)
RENAMED(cudaThreadSetLimit, cudaDeviceSetLimit)
RENAMED(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig)
RENAMED(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig)

// Cards without doubles wanted them as floats.
OLDER(cudaSetDoubleForDevice)
LANESCOPE_API cudaError older_cudaSetDoubleForDevice(double*) { return cudaSuccess; }
OLDER(cudaSetDoubleForHost)
LANESCOPE_API cudaError older_cudaSetDoubleForHost(double*) { return cudaSuccess; }

// ---- semaphores of other libraries

RENAMED(cudaSignalExternalSemaphoresAsync_v2, cudaSignalExternalSemaphoresAsync)
RENAMED(cudaSignalExternalSemaphoresAsync_v2_ptsz, cudaSignalExternalSemaphoresAsync_ptsz)
RENAMED(cudaWaitExternalSemaphoresAsync_v2, cudaWaitExternalSemaphoresAsync)
RENAMED(cudaWaitExternalSemaphoresAsync_v2_ptsz, cudaWaitExternalSemaphoresAsync_ptsz)

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
LANESCOPE_API cudaError older_cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, int* status,
                                                            unsigned long long* id) {
  return now_cudaStreamGetCaptureInfo_ptsz(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

OLDER(cudaStreamGetCaptureInfo_v2)
OLDER(cudaStreamGetCaptureInfo_v2_ptsz)
LANESCOPE_API cudaError older_cudaStreamGetCaptureInfo_v2(cudaStream_t stream, int* status,
                                                          unsigned long long* id,
                                                          cudaGraph_t* graph,
                                                          const cudaGraphNode_t** needs,
                                                          std::size_t* count) {
  return now_cudaStreamGetCaptureInfo(stream, status, id, graph, needs, nullptr, count);
}
LANESCOPE_API cudaError older_cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream, int* status,
                                                               unsigned long long* id,
                                                               cudaGraph_t* graph,
                                                               const cudaGraphNode_t** needs,
                                                               std::size_t* count) {
  return now_cudaStreamGetCaptureInfo_ptsz(stream, status, id, graph, needs, nullptr, count);
}
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
LANESCOPE_API cudaError older_cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream,
                                                                       cudaGraphNode_t* nodes,
                                                                       std::size_t count,
                                                                       unsigned flags) {
  return now_cudaStreamUpdateCaptureDependencies_ptsz(stream, nodes, nullptr, count, flags);
}
RENAMED(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies)
RENAMED(cudaStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_ptsz)

}  // namespace lanescope::cudart
