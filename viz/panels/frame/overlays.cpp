// SPDX-License-Identifier: MIT
// What lies over the panels for a moment: the keys, and the list of traces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

struct KeyLine {
  const char* group;  // of this line and those below it; "": of the one above
  const char* key;
  const char* does;
};

constexpr std::array<KeyLine, 31> kKeys{{
    {"select", "click", "a cell or a lane; beside them: nothing"},
    {"", "hover", "an element of D: the row of A and the column of B that make it"},
    {"", "arrows", "move the selection"},
    {"", "Tab, Shift+Tab", "the same lane in the next operand, or the one before"},
    {"", "/", "find: A 9,5   lane 13   A.r1.hi   lane 13 A.r1"},
    {"", "Esc", "clear: this page, the search, the selection"},
    {"go to", "f m i p", "fragments, memory, instructions step by step, the pipeline"},
    {"", "a s d", "the atlas, a swizzled tile, a descriptor; again or Esc: back"},
    {"", "o",
     "the list of traces: arrows, Enter; a file dropped into the window opens, two are compared"},
    {"", "=", "in a list: beside what is open, a trace or an instruction; later: there and back"},
    {"", "Alt+left, right", "what was looked at before, and forward again"},
    {"fragments", "l r v b 2", "label cells with lane, register, value, bits, both"},
    {"", "[ ]", "the multiplication before, the next one"},
    {"", "c", "C or D in the fourth corner"},
    {"", "e", "sparsity metadata or scales, where there are such; 0 to 3, b: their selectors"},
    {"", "Ctrl+wheel, + - 0", "larger and smaller cells, as they were"},
    {"", "q", "predict: the map is hidden, you are asked where an element is"},
    {"memory", "v k b x 2",
     "label cells with value, bank, byte; a swizzle; another tile beside it"},
    {"steps", "Home End", "the first, the last; left and right go twenty on"},
    {"", "n k g r",
     "the next tensor instruction; bank conflict; loss of sectors; the checker's report"},
    {"", "Space , .", "play them, or stop; half as fast, twice as fast"},
    {"pipeline", "[ ]", "copies twice as fast, twice as slow; Space plays it, too"},
    {"words", "w W", "those beside it: lesson, source, trace; with all the room that is there"},
    {"", "PgUp PgDn, < >", "scroll them; move their left edge, which can be dragged, too"},
    {"", "Shift+PgUp PgDn", "scroll what is said of the selection, or of the step"},
    {"take along", "Ctrl+C",
     "the selection as text; Ctrl+Shift+C: the command that shows all this again"},
    {"", "Ctrl+S", "a picture of the window, beside the trace; Ctrl+Shift+S: its maps as SVG"},
    {"window", "t", "dark or light"},
    {"", "Ctrl + - 0", "larger and smaller text, as it was"},
    {"", "Ctrl+Tab", "a ring around a button: Tab, arrows go on, Enter presses it, Esc leaves it"},
    {"", "?", "this page"},
}};

// Darkens what lies below a sheet.
void shade(const Look& look) {
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(Rgb{}, look.theme.dark ? 0.55f : 0.3f));
  ImGui::Begin("shade", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::End();
  ImGui::PopStyleColor();
}

// A sheet in the middle of the window over everything else; false: it was closed by a click
// outside.
bool begin_sheet(const Look& look, const char* name, ImVec2 size) {
  shade(look);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  size.x = std::min(size.x, display.x - look.em);
  size.y = std::min(size.y, display.y - look.em);
  ImGui::SetNextWindowPos(
      ImVec2(std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2.4f)));
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(look.theme.panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(1.4f * look.em, 1.2f * look.em));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.6f * look.em);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
  return !ImGui::IsMouseClicked(0) ||
         ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
         ImGui::IsWindowAppearing();
}

}  // namespace

void draw_keys(Workspace& ws, const Look& look) {
  // A low window has its lines closer together: nobody looks for keys below its edge.
  const float free = ImGui::GetIO().DisplaySize.y - 6 * look.em;
  const auto groups = static_cast<float>(
      std::count_if(kKeys.begin(), kKeys.end(), [](const KeyLine& at) { return *at.group != 0; }));
  const float gap = 0.35f;  // in front of a group, of a line
  const float lines_high = static_cast<float>(kKeys.size()) + gap * (groups - 1);
  const float line = std::clamp(free / lines_high, 1.12f * look.em, 1.42f * look.em);
  const ImVec2 size(60 * look.em, line * lines_high + 4.7f * look.em);
  if (!begin_sheet(look, "keys", size)) ws.show_keys = false;
  // Where they have no room even so, the keys that scroll words scroll them.
  const int lines = (pressed(Key::down) ? 1 : 0) - (pressed(Key::up) ? 1 : 0) +
                    (pressed(Key::page_down) ? 10 : 0) - (pressed(Key::page_up) ? 10 : 0);
  if (lines != 0) ImGui::SetScrollY(ImGui::GetScrollY() + static_cast<float>(lines) * line);
  text(look.fonts.strong, look.theme.text, "Keys");
  ImGui::Dummy(ImVec2(1, 0.4f * look.em));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (const auto& [group, key, does] : kKeys) {
    if (*group != 0 && group != kKeys.front().group)
      ImGui::SetCursorPosY(ImGui::GetCursorPosY() + gap * line);
    const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    text(look.fonts.text, look.theme.dim, group);
    ImGui::SetCursorPos(ImVec2(left + 6.5f * look.em, top));
    text(look.fonts.mono, look.theme.accent, key);
    probe(ws, fmt::format("key {}", key));
    ImGui::SetCursorPos(ImVec2(left + 16 * look.em, top));
    text(look.fonts.text, look.theme.text, does, ImGui::GetContentRegionAvail().x);
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + line));
  }
  end_at_cursor();
  ImGui::PopStyleVar();
  ImGui::End();
}

