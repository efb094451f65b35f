// SPDX-License-Identifier: MIT
// Back to what was looked at before, and forward again. What was looked at is a page, what is shown
// on it and what is selected there; how it is labelled and how large it is stays as it is.
#include <array>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr std::size_t kMostVisits = 500;
constexpr double kOneMove_s = 1;  // arrows that follow each other so fast are one move

Visit visit_of(const Workspace& ws) {
  Visit v;
  v.page = ws.page;
  if (ws.page == Page::trace || ws.page == Page::entry) {
    v.current = ws.current;
    v.selection = ws.selection;
    v.operand = ws.map.operand;
    v.selector = ws.map.selector;
    v.pick = ws.map.pick;
  }
  if (ws.page == Page::trace) {
    v.shows = ws.shows;
    v.tile = ws.memory.current;
    v.tile_row = ws.memory.row;
    v.tile_col = ws.memory.col;
    v.reading = ws.memory.reading;
    v.warp = ws.steps.place.warp;
    v.item = ws.steps.place.item;
    v.row = ws.pipeline.row;
    v.span = ws.pipeline.span;
  } else if (ws.page == Page::entry) {
    v.entry = ws.atlas.entry;
  } else if (ws.page == Page::swizzle) {
    v.swizzle = ws.swizzle.form;
    v.cute = ws.swizzle.cute;
    v.row = ws.swizzle.mn;
    v.span = ws.swizzle.k;
  } else if (ws.page == Page::descriptor) {
    v.descriptor = ws.descriptor.form;
    v.row = ws.descriptor.row;
    v.span = ws.descriptor.col;
  } else if (ws.page == Page::compare) {
    v.current = ws.compare.current;
    v.row = ws.compare.row;
    v.span = ws.compare.col;
  }
  return v;
}

// The same thing in another place of it.
bool same_view(const Visit& a, const Visit& b) {
  return a.page == b.page && a.shows == b.shows && a.current == b.current && a.entry == b.entry &&
         a.operand == b.operand && a.tile == b.tile && a.reading == b.reading && a.warp == b.warp;
}

void go(Workspace& ws, const Visit& v) {
  if (v.page == Page::entry)
    open_entry(ws, v.entry);
  else
    go_to(ws, v.page);
  if (v.page == Page::trace) {
    show(ws, v.shows);
    if (!ws.memory.tiles.empty()) choose_tile(ws, v.tile), read_through(ws, v.reading);
    ws.memory.row = v.tile_row;
    ws.memory.col = v.tile_col;
    ws.memory.reveal = true;
    ws.steps.place = {v.warp, v.item, {}};
    ws.steps.reveal = true;
    ws.pipeline.row = v.row;
    ws.pipeline.span = v.span;
    ws.pipeline.reveal = true;
  }
  if (v.page == Page::trace || v.page == Page::entry) {
    show_multiplication(ws, v.current);
    ws.map = {};
    ws.map.operand = v.operand;
    ws.map.selector = v.selector;
    ws.map.pick = v.pick;
    ws.selection = v.selection;
  } else if (v.page == Page::swizzle) {
    ws.swizzle.form = v.swizzle;
    ws.swizzle.cute = v.cute;
    ws.swizzle.mn = v.row;
    ws.swizzle.k = v.span;
    ws.swizzle.reveal = true;
  } else if (v.page == Page::descriptor) {
    ws.descriptor.form = v.descriptor;
    ws.descriptor.tcgen05.bits = tcgen05_bits(v.descriptor);
    ws.descriptor.row = v.row;
    ws.descriptor.col = v.span;
    ws.descriptor.reveal = true;
  } else if (v.page == Page::compare) {
    // Both may have been read again since: there may be fewer differences, and of other shapes.
    CompareState& c = ws.compare;
    if (v.current != c.current && v.current < c.made.all.size()) show_difference(ws, v.current);
    if (v.current == c.current && v.row < c.shown.rows && v.span < c.shown.cols)
      c.row = v.row, c.col = v.span;
    c.reveal = true;
  }
  ws.reveal = true;
  ws.search[0] = '\0';  // its words were of what was shown then
  say(ws, {});
}

}  // namespace

