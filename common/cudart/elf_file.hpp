// SPDX-License-Identifier: MIT
// Looks into an executable without running it: which libraries it loads, and whether nvcc has put a
// fat binary into it. Enough to tell a user why the emulator would never see their kernels.
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
};

/// Damaged files give what could be read.
ElfFile read_elf(std::span<const std::byte> bytes);

}  // namespace lanescope::cudart
