// SPDX-License-Identifier: MIT
// Modes of the operations that lanes do together, as Instruction::detail holds them.
#pragma once

#include <cstdint>

namespace lanescope::emulator {

enum class ShuffleMode : std::uint16_t { up, down, bfly, idx };
enum class MatrixForm : std::uint16_t { as_it_is, turned, turned_bytes };  // ldmatrix, stmatrix
enum class VoteMode : std::uint16_t { all, any, uni, ballot };

// bar: the bits of Instruction::detail.
inline constexpr std::uint16_t kBarrierAligned = 1;
inline constexpr std::uint16_t kBarrierArrives = 2;   // and does not wait
inline constexpr std::uint16_t kBarrierCounts = 4;    // .red.popc
inline constexpr std::uint16_t kBarrierAll = 8;       // .red.and
inline constexpr std::uint16_t kBarrierAny = 16;      // .red.or
inline constexpr std::uint16_t kBarrierNegated = 32;  // the predicate of .red

}  // namespace lanescope::emulator
