// SPDX-License-Identifier: MIT
// One hop back through a cvt that changes how many bits a number has: where the number was before
// it was rounded, or widened. Its place in the matrix stays, its bits do not. Pure model, no Dear
// ImGui.
//
//   cvt.rn.f16.f32 %rs1, %f1              %rs1             <-  %f1
//   cvt.rn.f16x2.f32 %r1, %f1, %f2        %r1, bit 16      <-  %f1;  bit 0  <-  %f2
//   cvt.rn.f16x2.e4m3x2 %r1, %rs1         %r1, bit 16      <-  %rs1, bit 8
//
// Source: PTX ISA 9.2, 9.7.9.21 (cvt).
#pragma once

#include <optional>
#include <string_view>

#include "panels/way/moves.hpp"

namespace lanescope::viz {

struct Converted {
  Spot from;
  int width = 0;          // bits of the number there
  std::string_view type;  // "f32", its own
};
/// Of the number of `width` bits at a spot that the step has written. Nothing where it is no such
/// cvt, or the spot is no number of it.
std::optional<Converted> before_conversion(const trace::Step& step, const Spot& at, int width);

}  // namespace lanescope::viz
