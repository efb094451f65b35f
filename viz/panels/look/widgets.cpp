// SPDX-License-Identifier: MIT
#include "panels/look/widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/frame/hints.hpp"

namespace lanescope::viz {

bool choices(Workspace& ws, const Look& look, const char* kind,
             const std::vector<std::string>& names, int& chosen) {
  bool changed = false;
  ImGui::PushID(kind);
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) ImGui::SameLine(0, 0.15f * look.em);
    // What the edge would cut off begins a line.
    if (at > 0 && ImGui::GetContentRegionAvail().x < button_width(look, names[at]))
      ImGui::NewLine();
    const bool now = static_cast<int>(at) == chosen;
    if (button(look, names[at].c_str(), names[at], now) && !now) {
      chosen = static_cast<int>(at);
      changed = true;
    }
    probe(ws, fmt::format("{} {}", kind, names[at]));
  }
  ImGui::PopID();
  return changed;
}

void passes_bar(Workspace& ws, const Look& look, int block, int unit, Box first, Box last,
                int passes, std::string_view how) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& font = look.fonts.cell[3];
  const float top = first.top + first.height + 1;
  const float right = last.left + last.width - 1;
  const Rgb ink = passes == 1 ? look.theme.good : look.theme.bad;
  draw->AddRectFilled(ImVec2(first.left, top), ImVec2(right, top + 0.16f * look.em), colour(ink));
  std::string words = passes == 1 ? "1 pass" : fmt::format("{} passes", passes);
  if (!how.empty() && text_width(font, words) + text_width(font, how) < right - first.left)
    words = fmt::format("{}{}", how, words);
  if (text_width(font, words) > right - first.left) words = fmt::format("{}", passes);
  text_at(
      draw, font,
      ImVec2(std::round((first.left + right - text_width(font, words)) / 2), top + 0.2f * look.em),
      ink, words);
  if (ws.probes != nullptr)
    probe(ws, fmt::format("passes {},{}", block, unit),
          {first.left, top, right - first.left, look.em});
}

void probe_search(Workspace& ws, const std::string& in) {
  probe(ws, "search");
  if (!in.empty() && ImGui::IsItemHovered()) ws.hint = hint_of("search " + in);
}

void note_typing(Workspace& ws) { ws.searching = ws.searching || ImGui::IsItemActive(); }

bool field(Workspace& ws, const Look& look, const char* name, FieldText& typed_text,
           std::string_view now, float width) {
  if (ws.typed_in != name) {
    const std::size_t count = std::min(now.size(), typed_text.size() - 1);
    std::copy_n(now.data(), count, typed_text.data());
    typed_text[count] = '\0';
  }
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, name);
  ImGui::SameLine(0, 0.5f * look.em);
  push_font(look.fonts.mono);
  ImGui::SetNextItemWidth(width);
  const bool edited = ImGui::InputText(fmt::format("##{}", name).c_str(), typed_text.data(),
                                       typed_text.size(), ImGuiInputTextFlags_AutoSelectAll);
  note_typing(ws);
  if (ImGui::IsItemActive())
    ws.typed_in = name;
  else if (ws.typed_in == name)
    ws.typed_in.clear();
  probe(ws, fmt::format("field {}", name));
  ImGui::PopFont();
  return edited;
}

// A field's colour: one of the eight hues of the warp's groups.
Rgb strip_colour(const Theme& t, std::size_t index, bool set) {
  constexpr std::array<int, 8> kLanes{12, 24, 4, 8, 0, 16, 20, 28};
  return lane_colour(kLanes[index % kLanes.size()] + 1, t.dark,
                     set ? Shade::bright : Shade::normal);
}

