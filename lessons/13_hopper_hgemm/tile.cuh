// SPDX-License-Identifier: MIT
// What all kernels of this lesson do in the same way: how a tile lies in shared memory, which wgmma
// multiplies it, where the sums go. What they do differently, and when, is in rungs.cuh and
// kernel.cuh.
//
//     A  M x K, row-major            a tile: rows of 64 k, 128 bytes, which TMA swizzles; eight of
//     B  K x N, column by column     them are 1024 bytes. One descriptor fits every tile, and 16 k
//     D  M x N, row-major            further on is 32 bytes further on: + 2
//
// Source: PTX ISA 9.2, 9.7.15.5.1 (tiles, descriptors), 9.7.15.5.2 (D's fragment). Lessons 09, 10.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

namespace hgemm {

enum class Type { kF16, kBf16 };  // of A, B and D; sums are f32

struct Problem {
  int M, N, K;
};

constexpr int kBlockK = 64;             // k of a tile
constexpr int kRowBytes = kBlockK * 2;  // of a tile, and of the swizzle

__host__ __device__ constexpr int divide_up(int total, int part) {
  return (total + part - 1) / part;
}

/// Where in a ring of stages somebody is, and in which round. A stage's barrier completes once a
/// round, so the parity to wait for changes when the ring closes.
template <int kStages>
struct Place {
  int stage = 0, parity = 0;
  __device__ void next() {
    if (++stage < kStages) return;
    stage = 0;
    parity ^= 1;
  }
  __device__ void skip(int steps) {
    parity ^= (stage + steps) / kStages & 1;
    stage = (stage + steps) % kStages;
  }
};

// ---- Multiplying --------------------------------------------------------------------------------

__device__ __forceinline__ std::uint64_t descriptor_of(const void* tile) {
  constexpr int kSwizzle128 = 1;  // 16: the stride that K-major swizzled tiles do not use
  return ptx::matrix_descriptor(tile, 16, 8 * kRowBytes, kSwizzle128);
}

// wgmma of 64 x N x 16 by the number of D's registers, N / 2.
#define HGEMM_WGMMA(N)                                                                      \
  template <Type kType>                                                                     \
  __device__ __forceinline__ void wgmma(float(&d)[N / 2], std::uint64_t a, std::uint64_t b, \
                                        int adds) {                                         \
    if constexpr (kType == Type::kF16)                                                      \
      ptx::wgmma_mma_async_sync_aligned_m64n##N##k16_f32_f16_f16(d, a, b, adds);            \
    else                                                                                    \
      ptx::wgmma_mma_async_sync_aligned_m64n##N##k16_f32_bf16_bf16(d, a, b, adds);          \
  }
HGEMM_WGMMA(64)
HGEMM_WGMMA(112)
HGEMM_WGMMA(128)
HGEMM_WGMMA(144)
HGEMM_WGMMA(160)
HGEMM_WGMMA(176)
HGEMM_WGMMA(192)
HGEMM_WGMMA(224)
HGEMM_WGMMA(256)
#undef HGEMM_WGMMA

/// Starts d = tile_a * tile_b, or d += it: 64 rows of A for every d[i]. Whoever calls it waits. One
/// d after the other: 0.5 to 1 % more at 8192 than one k after the other.
template <Type kType, int kRows, int kRegisters>
__device__ __forceinline__ void multiply(float (&d)[kRows][kRegisters], const void* tile_a,
                                         const void* tile_b, bool adds) {
  const std::uint64_t a = descriptor_of(tile_a), b = descriptor_of(tile_b);
  ptx::wgmma_fence_sync_aligned();
#pragma unroll
  for (int i = 0; i < kRows; ++i)
#pragma unroll
    for (int k = 0; k < kBlockK / 16; ++k)
      wgmma<kType>(d[i], a + i * (64 * kRowBytes >> 4) + k * 2, b + k * 2, adds || k > 0);
  ptx::wgmma_commit_group_sync_aligned();
}

// ---- Storing ------------------------------------------------------------------------------------

/// Two sums, rounded, in one register: `low` in the low half, as the lower address wants it.
template <Type kType>
__device__ __forceinline__ std::uint32_t pack(float low, float high) {
  std::uint32_t packed;
  if constexpr (kType == Type::kF16)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

/// The warpgroup's d, whose first element is D[row][col], two neighbours at a time. N is a multiple
/// of 8, so a pair is inside or outside as a whole.
template <Type kType, int kRows, int kRegisters>
__device__ void store(const float (&d)[kRows][kRegisters], std::uint16_t* D, const Problem& p,
                      int row, int col) {
  const int thread = static_cast<int>(threadIdx.x) % 128, lane = thread % 32;
  row += thread / 32 * 16 + lane / 4;
  col += lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < kRows; ++i)
#pragma unroll
    for (int reg = 0; reg < kRegisters; reg += 2) {
      const int r = row + i * 64 + reg / 2 % 2 * 8, c = col + reg / 4 * 8;
      if (r < p.M && c < p.N)
        *reinterpret_cast<std::uint32_t*>(&D[static_cast<std::size_t>(r) * p.N + c]) =
            pack<kType>(d[i][reg], d[i][reg + 1]);
    }
}

}  // namespace hgemm
