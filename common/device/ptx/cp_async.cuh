// SPDX-License-Identifier: MIT
// One function for each form of cp.async that a lesson uses, named as in the PTX with _ for dots:
// 16 bytes from global to shared memory, without a register and without a wait.
//
//     ptx::cp_async_cg_shared_global_16(to, from);   // starts
//     ptx::cp_async_commit_group();                  // those since the last commit are a group
//     ptx::cp_async_wait_group<1>();                 // all but the last 1 groups have landed
//     __syncthreads();                               // ... those of the other threads too
//
// Groups belong to the thread that committed them: a wait says nothing about what others copy.
// Both addresses are multiples of 16. Lesson 05 is about this.
//
// Source: PTX ISA 9.2, 9.7.9.25.3 (cp.async, commit_group, wait_group); sm_80.
#pragma once

#include <cstdint>

#include "shared_address.cuh"

namespace ptx {

// .cg: by way of the L2 cache, past the L1.
__device__ __forceinline__ void cp_async_cg_shared_global_16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
}
// Copies the first `bytes` of the 16, 0 to 16, and fills the rest with zeros. With 0 it reads
// nothing; `from` must still be an address one may read.
__device__ __forceinline__ void cp_async_cg_shared_global_16(void* to, const void* from,
                                                             int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void cp_async_commit_group() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most kGroups of the groups that this thread committed last are still under way.
template <int kGroups>
__device__ __forceinline__ void cp_async_wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
}

}  // namespace ptx
