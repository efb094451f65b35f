// SPDX-License-Identifier: MIT
// From an element of shared memory to the lanes: the recorded steps whose addresses cover it, and
// which lane has it in which register afterwards. An ldmatrix gives what one lane's address leads
// to to other lanes; the atlas says to which. Pure model, no Dear ImGui.
//
//   A[9][5] at 0x512  <- step 88, ldmatrix: address of lane 9, to lane 6, %r152 (A.r1), bits 16..31
#pragma once

#include <string>
#include <vector>

#include "panels/steps/register_history.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {

struct Touch {
  int warp = 0, item = 0;  // in the StepList; item -1: its step is not recorded
  bool writes = false;     // the memory
  int lane = -1;           // whose address covers the element
  int to_lane = -1;        // who has it afterwards, where that is known
  int bit = 0;             // its lowest bit in that register
  std::string register_name, watch;
  std::string words;  // all there is to say of what has no lane's address
};

/// In the order of the steps, warp by warp; at most `most`. Steps of another launch or block than
/// the tile's are of another memory.
std::vector<Touch> touches(const StepList& steps, const trace::Memory& tile, int row, int col,
                           std::size_t most);

/// With what no lane's address leads to: bulk copies, and the reads of wgmma (async_touches.cpp).
std::vector<Touch> touches(const trace::Trace& trace, RegisterHistory& history,
                           const trace::Memory& tile, int row, int col, std::size_t most);

/// "step 88", or "warp 3, step 88" where there are several, "not recorded"; and of it
/// "ldmatrix: lane 9's address, to lane 6, A.r1, bits 16..31".
std::string touch_place(const StepList& steps, const Touch& touch);
std::string touch_text(const StepList& steps, const Touch& touch, int bits);

}  // namespace lanescope::viz
