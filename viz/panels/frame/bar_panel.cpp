// SPDX-License-Identifier: MIT
// The bar above: who has how much of it; the labels, the buttons at its right edge. What is shown,
// with its name and its device: bar_names.cpp; the search box: search_box.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "panels/frame/bar_names.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr std::array<const char*, 5> kLabelNames{"lane", "register", "value", "bits", "both"};

// Without a run there are no values to label cells with.
std::size_t modes_of(const Workspace& ws) {
  if (map_view(ws).map != nullptr) return 0;
  return ws.page == Page::entry ? 2 : kLabelNames.size();
}

float modes_width(const Workspace& ws, const Look& look) {
  float width = 0;
  for (std::size_t mode = 0; mode < modes_of(ws); ++mode)
    width += text_width(look.fonts.text, kLabelNames[mode]) + 1.45f * look.em;
  return width;
}

void modes(Workspace& ws, const Look& look) {
  for (std::size_t mode = 0; mode < modes_of(ws); ++mode) {
    const auto value = static_cast<LabelMode>(mode);
    if (button(look, kLabelNames[mode], kLabelNames[mode], ws.labels == value)) ws.labels = value;
    probe(ws, fmt::format("label {}", kLabelNames[mode]));
    ImGui::SameLine(0, 0.15f * look.em);
  }
}

constexpr float kModeList = 7;  // em

// The same as a list, where the title would have no room beside the buttons.
void mode_list(Workspace& ws, const Look& look) {
  const std::size_t count = modes_of(ws);
  const std::size_t now = std::min(static_cast<std::size_t>(ws.labels), count - 1);
  ImGui::SetNextItemWidth(kModeList * look.em);
  const bool open = ImGui::BeginCombo("##labels", kLabelNames[now], ImGuiComboFlags_HeightLarge);
  probe(ws, "labels");
  if (!open) return;
  for (std::size_t mode = 0; mode < count; ++mode) {
    if (ImGui::Selectable(kLabelNames[mode], mode == now)) ws.labels = static_cast<LabelMode>(mode);
    probe(ws, fmt::format("label {}", kLabelNames[mode]));
  }
  ImGui::EndCombo();
}

// Where the words beside the picture have no room: what a button brings there; "": nothing.
const char* words_without_room(const Workspace& ws) {
  if (ws.page != Page::trace || ws.words_shown) return "";
  if (ws.shows == Shows::steps && ws.steps_have_source()) return "source";
  return ws.lesson.lines.empty() ? "" : "lesson";
}

struct RightButton {
  const char* id;
  std::string label, probed;
  void (*press)(Workspace& ws);
};

std::vector<RightButton> right_buttons_of(const Workspace& ws) {
  std::vector<RightButton> all;
  if (const std::string words = words_without_room(ws); !words.empty())
    all.push_back({"words", words, "words " + words, [](Workspace& to) {
                     to.tab = words_without_room(to) == std::string_view("lesson")
                                  ? TextTab::lesson
                                  : TextTab::source;
                     to.reading = true;
                   }});
  const bool entry = ws.page == Page::entry;
  if (ws.compare.there && !entry)
    all.push_back(
        {"compared", "compared", "compared", [](Workspace& to) { go_to(to, Page::compare); }});
  const char* page = entry ? "trace" : "atlas";
  all.push_back({"page", page, page, [](Workspace& to) {
                   go_to(to, to.page == Page::entry ? Page::trace : Page::atlas);
                 }});
  all.push_back({"open", "open", "open", [](Workspace& to) { to.show_traces = !to.show_traces; }});
  all.push_back({"theme", ws.dark ? "light" : "dark", "theme",
                 [](Workspace& to) { to.dark = !to.dark, to.theme_changed = true; }});
  all.push_back({"keys", "?", "keys", [](Workspace& to) { to.show_keys = !to.show_keys; }});
  return all;
}

