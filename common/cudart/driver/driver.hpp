// SPDX-License-Identifier: MIT
// The driver API as far as programs use it: what `-lcuda` links to and cudaGetDriverEntryPoint
// finds. Every function is the runtime's under another name, with its error as a CUresult: most
// have the same number. Other names of libcuda are in unsupported_driver.inc.
//
// All contexts are the one card (driver_current.hpp). Source: cuda.h of CUDA 13.0.
#pragma once

#include <string_view>

#include "cudart/abi_driver.hpp"
#include "cudart/context.hpp"
#include "cudart/driver/driver_current.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

using CUresult = int;
using CUdevice = int;

struct CUlaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedMemBytes;
  CUhandle hStream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

LANESCOPE_API CUresult cuInit(unsigned flags);
LANESCOPE_API CUresult cuDriverGetVersion(int* version);
LANESCOPE_API CUresult cuDeviceGet(CUdevice* device, int ordinal);
LANESCOPE_API CUresult cuDeviceGetCount(int* count);
LANESCOPE_API CUresult cuDeviceGetName(char* name, int length, CUdevice device);
LANESCOPE_API CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device);
LANESCOPE_API CUresult cuDeviceGetUuid_v2(void* uuid, CUdevice device);
LANESCOPE_API CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
LANESCOPE_API CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device);
LANESCOPE_API CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device);
LANESCOPE_API CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);
LANESCOPE_API CUresult cuDevicePrimaryCtxRetain(CUhandle* made, CUdevice device);
LANESCOPE_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
LANESCOPE_API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
LANESCOPE_API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned);
LANESCOPE_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active);
LANESCOPE_API CUresult cuCtxCreate_v2(CUhandle* made, unsigned, CUdevice device);
LANESCOPE_API CUresult cuCtxCreate_v4(CUhandle* made, const CUctxCreateParams* how, unsigned flags,
                                      CUdevice device);
LANESCOPE_API CUresult cuCtxDestroy_v2(CUhandle asked);
LANESCOPE_API CUresult cuCtxPushCurrent_v2(CUhandle asked);
LANESCOPE_API CUresult cuCtxSetCurrent(CUhandle asked);
LANESCOPE_API CUresult cuCtxPopCurrent_v2(CUhandle* found);
LANESCOPE_API CUresult cuCtxGetCurrent(CUhandle* found);
LANESCOPE_API CUresult cuCtxGetDevice(CUdevice* device);
LANESCOPE_API CUresult cuCtxSynchronize();
LANESCOPE_API CUresult cuCtxGetApiVersion(CUhandle, unsigned* version);
LANESCOPE_API CUresult cuCtxGetLimit(std::size_t* value, int limit);
LANESCOPE_API CUresult cuCtxSetLimit(int limit, std::size_t value);
LANESCOPE_API CUresult cuCtxGetCacheConfig(int* config);
LANESCOPE_API CUresult cuCtxSetCacheConfig(int config);
LANESCOPE_API CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest);
LANESCOPE_API CUresult cuProfilerStart();
LANESCOPE_API CUresult cuProfilerStop();
LANESCOPE_API CUresult cuMemAlloc_v2(CUdeviceptr* made, std::size_t bytes);
LANESCOPE_API CUresult cuMemAllocAsync(CUdeviceptr* made, std::size_t bytes, CUhandle stream);
LANESCOPE_API CUresult cuMemAllocManaged(CUdeviceptr* made, std::size_t bytes, unsigned flags);
LANESCOPE_API CUresult cuMemAllocPitch_v2(CUdeviceptr* made, std::size_t* pitch_bytes,
                                          std::size_t width_bytes, std::size_t height, unsigned);
LANESCOPE_API CUresult cuMemFree_v2(CUdeviceptr address);
LANESCOPE_API CUresult cuMemFreeAsync(CUdeviceptr address, CUhandle stream);
LANESCOPE_API CUresult cuMemAllocHost_v2(void** made, std::size_t bytes);
LANESCOPE_API CUresult cuMemHostAlloc(void** made, std::size_t bytes, unsigned flags);
LANESCOPE_API CUresult cuMemFreeHost(void* pointer);
LANESCOPE_API CUresult cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags);
LANESCOPE_API CUresult cuMemHostUnregister(void* pointer);
LANESCOPE_API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host,
                                                    unsigned flags);
LANESCOPE_API CUresult cuMemHostGetFlags(unsigned* flags, void* pointer);
LANESCOPE_API CUresult cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes);
LANESCOPE_API CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, std::size_t* bytes,
                                               CUdeviceptr address);
