// SPDX-License-Identifier: MIT
#include "panels/matrix/cross_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/widgets.hpp"

namespace lanescope::viz {
namespace {

// How many rows or columns share a number: 1, 2, 4, ...
int every(float size, float need) {
  int step = 1;
  while (size * static_cast<float>(step) < need) step *= 2;
  return step;
}

// Numbers of columns stand apart, also where they have three digits.
int column_step(const Font& font, const Grid& g) {
  const float digit = text_width(font, "0");
  return every(g.cell_width, text_width(font, fmt::format("{}", g.across() - 1)) + 0.4f * digit);
}

}  // namespace

CrossFrame::CrossFrame(Workspace& ws, const Multiplication& in, const Look& look,
                       const CrossGeometry& cross, ImVec2 origin)
    : ws_(ws),
      in_(in),
      look_(look),
      cross_(cross),
      origin_(origin),
      draw_(ImGui::GetWindowDrawList()) {}

void CrossFrame::heading(const Grid& g, const std::string& words) {
  const float top = g.top - cross_.index_height - cross_.heading_height * 0.72f;
  float left = g.left;
  if (g.operand == cross_.result.operand && in_.map('C') != nullptr && in_.map('D') != nullptr)
    left += 2.9f * look_.em;  // the switch C | D stands there
  else
    text_at(draw_, look_.fonts.strong, at(left, top), look_.theme.text, std::string(1, g.operand)),
        left += 1.2f * look_.em;
  // Beside a warpgroup's A stands D, whose own heading begins there: the type gives way. Beside D
  // there is nothing.
  const float right = draw_->GetClipRectMax().x - origin_.x;
  const float room = cross_.stacked && g.operand == 'A'
                         ? cross_.result.left - left - 0.8f * look_.em
                     : cross_.stacked ? right - left - 0.8f * look_.em
                                      : std::max(g.box().width - (left - g.left), 9 * look_.em);
  // Half a number would be another: what does not fit is left out, the type last but for the shape.
  std::string_view shown = words;
  const auto fits = [&] { return text_width(look_.fonts.text, shown) <= room; };
  for (const std::string_view before : {"   ", "  "})
    if (!fits()) shown = shown.substr(0, shown.find(before));
  if (!fits()) return;
  text_at(draw_, look_.fonts.text, at(left, top + 0.5f), look_.theme.dim, shown);
  probe(ws_, fmt::format("heading {}: {}", g.operand, shown), {});
}

void CrossFrame::absent(const Grid& g) {
  if (in_.instruction->family.empty() || g.operand == cross_.result.operand) return;
  if (cross_.stacked) return;  // the result's heading says it
  const Box corner = g.operand == 'B' ? Box{cross_.result.left, cross_.warp.top, 0, 0}
                                      : Box{cross_.index_width, cross_.result.top, 0, 0};
  text_at(draw_, look_.fonts.text, at(corner.left, corner.top), look_.theme.dim,
          fmt::format("{} is read from shared memory", g.operand));
}

void CrossFrame::keep_columns(const Grid& g) {
  const float clip_top = draw_->GetClipRectMin().y - origin_.y;
  const float height = cross_.index_height + 0.2f * look_.em;
  const Box box = g.box();
  if (clip_top < g.top - cross_.index_height || clip_top > box.top + box.height - 2 * height)
    return;
  // Above rows that stay in sight, too, there is no room for numbers of columns.
  const float corner = draw_->GetClipRectMin().x - origin_.x;
  const bool rows_stay = leaves_rows(g);
  const float left = rows_stay ? corner : g.left - cross_.index_width;
  // Over the frame of a line, too, which stands outside of its cells.
  const Box strip{left, clip_top, g.left + box.width + 0.25f * look_.em - left, height};
  draw_->AddRectFilled(at(strip.left, strip.top), at(strip.left + strip.width, clip_top + height),
                       colour(look_.theme.background));
  const Font& font = look_.fonts.cell[3];
  const int step = column_step(font, g);
  for (int col = 0; col < g.across(); col += step) {
    const float at_col = g.place(0, col).left;
    if (rows_stay && at_col < corner + cross_.index_width) continue;
    const std::string words = fmt::format("{}", col);
    probe(ws_, fmt::format("column {} of {} kept", col, g.operand), {});
    number(font, words, at_col + (g.cell_width - 1 - text_width(font, words)) / 2,
           clip_top + 0.1f * look_.em, in_focus(g, col, false));
  }
  const float name = rows_stay ? corner + 0.2f * look_.em : g.left - 1.4f * look_.em;
  text_at(draw_, look_.fonts.strong, at(name, clip_top + (height - look_.fonts.strong.size) / 2),
          look_.theme.text, std::string(1, g.operand));
}

float CrossFrame::rows_width(const Grid& g) const {
  return text_width(look_.fonts.cell[3], fmt::format("{}", g.down() - 1)) + 0.4f * look_.em;
}

bool CrossFrame::leaves_rows(const Grid& g) const {
  const float clip_left = draw_->GetClipRectMin().x - origin_.x;
  const Box box = g.box();
  return clip_left > g.left - rows_width(g) &&
         clip_left <= box.left + box.width - 2 * cross_.index_width;
}

void CrossFrame::keep_rows(const Grid& g) {
  const float clip_left = draw_->GetClipRectMin().x - origin_.x;
  const float width = cross_.index_width;
  const Box box = g.box();
  const Font& font = look_.fonts.cell[3];
  if (!leaves_rows(g)) return;
  const float name_top = g.top - cross_.index_height - cross_.heading_height * 0.72f;
  draw_->AddRectFilled(at(clip_left, g.top - cross_.index_height),
                       at(clip_left + width, box.top + box.height), colour(look_.theme.background));
  draw_->AddRectFilled(at(clip_left, name_top), at(clip_left + 1.1f * look_.em, g.top),
                       colour(look_.theme.background));
  const int step = every(g.cell_height, font.size);
  for (int row = 0; row < g.down(); row += step) {
    const std::string words = fmt::format("{}", row);
    number(font, words, clip_left + width - text_width(font, words) - 0.4f * look_.em,
           g.place(row, 0).top + (g.cell_height - 1 - font.size) / 2, in_focus(g, row, true));
  }
  text_at(draw_, look_.fonts.strong, at(clip_left + 0.2f * look_.em, name_top), look_.theme.text,
          std::string(1, g.operand));
  probe(ws_, fmt::format("rows of {} kept", g.operand), {});
}

void CrossFrame::indices(const Grid& g) {
  const Font& font = look_.fonts.cell[3];
  const int step_rows = every(g.cell_height, font.size);
  const int step_cols = column_step(font, g);
  for (int row = 0; row < g.down(); row += step_rows) {
    const std::string words = fmt::format("{}", row);
    const Box box = g.place(row, 0);
    number(font, words, box.left - text_width(font, words) - 0.4f * look_.em,
           box.top + (box.height - 1 - font.size) / 2, in_focus(g, row, true));
  }
  for (int col = 0; col < g.across(); col += step_cols) {
    const std::string words = fmt::format("{}", col);
    const Box box = g.place(0, col);
    number(font, words, box.left + (box.width - 1 - text_width(font, words)) / 2,
           box.top - font.size - 0.1f * look_.em, in_focus(g, col, false));
  }
}

void CrossFrame::number(const Font& font, const std::string& words, float left, float top,
                        bool focus) {
  text_at(draw_, font, at(std::round(left), std::round(top)),
          focus ? look_.theme.accent : look_.theme.faint, words);
}

bool CrossFrame::in_focus(const Grid& g, int index, bool down) const {
  const bool row = down != g.on_side;
  char operand = ws_.hover.operand;
  int at_row = ws_.hover.row, at_col = ws_.hover.col;
  if (operand == 0) {
    if (ws_.selection.picked != Picked::element) return false;
    operand = ws_.selection.operand;
    at_row = ws_.selection.element.row;
    at_col = ws_.selection.element.col;
  }
  const bool result = operand == 'C' || operand == 'D';
  if (g.operand == operand) return index == (row ? at_row : at_col);
  if (result)
    return row ? g.operand == 'A' && index == at_row : g.operand == 'B' && index == at_col;
  return false;
}

}  // namespace lanescope::viz
