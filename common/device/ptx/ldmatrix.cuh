// SPDX-License-Identifier: MIT
// One function for each instruction that moves 8 x 8 matrices of 16-bit elements between shared
// memory and fragments, named as in the PTX with _ for dots. All 32 lanes together.
//
//     lanes  0 ..  7 name the rows of the matrix in r[0]      x1 takes these,
//     lanes  8 .. 15                           in r[1]        x2 these too,
//     lanes 16 .. 23 in r[2], 24 .. 31 in r[3]                x4 all
//
// A row is 16 bytes and begins at a multiple of 16. Lesson 03 finds out who gets what; with .trans
// every matrix is transposed on its way.
//
// Source: PTX ISA 9.2, 9.7.14.5.15 (ldmatrix), .16 (stmatrix), .17 (movmatrix).
#pragma once

#include <cstdint>

#include "shared_address.cuh"

namespace ptx {

__device__ __forceinline__ void ldmatrix_sync_aligned_m8n8_x1_shared_b16(std::uint32_t (&r)[1],
                                                                         const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(r[0])
               : "r"(shared_address(row))
               : "memory");
}
__device__ __forceinline__ void ldmatrix_sync_aligned_m8n8_x2_shared_b16(std::uint32_t (&r)[2],
                                                                         const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(row))
               : "memory");
}
__device__ __forceinline__ void ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(
    std::uint32_t (&r)[2], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(row))
               : "memory");
}
__device__ __forceinline__ void ldmatrix_sync_aligned_m8n8_x4_shared_b16(std::uint32_t (&r)[4],
                                                                         const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}
__device__ __forceinline__ void ldmatrix_sync_aligned_m8n8_x4_trans_shared_b16(
    std::uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}

// The way back, from sm_90 on; before it the kernel ends with a trap.
__device__ __forceinline__ void stmatrix_sync_aligned_m8n8_x4_shared_b16(
    void* row, const std::uint32_t (&r)[4]) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)),
      "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
      : "memory");
#else
  (void)row, (void)r;
  __trap();
#endif
}

// Transposes an 8 x 8 matrix from register to register.
__device__ __forceinline__ std::uint32_t movmatrix_sync_aligned_m8n8_trans_b16(std::uint32_t r) {
  std::uint32_t moved;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(r));
  return moved;
}

}  // namespace ptx
