// SPDX-License-Identifier: MIT
// The memory that parameters point to: made and filled before the launch, told of after it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "launcher/command.hpp"
#include "launcher/stop.hpp"

namespace lanescope::launcher {

/// An argument, and its memory on the card; a number has none.
struct Memory {
  const Argument* argument = nullptr;
  std::string name;  // parameter 2, or 2.1
  std::uint64_t address = 0;
  std::vector<std::byte> before, after;
  alignas(64) std::array<std::byte, 128> map{};  // CUtensorMap
};

/// A call of the driver that must succeed, else it stops (stop.hpp); `what` it was for. `is_told`:
/// the emulator explains it.
void must(int error, const std::string& what, int code = kFailed, bool is_told = true);

/// FNV-1a, to compare what two machines made.
std::uint64_t bits_of(const std::vector<std::byte>& bytes);

/// One an argument, in their order. Stops where it is not to be had.
std::vector<Memory> make_memories(const Wanted& wanted);

/// A line for each on stdout: what has changed.
void show(const Wanted& wanted, std::vector<Memory>& memories);

/// A file of each in `wanted.folder`, after show(): parameter_2.bin. Stops where that cannot be.
void write_files(const Wanted& wanted, const std::vector<Memory>& memories);

/// Says on stdout that each is, after show(), what such a file in `wanted.like` has, to the bit.
/// Stops at the first that is not, with the first element.
void compare_files(const Wanted& wanted, const std::vector<Memory>& memories);

/// What the kernel gets as each parameter, of so many bytes.
std::vector<std::vector<std::byte>> parameter_values(const Wanted& wanted,
                                                     const std::vector<Memory>& memories,
                                                     const std::vector<std::size_t>& sizes);

}  // namespace lanescope::launcher
