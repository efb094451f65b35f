// SPDX-License-Identifier: MIT
// Several at a time, by the driver API: copies, prefetches and discards of managed memory, values
// that a stream writes and waits for. Source: cuda.h of CUDA 13.0.
#pragma once

#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

LANESCOPE_API CUresult cuStreamBatchMemOp_v2(CUhandle stream, unsigned count,
                                             const CUstreamOperation* operations, unsigned flags);
LANESCOPE_API CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes,
                                             std::size_t count, cudaMemcpyAttributes* attributes,
                                             std::size_t* first_copies, std::size_t attribute_count,
                                             CUhandle stream);
LANESCOPE_API CUresult cuMemPrefetchBatchAsync(CUdeviceptr* addresses, std::size_t* bytes,
                                               std::size_t count, cudaMemLocation* places,
                                               std::size_t* first, std::size_t place_count,
                                               unsigned long long flags, CUhandle stream);
LANESCOPE_API CUresult cuMemDiscardBatchAsync(CUdeviceptr* addresses, std::size_t* bytes,
                                              std::size_t count, unsigned long long flags,
                                              CUhandle stream);
LANESCOPE_API CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* addresses, std::size_t* bytes,
                                                         std::size_t count, cudaMemLocation* places,
                                                         std::size_t* first,
                                                         std::size_t place_count,
                                                         unsigned long long flags, CUhandle stream);

}  // namespace lanescope::cudart
