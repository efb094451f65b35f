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

namespace lanescope::viz {
namespace {

void copy_selection(Workspace& ws, const Multiplication& in) {
  std::string words = selection_text(ws.about(), in, ws.selection);
  if (ws.page == Page::trace) words += way_text(ws.steps.list, shown_way(ws, in));
  ws.message_is_error = words.empty();
  ws.message = words.empty()
                   ? fmt::format("nothing is selected: click a cell or a {} first", holder_word(in))
                   : "copied: " + words_of(ws.selection, in);
  if (!words.empty()) ImGui::SetClipboardText(words.c_str());
}

void select(Workspace& ws, const Selection& selection) {
  ws.selection = selection;
  ws.reveal = true;
  ws.message.clear();
}

void escape(Workspace& ws) {
  if (ws.show_keys)
    ws.show_keys = false;
  else if (ws.show_traces)
    ws.show_traces = false;
  else if (ws.reading)
    ws.reading = false;
  else {
    ws.selection = {};
    ws.memory.row = ws.memory.col = -1;
    ws.pipeline.row = ws.pipeline.span = -1;
    ws.pipeline.now = -1;
    ws.steps.lane = -1;
    ws.steps.lane_words.clear();
    ws.steps.lane_register.clear();
    ws.search[0] = '\0';
  }
  ws.message.clear();
}

// The words beside the picture, and how wide they are.
void words_keys(Workspace& ws) {
  if (pressed(Key::page_down)) ws.scroll_words = 0.85f;
  if (pressed(Key::page_up)) ws.scroll_words = -0.85f;
  if (typed('w')) {
    const bool from_registers = ws.registers_tab && ws.registers_shown;
    const bool to_registers = ws.registers_tab && !from_registers && ws.tab == TextTab::trace;
    ws.registers_shown = to_registers || (ws.registers_shown && !ws.registers_tab);
    if (from_registers)
      ws.tab = TextTab::lesson;
    else if (!to_registers)
      ws.tab = static_cast<TextTab>((static_cast<int>(ws.tab) + 1) % 3);
  }
  if (typed('W')) ws.reading = !ws.reading;
  constexpr float kStep = 2;  // em
  if (typed('<')) ws.wider = std::min(ws.wider + kStep, kMostWider);
  if (typed('>')) ws.wider = std::max(ws.wider - kStep, -kMostWider);
}

void traces_keys(Workspace& ws) {
  const int last = static_cast<int>(ws.traces.size()) - 1;
  const int by = (pressed(Key::down) ? 1 : 0) - (pressed(Key::up) ? 1 : 0);
  if (by != 0) {
    ws.trace_row = std::clamp(ws.trace_row + by, 0, std::max(last, 0));
    ws.reveal_trace = true;
  }
  const bool beside = typed('=') && ws.has_trace();
  if ((!pressed(Key::enter, false) && !beside) || last < 0) return;
  std::string& request = beside ? ws.compare_request : ws.open_request;
  request = ws.traces[static_cast<std::size_t>(std::min(ws.trace_row, last))].path;
  ws.show_traces = false;
}

// What of a trace is shown, and which of its products: also where one sees metadata or scales.
void product_keys(Workspace& ws) {
  constexpr std::array<std::pair<char, Shows>, 4> kViews{
      {{'f', Shows::fragments}, {'m', Shows::memory}, {'i', Shows::steps}, {'p', Shows::pipeline}}};
  for (const auto& [key, shows] : kViews)
    if (ws.page == Page::trace && typed(static_cast<char32_t>(key))) look_at(ws, shows);
  if (ws.page == Page::trace && typed(' ')) toggle_play(ws);
  if (ws.page == Page::trace && typed(',')) change_pace(ws, -1);
  if (ws.page == Page::trace && typed('.')) change_pace(ws, 1);
  if (ws.shown() == nullptr) return;
  if (typed('[') && ws.current > 0) show_multiplication(ws, ws.current - 1);
  if (typed(']')) show_multiplication(ws, ws.current + 1);
}

}  // namespace

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
    s.no_way = s.way.stops.empty() ? why_no_way(ws.model, s.list, in, ws.selection,
                                                recorder_of_steps(ws) + " records them")
                                   : "";
    s.way_of = &in;
    s.way_selection = ws.selection;
  }
  return s.way;
}

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
  } else if (const auto* step = std::get_if<trace::Step>(&wanted)) {
    show(ws, Shows::steps);
    for (std::size_t w = 0; w < ws.steps.list.warps.size(); ++w)
      for (std::size_t k = 0; k < ws.steps.list.warps[w].items.size(); ++k)
        if (ws.steps.list.warps[w].items[k].step == step)
          ws.steps.place = {static_cast<int>(w), static_cast<int>(k), {}};
    return;
  }
  if (!words.empty()) search(ws, words);
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

