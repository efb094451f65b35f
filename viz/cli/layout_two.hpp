// SPDX-License-Identifier: MIT
// What the atlas is asked about two maps: one handed on as another (--becomes), one beside another
// (--beside); and which instruction words mean that match several.
#pragma once

#include <string>

#include "cli/atlas_lookup.hpp"
#include "cli/commands.hpp"
#include "layout/beside.hpp"

namespace lanescope::cli {

/// Several instructions match. Where the same is true of all, one of them answers for all; else
/// what to say instead.
std::string choose(const AtlasEntry& entry, const std::string& words, const LayoutOptions& options,
                   const layout::Instruction*& chosen);

/// One side of two, as words name it: an instruction or a mover, not yet a map of it; or why not.
std::string find_side(const std::string& words, const std::string& operand, layout::MapOf& side);

int hand_over(const std::string& words, const LayoutOptions& options);
int lay_beside(const std::string& words, const LayoutOptions& options);

}  // namespace lanescope::cli
