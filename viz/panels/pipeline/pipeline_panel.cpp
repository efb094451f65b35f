// SPDX-License-Identifier: MIT
// A CTA's pipeline: what its colours mean, how long a copy takes, and the timeline. Time is the
// model of pipeline.hpp: how long a copy takes is for the reader to choose.
#include <fmt/format.h>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/pipeline/pipeline_paint.hpp"

namespace lanescope::viz {
namespace {

void legend(const Look& look, Rgb fill, const char* words, bool striped = false) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float size = 0.85f * look.em;
  ImGui::Dummy(ImVec2(size, size));
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + 0.45f * look.em),
                                            ImVec2(at.x + size, at.y + 0.45f * look.em + size),
                                            colour(fill), 2);
  if (striped)
    hatch(ImGui::GetWindowDrawList(), look, {at.x, at.y + 0.45f * look.em, size, size}, fill);
  ImGui::SameLine(0, 0.35f * look.em);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, words);
  ImGui::SameLine(0, 0.9f * look.em);
}

void copy_ticks(Workspace& ws, const Look& look) {
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "a copy takes");
  for (const int ticks : {0, 16, 64, 256, 1024}) {
    ImGui::SameLine(0, 0.3f * look.em);
    const std::string name = fmt::format("{}", ticks);
    if (button(look, name.c_str(), name, ws.pipeline.copy_ticks == ticks))
      set_copy_ticks(ws, ticks);
    probe(ws, "copy " + name);
  }
  ImGui::SameLine(0, 0.4f * look.em);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "ticks");
}

}  // namespace

void draw_pipeline(Workspace& ws, const Look& look) {
  const Theme& t = look.theme;
  draw_play_button(ws, look);
  ImGui::SameLine(0, 0.9f * look.em);
  legend(look, running(t), "runs");
  legend(look, waiting(t), "waits", true);
  if (!ws.pipeline.made.stages.empty()) {
    legend(look, colour_of(StageState::filling, t), "being filled");
    legend(look, colour_of(StageState::full, t), "full");
    legend(look, colour_of(StageState::consumed, t), "in use");
  }
  if (!ws.pipeline.made.copies || ImGui::GetContentRegionAvail().x < 24 * look.em) ImGui::NewLine();
  if (ws.pipeline.made.copies) copy_ticks(ws, look);
  gap(look, 0.4f);
  draw_timeline(ws, look);
}

}  // namespace lanescope::viz
