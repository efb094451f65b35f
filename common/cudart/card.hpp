// SPDX-License-Identifier: MIT
// The card that the emulator pretends to be: its limits, one row an architecture. Nothing here says
// how fast it is: bus widths are 0, and the clock is that of clock64, 1 GHz.
// What the emulator itself has to know of them is in emulator/limits.hpp.
// Source: CUDA C++ Programming Guide, "Technical specifications per compute capability"; the number
// of multiprocessors is that of the product named in the row.
#pragma once

#include <optional>
#include <string_view>

#include "cudart/abi.hpp"
#include "cudart/binary/fatbinary.hpp"
#include "emulator/limits.hpp"

namespace lanescope::cudart {

struct Card {
  int sm = 0;  // 90 for compute capability 9.0
  int multiprocessors = 0;
  int shared_bytes_per_multiprocessor = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  /// The most that a kernel may ask for with cudaFuncSetAttribute.
  int shared_bytes_per_block_optin() const { return emulator::max_shared_bytes(sm); }
  int reserved_shared_bytes() const { return emulator::reserved_shared_bytes(sm); }
};

inline constexpr const char* kCardName = "Lanescope emulator";
using emulator::kMaxBlock, emulator::kMaxGrid, emulator::kMaxThreadsPerBlock;
inline constexpr int kSharedBytesPerBlock = 48 * 1024;  // without asking
inline constexpr int kSharedUnit = 128;                 // in which shared memory is given away
/// PTX has no physical registers. As many as limit nothing: 2048 threads have 65536.
inline constexpr int kRegistersPerThread = 32;

/// The row for `arch`, or nullptr when there is no such card here.
const Card* find_card(Target arch);

/// How much of a multiprocessor's cache is shared memory where a kernel prefers `percent` of the
/// most (cudaFuncAttributePreferredSharedMemoryCarveout; -1: as much as there is) and one of its
/// blocks needs `block_bytes`: the least of the card's sizes that has both.
int shared_bytes_of_multiprocessor(const Card& card, int percent, int block_bytes);

/// How many clusters of `cluster_blocks` the card runs at a time, when a multiprocessor has room
/// for `each` of their blocks.
int active_clusters(const Card& card, int each, int cluster_blocks);

cudaDeviceProp properties(const Card& card, std::size_t memory_bytes);

/// cudaDeviceGetAttribute: nullopt for a number that is no attribute.
std::optional<int> attribute(const Card& card, int attribute);

}  // namespace lanescope::cudart
