// SPDX-License-Identifier: MIT
// What the scale factors of a block-scaled product are: whose, of which k, how much. Pure model, no
// Dear ImGui.
//
//   SFA[row][chunk]   of a row of A        a chunk: K / (scale factors a row) neighbours along K
//   SFB[chunk][col]   of a column of B
//
// Source: PTX ISA 9.2, 9.7.14.3; which lane hands in whose: common/layout, with the selectors that
// the trace has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panels/matrix/selection.hpp"

namespace lanescope::viz {

/// What a lane's register of 'S' (SFA) or 'T' (SFB) says, a line a byte that is read: "byte 0: row
/// 9, k 0 to 31: 2^-3"; or that nobody reads it.
std::vector<std::string> scale_lines(const Multiplication& in, char operand, int thread);

/// The scale that a selected element of A or B is multiplied by, who hands it in, and what one
/// types to see it in the map of scales. None where the trace has no scales.
struct ScaleOf {
  std::string text;    // "SFA[9][2] = 0.0625, lane 5 SFA.r0, byte 2"
  std::string search;  // "SFA thread-id 0 byte-id 0 9,2"
};
std::optional<ScaleOf> scale_of(const Multiplication& in, const Selection& selection);
/// Those that the products of a selected element of C or D are multiplied by.
std::vector<std::string> scales_of_sum(const Multiplication& in, const Selection& selection);

/// Of an element of SFA or SFB, or of a lane, that was picked in `map`: what the trace has there.
/// None where the map has other selectors than the trace.
std::vector<std::string> said_by_scales(const Multiplication& in, const layout::Fragment& map,
                                        bool is_element, const layout::Element& element, int lane);

/// What one types to see where a lane's scales belong: "SFA thread-id 1 byte-id 2 lane 5".
std::string scale_search(const Multiplication& in, char operand, int thread);

}  // namespace lanescope::viz
