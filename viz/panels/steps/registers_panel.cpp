// SPDX-License-Identifier: MIT
// The registers of the lane in focus: each as hex, split into the elements it packs, each with its
// value and its place in the matrix.
#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/matrix/scaled.hpp"
#include "panels/panels.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

bool is_selected(const Selection& s, const RegisterFacts& reg) {
  return (s.picked == Picked::element || s.picked == Picked::reg) && s.operand == reg.operand &&
         s.register_index == reg.index;
}

// One element: "A[9][4] 148.5"; a click selects it.
void part_cell(Workspace& ws, const Look& look, const RegisterFacts& reg, const Part& part,
               float width) {
  const Selection& s = ws.selection;
  const bool chosen = s.picked == Picked::element && s.operand == reg.operand &&
                      s.element == part.element && s.thread == reg.thread;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.fonts.mono.size * 1.3f;
  const std::string id = fmt::format("##{}", part.name);
  if (ImGui::InvisibleButton(id.c_str(), ImVec2(std::max(width, 1.0f), height)))
    search(ws, fmt::format("lane {} {}{}{}", reg.thread, reg.name, part.label.empty() ? "" : ".",
                           part.label));
  probe(ws, fmt::format("register {} {}", reg.name, part.label.empty() ? "all" : part.label));
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& t = look.theme;
  if (chosen || ImGui::IsItemHovered())
    draw->AddRectFilled(at, ImVec2(at.x + width - 3, at.y + height),
                        colour(chosen ? lane_colour(reg.thread, t.dark, Shade::bright) : t.raised),
                        3);
  const Rgb ink = chosen ? text_on(lane_colour(reg.thread, t.dark, Shade::bright)) : t.text;
  const Font& small = look.fonts.cell[4];
  const float top = at.y + (height - look.fonts.mono.size) / 2;
  const float value_width = text_width(look.fonts.mono, part.value);
  const float place_width = text_width(small, part.place);
  text_at(draw, small, ImVec2(at.x + 0.3f * look.em, at.y + (height - small.size) / 2),
          chosen ? ink : t.faint, part.place);
  const float left = at.x + 0.3f * look.em + place_width + 0.5f * look.em;
  if (left + value_width <= at.x + width)
    text_at(draw, look.fonts.mono, ImVec2(left, top), ink, part.value);
  else if (ImGui::IsItemHovered() || left < at.x + width)
    text_at(draw, small, ImVec2(left, at.y + (height - small.size) / 2), ink,
            fitted(small, part.value, at.x + width - left - 3));
}

// "A.r13"; of D in tensor memory its column there, for no register holds it.
std::string row_name(const Multiplication& in, const RegisterFacts& reg) {
  return in.tensor == nullptr ? reg.name : fmt::format("col {}", in.tensor->column + reg.index);
}

void register_row(Workspace& ws, const Multiplication& in, const Look& look,
                  const RegisterFacts& reg) {
  const float width = ImGui::GetContentRegionAvail().x;
  const char* widest = in.tensor != nullptr ? "col 000 " : reg.index > 99 ? "A.r000 " : "A.r00 ";
  const float name_width = text_width(look.fonts.mono, widest);
  const float bits_width =
      reg.bits.empty() ? 0 : text_width(look.fonts.mono, reg.bits) + 0.7f * look.em;
  const bool chosen = is_selected(ws.selection, reg);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float first = ImGui::GetCursorPosX();
  const float top = ImGui::GetCursorPosY();
  const float height = look.fonts.mono.size * 1.3f;
  if (ImGui::InvisibleButton(fmt::format("##{}", reg.name).c_str(),
                             ImVec2(name_width + bits_width, height))) {
    if (reg.operand == 'E')  // the map of metadata, as `e` shows it
      search(ws, fmt::format("E selector {} lane {}", ws.shown()->selector, reg.thread));
    else if (reg.operand == 'S' || reg.operand == 'T')
      search(ws, scale_search(*ws.shown(), reg.operand, reg.thread));
    else
      ws.selection = {Picked::reg, reg.operand, {}, reg.thread, reg.index, -1};
  }
  probe(ws, fmt::format("register {}", reg.name));
  const Rgb ink = chosen                   ? look.theme.accent
                  : ImGui::IsItemHovered() ? look.theme.text
                                           : look.theme.dim;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float text_top = at.y + (height - look.fonts.mono.size) / 2;
  text_at(draw, look.fonts.mono, ImVec2(at.x, text_top), ink, row_name(in, reg));
  probe(ws, fmt::format("register {}: {}", reg.name, row_name(in, reg)));
  if (!reg.bits.empty())
    text_at(draw, look.fonts.mono, ImVec2(at.x + name_width, text_top),
            chosen ? look.theme.accent : look.theme.text, reg.bits);
  // Parts in columns of equal width, highest last as the hex digits read from the right; no wider
  // than the longest value wants: what belongs together stands together.
  const int per_row = std::clamp<int>(static_cast<int>(reg.parts.size()), 1, 2);
  const float part_width = std::min((width - name_width - bits_width) / static_cast<float>(per_row),
                                    (per_row == 1 ? 16.0f : 11.0f) * look.em);
  for (std::size_t part = 0; part < reg.parts.size(); ++part) {
    const auto column = static_cast<float>(static_cast<int>(part) % per_row);
    const auto line = static_cast<float>(static_cast<int>(part) / per_row);
    ImGui::SetCursorPos(
        ImVec2(first + name_width + bits_width + column * part_width, top + line * height));
    part_cell(ws, look, reg, reg.parts[part], part_width);
  }
  for (std::size_t line = 0; line < reg.notes.size(); ++line) {
    const ImVec2 place(at.x + name_width + bits_width,
                       text_top + static_cast<float>(line) * height);
    text_at(draw, look.fonts.mono, place, look.theme.dim,
            fitted(look.fonts.mono, reg.notes[line], width - name_width - bits_width));
    if (line > 0) ImGui::Dummy(ImVec2(1, height));
  }
}