namespace {

// One line of the list, `sight` the part of it that is to be seen.
void trace_row(Workspace& ws, const Look& look, std::size_t k, const Box& sight) {
  const TraceFile& file = ws.traces[k];
  const bool chosen = static_cast<int>(k) == ws.trace_row;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = std::floor(2.2f * look.em);
  const float room = ImGui::GetContentRegionAvail().x;
  // At the end of the line under the pointer or the keys: compare instead of open.
  const bool open = file.path == ws.trace_path;
  const float room_beside =
      ws.has_trace() ? text_width(look.fonts.text, "compare") + 1.2f * look.em : 0;
  const float beside = open ? 0 : room_beside;
  const bool clicked = ImGui::InvisibleButton(file.path.c_str(), ImVec2(room, height));
  probe(ws, "trace " + file.name);
  if (beside > 0) probe(ws, "compare " + file.name, {at.x + room - beside, at.y, beside, height});
  const bool on_compare =
      beside > 0 && ImGui::IsItemHovered() && ImGui::GetIO().MousePos.x > at.x + room - beside;
  if (clicked) {
    (on_compare ? ws.compare_request : ws.open_request) = file.path;
    ws.show_traces = false;
  }
  const bool lit = ImGui::IsItemHovered() || chosen;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (lit || open)
    draw->AddRectFilled(at, ImVec2(at.x + room, at.y + height), colour(look.theme.raised), 4);
  if (chosen)
    draw->AddRectFilled(at, ImVec2(at.x + 0.2f * look.em, at.y + height),
                        colour(look.theme.accent));
  // Whole: the upper edge of a line alone does not say which one is chosen.
  const bool whole = at.y >= sight.top && at.y + height <= sight.top + sight.height;
  if (chosen && ws.reveal_trace && !whole) ImGui::SetScrollHereY();
  const float top = at.y + (height - look.fonts.mono.size) / 2;
  const float detail = text_width(look.fonts.text, file.detail);
  text_at(draw, look.fonts.mono, ImVec2(at.x + 0.6f * look.em, top),
          open ? look.theme.accent : look.theme.text,
          shortened(look.fonts.mono, file.name, room - detail - room_beside - 2.5f * look.em));
  text_at(draw, look.fonts.text, ImVec2(at.x + room - detail - room_beside - 0.6f * look.em, top),
          look.theme.dim, file.detail);
  if (lit && beside > 0)
    text_at(draw, look.fonts.text, ImVec2(at.x + room - beside + 0.3f * look.em, top),
            on_compare ? look.theme.text : look.theme.link, "compare");
}

}  // namespace

void draw_trace_list(Workspace& ws, const Look& look) {
  const float rows = static_cast<float>(std::clamp<std::size_t>(ws.traces.size(), 1, 12));
  if (!begin_sheet(look, "traces", ImVec2(42 * look.em, (2.4f * rows + 6) * look.em)))
    ws.show_traces = false;
  text(look.fonts.strong, look.theme.text, "Traces");
  ImGui::SameLine(0, 0.8f * look.em);
  text(look.fonts.text, look.theme.dim,
       ws.has_trace() ? "Enter or a click opens, = compares with the one that is open"
                      : "Enter or a click opens; so does a file that is dropped here");
  ImGui::Dummy(ImVec2(1, 0.4f * look.em));
  const float width = ImGui::GetContentRegionAvail().x;
  if (ws.traces.empty())
    text(look.fonts.text, look.theme.dim,
         "There is no trace yet. Run `lanescope lesson 1` to make one, or drop a .lanes file into "
         "this window.",
         width);
  begin_child("list", ImVec2(0, 0), false, ImGuiWindowFlags_NoNav);
  const ImVec2 corner = ImGui::GetWindowPos();
  const Box sight{corner.x, corner.y, ImGui::GetWindowWidth(), ImGui::GetWindowHeight()};
  probe(ws, "list of traces", sight);
  for (std::size_t k = 0; k < ws.traces.size(); ++k) trace_row(ws, look, k, sight);
  ws.reveal_trace = false;
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace lanescope::viz
