// SPDX-License-Identifier: MIT
// One hop back where a value decides which: the register that a selp chose, the lane that a shfl
// took it from; and where another instruction does: the half of an or. The other hops, which the
// text of an instruction decides, are moves.hpp's. Pure model, no Dear ImGui.
//
//   selp.f32 %r1, %r2, %r3, %p1           %r1   <-  %r2 or %r3 of the same lane
//   shfl.sync.idx.b32 %r1, %r2, %r3, 31   %r1   <-  %r2 of the lane that %r3 says
//   shl.b32 %r2, %r4, 16;
//   or.b32 %r1, %r2, %r3                  %r1, bit 0  <-  %r3, bit 0
//
// Source: PTX ISA 9.2, 9.7.6.4 (selp), 9.7.9.6 (shfl.sync).
#pragma once

#include <optional>

#include "panels/steps/register_history.hpp"
#include "panels/way/moves.hpp"

namespace lanescope::viz {

/// selp or shfl, by the name of the instruction.
bool exchanges(std::string_view mnemonic);
/// Before one of them. Nothing where what decides it is not recorded, or a number was chosen.
std::optional<Spot> before_exchange(RegisterHistory& history, int warp, int item, const Spot& at);

/// Before an or of two words, where one of them has nothing but zeros at the spot, whatever was in
/// it before: low | high << 16. Nothing of any other instruction.
std::optional<Spot> before_joining(RegisterHistory& history, int warp, int item, const Spot& at);

/// Whether it is a selp that has chosen a zero in that lane.
bool chooses_zero(RegisterHistory& history, int warp, int item, int lane);

}  // namespace lanescope::viz
