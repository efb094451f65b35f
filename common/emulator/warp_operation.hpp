// SPDX-License-Identifier: MIT
// Modes of the operations that lanes do together, as Instruction::detail holds them.
#pragma once

#include <cstdint>

#include "emulator/atomic.hpp"

namespace lanescope::emulator {

enum class ShuffleMode : std::uint16_t { up, down, bfly, idx };
enum class VoteMode : std::uint16_t { all, any, uni, ballot };

}  // namespace lanescope::emulator
