// SPDX-License-Identifier: MIT
// The panels, one per kind of data. Each draws into the room that is left at the cursor and changes
// nothing but what is selected and how it is shown.
#pragma once

#include "panels/workspace.hpp"

namespace lanescope::viz {

void draw_bar(Workspace& workspace, const Look& look);
void draw_status(Workspace& workspace, const Look& look);

/// A, B, C or D and the warp; `in` is what the workspace shows.
void draw_cross(Workspace& workspace, const Multiplication& in, const Look& look);
/// The warp's corner of the cross, drawn at `origin` (screen pixels).
void draw_warp(Workspace& workspace, const Multiplication& in, const Look& look,
               const CrossGeometry& cross, ImVec2 origin);

void draw_inspector(Workspace& workspace, const Multiplication& in, const Look& look);
void draw_registers(Workspace& workspace, const Multiplication& in, const Look& look);
void draw_text_panel(Workspace& workspace, const Multiplication* in, const Look& look);

void draw_keys(Workspace& workspace, const Look& look);
void draw_trace_list(Workspace& workspace, const Look& look);

/// The labels of `in` in the workspace's mode, made anew only when something changed.
const Labels& labels(Workspace& workspace, const Multiplication& in);

}  // namespace lanescope::viz
