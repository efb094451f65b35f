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

/// One of the two is set, or `problem`.
struct AtlasEntry {
  const layout::Instruction* instruction = nullptr;
  const layout::Mover* mover = nullptr;
  std::string problem;
};
AtlasEntry find_entry(const std::string& words);

/// "no instruction matches ...; near it: ..."
std::string nothing_matches(const std::string& words);

std::string joined(const std::vector<std::string>& words, std::string_view between = " ");

/// "9,5" as (row, col); false when it is not that.
bool read_pair(const std::string& text, int& row, int& col);

}  // namespace lanescope::cli
