// SPDX-License-Identifier: MIT
// Where wmma.load finds, and wmma.store leaves, what a lane has in a register. The registers of a
// fragment are the atlas's (layout/wmma.cpp); where the matrix lies in memory the instruction says:
//
//   wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, ...}, [%rd1], %r9;
//                           lines are rows            begins here ^      ^ so many elements apart
//
// Pure model, no Dear ImGui.
#pragma once

#include <optional>
#include <string_view>

#include "panels/steps/register_history.hpp"
#include "panels/way/moves.hpp"

namespace lanescope::viz {

/// A wmma.load or wmma.store: it moves a fragment between registers and memory.
bool moves_fragment(std::string_view mnemonic);

/// How many bytes behind the matrix's first one lies what it loads into a spot of its registers, or
/// stores from there; nothing where the trace does not say how far apart lines are.
std::optional<int> offset_of_fragment(RegisterHistory& history, const StepPlace& at,
                                      const Spot& spot);

}  // namespace lanescope::viz
