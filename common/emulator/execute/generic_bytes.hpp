// SPDX-License-Identifier: MIT
// Bytes of a lane's generic memory, for what the emulator does for a kernel: global, shared and
// local alike. False, and a fault, where the lane may not.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

bool read_generic(Warp& w, int lane, std::uint64_t address, void* to, std::size_t bytes);
bool write_generic(Warp& w, int lane, std::uint64_t address, const void* from, std::size_t bytes);

}  // namespace lanescope::emulator
