// SPDX-License-Identifier: MIT
// What is in a program's file: the libraries it wants, the fat binaries that nvcc put in.
#pragma once

#include <filesystem>
#include <functional>

#include "cudart/binary/elf_file.hpp"

namespace lanescope::cli {

/// Maps a file and lets `look` see it; nothing is called where it cannot be read. What `look` gets
/// refers into the file, and is gone with it.
void look_into(const std::filesystem::path& program,
               const std::function<void(const cudart::ElfFile&)>& look);

}  // namespace lanescope::cli
