// SPDX-License-Identifier: MIT
// One function for each tcgen05 instruction that a lesson uses, named as in the PTX with _ for dots
// and for ::. On Blackwell D lies in tensor memory, and one thread starts the product.
//
//     tensor memory of a CTA: 128 lanes x 512 columns of 32 bits      an address: lane << 16 |
//     column
//
//     one warp     tcgen05.alloc    -> the address of its columns, in shared memory
//     one thread   tcgen05.mma      D = A*B + D in tensor memory; A and B lie in shared memory
//                  tcgen05.commit   an arrival at an mbarrier, when all that it started is done
//     all          wait for the mbarrier, tcgen05.fence::after_thread_sync
//     each warp    tcgen05.ld, tcgen05.wait::ld     its own quarter of the lanes, into registers
//     one warp     tcgen05.dealloc
//
// With .cta_group::2 (_2_ in a name) the two CTAs of a pair work together: a warp of each takes
// columns, one thread multiplies in both. All of a kernel's instructions must say the same group.
//
// Only for sm_100a (-gencode arch=compute_100a,code=sm_100a) and its family.
//
// Source: PTX ISA 9.2, 9.7.16 "TensorCore 5th Generation Family Instructions". No card has run this
// here: ptxas takes every line, and the emulator does what the ISA says.
#pragma once

#include <cstdint>

#include "settle.cuh"
#include "shared_address.cuh"

namespace ptx {

// ---- Columns, to have and to give back: ISA 9.7.16.7 --------------------------------------------

// By all lanes of one warp. `columns` is a power of 2 from 32 to 512; `answer`, in shared memory,
// becomes the address of the first. Where there are not enough, it waits until another CTA of this
// SM gives some back.
__device__ __forceinline__ void tcgen05_alloc_cta_group_1_sync_aligned_shared_cta_b32(
    std::uint32_t* answer, int columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                   shared_address(answer)),
               "r"(columns)
               : "memory");
}

__device__ __forceinline__ void tcgen05_alloc_cta_group_2_sync_aligned_shared_cta_b32(
    std::uint32_t* answer, int columns) {
  asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                   shared_address(answer)),
               "r"(columns)
               : "memory");
}

// By all lanes of one warp. What was allocated must be given back before the kernel ends.
__device__ __forceinline__ void tcgen05_dealloc_cta_group_1_sync_aligned_b32(std::uint32_t address,
                                                                             int columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns)
               : "memory");
}
__device__ __forceinline__ void tcgen05_dealloc_cta_group_2_sync_aligned_b32(std::uint32_t address,
                                                                             int columns) {
  asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns)
               : "memory");
}

// ---- The product: ISA 9.7.16.10 -----------------------------------------------------------------

// Where a matrix lies in shared memory: as wgmma's (lesson 10), but 001 in bits 46 to 48 and the
// swizzle in 61 to 63: 0 none, 6 = 32 bytes, 4 = 64, 2 = 128. ISA 9.7.16.4.1.
__device__ __forceinline__ std::uint64_t tcgen05_matrix_descriptor(const void* start, int lbo_bytes,
                                                                   int sbo_bytes, int mode) {
  const auto encoded = [](std::uint32_t bytes) {
    return static_cast<std::uint64_t>((bytes & 0x3ffff) >> 4);
  };
  return encoded(shared_address(start)) | encoded(static_cast<std::uint32_t>(lbo_bytes)) << 16 |
         encoded(static_cast<std::uint32_t>(sbo_bytes)) << 32 | std::uint64_t{1} << 46 |
         static_cast<std::uint64_t>(mode) << 61;
}

// What is multiplied, kind::f16: D f32, A and B f16, both K-major. ISA 9.7.16.4.2, table 42.
__host__ __device__ constexpr std::uint32_t tcgen05_instruction_f32_f16_f16(int M, int N) {
  return 1u << 4 | static_cast<std::uint32_t>(N / 8) << 17 |
         static_cast<std::uint32_t>(M / 16) << 24;
}

