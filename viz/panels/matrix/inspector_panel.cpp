// SPDX-License-Identifier: MIT
// The inspector: who holds what is selected, its bits, why, what it makes, the code to paste.
// Everything it says comes from facts(); here it is only set in type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

// The bits of a register, highest first; the selected part in the lane's colour, parts set apart.
void bit_strip(const Look& look, const RegisterFacts& reg, int chosen) {
  const int bits = reg.register_bits;
  const int per_row = std::min(bits, 32);
  const int parts = static_cast<int>(reg.parts.size());
  const int part_bits = bits / std::max(parts, 1);
  const float width = ImGui::GetContentRegionAvail().x;
  const float seam = parts > 1 ? 0.3f * look.em : 0.0f;
  const int seams = parts > 1 ? per_row / part_bits - 1 : 0;
  const float cell =
      std::floor((width - seam * static_cast<float>(seams)) / static_cast<float>(per_row));
  const float height = 1.35f * look.em;
  const Font* font = nullptr;
  for (const Font& candidate : look.fonts.cell)
    if (text_width(candidate, "0") <= cell - 1.5f && candidate.size < height) font = &candidate;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (int place = 0; place < bits; ++place) {
    const int bit = bits - 1 - place;
    const int part = bit / part_bits;
    const bool lit = chosen < 0 || part == chosen;
    const float left = at.x + cell * static_cast<float>(place % per_row) +
                       seam * static_cast<float>(place % per_row / part_bits);
    const float top = at.y + (height + 2) * static_cast<float>(place / per_row);
    const Rgb fill =
        lit ? lane_colour(reg.thread, look.theme.dark,
                          (reg.pattern >> bit & 1) != 0 ? Shade::bright : Shade::normal)
            : look.theme.raised;
    draw->AddRectFilled(ImVec2(left, top), ImVec2(left + cell - 1, top + height), colour(fill),
                        1.5f);
    if (font == nullptr) continue;
    const char digit[2] = {(reg.pattern >> bit & 1) != 0 ? '1' : '0', '\0'};
    text_at(draw, *font,
            ImVec2(std::round(left + (cell - 1 - text_width(*font, digit)) / 2),
                   std::round(top + (height - font->size) / 2)),
            lit ? text_on(fill) : look.theme.faint, digit);
  }
  ImGui::Dummy(ImVec2(width, (height + 2) * static_cast<float>((bits + 31) / 32)));
}

void one_register(const Look& look, const Multiplication& in, const Facts& facts, bool run) {
  const RegisterFacts& reg = facts.registers[0];
  const std::string name = in.tensor != nullptr ? std::string("what tcgen05.ld brought of it")
                                                : fmt::format("register {} of {}", reg.name,
                                                              holder_name(in, reg.thread));
  const float room = ImGui::GetContentRegionAvail().x;
  section(look, name.c_str());
  if (reg.bits.empty()) {
    text(look.fonts.text, look.theme.dim,
         run ? "its bits are not in this trace" : "no run, no bits: this is the map alone");
  } else {
    // Beside the heading, or below it where there is no room.
    const float both =
        text_width(look.fonts.text, name) + text_width(look.fonts.mono, reg.bits) + 0.8f * look.em;
    if (both <= room) ImGui::SameLine(0, 0.8f * look.em);
    text(look.fonts.mono, look.theme.text, reg.bits);
    bit_strip(look, reg, facts.part);
  }
  gap(look, 0.1f);
  for (std::size_t at = reg.parts.size(); at-- > 0;) {
    const Part& part = reg.parts[at];
    const bool chosen = facts.part < 0 || static_cast<std::size_t>(facts.part) == at;
    text(look.fonts.mono, chosen ? look.theme.text : look.theme.faint,
         fmt::format("{}{}{}", part.label.empty() ? "" : fmt::format("{:<2} ", part.label),
                     part.name,
                     part.bits.empty() ? "" : fmt::format("  {} = {}", part.bits, part.value)));
  }
}

// The way to the instruction that wrote the register, where the steps are recorded.
void written(Workspace& ws, const Multiplication& in, const Look& look, const Facts& facts) {
  const RegisterFacts& reg = facts.registers[0];
  const trace::Fragment* data = in.fragment(reg.operand);
  StepsState& s = ws.steps;
  if (ws.page != Page::trace || s.list.empty() || data == nullptr) return;
  if (s.written_of != data || s.written_thread != reg.thread || s.written_register != reg.index) {
    s.written = register_step(s.list, in, reg.operand, reg.thread, reg.index).place;
    s.written_of = data;
    s.written_thread = reg.thread;
    s.written_register = reg.index;
  }
  if (s.written.item < 0 || has_stop_at(shown_way(ws, in), s.written)) return;
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "written by");
  // A long name has the next line to itself, and that is what it has.
  const std::string name = step_name(s.list, s.written);
  const float margin = 1.3f * look.em;
  ImGui::SameLine(0, 0.5f * look.em);
  if (text_width(look.fonts.text, name) + margin > ImGui::GetContentRegionAvail().x)
    ImGui::NewLine();
  const float room = ImGui::GetContentRegionAvail().x - margin;
  if (button(look, "written", shortened(look.fonts.text, name, room))) {
    s.place = s.written;
    s.lane = in.tensor != nullptr ? in.tensor->at(reg.thread, reg.index).lane : reg.thread % 32;
    show(ws, Shows::steps);
  }
  probe(ws, "written");
}

