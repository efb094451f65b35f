// SPDX-License-Identifier: MIT
// Sectors: global memory hands out 32 bytes at a time, whoever wants one of them.
//
//   byte address    0..31   32..63   64..95   96..127        a line of the L1 has four
//
// An access of a warp goes to every sector of which some lane wants a byte, and to each once,
// however many lanes want it. Two kinds of access are not like that:
//
//   cp.async.cg of 16 bytes   passes the L1 by: lanes 2i and 2i + 1 share a sector if they want its
//                             two halves; nobody else does, not even who wants the same bytes
//   atom, red                 go to a sector as often as the word in it that most lanes name
//
// Source: none that says it; an H200 does, by its counters: docs/experiments/sectors.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace lanescope::layout {

inline constexpr int kSectorBytes = 32;

enum class SectorAccess { ordinary, copy_past_l1, atomic };

struct Sectors {
  int taken = 0;  // that the access goes to
  int least = 0;  // that would hold what it wants, if that lay together
  int bytes = 0;  // that are wanted, each counted once
};

/// Of 32 lanes at `addresses`, multiples of `bytes`, those in `active` taking part.
constexpr Sectors sectors(std::span<const std::uint64_t> addresses, std::uint32_t active, int bytes,
                          SectorAccess access = SectorAccess::ordinary) {
  std::array<std::uint64_t, 32> wanted{};
  std::size_t count = 0;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    if (((active >> lane) & 1) != 0) wanted[count++] = addresses[lane];
  std::sort(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(count));
  Sectors all;
  int most = 0, alike = 0, places = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool same = i > 0 && wanted[i] == wanted[i - 1];
    const bool same_sector = i > 0 && wanted[i] / kSectorBytes == wanted[i - 1] / kSectorBytes;
    places += same ? 0 : 1;
    alike = same ? alike + 1 : 1;
    if (!same_sector) all.taken += most, most = 0;
    most = access == SectorAccess::atomic ? std::max(most, alike) : 1;
  }
  all.taken += most;
  all.bytes = places * bytes;
  all.least = (all.bytes + kSectorBytes - 1) / kSectorBytes;
  if (access != SectorAccess::copy_past_l1) return all;
  all.taken = 0;
  for (std::size_t lane = 0; lane + 1 < addresses.size(); lane += 2) {
    const bool one = ((active >> lane) & 1) != 0, other = ((active >> (lane + 1)) & 1) != 0;
    const bool halves = addresses[lane] != addresses[lane + 1] &&
                        addresses[lane] / kSectorBytes == addresses[lane + 1] / kSectorBytes;
    all.taken += one && other && halves ? 1 : (one ? 1 : 0) + (other ? 1 : 0);
  }
  return all;
}

}  // namespace lanescope::layout