// By one thread: starts D = A*B + D, or with add 0 D = A*B, and goes on. K is 16. The products that
// a thread starts are done in their order.
__device__ __forceinline__ void tcgen05_mma_cta_group_1_kind_f16(std::uint32_t d, std::uint64_t a,
                                                                 std::uint64_t b,
                                                                 std::uint32_t instruction,
                                                                 int add) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %4, 0; "
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, adds; }" ::"r"(d),
      "l"(a), "l"(b), "r"(instruction), "r"(add)
      : "memory");
}

// ---- The product with a sparse A: ISA 9.7.16.10.8 -----------------------------------------------

// As above, of A two of four neighbours along K kept; `selector`, 0 or 1, is the column of metadata
// that f16 takes. kind::f8f6f4: e4m3 each, which takes both columns.
__host__ __device__ constexpr std::uint32_t tcgen05_instruction_sparse_f32_f16_f16(int M, int N,
                                                                                   int selector) {
  return tcgen05_instruction_f32_f16_f16(M, N) | 1u << 2 | static_cast<std::uint32_t>(selector);
}
__host__ __device__ constexpr std::uint32_t tcgen05_instruction_sparse_f32_e4m3_e4m3(int M, int N) {
  return tcgen05_instruction_f32_f16_f16(M, N) | 1u << 2;
}

// By one thread, as above; K is 32 (f16) or 64 (e4m3), of which A in shared memory keeps a half.
// `metadata` is an address of tensor memory: two bits for each element that is kept, which of four
// it was. `lanescope layout tcgen05.mma.sp.cta_group::1.metadata.m128.f16` has which lane and bit.
#define PTX_SPARSE(name, text)                                                            \
  __device__ __forceinline__ void name(std::uint32_t d, std::uint64_t a, std::uint64_t b, \
                                       std::uint32_t metadata, std::uint32_t instruction, \
                                       int add) {                                         \
    asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %5, 0; " text                      \
                 " [%0], %1, %2, [%3], %4, adds; }" ::"r"(d),                             \
                 "l"(a), "l"(b), "r"(metadata), "r"(instruction), "r"(add)                \
                 : "memory");                                                             \
  }
PTX_SPARSE(tcgen05_mma_sp_cta_group_1_kind_f16, "tcgen05.mma.sp.cta_group::1.kind::f16")
PTX_SPARSE(tcgen05_mma_sp_cta_group_1_kind_f8f6f4, "tcgen05.mma.sp.cta_group::1.kind::f8f6f4")
PTX_SPARSE(tcgen05_mma_sp_cta_group_2_kind_f16, "tcgen05.mma.sp.cta_group::2.kind::f16")
PTX_SPARSE(tcgen05_mma_sp_cta_group_2_kind_f8f6f4, "tcgen05.mma.sp.cta_group::2.kind::f8f6f4")
#undef PTX_SPARSE

