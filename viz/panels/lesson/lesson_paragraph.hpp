// SPDX-License-Identifier: MIT
// A paragraph of a lesson's page (lesson_paragraph.cpp).
#pragma once

#include <vector>

#include "panels/frame/workspace.hpp"
#include "panels/lesson/lesson_links.hpp"

namespace lanescope::viz {

/// Draws spans, wrapped at `width`; what is clicked of them is noted in the workspace.
void draw_paragraph(Workspace& workspace, const Look& look, std::vector<LessonSpan> spans,
                    float width);

}  // namespace lanescope::viz
