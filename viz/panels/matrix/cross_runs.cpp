// SPDX-License-Identifier: MIT
#include "panels/matrix/cross_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/matrix/cell_runs.hpp"

namespace lanescope::viz {

const Font* CrossRuns::font() const {
  if (ws_.labels != LabelMode::lane) return nullptr;
  const Font* found = nullptr;
  for (const Font& font : look_.fonts.cell) {
    const float width = text_width(font, "0") * static_cast<float>(made_.longest_first) + 2;
    // Only whether it is low enough: `width` is what it takes, to the last bit or less.
    if (!label_fits(font, 0, 1, width, g_.cell_height)) break;
    if (!runs_have(g_, made_, static_cast<int>(std::ceil(width / g_.cell_width)))) break;
    found = &font;
  }
  return found;
}

void CrossRuns::draw(const Font& font) const {
  const LabelStyle style{&font, false, false, false, text_width(font, "0")};
  runs_of(g_, made_, [&](int line, int first, int last, const std::string& words) {
    draw_one(line, first, last, style, words);
    return true;
  });
}

Box CrossRuns::place(int line, int first, int last) const {
  Box box = g_.place(line, first);
  box.left += origin_.x;
  box.top += origin_.y;
  box.width *= static_cast<float>(last - first + 1);
  return box;
}

Emphasis CrossRuns::emphasis_at(int line, int column) const {
  return emphasis(in_, ws_.selection, ws_.hover, g_.operand, g_.on_side ? column : line,
                  g_.on_side ? line : column);
}

// Its number in the middle of it, a frame around what of it is the selected lane's.
void CrossRuns::draw_one(int line, int first, int last, const LabelStyle& style,
                         const std::string& words) const {
  const Emphasis of_first = emphasis_at(line, first);
  bool alike = true;
  int from = last + 1, to = -1;
  for (int column = first; column <= last; ++column) {
    const Emphasis e = emphasis_at(line, column);
    const bool held = e == Emphasis::lane || e == Emphasis::selected;
    // What is selected has the lane's colour.
    alike = alike && (e == of_first || (held && of_first >= Emphasis::lane));
    if (held) from = std::min(from, column), to = column;
  }
  const int thread =
      in_.holder(g_.operand, g_.on_side ? first : line, g_.on_side ? line : first).thread;
  CellInk ink = ink_of(of_first, thread, look_.theme);
  if (!alike) ink.ink = look_.theme.text;  // it lies on more than one colour
  const Box box = place(line, first, last);
  draw_label(style, words, box, 0, ink.ink);
  if (ws_.probes != nullptr)
    probe(ws_, fmt::format("{} run {},{}: {}", g_.operand, line, first, words), box);
  if (to < 0) return;
  const Box frame = place(line, from, to);
  if (ws_.probes != nullptr)
    probe(ws_, fmt::format("{} framed {},{}", g_.operand, line, from), frame);
  ImGui::GetWindowDrawList()->AddRect(
      ImVec2(frame.left, frame.top),
      ImVec2(frame.left + frame.width - 1, frame.top + frame.height - 1),
      colour(look_.theme.accent), 3, 0, std::max(1.0f, 0.1f * look_.em));
}

}  // namespace lanescope::viz