// By one thread: 128 rows of 16 bytes of shared memory, by a descriptor, row r to lane r of 4
// columns. The mma that the same thread starts behind it finds them. ISA 9.7.16.9.
__device__ __forceinline__ void tcgen05_cp_cta_group_1_128x128b(std::uint32_t to,
                                                                std::uint64_t from) {
  asm volatile("tcgen05.cp.cta_group::1.128x128b [%0], %1;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void tcgen05_cp_cta_group_2_128x128b(std::uint32_t to,
                                                                std::uint64_t from) {
  asm volatile("tcgen05.cp.cta_group::2.128x128b [%0], %1;" ::"r"(to), "l"(from) : "memory");
}

// ---- The product with block scaling: ISA 9.7.16.10.7 --------------------------------------------

// D = (A * scale_A) * (B * scale_B): D f32, A and B K-major. A factor is a byte; `sfa` and `sfb`
// say which byte of their words comes first (0 to 3; 2X: 0 or 2; 4X: 0). ISA 9.7.16.4.2, tables
// 43, 44.
//   mxf8f6f4             e4m3 each, a ue8m0 for 32 of K              K 32   1X: a byte
//   mxf4, mxf4nvf4 2X    e2m1 each, two a byte, a ue8m0 for 32       K 64   2X: two bytes
//   mxf4nvf4 4X          e2m1, a ue4m3 for 16 (or ue8m0: 1u << 23)   K 64   4X: four bytes
__host__ __device__ constexpr std::uint32_t tcgen05_instruction_mxf8f6f4_e4m3_e4m3_ue8m0(int M,
                                                                                         int N,
                                                                                         int sfa,
                                                                                         int sfb) {
  return static_cast<std::uint32_t>(sfb) << 4 | static_cast<std::uint32_t>(N / 8) << 17 | 1u << 23 |
         static_cast<std::uint32_t>(M / 128) << 27 | static_cast<std::uint32_t>(sfa) << 29;
}
__host__ __device__ constexpr std::uint32_t tcgen05_instruction_mxf4_e2m1_e2m1_ue8m0(int M, int N,
                                                                                     int sfa,
                                                                                     int sfb) {
  return 1u << 7 | 1u << 10 | tcgen05_instruction_mxf8f6f4_e4m3_e4m3_ue8m0(M, N, sfa, sfb);
}
__host__ __device__ constexpr std::uint32_t tcgen05_instruction_mxf4nvf4_e2m1_e2m1_ue4m3(int M,
                                                                                         int N) {
  return tcgen05_instruction_mxf4_e2m1_e2m1_ue8m0(M, N, 0, 0) & ~(1u << 23);
}

// By one thread, as above. The factors lie in tensor memory, the same in each 32 lanes; the
// addresses are their first columns, in lane 0: one for 32 rows of A, or columns of B.
#define PTX_SCALED(name, text)                                                            \
  __device__ __forceinline__ void name(std::uint32_t d, std::uint64_t a, std::uint64_t b, \
                                       std::uint32_t instruction, std::uint32_t scale_a,  \
                                       std::uint32_t scale_b, int add) {                  \
    asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %6, 0; " text                      \
                 " [%0], %1, %2, %3, [%4], [%5], adds; }" ::"r"(d),                       \
                 "l"(a), "l"(b), "r"(instruction), "r"(scale_a), "r"(scale_b), "r"(add)   \
                 : "memory");                                                             \
  }
PTX_SCALED(tcgen05_mma_cta_group_1_kind_mxf8f6f4_block_scale_scale_vec_1X,
           "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X")
PTX_SCALED(tcgen05_mma_cta_group_1_kind_mxf4_block_scale_scale_vec_2X,
           "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X")
PTX_SCALED(tcgen05_mma_cta_group_1_kind_mxf4nvf4_block_scale_scale_vec_4X,
           "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X")
PTX_SCALED(tcgen05_mma_cta_group_2_kind_mxf8f6f4_block_scale_scale_vec_1X,
           "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.scale_vec::1X")
PTX_SCALED(tcgen05_mma_cta_group_2_kind_mxf4_block_scale_scale_vec_2X,
           "tcgen05.mma.cta_group::2.kind::mxf4.block_scale.scale_vec::2X")
PTX_SCALED(tcgen05_mma_cta_group_2_kind_mxf4nvf4_block_scale_scale_vec_4X,
           "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X")
#undef PTX_SCALED

// By one thread: 32 rows of 16 bytes of shared memory, by a descriptor, to 4 columns, the same in
// each 32 lanes. 512 bytes are the factors of 128 rows and 4 chunks of K: row r's begin at byte
// r % 32 * 16 + r / 32 * 4. The mma that the same thread starts behind it finds them. ISA 9.7.16.9.
__device__ __forceinline__ void tcgen05_cp_cta_group_1_32x128b_warpx4(std::uint32_t to,
                                                                      std::uint64_t from) {
  asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void tcgen05_cp_cta_group_2_32x128b_warpx4(std::uint32_t to,
                                                                      std::uint64_t from) {
  asm volatile("tcgen05.cp.cta_group::2.32x128b.warpx4 [%0], %1;" ::"r"(to), "l"(from) : "memory");
}

// ---- When it is done: ISA 9.7.16.12 -------------------------------------------------------------

// By the thread that started them: when all of them so far are done, one arrival at the mbarrier.
// Says tcgen05.fence::before_thread_sync, too. ISA 9.7.16.12.1.
__device__ __forceinline__ void tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(
    std::uint64_t* barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                   shared_address(barrier))
               : "memory");
}