void bit_strip(const Look& look, std::uint64_t bits, int count,
               const std::vector<StripField>& fields) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float cell = std::floor((width - 0.6f * look.em) / 32);
  const float height = 1.35f * look.em;
  const float line = height + 1.1f * look.em;
  const Font* font = nullptr;
  for (const Font& candidate : look.fonts.cell)
    if (text_width(candidate, "0") <= cell - 1.5f && candidate.size < height) font = &candidate;
  const Font& small = look.fonts.cell[2];
  const auto left_of = [&](int bit) {
    const int place = (63 - bit) % 32;
    return at.x + cell * static_cast<float>(place) + (place >= 16 ? 0.3f * look.em : 0.0f);
  };
  const auto top_of = [&](int bit) {
    return at.y + (bit < 32 && count > 32 ? line : 0.0f) + 0.9f * look.em;
  };
  for (int bit = count - 1; bit >= 0; --bit) {
    const bool set = (bits >> bit & 1) != 0;
    Rgb fill = set ? look.theme.bad : look.theme.raised;  // set where no field is: wrong
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (!fields[f].name.empty() && bit >= fields[f].from &&
          bit < fields[f].from + fields[f].width)
        fill = strip_colour(look.theme, f, set);
    const float left = left_of(bit);
    const float top = top_of(bit);
    draw->AddRectFilled(ImVec2(left, top), ImVec2(left + cell - 1, top + height), colour(fill),
                        1.5f);
    if (font == nullptr) continue;
    const char digit[2] = {set ? '1' : '0', '\0'};
    text_at(draw, *font,
            ImVec2(std::round(left + (cell - 1 - text_width(*font, digit)) / 2),
                   std::round(top + (height - font->size) / 2)),
            text_on(fill), digit);
  }
  // From the left; a name that would run into the one before is left out, the list below has it.
  std::vector<const StripField*> named;
  for (const StripField& f : fields)
    if (!f.name.empty()) named.push_back(&f);
  std::sort(named.begin(), named.end(),
            [](const StripField* a, const StripField* b) { return a->from > b->from; });
  float free_from = 0, last_top = -1;
  for (const StripField* f : named) {
    const int high = f->from + f->width - 1;
    const float left = left_of(high), top = top_of(high);
    if (top == last_top && left < free_from) continue;
    text_at(draw, small, ImVec2(left, top - small.size - 1), look.theme.dim, f->name);
    free_from = left + text_width(small, f->name) + 0.2f * look.em;
    last_top = top;
  }
  ImGui::Dummy(ImVec2(width, (count > 32 ? 2 : 1) * line + 0.1f * look.em));
}

ImVec2 room_to_edges(const Look& look) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  return {room.x + 0.45f * look.em, room.y + 0.7f * look.em};
}

void gap(const Look& look, float ems) { ImGui::Dummy(ImVec2(1, ems * look.em)); }

void scroll_to_line(int line, float height) {
  const float top = height * static_cast<float>(line);
  const float room = ImGui::GetWindowHeight();
  if (top < ImGui::GetScrollY() || top + height > ImGui::GetScrollY() + room)
    ImGui::SetScrollY(std::max(0.0f, top - room / 2));
}

void scroll_by(float heights) {
  if (heights != 0) ImGui::SetScrollY(ImGui::GetScrollY() + heights * ImGui::GetWindowHeight());
}

void section(const Look& look, const char* name) {
  gap(look, 0.12f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddLine(at, ImVec2(at.x + width, at.y), colour(look.theme.border));
  gap(look, 0.2f);
  text(look.fonts.text, look.theme.dim, name, width);
}

std::vector<std::string> folded(std::string_view formula, std::size_t columns) {
  std::vector<std::string> lines;
  const std::size_t equals = formula.find("= ");
  const std::size_t indent =
      equals == std::string_view::npos || equals + 2 > columns / 2 ? 2 : equals + 2;
  std::string start;  // of the lines behind the first
  while (start.size() + formula.size() > columns) {
    const std::size_t room = columns - std::min(columns, start.size());
    const std::size_t least = lines.empty() ? indent : 1;  // what is left of it is no line
    std::size_t at = formula.substr(0, room).rfind(" + ");
    if (at == std::string_view::npos || at < least) at = formula.substr(0, room + 1).rfind(' ');
    if (at == std::string_view::npos || at < least) break;  // one long word: the text is wrapped
    lines.push_back(start + std::string(formula.substr(0, at)));
    formula.remove_prefix(at + 1);
    start = std::string(indent, ' ');
  }
  lines.push_back(start + std::string(formula));
  return lines;
}

void mono_lines(const Look& look, const std::vector<std::string>& all, Rgb ink) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0.22f * look.em));
  const float width = ImGui::GetContentRegionAvail().x;
  const float columns = std::floor(width / text_width(look.fonts.mono, "0"));
  for (const std::string& line : all)
    for (const std::string& part : folded(line, static_cast<std::size_t>(std::max(columns, 8.0f))))
      text(look.fonts.mono, ink, part, width);
  ImGui::PopStyleVar();
}

}  // namespace lanescope::viz
