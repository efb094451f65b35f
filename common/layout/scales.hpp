// SPDX-License-Identifier: MIT
// The scale factors of the sm_120 kinds for every selector. A lane's word has four bytes; byte-id
// says which of them are read, thread-id which lanes of a quad. Instruction::SFA and SFB are the
// maps of thread-id 0 and byte-id 0.
//
//   thread-id-a 0: lanes 4g, 4g+1    1: lanes 4g+2, 4g+3       thread-id-b s: lane 4g+s
//   byte-id  1X: 0 1 2 3    2X: 0 (bytes 0, 1) or 2 (bytes 2, 3)    4X: 0 (all four)
//
// Source: PTX ISA 9.2, 9.7.14.3 (figures 43 to 45).
#pragma once

#include <string>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::layout {

struct ScaleSelector {
  int thread_id = 0;
  int byte_id = 0;
  friend bool operator==(const ScaleSelector&, const ScaleSelector&) = default;
};

/// Every selector that operand 'S' (SFA) or 'T' (SFB) may have; none where there are no scales.
std::vector<ScaleSelector> scale_selectors(const Instruction& instruction, char operand);

/// The same instruction with SFA and SFB as `selector` takes them. What a selector may not be, is
/// left as it is: ask `problem` first.
Instruction with_scales(const Instruction& instruction, ScaleSelector selector);

/// Why SFA, SFB or (operand 0) both cannot be taken so, or "".
std::string problem(const Instruction& instruction, char operand, ScaleSelector selector);

}  // namespace lanescope::layout
