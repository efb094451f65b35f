// SPDX-License-Identifier: MIT
// Two traces, or two maps of the atlas, beside each other: at the left where they differ, first
// divergence first, or the operands; then what is chosen there, of a and of b, cell by cell. What
// is said of it is in compare_difference.cpp, its cells are drawn in compare_cells.cpp.
//
//   +- differences -+---- a ----+---- b ----+
//   |  D, lane 6    |  . . 5 .  |  . . 6 .  |
//   |---------------|           |           |
//   |  what, where  |           |           |
//   +---------------+-----------+-----------+
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

void line(Workspace& ws, const Look& look, std::size_t index) {
  const CompareState& c = ws.compare;
  const trace::Difference& d = c.made.all[index];
  const Theme& t = look.theme;
  const float room = ImGui::GetContentRegionAvail().x;
  const float height = 2.9f * look.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("difference", ImVec2(std::max(room, 1.0f), height)))
    show_difference(ws, index);
  ImGui::PopID();
  probe(ws, fmt::format("difference {}", index + 1));
  const bool chosen = index == c.current;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 to(at.x + room, at.y + height - 2);
  if (chosen || ImGui::IsItemHovered()) draw->AddRectFilled(at, to, colour(t.raised), 4);
  if (chosen) draw->AddRectFilled(at, ImVec2(at.x + 0.2f * look.em, to.y), colour(t.accent));
  const float left = at.x + 0.7f * look.em;
  const float width = room - 1.2f * look.em;
  // Its name above, with a step's instruction, its place below.
  const ListedDifference words = listed(d);
  float from = left;
  const auto say = [&](const Font& font, Rgb ink, const std::string& what) {
    const std::string shown = shortened(font, what, std::max(left + width - from, 0.0f));
    text_at(draw, font, ImVec2(from, at.y + 0.2f * look.em), ink, shown);
    from += text_width(font, shown) + 0.3f * look.em;
  };
  if (index == 0 && !c.made.of_maps()) say(look.fonts.strong, t.bad, "first");
  say(look.fonts.strong, chosen ? t.accent : t.text, words.name);
  if (!words.instruction.empty()) say(look.fonts.mono, t.text, words.instruction);
  text_at(draw, look.fonts.text, ImVec2(left, at.y + 1.45f * look.em), t.dim,
          shortened(look.fonts.text, words.place, width));
}

void list(Workspace& ws, const Look& look) {
  CompareState& c = ws.compare;
  text(look.fonts.strong, c.made.all.empty() ? look.theme.good : look.theme.text, c.made.verdict(),
       ImGui::GetContentRegionAvail().x);
  probe(ws, "verdict");
  if (const std::string words = c.made.left_out(); !words.empty()) {
    text(look.fonts.text, look.theme.dim, words, ImGui::GetContentRegionAvail().x);
    probe(ws, "left out");
  }
  gap(look, 0.2f);
  begin_child("differences", ImVec2(0, 0), false, ImGuiWindowFlags_NoNav);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float height = 2.9f * look.em;
  if (std::exchange(c.reveal_line, false)) scroll_to_line(c.current, height);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(c.made.all.size()), height);
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at)
      line(ws, look, static_cast<std::size_t>(at));
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

void card(const Look& look, const char* name, const Box& box, bool padded) {
  const ImVec2 corner = ImGui::GetWindowPos();
  ImGui::SetCursorPos(ImVec2(std::floor(box.left), std::floor(box.top)));
  const ImVec2 at(corner.x + std::floor(box.left), corner.y + std::floor(box.top));
  const ImVec2 to(at.x + std::floor(box.width), at.y + std::floor(box.height));
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, to, colour(look.theme.panel), 0.45f * look.em);
  draw->AddRect(at, to, colour(look.theme.border), 0.45f * look.em);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.8f * look.em, 0.6f * look.em));
  begin_child(name, ImVec2(std::floor(box.width), std::floor(box.height)), padded,
              ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
}

// Of both sides, so that the same cell is at the same place; of a large grid, of some.
std::size_t longest_label(const Compared& c) {
  constexpr int kMost = 2048;
  std::size_t longest = 1;
  const int count = std::min(kMost, c.rows * c.cols);
  for (int at = 0; at < count; ++at)
    for (int side = 0; side < 2; ++side)
      if (c.as != ComparedAs::maps || c.lane(side, at / c.cols, at % c.cols) >= 0)
        longest = std::max(longest, c.value(side, at / c.cols, at % c.cols).size());
  return longest;
}

}  // namespace

