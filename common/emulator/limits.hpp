// SPDX-License-Identifier: MIT
// What a launch may ask for at most: of any card, and of an architecture.
//
// Source: CUDA C++ Programming Guide, "Technical specifications per compute capability".
#pragma once

#include <array>

namespace lanescope::emulator {

inline constexpr int kMaxThreadsPerBlock = 1024;
inline constexpr std::array<int, 3> kMaxBlock{1024, 1024, 64};
inline constexpr std::array<int, 3> kMaxGrid{2147483647, 65535, 65535};
inline constexpr int kMaxClusterCtas = 16;  // more than 8 is not portable

/// Bytes of shared memory that a block of sm_NN has after opting in, static and dynamic together.
/// An architecture that is not named here has what sm_90 has.
constexpr int max_shared_bytes(int sm) {
  switch (sm) {
    case 70:
      return 96 * 1024;
    case 75:
      return 64 * 1024;
    case 80:
    case 87:
      return 163 * 1024;
    case 86:
    case 89:
    case 120:
    case 121:
      return 99 * 1024;
    default:
      return 227 * 1024;
  }
}

/// Bytes that the driver takes of every block's shared memory for itself.
constexpr int reserved_shared_bytes(int sm) { return sm >= 80 ? 1024 : 0; }

}  // namespace lanescope::emulator
