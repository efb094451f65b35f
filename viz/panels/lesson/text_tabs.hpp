// SPDX-License-Identifier: MIT
// What stands below the tabs of text_panel.cpp: a lesson (lesson_panel.cpp), the source, the trace.
#pragma once

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// An empty line, lower than a line of text.
void blank(const Look& look);

/// The file of the step shown, or of what recorded the fragment in focus; nullptr: not there.
const Document* source_of(const Workspace& workspace, const Multiplication* in);
/// Where source_of has one.
void draw_source(Workspace& workspace, const Multiplication* in, const Look& look);

/// What the trace is, and its events, each a way to where it is shown.
void draw_trace(Workspace& workspace, const Look& look);

}  // namespace lanescope::viz