void show_difference(Workspace& ws, std::size_t index) {
  CompareState& c = ws.compare;
  if (!c.made.all.empty()) c.current = std::min(index, c.made.all.size() - 1);
  c.shown = look_at(c.made, c.current);
  c.longest = longest_label(c.shown);
  c.row = c.col = c.hover_row = c.hover_col = -1;
  c.scroll = {};
  if (!c.shown.pair) c.lane = -1;  // of maps the lane stays: what it has of the next operand
  c.hover_lane = -1;
  if (c.shown.rows > 0 && c.lane < 0) next_differing(c.shown, 1, c.row, c.col);
  c.reveal = c.reveal_line = true;
  ws.zoom = 1;
  ws.message.clear();
}

void show_comparison(Workspace& ws, Comparison comparison) {
  go_to(ws, Page::compare);
  ws.show_traces = false;
  forget_comparison(ws);
  ws.compare = {};
  ws.compare.there = true;
  ws.compare.made = std::move(comparison);
  show_difference(ws, ws.compare.made.first_to_show());
}

void show_comparison_again(Workspace& ws, Comparison comparison) {
  CompareState& c = ws.compare;
  const std::string event = c.made.all.empty() ? "" : c.made.all[c.current].event;
  const int rows = c.shown.rows, cols = c.shown.cols, row = c.row, col = c.col;
  const ImVec2 scroll = c.scroll;
  const float zoom = ws.zoom;
  c.shown = {};  // it points into what goes
  c.made = std::move(comparison);
  c.current = 0;
  const auto& all = c.made.all;
  const auto same = std::find_if(all.begin(), all.end(),
                                 [&](const trace::Difference& d) { return d.event == event; });
  if (same == all.end()) return show_difference(ws, c.made.first_to_show());
  show_difference(ws, static_cast<std::size_t>(same - all.begin()));
  ws.zoom = zoom;
  if (c.shown.rows != rows || c.shown.cols != cols || row < 0) return;
  c.row = row, c.col = col;
  c.scroll = scroll;
}

void draw_compare(Workspace& ws, const Look& look) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap_px = 0.7f * look.em;
  const bool wide = room.x > 70 * look.em;  // else a stands above b
  const float left = std::clamp(room.x * 0.26f, 18 * look.em, 30 * look.em);
  const std::size_t count = std::max<std::size_t>(ws.compare.made.all.size(), 1);
  const float lines = 2.9f * look.em * static_cast<float>(std::min<std::size_t>(count, 40));
  const float upper = std::min(lines + 3.4f * look.em, room.y * 0.5f);
  card(look, "list", {0, 0, left, upper}, true);
  list(ws, look);
  ImGui::EndChild();
  card(look, "words", {0, upper + gap_px, left, room.y - upper - gap_px}, true);
  draw_difference(ws, look);
  ImGui::EndChild();
  CompareState& c = ws.compare;
  c.next_hover_row = c.next_hover_col = -1;
  const float from = left + gap_px;
  const float width = room.x - from;
  for (int side = 0; side < 2; ++side) {
    const Box box = wide ? Box{from + (width + gap_px) / 2 * static_cast<float>(side), 0,
                               (width - gap_px) / 2, room.y}
                         : Box{from, (room.y + gap_px) / 2 * static_cast<float>(side), width,
                               (room.y - gap_px) / 2};
    card(look, kComparedSides[static_cast<std::size_t>(side)], box, true);
    draw_compared(ws, look, side);
    ImGui::EndChild();
  }
  c.reveal = false;
  c.hover_row = c.next_hover_row;
  c.hover_col = c.next_hover_col;
}

void compare_keys(Workspace& ws) {
  CompareState& c = ws.compare;
  const int by = (pressed(Key::down) ? 1 : 0) - (pressed(Key::up) ? 1 : 0);
  const int last = static_cast<int>(c.made.all.size()) - 1;
  const int next = std::clamp(static_cast<int>(c.current) + by, 0, std::max(last, 0));
  if (by != 0 && next != static_cast<int>(c.current))
    show_difference(ws, static_cast<std::size_t>(next));
  const int step = (pressed(Key::right) ? 1 : 0) - (pressed(Key::left) ? 1 : 0);
  if (step != 0 && c.shown.rows > 0) {
    next_differing(c.shown, step, c.row, c.col);
    c.reveal = true;
    c.lane = -1;
    ws.message.clear();
  }
  if (zoomed(ws)) c.reveal = true;
  if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false)) {
    const std::string words = c.made.all.empty() ? c.made.verdict() : c.made.all[c.current].text;
    ImGui::SetClipboardText(words.c_str());
    ws.message = "copied";
    ws.message_is_error = false;
  }
}

}  // namespace lanescope::viz
