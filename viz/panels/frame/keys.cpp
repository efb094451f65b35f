// SPDX-License-Identifier: MIT
// What the keys of the window do, and those of a trace's fragments; other pages and views have
// theirs in page_keys.cpp, view_keys.cpp and compare_panel.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"

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
  float& scroll = ImGui::GetIO().KeyShift ? ws.scroll_facts : ws.scroll_words;
  if (pressed(Key::page_down)) scroll = 0.85f;
  if (pressed(Key::page_up)) scroll = -0.85f;
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

void zoom_by(Workspace& ws, float factor) { ws.zoom = std::clamp(ws.zoom * factor, 0.2f, 8.0f); }

}  // namespace

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

}  // namespace lanescope::viz
