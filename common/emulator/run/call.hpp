// SPDX-License-Identifier: MIT
// Calls and returns of a group of lanes: arguments and results between two frames, and the thread's
// stack. Which lanes call the same function is the scheduler's.
//
// Source: PTX ISA 9.2, 9.7.12 (control flow), 9.7.15 (stack manipulation).
#pragma once

#include <cstdint>

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

/// The group stands at a call and goes on in function `target`; false when the thread's stack is
/// full.
bool enter_function(Cta& cta, Warp& warp, Group& group, std::uint32_t target);
/// The group goes on behind the call that brought it here.
void return_from_function(Cta& cta, Warp& warp, Group& group);

}  // namespace lanescope::emulator
