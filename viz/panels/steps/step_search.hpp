// SPDX-License-Identifier: MIT
// The way to a step: by words, by the register that it wrote, to the first that is worth looking
// at. Pure model, no Dear ImGui.
#pragma once

#include <string_view>

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// Where words lead from a place: "step 17", "warp 2", "line 38", "%r9" (the next step that writes
/// it) or a name of the learner's ("A.r0"), "conflict", "sectors" (of global memory, more than
/// would do), "next mma", "next tensor". What the warp has not is looked for in the others. With an
/// error, the place is the old one.
StepPlace find_step(const StepList& steps, StepPlace from, std::string_view words);

/// The last step of that warp that writes the learner's register ("A.r1"); item -1: none does. Of a
/// sum, D, not a step that has the same numbers from somewhere else, as of a part that was stored
/// and is loaded again: registers are named by what they hold.
StepPlace written_by(const StepList& steps, const trace::Place& of, int warp,
                     std::string_view watch, bool is_sum = false);

/// The step with that number of a warp; item -1: it is not recorded.
StepPlace step_of(const StepList& steps, int launch, const std::array<int, 3>& block, int warp,
                  std::int64_t number);

/// The same instruction in another warp: that of its line of PTX, of several the one that comes
/// nearest in the warp's order; where that warp has none, the step with this one's place.
StepPlace counterpart(const StepList& steps, const StepPlace& of, int warp);

/// The first tensor instruction (is_tensor) that was executed; the trace's first step where there
/// is none.
StepPlace first_tensor(const StepList& steps);

}  // namespace lanescope::viz
