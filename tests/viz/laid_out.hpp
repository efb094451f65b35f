// SPDX-License-Identifier: MIT
// What is wrong with how a frame was laid out, whatever is in it: panels over each other or beyond
// the window, buttons that Dear ImGui takes for one, points that are no numbers, and, where a
// window has room to work in, what is cut off and no bar scrolls to.
#pragma once

#include <fmt/format.h>
#include <imgui_internal.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {

inline bool is_drawn(const ImGuiWindow& window) {
  return window.Active && !window.Hidden && window.Size.x >= 1 && window.Size.y >= 1;
}

// Children of one window, which no two may share a place in.
inline void find_overlaps(const ImGuiWindow& parent, std::string& wrong) {
  for (const ImGuiWindow* a : parent.DC.ChildWindows) {
    const ImRect own = a->Rect();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    if (std::string(parent.Name) == "workspace" &&
        !ImRect(-0.5f, -0.5f, size.x + 0.5f, size.y + 0.5f).Contains(own))
      wrong += fmt::format("{} reaches beyond the window; ", a->Name);
    for (const ImGuiWindow* b : parent.DC.ChildWindows) {
      if (a == b) break;
      ImRect both = a->Rect();
      both.ClipWith(b->Rect());
      if (is_drawn(*a) && is_drawn(*b) && both.GetWidth() >= 1 && both.GetHeight() >= 1)
        wrong += fmt::format("{} lies over {}; ", a->Name, b->Name);
    }
  }
}

// What is in `window` and no bar leads to.
inline void find_cut(const ImGuiWindow& window, std::string& wrong) {
  const bool down = (window.Flags & ImGuiWindowFlags_NoScrollbar) == 0;
  const bool across = down && (window.Flags & ImGuiWindowFlags_HorizontalScrollbar) != 0;
  // A card's words may reach into its margin (room_to_edges).
  const ImVec2 margin = window.WindowPadding;
  if (!across && window.ScrollMax.x > margin.x + 1)
    wrong += fmt::format("{} is cut at the right by {}; ", window.Name, window.ScrollMax.x);
  if (!down && window.ScrollMax.y > margin.y + 1)
    wrong += fmt::format("{} is cut below by {}; ", window.Name, window.ScrollMax.y);
}

inline void find_wild_points(std::string& wrong) {
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int list = 0; list < data.CmdListsCount; ++list)
    for (const ImDrawVert& vertex : data.CmdLists[list]->VtxBuffer)
      if (!std::isfinite(vertex.pos.x) || !std::isfinite(vertex.pos.y)) {
        wrong += "a point is no number; ";
        return;
      }
}

// Two buttons with one name between them: a click on the one is a click on the other.
inline void find_same_buttons(const Ui& ui, std::string& wrong) {
  std::map<ImGuiID, Box> seen;
  for (const KeyRing::Stop& stop : ui.ws.ring.drawn) {
    const auto [at, is_new] = seen.emplace(stop.id, stop.box);
    const Box& first = at->second;
    if (!is_new && (first.left != stop.box.left || first.top != stop.box.top))
      wrong += fmt::format("one name for the buttons at {},{} and {},{}; ", first.left, first.top,
                           stop.box.left, stop.box.top);
  }
}

/// "" where nothing is. `roomy`: nothing may be cut off, either.
inline std::string misdrawn(Ui& ui, bool roomy) {
  std::string wrong;
  // What a scrollbar takes of the width is known a frame later.
  for (int frame = 0; roomy && frame < 2; ++frame) ui.step();
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!is_drawn(*window)) continue;
    find_overlaps(*window, wrong);
    if (roomy) find_cut(*window, wrong);
  }
  find_wild_points(wrong);
  find_same_buttons(ui, wrong);
  return wrong;
}

}  // namespace lanescope::viz
