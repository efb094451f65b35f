// SPDX-License-Identifier: MIT
// Functions that PTX calls without defining them: what the CUDA device runtime provides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lanescope::emulator {

enum class Builtin : std::uint8_t {
  none,
  vprintf,
  assert_fail,
  allocate,
  allocate_aligned,  // new of what is aligned beyond 16 bytes
  free,
  set_condition
};

/// Of those that take from the heap, or give back to it.
constexpr bool is_of_heap(Builtin builtin) {
  return builtin == Builtin::allocate || builtin == Builtin::allocate_aligned ||
         builtin == Builtin::free;
}

constexpr Builtin find_builtin(std::string_view name) {
  if (name == "vprintf") return Builtin::vprintf;
  if (name == "__assertfail") return Builtin::assert_fail;
  if (name == "malloc") return Builtin::allocate;
  if (name == "__cuda_syscall_aligned_malloc") return Builtin::allocate_aligned;
  if (name == "free") return Builtin::free;
  if (name == "cudaGraphSetConditional") return Builtin::set_condition;
  return Builtin::none;
}

constexpr std::size_t argument_count(Builtin builtin) {
  const bool two = builtin == Builtin::vprintf || builtin == Builtin::set_condition ||
                   builtin == Builtin::allocate_aligned;
  return two ? 2 : builtin == Builtin::assert_fail ? 5 : 1;
}

}  // namespace lanescope::emulator
