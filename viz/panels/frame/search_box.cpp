// SPDX-License-Identifier: MIT
// Where words are typed that find something, on every page. It stands in the bar above; where that
// has no room for it, in the line below while somebody types.
#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// Examples that would find something here.
std::string search_hint(const Workspace& ws) {
  if (const MapView view = map_view(ws); view.map != nullptr) return "/  " + examples_of(view);
  if (const Multiplication* in = ws.shown())
    return fmt::format("/  {}   {}", example_of(*in), holder_name(*in, 13));
  if (ws.shows == Shows::steps) return "/  step 17   %r9";
  if (ws.shows == Shows::pipeline) return ws.pipeline.made.copies ? "/  copy 64" : "/";
  if (!has(ws, Shows::memory)) return "/";
  const trace::Memory& tile = *ws.memory.tiles[ws.memory.current];
  return fmt::format("/  {},{}{}", std::min(3, tile.rows - 1), std::min(5, tile.cols - 1),
                     can_be_swizzled(tile) ? "   128B" : "");
}

void search_box(Workspace& ws, const Look& look, float width) {
  ImGui::SetNextItemWidth(width);
  if (ws.focus_search) focus_next_item();
  ws.focus_search = false;
  push_font(look.fonts.mono);
  const float room = width - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string hint = whole_examples(look.fonts.mono, search_hint(ws), room);
  const bool entered = ImGui::InputTextWithHint(
      "##search", hint.c_str(), ws.search.data(), ws.search.size(),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_typing(ws);
  probe_search(ws, map_view(ws).map != nullptr                              ? "map"
                   : ws.page == Page::trace && ws.shows != Shows::fragments ? name_of(ws.shows)
                                                                            : "");
  probe(ws, "hint: " + hint);
  ImGui::PopFont();
  if (entered) search(ws, ws.search.data());
}

const char* page_hint(const Workspace& ws) {
  switch (ws.page) {
    case Page::atlas:
      return "/  m16n8 s4    fp8 16x8    HMMA.16816.F32    ldmatrix trans";
    case Page::compare:
      return ws.compare.made.of_maps() ? "/  A 9,5   lane 5" : "/  2   9,5";
    case Page::swizzle:
      return "/  64B MN 16 64x16    (64,64):(72,1)    Sw<3,3,3> o 0 o (64,64):(64,1)";
    default:
      return "/  0x4000...  128B K 16 64x64  sbo=512  tcgen05";
  }
}

// The atlas is narrowed down with every letter; the other pages take their words with Enter.
void search_field(Workspace& ws, const Look& look, float width) {
  const bool atlas = ws.page == Page::atlas;
  ImGui::SetNextItemWidth(width);
  if (ws.focus_search) focus_next_item();
  ws.focus_search = false;
  push_font(look.fonts.mono);
  char* buffer = atlas ? ws.atlas.words.data() : ws.search.data();
  const std::size_t size = atlas ? ws.atlas.words.size() : ws.search.size();
  const float room = width - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string examples = whole_examples(look.fonts.mono, page_hint(ws), room);
  const bool changed = ImGui::InputTextWithHint(
      "##words", examples.c_str(), buffer, size,
      (atlas ? 0 : ImGuiInputTextFlags_EnterReturnsTrue) | ImGuiInputTextFlags_AutoSelectAll);
  note_typing(ws);
  probe_search(ws, ws.page == Page::atlas     ? "atlas"
                   : ws.page == Page::compare ? (ws.compare.made.of_maps() ? "maps" : "compare")
                   : ws.page == Page::swizzle ? "swizzle"
                                              : "descriptor");
  probe(ws, "hint: " + examples);
  const bool entered = ImGui::IsItemDeactivated() && pressed(Key::enter, false);
  ImGui::PopFont();
  if (atlas && changed) ws.atlas.filter.words = buffer;
  if (atlas && entered && !found_entries(ws).empty())
    ws.open_entry_request = std::min(ws.atlas.row, static_cast<int>(ws.atlas.found.size()) - 1);
  if (!atlas && changed) search_page(ws, buffer);
}

}  // namespace

void draw_search(Workspace& ws, const Look& look, float width) {
  const bool page = ws.page != Page::trace && ws.page != Page::entry;
  page ? search_field(ws, look, width) : search_box(ws, look, width);
}

void search_below(Workspace& ws) { ws.search_below = ws.search_below || ws.focus_search; }

void draw_search_below(Workspace& ws, const Look& look) {
  const float pad = 1.1f * look.em;
  const float top = (ImGui::GetWindowHeight() - ImGui::GetFrameHeight()) / 2;
  ImGui::SetCursorPos(ImVec2(pad, std::max(top, 0.0f)));
  draw_search(ws, look, ImGui::GetWindowWidth() - 2 * pad);
  if (ImGui::IsItemDeactivated()) ws.search_below = false;
}

}  // namespace lanescope::viz
