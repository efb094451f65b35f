// SPDX-License-Identifier: MIT
// The source beside the picture, at the line of the step or of the RECORD that is looked at.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "panels/lesson/code_rows.hpp"
#include "panels/lesson/text_tabs.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

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
    if (ws.steps.list.empty()) return nullptr;
    const StepWarp& warp = ws.steps.list.warps[static_cast<std::size_t>(ws.steps.place.warp)];
    return &warp.items[static_cast<std::size_t>(ws.steps.place.item)].step->source;
  }
  const trace::Fragment* f = in == nullptr ? nullptr : focus_fragment(ws, *in);
  return f == nullptr || f->source.line <= 0 ? nullptr : &f->source;
}

}  // namespace

const Document* source_of(const Workspace& ws, const Multiplication* in) {
  const trace::SourceLine* line = focus_line(ws, in);
  if (line == nullptr) return nullptr;
  const auto found = ws.sources.find(line->file);
  return found == ws.sources.end() ? nullptr : &found->second;
}

namespace {

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

}  // namespace

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

}  // namespace lanescope::viz