LANESCOPE_API CUresult cuPointerGetAttribute(void* value, int attribute, CUdeviceptr address);
LANESCOPE_API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes,
                                            CUhandle stream);
LANESCOPE_API CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes,
                                            CUhandle stream);
LANESCOPE_API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                                            CUhandle stream);
LANESCOPE_API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                                     CUhandle stream);
LANESCOPE_API CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, std::size_t count);
LANESCOPE_API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count,
                                       CUhandle stream);
LANESCOPE_API CUresult cuMemsetD2D8_v2(CUdeviceptr to, std::size_t pitch_bytes, unsigned char value,
                                       std::size_t width, std::size_t height);
LANESCOPE_API CUresult cuMemsetD2D8Async(CUdeviceptr to, std::size_t pitch_bytes,
                                         unsigned char value, std::size_t width, std::size_t height,
                                         CUhandle stream);
LANESCOPE_API CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, std::size_t count);
LANESCOPE_API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count,
                                        CUhandle stream);
LANESCOPE_API CUresult cuMemsetD2D16_v2(CUdeviceptr to, std::size_t pitch_bytes,
                                        unsigned short value, std::size_t width,
                                        std::size_t height);
LANESCOPE_API CUresult cuMemsetD2D16Async(CUdeviceptr to, std::size_t pitch_bytes,
                                          unsigned short value, std::size_t width,
                                          std::size_t height, CUhandle stream);
LANESCOPE_API CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, std::size_t count);
LANESCOPE_API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count,
                                        CUhandle stream);
LANESCOPE_API CUresult cuMemsetD2D32_v2(CUdeviceptr to, std::size_t pitch_bytes, unsigned value,
                                        std::size_t width, std::size_t height);
LANESCOPE_API CUresult cuMemsetD2D32Async(CUdeviceptr to, std::size_t pitch_bytes, unsigned value,
                                          std::size_t width, std::size_t height, CUhandle stream);
LANESCOPE_API CUresult cuLinkCreate_v2(unsigned count, const int* options, void** values,
                                       CUhandle* link);
LANESCOPE_API CUresult cuLinkAddData_v2(CUhandle link, int type, const void* data,
                                        std::size_t bytes, const char*, unsigned, const int*,
                                        void**);
LANESCOPE_API CUresult cuLinkAddFile_v2(CUhandle link, int type, const char* path, unsigned,
                                        const int*, void**);
LANESCOPE_API CUresult cuLinkComplete(CUhandle link, void** image, std::size_t* bytes);
LANESCOPE_API CUresult cuLinkDestroy(CUhandle link);
LANESCOPE_API CUresult cuGetExportTable(const void** table, const void*);
LANESCOPE_API CUresult cuModuleLoadData(CUhandle* module, const void* image);
LANESCOPE_API CUresult cuModuleLoadDataEx(CUhandle* module, const void* image, unsigned, const int*,
                                          void**);
LANESCOPE_API CUresult cuModuleLoadFatBinary(CUhandle* module, const void* image);
LANESCOPE_API CUresult cuModuleLoad(CUhandle* module, const char* path);
LANESCOPE_API CUresult cuModuleUnload(CUhandle module);
LANESCOPE_API CUresult cuModuleGetFunction(CUhandle* function, CUhandle module, const char* name);
LANESCOPE_API CUresult cuModuleGetFunctionCount(unsigned* count, CUhandle module);
LANESCOPE_API CUresult cuModuleEnumerateFunctions(CUhandle* functions, unsigned count,
                                                  CUhandle module);
LANESCOPE_API CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes,
                                            CUhandle module, const char* name);
LANESCOPE_API CUresult cuLibraryLoadData(CUhandle* library, const void* code, const int* options,
                                         void* const* values, unsigned count,
                                         const int* library_options, const void*,
                                         unsigned library_count);
LANESCOPE_API CUresult cuLibraryLoadFromFile(CUhandle* library, const char* path, const void*,
                                             const void*, unsigned, const void*, const void*,
                                             unsigned);
LANESCOPE_API CUresult cuLibraryUnload(CUhandle library);
LANESCOPE_API CUresult cuLibraryGetKernel(CUhandle* kernel, CUhandle library, const char* name);
LANESCOPE_API CUresult cuLibraryGetKernelCount(unsigned* count, CUhandle library);
LANESCOPE_API CUresult cuLibraryEnumerateKernels(CUhandle* kernels, unsigned count,
                                                 CUhandle library);
