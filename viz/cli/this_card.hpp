// SPDX-License-Identifier: MIT
// The card of this machine, as its driver tells it, and what runs on it. A card runs PTX for its
// own number and for older ones; PTX for sm_90a, sm_100a and sm_120a runs on no other card at all,
// and lessons 09 to 13, 17 and 18 are that.
// Source: CUDA Driver API; PTX ISA, .target.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cudart/binary/elf_file.hpp"
#include "cudart/binary/fatbinary.hpp"
#include "launcher/kernel_text.hpp"

namespace lanescope::cli {

struct ThisCard {
  std::string name;                 // "NVIDIA H200"
  cudart::Target target;            // the most specific one: sm_90a, sm_89
  int driver;                       // the newest CUDA that its driver knows: 13000 is 13.0
  std::filesystem::path library{};  // its driver: /usr/lib/x86_64-linux-gnu/libcuda.so.1
};

/// The driver's first device; nothing without a driver, or where it has none.
std::optional<ThisCard> this_card();

/// Why a program cannot run on the card, as a sentence goes on behind the card's name; "" when
/// nothing speaks against it: its driver is no older than the CUDA that the program is built with,
/// and all of the program's fat binaries have PTX for it.
std::string obstacle(const cudart::ElfFile& program, const ThisCard& card);
std::string obstacle(const std::filesystem::path& program, const ThisCard& card);
/// The same of a file of PTX, which the driver itself compiles: what its text says it needs.
std::string obstacle(const launcher::PtxText& ptx, const ThisCard& card);

}  // namespace lanescope::cli