// The same at the mbarriers at that place of every CTA of the cluster that has a bit in `ctas`.
__device__ __forceinline__ void
tcgen05_commit_cta_group_2_mbarrier_arrive_one_shared_cluster_multicast_cluster_b64(
    std::uint64_t* barrier, int ctas) {
  asm volatile(
      "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 "
      "[%0], %1;" ::"r"(shared_address(barrier)),
      "h"(static_cast<short>(ctas))
      : "memory");
}

// ---- Order between threads: ISA 9.7.16.11 -------------------------------------------------------

// What this thread did with tensor memory comes before the barrier that follows ...
__device__ __forceinline__ void tcgen05_fence_before_thread_sync() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
// ... and what it does next, after the barrier (or the wait) that it has passed.
__device__ __forceinline__ void tcgen05_fence_after_thread_sync() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

// ---- Between tensor memory and registers: ISA 9.7.16.8 ------------------------------------------

// tcgen05.ld and .st only start; registers are there, or free again, behind the wait.
__device__ __forceinline__ void tcgen05_wait_ld_sync_aligned() {
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void tcgen05_wait_st_sync_aligned() {
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

// By all lanes of a warp, with one address for all: its lane is 32 * (number of the warp in its
// warpgroup), with .16x256b also 16 more.
//   .32x32b.xN    lane l gets N columns of lane l
//   .16x256b.xN   N times the fragment D of mma.m16n8: 16 lanes, 8 columns
// The registers are there behind tcgen05.wait::ld: settle() them there (settle.cuh).
#define PTX_OUT(i) "=f"(d[i]), "=f"(d[(i) + 1]), "=f"(d[(i) + 2]), "=f"(d[(i) + 3])
#define PTX_IN(i) "f"(d[i]), "f"(d[(i) + 1]), "f"(d[(i) + 2]), "f"(d[(i) + 3])

__device__ __forceinline__ void tcgen05_ld_sync_aligned_16x256b_x2_b32(float (&d)[8],
                                                                       std::uint32_t address) {
  asm volatile("tcgen05.ld.sync.aligned.16x256b.x2.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : PTX_OUT(0), PTX_OUT(4)
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void tcgen05_ld_sync_aligned_32x32b_x16_b32(float (&d)[16],
                                                                       std::uint32_t address) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x16.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
      "%12, %13, %14, %15}, [%16];"
      : PTX_OUT(0), PTX_OUT(4), PTX_OUT(8), PTX_OUT(12)
      : "r"(address)
      : "memory");
}
__device__ __forceinline__ void tcgen05_st_sync_aligned_32x32b_x16_b32(std::uint32_t address,
                                                                       const float (&d)[16]) {
  asm volatile(
      "tcgen05.st.sync.aligned.32x32b.x16.b32 [%16], {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
      "%10, %11, %12, %13, %14, %15};" ::PTX_IN(0),
      PTX_IN(4), PTX_IN(8), PTX_IN(12), "r"(address)
      : "memory");
}

#undef PTX_OUT
#undef PTX_IN

}  // namespace ptx
