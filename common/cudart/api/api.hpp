// SPDX-License-Identifier: MIT
// Every function of the runtime that we answer, by the file that answers it. What else the real
// library exports is in unsupported.inc: it answers cudaErrorNotSupported and says its name.
// Declared as in cuda_runtime_api.h and crt/host_runtime.h of CUDA 13.0, with the types of abi.hpp.
#pragma once

#include "cudart/abi.hpp"
#include "cudart/api/api_graph.hpp"
#include "cudart/api/api_texture.hpp"

namespace lanescope::cudart {

// api_register.cpp: what nvcc's own code calls.
LANESCOPE_API void** __cudaRegisterFatBinary(void* wrapper);
LANESCOPE_API void __cudaRegisterFatBinaryEnd(void** binary);
LANESCOPE_API void __cudaUnregisterFatBinary(void** binary);
LANESCOPE_API void __cudaRegisterFunction(void** binary, const char* stub, char* device_function,
                                          const char* name, int thread_limit, void* thread,
                                          void* block, dim3* block_size, dim3* grid_size,
                                          int* warp_size);
LANESCOPE_API void __cudaRegisterVar(void** binary, char* shadow, char* device_address,
                                     const char* name, int external, std::size_t bytes,
                                     int constant, int global);
LANESCOPE_API void __cudaRegisterManagedVar(void** binary, void** pointer, char* device_address,
                                            const char* name, int external, std::size_t bytes,
                                            int constant, int global);
LANESCOPE_API char __cudaInitModule(void** binary);

// api_launch.cpp
LANESCOPE_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes,
                                                   cudaStream_t stream);
LANESCOPE_API cudaError __cudaPopCallConfiguration(dim3* grid, dim3* block,
                                                   std::size_t* shared_bytes, void* stream);
LANESCOPE_API cudaError __cudaGetKernel(cudaKernel_t* kernel, const void* stub);
LANESCOPE_API cudaError cudaGetKernel(cudaKernel_t* kernel, const void* stub);
LANESCOPE_API cudaError __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                           void** arguments, std::size_t shared_bytes,
                                           cudaStream_t stream);
LANESCOPE_API cudaError cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                         void** arguments, std::size_t shared_bytes,
                                         cudaStream_t stream);
LANESCOPE_API cudaError cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                                    void** arguments, std::size_t shared_bytes,
                                                    cudaStream_t stream);
LANESCOPE_API cudaError cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                            void** arguments);

// api_function.cpp
LANESCOPE_API cudaError cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
LANESCOPE_API cudaError cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute,
                                             int value);
LANESCOPE_API cudaError cudaFuncSetCacheConfig(const void* function, int config);
LANESCOPE_API cudaError cudaFuncSetSharedMemConfig(const void* function, int config);
LANESCOPE_API cudaError cudaFuncGetName(const char** name, const void* function);
LANESCOPE_API cudaError cudaFuncGetParamInfo(const void* function, std::size_t index,
                                             std::size_t* offset_bytes, std::size_t* size_bytes);

// api_occupancy.cpp
LANESCOPE_API cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                      const void* function,
                                                                      int block_threads,
                                                                      std::size_t shared_bytes);
LANESCOPE_API cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int block_threads, std::size_t shared_bytes, unsigned flags);
LANESCOPE_API cudaError cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                                       const cudaLaunchConfig_t* config);
LANESCOPE_API cudaError cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                             const cudaLaunchConfig_t* config);
LANESCOPE_API cudaError cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes,
                                                                  const void* function, int blocks,
                                                                  int block_threads);

// Graphs, and what captures them, are in api_graph.hpp.

// api_pool.cpp
LANESCOPE_API cudaError cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
LANESCOPE_API cudaError cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
LANESCOPE_API cudaError cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
LANESCOPE_API cudaError cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* place,
                                                 int type);
LANESCOPE_API cudaError cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* place, int type);
LANESCOPE_API cudaError cudaMemSetMemPool(cudaMemLocation* place, int type, cudaMemPool_t pool);
LANESCOPE_API cudaError cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
LANESCOPE_API cudaError cudaMemPoolDestroy(cudaMemPool_t pool);
LANESCOPE_API cudaError cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t);
LANESCOPE_API cudaError cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void* value);
LANESCOPE_API cudaError cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void* value);
LANESCOPE_API cudaError cudaMemPoolGetAccess(int* access, cudaMemPool_t pool,
                                             cudaMemLocation* where);
