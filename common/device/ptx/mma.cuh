// SPDX-License-Identifier: MIT
// One function for each mma.sync instruction that a lesson uses, named as in the PTX with _ for
// dots: D = A*B + C by the 32 lanes of a warp together. Every lane must arrive (.aligned), and each
// hands in its own registers; which elements those are is what lesson 01 finds out.
//
//                  B  K x N                registers are passed as arrays, in the order of the
//                 +-------+                instruction's operand lists: a[0] is A.r0, ...
//     A  M x K    |       |
//     +-------+   +-------+                16-bit types lie two in a register, 8-bit types four,
//     |       |   | C, D  |                the first in the lowest bits.
//     +-------+   +-------+
//
// An instruction that the architecture does not have ends the kernel with a trap: check the compute
// capability on the host first.
//
// Source: PTX ISA 9.2, 9.7.14.5 "Matrix multiply-accumulate operation using mma instruction", and
// .6 for sparse A.
#pragma once

#include <cstdint>

namespace ptx {

// m16n8k16, f16 in, f32 sums. A 4, B 2, C and D 4 registers. PTX 7.0, sm_80. ISA 9.7.14.5.8.
__device__ __forceinline__ void mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(
    float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], const float (&c)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
        "f"(c[2]), "f"(c[3]));
}

// m16n8k16, bf16 in, f32 sums. A 4, B 2, C and D 4 registers. PTX 7.0, sm_80. ISA 9.7.14.5.8.
__device__ __forceinline__ void mma_sync_aligned_m16n8k16_row_col_f32_bf16_bf16_f32(
    float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], const float (&c)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
        "f"(c[2]), "f"(c[3]));
}

// m16n8k32, e4m3 in, f32 sums. A 4, B 2, C and D 4 registers. PTX 8.4, sm_89. ISA 9.7.14.5.10.
__device__ __forceinline__ void mma_sync_aligned_m16n8k32_row_col_f32_e4m3_e4m3_f32(
    float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], const float (&c)[4]) {
#if __CUDA_ARCH__ >= 890
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
        "f"(c[2]), "f"(c[3]));
#else
  for (int i = 0; i < 4; ++i) d[i] = c[i] + static_cast<float>(a[i] + b[i & 1]);  // never seen
  __trap();
#endif
}

// m16n8k32 with two of four elements of A, f16 in, f32 sums. A 4, B 4, C and D 4 registers, e: this
// lane's metadata, of which the selector, 0 or 1, says who is asked (lesson 15). PTX 8.5, sm_80.
// ISA 9.7.14.6.2.2.
template <int kSelector>
__device__ __forceinline__ void
mma_sp_ordered_metadata_sync_aligned_m16n8k32_row_col_f32_f16_f16_f32(float (&d)[4],
                                                                      const std::uint32_t (&a)[4],
                                                                      const std::uint32_t (&b)[4],
                                                                      const float (&c)[4],
                                                                      std::uint32_t e) {
  asm volatile(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, %16, %17;"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
        "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "r"(e), "n"(kSelector));
}

}  // namespace ptx
