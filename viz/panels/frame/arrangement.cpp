// SPDX-License-Identifier: MIT
// See arrangement.hpp.
#include "panels/frame/arrangement.hpp"

#include <algorithm>
#include <cmath>

namespace lanescope::viz {

float Split::width(float wider) const { return std::clamp(usual + wider * em, least, most); }

Split split_at(float usual, float least, float most, float em) {
  return {{}, usual, std::min(least, usual), std::max(most, usual), em};
}

void draw_split(Workspace& ws, const Look& look, const Split& split) {
  if (split.place.width <= 0 || split.place.height <= 0) return;
  ImGui::SetCursorPos(ImVec2(std::floor(split.place.left), std::floor(split.place.top)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("split", ImVec2(split.place.width, split.place.height));
  probe(ws, "split");
  const bool active = ImGui::IsItemActive();
  if (!active && !ImGui::IsItemHovered()) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const float middle = std::round(at.x + split.place.width / 2);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(middle - 1, at.y),
                                            ImVec2(middle + 1, at.y + split.place.height),
                                            colour(active ? look.theme.link : look.theme.border));
  if (ImGui::IsMouseDoubleClicked(0)) {
    ws.wider = 0;
  } else if (active) {
    const float width = split.width(ws.wider) - ImGui::GetIO().MouseDelta.x;
    ws.wider = (std::clamp(width, split.least, split.most) - split.usual) / split.em;
  }
}

float words_width(float window, float share, float least, float em) {
  constexpr float kUsualMost = 44, kLine = 66;  // em; a line of 100 characters takes kLine
  constexpr float kWide = 110;                  // em; what a window has more is for longer lines
  const float usual = std::clamp(window * share, least * em, kUsualMost * em);
  const float more = std::max(window - kWide * em, 0.0f) / 2;
  return std::min(usual + more, std::max(usual, kLine * em));
}

Arrangement arrange(ImVec2 size, float em, float cross_width, float wider) {
  Arrangement a;
  const float gap = 0.7f * em;
  // Of a window too low for both the bar is left.
  a.bar = {0, 0, size.x, std::min(2.9f * em, size.y)};
  const float status = std::clamp(size.y - a.bar.height, 0.0f, 2.0f * em);
  a.status = {0, size.y - status, size.x, status};
  const float top = a.bar.height + gap;
  const float height = std::max(size.y - top - status - 0.2f * em, 0.0f);
  const float inspector = std::clamp(size.x * 0.285f, 21 * em, 30 * em);
  const float words = words_width(size.x, 0.235f, 20, em);
  const bool fits = inspector + words + 3.5f * gap + cross_width <= size.x;
  if (size.x >= 74 * em && fits) {  // cross, inspector, words side by side
    a.split = split_at(words, 14 * em, size.x - inspector - 3.5f * gap - 20 * em, em);
    const float side = a.split.width(wider);
    a.side = {size.x - side - gap, top, side, height};
    a.inspector = {a.side.left - inspector - gap, top, inspector, height};
    a.cross = {gap / 2, top, a.inspector.left - 1.5f * gap, height};
    a.split.place = {a.side.left - gap, top, gap, height};
  } else if (size.x >= 46 * em) {  // the inspector above the words
    const float usual = std::clamp(size.x * 0.38f, 19 * em, 26 * em);
    // Somewhat less, where then all of the cross is in sight.
    const float rest = size.x - 2.5f * gap - cross_width;
    const float least = std::min(usual, 20 * em);
    a.split = split_at(rest >= least ? std::min(rest, usual) : usual, 16 * em,
                       size.x - 2.5f * gap - 20 * em, em);
    const float column = a.split.width(wider);
    const bool both = height > 34 * em;
    const float upper = both ? height * 0.6f : height;
    a.inspector = {size.x - column - gap, top, column, upper};
    if (both) a.side = {a.inspector.left, top + upper + gap, column, height - upper - gap};
    a.cross = {gap / 2, top, a.inspector.left - 1.5f * gap, height};
    a.split.place = {a.inspector.left - gap, top, gap, height};
  } else {  // a narrow window: the inspector below the cross
    const float lower = height > 24 * em ? height * 0.42f : 0;
    a.cross = {gap / 2, top, size.x - gap, height - lower};
    if (lower > 0)
      a.inspector = {gap, top + height - lower + gap / 2, size.x - 2 * gap, lower - gap};
  }
  return a;
}

StepsArrangement arrange_steps(const Box& whole, float em, bool source, float wider) {
  StepsArrangement a;
  const float gap = 0.7f * em, scrub = 2.2f * em;
  a.scrub = {whole.left, whole.top, whole.width, scrub};
  const float top = whole.top + scrub + gap / 2;
  const float height = whole.height - scrub - gap / 2;
  if (whole.width < 46 * em) {  // no room beside each other
    const float list = std::floor(height * 0.45f);
    a.list = {whole.left, top, whole.width, list};
    a.step = {whole.left, top + list + gap, whole.width, std::max(height - list - gap, 0.0f)};
    return a;
  }
  const bool words = source && whole.width > 84 * em;
  float detail = std::clamp(whole.width * 0.36f, 24 * em, 40 * em);
  if (words) {
    // Lines of 100 small characters come before what a step's registers need not have.
    constexpr float kLine = 46, kRegisters = 32;  // em
    const float usual = words_width(whole.width, 0.3f, 26, em);
    const float more =
        std::clamp(kLine * em - usual, 0.0f, std::max(detail - kRegisters * em, 0.0f));
    detail -= more;
    a.split = split_at(usual + more, 16 * em, whole.width - detail - 2 * gap - 20 * em, em);
  }
  const float side = words ? a.split.width(wider) : 0;
  const float list = whole.width - detail - side - gap * (words ? 2.0f : 1.0f);
  a.list = {whole.left, top, list, height};
  a.step = {whole.left + list + gap, top, detail, height};
  if (!words) return a;
  a.split.place = {a.step.left + detail, top, gap, height};
  a.words = {a.split.place.left + gap, top, side, height};
  return a;
}

PictureArrangement arrange_picture(const Box& whole, float em, bool lesson, float wider) {
  PictureArrangement a;
  const float gap = 0.7f * em;
  if (whole.width > 62 * em) {
    const float usual = std::clamp(whole.width * 0.27f, 20 * em, 30 * em);
    a.split = split_at(usual, 16 * em, whole.width - gap - 24 * em, em);
    const float side = a.split.width(wider);
    a.picture = {whole.left, whole.top, whole.width - side - gap, whole.height};
    a.split.place = {a.picture.left + a.picture.width, whole.top, gap, whole.height};
    a.inspector = {a.split.place.left + gap, whole.top, side, whole.height};
  } else {
    const float lower = std::min(12 * em, whole.height * 0.35f);
    a.picture = {whole.left, whole.top, whole.width, whole.height - lower - gap};
    a.inspector = {whole.left, whole.top + whole.height - lower, whole.width, lower};
  }
  if (!lesson || a.inspector.height <= 44 * em) return a;
  a.words = a.inspector;
  a.inspector.height /= 2;
  a.words.top += a.inspector.height + gap;
  a.words.height -= a.inspector.height + gap;
  return a;
}

}  // namespace lanescope::viz
