// SPDX-License-Identifier: MIT
// The cross: B above, A at the left, C or D where they meet, the warp in the fourth corner. Where
// it stands, how it is scrolled, what the pointer does; its cells are drawn in cross_cells.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// C | D above the fourth corner. Before the cells: the item that comes first takes the pointer.
void result_switch(Workspace& ws, const Multiplication& in, const Look& look,
                   const CrossGeometry& cross, ImVec2 origin) {
  if (in.map('C') == nullptr || in.map('D') == nullptr) return;
  const Grid& g = cross.result;
  float left = origin.x + g.left;
  const float top = origin.y + g.top - cross.index_height - cross.heading_height * 0.75f;
  for (const char operand : {'D', 'C'}) {
    ImGui::SetCursorScreenPos(ImVec2(left, top));
    const std::string id = fmt::format("##show {}", operand);
    const ImVec2 size(1.25f * look.em, 1.35f * look.em);
    if (ImGui::InvisibleButton(id.c_str(), size)) ws.result = operand;
    const bool lit = ws.result == operand || ImGui::IsItemHovered();
    probe(ws, fmt::format("show {}", operand));
    text_at(ImGui::GetWindowDrawList(), look.fonts.strong, ImVec2(left, top + 0.5f),
            lit ? look.theme.text : look.theme.faint, std::string(1, operand));
    if (ws.result == operand)
      ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(left, top + 1.25f * look.em),
                                                ImVec2(left + 0.8f * look.em, top + 1.4f * look.em),
                                                colour(look.theme.accent));
    left += 1.35f * look.em;
  }
}

// The pointer over the cells: hover, click, Ctrl+wheel.
void point(Workspace& ws, const Multiplication& in, const CrossGeometry& cross, ImVec2 origin) {
  ws.hover = {};
  ws.hover_lane = -1;
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float left = mouse.x - origin.x;
  const float top = mouse.y - origin.y;
  const CellAt cell = cell_at(cross, left, top);
  ws.hover = {cell.operand, cell.row, cell.col};
  ws.hover_lane = lane_at(cross, in.threads(), left, top);
  zoom_by_wheel(ws);
  if (!ImGui::IsMouseClicked(0)) return;
  ws.message.clear();
  if (cell.operand != 0)
    ws.selection = select_element(in, cell.operand, cell.row, cell.col);
  else if (ws.hover_lane >= 0)
    ws.selection = select_lane(ws.hover_lane);
  else
    ws.selection = {};
}

void reveal(Workspace& ws, const CrossGeometry& cross, ImVec2 room) {
  if (!ws.reveal || ws.selection.picked != Picked::element) return;
  for (const Grid* g : {&cross.A, &cross.B, &cross.result}) {
    if (g->operand != ws.selection.operand || g->rows == 0) continue;
    const Box box = g->cell(ws.selection.element.row, ws.selection.element.col);
    const float bar = ImGui::GetStyle().ScrollbarSize;
    room = ImVec2(room.x - bar, room.y - bar);
    const float scroll_left = ImGui::GetScrollX();
    const float scroll_top = ImGui::GetScrollY();
    if (box.left < scroll_left || box.left + box.width > scroll_left + room.x)
      ImGui::SetScrollX(std::max(0.0f, box.left - room.x / 2));
    if (box.top < scroll_top || box.top + box.height > scroll_top + room.y)
      ImGui::SetScrollY(std::max(0.0f, box.top - room.y / 2));
  }
}

// A cross larger than its room begins in the corner of warp and nothing else: where nothing is
// selected, it is shown from where A, B and D meet.
void begin_at_the_corner(const Workspace& ws, const Multiplication& in, const CrossGeometry& cross,
                         ImVec2 room) {
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID seen = ImGui::GetID("seen");
  auto* now = const_cast<layout::Instruction*>(in.instruction);  // to compare with, no more
  if (storage->GetVoidPtr(seen) == now) return;
  storage->SetVoidPtr(seen, now);
  if (ws.selection.picked != Picked::nothing || cross.stacked) return;
  const Box corner = cross.result.box();
  if (cross.width > room.x) ImGui::SetScrollX(std::max(0.0f, corner.left - room.x * 0.6f));
  if (cross.height > room.y) ImGui::SetScrollY(std::max(0.0f, corner.top - room.y * 0.5f));
}

