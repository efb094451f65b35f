// SPDX-License-Identifier: MIT
// A panel at its place, and what the pages share that are put together of panels.
#pragma once

#include <cmath>

#include "panels/frame/arrangement.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

// What is behind a panel: nothing, or a card; and what is too high for it is scrolled by the panel,
// or by a window of its own in it.
enum class Back { none, card, whole_card };

// A panel: a child window at its place.
template <class Draw>
void panel(const Look& look, const char* name, const Box& box, Back back, Draw draw) {
  const bool card = back != Back::none;
  if (box.width < 2 * look.em || box.height < look.em) return;
  ImGui::SetCursorPos(ImVec2(std::floor(box.left), std::floor(box.top)));
  const ImVec2 size(std::floor(box.width), std::floor(box.height));
  if (card) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 to(at.x + size.x, at.y + size.y);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, to, colour(look.theme.panel), 0.45f * look.em);
    list->AddRect(at, to, colour(look.theme.border), 0.45f * look.em);
  }
  const float pad = card ? 0.95f * look.em : 0;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, 0.8f * pad));
  const int scrolls =
      back == Back::card ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  begin_child(name, size, card,
              ImGuiWindowFlags_NoNav | (card ? scrolls : ImGuiWindowFlags_NoScrollbar));
  ImGui::PopStyleVar();
  draw();
  ImGui::EndChild();
}

/// The pages: what there is of a trace besides fragments; fragments and maps of the atlas; swizzles
/// and descriptors to try.
void draw_trace_view(Workspace& ws, const Look& look, const Box& whole);
void draw_fragments_page(Workspace& ws, const MapView& view, const Look& look, const Box& whole,
                         const Arrangement& a);
void draw_swizzle_page(Workspace& ws, const Look& look, const Arrangement& a);
void draw_descriptor_page(Workspace& ws, const Look& look, const Box& whole);

/// How much of the width the matrices ask for; without it the panels beside them go below.
float room_for(Workspace& ws, const MapView& view, const Look& look);

Box around(const Box& a, const Box& b);
/// Who clicks into the picture wants to see what that is.
void end_reading(Workspace& ws, const Box& picture);

}  // namespace lanescope::viz
