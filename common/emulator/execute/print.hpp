// SPDX-License-Identifier: MIT
// Strings in the memory of a lane, and what vprintf makes of its format and its arguments.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

/// Appends the string at a lane's generic address; false and a fault where the lane may not read
/// it.
bool read_string(Warp& w, int lane, std::uint64_t address, std::string& text);

/// One lane's vprintf. The text goes to its CTA, `count` is what it gives back.
bool print(Warp& w, int lane, std::uint64_t format, std::uint64_t arguments, int& count);

}  // namespace lanescope::emulator
