// SPDX-License-Identifier: MIT
// Looks into an executable without running it: which libraries it loads, and what fat binaries nvcc
// has put into it. Enough to tell a user why the emulator would never see their kernels, and to
// choose an architecture.
// Source: System V ABI, chapters 4 (sections) and 5 (program header, dynamic section).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lanescope::cudart {

struct ElfFile {
  bool is_elf = false;                 // 64-bit little endian; all else is not for us
  std::vector<std::string> libraries;  // DT_NEEDED: "libcudart.so.13", ...
  bool has_fat_binary = false;         // a section .nv_fatbin
  // What nvcc put in, .nv_fatbin and, of several files, __nv_relfatbin: views into the file.
  std::vector<std::span<const std::byte>> fat_binaries;
};

/// Damaged files give what could be read.
ElfFile read_elf(std::span<const std::byte> bytes);

}  // namespace lanescope::cudart
