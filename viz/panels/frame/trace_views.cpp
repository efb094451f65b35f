// SPDX-License-Identifier: MIT
// What a trace shows besides its fragments: which views there are, the way from one to another.
#include <fmt/format.h>

#include <algorithm>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/steps/step_products.hpp"

namespace lanescope::viz {
namespace {

constexpr std::array<Shows, 4> kAll{Shows::fragments, Shows::memory, Shows::steps, Shows::pipeline};

// A card keeps its steps to itself: their places are there, with a line that says so.
bool is_missing_on_gpu(const Workspace& ws, Shows shows) {
  return shows >= Shows::steps && ws.has_trace() && ws.model.trace.header.producer == "gpu" &&
         !has(ws, shows);
}

}  // namespace

std::string recorder_of_steps(const Workspace& ws) {
  const int lesson = lesson_number(ws.model.trace.header.program);
  if (ws.lesson.lines.empty() || lesson == 0) return "lanescope run --steps";
  return fmt::format("./learn lesson {} --device cpu", lesson);
}

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
  if (ws.model.is_of_steps()) add(Shows::steps);  // of which they are made
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
                        : shows == Shows::steps ? ": " + recorder_of_steps(ws) + " records it"
                        : shows == Shows::pipeline
                            ? ": " + recorder_of_steps(ws) + " records it, if warps copy or wait"
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

void look_at(Workspace& ws, Shows shows) {
  const bool at_step = ws.shows == Shows::steps && has(ws, Shows::steps);
  const int product = at_step ? product_at(ws.model, *item_now(ws.steps).step) : -1;
  StepPlace mma = StepPlace::none();
  if (const Multiplication* in = ws.shown())
    mma = product_step(ws.steps.list, *in, ws.selection.thread);
  if (!show(ws, shows)) return;
  if (shows == Shows::fragments && product >= 0)
    show_multiplication(ws, static_cast<std::size_t>(product));
  if (shows == Shows::steps && mma.item >= 0) ws.steps.place = mma;
}

void set_copy_ticks(Workspace& ws, int ticks) {
  PipelineState& p = ws.pipeline;
  p.made = make_pipeline(ws.model.trace, ticks);
  p.copy_ticks = p.made.copy_ticks;
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
  if (choices(ws, look, "view", names, chosen))
    look_at(ws, views[static_cast<std::size_t>(chosen)]);
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

}  // namespace lanescope::viz
