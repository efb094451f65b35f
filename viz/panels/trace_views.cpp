// SPDX-License-Identifier: MIT
// What a trace shows besides its fragments: which views there are, the way from one to another, the
// keys and the words that each takes.
#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"
#include "panels/pipeline_text.hpp"
#include "panels/step_search.hpp"
#include "panels/step_text.hpp"
#include "panels/widgets.hpp"

namespace lanescope::viz {
namespace {

constexpr std::array<Shows, 4> kAll{Shows::fragments, Shows::memory, Shows::steps, Shows::pipeline};

bool has(const Workspace& ws, Shows shows) {
  switch (shows) {
    case Shows::fragments:
      return !ws.model.multiplications.empty();
    case Shows::memory:
      return !ws.memory.tiles.empty();
    case Shows::steps:
      return !ws.steps.list.empty();
    default:
      return ws.pipeline.there;
  }
}

// A card keeps its steps to itself: their places are there, with a line that says so.
bool is_missing_on_gpu(const Workspace& ws, Shows shows) {
  return shows >= Shows::steps && ws.has_trace() && ws.model.trace.header.producer == "gpu" &&
         !has(ws, shows);
}

// Who records steps. Of a lesson whose page is beside it they come with its run: "07_fast_hgemm".
std::string recorder_of_steps(const Workspace& ws) {
  const std::string& program = ws.model.trace.header.program;
  const std::size_t digits = program.find_first_not_of("0123456789");
  if (ws.lesson.lines.empty() || digits != 2) return "lanescope run --steps";
  return fmt::format("./learn lesson {} --device cpu", std::stoi(program.substr(0, digits)));
}

void say(Workspace& ws, std::string error) {
  ws.message_is_error = !error.empty();
  ws.message = std::move(error);
}

void move_step(Workspace& ws, int by) {
  StepsState& s = ws.steps;
  const auto& items = s.list.warps[static_cast<std::size_t>(s.place.warp)].items;
  s.place.item = std::clamp(s.place.item + by, 0, static_cast<int>(items.size()) - 1);
  s.lane_words.clear();  // they were of another step; its lane stays framed
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
  const int warps = static_cast<int>(s.list.warps.size());
  if (pressed(Key::tab) && warps > 1) {
    const int by = ImGui::GetIO().KeyShift ? warps - 1 : 1;
    s.place = {(s.place.warp + by) % warps, 0, {}};
    s.reveal = true;
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
    if (typed(static_cast<char32_t>(kLabels[label]))) m.label = static_cast<int>(label);
  if (typed('x') && tile.space == "shared")
    read_through(ws, static_cast<layout::Swizzle>((static_cast<int>(m.reading) + 1) % 4));
  if (zoomed(ws)) m.reveal = true;
  if (typed('2'))
    show_beside(ws, m.beside >= 0 ? -1 : static_cast<int>((m.current + 1) % m.tiles.size()));
  if (typed('[') && m.current > 0) --m.current;
  if (typed(']') && m.current + 1 < m.tiles.size()) ++m.current;
  if (m.row >= m.tiles[m.current]->rows || m.col >= m.tiles[m.current]->cols) m.row = m.col = -1;
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

bool Workspace::steps_have_source() const {
  if (sources.empty()) return false;
  constexpr std::size_t kLooked = 1000;  // at the beginning of a warp; asked for every frame
  for (const StepWarp& warp : steps.list.warps)
    for (std::size_t k = 0; k < std::min(kLooked, warp.items.size()); ++k)
      if (sources.count(warp.items[k].step->source.file) != 0) return true;
  return false;
}

const char* name_of(Shows shows) {
  constexpr std::array<const char*, 4> kNames{"fragments", "memory", "steps", "pipeline"};
  return kNames[static_cast<std::size_t>(shows)];
}

std::vector<Shows> views_of(const Workspace& ws) {
  std::vector<Shows> views;
  const auto add = [&](Shows shows) {
    if (has(ws, shows) && std::find(views.begin(), views.end(), shows) == views.end())
      views.push_back(shows);
  };
  if (const trace::View* view = ws.model.view())
    for (const std::string& panel : view->panels)
      for (const Shows shows : kAll)
        if (panel == name_of(shows)) add(shows);
  for (const Shows shows : kAll) add(shows);
  if (views.empty()) views.push_back(Shows::fragments);
  for (const Shows shows : {Shows::steps, Shows::pipeline})
    if (is_missing_on_gpu(ws, shows)) views.push_back(shows);
  return views;
}

bool show(Workspace& ws, Shows shows) {
  const std::vector<Shows> views = views_of(ws);
  if (std::find(views.begin(), views.end(), shows) == views.end()) {
    if (shows >= Shows::steps && !ws.steps_problem.empty()) return say(ws, ws.steps_problem), false;
    const bool idle = shows == Shows::pipeline && has(ws, Shows::steps);
    say(ws, fmt::format("this trace has no {}{}", name_of(shows),
                        idle                    ? ": in its steps nobody copies or waits"
                        : shows >= Shows::steps ? ": " + recorder_of_steps(ws) + " records it"
                                                : std::string()));
    return false;
  }
  if (ws.shows != shows) {
    // Beside steps stands their source; that of a fragment is for who asks for it.
    if (ws.shows == Shows::steps && ws.tab == TextTab::source) ws.tab = TextTab::lesson;
    ws.shows = shows;
    ws.zoom = 1;
    ws.map = {};
    ws.hover = {};
    ws.hover_lane = -1;
    ws.search[0] = '\0';
    ws.steps.reveal = true;
    if (shows == Shows::steps && ws.tab == TextTab::lesson) ws.tab = TextTab::source;
    say(ws, {});
  }
  return true;
}

void set_copy_ticks(Workspace& ws, int ticks) {
  PipelineState& p = ws.pipeline;
  p.copy_ticks = std::clamp(ticks, 0, 1 << 20);
  p.made = make_pipeline(ws.model.trace, p.copy_ticks);
  p.there = !p.made.empty();
}

float view_tabs_width(const Workspace& ws, const Look& look) {
  const std::vector<Shows> views = views_of(ws);
  if (views.size() < 2) return 0;
  float width = 0.9f * look.em;
  for (const Shows shows : views)
    width += text_width(look.fonts.text, name_of(shows)) + 1.45f * look.em;
  return width;
}

float draw_view_tabs(Workspace& ws, const Look& look, float left, float top) {
  std::vector<Shows> views = views_of(ws);
  if (views.size() < 2) return left;
  std::sort(views.begin(), views.end());
  std::vector<std::string> names;
  int chosen = 0;
  for (std::size_t at = 0; at < views.size(); ++at) {
    names.emplace_back(name_of(views[at]));
    if (views[at] == ws.shows) chosen = static_cast<int>(at);
  }
  ImGui::SetCursorPos(ImVec2(left, top));
  if (choices(ws, look, "view", names, chosen)) show(ws, views[static_cast<std::size_t>(chosen)]);
  return left + view_tabs_width(ws, look);
}

std::string caption_of(const Workspace& ws) {
  if (ws.page == Page::trace && ws.shows == Shows::pipeline) return {};  // the inspector says it
  if (ws.page == Page::trace && ws.shows == Shows::steps && has(ws, Shows::steps)) {
    const StepWarp& warp = ws.steps.list.warps[static_cast<std::size_t>(ws.steps.place.warp)];
    const std::string kernel = kernel_of(ws.model.trace, warp.launch);
    return fmt::format("{}launch {}, block {},{},{}", kernel.empty() ? "" : kernel + ", ",
                       warp.launch, warp.block[0], warp.block[1], warp.block[2]);
  }
  const trace::View* view = ws.model.view();
  return view == nullptr ? std::string() : view->caption;
}

std::string why_nothing(const Workspace& ws) {
  if (!is_missing_on_gpu(ws, ws.shows)) return {};
  return fmt::format(
      "A GPU does not tell its {}: the emulator does, `./learn lesson N --device cpu`, or "
      "`lanescope run --steps` for a program of your own.",
      ws.shows == Shows::steps ? "steps" : "pipeline");
}

bool names_register(std::string_view watch) {
  return watch.size() > 3 && operand_index(watch[0]) >= 0 && watch.substr(1, 2) == ".r" &&
         watch.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

void show_register(Workspace& ws, const trace::Place& place, const std::string& watch, int lane,
                   int bit) {
  if (!names_register(watch)) return;
  const char operand = watch[0];
  for (std::size_t k = 0; k < ws.model.multiplications.size(); ++k) {
    const Multiplication& in = ws.model.multiplications[k];
    const trace::Fragment* data = in.fragment(operand);
    if (data == nullptr || data->place.launch != place.launch || data->place.block != place.block)
      continue;
    const layout::Fragment& map = *in.map(operand);
    const std::string part =
        bit < 0 ? std::string() : part_name(map, bit / std::max(map.element_bits, 1));
    show(ws, Shows::fragments);
    show_multiplication(ws, k);
    search(ws, fmt::format("{}{}{}{}", lane < 0 ? "" : fmt::format("lane {} ", lane), watch,
                           part.empty() ? "" : ".", part));
    return;
  }
  say(ws, fmt::format("the trace has no fragment {} of this launch", operand));
}

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
    if (take_reading(words, mode)) read_through(ws, mode);
    if (words.empty()) return say(ws, {}), true;
    if (read_element(*m.tiles[m.current], words, m.row, m.col, why)) m.reveal = true;
    say(ws, why);
    return why.empty();
  }
  int ticks = 0;
  const std::string text(words.substr(0, 40));
  if (std::sscanf(text.c_str(), " copy %7d", &ticks) != 1) {
    say(ws, "write copy 64: how many ticks a copy takes");
    return false;
  }
  set_copy_ticks(ws, ticks);
  say(ws, {});
  return true;
}

std::string view_words(const Workspace& ws) {
  if (!has(ws, ws.shows)) return {};
  if (ws.shows == Shows::steps) return words_of(ws.steps.list, ws.steps.place);
  if (ws.shows == Shows::pipeline) return fmt::format("pipeline copy {}", ws.pipeline.copy_ticks);
  const MemoryState& m = ws.memory;
  if (m.row < 0) return {};
  return fmt::format("{} {},{}{}", m.tiles[m.current]->name, m.row, m.col,
                     m.reading == layout::Swizzle::none
                         ? ""
                         : fmt::format(" through {}", layout::name(m.reading)));
}

}  // namespace lanescope::viz
