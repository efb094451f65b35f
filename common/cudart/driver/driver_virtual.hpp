// SPDX-License-Identifier: MIT
// Memory apart from addresses, by the driver API. Source: cuda.h of CUDA 13.0.
#pragma once

#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

using CUmemGenericAllocationHandle = unsigned long long;

LANESCOPE_API CUresult cuMemGetAllocationGranularity(std::size_t* bytes,
                                                     const CUmemAllocationProp* what, int option);
LANESCOPE_API CUresult cuMemAddressReserve(CUdeviceptr* made, std::size_t bytes,
                                           std::size_t alignment, CUdeviceptr wanted,
                                           unsigned long long flags);
LANESCOPE_API CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes);
LANESCOPE_API CUresult cuMemCreate(CUmemGenericAllocationHandle* made, std::size_t bytes,
                                   const CUmemAllocationProp* what, unsigned long long flags);
LANESCOPE_API CUresult cuMemRelease(CUmemGenericAllocationHandle memory);
LANESCOPE_API CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* found,
                                                   void* address);
LANESCOPE_API CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* what,
                                                              CUmemGenericAllocationHandle memory);
LANESCOPE_API CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset_bytes,
                                CUmemGenericAllocationHandle memory, unsigned long long flags);
LANESCOPE_API CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes);
LANESCOPE_API CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes,
                                      const CUmemAccessDesc* access, std::size_t count);
LANESCOPE_API CUresult cuMemGetAccess(unsigned long long* access, const cudaMemLocation* where,
                                      CUdeviceptr address);
LANESCOPE_API CUresult cuMemExportToShareableHandle(void* exported,
                                                    CUmemGenericAllocationHandle memory, int type,
                                                    unsigned long long flags);
LANESCOPE_API CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* made,
                                                      void* exported, int type);

}  // namespace lanescope::cudart
