// SPDX-License-Identifier: MIT
// Blackwell's instructions as the programs for sm_100a use them: mbarriers, the descriptor of a
// tile, tensor memory into registers, and what the two CTAs of a pair do together. Each program
// writes its own products. Written anew rather than taken from common/device, as hopper.cuh is.
#pragma once

#include "tensor_map.cuh"

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
// Bit 24 of a shared address is the lowest one of the CTA's rank: without it, the even CTA's.
__device__ inline std::uint32_t even_address(const void* pointer) {
  return shared_address(pointer) & 0xfeffffffu;
}
__device__ inline int rank() {
  int rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ inline void init(std::uint64_t* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count)
               : "memory");
}
__device__ inline void wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, "
      "[%0], %1; @!done bra WAIT; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
__device__ inline void expect(std::uint64_t* barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
__device__ inline void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ inline void fence_before() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
__device__ inline void fence_after() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}
__device__ inline void load(std::uint32_t address, std::uint32_t (&d)[8]) {
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]),
                 "=r"(d[7])
               : "r"(address));
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}
// K-major: 6, 4, 2 are swizzles of 32, 64 and 128 bytes, 0 is none; bit 46 makes it tcgen05's.
__host__ __device__ inline std::uint64_t descriptor(std::uint32_t address, int lbo, int sbo,
                                                    int mode) {
  return (address & 0x3ffffu) >> 4 | std::uint64_t(lbo >> 4) << 16 | std::uint64_t(sbo >> 4) << 32 |
         std::uint64_t{1} << 46 | std::uint64_t(mode) << 61;
}

// Into the CTA that asks; of a pair's mbarriers the one at `barrier` may be either CTA's.
template <int ctas>
__device__ void fetch(void* to, const CUtensorMap* map, int column, int row,
                      std::uint32_t barrier) {
  if constexpr (ctas == 1)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(column), "r"(row), "r"(barrier)
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".cta_group::2 [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(column), "r"(row), "r"(barrier)
        : "memory");
}
