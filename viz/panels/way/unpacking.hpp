// SPDX-License-Identifier: MIT
// One hop back through what makes a number out of a few bits of a word: weights of 4 bits that a
// kernel widens in registers, by masks and shifts, by lop3 with the bits of 1024.0, and takes zero
// points off and scales behind that. Pure model, no Dear ImGui.
//
//   lop3.b32 %r2, %r1, 0x000f000f, 0x64006400, 0xea   %r2, bit 16, 16 bits  <-  %r1, bit 16, 4 bits
//   shr.u32 %r1, %r3, 8                               %r1, bit 16, 4 bits   <-  %r3, bit 24, 4 bits
//   fma.rn.f16x2 %r5, %r2, %r6, %r7                   %r5                   <-  that of the three
//                                                                    which goes back to such bits
//
// Source: PTX ISA 9.2, 9.7.8.6 (lop3), 9.7.1.20 (bfe).
#pragma once

#include <optional>

#include "panels/steps/register_history.hpp"
#include "panels/way/moves.hpp"

namespace lanescope::viz {

struct Unpacked {
  Spot from;
  int width = 0;  // bits of it there
};
/// Of the number of `width` bits at a spot that the item has written. Nothing where it goes back to
/// no loaded word of which it is a part.
std::optional<Unpacked> before_unpacking(RegisterHistory& history, int warp, int item,
                                         const Spot& at, int width);

}  // namespace lanescope::viz