LANESCOPE_API cudaError cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                             std::size_t count);
LANESCOPE_API cudaError cudaMallocFromPoolAsync(void** pointer, std::size_t bytes,
                                                cudaMemPool_t pool, cudaStream_t stream);

// api_volume.cpp
LANESCOPE_API cudaError cudaMemcpy3D(const cudaMemcpy3DParms* params);
LANESCOPE_API cudaError cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream);
LANESCOPE_API cudaError cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent);
LANESCOPE_API cudaError cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent);
LANESCOPE_API cudaError cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                          cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* params);
LANESCOPE_API cudaError cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* params,
                                              cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                       std::size_t bytes);
LANESCOPE_API cudaError cudaMemcpyPeerAsync(void* to, int to_device, const void* from,
                                            int from_device, std::size_t bytes,
                                            cudaStream_t stream);

// api_library.cpp
LANESCOPE_API cudaError cudaLibraryLoadData(cudaLibrary_t* library, const void* code,
                                            const void* jit_options, const void* jit_values,
                                            unsigned jit_count, const void* options,
                                            const void* values, unsigned count);
LANESCOPE_API cudaError cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path,
                                                const void* jit_options, const void* jit_values,
                                                unsigned jit_count, const void* options,
                                                const void* values, unsigned count);
LANESCOPE_API cudaError cudaLibraryUnload(cudaLibrary_t library);
LANESCOPE_API cudaError cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library,
                                             const char* name);
LANESCOPE_API cudaError cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library);
LANESCOPE_API cudaError cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count,
                                                    cudaLibrary_t library);
LANESCOPE_API cudaError cudaLibraryGetGlobal(void** pointer, std::size_t* bytes,
                                             cudaLibrary_t library, const char* name);
LANESCOPE_API cudaError cudaLibraryGetManaged(void** pointer, std::size_t* bytes,
                                              cudaLibrary_t library, const char* name);
LANESCOPE_API cudaError cudaGetFuncBySymbol(void** function, const void* symbol);
LANESCOPE_API cudaError cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                                        cudaFuncAttribute attribute, int value,
                                                        int device);

// api_driver.cpp
LANESCOPE_API cudaError cudaGetDriverEntryPoint(const char* symbol, void** function,
                                                unsigned long long flags, int* status);
LANESCOPE_API cudaError cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                                         unsigned version, unsigned long long flags,
                                                         int* status);
LANESCOPE_API cudaError cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                                     unsigned long long flags, int* status);
LANESCOPE_API cudaError cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                              unsigned version,
                                                              unsigned long long flags,
                                                              int* status);

// api_memory.cpp: what is there.
LANESCOPE_API cudaError cudaMalloc(void** pointer, std::size_t bytes);
LANESCOPE_API cudaError cudaMallocPitch(void** pointer, std::size_t* pitch_bytes,
                                        std::size_t width_bytes, std::size_t height);
LANESCOPE_API cudaError cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
LANESCOPE_API cudaError cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream);
LANESCOPE_API cudaError cudaFree(void* pointer);
LANESCOPE_API cudaError cudaFreeAsync(void* pointer, cudaStream_t stream);
LANESCOPE_API cudaError cudaMallocHost(void** pointer, std::size_t bytes);
LANESCOPE_API cudaError cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
LANESCOPE_API cudaError cudaFreeHost(void* pointer);
LANESCOPE_API cudaError cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
LANESCOPE_API cudaError cudaHostUnregister(void* pointer);
LANESCOPE_API cudaError cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
LANESCOPE_API cudaError cudaHostGetFlags(unsigned* flags, void* host);
LANESCOPE_API cudaError cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
LANESCOPE_API cudaError cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                 const void* pointer);
LANESCOPE_API cudaError cudaGetSymbolAddress(void** pointer, const void* symbol);
LANESCOPE_API cudaError cudaGetSymbolSize(std::size_t* bytes, const void* symbol);
LANESCOPE_API cudaError cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer,
                                                 std::size_t bytes, unsigned flags);

