// SPDX-License-Identifier: MIT
// Tensor maps as programs make them without linking the driver: through the runtime's
// cudaGetDriverEntryPointByVersion.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>

#include "program.cuh"

template <class Function>
Function driver_function(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &status));
  if (status != cudaDriverEntryPointSuccess) {
    std::printf("no %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<Function>(function);
}
inline PFN_cuTensorMapEncodeTiled_v12000 tensor_map_encoder() {
  return driver_function<PFN_cuTensorMapEncodeTiled_v12000>("cuTensorMapEncodeTiled");
}
inline PFN_cuTensorMapEncodeIm2col_v12000 im2col_map_encoder() {
  return driver_function<PFN_cuTensorMapEncodeIm2col_v12000>("cuTensorMapEncodeIm2col");
}

/// A dense tensor, the fastest dimension first; 0 when the driver refuses it.
template <int kRank>
bool make_map(CUtensorMap& map, CUtensorMapDataType type, int element_bytes, void* address,
              const std::uint64_t (&size)[kRank], const std::uint32_t (&box)[kRank],
              CUtensorMapSwizzle swizzle, std::uint32_t step = 1) {
  std::uint64_t strides[5];
  std::uint64_t bytes = element_bytes;
  for (int d = 0; d < kRank; ++d) strides[d] = bytes *= size[d];
  std::uint32_t steps[5] = {1, step, step, step, step};
  return tensor_map_encoder()(&map, type, kRank, address, size, strides, box, steps,
                              CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                              CU_TENSOR_MAP_L2_PROMOTION_NONE,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}
