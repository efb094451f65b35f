// SPDX-License-Identifier: MIT
// The keys and the words that memory, steps and the pipeline take.
#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/pipeline/pipeline_text.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/steps/step_text.hpp"

namespace lanescope::viz {
namespace {

void move_step(Workspace& ws, int by) {
  StepsState& s = ws.steps;
  const auto& items = s.list.warps[static_cast<std::size_t>(s.place.warp)].items;
  s.place.item = std::clamp(s.place.item + by, 0, static_cast<int>(items.size()) - 1);
  s.reveal = true;
  ws.message.clear();
}

void steps_keys(Workspace& ws) {
  StepsState& s = ws.steps;
  if (pressed(Key::down)) move_step(ws, 1);
  if (pressed(Key::up)) move_step(ws, -1);
  if (pressed(Key::right)) move_step(ws, 20);
  if (pressed(Key::left)) move_step(ws, -20);
  const int whole =
      static_cast<int>(s.list.warps[static_cast<std::size_t>(s.place.warp)].items.size());
  if (pressed(Key::home, false)) move_step(ws, -whole);
  if (pressed(Key::end, false)) move_step(ws, whole);
  if (typed('v')) s.bits = false;
  if (typed('b')) s.bits = true;
  if (typed('n') || typed('k')) search_view(ws, typed('n') ? "next tensor" : "conflict");
  if (typed('g')) search_view(ws, "sectors");
  if (typed('r')) search_view(ws, "report");
  const int warps = static_cast<int>(s.list.warps.size());
  if (pressed(Key::tab) && warps > 1) {
    const int by = ImGui::GetIO().KeyShift ? warps - 1 : 1;
    choose_warp(ws, (s.place.warp + by) % warps);
  }
}

void memory_keys(Workspace& ws) {
  MemoryState& m = ws.memory;
  const trace::Memory& tile = *m.tiles[m.current];
  const int by_row = (pressed(Key::down) ? 1 : 0) - (pressed(Key::up) ? 1 : 0);
  const int by_col = (pressed(Key::right) ? 1 : 0) - (pressed(Key::left) ? 1 : 0);
  if (by_row != 0 || by_col != 0) {
    const bool first = m.row < 0;
    m.row = first ? 0 : std::clamp(m.row + by_row, 0, tile.rows - 1);
    m.col = first ? 0 : std::clamp(m.col + by_col, 0, tile.cols - 1);
    m.reveal = true;
    ws.message.clear();
  }
  constexpr std::array<char, 3> kLabels{'v', 'k', 'b'};
  for (std::size_t label = 0; label < kLabels.size(); ++label)
    if (typed(static_cast<char32_t>(kLabels[label]))) {
      if (label == 1 && !shows_banks(m))
        say(ws, fmt::format("{} memory has no banks", tile.space));
      else
        m.label = static_cast<int>(label);
    }
  if (typed('x'))
    read_through(ws, static_cast<layout::Swizzle>((static_cast<int>(m.reading) + 1) % 4));
  if (zoomed(ws)) m.reveal = true;
  if (typed('2'))
    show_beside(ws, m.beside >= 0 ? -1 : static_cast<int>((m.current + 1) % m.tiles.size()));
  if (typed('[') && m.current > 0) choose_tile(ws, m.current - 1);
  if (typed(']')) choose_tile(ws, m.current + 1);
}

void pipeline_keys(Workspace& ws) {
  PipelineState& p = ws.pipeline;
  const int rows = (pressed(Key::down) ? 1 : 0) - (pressed(Key::up) ? 1 : 0);
  const int spans = (pressed(Key::right) ? 1 : 0) - (pressed(Key::left) ? 1 : 0);
  if (rows != 0 || spans != 0) {
    const PipelinePlace there = moved(p.made, {p.row, p.span}, rows, rows != 0 ? 0 : spans);
    p.row = there.row;
    p.span = there.span;
    p.reveal = true;
    ws.message.clear();
  }
  if (typed('+')) p.zoom = std::min(p.zoom * 1.5f, 64.0f);
  if (typed('-')) p.zoom = std::max(p.zoom / 1.5f, 1.0f);
  if (typed('0')) p.zoom = 1;
  if (typed('[')) set_copy_ticks(ws, p.copy_ticks / 2);
  if (typed(']')) set_copy_ticks(ws, std::max(1, p.copy_ticks) * 2);
}

void copy(Workspace& ws) {
  std::string words;
  if (!has(ws, ws.shows)) return;
  if (ws.shows == Shows::pipeline) words = pipeline_text(ws.pipeline.made, 100);
  if (ws.shows == Shows::steps) words = step_text(ws.steps.list, ws.steps.place);
  if (ws.shows == Shows::memory && ws.memory.row >= 0) {
    const TileFacts facts = tile_facts(*ws.memory.tiles[ws.memory.current], ws.memory.row,
                                       ws.memory.col, ws.memory.reading);
    words = fmt::format("{} = {}\n", facts.title, facts.value);
    for (const std::string& line : facts.lines) words += "  " + line + "\n";
  }
  ws.message_is_error = words.empty();
  ws.message = words.empty() ? "nothing is selected: click a cell first" : "copied";
  if (!words.empty()) ImGui::SetClipboardText(words.c_str());
}

}  // namespace

void handle_view_keys(Workspace& ws) {
  if (!has(ws, ws.shows)) return;
  if (typed('/')) ws.focus_search = true;
  if (ImGui::GetIO().KeyCtrl && pressed(Key::c, false)) return copy(ws);
  if (ws.shows == Shows::steps) steps_keys(ws);
  if (ws.shows == Shows::memory) memory_keys(ws);
  if (ws.shows == Shows::pipeline) pipeline_keys(ws);
}

bool search_view(Workspace& ws, std::string_view words) {
  if (!has(ws, ws.shows)) {
    say(ws, why_nothing(ws));
    return false;
  }
  if (ws.shows == Shows::steps) {
    StepPlace found = find_step(ws.steps.list, ws.steps.place, words);
    say(ws, found.error);
    if (!found.error.empty()) return false;
    ws.steps.place = std::move(found);
    ws.steps.reveal = true;
    return true;
  }
  if (ws.shows == Shows::memory) {
    MemoryState& m = ws.memory;
    std::string why;
    layout::Swizzle mode = m.reading;
    const bool reads = take_reading(words, mode);
    if (reads) read_through(ws, mode);
    if (reads && m.reading != mode) return false;  // and the message says why
    if (words.empty()) return say(ws, {}), true;
    if (read_element(*m.tiles[m.current], words, m.row, m.col, why)) m.reveal = true;
    say(ws, why);
    return why.empty();
  }
  int ticks = 0;
  const std::string problem = read_copy_ticks(words, ticks);
  if (problem.empty()) set_copy_ticks(ws, ticks);
  say(ws, problem);
  return problem.empty();
}

std::string view_words(const Workspace& ws) {
  if (!has(ws, ws.shows)) return {};
  if (ws.shows == Shows::steps) return words_of(ws.steps.list, ws.steps.place);
  if (ws.shows == Shows::pipeline)
    return ws.pipeline.made.copies ? fmt::format("pipeline copy {}", ws.pipeline.copy_ticks)
                                   : "pipeline";
  const MemoryState& m = ws.memory;
  if (m.row < 0) return {};
  return fmt::format("{} {},{}{}", m.tiles[m.current]->name, m.row, m.col,
                     m.reading == layout::Swizzle::none
                         ? ""
                         : fmt::format(" through {}", layout::name(m.reading)));
}

}  // namespace lanescope::viz
