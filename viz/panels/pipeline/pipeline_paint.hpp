// SPDX-License-Identifier: MIT
// What a pipeline is painted with: the timeline's spans and the legend above it.
#pragma once

#include <algorithm>
#include <cmath>

#include "panels/look/theme.hpp"
#include "panels/matrix/cross_geometry.hpp"
#include "panels/pipeline/pipeline.hpp"

namespace lanescope::viz {

// Dark, middle, light: what is told apart in one row is told apart by lightness, too.
inline Rgb colour_of(StageState state, const Theme& t) {
  switch (state) {
    case StageState::filling:
      return mix(t.link, t.panel, t.dark ? 0.45f : 0.5f);
    case StageState::full:
      return mix(t.good, t.panel, t.dark ? 0.4f : 0.3f);
    default:
      return mix(t.accent, t.panel, t.dark ? 0.2f : 0.55f);
  }
}

// Two to one in lightness also for who sees no red: in a thin row nothing else tells them apart
// (tests/viz/contrast_test.cpp).
inline Rgb running(const Theme& t) { return mix(t.text, t.panel, t.dark ? 0.84f : 0.78f); }
inline Rgb waiting(const Theme& t) { return mix(t.bad, t.panel, 0.2f); }

// Stripes, away from the words' ink, where there is room for some.
inline void hatch(ImDrawList* draw, const Look& look, const Box& box, Rgb fill) {
  const float right = box.left + box.width, bottom = box.top + box.height;
  const Rgb ink = text_on(fill).red > 128 ? Rgb{} : Rgb{255, 255, 255};
  const float step = 0.45f * look.em, lean = box.height;
  draw->PushClipRect(ImVec2(box.left + 1, box.top + 1), ImVec2(right - 1, bottom - 1), true);
  const float from = std::max(box.left - lean, draw->GetClipRectMin().x - lean - step);
  const float first = box.left - lean + std::floor((from - box.left + lean) / step) * step;
  for (float at = first; at < std::min(right, draw->GetClipRectMax().x); at += step)
    draw->AddLine(ImVec2(at, bottom), ImVec2(at + lean, box.top), colour(mix(fill, ink, 0.25f)),
                  1.0f);
  draw->PopClipRect();
}

}  // namespace lanescope::viz
