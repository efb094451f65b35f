// SPDX-License-Identifier: MIT
#include "panels/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// Where the panels stand, in pixels; a panel without room is left out.
struct Arrangement {
  Box bar, cross, inspector, side, status;
};

Arrangement arrange(ImVec2 size, float em, float cross_width) {
  Arrangement a;
  const float gap = 0.7f * em;
  a.bar = {0, 0, size.x, 2.9f * em};
  const float status = 2.0f * em;
  a.status = {0, size.y - status, size.x, status};
  const float top = a.bar.height + gap;
  const float height = std::max(size.y - top - status - 0.2f * em, 0.0f);
  const float inspector = std::clamp(size.x * 0.285f, 21 * em, 30 * em);
  const float side = std::clamp(size.x * 0.235f, 20 * em, 44 * em);
  const bool fits = inspector + side + 3.5f * gap + cross_width <= size.x;
  if (size.x >= 74 * em && fits) {  // cross, inspector, words side by side
    a.side = {size.x - side - gap, top, side, height};
    a.inspector = {a.side.left - inspector - gap, top, inspector, height};
    a.cross = {gap / 2, top, a.inspector.left - 1.5f * gap, height};
  } else if (size.x >= 46 * em) {  // the inspector above the words
    const float column = std::clamp(size.x * 0.38f, 19 * em, 26 * em);
    const bool both = height > 34 * em;
    const float upper = both ? height * 0.6f : height;
    a.inspector = {size.x - column - gap, top, column, upper};
    if (both) a.side = {a.inspector.left, top + upper + gap, column, height - upper - gap};
    a.cross = {gap / 2, top, a.inspector.left - 1.5f * gap, height};
  } else {  // a narrow window: the inspector below the cross
    const float lower = height > 24 * em ? height * 0.42f : 0;
    a.cross = {gap / 2, top, size.x - gap, height - lower};
    if (lower > 0)
      a.inspector = {gap, top + height - lower + gap / 2, size.x - 2 * gap, lower - gap};
  }
  return a;
}

// A panel: a child window at its place, with a card behind it unless it is the cross.
template <class Draw>
void panel(const Look& look, const char* name, const Box& box, bool card, Draw draw) {
  if (box.width < 2 * look.em || box.height < look.em) return;
  ImGui::SetCursorPos(ImVec2(std::floor(box.left), std::floor(box.top)));
  const ImVec2 size(std::floor(box.width), std::floor(box.height));
  if (card) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 to(at.x + size.x, at.y + size.y);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, to, colour(look.theme.panel), 0.45f * look.em);
    list->AddRect(at, to, colour(look.theme.border), 0.45f * look.em);
  }
  const float pad = card ? 0.95f * look.em : 0;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, 0.8f * pad));
  begin_child(name, size, card, ImGuiWindowFlags_NoNav | (card ? 0 : ImGuiWindowFlags_NoScrollbar));
  ImGui::PopStyleVar();
  draw();
  ImGui::EndChild();
}

void side(Workspace& ws, const Multiplication& in, const Look& look, const Box& box) {
  const int thread = ws.selection.thread >= 0 ? ws.selection.thread : ws.hover_lane;
  if (thread < 0 || thread >= in.threads())
    return panel(look, "words", box, true, [&] { draw_text_panel(ws, &in, look); });
  if (box.height < 34 * look.em)  // no room for both: the lane comes first
    return panel(look, "registers", box, true, [&] { draw_registers(ws, in, look); });
  // The registers take what they need, at most two thirds.
  float lines = 3.2f;
  for (const char operand : kOperands)
    if (const layout::Fragment* map = in.map(operand))
      lines +=
          static_cast<float>(map->registers() * std::max(map->values_per_register() / 2, 1)) + 0.3f;
  const float gap = 0.7f * look.em;
  const float lower = std::min(lines * look.fonts.mono.size * 1.3f, box.height * 0.66f);
  const Box above{box.left, box.top, box.width, box.height - lower - gap};
  panel(look, "words", above, true, [&] { draw_text_panel(ws, &in, look); });
  panel(look, "registers", {box.left, box.top + box.height - lower, box.width, lower}, true,
        [&] { draw_registers(ws, in, look); });
}

// The width at which the cross has readable labels.
float cross_width(Workspace& ws, const Look& look) {
  const Multiplication* in = ws.shown();
  if (in == nullptr) return 0;
  const Labels& made = labels(ws, *in);
  const float advance = text_width(look.fonts.cell[1], "0");
  const auto need = [&](char operand) {
    const layout::Fragment* map = in->map(operand);
    if (map == nullptr) return 0.0f;
    const Labels::Operand& o = made.operands[static_cast<std::size_t>(operand_index(operand))];
    const auto longest = static_cast<float>(std::max(o.longest_first, o.longest_second));
    return static_cast<float>(map->cols) * std::max(longest * advance + 3, 1.1f * look.em);
  };
  return need('A') + std::max({need('B'), need('C'), need('D')}) + 5 * look.em;
}

void strip(const Look& look, const Box& box, bool line_below) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(box.left, box.top), ImVec2(box.left + box.width, box.top + box.height),
                      colour(look.theme.panel));
  const float edge = line_below ? box.top + box.height - 1 : box.top;
  draw->AddRectFilled(ImVec2(box.left, edge), ImVec2(box.left + box.width, edge + 1),
                      colour(look.theme.border));
}