void probe_cells(Workspace& ws, const Multiplication& in, const CrossGeometry& cross,
                 ImVec2 origin) {
  if (ws.probes == nullptr) return;
  const auto note = [&](const std::string& name, Box box) {
    box.left += origin.x;
    box.top += origin.y;
    probe(ws, name, box);
  };
  for (const Grid* g : {&cross.A, &cross.B, &cross.result})
    for (int row = 0; row < g->rows; ++row)
      for (int col = 0; col < g->cols; ++col)
        note(fmt::format("{} {},{}", g->operand, row, col), g->cell(row, col));
  for (int thread = 0; thread < in.threads(); ++thread)
    note(fmt::format("lane {}", thread), lane_box(cross, in.threads(), thread));
}

}  // namespace

void draw_cross(Workspace& ws, const Multiplication& in, const Look& look) {
  // An element of C or D that is selected is shown.
  if (ws.selection.picked == Picked::element &&
      (ws.selection.operand == 'C' || ws.selection.operand == 'D') && ws.reveal)
    ws.result = ws.selection.operand;
  const Labels& made = labels(ws, in);
  const auto longest = [&made](char operand) {
    const Labels::Operand& o = made.operands[static_cast<std::size_t>(operand_index(operand))];
    return std::max({o.longest_first, o.longest_second, 2});
  };
  ImVec2 room = ImGui::GetContentRegionAvail();
  const bool legend = room.y > 22 * look.em && room.x > 16 * look.em;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  if (legend) room.y -= 1.9f * look.em;
  const auto lay_out = [&](float width, float height) {
    return lay_out_cross(in, ws.result,
                         {width, height, look.em, ws.zoom, longest('A'),
                          std::max(longest('B'), std::max(longest('C'), longest('D')))});
  };
  CrossGeometry cross = lay_out(room.x, room.y);
  ws.b_on_side = cross.B.on_side;
  // A scroll bar takes of the other side, which may only just have had room.
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const bool high = cross.height > room.y, wide = cross.width > room.x;
  const ImVec2 in_sight(room.x - (high ? bar : 0), room.y - (wide ? bar : 0));
  if (high != wide) cross = lay_out(in_sight.x, in_sight.y);
  int flags = ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar;
  if (ImGui::GetIO().KeyCtrl) flags |= ImGuiWindowFlags_NoScrollWithMouse;
  begin_child("cross", room, false, flags);
  // A cross smaller than its room stands in the middle of it.
  ImVec2 origin = ImGui::GetCursorScreenPos();
  origin.x += std::floor(std::max(0.0f, (in_sight.x - cross.width) / 2));
  result_switch(ws, in, look, cross, origin);
  ImGui::SetCursorScreenPos(origin);
  ImGui::InvisibleButton("cells", ImVec2(cross.width, cross.height));
  point(ws, in, cross, origin);
  begin_at_the_corner(ws, in, cross, room);
  reveal(ws, cross, room);
  ws.reveal = false;
  draw_warp(ws, in, look, cross, origin);
  const Labelled labelled = draw_cross_cells(ws, in, look, cross, origin);
  probe_cells(ws, in, cross, origin);
  ImGui::EndChild();
  if (!legend) return;
  const float indent = std::max(origin.x - corner.x, 0.0f) + cross.index_width;
  const float left = corner.x + (indent < room.x * 0.3f ? indent : look.em);
  draw_legend(ws, in, look, labelled,
              {left, corner.y + room.y, corner.x + room.x - left - 0.5f * look.em, 1.8f * look.em});
}

}  // namespace lanescope::viz
