// SPDX-License-Identifier: MIT
// An address in shared memory as PTX wants it: 32 bits, counted from the beginning of the block's
// window. A pointer of C++ has 64 bits and may point anywhere.
//
// Source: PTX ISA 9.1, 5.1.6 (shared state space), 9.7.9.20 (cvta).
#pragma once

#include <cstdint>

namespace ptx {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

}  // namespace ptx