void copy_selection(Workspace& ws, const Multiplication& in) {
  const std::string words = selection_text(ws.model, in, ws.selection);
  ws.message_is_error = words.empty();
  ws.message = words.empty() ? "nothing is selected: click a cell or a lane first"
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
  else {
    ws.selection = {};
    ws.search[0] = '\0';
  }
  ws.message.clear();
}

}  // namespace

const Multiplication* Workspace::shown() const {
  if (current < model.multiplications.size()) return &model.multiplications[current];
  return fallback.empty() ? nullptr : &fallback.front();
}

void show_multiplication(Workspace& ws, std::size_t index) {
  if (index >= ws.model.multiplications.size()) return;
  ws.current = index;
  if (const Multiplication* in = ws.shown()) {
    ws.selection = carried_over(ws.selection, *in);
    if (in->map('D') == nullptr) ws.result = 'C';
  }
}

void show_model(Workspace& ws, Model model, std::string trace_path) {
  ws.model = std::move(model);
  ws.trace_path = std::move(trace_path);
  ++ws.revision;
  ws.current = 0;
  ws.selection = {};
  ws.hover = {};
  ws.hover_lane = -1;
  ws.result = 'D';
  ws.zoom = 1;
  ws.show_traces = false;
  ws.message.clear();
  ws.message_is_error = false;
  show_multiplication(ws, 0);
  if (ws.model.multiplications.empty()) {
    ws.message = "this trace has no fragments to show";
    ws.message_is_error = true;
  } else if (const trace::View* view = ws.model.view(); view && !view->selection.empty()) {
    search(ws, view->selection);
  }
}

void show_error(Workspace& ws, std::string message) {
  ws.message = std::move(message);
  ws.message_is_error = true;
}

bool search(Workspace& ws, std::string_view words) {
  const Multiplication* in = ws.shown();
  if (in == nullptr) return false;
  const Parsed parsed = parse_selection(words, *in);
  ws.message = parsed.error;
  ws.message_is_error = !parsed.ok();
  if (parsed.ok()) select(ws, parsed.selection);
  return parsed.ok();
}

void handle_keys(Workspace& ws) {
  const ImGuiIO& io = ImGui::GetIO();
  if (pressed(Key::escape, false)) escape(ws);
  if (typed('?')) ws.show_keys = !ws.show_keys;
  if (typed('o')) ws.show_traces = !ws.show_traces;
  if (typed('t')) ws.dark = !ws.dark, ws.theme_changed = true;
  const Multiplication* in = ws.shown();
  if (in == nullptr) return;
  if (typed('/')) ws.focus_search = true;
  if (io.KeyCtrl && pressed(Key::c, false)) copy_selection(ws, *in);
  const auto step = [&](Key key, int rows, int cols) {
    if (pressed(key)) select(ws, moved(ws.selection, *in, rows, cols));
  };
  step(Key::up, -1, 0);
  step(Key::down, 1, 0);
  step(Key::left, 0, -1);
  step(Key::right, 0, 1);
  if (pressed(Key::tab) && !io.KeyCtrl)
    select(ws, next_operand(ws.selection, *in, io.KeyShift ? -1 : 1));
  constexpr std::array<char, 5> kModes{'l', 'r', 'v', 'b', '2'};
  for (std::size_t mode = 0; mode < kModes.size(); ++mode)
    if (typed(static_cast<char32_t>(kModes[mode]))) ws.labels = static_cast<LabelMode>(mode);
  if (typed('c') && in->map('C') != nullptr && in->map('D') != nullptr)
    ws.result = ws.result == 'C' ? 'D' : 'C';
  if (typed('[') && ws.current > 0) show_multiplication(ws, ws.current - 1);
  if (typed(']')) show_multiplication(ws, ws.current + 1);
  if (typed('+')) ws.zoom = std::min(ws.zoom * 1.25f, 8.0f);
  if (typed('-')) ws.zoom = std::max(ws.zoom / 1.25f, 0.2f);
  if (typed('0')) ws.zoom = 1;
}

void draw_workspace(Workspace& ws, const Fonts& fonts) {
  const Look look{theme(ws.dark), fonts, fonts.text.size};
  if (ws.probes != nullptr) ws.probes->boxes.clear();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (!ws.searching && !ws.focus_search) handle_keys(ws);
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("workspace", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBackground |  // the frame was cleared with that colour
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const Arrangement a = arrange(size, look.em, cross_width(ws, look));
  strip(look, a.bar, true);
  strip(look, a.status, false);
  panel(look, "bar", a.bar, false, [&] { draw_bar(ws, look); });
  if (const Multiplication* in = ws.shown()) {
    panel(look, "matrices", a.cross, false, [&] { draw_cross(ws, *in, look); });
    panel(look, "inspector", a.inspector, true, [&] { draw_inspector(ws, *in, look); });
    side(ws, *in, look, a.side);
  } else {
    const Box whole{a.cross.left, a.cross.top, a.bar.width - 2 * a.cross.left, a.cross.height};
    panel(look, "words", whole, true, [&] { draw_text_panel(ws, nullptr, look); });
  }
  panel(look, "status", a.status, false, [&] { draw_status(ws, look); });
  ImGui::End();
  if (ws.show_traces) draw_trace_list(ws, look);
  if (ws.show_keys) draw_keys(ws, look);
}

void probe(Workspace& ws, const std::string& name) {
  if (ws.probes == nullptr) return;
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  probe(ws, name, {low.x, low.y, high.x - low.x, high.y - low.y});
}

void probe(Workspace& ws, const std::string& name, Box box) {
  if (ws.probes != nullptr) ws.probes->boxes[name] = box;
}

}  // namespace lanescope::viz
