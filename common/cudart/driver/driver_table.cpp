// SPDX-License-Identifier: MIT
// The driver's functions by the names that cuGetProcAddress takes: without version suffix. The
// suffixed ones are what cuda.h makes of the plain ones.
#include <array>

#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

namespace {

struct Entry {
  std::string_view name;
  void* function;
};

template <class T>
void* pointer(T* function) {
  return reinterpret_cast<void*>(function);
}

const auto& entries() {
  static const std::array kEntries{
      Entry{"cuInit", pointer(&cuInit)},
      Entry{"cuDriverGetVersion", pointer(&cuDriverGetVersion)},
      Entry{"cuDeviceGet", pointer(&cuDeviceGet)},
      Entry{"cuDeviceGetCount", pointer(&cuDeviceGetCount)},
      Entry{"cuDeviceGetName", pointer(&cuDeviceGetName)},
      Entry{"cuDeviceTotalMem", pointer(&cuDeviceTotalMem_v2)},
      Entry{"cuDeviceGetUuid", pointer(&cuDeviceGetUuid_v2)},
      Entry{"cuDeviceComputeCapability", pointer(&cuDeviceComputeCapability)},
      Entry{"cuDeviceGetAttribute", pointer(&cuDeviceGetAttribute)},
      Entry{"cuDeviceGetPCIBusId", pointer(&cuDeviceGetPCIBusId)},
      Entry{"cuDeviceCanAccessPeer", pointer(&cuDeviceCanAccessPeer)},
      Entry{"cuDevicePrimaryCtxRetain", pointer(&cuDevicePrimaryCtxRetain)},
      Entry{"cuDevicePrimaryCtxRelease", pointer(&cuDevicePrimaryCtxRelease_v2)},
      Entry{"cuDevicePrimaryCtxReset", pointer(&cuDevicePrimaryCtxReset_v2)},
      Entry{"cuDevicePrimaryCtxSetFlags", pointer(&cuDevicePrimaryCtxSetFlags_v2)},
      Entry{"cuDevicePrimaryCtxGetState", pointer(&cuDevicePrimaryCtxGetState)},
      Entry{"cuCtxCreate", pointer(&cuCtxCreate_v4)},
      Entry{"cuCtxDestroy", pointer(&cuCtxDestroy_v2)},
      Entry{"cuCtxPushCurrent", pointer(&cuCtxPushCurrent_v2)},
      Entry{"cuCtxSetCurrent", pointer(&cuCtxSetCurrent)},
      Entry{"cuCtxPopCurrent", pointer(&cuCtxPopCurrent_v2)},
      Entry{"cuCtxGetCurrent", pointer(&cuCtxGetCurrent)},
      Entry{"cuCtxGetDevice", pointer(&cuCtxGetDevice)},
      Entry{"cuCtxSynchronize", pointer(&cuCtxSynchronize)},
      Entry{"cuCtxGetApiVersion", pointer(&cuCtxGetApiVersion)},
      Entry{"cuCtxGetLimit", pointer(&cuCtxGetLimit)},
      Entry{"cuCtxSetLimit", pointer(&cuCtxSetLimit)},
      Entry{"cuCtxGetCacheConfig", pointer(&cuCtxGetCacheConfig)},
      Entry{"cuCtxSetCacheConfig", pointer(&cuCtxSetCacheConfig)},
      Entry{"cuCtxGetStreamPriorityRange", pointer(&cuCtxGetStreamPriorityRange)},
      Entry{"cuProfilerStart", pointer(&cuProfilerStart)},
      Entry{"cuProfilerStop", pointer(&cuProfilerStop)},
      Entry{"cuMemAlloc", pointer(&cuMemAlloc_v2)},
      Entry{"cuMemAllocAsync", pointer(&cuMemAllocAsync)},
      Entry{"cuMemAllocManaged", pointer(&cuMemAllocManaged)},
      Entry{"cuMemAllocPitch", pointer(&cuMemAllocPitch_v2)},
      Entry{"cuMemFree", pointer(&cuMemFree_v2)},
      Entry{"cuMemFreeAsync", pointer(&cuMemFreeAsync)},
      Entry{"cuMemAllocHost", pointer(&cuMemAllocHost_v2)},
      Entry{"cuMemHostAlloc", pointer(&cuMemHostAlloc)},
      Entry{"cuMemFreeHost", pointer(&cuMemFreeHost)},
      Entry{"cuMemHostRegister", pointer(&cuMemHostRegister_v2)},
      Entry{"cuMemHostUnregister", pointer(&cuMemHostUnregister)},
      Entry{"cuMemHostGetDevicePointer", pointer(&cuMemHostGetDevicePointer_v2)},
      Entry{"cuMemHostGetFlags", pointer(&cuMemHostGetFlags)},
      Entry{"cuMemGetInfo", pointer(&cuMemGetInfo_v2)},
      Entry{"cuMemGetAddressRange", pointer(&cuMemGetAddressRange_v2)},
      Entry{"cuPointerGetAttribute", pointer(&cuPointerGetAttribute)},
      Entry{"cuMemcpyHtoD", pointer(&cuMemcpyHtoD_v2)},
      Entry{"cuMemcpyHtoDAsync", pointer(&cuMemcpyHtoDAsync_v2)},
      Entry{"cuMemcpyDtoH", pointer(&cuMemcpyDtoH_v2)},
      Entry{"cuMemcpyDtoHAsync", pointer(&cuMemcpyDtoHAsync_v2)},
      Entry{"cuMemcpyDtoD", pointer(&cuMemcpyDtoD_v2)},
      Entry{"cuMemcpyDtoDAsync", pointer(&cuMemcpyDtoDAsync_v2)},
      Entry{"cuMemcpy", pointer(&cuMemcpy)},
      Entry{"cuMemcpyAsync", pointer(&cuMemcpyAsync)},
      Entry{"cuMemcpy2D", pointer(&cuMemcpy2D_v2)},
      Entry{"cuMemcpy2DUnaligned", pointer(&cuMemcpy2DUnaligned_v2)},
      Entry{"cuMemcpy2DAsync", pointer(&cuMemcpy2DAsync_v2)},
      Entry{"cuMemsetD8", pointer(&cuMemsetD8_v2)},
      Entry{"cuMemsetD8Async", pointer(&cuMemsetD8Async)},
      Entry{"cuMemsetD2D8", pointer(&cuMemsetD2D8_v2)},
      Entry{"cuMemsetD2D8Async", pointer(&cuMemsetD2D8Async)},
      Entry{"cuMemsetD16", pointer(&cuMemsetD16_v2)},
      Entry{"cuMemsetD16Async", pointer(&cuMemsetD16Async)},
      Entry{"cuMemsetD2D16", pointer(&cuMemsetD2D16_v2)},
      Entry{"cuMemsetD2D16Async", pointer(&cuMemsetD2D16Async)},
      Entry{"cuMemsetD32", pointer(&cuMemsetD32_v2)},
      Entry{"cuMemsetD32Async", pointer(&cuMemsetD32Async)},
      Entry{"cuMemsetD2D32", pointer(&cuMemsetD2D32_v2)},
      Entry{"cuMemsetD2D32Async", pointer(&cuMemsetD2D32Async)},
      Entry{"cuModuleLoadData", pointer(&cuModuleLoadData)},
      Entry{"cuModuleLoadDataEx", pointer(&cuModuleLoadDataEx)},
      Entry{"cuModuleLoadFatBinary", pointer(&cuModuleLoadFatBinary)},
      Entry{"cuModuleLoad", pointer(&cuModuleLoad)},
      Entry{"cuModuleUnload", pointer(&cuModuleUnload)},
      Entry{"cuModuleGetFunction", pointer(&cuModuleGetFunction)},
      Entry{"cuModuleGetFunctionCount", pointer(&cuModuleGetFunctionCount)},
      Entry{"cuModuleEnumerateFunctions", pointer(&cuModuleEnumerateFunctions)},
      Entry{"cuModuleGetGlobal", pointer(&cuModuleGetGlobal_v2)},
      Entry{"cuLinkCreate", pointer(&cuLinkCreate_v2)},
      Entry{"cuLinkAddData", pointer(&cuLinkAddData_v2)},
      Entry{"cuLinkAddFile", pointer(&cuLinkAddFile_v2)},
      Entry{"cuLinkComplete", pointer(&cuLinkComplete)},
      Entry{"cuLinkDestroy", pointer(&cuLinkDestroy)},
      Entry{"cuGetExportTable", pointer(&cuGetExportTable)},
      Entry{"cuLibraryLoadData", pointer(&cuLibraryLoadData)},
      Entry{"cuLibraryLoadFromFile", pointer(&cuLibraryLoadFromFile)},
      Entry{"cuLibraryUnload", pointer(&cuLibraryUnload)},
      Entry{"cuLibraryGetKernel", pointer(&cuLibraryGetKernel)},
      Entry{"cuLibraryGetKernelCount", pointer(&cuLibraryGetKernelCount)},
      Entry{"cuLibraryEnumerateKernels", pointer(&cuLibraryEnumerateKernels)},
      Entry{"cuLibraryGetGlobal", pointer(&cuLibraryGetGlobal)},
      Entry{"cuLibraryGetModule", pointer(&cuLibraryGetModule)},
      Entry{"cuKernelGetFunction", pointer(&cuKernelGetFunction)},
      Entry{"cuFuncGetAttribute", pointer(&cuFuncGetAttribute)},
      Entry{"cuFuncSetAttribute", pointer(&cuFuncSetAttribute)},
      Entry{"cuKernelGetAttribute", pointer(&cuKernelGetAttribute)},
      Entry{"cuKernelSetAttribute", pointer(&cuKernelSetAttribute)},
      Entry{"cuFuncSetCacheConfig", pointer(&cuFuncSetCacheConfig)},
      Entry{"cuFuncGetName", pointer(&cuFuncGetName)},
      Entry{"cuKernelGetName", pointer(&cuKernelGetName)},
      Entry{"cuFuncLoad", pointer(&cuFuncLoad)},
      Entry{"cuFuncIsLoaded", pointer(&cuFuncIsLoaded)},
      Entry{"cuFuncGetParamInfo", pointer(&cuFuncGetParamInfo)},
      Entry{"cuLaunchKernel", pointer(&cuLaunchKernel)},
      Entry{"cuLaunchCooperativeKernel", pointer(&cuLaunchCooperativeKernel)},
      Entry{"cuLaunchKernelEx", pointer(&cuLaunchKernelEx)},
      Entry{"cuLaunchHostFunc", pointer(&cuLaunchHostFunc)},
      Entry{"cuOccupancyMaxActiveBlocksPerMultiprocessor",
            pointer(&cuOccupancyMaxActiveBlocksPerMultiprocessor)},
      Entry{"cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
            pointer(&cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)},
      Entry{"cuOccupancyMaxActiveClusters", pointer(&cuOccupancyMaxActiveClusters)},
      Entry{"cuOccupancyMaxPotentialBlockSize", pointer(&cuOccupancyMaxPotentialBlockSize)},
      Entry{"cuOccupancyMaxPotentialBlockSizeWithFlags",
            pointer(&cuOccupancyMaxPotentialBlockSizeWithFlags)},
      Entry{"cuOccupancyMaxPotentialClusterSize", pointer(&cuOccupancyMaxPotentialClusterSize)},
      Entry{"cuStreamCreate", pointer(&cuStreamCreate)},
      Entry{"cuStreamCreateWithPriority", pointer(&cuStreamCreateWithPriority)},
      Entry{"cuStreamDestroy", pointer(&cuStreamDestroy_v2)},
      Entry{"cuStreamSynchronize", pointer(&cuStreamSynchronize)},
      Entry{"cuStreamQuery", pointer(&cuStreamQuery)},
      Entry{"cuStreamWaitEvent", pointer(&cuStreamWaitEvent)},
      Entry{"cuStreamGetFlags", pointer(&cuStreamGetFlags)},
      Entry{"cuStreamGetPriority", pointer(&cuStreamGetPriority)},
      Entry{"cuStreamGetCtx", pointer(&cuStreamGetCtx)},
      Entry{"cuStreamAddCallback", pointer(&cuStreamAddCallback)},
      Entry{"cuEventCreate", pointer(&cuEventCreate)},
      Entry{"cuEventDestroy", pointer(&cuEventDestroy_v2)},
      Entry{"cuEventRecord", pointer(&cuEventRecord)},
      Entry{"cuEventRecordWithFlags", pointer(&cuEventRecordWithFlags)},
      Entry{"cuEventSynchronize", pointer(&cuEventSynchronize)},
      Entry{"cuEventQuery", pointer(&cuEventQuery)},
      Entry{"cuEventElapsedTime", pointer(&cuEventElapsedTime_v2)},
      Entry{"cuGetErrorString", pointer(&cuGetErrorString)},
      Entry{"cuGetErrorName", pointer(&cuGetErrorName)},
      Entry{"cuGetProcAddress", pointer(&cuGetProcAddress_v2)},
      Entry{"cuTensorMapEncodeIm2col", pointer(&cuTensorMapEncodeIm2col)},
      Entry{"cuTensorMapEncodeTiled", pointer(&cuTensorMapEncodeTiled)},
      Entry{"cuTensorMapReplaceAddress", pointer(&cuTensorMapReplaceAddress)},
  };
  return kEntries;
}

}  // namespace

void* find_driver_function(std::string_view name) {
  for (const Entry& entry : entries())
    if (entry.name == name) return entry.function;
  return nullptr;
}

}  // namespace lanescope::cudart
