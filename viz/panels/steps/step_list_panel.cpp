// SPDX-License-Identifier: MIT
// The steps of a warp: a bar to scrub through them, and the list of its instructions. What the
// chosen one wrote and read is in step_panel.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/steps/step_search.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::viz {

const StepWarp& warp_now(const StepsState& s) {
  return s.list.warps[static_cast<std::size_t>(s.place.warp)];
}
const StepItem& item_now(const StepsState& s) {
  return warp_now(s).items[static_cast<std::size_t>(s.place.item)];
}

void choose_step(Workspace& ws, int item) {
  ws.steps.place.item = item;
  ws.message.clear();
}

void choose_warp(Workspace& ws, int warp) {
  ws.steps.place = counterpart(ws.steps.list, ws.steps.place, warp);
  ws.steps.reveal = true;
  ws.message.clear();
}

void draw_scrub(Workspace& ws, const Look& look) {
  StepsState& s = ws.steps;
  const Theme& t = look.theme;
  const StepWarp& warp = warp_now(s);
  const int count = static_cast<int>(warp.items.size());
  ImGui::AlignTextToFramePadding();
  if (s.list.warps.size() == 1) {
    text(look.fonts.strong, t.text, name_of(warp));
  } else {
    push_font(look.fonts.text);
    ImGui::SetNextItemWidth(11 * look.em);
    const bool open = ImGui::BeginCombo("##warp", name_of(warp).c_str());
    probe(ws, "warp choice");
    if (open) {
      for (std::size_t at = 0; at < s.list.warps.size(); ++at) {
        if (ImGui::Selectable(name_of(s.list.warps[at]).c_str(),
                              static_cast<int>(at) == s.place.warp))
          choose_warp(ws, static_cast<int>(at));
        probe(ws, fmt::format("warp choice {}", at));
      }
      ImGui::EndCombo();
    }
    ImGui::PopFont();
  }
  ImGui::SameLine(0, 0.8f * look.em);
  draw_play_button(ws, look);
  ImGui::SameLine(0, 0.8f * look.em);
  const std::string counter =
      fmt::format("step {} of {}", item_now(s).step->step, warp.items.back().step->step);
  const std::string widest = fmt::format("step {0} of {0}", warp.items.back().step->step);
  const float words = text_width(look.fonts.mono, widest) + 0.8f * look.em;
  const float width = std::max(ImGui::GetContentRegionAvail().x - words, 4 * look.em);
  const float height = 1.75f * look.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("scrub", ImVec2(width, height));
  probe(ws, "scrub");
  if (ImGui::IsItemActive()) {
    const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x) / width, 0.0f, 1.0f);
    const int item = std::min(static_cast<int>(share * static_cast<float>(count)), count - 1);
    if (item != s.place.item) choose_step(ws, item), s.reveal = true;
  }
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float middle = at.y + height / 2;
  const float share =
      count < 2 ? 0 : static_cast<float>(s.place.item) / static_cast<float>(count - 1);
  const float knob = at.x + share * width;
  const float thick = 0.22f * look.em;
  draw->AddRectFilled(ImVec2(at.x, middle - thick / 2), ImVec2(at.x + width, middle + thick / 2),
                      colour(t.border), thick / 2);
  draw->AddRectFilled(ImVec2(at.x, middle - thick / 2), ImVec2(knob, middle + thick / 2),
                      colour(t.link), thick / 2);
  draw->AddCircleFilled(ImVec2(knob, middle), 0.5f * look.em, colour(t.accent));
  ImGui::SameLine(0, 0.8f * look.em);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.mono, t.dim, counter);
}

