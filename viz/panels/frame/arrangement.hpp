// SPDX-License-Identifier: MIT
// Where the panels of a page stand at a size of the window, and the edge between two of them that
// can be dragged. Numbers, but for the edge itself.
//
//     cross | inspector || words       a wide window; || is the edge
//     cross || inspector               below it the words
//     cross                            a narrow one: the inspector below
//
//     scrub                            steps
//     list | step || source
//     picture || inspector             memory, the pipeline
//             || words
#pragma once

#include "panels/panels.hpp"

namespace lanescope::viz {

/// The left edge of a panel at the right of the window. Sizes in pixels.
struct Split {
  Box place;                             // where it can be taken hold of; no width: nowhere
  float usual = 0, least = 0, most = 0;  // widths of the panel
  float em = 1;
  /// The panel's width when it was made `wider` by so many em.
  float width(float wider) const;
};
Split split_at(float usual, float least, float most, float em);

/// Lets it be dragged; a double click puts it back.
void draw_split(Workspace& workspace, const Look& look, const Split& split);

/// How wide the words beside a picture are: a share of the window, at least so many em; on a wide
/// window up to a line of 100 characters, as sources have.
float words_width(float window, float share, float least, float em);

/// In pixels; a panel without room has no size.
struct Arrangement {
  Box bar, cross, inspector, side, status;
  Split split;
};
/// `cross_width`: what the cross asks for; `wider`: em that the rightmost panel was given besides.
Arrangement arrange(ImVec2 size, float em, float cross_width, float wider);

/// Of a trace's steps, within the room between the bar and the status; `source`: there is one to
/// stand beside them, where it has room.
struct StepsArrangement {
  Box scrub, list, step, words;
  Split split;
};
StepsArrangement arrange_steps(const Box& whole, float em, bool source, float wider);

/// Of memory and the pipeline; `lesson`: there are words to stand below what is picked.
struct PictureArrangement {
  Box picture, inspector, words;
  Split split;
};
PictureArrangement arrange_picture(const Box& whole, float em, bool lesson, float wider);

}  // namespace lanescope::viz