// api_advice.cpp
LANESCOPE_API cudaError cudaMemPrefetchAsync(const void* pointer, std::size_t bytes,
                                             cudaMemLocation location, unsigned flags,
                                             cudaStream_t stream);
LANESCOPE_API cudaError cudaMemAdvise(const void* pointer, std::size_t bytes, int advice,
                                      cudaMemLocation location);
LANESCOPE_API cudaError cudaMemRangeGetAttribute(void* data, std::size_t data_bytes, int asked,
                                                 const void* pointer, std::size_t bytes);
LANESCOPE_API cudaError cudaMemPrefetchBatchAsync(void** pointers, std::size_t* bytes,
                                                  std::size_t count, cudaMemLocation* places,
                                                  std::size_t* first, std::size_t place_count,
                                                  unsigned long long flags, cudaStream_t stream);
LANESCOPE_API cudaError cudaMemDiscardBatchAsync(void** pointers, std::size_t* bytes,
                                                 std::size_t count, unsigned long long flags,
                                                 cudaStream_t stream);
LANESCOPE_API cudaError cudaMemDiscardAndPrefetchBatchAsync(
    void** pointers, std::size_t* bytes, std::size_t count, cudaMemLocation* places,
    std::size_t* first, std::size_t place_count, unsigned long long flags, cudaStream_t stream);
LANESCOPE_API cudaError cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes, int* asked,
                                                  std::size_t count, const void* pointer,
                                                  std::size_t bytes);

// api_copy.cpp
LANESCOPE_API cudaError cudaMemcpy(void* to, const void* from, std::size_t bytes,
                                   cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpyAsync(void* to, const void* from, std::size_t bytes,
                                        cudaMemcpyKind kind, cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpyBatchAsync(void* const* to, const void* const* from,
                                             const std::size_t* bytes, std::size_t count,
                                             cudaMemcpyAttributes* attributes,
                                             std::size_t* first_copies, std::size_t attribute_count,
                                             cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpy2D(void* to, std::size_t to_pitch_bytes, const void* from,
                                     std::size_t from_pitch_bytes, std::size_t width_bytes,
                                     std::size_t height, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpy2DAsync(void* to, std::size_t to_pitch_bytes, const void* from,
                                          std::size_t from_pitch_bytes, std::size_t width_bytes,
                                          std::size_t height, cudaMemcpyKind kind,
                                          cudaStream_t stream);

// api_symbol.cpp
LANESCOPE_API cudaError cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                           std::size_t offset_bytes, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpyToSymbolAsync(const void* symbol, const void* from,
                                                std::size_t bytes, std::size_t offset_bytes,
                                                cudaMemcpyKind kind, cudaStream_t stream);
LANESCOPE_API cudaError cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                             std::size_t offset_bytes, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                                  std::size_t offset_bytes, cudaMemcpyKind kind,
                                                  cudaStream_t stream);

// api_fill.cpp
LANESCOPE_API cudaError cudaMemset(void* pointer, int value, std::size_t bytes);
LANESCOPE_API cudaError cudaMemsetAsync(void* pointer, int value, std::size_t bytes,
                                        cudaStream_t stream);
LANESCOPE_API cudaError cudaMemset2D(void* pointer, std::size_t pitch_bytes, int value,
                                     std::size_t width_bytes, std::size_t height);
LANESCOPE_API cudaError cudaMemset2DAsync(void* pointer, std::size_t pitch_bytes, int value,
                                          std::size_t width_bytes, std::size_t height,
                                          cudaStream_t stream);

// api_stream.cpp
LANESCOPE_API cudaError cudaStreamCreate(cudaStream_t* stream);
LANESCOPE_API cudaError cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
LANESCOPE_API cudaError cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags,
                                                     int priority);
LANESCOPE_API cudaError cudaStreamDestroy(cudaStream_t stream);
LANESCOPE_API cudaError cudaStreamSynchronize(cudaStream_t stream);
LANESCOPE_API cudaError cudaStreamQuery(cudaStream_t stream);
LANESCOPE_API cudaError cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
LANESCOPE_API cudaError cudaStreamGetPriority(cudaStream_t stream, int* priority);
LANESCOPE_API cudaError cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
LANESCOPE_API cudaError cudaStreamGetDevice(cudaStream_t stream, int* device);
LANESCOPE_API cudaError cudaStreamIsCapturing(cudaStream_t stream, int* status);
LANESCOPE_API cudaError cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function,
                                              void* data, unsigned flags);
LANESCOPE_API cudaError cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);

