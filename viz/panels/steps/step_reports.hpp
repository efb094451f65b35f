// SPDX-License-Identifier: MIT
// What the checker, or the end of a launch, says of instructions, at their steps. Of a race, and of
// whatever else two accesses do to each other, both are marked. Pure model, no Dear ImGui.
#pragma once

#include <string>

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// Marks the steps that reports are about: StepItem::said and ::against.
void note_reports(StepList& steps, const trace::Trace& trace);

/// The first step of whose instruction something is said; item -1: of none.
StepPlace first_said(const StepList& steps);

/// Of the two accesses of a report the one that is not at `of`, as near to it as one was executed;
/// item -1: there is none, or it is not recorded.
StepPlace other_access(const StepList& steps, const StepPlace& of);

/// What is said at a step, one thing a line: its own report, or that another one names it.
std::string report_text(const StepList& steps, const StepPlace& place);

/// "the other access: warp 0 step 12, st.shared.u32"; "" where other_access finds none.
std::string other_access_text(const StepList& steps, const StepPlace& other);

}  // namespace lanescope::viz
