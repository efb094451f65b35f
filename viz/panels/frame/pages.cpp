// SPDX-License-Identifier: MIT
// The pages: which is shown, how one gets from one to another. The page of an entry is that of a
// trace with a model that has no data. The words that each takes: page_words.cpp.
#include <algorithm>

#include "panels/panels.hpp"

namespace lanescope::viz {

void go_to(Workspace& ws, Page page) {
  if (ws.page == Page::entry && page != Page::entry) {
    ws.current = ws.kept.current;
    ws.selection = ws.kept.selection;
    ws.labels = ws.kept.labels;
    ws.result = ws.kept.result;
    ++ws.revision;
  }
  if (ws.page != page) {
    if (ws.page == Page::trace) ws.kept.zoom = ws.zoom;
    ws.zoom = page == Page::trace ? ws.kept.zoom : 1;
    ws.map = {};
    ws.hover = {};
    ws.hover_lane = -1;
    ws.search[0] = '\0';
    ws.message.clear();
    ws.message_is_error = false;
    ws.focus_search = ws.search_below = false;
  }
  ws.atlas.from_lesson = false;
  ws.page = page;
}

void open_entry(Workspace& ws, const Entry& entry) {
  if (entry.empty()) return;
  if (ws.page != Page::entry)
    ws.kept = {ws.current, ws.selection, ws.labels, ws.result,
               ws.page == Page::trace ? ws.zoom : ws.kept.zoom};
  go_to(ws, Page::entry);
  ws.zoom = 1;
  ws.atlas.entry = entry;
  ws.atlas.model = {};
  ws.map = {};
  ws.current = 0;
  ws.selection = {};
  ws.labels = LabelMode::lane;
  ws.result = 'D';
  ++ws.revision;
  if (entry.instruction == nullptr) return;
  // Lane and register take two lines in a cell: where there are too many cells, only the lane.
  const layout::Instruction& i = *entry.instruction;
  if (i.M * i.K + i.K * i.N + i.M * i.N <= 512) ws.labels = LabelMode::reg;
  ws.atlas.model = model_of(*entry.instruction);
  if (entry.instruction->D.operand != 'D') ws.result = 'C';
}

void open_atlas(Workspace& ws, std::string_view words) {
  go_to(ws, Page::atlas);
  ws.show_traces = false;
  const std::size_t count = std::min(words.size(), ws.atlas.words.size() - 1);
  std::copy_n(words.data(), count, ws.atlas.words.data());
  ws.atlas.words[count] = '\0';
  ws.atlas.filter = {std::string(words.substr(0, count)), "", "", ""};
  if (const Entry only = only_entry(ws.atlas.filter.words); !only.empty()) open_entry(ws, only);
}

MapView map_view(const Workspace& ws) {
  if (ws.page == Page::entry && ws.atlas.entry.mover != nullptr)
    return {&ws.atlas.entry.mover->registers, ws.atlas.entry.mover, nullptr, -1};
  if (ws.page != Page::trace && ws.page != Page::entry) return {};
  const Multiplication* in = ws.shown();
  if (in == nullptr || ws.map.operand == 0) return {};
  const layout::Instruction& of = ws.map.scaled != nullptr ? *ws.map.scaled : *in->instruction;
  const layout::Fragment* map = of.operand(ws.map.operand, ws.map.selector);
  if (map == nullptr || map->values == 0) return {};
  return {map, nullptr, in->instruction, ws.map.operand == 'E' ? ws.map.selector : -1};
}

void choose_scale(Workspace& ws, layout::ScaleSelector selector) {
  const Multiplication* in = ws.shown();
  if (in == nullptr || !layout::problem(*in->instruction, ws.map.operand, selector).empty()) return;
  ws.map.scale = selector;
  const auto key = std::tuple{in->instruction, selector.thread_id, selector.byte_id};
  ws.map.scaled =
      &ws.scaled.try_emplace(key, layout::with_scales(*in->instruction, selector)).first->second;
  ws.map.pick = carried_over(ws.map.pick, map_view(ws));
  ws.map.hover = {};
}

const std::vector<Entry>& found_entries(Workspace& ws) {
  AtlasState& atlas = ws.atlas;
  if (atlas.asked && atlas.asked_for == atlas.filter) return atlas.found;
  atlas.asked = true;
  atlas.asked_for = atlas.filter;
  atlas.found = entries(atlas.filter);
  atlas.near.clear();
  if (atlas.found.empty() && !atlas.filter.words.empty())
    atlas.near = near_misses(atlas.filter.words, 6);
  atlas.row = 0;
  return atlas.found;
}

}  // namespace lanescope::viz
