// SPDX-License-Identifier: MIT
// Words beside the picture: the lesson's text, the source that recorded the fragments, the events
// of the trace. A tab is there only when it has something to say.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>
#include <vector>

#include "panels/lesson/code_rows.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

void blank(const Look& look) { ImGui::Dummy(ImVec2(1, 0.3f * look.em)); }

// The line that recorded the operand in focus; of any operand when none is in focus.
const trace::Fragment* focus_fragment(const Workspace& ws, const Multiplication& in) {
  if (ws.selection.picked == Picked::element || ws.selection.picked == Picked::reg)
    if (const trace::Fragment* f = in.fragment(ws.selection.operand)) return f;
  for (const char operand : {'D', 'C', 'A', 'B'})
    if (const trace::Fragment* f = in.fragment(operand)) return f;
  return nullptr;
}

// The line that the step shown is of, or that recorded the fragment in focus.
const trace::SourceLine* focus_line(const Workspace& ws, const Multiplication* in) {
  if (ws.page == Page::trace && ws.shows == Shows::steps) {
    const StepWarp& warp = ws.steps.list.warps[static_cast<std::size_t>(ws.steps.place.warp)];
    return &warp.items[static_cast<std::size_t>(ws.steps.place.item)].step->source;
  }
  const trace::Fragment* f = in == nullptr ? nullptr : focus_fragment(ws, *in);
  return f == nullptr || f->source.line <= 0 ? nullptr : &f->source;
}

const Document* source_of(const Workspace& ws, const Multiplication* in) {
  const trace::SourceLine* line = focus_line(ws, in);
  if (line == nullptr) return nullptr;
  const auto found = ws.sources.find(line->file);
  return found == ws.sources.end() ? nullptr : &found->second;
}

// The lines in rows that have room, in smaller letters where some line is longer than that. A line
// is drawn from `starts` on, counted in rows.
struct SourceRows {
  const Font* font = nullptr;
  float height = 0, numbers = 0;
  std::size_t columns = 0;
  std::vector<int> starts;  // and where the last one ends
};

SourceRows source_rows(const Document& document, const Look& look, float width) {
  SourceRows rows;
  const auto in_font = [&](const Font& font) {
    rows.font = &font;
    rows.height = font.size * 1.35f;
    rows.numbers = text_width(font, "0000 ");
    const float columns = (width - rows.numbers) / text_width(font, "0");
    rows.columns = static_cast<std::size_t>(std::clamp(columns, 1.0f, 1e4f));
  };
  in_font(look.fonts.mono);
  const auto is_long = [&](const std::string& line) { return line.size() > rows.columns; };
  if (std::any_of(document.lines.begin(), document.lines.end(), is_long))
    in_font(look.fonts.small_mono);
  rows.starts = {0};
  for (const std::string& line : document.lines)
    rows.starts.push_back(
        rows.starts.back() +
        (is_long(line) ? static_cast<int>(code_rows(line, rows.columns).size()) : 1));
  return rows;
}

void draw_source(Workspace& ws, const Multiplication* in, const Look& look) {
  const Document& document = *source_of(ws, in);
  const int focus = focus_line(ws, in)->line;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const SourceRows rows = source_rows(document, look, width);
  const Font& font = *rows.font;
  const auto top_of = [&](std::size_t line) {
    return rows.height * static_cast<float>(rows.starts[line]);
  };
  const float low = draw->GetClipRectMin().y - origin.y;
  const float high = draw->GetClipRectMax().y - origin.y;
  for (std::size_t at = 0; at < document.lines.size(); ++at) {
    if (top_of(at + 1) < low || top_of(at) > high) continue;
    const bool lit = static_cast<int>(at) + 1 == focus;
    float top = origin.y + top_of(at);
    if (lit)
      draw->AddRectFilled(ImVec2(origin.x, top),
                          ImVec2(origin.x + width, origin.y + top_of(at + 1)),
                          colour(look.theme.accent, 0.18f), 3);
    top += (rows.height - font.size) / 2;
    text_at(draw, font, ImVec2(origin.x, top), lit ? look.theme.text : look.theme.faint,
            fmt::format("{:>4}", at + 1));
    for (const CodeRow& row : code_rows(document.lines[at], rows.columns)) {
      const float left =
          origin.x + rows.numbers + text_width(font, "0") * static_cast<float>(row.indent);
      const std::string words(row.text);
      text_at(draw, font, ImVec2(left, top), lit ? look.theme.text : look.theme.dim, words);
      if (ws.probes != nullptr)
        probe(ws, fmt::format("source {}: {}", at + 1, words),
              {left, top, text_width(font, words), font.size});
      top += rows.height;
    }
  }
  ImGui::Dummy(ImVec2(1, top_of(document.lines.size())));
  // A new line of interest comes into view, and stays there where the panel is made narrower.
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID seen = ImGui::GetID("focus line"), seen_columns = ImGui::GetID("columns");
  const int columns = static_cast<int>(rows.columns);
  if (storage->GetInt(seen, 0) == focus && storage->GetInt(seen_columns, 0) == columns) return;
  storage->SetInt(seen, focus);
  storage->SetInt(seen_columns, columns);
  const auto line =
      static_cast<std::size_t>(std::clamp(focus - 1, 0, static_cast<int>(document.lines.size())));
  ImGui::SetScrollY(std::max(0.0f, top_of(line) - 7 * rows.height));
}

