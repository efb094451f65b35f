// SPDX-License-Identifier: MIT
// Two maps of the atlas beside each other: how they come to stand there, and what is said of the
// element or lane that is chosen on both. What they look like is compare_panel.cpp's.
#include <fmt/format.h>

#include "layout/formula.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

void draw_beside_facts(const Look& look, const CompareState& c) {
  const Compared& shown = c.shown;
  const float width = ImGui::GetContentRegionAvail().x;
  const bool hovered = c.hover_row >= 0 && c.hover_row < shown.rows && c.hover_col < shown.cols;
  const int row = hovered ? c.hover_row : c.row, col = hovered ? c.hover_col : c.col;
  const int lane = c.hover_lane >= 0 ? c.hover_lane : c.lane;
  if (row >= 0 || lane >= 0) gap(look, 0.3f);
  if (lane >= 0 && !hovered) {
    text(look.fonts.strong, look.theme.accent,
         fmt::format("{} {}", shown.threads > 32 ? "thread" : "lane", lane));
    for (int side = 0; side < 2; ++side) {
      text(look.fonts.text, look.theme.dim, kComparedSides[static_cast<std::size_t>(side)]);
      mono_lines(look, layout::register_lines(shown.map_of(side), lane), look.theme.text);
    }
  } else if (row >= 0) {
    text(look.fonts.strong, look.theme.accent, shown.place(row, col), width);
    std::vector<std::string> lines;
    for (int side = 0; side < 2; ++side) {
      const std::string place = shown.bits(side, row, col);
      lines.push_back(fmt::format("{}  {}", kComparedSides[static_cast<std::size_t>(side)],
                                  place.empty() ? "-" : place));
    }
    mono_lines(look, lines, look.theme.text);
    const layout::Alike how = shown.beside.at(shown.element(row, col));
    text(look.fonts.text, how == layout::Alike::same ? look.theme.good : look.theme.warn,
         layout::words_of(how), width);
  }
  section(look, "which element is value i of a lane");
  for (int side = 0; side < 2; ++side) {
    const layout::Fragment& map = *shown.map_of(side).map;
    mono_lines(look,
               {fmt::format("{}  row = {}", kComparedSides[static_cast<std::size_t>(side)],
                            layout::formula(map, layout::Axis::row)),
                "   col = " + layout::formula(map, layout::Axis::col)},
               look.theme.text);
  }
}

std::string show_maps(Workspace& ws, const Entry& a, const Entry& b) {
  if (a.empty() || b.empty()) return "no such instruction in the atlas; press a for the list";
  Comparison made = compare(layout::MapOf{a.instruction, a.mover}, {b.instruction, b.mover});
  if (!made.of_maps())
    return fmt::format("{} and {}: no operand that both have in registers", a.mnemonic(),
                       b.mnemonic());
  show_comparison(ws, std::move(made));
  return {};
}

void lay_beside(Workspace& ws, int row) {
  const std::vector<Entry>& found = found_entries(ws);
  if (row < 0 || row >= static_cast<int>(found.size())) return;
  const Entry other = found[static_cast<std::size_t>(row)];
  if (ws.atlas.entry.empty())
    return say(ws, "beside which? open an instruction first, then = lays another beside it");
  if (other == ws.atlas.entry)
    return say(ws, "that is the one that was open: choose another to lay beside it");
  if (const std::string problem = show_maps(ws, ws.atlas.entry, other); !problem.empty())
    say(ws, problem);
}

}  // namespace lanescope::viz