LANESCOPE_API CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes,
                                          CUhandle library, const char* name);
LANESCOPE_API CUresult cuLibraryGetModule(CUhandle* module, CUhandle library);
LANESCOPE_API CUresult cuKernelGetFunction(CUhandle* function, CUhandle kernel);
LANESCOPE_API CUresult cuFuncGetAttribute(int* value, int attribute, CUhandle function);
LANESCOPE_API CUresult cuFuncSetAttribute(CUhandle function, int attribute, int value);
LANESCOPE_API CUresult cuKernelGetAttribute(int* value, int attribute, CUhandle kernel, CUdevice);
LANESCOPE_API CUresult cuKernelSetAttribute(int attribute, int value, CUhandle kernel, CUdevice);
LANESCOPE_API CUresult cuFuncSetCacheConfig(CUhandle function, int config);
LANESCOPE_API CUresult cuFuncGetName(const char** name, CUhandle function);
LANESCOPE_API CUresult cuKernelGetName(const char** name, CUhandle kernel);
LANESCOPE_API CUresult cuFuncIsLoaded(int* state, CUhandle function);
LANESCOPE_API CUresult cuFuncLoad(CUhandle function);
LANESCOPE_API CUresult cuFuncGetParamInfo(CUhandle function, std::size_t index,
                                          std::size_t* offset_bytes, std::size_t* size_bytes);
LANESCOPE_API CUresult cuLaunchKernel(CUhandle function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y,
                                      unsigned block_z, unsigned shared_bytes, CUhandle stream,
                                      void** parameters, void** extra);
LANESCOPE_API CUresult cuLaunchCooperativeKernel(CUhandle function, unsigned grid_x,
                                                 unsigned grid_y, unsigned grid_z, unsigned block_x,
                                                 unsigned block_y, unsigned block_z,
                                                 unsigned shared_bytes, CUhandle stream,
                                                 void** parameters);
LANESCOPE_API CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUhandle function,
                                        void** parameters, void** extra);
LANESCOPE_API CUresult cuLaunchHostFunc(CUhandle stream, cudaHostFn_t function, void* data);
LANESCOPE_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUhandle function,
                                                                   int threads,
                                                                   std::size_t shared_bytes);
LANESCOPE_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, CUhandle function, int threads, std::size_t shared_bytes, unsigned);
LANESCOPE_API CUresult cuOccupancyMaxActiveClusters(int* count, CUhandle function,
                                                    const CUlaunchConfig* config);
LANESCOPE_API CUresult cuOccupancyMaxPotentialClusterSize(int* count, CUhandle function,
                                                          const CUlaunchConfig* config);
/// Dynamic shared memory of a block of so many threads.
using CUoccupancyB2DSize = std::size_t (*)(int);
LANESCOPE_API CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block,
                                                        CUhandle function,
                                                        CUoccupancyB2DSize shared_of,
                                                        std::size_t shared_bytes, int limit);
LANESCOPE_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid, int* block,
                                                                 CUhandle function,
                                                                 CUoccupancyB2DSize shared_of,
                                                                 std::size_t shared_bytes,
                                                                 int limit, unsigned);
LANESCOPE_API CUresult cuStreamCreate(CUhandle* stream, unsigned flags);
LANESCOPE_API CUresult cuStreamCreateWithPriority(CUhandle* stream, unsigned flags, int priority);
LANESCOPE_API CUresult cuStreamDestroy_v2(CUhandle stream);
LANESCOPE_API CUresult cuStreamSynchronize(CUhandle stream);
LANESCOPE_API CUresult cuStreamQuery(CUhandle stream);
LANESCOPE_API CUresult cuStreamWaitEvent(CUhandle stream, CUhandle event, unsigned flags);
LANESCOPE_API CUresult cuStreamGetFlags(CUhandle stream, unsigned* flags);
LANESCOPE_API CUresult cuStreamGetPriority(CUhandle stream, int* priority);
LANESCOPE_API CUresult cuStreamGetCtx(CUhandle, CUhandle* found);
LANESCOPE_API CUresult cuStreamAddCallback(CUhandle stream, cudaStreamCallback_t function,
                                           void* data, unsigned flags);
