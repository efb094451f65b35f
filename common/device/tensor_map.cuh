// SPDX-License-Identifier: MIT
// A tensor map: what the host tells the Tensor Memory Accelerator about a matrix in global memory
// and the boxes to be copied of it. Made by the driver, found through the runtime: no program has
// to be linked with libcuda.
//
//     const CUtensorMap map = tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, device_a, K, M,
//                                           K * 2, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B);
//     kernel<<<...>>>(map);     // __global__ void kernel(const __grid_constant__ CUtensorMap map)
//
// Source: CUDA Driver API, cuTensorMapEncodeTiled.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstdint>

#include "check.cuh"

/// The driver's function, which the runtime hands out by name.
inline PFN_cuTensorMapEncodeTiled_v12000 tensor_map_encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status;
#if CUDART_VERSION >= 12050
  CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                              cudaEnableDefault, &status));
#else  // only this one, which CUDA 13 no longer has
  CUDA_CHECK(
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &status));
#endif
  if (status == cudaDriverEntryPointSuccess)
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  std::fprintf(stderr, "lesson: the driver has no cuTensorMapEncodeTiled; it is too old\n");
  std::exit(1);
}

/// A matrix of rows x cols elements whose rows begin row_stride_bytes apart, and boxes of box_rows
/// x box_cols of it. What a box has outside of the matrix is loaded as 0, and not stored. `map` is
/// untouched when the answer is not CUDA_SUCCESS.
inline CUresult encode_tensor_map_2d(
    CUtensorMap& map, CUtensorMapDataType type, void* matrix, std::uint64_t cols,
    std::uint64_t rows, std::uint64_t row_stride_bytes, std::uint32_t box_cols,
    std::uint32_t box_rows, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE) {
  const std::uint64_t sizes[2] = {cols, rows}, strides[1] = {row_stride_bytes};
  const std::uint32_t box[2] = {box_cols, box_rows}, steps[2] = {1, 1};
  alignas(64) CUtensorMap encoded{};  // the driver insists; what the caller has may lie anywhere
  const CUresult result = tensor_map_encoder()(&encoded, type, 2, matrix, sizes, strides, box,
                                               steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                               promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_SUCCESS) map = encoded;
  return result;
}

/// The same, for who expects it to work.
inline CUtensorMap tensor_map_2d(
    CUtensorMapDataType type, void* matrix, std::uint64_t cols, std::uint64_t rows,
    std::uint64_t row_stride_bytes, std::uint32_t box_cols, std::uint32_t box_rows,
    CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE) {
  CUtensorMap map{};
  const CUresult result = encode_tensor_map_2d(map, type, matrix, cols, rows, row_stride_bytes,
                                               box_cols, box_rows, swizzle, promotion);
  if (result == CUDA_SUCCESS) return map;
  std::fprintf(stderr,
               "lesson: no tensor map of %llu x %llu elements with boxes of %u x %u (error %d): "
               "address and strides are multiples of 16 bytes, a box has at most 256 a side, and "
               "its rows fit the swizzle\n",
               static_cast<unsigned long long>(rows), static_cast<unsigned long long>(cols),
               box_rows, box_cols, static_cast<int>(result));
  std::exit(1);
}
