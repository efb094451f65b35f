// SPDX-License-Identifier: MIT
// What the checker, or the end of a launch, says of instructions, at their steps. Of a race, and of
// whatever else two accesses do to each other, both are marked. Pure model, no Dear ImGui.
#pragma once

#include <string>
#include <vector>

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// Marks the steps that reports are about: StepItem::said and ::against.
void note_reports(StepList& steps, const trace::Trace& trace);

/// The first step of whose instruction something is said, in the warp that it is said of where its
/// steps are there; item -1: of none.
StepPlace first_said(const StepList& steps);
/// The same of one report.
StepPlace first_of(const StepList& steps, const trace::Diagnostic& said);

/// A report names an instruction, and so it stands at steps of every warp. It was seen in one: the
/// two accesses are those of the warps that it names, at its address, as near to the step as they
/// were executed; none: there is none, or it is not recorded.
struct StepReport {
  const trace::Diagnostic* said = nullptr;
  bool own = true;  // of the step's own instruction, not one that names it as the other access
  StepPlace seen = StepPlace::none();   // of the step's own instruction; none where it is the step
  StepPlace other = StepPlace::none();  // the other access
};

/// All that is said at a step, its own first.
std::vector<StepReport> reports_at(const StepList& steps, const StepPlace& place);

/// The same, one thing a line.
std::string report_text(const StepList& steps, const StepPlace& place);

/// "seen in warp 0 step 12, st.shared.u32"; "" where there is none.
std::string seen_text(const StepList& steps, const StepPlace& seen);
/// "the other access: warp 0 step 12, st.shared.u32"; "" where there is none.
std::string other_access_text(const StepList& steps, const StepPlace& other);

}  // namespace lanescope::viz
