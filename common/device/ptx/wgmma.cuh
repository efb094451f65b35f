// SPDX-License-Identifier: MIT
// One function for each wgmma instruction that a lesson uses, named as in the PTX with _ for dots:
// D = A*B + D by the 128 threads of a warpgroup together, while they go on. Which thread holds
// which element lesson 09 finds out; how a descriptor says where a matrix lies, lesson 10.
//
//     ptx::wgmma_fence_sync_aligned();             // registers written before: visible to wgmma
//     ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16(d, a, b, 1);    // starts, as many as
//     ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16(d, a2, b2, 1);  // one likes
//     ptx::wgmma_commit_group_sync_aligned();      // those since the last commit are a group
//     ptx::wgmma_wait_group_sync_aligned<0>();     // all but the last 0 groups are done: read d
//
// Only for sm_90a (-gencode arch=compute_90a,code=sm_90a): no other card has these instructions.
// Lesson 11 has all other types and shapes of them.
//
// Source: PTX ISA 9.2, 9.7.15 "Asynchronous warpgroup level matrix instructions".
#pragma once

#include <cstdint>

#include "settle.cuh"

namespace ptx {

// Orders earlier accesses of registers (D, and A where it is in registers) before wgmma. Needed
// before the first wgmma and whenever the threads have touched such registers in between. ISA
// 9.7.15.7.1.
__device__ __forceinline__ void wgmma_fence_sync_aligned() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// Registers that threads have written: settle() in front of the fence, settle.cuh.

// ISA 9.7.15.7.2.
__device__ __forceinline__ void wgmma_commit_group_sync_aligned() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most kGroups of the groups committed last are still under way. ISA 9.7.15.7.3.
template <int kGroups>
__device__ __forceinline__ void wgmma_wait_group_sync_aligned() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kGroups) : "memory");
}

// The descriptor of a matrix in shared memory: everything in bytes, all multiples of 16.
// mode: 0 no swizzle, 1 = 128 bytes, 2 = 64, 3 = 32. ISA 9.7.15.5.1.2.2; lesson 10.
__device__ __forceinline__ std::uint64_t matrix_descriptor(const void* start, int lbo_bytes,
                                                           int sbo_bytes, int mode) {
  const auto encoded = [](std::uint32_t bytes) {
    return static_cast<std::uint64_t>((bytes & 0x3ffff) >> 4);
  };
  return encoded(static_cast<std::uint32_t>(__cvta_generic_to_shared(start))) |
         encoded(static_cast<std::uint32_t>(lbo_bytes)) << 16 |
         encoded(static_cast<std::uint32_t>(sbo_bytes)) << 32 |
         static_cast<std::uint64_t>(mode) << 62;
}

// ---- wgmma.mma_async.sync.aligned.m64nNk16.f32.f16.f16 and .bf16.bf16 ---------------------------
//
//   ..._m64n64k16_f32_f16_f16(d, a, b, scale_d)
//     d        N/2 sums of this thread
//     a        a descriptor, or four registers of A's fragment
//     b        a descriptor
//     scale_d  0: D = A*B; else D = A*B + D
//   <scale_a, scale_b>     -1 negates A, B
//   <..., trans_a, trans_b>  1: the matrix lies MN-major in shared memory (in registers: no
//   trans_a)
//
// ISA 9.7.15.5.2. Operands of an asm statement have numbers, so the instruction's text and the list
// of registers are written out once for every length.

// clang-format off
#define PTX_WGMMA_REGISTERS_4 "%0, %1, %2, %3"
#define PTX_WGMMA_REGISTERS_8 PTX_WGMMA_REGISTERS_4 ", %4, %5, %6, %7"
#define PTX_WGMMA_REGISTERS_16 PTX_WGMMA_REGISTERS_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define PTX_WGMMA_REGISTERS_32 PTX_WGMMA_REGISTERS_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define PTX_WGMMA_REGISTERS_48 PTX_WGMMA_REGISTERS_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define PTX_WGMMA_REGISTERS_56 PTX_WGMMA_REGISTERS_48 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define PTX_WGMMA_REGISTERS_64 PTX_WGMMA_REGISTERS_48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define PTX_WGMMA_REGISTERS_72 PTX_WGMMA_REGISTERS_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define PTX_WGMMA_REGISTERS_80 PTX_WGMMA_REGISTERS_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define PTX_WGMMA_REGISTERS_88 PTX_WGMMA_REGISTERS_80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define PTX_WGMMA_REGISTERS_96 PTX_WGMMA_REGISTERS_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79" \
  ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define PTX_WGMMA_REGISTERS_112 PTX_WGMMA_REGISTERS_96 ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111"
#define PTX_WGMMA_REGISTERS_128 PTX_WGMMA_REGISTERS_96 ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
  ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

#define PTX_WGMMA_4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define PTX_WGMMA_8(d, i) PTX_WGMMA_4(d, i), PTX_WGMMA_4(d, i + 4)
#define PTX_WGMMA_16(d, i) PTX_WGMMA_8(d, i), PTX_WGMMA_8(d, i + 8)
#define PTX_WGMMA_32(d, i) PTX_WGMMA_16(d, i), PTX_WGMMA_16(d, i + 16)
#define PTX_WGMMA_48(d, i) PTX_WGMMA_32(d, i), PTX_WGMMA_16(d, i + 32)
#define PTX_WGMMA_56(d, i) PTX_WGMMA_48(d, i), PTX_WGMMA_8(d, i + 48)
#define PTX_WGMMA_64(d, i) PTX_WGMMA_32(d, i), PTX_WGMMA_32(d, i + 32)
#define PTX_WGMMA_72(d, i) PTX_WGMMA_64(d, i), PTX_WGMMA_8(d, i + 64)
#define PTX_WGMMA_80(d, i) PTX_WGMMA_64(d, i), PTX_WGMMA_16(d, i + 64)
#define PTX_WGMMA_88(d, i) PTX_WGMMA_80(d, i), PTX_WGMMA_8(d, i + 80)
#define PTX_WGMMA_96(d, i) PTX_WGMMA_64(d, i), PTX_WGMMA_32(d, i + 64)
#define PTX_WGMMA_112(d, i) PTX_WGMMA_96(d, i), PTX_WGMMA_16(d, i + 96)
#define PTX_WGMMA_128(d, i) PTX_WGMMA_64(d, i), PTX_WGMMA_64(d, i + 64)