LANESCOPE_API CUresult cuEventCreate(CUhandle* event, unsigned flags);
LANESCOPE_API CUresult cuEventDestroy_v2(CUhandle event);
LANESCOPE_API CUresult cuEventRecord(CUhandle event, CUhandle stream);
LANESCOPE_API CUresult cuEventRecordWithFlags(CUhandle event, CUhandle stream, unsigned flags);
LANESCOPE_API CUresult cuEventSynchronize(CUhandle event);
LANESCOPE_API CUresult cuEventQuery(CUhandle event);
LANESCOPE_API CUresult cuEventElapsedTime_v2(float* milliseconds, CUhandle start, CUhandle end);
LANESCOPE_API CUresult cuEventElapsedTime(float* milliseconds, CUhandle start, CUhandle end);
LANESCOPE_API CUresult cuGetErrorString(CUresult code, const char** text);
LANESCOPE_API CUresult cuGetErrorName(CUresult code, const char** text);
LANESCOPE_API CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version,
                                           std::uint64_t flags, int* status);
LANESCOPE_API CUresult cuTensorMapEncodeIm2col(void* result, int type, std::uint32_t rank,
                                               void* address, const std::uint64_t* size,
                                               const std::uint64_t* strides, const int* lower,
                                               const int* upper, std::uint32_t channels,
                                               std::uint32_t pixels,
                                               const std::uint32_t* element_strides, int interleave,
                                               int swizzle, int promotion, int fill);
LANESCOPE_API CUresult cuTensorMapEncodeTiled(void* result, int type, std::uint32_t rank,
                                              void* address, const std::uint64_t* size,
                                              const std::uint64_t* strides,
                                              const std::uint32_t* box,
                                              const std::uint32_t* element_strides, int interleave,
                                              int swizzle, int promotion, int fill);
LANESCOPE_API CUresult cuTensorMapReplaceAddress(void* result, void* address);

// What launchers of others ask for beside it.
LANESCOPE_API CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text);
LANESCOPE_API CUresult cuDeviceGetP2PAttribute(int* value, int attribute, CUdevice device,
                                               CUdevice peer);
LANESCOPE_API CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t* texels, int format,
                                                          unsigned channels, CUdevice device);
LANESCOPE_API CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device);
LANESCOPE_API CUresult cuCtxSetFlags(unsigned flags);
LANESCOPE_API CUresult cuCtxGetExecAffinity(CUexecAffinityParam* affinity, int type);
LANESCOPE_API CUresult cuCtxAttach(CUhandle* found, unsigned flags);
LANESCOPE_API CUresult cuCtxDetach(CUhandle asked);
LANESCOPE_API CUresult cuDeviceGetExecAffinitySupport(int* supported, int type, CUdevice device);
LANESCOPE_API CUresult cuDeviceGetDefaultMemPool(CUhandle* pool, CUdevice device);
LANESCOPE_API CUresult cuDeviceGetMemPool(CUhandle* pool, CUdevice device);
LANESCOPE_API CUresult cuDeviceSetMemPool(CUdevice device, CUhandle pool);
LANESCOPE_API CUresult cuCtxGetFlags(unsigned* flags);
LANESCOPE_API CUresult cuCtxGetId(CUhandle asked, unsigned long long* id);
LANESCOPE_API CUresult cuCtxResetPersistingL2Cache();
LANESCOPE_API CUresult cuMemPoolCreate(CUhandle* pool, const cudaMemPoolProps* properties);
LANESCOPE_API CUresult cuMemPoolDestroy(CUhandle pool);
LANESCOPE_API CUresult cuMemPoolTrimTo(CUhandle pool, std::size_t bytes);
LANESCOPE_API CUresult cuMemPoolSetAttribute(CUhandle pool, int attribute, void* value);
LANESCOPE_API CUresult cuMemPoolGetAttribute(CUhandle pool, int attribute, void* value);
LANESCOPE_API CUresult cuMemPoolGetAccess(int* access, CUhandle pool, cudaMemLocation* where);
LANESCOPE_API CUresult cuMemPoolSetAccess(CUhandle pool, const cudaMemAccessDesc* access,
                                          std::size_t count);
LANESCOPE_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr* made, std::size_t bytes, CUhandle pool,
                                               CUhandle stream);
LANESCOPE_API CUresult cuMemAdvise_v2(CUdeviceptr address, std::size_t bytes, int advice,
                                      cudaMemLocation location);
LANESCOPE_API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, std::size_t bytes,
                                             cudaMemLocation location, unsigned flags,
                                             CUhandle stream);
LANESCOPE_API CUresult cuMemRangeGetAttribute(void* data, std::size_t data_bytes, int asked,
                                              CUdeviceptr address, std::size_t bytes);