void code(Workspace& ws, const Look& look, const Facts& facts) {
  section(look, "C++");
  const std::string label = "copy";
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - text_width(look.fonts.text, label));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("copy code",
                             ImVec2(text_width(look.fonts.text, label) + 2, 1.2f * look.em))) {
    std::string all;
    for (const std::string& line : facts.code) all += line + "\n";
    ImGui::SetClipboardText(all.c_str());
    ws.message = "the code is on the clipboard";
    ws.message_is_error = false;
  }
  probe(ws, "copy code");
  text_at(ImGui::GetWindowDrawList(), look.fonts.text, at,
          ImGui::IsItemHovered() ? look.theme.text : look.theme.link, label);
  mono_lines(look, facts.code, look.theme.code);
}

// What a block-scaled element is multiplied by: a click leads into the map of scales.
void scale(Workspace& ws, const Look& look, const Facts& facts) {
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "its scale");
  ImGui::SameLine(0, 0.5f * look.em);
  const float room = ImGui::GetContentRegionAvail().x - 1.3f * look.em;
  if (button(look, "scale", shortened(look.fonts.text, facts.scale, room)))
    search(ws, facts.scale_search);
  probe(ws, "scale");
}

void title(const Look& look, const Facts& facts, int thread) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float indent = 0;
  if (thread >= 0) {
    const float side = 0.85f * look.fonts.big.size;
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(at.x, at.y + 0.18f * look.fonts.big.size),
        ImVec2(at.x + 0.3f * look.em, at.y + side + 0.18f * look.fonts.big.size),
        colour(lane_colour(thread, look.theme.dark, Shade::bright)), 2);
    indent = 0.8f * look.em;
  }
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
  text(look.fonts.big, look.theme.accent, facts.title);
  text(look.fonts.text, look.theme.text, facts.where, ImGui::GetContentRegionAvail().x);
  if (!facts.type.empty()) text(look.fonts.text, look.theme.dim, facts.type);
}

void its_way(Workspace& ws, const Multiplication& in, const Look& look) {
  const Way& way = shown_way(ws, in);
  if (way.stops.empty()) return;
  section(look, "its way");
  draw_way(ws, look, way);
}

// Why nothing, or not all of it, is known of its way.
void no_way(Workspace& ws, const Look& look) {
  const std::string& why = ws.steps.no_way;
  if (why.empty()) return;
  section(look, "its way");
  text(look.fonts.text, look.theme.dim, why, ImGui::GetContentRegionAvail().x);
  probe(ws, "no way");
}

}  // namespace

void draw_inspector(Workspace& ws, const Multiplication& in, const Look& look) {
  // Hovering D of the selected row or column makes the product concrete.
  const Facts about = facts(ws.about(), in, ws.selection, ws.hover);
  if (about.title.empty()) return draw_overview(ws, in, look);
  title(look, about, ws.selection.thread);
  if (!about.scale.empty()) scale(ws, look, about);
  if (ws.selection.picked != Picked::lane && about.registers.size() == 1)
    one_register(look, in, about, ws.page == Page::trace && ws.has_trace()),
        written(ws, in, look, about);
  if (const ShownVerdict* said = shown_verdict(ws, in)) draw_verdict(ws, look, *said);
  section(look, "why");
  mono_lines(look, about.why, look.theme.text);
  // What is this trace's own comes before what the atlas says of every product alike: a low window
  // ends below it.
  const bool told = ws.page == Page::trace && ws.has_trace() && !shows_no_run(ws);
  if (told) its_way(ws, in, look);
  if (!about.makes.empty()) {
    section(look, "makes");
    mono_lines(look, about.makes, look.theme.text);
  }
  // What it leads to belongs to what it makes.
  draw_closer(ws, in, look, about.makes.empty());
  if (!about.cute.empty()) {
    section(look, "as CuTe has it");
    mono_lines(look, about.cute, look.theme.text);
  }
  section(look, "the map is from");
  draw_standing(look, about);
  if (told) no_way(ws, look);
  if (!about.code.empty()) code(ws, look, about);
}

}  // namespace lanescope::viz
