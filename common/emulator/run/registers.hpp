// SPDX-License-Identifier: MIT
// With how many registers a thread is launched, as far as setmaxnreg goes: what ptxas of CUDA 13.0
// chose for a kernel with setmaxnreg (`ptxas -v`), for every bound tried:
//
//     no .maxnreg, and .minnctapersm or .maxntid missing   setmaxnreg is ignored
//     .maxnreg n                                           n
//     .maxntid t, .minnctapersm m                          an SM's four quarters have 16384 each;
//                                                          16384 / (32 * warps in a quarter), down
//                                                          to a multiple of 8
//     at most                                              the largest number setmaxnreg asks for
#pragma once

#include <string>

#include "emulator/decode/program.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

/// 0: setmaxnreg is ignored. `module` for the functions that a kernel may call.
int launch_registers(const PtxModule& module, const PtxFunction& kernel);

/// "warp 4 waits in setmaxnreg.inc ..." for a group that waits there.
std::string describe_registers(const Cta& cta, const Warp& warp, const Group& group);

Flow run_set_registers(Warp&, const Instruction&, std::uint32_t);

}  // namespace lanescope::emulator
