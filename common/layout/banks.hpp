// SPDX-License-Identifier: MIT
// Shared memory's 32 banks of 4 bytes, and how often an access of a warp must go to them.
//
//   byte address   0..3   4..7  ...  124..127   128..131
//   bank             0      1   ...     31          0
//
// A warp's access is served in phases of at most 128 bytes: 4-byte accesses in one, 8-byte ones in
// two (half-warps), 16-byte ones and each matrix of an ldmatrix in four (or one for each matrix) of
// eight lanes. Within a phase, lanes that want different words of the same bank wait for each
// other. A load of 8 or 16 bytes whose lanes want the same two by two has half as many phases.
//
// Source: CUDA C++ Programming Guide, "Shared Memory" (compute capability 5.x and later). The ISA
// says none of it; an H200 does, for 15 kinds of access: docs/experiments/bank_passes.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace lanescope::layout {

inline constexpr int kBanks = 32;
inline constexpr int kBankBytes = 4;

constexpr int bank(std::uint32_t address) {
  return static_cast<int>(address / kBankBytes % kBanks);
}

/// How many lanes are served together when each moves `bytes` (4, 8 or 16).
constexpr int lanes_per_phase(int bytes) { return std::min(32, 128 / bytes); }

/// The same of an ordinary load, whose 32 lanes are at `addresses`, those in `active` taking part:
/// twice as many of 8 or 16 bytes, where each wants what the lane beside it wants, or each what the
/// lane two further on wants. Who takes no part is no hindrance.
constexpr int lanes_per_phase_of_load(std::span<const std::uint32_t> addresses,
                                      std::uint32_t active, int bytes) {
  const int lanes = lanes_per_phase(bytes);
  if (bytes < 8) return lanes;
  for (const std::size_t apart : {1u, 2u}) {
    bool in_pairs = true;
    for (std::size_t lane = 0; in_pairs && lane < addresses.size(); ++lane) {
      const std::size_t other = lane ^ apart;
      const bool both = ((active >> lane) & 1) != 0 && ((active >> other) & 1) != 0;
      in_pairs = !both || addresses[lane] == addresses[other];
    }
    if (in_pairs) return 2 * lanes;
  }
  return lanes;
}

/// Either, of an access of any width: `load` is an ordinary load, no ldmatrix.
constexpr int lanes_together(std::span<const std::uint32_t> addresses, std::uint32_t active,
                             int bytes, bool load) {
  bytes = std::max(bytes, kBankBytes);
  return load ? lanes_per_phase_of_load(addresses, active, bytes) : lanes_per_phase(bytes);
}

/// The passes that one phase takes: 1 without conflicts. `addresses` are those of its lanes, each
/// of which moves `bytes` from there on. Lanes that want the same word share it.
constexpr int passes(std::span<const std::uint32_t> addresses, int bytes) {
  int worst = 1;
  for (int b = 0; b < kBanks; ++b) {
    std::array<std::uint32_t, 128> words{};
    int count = 0;
    for (const std::uint32_t address : addresses) {
      for (int at = 0; at < bytes; at += kBankBytes) {
        const std::uint32_t word = (address + static_cast<std::uint32_t>(at)) / kBankBytes;
        if (static_cast<int>(word % kBanks) != b) continue;
        const auto end = words.begin() + count;
        if (std::find(words.begin(), end, word) == end && count < 128)
          words[static_cast<std::size_t>(count++)] = word;
      }
    }
    worst = std::max(worst, count);
  }
  return worst;
}

}  // namespace lanescope::layout
