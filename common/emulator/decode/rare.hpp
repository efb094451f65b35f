// SPDX-License-Identifier: MIT
// What decode_rare.cpp tells execute_rare.cpp.
#pragma once

#include <cstdint>

#include "emulator/decode/program.hpp"

namespace lanescope::emulator {

// Instruction::detail of run_compare_pair; the low two bits are a Boolean.
inline constexpr std::uint16_t kPairFlushes = 4;
inline constexpr std::uint16_t kPairBf16 = 8;
inline constexpr std::uint16_t kPairToValue = 16;  // Instruction::target: a half that is "yes"

/// From the low row of a 128-bit register to its high one.
inline constexpr std::uint32_t kWideRow = 8 * kLanes;

Flow run_compare_pair(Warp&, const Instruction&, std::uint32_t);
Flow run_cvt_pack(Warp&, const Instruction&, std::uint32_t);
Flow run_find_nth_set(Warp&, const Instruction&, std::uint32_t);
Flow run_high24(Warp&, const Instruction&, std::uint32_t);
Flow run_mad_high_saturating(Warp&, const Instruction&, std::uint32_t);
Flow run_clear_out_of_bounds(Warp&, const Instruction&, std::uint32_t);
Flow run_wide_move(Warp&, const Instruction&, std::uint32_t);
Flow run_wide_atomic(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_map_replace(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_map_copy(Warp&, const Instruction&, std::uint32_t);

}  // namespace lanescope::emulator
