// SPDX-License-Identifier: MIT
// The bar and the line below on the pages of the atlas: where one is, where one can go, the words.
#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

struct Tab {
  Page page;
  const char* name;
};
constexpr std::array<Tab, 3> kTabs{
    {{Page::atlas, "instructions"}, {Page::swizzle, "swizzle"}, {Page::descriptor, "descriptor"}}};

float buttons_width(const Look& look, std::initializer_list<const char*> names, float between) {
  float width = 0;
  for (const char* name : names) width += button_width(look, name) + between;
  return width;
}

// Which two traces, or maps, are compared.
void which_two(Workspace& ws, const Look& look, float left, float right, float height) {
  const Comparison& made = ws.compare.made;
  const char* name = made.of_maps() ? "Two maps" : "Two traces";
  const float title = text_width(look.fonts.strong, name);
  if (right - left < title + look.em) return search_below(ws);
  ImGui::SetCursorPos(ImVec2(left, (height - look.fonts.strong.size) / 2));
  text(look.fonts.strong, look.theme.text, name);
  left += title + 1.2f * look.em;
  const float box = std::min(12 * look.em, right - left - look.em);
  if (box < 5 * look.em) return search_below(ws);
  ImGui::SetCursorPos(ImVec2(left, (height - look.fonts.mono.size) / 2 - 0.35f * look.em));
  draw_search(ws, look, box);
  left += box + 1.2f * look.em;
  if (right - left < 6 * look.em) return;
  ImGui::SetCursorPos(ImVec2(left, (height - look.fonts.text.size) / 2));
  text(look.fonts.text, look.theme.dim,
       shortened(look.fonts.text, fmt::format("a  {}      b  {}", made.name(0), made.name(1)),
                 right - left - look.em));
}

}  // namespace

void draw_page_bar(Workspace& ws, const Look& look) {
  const float width = ImGui::GetWindowWidth();
  const float height = ImGui::GetWindowHeight();
  const float middle = (height - 1.75f * look.em) / 2;
  const float pad = 1.1f * look.em;
  const char* other_theme = ws.dark ? "light" : "dark";
  const float right =
      width - pad - buttons_width(look, {"trace", other_theme, "?"}, 0.3f * look.em);
  ImGui::SetCursorPos(ImVec2(right, middle));
  if (button(look, "trace", "trace")) go_to(ws, Page::trace);
  probe(ws, "trace");
  ImGui::SameLine(0, 0.3f * look.em);
  if (button(look, "theme", other_theme)) ws.dark = !ws.dark, ws.theme_changed = true;
  probe(ws, "theme");
  ImGui::SameLine(0, 0.3f * look.em);
  if (button(look, "keys", "?")) ws.show_keys = !ws.show_keys;
  probe(ws, "keys");

  float left = pad;
  if (has_history_buttons(look, width))
    left = draw_history_buttons(ws, look, left - 0.4f * look.em, middle);
  if (ws.page == Page::compare) return which_two(ws, look, left, right, height);
  const float title = text_width(look.fonts.strong, "Atlas");
  const float tabs =
      buttons_width(look, {kTabs[0].name, kTabs[1].name, kTabs[2].name}, 0.15f * look.em);
  if (right - left > title + tabs + 2 * look.em) {
    ImGui::SetCursorPos(ImVec2(left, (height - look.fonts.strong.size) / 2));
    text(look.fonts.strong, look.theme.text, "Atlas");
    left += title + 1.2f * look.em;
  }
  if (right - left > tabs + 0.5f * look.em) {
    ImGui::SetCursorPos(ImVec2(left, middle));
    std::vector<std::string> names;
    int chosen = 0;
    for (std::size_t at = 0; at < kTabs.size(); ++at) {
      names.emplace_back(kTabs[at].name);
      if (kTabs[at].page == ws.page) chosen = static_cast<int>(at);
    }
    if (choices(ws, look, "page", names, chosen))
      go_to(ws, kTabs[static_cast<std::size_t>(chosen)].page);
    left += tabs + 0.9f * look.em;
  }
  const float room = right - left - look.em;
  if (room < 8 * look.em) return search_below(ws);
  ImGui::SetCursorPos(ImVec2(left, (height - look.fonts.mono.size) / 2 - 0.35f * look.em));
  draw_search(ws, look, std::min(room, 34 * look.em));
}

void draw_page_status(Workspace& ws, const Look& look) {
  const float height = ImGui::GetWindowHeight();
  const float width = ImGui::GetWindowWidth();
  const float top = (height - look.fonts.text.size) / 2;
  const float pad = 1.1f * look.em;
  std::string keys;
  const MapView view = map_view(ws);
  if (view.map != nullptr)
    keys = "arrows move   Tab other side   / find   Esc back   Ctrl+C copy   ? keys";
  else if (ws.page == Page::atlas)
    keys =
        ws.atlas.entry.empty()
            ? "arrows choose   Enter open   / search   s swizzle   d descriptor   Esc back   ? keys"
            : "arrows choose   Enter open   = beside the last   / search   Esc back   ? keys";
  else if (ws.page == Page::swizzle)
    keys = "arrows move   x before, after   v bank, offset   / words   Esc back   ? keys";
  else if (ws.page == Page::compare && ws.compare.made.of_maps())
    keys = "up down operand   left right element   + - zoom   / find   Esc back   ? keys";
  else if (ws.page == Page::compare)
    keys =
        "up down difference   left right cell   + - zoom   / find   Ctrl+C copy   = trace   ? keys";
  else if (ws.descriptor.tcgen05.reading == Reading::instruction)
    keys = "/ words   Esc back   ? keys";
  else
    keys = "arrows move   [ ] step   v element, byte   / words   Esc back   ? keys";
  std::string words = selected_words(ws);
  if (ws.page == Page::atlas && !ws.atlas.found.empty() &&
      ws.atlas.row < static_cast<int>(ws.atlas.found.size())) {
    const Entry& here = ws.atlas.found[static_cast<std::size_t>(ws.atlas.row)];
    words = fmt::format("{}, {}", here.source(), standing_text(here.standing()));
  }
  const float keys_width = text_width(look.fonts.text, keys);
  const bool long_error = ws.message_is_error && text_width(look.fonts.text, ws.message) >
                                                     width - keys_width - 2 * pad - look.em;
  const bool with_keys = width > keys_width + 24 * look.em && !long_error;
  const float room = width - 2 * pad - (with_keys ? keys_width + look.em : 0);
  ImGui::SetCursorPos(ImVec2(pad, top));
  const bool said = !ws.message.empty();
  if (!said && !ws.hint.empty()) words = ws.hint;
  text(look.fonts.text,
       said ? (ws.message_is_error ? look.theme.bad : look.theme.good) : look.theme.dim,
       shortened(look.fonts.text, said ? ws.message : words, room));
  if (!with_keys) return;
  ImGui::SetCursorPos(ImVec2(width - pad - keys_width, top));
  text(look.fonts.text, look.theme.faint, keys);
}

}  // namespace lanescope::viz
