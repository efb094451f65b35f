// SPDX-License-Identifier: MIT
// Mistakes with wgmma.
#pragma once

#include "arguments.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

namespace {

struct Tiles {
  alignas(128) std::uint16_t a[64 * 16], b[8 * 16];
};

/// `swizzle`: 0 for none, 1 for 128 bytes.
__device__ std::uint64_t descriptor(const void* tile, std::uint64_t stride, std::uint64_t swizzle) {
  return (shared_address(tile) & 0x3ffffu) >> 4 | 128ull >> 4 << 16 | stride >> 4 << 32 |
         swizzle << 62;
}

__device__ void fill(Tiles& tiles) {
  for (int k = threadIdx.x; k < 64 * 16; k += blockDim.x) tiles.a[k] = 0;
  for (int k = threadIdx.x; k < 8 * 16; k += blockDim.x) tiles.b[k] = 0;
}

#define MULTIPLY(d, tiles, stride, swizzle)                                                     \
  asm volatile(                                                                                 \
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;" \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                          \
      : "l"(descriptor(tiles.a, stride, swizzle)), "l"(descriptor(tiles.b, stride, swizzle)))

__global__ void no_wgmma_fence(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  MULTIPLY(d, tiles, 256, 0);  //! missing-wgmma-fence
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void no_wgmma_commit(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);  //! accumulator-in-flight
}

__global__ void no_wgmma_wait(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_commit_group_sync_aligned();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);  //! accumulator-in-flight
  ptx::wgmma_wait_group_sync_aligned<0>();
}

__global__ void no_fence_before_wgmma(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);  //! missing-proxy-fence
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void overwritten_operand(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_commit_group_sync_aligned();
  tiles.a[threadIdx.x] = 1;  //! race-write-after-read
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void lockstep(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  tiles.a[threadIdx.x] = 1;  //! warpgroup-lockstep strict
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void descriptor_outside(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 0x3fff0, 0);  //! out-of-bounds
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void descriptor_misaligned(Arguments a) {
  __shared__ alignas(1024) unsigned char space[12 * 1024];
  for (int k = threadIdx.x; k < 12 * 1024; k += blockDim.x) space[k] = 0;
  struct {
    unsigned char *a, *b;
  } tiles{space + 128, space + 10 * 1024};  // A should begin at a multiple of 1024
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 1024, 1);  //! descriptor
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

}  // namespace
