// SPDX-License-Identifier: MIT
// Clusters of blocks, and registers that change hands: one function an instruction, named as in the
// PTX with _ for dots.
//
// Source: PTX ISA 9.2, 9.7.13.3 (barrier.cluster), 9.7.19.5 (setmaxnreg), 10 (special registers).
#pragma once

#include <cstdint>

namespace ptx {

// The number of this block in its cluster.
__device__ __forceinline__ int cluster_ctarank() {
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return static_cast<int>(rank);
}

__device__ __forceinline__ void barrier_cluster_arrive_release_aligned() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void barrier_cluster_wait_acquire_aligned() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// All threads of all blocks of the cluster meet.
__device__ __forceinline__ void cluster_sync() {
  barrier_cluster_arrive_release_aligned();
  barrier_cluster_wait_acquire_aligned();
}

// A warpgroup gives registers back, or takes them: kRegisters is a multiple of 8, 24 to 256. Needs
// __launch_bounds__.
template <int kRegisters>
__device__ __forceinline__ void setmaxnreg_dec_sync_aligned() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void setmaxnreg_inc_sync_aligned() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

}  // namespace ptx
