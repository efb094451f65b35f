// SPDX-License-Identifier: MIT
#include "panels/frame/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/frame/hints.hpp"
#include "panels/panels.hpp"
#include "panels/steps/step_reports.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/way/look_closer.hpp"
#include "panels/way/verdicts.hpp"

namespace lanescope::viz {

void change_text_size(Workspace& ws, int steps) {
  constexpr float kStep = 1.1f;
  ws.text_scale = steps == 0 ? 1 : ws.text_scale * std::pow(kStep, static_cast<float>(steps));
  if (std::fabs(ws.text_scale - 1) < 0.01f) ws.text_scale = 1;
  ws.text_scale = std::clamp(ws.text_scale, kLeastText, kMostText);
}

bool shows_no_run(const Workspace& ws) {
  return ws.page == Page::trace && ws.shows == Shows::fragments && ws.model.multiplications.empty();
}

const Multiplication* Workspace::shown() const {
  if (page != Page::trace && page != Page::entry) return nullptr;
  if (page == Page::trace && shows != Shows::fragments) return nullptr;
  const std::vector<Multiplication>& all = about().multiplications;
  if (current < all.size()) return &all[current];
  return fallback.empty() || page == Page::entry ? nullptr : &fallback.front();
}

void show_multiplication(Workspace& ws, std::size_t index) {
  if (index >= ws.about().multiplications.size()) return;
  ws.map.scale = {};
  ws.map.scaled = nullptr;
  ws.current = index;
  if (const Multiplication* in = ws.shown()) {
    ws.selection = carried_over(ws.selection, *in);
    if (in->map('D') == nullptr) ws.result = 'C';
    if (static_cast<std::size_t>(ws.map.selector) >= in->instruction->E.size()) ws.map.selector = 0;
  }
  // Metadata or scales stay in sight where the other one has such, and what is picked there.
  const MapView view = map_view(ws);
  if (view.map == nullptr) ws.map = {};
  if (view.map != nullptr) ws.map.pick = carried_over(ws.map.pick, view), ws.map.hover = {};
  if (ws.message_is_error) say(ws, {});  // it was about the one before
}

void show_model(Workspace& ws, Model model, std::string trace_path) {
  go_to(ws, Page::trace);
  ws.map = {};
  if (ws.shows == Shows::steps && ws.tab == TextTab::source) ws.tab = TextTab::lesson;
  ws.shows = Shows::fragments;
  ws.search[0] = '\0';  // its words were of what was shown before
  ws.model = std::move(model);
  ws.memory = {};
  ws.memory.tiles = tiles_of(ws.model.trace);
  ws.memory.kernels = kernels_of(ws.model.trace, ws.memory.tiles);
  ws.steps = {};
  ws.steps.list = make_steps(ws.model.trace);
  ws.steps.place = first_said(ws.steps.list);
  if (ws.steps.place.item < 0) ws.steps.place = first_tensor(ws.steps.list);
  ws.pipeline = {};
  ws.history = {};  // it was of another trace
  ws.play.on = false;
  set_copy_ticks(ws, kUsualCopyTicks);
  ws.trace_path = std::move(trace_path);
  ws.steps_problem.clear();
  ++ws.revision;
  ws.current = 0;
  ws.selection = {};
  ws.hover = {};
  ws.hover_lane = -1;
  ws.result = 'D';
  ws.zoom = 1;
  ws.reading = false;  // the picture first, and there may be no lesson to read
  ws.show_traces = false;
  ws.message.clear();
  ws.message_is_error = false;
  show_multiplication(ws, 0);
  const std::vector<Shows> views = views_of(ws);
  if (ws.model.multiplications.empty() && views.front() == Shows::fragments) {
    ws.message = "this trace has no fragments to show";
    ws.message_is_error = true;
  } else if (const trace::View* view = ws.model.view();
             view && !view->selection.empty() && !ws.model.multiplications.empty()) {
    search(ws, view->selection);
  }
  show(ws, views.front());
  if (ws.open_event >= 0) show_event(ws, ws.open_event, ws.open_words);
  ws.open_event = -1;
  ws.open_words.clear();
}

const Way& shown_way(Workspace& ws, const Multiplication& in) {
  StepsState& s = ws.steps;
  if (s.way_of != &in || !(s.way_selection == ws.selection)) {
    s.way = way_of(ws.model.trace, s.list, in, ws.selection);
    lead_on(s.way, s.verdict.all, ws.model, s.list, static_cast<int>(ws.current), ws.selection);
    s.no_way = s.way.stops.empty() ? why_no_way(ws.model, s.list, in, ws.selection,
                                                recorder_of_steps(ws) + " records them")
                                   : "";
    s.way_of = &in;
    s.way_selection = ws.selection;
  }
  return s.way;
}

namespace {

// The step with this number, of the warp at `place`; item -1: it is not recorded.
StepPlace numbered_step(const StepList& list, const trace::Place& place, std::int64_t number) {
  for (std::size_t w = 0; w < list.warps.size(); ++w) {
    const StepWarp& warp = list.warps[w];
    if (warp.launch != place.launch || warp.block != place.block || warp.warp != place.warp)
      continue;
    for (std::size_t k = 0; k < warp.items.size(); ++k)
      if (warp.items[k].step->step == number) return {static_cast<int>(w), static_cast<int>(k), {}};
  }
  return StepPlace::none();
}

// Where the steps have an event that is neither a fragment nor a tile.
StepPlace step_of(const StepList& list, const trace::Event& event) {
  if (const auto* step = std::get_if<trace::Step>(&event))
    return numbered_step(list, step->place, step->step);
  if (const auto* access = std::get_if<trace::Access>(&event))
    return numbered_step(list, access->place, access->step);
  if (const auto* sync = std::get_if<trace::Sync>(&event))
    return numbered_step(list, sync->place, sync->step);
  if (const auto* said = std::get_if<trace::Diagnostic>(&event)) return first_of(list, *said);
  return StepPlace::none();
}

}  // namespace

void show_event(Workspace& ws, int event, const std::string& words) {
  const std::vector<trace::Event>& all = ws.model.trace.events;
  if (event < 0 || event >= static_cast<int>(all.size())) return;
  const trace::Event& wanted = all[static_cast<std::size_t>(event)];
  if (const auto* fragment = std::get_if<trace::Fragment>(&wanted)) {
    show(ws, Shows::fragments);
    for (std::size_t k = 0; k < ws.model.multiplications.size(); ++k)
      for (const trace::Fragment* data : ws.model.multiplications[k].data)
        if (data == fragment) show_multiplication(ws, k);
  } else if (const auto* tile = std::get_if<trace::Memory>(&wanted)) {
    show(ws, Shows::memory);
    for (std::size_t k = 0; k < ws.memory.tiles.size(); ++k)
      if (ws.memory.tiles[k] == tile) choose_tile(ws, k);
  } else if (!std::holds_alternative<trace::View>(wanted) &&
             !std::holds_alternative<trace::Launch>(wanted)) {
    const StepPlace place = step_of(ws.steps.list, wanted);
    if (place.item < 0) return say(ws, "its step is not recorded");
    show(ws, Shows::steps);
    ws.steps.place = place;
    ws.steps.reveal = true;
    return say(ws, {});
  }
  if (!words.empty()) search(ws, words);
}

void select(Workspace& ws, const Selection& selection) {
  ws.selection = selection;
  ws.reveal = true;
  ws.message.clear();
}

void say(Workspace& ws, std::string error) {
  ws.message_is_error = !error.empty();
  ws.message = std::move(error);
}

void show_error(Workspace& ws, std::string message) {
  ws.message = std::move(message);
  ws.message_is_error = true;
}

bool search(Workspace& ws, std::string_view words) {
  if (switch_operand(ws, words) && words.empty()) return true;
  if (ws.shown() == nullptr || map_view(ws).map != nullptr) return search_page(ws, words);
  const Multiplication* in = ws.shown();
  const Parsed parsed = parse_selection(words, *in);
  ws.message = parsed.error;
  ws.message_is_error = !parsed.ok();
  if (parsed.ok()) select(ws, parsed.selection);
  return parsed.ok();
}

void probe(Workspace& ws, const std::string& name) {
  if (ImGui::IsItemHovered())
    if (std::string hint = hint_of(name); !hint.empty()) ws.hint = std::move(hint);
  ring_item(ws, name);
  if (ws.probes == nullptr) return;
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  probe(ws, name, {low.x, low.y, high.x - low.x, high.y - low.y});
}

void probe(Workspace& ws, const std::string& name, Box box) {
  if (ws.probes != nullptr) ws.probes->boxes[name] = box;
}

}  // namespace lanescope::viz