LANESCOPE_API CUresult cuMemRangeGetAttributes(void** data, std::size_t* data_bytes, int* asked,
                                               std::size_t count, CUdeviceptr address,
                                               std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyPeer(CUdeviceptr to, CUhandle, CUdeviceptr from, CUhandle,
                                    std::size_t bytes);
LANESCOPE_API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUhandle, CUdeviceptr from, CUhandle,
                                         std::size_t bytes, CUhandle stream);
LANESCOPE_API CUresult cuPointerGetAttributes(unsigned count, int* attributes, void** values,
                                              CUdeviceptr address);
LANESCOPE_API CUresult cuPointerSetAttribute(const void* value, int attribute, CUdeviceptr address);
LANESCOPE_API CUresult cuModuleGetLoadingMode(int* mode);
LANESCOPE_API CUresult cuFuncGetModule(CUhandle* module, CUhandle function);
LANESCOPE_API CUresult cuKernelGetLibrary(CUhandle* library, CUhandle kernel);
LANESCOPE_API CUresult cuKernelGetParamInfo(CUhandle kernel, std::size_t index,
                                            std::size_t* offset_bytes, std::size_t* size_bytes);
LANESCOPE_API CUresult cuKernelSetCacheConfig(CUhandle kernel, int config, CUdevice device);
LANESCOPE_API CUresult cuLibraryGetManaged(CUdeviceptr* address, std::size_t* bytes,
                                           CUhandle library, const char* name);
LANESCOPE_API CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes,
                                                               CUhandle function, int blocks,
                                                               int threads);
LANESCOPE_API CUresult cuStreamGetId(CUhandle stream, unsigned long long* id);
LANESCOPE_API CUresult cuStreamGetDevice(CUhandle stream, CUdevice* device);
LANESCOPE_API CUresult cuStreamGetAttribute(CUhandle stream, int attribute, void* value);
LANESCOPE_API CUresult cuStreamSetAttribute(CUhandle stream, int attribute, const void* value);
LANESCOPE_API CUresult cuStreamCopyAttributes(CUhandle to, CUhandle from);
LANESCOPE_API CUresult cuStreamAttachMemAsync(CUhandle stream, CUdeviceptr address,
                                              std::size_t bytes, unsigned flags);
LANESCOPE_API CUresult cuStreamWriteValue32_v2(CUhandle stream, CUdeviceptr address,
                                               std::uint32_t value, unsigned flags);
LANESCOPE_API CUresult cuStreamWriteValue64_v2(CUhandle stream, CUdeviceptr address,
                                               std::uint64_t value, unsigned flags);
LANESCOPE_API CUresult cuStreamWaitValue32_v2(CUhandle stream, CUdeviceptr address,
                                              std::uint32_t value, unsigned flags);
LANESCOPE_API CUresult cuStreamWaitValue64_v2(CUhandle stream, CUdeviceptr address,
                                              std::uint64_t value, unsigned flags);

/// A runtime error as the driver numbers it.
CUresult to_driver(cudaError error);

inline constexpr CUresult kInvalidContext = 201;

/// Runs a runtime function; cudaGetLastError does not hear of its error, and messages name
/// `function`: that of the driver which calls this.
template <class Body>
CUresult drive(Body&& body, const char* function = __builtin_FUNCTION()) {
  if (current_context() == 0 && needs_context(function)) return kInvalidContext;
  const Answering answering(function);
  const cudaError before = last_error();
  const CUresult result = to_driver(body());
  last_error() = before;
  return result;
}

/// The same in a stream, the default one of which is a context's.
template <class Body>
CUresult drive_in(CUhandle stream, Body&& body, const char* function = __builtin_FUNCTION()) {
  if (current_context() == 0 && is_default_stream(stream)) return kInvalidContext;
  return drive(body, function);
}

/// What a function will answer in is 0 before it looks at its arguments.
template <class... T>
void clear(T*... answers) {
  ((is_mapped(answers, sizeof *answers) ? void(*answers = T{}) : void()), ...);
}

/// What an H200 says of options for compiling and linking (CUjit_option); 0: that they are right.
CUresult problem_of_options(unsigned count, const int* options, void* const* values);

/// The newest form of the function of a name without version suffix; nullptr if none.
void* find_driver_function(std::string_view name);

/// One that is there, names itself and answers CUDA_ERROR_NOT_SUPPORTED; nullptr if none.
void* find_unsupported_driver_function(std::string_view name);

}  // namespace lanescope::cudart