// Whether a row at the cursor is in sight, not cut.
bool whole_in_sight(const Look& look) {
  const ImDrawList* draw = ImGui::GetWindowDrawList();
  const float top = ImGui::GetCursorScreenPos().y;
  return top >= draw->GetClipRectMin().y &&
         top + look.fonts.mono.size * 1.3f <= draw->GetClipRectMax().y;
}

}  // namespace

void draw_registers(Workspace& ws, const Multiplication& in, const Look& look, bool card) {
  const int thread = ws.selection.thread >= 0 ? ws.selection.thread : ws.hover_lane;
  if (thread < 0) return;
  text(look.fonts.strong, look.theme.text,
       in.tensor != nullptr ? "Tensor memory, " + holder_name(in, thread)
                            : "Registers of " + holder_name(in, thread));
  ImGui::SameLine(0, 0.6f * look.em);
  const char* const whole = "row,col value, low bits first";
  const float left = ImGui::GetContentRegionAvail().x + 0.6f * look.em;  // into the panel's edge
  const bool fits = text_width(look.fonts.text, whole) <= left;
  text(look.fonts.text, look.theme.faint, fits ? whole : "row,col value");
  probe(ws, fits ? "low bits first" : "row,col value");
  const ImVec2 room = card ? room_to_edges(look) : ImGui::GetContentRegionAvail();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  // The heading stays where it is; the rows are scrolled below it.
  begin_child("rows", room, false, ImGuiWindowFlags_NoNav);
  // A warpgroup's lane has more registers than the panel has lines: a new selection comes into
  // view.
  const int chosen = ws.selection.register_index < 0
                         ? -1
                         : ws.selection.operand * 1000 + ws.selection.register_index;
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID seen = ImGui::GetID("chosen");
  const bool is_new = chosen >= 0 && storage->GetInt(seen, -1) != chosen;
  storage->SetInt(seen, chosen);
  char operand = 0;
  const bool some = std::any_of(kOperands.begin(), kOperands.end(),
                                [&](char o) { return in.fragment(o) != nullptr; });
  for (const RegisterFacts& reg : lane_registers(in, thread)) {
    if (some && operand_index(reg.operand) >= 0 &&
        in.fragment(reg.operand) == nullptr) {  // a map, but no bits in this trace
      if (reg.operand == operand) continue;
      if (operand != 0) ImGui::Dummy(ImVec2(1, 0.35f * look.em));
      operand = reg.operand;
      text(look.fonts.text, look.theme.dim,
           fmt::format(
               "{} is not in the trace{}", operand,
               in.threads() > 32 && operand == 'A' ? ": from shared memory, or not recorded" : ""),
           ImGui::GetContentRegionAvail().x);
      continue;
    }
    if (reg.operand != operand && operand != 0) ImGui::Dummy(ImVec2(1, 0.35f * look.em));
    operand = reg.operand;
    if (is_new && is_selected(ws.selection, reg) && !whole_in_sight(look)) ImGui::SetScrollHereY();
    ImGui::PushID(reg.name.c_str());
    register_row(ws, in, look, reg);
    ImGui::PopID();
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::viz
