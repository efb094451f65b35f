// SPDX-License-Identifier: MIT
// D of the wgmmas that no wait has covered: computed, and not yet in the warps' registers.
//
//     wgmma --> Accumulators of a warpgroup --hand_over, at each warp's wait--> its registers
//
// Source: PTX ISA 9.2, 9.7.15.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/decode/wgmma.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

/// A register of a warp (0 to 3), as the wgmmas have left it.
std::uint32_t* in_flight(Accumulators& entry, int warp, std::size_t reg);

/// To the warp's own registers.
void hand_over(Accumulators& entry, int warp);

/// What all four warps have.
void drop_finished(Warpgroup& group);

/// Those in flight on exactly these registers, or new ones that hold what the registers do.
Accumulators& accumulators(Warp& w, Warpgroup& group, const WgmmaPlan& plan, std::uint32_t list);

}  // namespace lanescope::emulator
