// SPDX-License-Identifier: MIT
// The way of an element through the steps, set in type: every stop leads to its step.
#include <fmt/format.h>

#include <algorithm>

#include "panels/frame/hints.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/way/look_closer.hpp"

namespace lanescope::viz {
namespace {

void go_there(Workspace& ws, const WayStop& stop) {
  ws.steps.place = stop.place;
  ws.steps.lane = stop.lane;
  ws.steps.lane_words.clear();
  ws.steps.reveal = true;
  show(ws, Shows::steps);
}

// "step 81   what happened there": the first words are a link; whether it was clicked.
bool link_line(Workspace& ws, const Look& look, const std::string& name, const std::string& link,
               float widest, const std::string& words, const char* hint) {
  const Font& font = look.fonts.text;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(text_width(font, link), 1.2f * look.em);
  const bool clicked = ImGui::InvisibleButton(name.c_str(), size);
  probe(ws, name);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ws.hint = hint_of(hint);
  text_at(ImGui::GetWindowDrawList(), font, at, hovered ? look.theme.text : look.theme.link, link);
  ImGui::SameLine(0, 0.7f * look.em + widest - size.x);
  text(font, look.theme.text, words, ImGui::GetContentRegionAvail().x);
  return clicked;
}

}  // namespace

void draw_closer(Workspace& ws, const Multiplication& in, const Look& look, bool heading) {
  const std::vector<CloserLook> all = closer_looks(in, ws.selection);
  if (all.empty()) return;
  heading ? section(look, "look closer") : gap(look, 0.1f);
  float widest = 0;
  for (const CloserLook& one : all)
    widest = std::max(widest, text_width(look.fonts.text, one.words));
  for (std::size_t k = 0; k < all.size(); ++k)
    if (link_line(ws, look, fmt::format("closer {}", k), all[k].words, widest, all[k].text,
                  "closer"))
      search(ws, all[k].words);
}

void draw_way(Workspace& ws, const Look& look, const Way& way, const std::string& name) {
  const Font& font = look.fonts.text;
  if (!way.before.empty()) text(font, look.theme.dim, way.before, ImGui::GetContentRegionAvail().x);
  float widest = 0;
  for (const WayStop& stop : way.stops)
    widest = std::max(widest, text_width(font, place_of(ws.steps.list, stop.place)));
  ImGui::PushID(name.c_str());
  for (std::size_t k = 0; k < way.stops.size(); ++k) {
    const WayStop& stop = way.stops[k];
    const std::string place = place_of(ws.steps.list, stop.place);
    if (link_line(ws, look, fmt::format("{} {}", name, k), place, widest, stop.text, "way"))
      go_there(ws, stop);
  }
  ImGui::PopID();
}

float find_ways(Workspace& ws, const Look& look) {
  StepsState& s = ws.steps;
  if (s.lane < 0 || s.lane_register.empty()) return 0;
  const std::string of = fmt::format("{} {} {} {} {}", s.place.warp, s.place.item, s.lane_register,
                                     s.lane_written, s.lane);
  if (s.ways_of != of)
    s.ways = ways_of(ws.model.trace, s.list, s.place, s.lane_written, s.lane_register, s.lane);
  s.ways_of = of;
  float lines = 0;
  for (const Way& way : s.ways)
    if (!way.stops.empty()) lines += 1.8f + 2.1f * static_cast<float>(way.stops.size());
  return lines * 1.25f * look.em;
}

void draw_ways(Workspace& ws, const Look& look) {
  const StepsState& s = ws.steps;
  for (std::size_t k = 0; k < s.ways.size(); ++k) {
    if (s.ways[k].stops.empty()) continue;
    const char* half = s.ways.size() < 2 ? "" : k == 0 ? ", low half" : ", high half";
    section(look, fmt::format("its way: lane {}, {}{}", s.lane, s.lane_register, half).c_str());
    draw_way(ws, look, s.ways[k], fmt::format("way of {}", k));
  }
}

}  // namespace lanescope::viz