// api_stream_attribute.cpp
LANESCOPE_API cudaError cudaStreamSetAttribute(cudaStream_t stream, int attribute,
                                               const void* value);
LANESCOPE_API cudaError cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
LANESCOPE_API cudaError cudaStreamGetAttribute(cudaStream_t stream, int attribute, void* value);

// api_event.cpp
LANESCOPE_API cudaError cudaEventCreate(cudaEvent_t* event);
LANESCOPE_API cudaError cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
LANESCOPE_API cudaError cudaEventDestroy(cudaEvent_t event);
LANESCOPE_API cudaError cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
LANESCOPE_API cudaError cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                 unsigned flags);
LANESCOPE_API cudaError cudaEventSynchronize(cudaEvent_t event);
LANESCOPE_API cudaError cudaEventQuery(cudaEvent_t event);
LANESCOPE_API cudaError cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                             cudaEvent_t end);
LANESCOPE_API cudaError cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);

// api_device.cpp
LANESCOPE_API cudaError cudaDeviceSynchronize();
LANESCOPE_API cudaError cudaDeviceReset();
LANESCOPE_API cudaError cudaGetLastError();
LANESCOPE_API cudaError cudaPeekAtLastError();
LANESCOPE_API const char* cudaGetErrorName(cudaError code);
LANESCOPE_API const char* cudaGetErrorString(cudaError code);
LANESCOPE_API cudaError cudaGetDeviceCount(int* count);
LANESCOPE_API cudaError cudaGetDevice(int* device);
LANESCOPE_API cudaError cudaSetDevice(int device);
LANESCOPE_API cudaError cudaInitDevice(int device, unsigned device_flags, unsigned flags);
LANESCOPE_API cudaError cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
LANESCOPE_API cudaError cudaSetValidDevices(int* devices, int count);
LANESCOPE_API cudaError cudaSetDeviceFlags(unsigned flags);
LANESCOPE_API cudaError cudaGetDeviceFlags(unsigned* flags);
LANESCOPE_API cudaError cudaDeviceGetP2PAttribute(int* value, int attribute, int device, int peer);
LANESCOPE_API cudaError cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
LANESCOPE_API cudaError cudaDeviceGetAttribute(int* value, int attribute, int device);
LANESCOPE_API cudaError cudaDeviceGetByPCIBusId(int* device, const char* text);
LANESCOPE_API cudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags);
LANESCOPE_API cudaError cudaDeviceDisablePeerAccess(int peer);
LANESCOPE_API cudaError cudaDeviceGetPCIBusId(char* text, int bytes, int device);
LANESCOPE_API cudaError cudaDeviceCanAccessPeer(int* can, int device, int peer);
LANESCOPE_API cudaError cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
LANESCOPE_API cudaError cudaDeviceGetLimit(std::size_t* value, int limit);
LANESCOPE_API cudaError cudaDeviceSetLimit(int limit, std::size_t value);
LANESCOPE_API cudaError cudaDeviceGetCacheConfig(int* config);
LANESCOPE_API cudaError cudaDeviceSetCacheConfig(int config);
LANESCOPE_API cudaError cudaDeviceGetSharedMemConfig(int* config);
LANESCOPE_API cudaError cudaDeviceSetSharedMemConfig(int config);
LANESCOPE_API cudaError cudaCtxResetPersistingL2Cache();
LANESCOPE_API cudaError cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope);
LANESCOPE_API cudaError cudaDriverGetVersion(int* version);
LANESCOPE_API cudaError cudaRuntimeGetVersion(int* version);
LANESCOPE_API cudaError cudaProfilerStart();
LANESCOPE_API cudaError cudaProfilerStop();
LANESCOPE_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);

}  // namespace lanescope::cudart
