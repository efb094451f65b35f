// SPDX-License-Identifier: MIT
// One function for each mbarrier instruction that a lesson uses, named as in the PTX with _ for
// dots. An mbarrier is 8 bytes of shared memory that count: threads that have yet to arrive, and
// bytes that have yet to land. When both are 0 the phase is complete, and the next one begins.
//
//     phase 0 (parity 0)     phase 1 (parity 1)     phase 2 (parity 0)
//     |------- complete -----|------- complete -----|-----
//             `- a wait for parity 0 returns from here on ... to here: one phase behind at most
//
// Source: PTX ISA 9.2, 9.7.13.15 "mbarrier"; sm_90. What it is for: lesson 12.
#pragma once

#include <cstdint>

#include "shared_address.cuh"

namespace ptx {

// `arrivals` is how many a phase waits for. By one thread; then a fence and a barrier, so that all
// others, and TMA, see it. ISA 9.7.13.15.9.
__device__ __forceinline__ void mbarrier_init_shared_b64(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}

// Makes an init known to the other blocks of a cluster, and to the async proxy. ISA 9.7.13.4.
__device__ __forceinline__ void fence_mbarrier_init_release_cluster() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// The memory may be used for something else again. ISA 9.7.13.15.10.
__device__ __forceinline__ void mbarrier_inval_shared_b64(std::uint64_t* barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// One arrival. Returns the state, which tells a wait without parity which phase it means. ISA
// 9.7.13.15.13.
__device__ __forceinline__ std::uint64_t mbarrier_arrive_shared_b64(std::uint64_t* barrier) {
  std::uint64_t state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
               : "=l"(state)
               : "r"(shared_address(barrier))
               : "memory");
  return state;
}

// One arrival, and `bytes` more that have to land before the phase is complete.
__device__ __forceinline__ void mbarrier_arrive_expect_tx_shared_b64(std::uint64_t* barrier,
                                                                     int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

// The bytes alone, without an arrival. ISA 9.7.13.15.11.
__device__ __forceinline__ void mbarrier_expect_tx_shared_b64(std::uint64_t* barrier, int bytes) {
  asm volatile(
      "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

// An arrival at the mbarrier that lies at the same place in block `rank` of the cluster.
__device__ __forceinline__ void mbarrier_arrive_release_cluster_shared_cluster_b64(
    std::uint64_t* barrier, int rank) {
  asm volatile(
      "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(
          shared_address(barrier)),
      "r"(rank)
      : "memory");
}

// The same, but what this thread wrote before is not made known outside of its block (.release.cta,
// as where nothing is said). Enough to say that something was read, and cheaper: .release.cluster
// is a fence of all memory in machine code.
__device__ __forceinline__ void mbarrier_arrive_shared_cluster_b64(std::uint64_t* barrier,
                                                                   int rank) {
  asm volatile(
      "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
      "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(shared_address(barrier)),
      "r"(rank)
      : "memory");
}

// Is the phase of this parity complete? Looks, and does not wait. ISA 9.7.13.15.16.
__device__ __forceinline__ bool mbarrier_test_wait_parity_shared_b64(std::uint64_t* barrier,
                                                                     int parity) {
  std::uint32_t complete;
  asm volatile(
      "{ .reg .pred complete; mbarrier.test_wait.parity.shared::cta.b64 complete, [%1], %2; "
      "selp.u32 %0, 1, 0, complete; }"
      : "=r"(complete)
      : "r"(shared_address(barrier)), "r"(parity)
      : "memory");
  return complete != 0;
}

// The same, but the thread may sleep for a while first.
__device__ __forceinline__ bool mbarrier_try_wait_parity_shared_b64(std::uint64_t* barrier,
                                                                    int parity) {
  std::uint32_t complete;
  asm volatile(
      "{ .reg .pred complete; mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2; "
      "selp.u32 %0, 1, 0, complete; }"
      : "=r"(complete)
      : "r"(shared_address(barrier)), "r"(parity)
      : "memory");
  return complete != 0;
}

// Waits for good: what the phase of this parity brought is there and visible. The loop is PTX, so
// that it is one branch and no predicate has to become a number.
__device__ __forceinline__ void mbarrier_wait_parity(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred complete; "
      "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1; "
      "@!complete bra AGAIN; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

}  // namespace ptx
