// SPDX-License-Identifier: MIT
// What decode_sm100.cpp tells execute_sm100.cpp.
#pragma once

#include <cstdint>

#include "emulator/decode/program.hpp"

namespace lanescope::emulator {

/// What cvt.rs rounds to, as Instruction::target has it.
enum class Stochastic : std::uint8_t { f16x2, bf16x2, e4m3x4, e5m2x4, e3m2x4, e2m3x4, e2m1x4 };

/// What of an answer clusterlaunchcontrol.query_cancel is asked for, as Instruction::count has it.
enum class Cancelled : std::uint8_t { x, y, z, all, whether };

Flow run_bulk_store(Warp&, const Instruction&, std::uint32_t);
Flow run_stochastic(Warp&, const Instruction&, std::uint32_t);
Flow run_cancel_another(Warp&, const Instruction&, std::uint32_t);
Flow run_ask_cancelled(Warp&, const Instruction&, std::uint32_t);

}  // namespace lanescope::emulator