void handle_keys(Workspace& ws) {
  const ImGuiIO& io = ImGui::GetIO();
  if (handle_ring_keys(ws)) return;
  if (ws.quiz.open) return;  // it has the keyboard to itself
  const bool covered = ws.show_keys || ws.show_traces;
  if (io.KeyCtrl && io.KeyShift && pressed(Key::c, false) && !covered) return copy_link(ws);
  // With AltGr, which is an Alt, brackets are typed: the arrows alone are ours.
  const int by = (pressed(Key::right, false) ? 1 : 0) - (pressed(Key::left, false) ? 1 : 0);
  if (io.KeyAlt && by != 0 && !covered) return go_back(ws, by);
  if (typed('q') && !covered) return open_quiz(ws);
  if (!covered) words_keys(ws);
  const bool done = handle_page_keys(ws);
  if (!done && (ws.page != Page::entry || covered) && pressed(Key::escape, false)) escape(ws);
  // One sheet at a time: they would lie over each other.
  if (typed('?')) ws.show_traces = false, ws.show_keys = !ws.show_keys;
  if (typed('o')) ws.show_keys = false, ws.show_traces = !ws.show_traces;
  if (typed('t')) ws.dark = !ws.dark, ws.theme_changed = true;
  if (ws.show_traces && covered) traces_keys(ws);
  if (ws.show_keys || ws.show_traces) return;  // they lie over what the other keys are for
  if (ws.page == Page::trace || ws.page == Page::entry) product_keys(ws);
  if (done) return;
  if (ws.page == Page::trace && ws.shows != Shows::fragments) return handle_view_keys(ws);
  const Multiplication* in = ws.shown();
  if (in == nullptr) return;
  if (typed('/')) ws.focus_search = true;
  if (io.KeyCtrl && pressed(Key::c, false)) copy_selection(ws, *in);
  const auto step = [&](Key key, int rows, int cols) {
    const bool on_side =
        ws.b_on_side && ws.selection.picked == Picked::element && ws.selection.operand == 'B';
    if (on_side) std::swap(rows, cols);
    if (pressed(key)) select(ws, moved(ws.selection, *in, rows, cols));
  };
  step(Key::up, -1, 0);
  step(Key::down, 1, 0);
  step(Key::left, 0, -1);
  step(Key::right, 0, 1);
  if (pressed(Key::tab) && !io.KeyCtrl)
    select(ws, next_operand(ws.selection, *in, io.KeyShift ? -1 : 1));
  constexpr std::array<char, 5> kModes{'l', 'r', 'v', 'b', '2'};
  const std::size_t modes = ws.page == Page::entry ? 2 : kModes.size();  // no run: no values
  for (std::size_t mode = 0; mode < modes; ++mode)
    if (typed(static_cast<char32_t>(kModes[mode]))) ws.labels = static_cast<LabelMode>(mode);
  if (typed('c') && in->map('C') != nullptr && in->map('D') != nullptr)
    ws.result = ws.result == 'C' ? 'D' : 'C';
  if (zoomed(ws)) ws.reveal = true;
}

namespace {
void zoom_by(Workspace& ws, float factor) { ws.zoom = std::clamp(ws.zoom * factor, 0.2f, 8.0f); }
}  // namespace

bool zoomed(Workspace& ws, bool with_0) {
  const float before = ws.zoom;
  if (typed('+')) zoom_by(ws, 1.25f);
  if (typed('-')) zoom_by(ws, 1 / 1.25f);
  if (typed('0') && with_0) ws.zoom = 1;
  return ws.zoom != before;
}

void zoom_by_wheel(Workspace& ws) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl && io.MouseWheel != 0) zoom_by(ws, std::pow(1.15f, io.MouseWheel));
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