// From the right edge: where else one can go, theme, keys. Gives the place where they begin. What
// would lie over the tabs, which end at `least`, is left out: it has a key.
float right_buttons(Workspace& ws, const Look& look, float right, float least, float top) {
  std::vector<RightButton> all = right_buttons_of(ws);
  float left = right + 0.3f * look.em;
  const auto width = [&](const RightButton& b) {
    return text_width(look.fonts.text, b.label) + 1.6f * look.em;
  };
  for (const RightButton& b : all) left -= width(b);
  while (left < least && all.size() > 1) left += width(all.front()), all.erase(all.begin());
  ImGui::SetCursorPos(ImVec2(left, top));
  for (const RightButton& b : all) {
    if (button(look, b.id, b.label)) b.press(ws);
    probe(ws, b.probed);
    ImGui::SameLine(0, 0.3f * look.em);
  }
  return left;
}

}  // namespace

void draw_bar(Workspace& ws, const Look& look) {
  if (ws.page != Page::trace && ws.page != Page::entry) return draw_page_bar(ws, look);
  const float width = ImGui::GetWindowWidth();
  const float height = ImGui::GetWindowHeight();
  const float middle = (height - 1.75f * look.em) / 2;
  const float pad = 1.1f * look.em;
  // From the right: the buttons, label modes, the search box; the rest is for the names.
  const float tabs = ws.page == Page::trace ? view_tabs_width(ws, look) : 0;
  float right = right_buttons(ws, look, width - pad, pad + tabs, middle);
  const float first = has_history_buttons(look, width)
                          ? draw_history_buttons(ws, look, pad - 0.4f * look.em, middle)
                          : pad;
  const bool other = ws.page == Page::trace && ws.shows != Shows::fragments;
  if (ws.shown() == nullptr && map_view(ws).map == nullptr && !other) {
    draw_title(ws, look, first, right, height);
    return;
  }
  // What only the bar has comes first: the tabs, and which of several products. Then the search box
  // and the labels, which have keys; the title takes what is left, but for its first words the
  // labels are a list.
  const bool several = !other && ws.about().multiplications.size() > 1;
  const float kept =
      first + (ws.page == Page::trace ? tabs : 6 * look.em) + (several ? 10 * look.em : 0);
  // One can type what one wants labelled, and labels have keys: a narrow bar keeps the search box.
  const float search = 9 * look.em;
  const float title_width =
      ws.page != Page::trace ? 0 : text_width(look.fonts.strong, title_of(ws)) + 2.2f * look.em;
  if (!other && modes_of(ws) > 0) {
    const float free = right - kept - search - look.em;
    const float buttons = modes_width(ws, look), list = kModeList * look.em;
    const bool all = free > buttons + std::min(title_width, 9 * look.em);
    if (all || free > list) {
      right -= (all ? buttons : list) + 0.9f * look.em;
      ImGui::SetCursorPos(ImVec2(right, middle));
      all ? modes(ws, look) : mode_list(ws, look);
    }
  }
  // Examples in the box give way to the title, and that to everything else.
  const float usual = std::clamp(width * 0.13f, 9 * look.em, 17 * look.em);
  const float room = right - kept - 0.9f * look.em;
  const float box = std::min(std::max(std::min(usual, room - title_width), 9 * look.em), room);
  if (box > 5 * look.em) {
    right -= box + 0.9f * look.em;
    ImGui::SetCursorPos(ImVec2(right, (height - look.fonts.mono.size) / 2 - 0.35f * look.em));
    draw_search(ws, look, box);
  } else {
    search_below(ws);
  }
  float left = draw_title(ws, look, first, right - kept + first, height);
  if (ws.page == Page::trace) left = draw_view_tabs(ws, look, left, middle);
  if (other)
    draw_device(ws, look, left, right, height);
  else
    draw_names(ws, look, left, right, height);
}

}  // namespace lanescope::viz
