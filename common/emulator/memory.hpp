// SPDX-License-Identifier: MIT
// Global memory: the list of what has been allocated. A device address is a host address, so there
// is nothing to translate, only to check.
//
//     generic addresses   0x0000....  global: the host's own addresses
//                         kSharedWindow + offset in the CTA's shared memory
//                         kLocalWindow + offset in the thread's local memory
//                         kParameterWindow + offset in the kernel's parameters
//                         kFunctionWindow + 16 * (index of the function + 1)
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/machine.hpp"

namespace lanescope::emulator {

// Beyond 47 bits: no host address of a user program lies there.
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{0x00f1} << 48;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{0x00f2} << 48;
inline constexpr std::uint64_t kParameterWindow = std::uint64_t{0x00f3} << 48;
inline constexpr std::uint64_t kFunctionWindow = std::uint64_t{0x00f4} << 48;
inline constexpr unsigned char kPoison = 0xa5;

/// What a pointer to the function of this index in PtxModule::functions holds.
constexpr std::uint64_t function_address(int function) {
  return kFunctionWindow + 16 * (static_cast<std::uint64_t>(function) + 1);
}

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin && address <= end && bytes <= end - address;
  }
};

class Memory {
 public:
  Result<std::uint64_t> allocate(std::uint64_t bytes, std::uint64_t limit_bytes);
  Error free(std::uint64_t address);
  Error adopt(std::uint64_t address, std::uint64_t bytes);
  Error disown(std::uint64_t address);
  std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  /// The `most` oldest of those that are there: the same on every run of a program, unlike their
  /// addresses.
  std::vector<trace::Allocation> oldest(std::size_t most) const;

  /// The allocation around `address`, or an empty range.
  Range find(std::uint64_t address) const;
  /// Whether some allocation begins or ends not further away than `bytes`.
  bool is_near(std::uint64_t address, std::uint64_t bytes) const;
  /// "16 bytes after the end of the allocation of 4096 bytes at 0x...": for messages.
  std::string describe(std::uint64_t address) const;
  /// What to do about an access there that is not in an allocation.
  std::string advise(std::uint64_t address) const;

 private:
  struct FreeBytes {
    void operator()(std::byte* bytes) const;
  };
  struct Block {
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;                     // counted from the first that there ever was
    std::unique_ptr<std::byte, FreeBytes> owned;  // empty for adopted memory
  };
  Range find_freed(std::uint64_t address) const;

  std::map<std::uint64_t, Block> blocks_;  // by address
  std::deque<Range> freed_;                // the last ones, as long as nobody else has got them
  std::uint64_t allocated_bytes_ = 0;
  std::uint64_t made_ = 0;
};

}  // namespace lanescope::emulator
