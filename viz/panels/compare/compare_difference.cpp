// SPDX-License-Identifier: MIT
// What is said of the difference that is chosen: how, in which lanes, in the cell that is picked or
// pointed at, and the way to either side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// The lanes as the warp is drawn elsewhere: those that differ stand out. Of maps one can be chosen.
void lane_chips(Workspace& ws, const Look& look, const Compared& c, int at_lane) {
  const float em = look.em;
  CellGrid grid;
  grid.cols = c.threads > 32 ? 16 : 8;
  grid.rows = c.threads / grid.cols;
  grid.cols_in_group = 4;
  grid.col_gap = 0.25f * em;
  const float room = ImGui::GetContentRegionAvail().x;
  const float gaps = grid.col_gap * static_cast<float>(grid.cols / 4 - 1);
  grid.cell_width = std::floor((room - gaps - 2) / static_cast<float>(grid.cols));
  grid.cell_height = std::floor(1.25f * em);
  grid.at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("lanes", ImVec2(std::max(room, 1.0f), grid.height() + 0.3f * em));
  int pointed_row = 0, pointed_col = 0;
  ws.compare.hover_lane = -1;
  if (c.as == ComparedAs::maps && ImGui::IsItemHovered() &&
      grid.find(ImGui::GetIO().MousePos, pointed_row, pointed_col))
    ws.compare.hover_lane = pointed_row * grid.cols + pointed_col;
  if (ws.compare.hover_lane >= 0 && ImGui::IsMouseClicked(0)) {
    ws.compare.lane = ws.compare.hover_lane;
    ws.compare.row = ws.compare.col = -1;
    ws.message.clear();
  }
  const Font* font = cell_font(look, grid, c.threads > 99 ? 3 : 2);
  draw_cells(look, grid, font, [&](int row, int col) {
    const int lane = row * grid.cols + col;
    const bool differs = std::binary_search(c.lanes.begin(), c.lanes.end(), lane);
    const Rgb fill = lane_colour(lane, look.theme.dark, differs ? Shade::bright : Shade::dim);
    if (ws.probes != nullptr) probe(ws, fmt::format("compared lane {}", lane), grid.cell(row, col));
    return CellPaint{fill, differs ? text_on(fill) : look.theme.dim, fmt::format("{}", lane)};
  });
  if (at_lane >= 0)
    frame_cells(look, grid, at_lane / grid.cols, at_lane % grid.cols, at_lane / grid.cols,
                at_lane % grid.cols, look.theme.outline);
}

void open_side(Workspace& ws, int side) {
  const CompareState& c = ws.compare;
  const auto at = static_cast<std::size_t>(side);
  if (c.made.of_maps()) return open_entry(ws, only_entry(c.made.paths[at]));
  ws.open_request = c.made.paths[at];
  ws.open_event = c.shown.events[at];
  ws.open_words = c.row < 0 || c.shown.rows == 0 ? "" : c.shown.words(c.row, c.col);
}

void cell_facts(const Look& look, const Compared& c, int row, int col) {
  text(look.fonts.strong, look.theme.accent, c.place(row, col), ImGui::GetContentRegionAvail().x);
  std::vector<std::string> lines;
  for (int side = 0; side < 2; ++side) {
    const std::string value = c.value(side, row, col);
    const std::string bits = c.bits(side, row, col);
    lines.push_back(fmt::format("{}  {}{}", kComparedSides[static_cast<std::size_t>(side)], value,
                                value == bits ? "" : "  " + bits));
  }
  mono_lines(look, lines, c.cell(row, col).differs ? look.theme.text : look.theme.dim);
  if (!c.cell(row, col).differs) text(look.fonts.text, look.theme.good, "the same");
}

}  // namespace

void draw_difference(Workspace& ws, const Look& look) {
  CompareState& c = ws.compare;
  const float width = ImGui::GetContentRegionAvail().x;
  if (c.made.all.empty()) {
    text(
        look.fonts.text, look.theme.dim,
        "Compared are launches, fragments and tiles, and steps where both have them. Who wrote the "
        "trace, lines of source, addresses in global memory and the order of warps do not count.",
        width);
    return;
  }
  const trace::Difference& d = c.made.all[c.current];
  const bool maps = c.made.of_maps();
  const bool hovered = c.hover_row >= 0;
  const int row = hovered ? c.hover_row : c.row, col = hovered ? c.hover_col : c.col;
  if (row >= 0 && c.shown.rows > 0 && !maps) {
    cell_facts(look, c.shown, row, col);
    section(look, "where it differs");
  }
  const std::string how = d.text.substr(std::min(d.text.size(), d.event.size() + 2));
  text(look.fonts.text, look.theme.text, how, width);
  if (c.shown.threads > 0) {
    section(look, maps ? "choose a lane: its elements on both sides"
                       : fmt::format("lanes that differ: {}", lanes_text(c.shown.lanes)).c_str());
    lane_chips(ws, look, c.shown, maps ? c.lane : row < 0 ? -1 : c.shown.cell(row, col).lane);
  }
  // Below the lanes: they may not move under the pointer that chooses one.
  if (maps && c.shown.rows > 0) draw_beside_facts(look, c);
  section(look, "look closer");
  for (int side = 0; side < 2; ++side) {
    if (c.shown.events[static_cast<std::size_t>(side)] < 0 && !maps) continue;
    const std::string name = fmt::format("open {}", kComparedSides[static_cast<std::size_t>(side)]);
    if (button(look, name.c_str(), name)) open_side(ws, side);
    probe(ws, name);
    ImGui::SameLine(0, 0.4f * look.em);
  }
  ImGui::NewLine();
  if (!maps) return;
  section(look, "in the terminal");
  mono_lines(look, {command_of(c.made)}, look.theme.code);
}

}  // namespace lanescope::viz