// R: registers of D; r0 to r8: R, R + 1, ... R + 8, the numbers of the operands behind D.
#define PTX_WGMMA(N, TYPE, R, r0, r1, r2, r3, r4, r5, r6, r7, r8)                                 \
  template <int kScaleA = 1, int kScaleB = 1, int kTransA = 0, int kTransB = 0>                   \
  __device__ __forceinline__ void wgmma_mma_async_sync_aligned_m64n##N##k16_f32_##TYPE##_##TYPE(  \
      float (&d)[R], std::uint64_t a, std::uint64_t b, int scale_d) {                             \
    asm volatile(                                                                                 \
        "{ .reg .pred adds; setp.ne.b32 adds, %" #r2 ", 0; "                                      \
        "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." #TYPE "." #TYPE                         \
        " {" PTX_WGMMA_REGISTERS_##R "}, %" #r0 ", %" #r1 ", adds, %" #r3 ", %" #r4 ", %" #r5     \
        ", %" #r6 "; }"                                                                           \
        : PTX_WGMMA_##R(d, 0)                                                                     \
        : "l"(a), "l"(b), "r"(scale_d), "n"(kScaleA), "n"(kScaleB), "n"(kTransA), "n"(kTransB));  \
  }                                                                                               \
  template <int kScaleA = 1, int kScaleB = 1, int kTransB = 0>                                    \
  __device__ __forceinline__ void wgmma_mma_async_sync_aligned_m64n##N##k16_f32_##TYPE##_##TYPE(  \
      float (&d)[R], const std::uint32_t (&a)[4], std::uint64_t b, int scale_d) {                 \
    asm volatile(                                                                                 \
        "{ .reg .pred adds; setp.ne.b32 adds, %" #r5 ", 0; "                                      \
        "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." #TYPE "." #TYPE                         \
        " {" PTX_WGMMA_REGISTERS_##R "}, {%" #r0 ", %" #r1 ", %" #r2 ", %" #r3 "}, %" #r4         \
        ", adds, %" #r6 ", %" #r7 ", %" #r8 "; }"                                                 \
        : PTX_WGMMA_##R(d, 0)                                                                     \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d), "n"(kScaleA),         \
          "n"(kScaleB), "n"(kTransB));                                                            \
  }
#define PTX_WGMMA_TYPES(...) PTX_WGMMA_EACH(__VA_ARGS__)
#define PTX_WGMMA_EACH(N, ...) PTX_WGMMA(N, f16, __VA_ARGS__) PTX_WGMMA(N, bf16, __VA_ARGS__)

PTX_WGMMA_TYPES(8, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12)
PTX_WGMMA_TYPES(16, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16)
PTX_WGMMA_TYPES(32, 16, 16, 17, 18, 19, 20, 21, 22, 23, 24)
PTX_WGMMA_TYPES(64, 32, 32, 33, 34, 35, 36, 37, 38, 39, 40)
PTX_WGMMA_TYPES(96, 48, 48, 49, 50, 51, 52, 53, 54, 55, 56)
PTX_WGMMA_TYPES(112, 56, 56, 57, 58, 59, 60, 61, 62, 63, 64)
PTX_WGMMA_TYPES(128, 64, 64, 65, 66, 67, 68, 69, 70, 71, 72)
PTX_WGMMA_TYPES(144, 72, 72, 73, 74, 75, 76, 77, 78, 79, 80)
PTX_WGMMA_TYPES(160, 80, 80, 81, 82, 83, 84, 85, 86, 87, 88)
PTX_WGMMA_TYPES(176, 88, 88, 89, 90, 91, 92, 93, 94, 95, 96)
PTX_WGMMA_TYPES(192, 96, 96, 97, 98, 99, 100, 101, 102, 103, 104)
PTX_WGMMA_TYPES(224, 112, 112, 113, 114, 115, 116, 117, 118, 119, 120)
PTX_WGMMA_TYPES(256, 128, 128, 129, 130, 131, 132, 133, 134, 135, 136)
// clang-format on

#undef PTX_WGMMA_EACH
#undef PTX_WGMMA_TYPES
#undef PTX_WGMMA

// m64n8k32, e4m3 in, f32 sums: 4 registers of D; A 4 registers or a descriptor. ISA 9.7.15.5.2.
__device__ __forceinline__ void wgmma_mma_async_sync_aligned_m64n8k32_f32_e4m3_e4m3(
    float (&d)[4], const std::uint32_t (&a)[4], std::uint64_t b, int scale_d) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %9, 0; "
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, adds, 1, 1; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d));
}
__device__ __forceinline__ void wgmma_mma_async_sync_aligned_m64n8k32_f32_e4m3_e4m3(float (&d)[4],
                                                                                    std::uint64_t a,
                                                                                    std::uint64_t b,
                                                                                    int scale_d) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %6, 0; "
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 "
      "{%0, %1, %2, %3}, %4, %5, adds, 1, 1; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b), "r"(scale_d));
}

}  // namespace ptx
