// SPDX-License-Identifier: MIT
// Memory that kernels allocate themselves: malloc and free of device code, in one allocation that a
// module has when it calls them, from its first launch on. First fit, so that the same program gets
// the same addresses.
//
// Source: CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and Operations".
#pragma once

#include <cstdint>
#include <map>

namespace lanescope::emulator {

class DeviceHeap {
 public:
  DeviceHeap(std::uint64_t begin, std::uint64_t bytes) : begin_(begin) { free_[begin] = bytes; }

  /// A multiple of 16 and of `alignment`; 0 when there is no room, or that is no power of two.
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment = 1);
  /// False when nothing was allocated there.
  bool free(std::uint64_t address);
  std::uint64_t begin() const { return begin_; }
  /// Whether anything was ever allocated, or asked for.
  bool was_used() const { return was_used_; }

 private:
  std::uint64_t begin_;
  bool was_used_ = false;
  std::map<std::uint64_t, std::uint64_t> free_, used_;  // address -> bytes
};

}  // namespace lanescope::emulator
