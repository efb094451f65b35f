// SPDX-License-Identifier: MIT
#include "panels/matrix/cross_labels.hpp"

#include <algorithm>
#include <cmath>

namespace lanescope::viz {

bool label_fits(const Font& font, int characters, int lines, float width, float height) {
  const float advance = text_width(font, "0");
  return static_cast<float>(characters) * advance <= width - 2 &&
         static_cast<float>(lines) * font.size * 0.94f <= height - 1;
}

LabelStyle label_style(const Look& look, const Labels::Operand& labels, const Grid& grid,
                       bool registers) {
  // With a gap to the next cell's: 10 and 11 are not to read as 1011. Without one, if none has it.
  const auto best = [&](int characters, int lines) -> const Font* {
    const Font *found = nullptr, *apart = nullptr;
    for (const Font& font : look.fonts.cell) {
      if (!label_fits(font, characters, lines, grid.cell_width, grid.cell_height)) continue;
      found = &font;
      if (label_fits(font, characters, lines, grid.cell_width - 0.05f * look.em, grid.cell_height))
        apart = &font;
    }
    return apart != nullptr ? apart : found;
  };
  const bool two = labels.longest_second > 0;
  if (two)
    if (const Font* font = best(std::max(labels.longest_first, labels.longest_second), 2))
      return {font, true, false, false, text_width(*font, "0")};
  const int characters = two ? labels.longest_second : labels.longest_first;
  if (const Font* font = best(characters, 1)) {
    const float advance = text_width(*font, "0");
    const bool touches = (static_cast<float>(characters) + 0.6f) * advance > grid.cell_width - 2;
    return {font, false, two, two && registers && touches, advance};
  }
  // Nothing fits whole: labels are cut as long as two characters and a mark have room.
  const Font& least = look.fonts.cell[0];
  if (label_fits(least, 3, 1, grid.cell_width, grid.cell_height))
    return {&least, false, two, two && registers, text_width(least, "0")};
  return {};
}

bool leaves_out(const LabelStyle& style, const std::string& first, const std::string& second,
                float width) {
  if (style.font == nullptr || style.second_only) return true;
  const auto longest = static_cast<float>(std::max(first.size(), second.size()));
  return style.advance * longest > width - 1;
}

void draw_tag(const Look& look, const Box& cell, const std::string& words, Rgb fill, Rgb border) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& font = look.fonts.cell[5];
  const float pad = std::round(0.3f * look.em), line = std::max(1.0f, std::round(0.08f * look.em));
  const ImVec2 size(std::ceil(text_width(font, words)) + 2 * pad, font.size + pad);
  const ImVec2 least = draw->GetClipRectMin(), most = draw->GetClipRectMax();
  ImVec2 at(std::round(cell.left + (cell.width - size.x) / 2),
            std::floor(cell.top - size.y - line));
  at.x = std::clamp(at.x, least.x, std::max(least.x, most.x - size.x));
  if (at.y < least.y) at.y = std::ceil(cell.top + cell.height + line);
  const ImVec2 end(at.x + size.x, at.y + size.y);
  draw->AddRectFilled(at, end, colour(fill), 2 * line);
  draw->AddRect(at, end, colour(border), 2 * line, 0, line);
  // Digits have nothing below their line, where the font has room.
  const float top = std::round(at.y + (size.y - 1.15f * font.size) / 2);
  text_at(draw, font, ImVec2(at.x + pad, top), text_on(fill), words);
}

CellInk ink_of(Emphasis emphasis, int thread, const Theme& t) {
  if (thread < 0) return {t.raised, t.dim};
  const Rgb normal = lane_colour(thread, t.dark, Shade::normal);
  const Rgb bright = lane_colour(thread, t.dark, Shade::bright);
  switch (emphasis) {
    case Emphasis::plain:
      return {normal, text_on(normal)};
    case Emphasis::back:
      return {lane_colour(thread, t.dark, Shade::dim), t.dim};
    case Emphasis::line: {
      const Rgb fill = mix(normal, bright, 0.35f);
      return {fill, text_on(fill)};
    }
    case Emphasis::lane:
    case Emphasis::selected:
      return {bright, text_on(bright)};
  }
  return {};
}

void draw_label(const LabelStyle& style, const std::string& words, const Box& box, float line,
                Rgb ink) {
  if (words.empty()) return;
  const Font& font = *style.font;
  std::string_view shown = words;
  std::string cut;
  float width = style.advance * static_cast<float>(shown.size());
  if (width > box.width - 1) {
    cut = std::string(fitted(font, shown, box.width - 2 - text_width(font, "…"))) + "…";
    shown = cut;
    width = text_width(font, shown);
  }
  const float left = std::round(box.left + (box.width - 1 - width) / 2);
  const float top =
      std::round(box.top + (box.height - 1 - font.size) / 2 + line * font.size * 0.92f);
  ImGui::GetWindowDrawList()->AddText(font.font, font.size, ImVec2(left, top), colour(ink),
                                      shown.data(), shown.data() + shown.size());
}

}  // namespace lanescope::viz
