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
  int from = last + 1, to = -1;
  for (int column = first; column <= last; ++column)
    if (emphasis_at(line, column) >= Emphasis::lane) from = std::min(from, column), to = column;
  // The frame of the selected element would cross it: that one's number stands on its tag.
  bool tagged = false;
  for (int column = first; column <= last; ++column)
    tagged = tagged || emphasis_at(line, column) == Emphasis::selected;
  if (!tagged) number(line, first, last, style, words);
  if (ws_.probes != nullptr)
    probe(ws_, fmt::format("{} run {},{}: {}", g_.operand, line, first, words),
          place(line, first, last));
  if (to < 0) return;
  const Box frame = place(line, from, to);
  if (ws_.probes != nullptr)
    probe(ws_, fmt::format("{} framed {},{}", g_.operand, line, from), frame);
  ImGui::GetWindowDrawList()->AddRect(
      ImVec2(frame.left, frame.top),
      ImVec2(frame.left + frame.width - 1, frame.top + frame.height - 1),
      colour(look_.theme.accent), 3, 0, std::max(1.0f, 0.1f * look_.em));
}

// Read, too, where it lies on more than one colour, or the frame of a row or column crosses it.
void CrossRuns::number(int line, int first, int last, const LabelStyle& style,
                       const std::string& words) const {
  const Box box = place(line, first, last);
  const float width = std::min(text_width(*style.font, words) + 2, box.width);
  const float left = (box.width - width) / 2;
  const float each = box.width / static_cast<float>(last - first + 1);
  // The strongest of the cells from `low` to `high`; whether they are alike: what is selected has
  // the lane's colour.
  const auto among = [&](int low, int high) {
    std::pair<Emphasis, bool> found{emphasis_at(line, low), true};
    for (int column = low + 1; column <= high; ++column) {
      const Emphasis e = emphasis_at(line, column);
      if (std::min(e, Emphasis::lane) != std::min(found.first, Emphasis::lane))
        found.second = false;
      found.first = std::max(found.first, e);
    }
    return found;
  };
  const bool alike = among(first, last).second;
  const auto [below, below_alike] =
      among(first + static_cast<int>(left / each),
            std::min(first + static_cast<int>((left + width) / each), last));
  const int thread =
      in_.holder(g_.operand, g_.on_side ? first : line, g_.on_side ? line : first).thread;
  CellInk ink = ink_of(below, thread, look_.theme);
  // Over the gaps between cells, too: a line through a digit makes another one of it.
  if (!below_alike || cell_gap(look_, std::min(g_.cell_width, g_.cell_height)) > 0) {
    const float height = std::min(style.font->size, box.height - 2);
    const ImVec2 corner(std::floor(box.left + left),
                        std::floor(box.top + (box.height - height) / 2));
    ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                                              colour(ink.fill));
  }
  if (below_alike && !alike) {
    ink.ink = look_.theme.text;
  }
  draw_label(style, words, box, 0, ink.ink);
}

}  // namespace lanescope::viz
