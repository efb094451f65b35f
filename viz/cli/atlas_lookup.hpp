// SPDX-License-Identifier: MIT
// What the words after `layout` and `output` mean: one instruction of the atlas, or a line that
// says why not.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"

namespace lanescope::cli {

/// One of the two is set, or `problem`; where it is that several instructions match, they are in
/// `several`.
struct AtlasEntry {
  const layout::Instruction* instruction = nullptr;
  const layout::Mover* mover = nullptr;
  std::string problem;
  std::vector<const layout::Instruction*> several{};
  char operand = 0;           // what alone the words mean of them: "wmma.load.a"
  std::size_t qualified = 0;  // how many have the words and a qualifier, shape or .sp besides
};
AtlasEntry find_entry(const std::string& words);

/// Instructions that have the same map of an operand (0: of all that they have), those of the first
/// one in front.
using Alike = std::vector<const layout::Instruction*>;
std::vector<Alike> by_map(const std::vector<const layout::Instruction*>& all, char operand);

/// "'mma.sp m16n8k16' matches 8 instructions with 2 maps of E: ... (and 5 alike), ..."
std::string several_maps(const std::string& words, const std::vector<Alike>& maps,
                         const std::string& operand);

/// "no instruction matches ...; near it: ..."
std::string nothing_matches(const std::string& words);

std::string joined(const std::vector<std::string>& words, std::string_view between = " ");

/// "9,5" as (row, col); false when it is not that.
bool read_pair(const std::string& text, int& row, int& col);

}  // namespace lanescope::cli
