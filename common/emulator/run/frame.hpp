// SPDX-License-Identifier: MIT
// Frames: made when a warp enters a function, kept for reuse when the last lane has left it.
#pragma once

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

/// A frame for `function` with its special registers and constants filled in. Its local variables
/// begin `local_base` bytes into the thread's local memory.
Frame* enter_frame(Cta& cta, Warp& warp, const Function& function, std::int64_t local_base);
/// One user fewer; at none the frame, and with it its hold on the caller's, is given back.
void leave_frame(Cta& cta, Frame* frame);

}  // namespace lanescope::emulator
