// SPDX-License-Identifier: MIT
// Functions that PTX calls without defining them: what the CUDA device runtime provides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lanescope::emulator {

enum class Builtin : std::uint8_t { none, vprintf, assert_fail, allocate, free, set_condition };

constexpr Builtin find_builtin(std::string_view name) {
  if (name == "vprintf") return Builtin::vprintf;
  if (name == "__assertfail") return Builtin::assert_fail;
  if (name == "malloc") return Builtin::allocate;
  if (name == "free") return Builtin::free;
  if (name == "cudaGraphSetConditional") return Builtin::set_condition;
  return Builtin::none;
}

constexpr std::size_t argument_count(Builtin builtin) {
  const bool two = builtin == Builtin::vprintf || builtin == Builtin::set_condition;
  return two ? 2 : builtin == Builtin::assert_fail ? 5 : 1;
}

}  // namespace lanescope::emulator
