// SPDX-License-Identifier: MIT
// What the programs are made of: the recorded scalar forms (../scalar), sorted by what they need,
// the approximate functions, and the names of the tensor instructions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "random.hpp"

namespace lanescope::golden::random {

/// The forms of one opcode. An opcode is chosen first, by weight: cvt has a thousand forms.
struct Opcode {
  std::string name;
  int weight = 1;
  std::vector<std::string> lines;
};

struct Family {
  std::vector<Opcode> opcodes;
  int weight = 0;
  const std::string& draw(Random& random) const;
};

struct Forms {
  Family plain;                     // registers only: anywhere
  Family memory;                    // and memory of the thread's own: in a kernel
  Family collective;                // with the members' mask for a last operand, `-1`
  Family open;                      // products and sums whose rounding is left open
  std::vector<std::string> matrix;  // mma and mma.sp
  std::vector<std::string> group;   // wgmma whose results fit into the registers
};

/// Lines of the scalar recording (a form each) and of instructions.txt (a mnemonic each).
Forms sort_forms(const std::vector<std::string>& lines);

}  // namespace lanescope::golden::random