// One line an event; what has a text of its own says it.
struct EventLine {
  std::string kind, words;
  bool error = false;
};

// "mma.m16n8k16.f32.f16.f16.f32": the words that every mma.sync has are left out.
std::string without_constants(std::string mnemonic) {
  for (const std::string_view words : {".sync.aligned", ".row.col"})
    if (const std::size_t at = mnemonic.find(words); at != std::string::npos)
      mnemonic.erase(at, words.size());
  return mnemonic;
}

struct Describe {
  EventLine operator()(const trace::View& e) const { return {"view", e.title}; }
  EventLine operator()(const trace::Launch& e) const {
    return {"launch", fmt::format("{} <<<{}x{}x{}, {}x{}x{}>>>", e.kernel, e.grid[0], e.grid[1],
                                  e.grid[2], e.block[0], e.block[1], e.block[2])};
  }
  EventLine operator()(const trace::Fragment& e) const {
    const std::string place = place_text(e.place);
    return {"fragment", fmt::format("{}  {}{}{}", e.name, without_constants(e.instruction),
                                    place.empty() ? "" : ", ", place)};
  }
  EventLine operator()(const trace::Memory& e) const {
    return {"memory", fmt::format("{}  {} {} x {} {}", e.name, e.space, e.rows, e.cols, e.type)};
  }
  EventLine operator()(const trace::Step& e) const {
    return {"step", fmt::format("{}  {}", e.step, e.ptx)};
  }
  EventLine operator()(const trace::Access& e) const {
    return {"access", fmt::format("{}  {}", e.step, e.instruction)};
  }
  EventLine operator()(const trace::Sync& e) const {
    return {"sync", fmt::format("warp {} step {}  {} {} phase {}", e.place.warp, e.step, e.action,
                                e.object, e.phase)};
  }
  EventLine operator()(const trace::Diagnostic& e) const {
    return {"diagnostic", fmt::format("{}: {}", e.kind, e.message), true};
  }
};

void draw_trace(const Workspace& ws, const Look& look) {
  const trace::Header& h = ws.model.trace.header;
  const float width = ImGui::GetContentRegionAvail().x;
  const auto fact = [&](const char* name, const std::string& words) {
    if (words.empty()) return;
    text(look.fonts.text, look.theme.dim, name);
    ImGui::SameLine(5.5f * look.em);
    text(look.fonts.mono, look.theme.text, words, width - 5.5f * look.em);
  };
  if (!ws.has_trace()) {
    text(look.fonts.text, look.theme.dim,
         "No trace is open: this is the map alone, as the atlas has it.", width);
    return;
  }
  fact("file", ws.trace_path);
  fact("program", h.program);
  fact("device", fmt::format("{} ({})", h.device, h.arch));
  fact("written by", h.producer);
  fact("command", h.command);
  blank(look);
  for (const std::string& remark : ws.model.remarks)
    text(look.fonts.text, look.theme.warn, remark, width);
  const auto& events = ws.model.trace.events;
  text(look.fonts.text, look.theme.dim, fmt::format("{} events", events.size()));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(events.size()));
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
      const EventLine line = std::visit(Describe{}, events[static_cast<std::size_t>(at)]);
      text(look.fonts.mono, line.error ? look.theme.bad : look.theme.link,
           fmt::format("{:<11}", line.kind));
      ImGui::SameLine(0, 0);
      text(look.fonts.mono, line.error ? look.theme.bad : look.theme.text, line.words);
    }
}

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
