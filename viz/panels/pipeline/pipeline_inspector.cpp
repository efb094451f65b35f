// SPDX-License-Identifier: MIT
// What is to be said of a pipeline: the wait or the use of a stage that is chosen or pointed at,
// who waits for whom how often, and what time means here. The picture is in pipeline_panel.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/pipeline/pipeline_text.hpp"
#include "panels/steps/step_search.hpp"

namespace lanescope::viz {

namespace {

// The way to the instruction that waits, where the steps of its warp are recorded; else its line.
void waiting_step(Workspace& ws, const Look& look, const WarpLine& line, const WaitSpan& wait) {
  const Pipeline& p = ws.pipeline.made;
  const std::string source = source_text(wait.source);
  const StepPlace there = step_of(ws.steps.list, p.launch, p.block, line.warp, wait.step);
  if (there.item < 0) {
    if (!source.empty()) mono_lines(look, {source}, look.theme.text);
    return;
  }
  const std::string name = step_name(ws.steps.list, there);
  if (button(look, "waiting step",
             shortened(look.fonts.text, name, ImGui::GetContentRegionAvail().x - 1.3f * look.em))) {
    ws.steps.place = there;
    show(ws, Shows::steps);
  }
  probe(ws, "waiting step");
  if (!source.empty()) text(look.fonts.text, look.theme.dim, source);
}

void about_wait(Workspace& ws, const Look& look, const WarpLine& line, const WaitSpan& wait) {
  const Theme& t = look.theme;
  const Pipeline& p = ws.pipeline.made;
  text(look.fonts.big, wait.for_ever ? t.bad : t.accent, fmt::format("warp {} waits", line.warp));
  text(look.fonts.text, t.text, wait_text(p, line, wait), ImGui::GetContentRegionAvail().x);
  mono_lines(look, {fmt::format("from {:.0f} to {:.0f}, step {}", wait.begin, wait.end, wait.step)},
             t.text);
  waiting_step(ws, look, line, wait);
}

void about_stage(const Look& look, const Pipeline& p, const StageLine& line,
                 const StageSpan& span) {
  text(look.fonts.big, look.theme.accent, line.name);
  text(look.fonts.text, look.theme.text, stage_text(p, line, span),
       ImGui::GetContentRegionAvail().x);
  std::vector<std::string> lines{fmt::format("from {:.0f} to {:.0f}", span.begin, span.end),
                                 fmt::format("shared memory at 0x{:x}", line.address)};
  if (!line.freed_by.empty()) lines.push_back("freed by " + line.freed_by);
  mono_lines(look, lines, look.theme.text);
}

template <class Lines>
bool contains(const Lines& lines, int index) {
  return index >= 0 && index < static_cast<int>(lines.size());
}

// What is chosen or pointed at; the pipeline itself where that is nothing.
void about(Workspace& ws, const Look& look) {
  const PipelineState& s = ws.pipeline;
  const Pipeline& p = s.made;
  const int row = s.hover_span >= 0 ? s.hover_row : s.row;
  const int span = s.hover_span >= 0 ? s.hover_span : s.span;
  const int stage = row - static_cast<int>(p.warps.size());
  if (contains(p.warps, row)) {
    const WarpLine& line = p.warps[static_cast<std::size_t>(row)];
    if (contains(line.waits, span))
      return about_wait(ws, look, line, line.waits[static_cast<std::size_t>(span)]);
  } else if (contains(p.stages, stage)) {
    const StageLine& line = p.stages[static_cast<std::size_t>(stage)];
    if (contains(line.spans, span))
      return about_stage(look, p, line, line.spans[static_cast<std::size_t>(span)]);
  }
  text(look.fonts.big, look.theme.accent, "Pipeline");
  text(look.fonts.text, look.theme.text, title_of(p), ImGui::GetContentRegionAvail().x);
}

}  // namespace

void draw_pipeline_inspector(Workspace& ws, const Look& look) {
  const Pipeline& p = ws.pipeline.made;
  const Theme& t = look.theme;
  const float width = ImGui::GetContentRegionAvail().x;
  about(ws, look);
  if (ws.pipeline.now >= 0) {
    section(look, fmt::format("at tick {:.0f}", std::floor(ws.pipeline.now)).c_str());
    mono_lines(look, state_at(p, ws.pipeline.now), t.text);
    probe(ws, "at tick");
  }
  section(look, "who waits for whom");
  if (p.sums.empty()) text(look.fonts.text, t.dim, "Nobody waits.", width);
  constexpr std::size_t kMost = 14;
  for (std::size_t k = 0; k < std::min(kMost, p.sums.size()); ++k)
    text(look.fonts.text, p.sums[k].for_ever ? t.bad : t.text, sum_text(p, p.sums[k]), width);
  section(look, "time");
  text(
      look.fonts.text, t.dim,
      p.copies
          ? "A model, no card's clock: an instruction takes one tick, a copy as many as chosen "
            "above, and a wait ends when what it waits for is there. Make copies slower and see "
            "who waits. The numbers in the stages are phases of their mbarrier, groups of cp.async."
          : "A model, no card's clock: an instruction takes one tick, and a wait ends when what it "
            "waits for is there.",
      width);
  if (const std::string unstepped = unstepped_text(p); !unstepped.empty()) {
    text(look.fonts.text, t.dim, unstepped, width);
    probe(ws, "unstepped");
  }
}

}  // namespace lanescope::viz
