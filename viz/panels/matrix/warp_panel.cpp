// SPDX-License-Identifier: MIT
// The warp in the corner of the cross: 8 groups (rows) of 4 threads, as the ISA's formulas count
// them. While something is in focus, a lane says which operands it brings to it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// The operands of each lane that are in play: in the lines of the focus, or of the selected lane.
std::vector<std::string> roles(const Workspace& ws, const Multiplication& in) {
  std::vector<std::string> all(static_cast<std::size_t>(in.threads()));
  if (ws.selection.picked == Picked::nothing && ws.hover.operand == 0) return all;
  for (const char operand : kOperands) {
    const layout::Fragment* map = in.map(operand);
    if (map == nullptr || (operand == 'C' && ws.result != 'C') ||
        (operand == 'D' && ws.result != 'D'))
      continue;
    for (int row = 0; row < map->rows; ++row)
      for (int col = 0; col < map->cols; ++col) {
        const bool focus =
            ws.hover.operand == operand && ws.hover.row == row && ws.hover.col == col;
        const Emphasis e = emphasis(in, ws.selection, ws.hover, operand, row, col);
        if (!focus && e != Emphasis::line && e != Emphasis::selected &&
            !on_line(in, ws.selection, ws.hover, operand, row, col))
          continue;
        const int thread = in.holder(operand, row, col).thread;
        if (thread < 0) continue;
        std::string& role = all[static_cast<std::size_t>(thread)];
        if (role.empty() || role.back() != operand) role += operand;
      }
  }
  return all;
}

struct Chip {
  Rgb fill, ink;
  bool chosen;
};

Chip chip_of(const Workspace& ws, const Theme& t, int thread, bool in_play) {
  const bool chosen = ws.selection.picked != Picked::nothing && thread == ws.selection.thread;
  const bool anything = ws.selection.picked != Picked::nothing;
  const bool every_lane = ws.selection.picked == Picked::reg && ws.selection.thread < 0;
  const Shade shade = chosen || every_lane ? Shade::bright
                      : !anything || every_lane || in_play || thread == ws.hover_lane
                          ? Shade::normal
                          : Shade::dim;
  const Rgb fill = lane_colour(thread, t.dark, shade);
  return {fill, shade == Shade::dim ? t.dim : text_on(fill), chosen};
}

// How the lanes are arranged; where some have letters, what these say, rather than nothing of it.
std::string heading_words(const Look& look, const std::vector<std::string>& brings, bool stacked,
                          int threads, float room) {
  const std::string arranged = stacked        ? "4 warps"
                               : threads > 32 ? "4 warps × 8 groups × 4 threads"
                                              : "8 groups × 4 threads";
  const bool fits = text_width(look.fonts.text, arranged) <= room;
  if (threads > 32 || std::all_of(brings.begin(), brings.end(),
                                  [](const std::string& role) { return role.empty(); }))
    return fits ? arranged : "";
  const std::string letters = "A B D: what a lane has of it";
  for (const std::string& words : {arranged + "    " + letters, letters})
    if (text_width(look.fonts.text, words) <= room) return words;
  return fits ? arranged : "";
}

}  // namespace

void draw_warp(Workspace& ws, const Multiplication& in, const Look& look,
               const CrossGeometry& cross, ImVec2 origin) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& t = look.theme;
  const int threads = in.threads();
  const float heading =
      origin.y + cross.warp.top - cross.index_height - cross.heading_height * 0.72f;
  const char* who = in.tensor != nullptr ? "Lanes" : threads > 32 ? "Warpgroup" : "Warp";
  text_at(draw, look.fonts.strong, ImVec2(origin.x + cross.warp.left, heading), t.text, who);
  const float after = text_width(look.fonts.strong, who) + 0.6f * look.em;
  const std::vector<std::string> brings = roles(ws, in);
  // Beside stacked warps begins the heading of a matrix, over its numbers of rows.
  const float next = cross.A.rows > 0 ? cross.A.left : cross.result.left;
  const float width = cross.stacked ? next - cross.warp.left - 0.8f * look.em : cross.warp.width;
  const std::string about = heading_words(look, brings, cross.stacked, threads, width - after);
  text_at(draw, look.fonts.text, ImVec2(origin.x + cross.warp.left + after, heading + 0.5f), t.dim,
          about);
  probe(ws, "warp: " + about);
  const Font& small = look.fonts.cell[3];
  // Stacked warps have their groups numbered one by one, and a name before the first.
  for (int group = 0; group < (cross.stacked ? threads / 4 : 8); ++group) {
    const Box box = lane_box(cross, threads, group * 4);
    const std::string words = fmt::format("{}", group % 8);
    const int chosen = cross.stacked ? ws.selection.thread >> 2 : (ws.selection.thread & 31) >> 2;
    const bool focus = ws.selection.thread >= 0 && chosen == group;
    const float left = origin.x + box.left - text_width(small, words) - 0.4f * look.em;
    text_at(draw, small,
            ImVec2(left, std::round(origin.y + box.top + (box.height - small.size) / 2)),
            focus ? t.accent : t.faint, words);
    if (!cross.stacked || group % 8 != 0) continue;
    const std::string name = fmt::format("w{}", group / 8);
    text_at(draw, look.fonts.cell[5],
            ImVec2(origin.x + 0.2f * look.em, std::round(origin.y + box.top)), t.dim, name);
  }
  // "lane 13", where that has room beside what every lane brings; else all are "13".
  float widest = 0;
  for (const std::string& role : brings)
    widest = std::max(widest, text_width(look.fonts.cell[5], role));
  const float needed = text_width(look.fonts.cell[6], threads > 99 ? "lane 100" : "lane 10") +
                       widest + (widest > 0 ? 1.25f : 0.9f) * look.em;
  for (int thread = 0; thread < threads; ++thread) {
    const Box box = lane_box(cross, threads, thread);
    const std::string& role = brings[static_cast<std::size_t>(thread)];
    const Chip chip = chip_of(ws, t, thread, !role.empty());
    const ImVec2 low(origin.x + std::round(box.left), origin.y + std::round(box.top));
    const ImVec2 high(origin.x + std::round(box.left + box.width) - 2,
                      origin.y + std::round(box.top + box.height) - 2);
    draw->AddRectFilled(low, high, colour(chip.fill), 4);
    if (chip.chosen || thread == ws.hover_lane)
      draw->AddRect(low, high, colour(chip.chosen ? t.accent : t.outline), 4, 0, 0.12f * look.em);
    const bool roomy = box.width > 4.2f * look.em;
    const float role_width = text_width(look.fonts.cell[5], role);
    const std::string words =
        fmt::format("{}{}", roomy && box.width > needed ? "lane " : "", thread);
    const Font& font = roomy ? look.fonts.cell[6] : look.fonts.cell[4];
    if (text_width(font, words) > box.width - 3 || font.size > box.height) continue;
    const float top = std::round(low.y + (high.y - low.y - font.size) / 2);
    text_at(draw, font,
            ImVec2(std::round(low.x + (roomy ? 0.45f * look.em
                                             : (box.width - 2 - text_width(font, words)) / 2)),
                   top),
            colour(chip.ink) ? chip.ink : t.text, words);
    if (roomy && !role.empty())
      text_at(draw, look.fonts.cell[5],
              ImVec2(std::round(high.x - role_width - 0.35f * look.em), top), chip.ink, role);
  }
}

}  // namespace lanescope::viz
