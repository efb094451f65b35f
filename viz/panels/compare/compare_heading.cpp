// SPDX-License-Identifier: MIT
// Above one of two traces, or maps, that stand beside each other: what it is; and its words, where
// it has no cells (compare_cells.cpp).
#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// Of maps, the operand and, below it, whose it is.
void heading_of_map(const CompareState& s, const Look& look, int side) {
  const Compared& c = s.shown;
  const Theme& t = look.theme;
  const float width = ImGui::GetContentRegionAvail().x;
  std::string of = c.subject;
  if (c.rows > 0) of += "  " + c.shape(side);
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  text(look.fonts.strong, t.text, shortened(look.fonts.strong, of, width));
  const Font& small = look.fonts.text;
  text(small, t.dim, shortened(small, s.made.name(side), width));
  text(small, t.faint, shortened(small, s.made.device(side), width));
  ImGui::PopStyleVar();
  ImGui::EndGroup();
}

}  // namespace

void draw_compared_heading(Workspace& ws, const Look& look, int side) {
  const CompareState& s = ws.compare;
  const Compared& c = s.shown;
  const Theme& t = look.theme;
  text(look.fonts.big, t.accent, kComparedSides[static_cast<std::size_t>(side)]);
  ImGui::SameLine(0, 0.6f * look.em);
  if (s.made.of_maps()) return heading_of_map(s, look, side);
  const std::string shape = c.shape();
  const float shape_width = text_width(look.fonts.text, shape);
  const float name_width = text_width(look.fonts.strong, c.subject);
  float width = ImGui::GetContentRegionAvail().x;
  if (const float needed = shape_width + name_width + 0.6f * look.em;
      !c.subject.empty() && width - needed > 14 * look.em) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    text_at(draw, look.fonts.strong, ImVec2(at.x + width - needed, at.y), t.text, c.subject);
    text_at(draw, look.fonts.text, ImVec2(at.x + width - shape_width, at.y), t.dim, shape);
    width -= needed + look.em;
  }
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  text(look.fonts.strong, t.text, shortened(look.fonts.strong, s.made.name(side), width));
  text(look.fonts.text, t.dim, shortened(look.fonts.text, s.made.device(side), width));
  ImGui::PopStyleVar();
  ImGui::EndGroup();
}

void draw_compared_words(Workspace& ws, const Look& look, int side) {
  const CompareState& s = ws.compare;
  const Compared& c = s.shown;
  const Theme& t = look.theme;
  gap(look, 0.6f);
  if (c.pair != nullptr) {  // of maps: one side has the operand elsewhere
    const layout::Fragment* map = c.map_of(side).map;
    return text(look.fonts.text, map == nullptr ? t.warn : t.dim,
                map == nullptr ? "not in registers" : layout::shape_of(*map));
  }
  const std::vector<std::string> mine = lines_of(s.made, c, side);
  const std::vector<std::string> others = lines_of(s.made, c, 1 - side);
  if (mine.empty()) text(look.fonts.text, t.warn, "Not in this trace.");
  for (std::size_t k = 0; k < mine.size(); ++k) {
    const bool differs =
        !s.made.all.empty() && !others.empty() && (k >= others.size() || others[k] != mine[k]);
    mono_lines(look, {(differs ? "\u2260 " : "  ") + mine[k]}, differs ? t.accent : t.dim);
  }
}

}  // namespace lanescope::viz
