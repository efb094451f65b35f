// SPDX-License-Identifier: MIT
// Two siblings of lesson 01's instruction, for other types: bf16, as wide as f16, and e4m3, four to
// a register. The same asm statement as MmaF16's with another name.
//
// Source: PTX ISA 9.2, 9.7.14.5.8 (m16n8k16) and 9.7.14.5.10 (m16n8k32).
#pragma once

#include "element.cuh"
#include "ptx/mma.cuh"

struct MmaBf16 {
  using Type = Bf16;
  static constexpr int K = 16, kParts = 2, kStepA = 16, kStepB = 8;
  __host__ __device__ static constexpr const char* name() {
    return "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
  }
  __device__ static void run(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                             const float (&c)[4]) {
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_bf16_bf16_f32(d, a, b, c);
  }
};

struct MmaE4m3 {
  using Type = E4m3;
  static constexpr int K = 32, kParts = 4, kStepA = 3, kStepB = 5;
  __host__ __device__ static constexpr const char* name() {
    return "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
  }
  __device__ static void run(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                             const float (&c)[4]) {
    ptx::mma_sync_aligned_m16n8k32_row_col_f32_e4m3_e4m3_f32(d, a, b, c);
  }
};
