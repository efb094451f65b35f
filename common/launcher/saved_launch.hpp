// SPDX-License-Identifier: MIT
// A launch that `lanescope run --save FILE.ptx` took out of a program: the PTX of its kernel, which
// begins with lines about the launch, and beside it FILE.memory, what the kernel could reach.
//
//     //@launch 1                        the version of this format
//     //@grid 2,2,1
//     //@block 128,1,1
//     //@cluster 2,1,1                   where there is one
//     //@shared 53504                    dynamic, in bytes
//     //@parameters 00a0feca...          all their bytes, in hexadecimal
//     //@memory 7f00a0feca00 2097152     an allocation: address as it was, in hexadecimal; bytes
//     //@variable 7f00a0fe0000 4 count   a variable of the module: the same, and its name
//
// FILE.memory is a line, "lanescope memory 1", and pieces of these: an address and a number of
// bytes, eight bytes each, little-endian, and the bytes. What is in no piece was never written,
// which the emulator shows as 0xa5.
//
// Another run has its memory elsewhere: a number of eight bytes, at a multiple of eight, that was
// an address in it moves along.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::launcher {

inline constexpr std::byte kNeverWritten{0xa5};

/// Memory of the launch; `now` is where it lies in this run.
struct SavedMemory {
  std::uint64_t address = 0, now = 0;
  std::string variable;  // of the module; "": an allocation
  std::vector<std::byte> bytes;
};

struct SavedLaunch {
  std::array<unsigned, 3> grid{}, block{}, cluster{};  // cluster: 0, there is none
  unsigned shared_bytes = 0;
  std::vector<std::byte> parameters;
  std::vector<SavedMemory> memories;  // by address
};

/// Whether the text of a PTX file begins with a launch.
bool is_saved_launch(std::string_view ptx);

/// Reads what `ptx` and its FILE.memory say; what is wrong with them, or "".
std::string read_saved_launch(std::string_view ptx, std::string_view memory, SavedLaunch& launch);

/// Addresses as they were become those of this run, or the other way round.
void move_addresses(const SavedLaunch& launch, std::span<std::byte> bytes, bool back = false);

}  // namespace lanescope::launcher
