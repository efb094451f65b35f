// SPDX-License-Identifier: MIT
// Words beside the picture: the lesson's text, the source that recorded the fragments, the events
// of the trace. A tab is there only when it has something to say.
#include <array>
#include <string>

#include "panels/lesson/text_tabs.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

void blank(const Look& look) { ImGui::Dummy(ImVec2(1, 0.3f * look.em)); }

namespace {

bool tab_button(Workspace& ws, const Look& look, const char* name, bool chosen) {
  const Font& font = chosen ? look.fonts.strong : look.fonts.text;
  const ImVec2 size(text_width(look.fonts.strong, name) + 0.2f * look.em, 1.6f * look.em);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(name, size);
  probe(ws, std::string("tab ") + name);
  text_at(ImGui::GetWindowDrawList(), font, at,
          chosen || ImGui::IsItemHovered() ? look.theme.text : look.theme.dim, name);
  if (chosen)
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(at.x, at.y + 1.4f * look.em),
        ImVec2(at.x + text_width(font, name), at.y + 1.4f * look.em + 2), colour(look.theme.link));
  ImGui::SameLine(0, 1.1f * look.em);
  return clicked;
}

// At the right of the tabs, and no tabs: they do something. Where there is no room, keys do it.
void tab_links(Workspace& ws, const Look& look, bool lesson) {
  const std::array<std::string, 2> names{ws.reading ? "narrower" : "wider", "predict"};
  const float between = 1.1f * look.em;
  float left = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x + between;
  const float top = ImGui::GetCursorPosY(), least = ImGui::GetCursorPosX();
  for (std::size_t at = lesson ? names.size() : 1; at-- > 0;) {
    const ImVec2 size(text_width(look.fonts.text, names[at]), 1.6f * look.em);
    left -= size.x + between;
    if (left < least) break;
    ImGui::SetCursorPos(ImVec2(left, top));
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(at == 0 ? "room" : "predict", size);
    probe(ws, at == 0 ? "room" : "predict");
    text_at(ImGui::GetWindowDrawList(), look.fonts.text, place,
            ImGui::IsItemHovered() ? look.theme.text : look.theme.link, names[at]);
    if (clicked && at == 1) open_quiz(ws);
    if (clicked && at == 0) ws.reading = !ws.reading;
  }
  ImGui::SameLine();
}

}  // namespace

void draw_text_panel(Workspace& ws, const Multiplication* in, const Look& look, bool registers) {
  ws.words_drawn = true;
  const bool lesson = !ws.lesson.lines.empty();
  const bool source = source_of(ws, in) != nullptr;
  TextTab tab = ws.tab;
  if (tab == TextTab::lesson && !lesson) tab = TextTab::source;
  if (tab == TextTab::source && !source)
    tab = lesson && ws.tab == TextTab::lesson ? TextTab::lesson : TextTab::trace;
  const bool lane = registers && ws.registers_shown;
  const auto words = [&](const char* name, TextTab which) {
    if (tab_button(ws, look, name, !lane && tab == which))
      ws.tab = which, ws.registers_shown = false;
  };
  if (lesson) words("lesson", TextTab::lesson);
  if (source) words("source", TextTab::source);
  words("trace", TextTab::trace);
  if (registers && tab_button(ws, look, "registers", lane)) ws.registers_shown = true;
  if (lesson || source || ws.reading) tab_links(ws, look, lesson);
  if (lane) {
    ImGui::NewLine();
    blank(look);
    begin_child("registers text", room_to_edges(look), false, ImGuiWindowFlags_NoNav);
    draw_registers(ws, *in, look, false);
    ImGui::EndChild();
    return;
  }
  ImGui::NewLine();
  blank(look);
  // Below the tabs: beside them are links, whatever the panel's width.
  if (tab == TextTab::source) {
    text(look.fonts.text, look.theme.faint, source_of(ws, in)->name);
    probe(ws, "source name");
  }
  if (const std::string caption = caption_of(ws); !caption.empty()) {
    text(look.fonts.text, look.theme.accent, caption, ImGui::GetContentRegionAvail().x);
    blank(look);
  }
  const char* id = tab == TextTab::lesson   ? "lesson text"
                   : tab == TextTab::source ? "source text"
                                            : "trace text";
  begin_child(id, room_to_edges(look), false,
              ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
  const ImVec2 first = ImGui::GetCursorScreenPos();
  probe(ws, "words", {first.x, first.y, ImGui::GetContentRegionAvail().x, 1});
  scroll_by(ws.scroll_words);
  switch (tab) {
    case TextTab::lesson:
      draw_lesson(ws, look);
      break;
    case TextTab::source:
      draw_source(ws, in, look);
      break;
    case TextTab::trace:
      draw_trace(ws, look);
      break;
  }
  ImGui::EndChild();
}

}  // namespace lanescope::viz