namespace {

// How the lines of the list stand: numbers, ":38" of the source, the instruction.
struct ListColumns {
  float height = 0, numbers = 0, lines = 0;
};

bool is_reported(const StepItem& item) { return item.said != nullptr || item.against != nullptr; }

// A triangle, which is not told from a conflict's circle by its colour: full at what a report is
// about, hollow at the access that came first.
void report_mark(Workspace& ws, const Look& look, const StepItem& item, int at, ImVec2 right) {
  const float half = 0.34f * look.em;
  const ImVec2 top(right.x - half, right.y - half), low(right.x, right.y + half),
      left(right.x - 2 * half, right.y + half);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (item.said != nullptr)
    draw->AddTriangleFilled(top, low, left, colour(look.theme.bad));
  else
    draw->AddTriangle(top, low, left, colour(look.theme.bad), std::max(1.5f, 0.1f * look.em));
  if (ws.probes != nullptr)
    probe(ws, fmt::format("{} {}", item.said != nullptr ? "said" : "against", at),
          {left.x, top.y, 2 * half, 2 * half});
}

// A ring, around the circle where there is a conflict, too.
void sectors_mark(Workspace& ws, const Look& look, int at, ImVec2 middle) {
  const float radius = 0.4f * look.em;
  ImGui::GetWindowDrawList()->AddCircle(middle, radius, colour(look.theme.bad), 0,
                                        std::max(1.5f, 0.1f * look.em));
  if (ws.probes != nullptr)
    probe(ws, fmt::format("sectors {}", at),
          {middle.x - radius, middle.y - radius, 2 * radius, 2 * radius});
}

void step_line(Workspace& ws, const Look& look, const ListColumns& columns, int at) {
  const StepsState& s = ws.steps;
  const Theme& t = look.theme;
  const Font& mono = look.fonts.mono;
  const StepItem& item = warp_now(s).items[static_cast<std::size_t>(at)];
  const trace::Step& step = *item.step;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushID(at);
  if (ImGui::InvisibleButton("step", ImVec2(std::max(width, 1.0f), columns.height)))
    choose_step(ws, at);
  const bool hovered = ImGui::IsItemHovered();
  probe(ws, fmt::format("step {}", at));
  ImGui::PopID();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + width, corner.y + columns.height);
  const bool chosen = at == s.place.item;
  const int line = step.source.line;
  if (chosen)
    draw->AddRectFilled(corner, end, colour(t.accent, 0.22f), 3);
  else if (hovered)
    draw->AddRectFilled(corner, end, colour(t.raised), 3);
  else if (line > 0 && line == item_now(s).step->source.line)
    draw->AddRectFilled(corner, end, colour(t.link, 0.08f));
  const float top = std::round(corner.y + (columns.height - mono.size) / 2);
  const std::string number = fmt::format("{}", step.step);
  text_at(draw, mono, ImVec2(corner.x + columns.numbers - text_width(mono, number + " "), top),
          chosen ? t.text : t.faint, number);
  if (line > 0)
    text_at(draw, mono, ImVec2(corner.x + columns.numbers, top), chosen ? t.text : t.link,
            fmt::format(":{}", line));
  const float left = corner.x + columns.numbers + columns.lines;
  const bool conflict = has_conflict(item.access);
  // The writers are of the warp that was shown last: of another one only a frame later.
  const bool loses = s.reads_warp == s.place.warp && loses_sectors(warp_now(s), s.writers, at);
  const float dot = (conflict || loses ? 1.2f : 0.3f) * look.em;
  const float mark = dot + (is_reported(item) ? 0.9f * look.em : 0);
  // A wgmma has hundreds of characters: only as many are measured as could stand here.
  const float room = std::max(end.x - mark - left, 0.0f);
  const auto most = static_cast<std::size_t>(room / text_width(mono, "0")) + 2;
  const std::string shown = shortened(mono, trace::plain_ptx(step.ptx).substr(0, most), room);
  text_at(draw, mono, ImVec2(left, top), chosen ? t.text : t.dim, shown);
  probe(ws, fmt::format("shown {}: {}", at, shown), {});
  if (conflict)
    draw->AddCircleFilled(ImVec2(end.x - 0.6f * look.em, corner.y + columns.height / 2),
                          0.28f * look.em, colour(t.bad));
  if (loses)
    sectors_mark(ws, look, at, ImVec2(end.x - 0.6f * look.em, corner.y + columns.height / 2));
  if (is_reported(item))
    report_mark(ws, look, item, at, ImVec2(end.x - dot, corner.y + columns.height / 2));
}

}  // namespace

void draw_step_list(Workspace& ws, const Look& look) {
  StepsState& s = ws.steps;
  const StepWarp& warp = warp_now(s);
  const Font& mono = look.fonts.mono;
  const ListColumns columns{std::floor(mono.size * 1.4f),
                            text_width(mono, fmt::format("{} ", warp.items.back().step->step)),
                            text_width(mono, ":0000 ")};
  begin_child("list", room_to_edges(look), false, ImGuiWindowFlags_NoNav);
  const float top = columns.height * static_cast<float>(s.place.item);
  const float room = ImGui::GetWindowHeight(), before = s.list_room;
  // What was in sight stays there in a window that has become lower.
  if (room < before && top >= ImGui::GetScrollY() && top < ImGui::GetScrollY() + before)
    s.reveal = true;
  s.list_room = room;
  if (s.reveal) {
    s.reveal = false;
    if (top < ImGui::GetScrollY() + columns.height ||
        top + 2 * columns.height > ImGui::GetScrollY() + room)
      ImGui::SetScrollY(columns.height *
                        std::floor(std::max(0.0f, top - room * 0.4f) / columns.height));
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(warp.items.size()), columns.height);
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at)
      step_line(ws, look, columns, at);
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace lanescope::viz
