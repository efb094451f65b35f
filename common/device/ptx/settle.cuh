// SPDX-License-Identifier: MIT
// Registers that an asynchronous instruction reads or writes while the threads go on: where their
// values have to be there. No instruction.
//
//     settle(a);                    settle(d);       tcgen05_ld_...(d, address);
//     wgmma_fence_sync_aligned();                    tcgen05_wait_ld_sync_aligned();
//                                                    settle(d);
//
// To the compiler a fence, or a wait, is a statement about memory: it may compute a register's
// value behind the fence, or with one before the wait. Not for registers named here. For wgmma in
// front of the fence: A's registers, and D's where threads have written them. For tcgen05.ld behind
// the wait.
#pragma once

#include <cstdint>

namespace ptx {

__device__ __forceinline__ void settle(std::uint32_t& word) {
  asm volatile("" : "+r"(word)::"memory");
}
__device__ __forceinline__ void settle(float& sum) { asm volatile("" : "+f"(sum)::"memory"); }
template <class Word, int kCount>
__device__ __forceinline__ void settle(Word (&registers)[kCount]) {
  for (Word& word : registers) settle(word);
}

}  // namespace ptx
