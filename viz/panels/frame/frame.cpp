// SPDX-License-Identifier: MIT
// One frame: which panels there are on a page, and where they stand at this size of the window.
#include <utility>

#include "panels/frame/panel.hpp"

namespace lanescope::viz {
namespace {

void draw_page(Workspace& ws, const MapView& view, const Look& look, const Arrangement& a) {
  const Box whole{look.em, a.cross.top, a.bar.width - 2 * look.em,
                  a.status.top - a.cross.top - 0.2f * look.em};
  if (ws.page == Page::atlas)
    return panel(look, "atlas", whole, Back::none, [&] { draw_atlas(ws, look); });
  if (ws.page == Page::compare)
    return panel(look, "compare", whole, Back::none, [&] { draw_compare(ws, look); });
  if (ws.page == Page::swizzle) return draw_swizzle_page(ws, look, a);
  if (ws.page == Page::descriptor) return draw_descriptor_page(ws, look, whole);
  if (ws.page == Page::trace && ws.shows != Shows::fragments)
    return draw_trace_view(ws, look, whole);
  draw_fragments_page(ws, view, look, whole, a);
}

void strip(const Look& look, const Box& box, bool line_below) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(box.left, box.top), ImVec2(box.left + box.width, box.top + box.height),
                      colour(look.theme.panel));
  const float edge = line_below ? box.top + box.height - 1 : box.top;
  draw->AddRectFilled(ImVec2(box.left, edge), ImVec2(box.left + box.width, edge + 1),
                      colour(look.theme.border));
}

}  // namespace

void draw_workspace(Workspace& ws, const Fonts& fonts) {
  const Look look{theme(ws.dark), fonts, fonts.text.size};
  if (ws.probes != nullptr) ws.probes->boxes.clear();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  go_on(ws, ImGui::GetIO().DeltaTime);
  begin_ring(ws, 2.9f * look.em);
  // The buttons at a mouse's side, as in a browser.
  const bool covered = ws.show_keys || ws.show_traces || ws.quiz.open;
  if (!covered && ImGui::IsMouseClicked(3)) go_back(ws, -1);
  if (!covered && ImGui::IsMouseClicked(4)) go_back(ws, 1);
  if (!ws.searching && !ws.focus_search) handle_keys(ws);
  ws.hint.clear();
  if (const LessonLink link = std::exchange(ws.follow, {}); link.to != LessonLink::To::nowhere)
    follow(ws, link);
  ws.searching = false;  // until a field says that it is typed into
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("workspace", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBackground |  // the frame was cleared with that colour
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const MapView view = map_view(ws);
  const Arrangement a = arrange(size, look.em, room_for(ws, view, look), ws.wider);
  strip(look, a.bar, true);
  strip(look, a.status, false);
  panel(look, "bar", a.bar, Back::none, [&] { draw_bar(ws, look); });
  if (!ws.search_below) ws.focus_search = false;  // there is nothing to find
  draw_page(ws, view, look, a);
  panel(look, "status", a.status, Back::none,
        [&] { ws.search_below ? draw_search_below(ws, look) : draw_status(ws, look); });
  ws.scroll_words = ws.scroll_facts = 0;
  ws.words_shown = std::exchange(ws.words_drawn, false);
  ImGui::End();
  if (ws.show_traces) draw_trace_list(ws, look);
  if (ws.quiz.open) draw_quiz(ws, look);
  if (ws.show_keys) draw_keys(ws, look);
  note_visit(ws);
}

}  // namespace lanescope::viz