void show_model_again(Workspace& ws, Model model) {
  const Visit was = visit_of(ws);
  const MemoryState memory = std::move(ws.memory);
  const float zoom = ws.zoom;
  const char result = ws.result;
  const TextTab tab = ws.tab;
  const bool reading = ws.reading;
  const int ticks = ws.pipeline.copy_ticks;
  const float pipeline_zoom = ws.pipeline.zoom;
  const double now = ws.pipeline.now;
  const bool bits = ws.steps.bits;
  show_model(ws, std::move(model), std::string(ws.trace_path));
  // What the trace no longer has is given up, as where another product is shown.
  show(ws, was.shows);
  ws.selection = was.selection;
  ws.map = {};
  ws.map.operand = was.operand;
  ws.map.selector = was.selector;
  ws.map.pick = was.pick;
  const std::size_t count = ws.model.multiplications.size();
  show_multiplication(ws, was.current < count ? was.current : 0);
  if (count == 0) ws.selection = {}, ws.map = {};
  MemoryState& m = ws.memory;
  m.label = memory.label;
  m.row = memory.row, m.col = memory.col;
  if (!m.tiles.empty()) {
    choose_tile(ws, memory.current < m.tiles.size() ? memory.current : 0);
    if (can_be_swizzled(*tile_shown(m, 0))) m.reading = memory.reading;
  }
  show_beside(ws, memory.beside);
  if (m.beside >= 0) m.beside_reading = memory.beside_reading;
  const auto warp = static_cast<std::size_t>(was.warp);
  if (warp < ws.steps.list.warps.size() && was.item >= 0 &&
      static_cast<std::size_t>(was.item) < ws.steps.list.warps[warp].items.size())
    ws.steps.place = {was.warp, was.item, {}};
  ws.steps.bits = bits;
  if (ticks != ws.pipeline.copy_ticks) set_copy_ticks(ws, ticks);
  PipelineState& p = ws.pipeline;
  p.zoom = pipeline_zoom;
  if (now <= p.made.end) p.now = now;
  if (was.row < static_cast<int>(p.made.warps.size() + p.made.stages.size()) && was.row >= 0) {
    const PipelinePlace place = moved(p.made, {was.row, was.span}, 0, 0);
    p.row = place.row, p.span = place.span;
  }
  ws.zoom = zoom;
  ws.result = result;
  ws.tab = tab;
  ws.reading = reading;
  ws.reveal = m.reveal = ws.steps.reveal = true;
  say(ws, {});
}

void forget_comparison(Workspace& ws) {
  History& h = ws.history;
  std::vector<Visit> kept;
  std::size_t at = 0;
  for (std::size_t k = 0; k < h.all.size(); ++k) {
    if (h.all[k].page == Page::compare) continue;
    if (k <= h.at) at = kept.size();
    kept.push_back(h.all[k]);
  }
  h.all = std::move(kept);
  h.at = at;
}

void note_visit(Workspace& ws) {
  History& h = ws.history;
  const double now = ImGui::GetTime();
  const Visit v = visit_of(ws);
  if (h.all.empty()) {
    h.all.push_back(v);
    h.at = 0;
    return;
  }
  Visit& last = h.all[h.at];
  if (v == last) return;
  const bool clicked = ImGui::IsMouseClicked(0) || ImGui::IsMouseReleased(0);
  const bool one_move = !clicked && (now - h.changed < kOneMove_s || ws.play.on);
  h.all.resize(h.at + 1);
  if (one_move && h.moving && same_view(last, v)) {
    h.all[h.at] = v;
  } else {
    h.moving = same_view(last, v) && !clicked;
    h.all.push_back(v);
    if (h.all.size() > kMostVisits) h.all.erase(h.all.begin());
    h.at = h.all.size() - 1;
  }
  h.changed = now;
}

bool can_go_back(const Workspace& ws, int by) {
  const History& h = ws.history;
  const auto to = static_cast<std::ptrdiff_t>(h.at) + by;
  return to >= 0 && to < static_cast<std::ptrdiff_t>(h.all.size());
}

void go_back(Workspace& ws, int by) {
  History& h = ws.history;
  if (!can_go_back(ws, by))
    return say(ws, by < 0 ? "nothing was looked at before" : "nothing was looked at later");
  h.at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(h.at) + by);
  h.moving = false;
  go(ws, h.all[h.at]);
  h.all[h.at] = visit_of(ws);
}

float draw_history_buttons(Workspace& ws, const Look& look, float left, float top) {
  const ImVec2 size(1.4f * look.em, 1.75f * look.em);
  const float half = 0.42f * look.em;
  for (const int by : {-1, 1}) {
    const char* name = by < 0 ? "history back" : "history forward";
    const bool there = can_go_back(ws, by);
    ImGui::SetCursorPos(ImVec2(left, top));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(name, size);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (there && ImGui::IsItemHovered())
      draw->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), colour(look.theme.raised),
                          0.28f * look.em);
    // An arrow's head, drawn: as bold as the words beside it, whatever the font has.
    const float middle = at.y + size.y / 2;
    const float tip = at.x + size.x / 2 + static_cast<float>(by) * half / 2;
    const float base = tip - static_cast<float>(by) * half;
    const std::array<ImVec2, 3> head{ImVec2(base, middle - half), ImVec2(tip, middle),
                                     ImVec2(base, middle + half)};
    draw->AddPolyline(head.data(), 3, colour(there ? look.theme.text : look.theme.border), 0,
                      0.13f * look.em);
    probe(ws, name);
    if (clicked && there) go_back(ws, by);
    left += size.x;
  }
  return left + 0.4f * look.em;
}

}  // namespace lanescope::viz
