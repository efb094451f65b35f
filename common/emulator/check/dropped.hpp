// SPDX-License-Identifier: MIT
// Elements of a vector load that nobody reads: compilers load what they do not want, as the padding
// of a struct { signed char value; bool flag; char unused[2]; }, with its neighbours.
//
//     ld.shared.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [...];   %rs3 and %rs4 stand nowhere else
//
// Whether somebody has written such bytes makes no difference.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// Of each statement, a bit an element. None of a load of which nothing is read: that is written
/// so.
std::vector<std::uint8_t> find_dropped(const PtxFunction& function);

}  // namespace lanescope::emulator
