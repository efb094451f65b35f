// SPDX-License-Identifier: MIT
// What a trace shows besides fragments: steps, memory, the pipeline.
#include <algorithm>

#include "panels/frame/panel.hpp"
#include "panels/look/widgets.hpp"

namespace lanescope::viz {

Box around(const Box& a, const Box& b) {
  if (b.width <= 0) return a;
  const float left = std::min(a.left, b.left), top = std::min(a.top, b.top);
  return {left, top, std::max(a.left + a.width, b.left + b.width) - left,
          std::max(a.top + a.height, b.top + b.height) - top};
}

void end_reading(Workspace& ws, const Box& picture) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  const bool covered = ws.show_keys || ws.show_traces || ws.quiz.open;
  if (!covered && ImGui::IsMouseClicked(0) && picture.contains(at.x, at.y)) ws.reading = false;
}

namespace {

// The list of steps, the one that is chosen, its source.
void draw_steps_view(Workspace& ws, const Look& look, const Box& whole) {
  const StepsArrangement a = arrange_steps(whole, look.em, ws.steps_have_source(), ws.wider);
  const auto words = [&] { draw_text_panel(ws, nullptr, look); };
  panel(look, "scrub", a.scrub, Back::none, [&] { draw_scrub(ws, look); });
  if (!ws.reading) draw_split(ws, look, a.split);
  panel(look, "step list", a.list, Back::whole_card, [&] { draw_step_list(ws, look); });
  end_reading(ws, {whole.left, whole.top, a.list.width, a.list.top + a.list.height - whole.top});
  if (ws.reading) return panel(look, "words", around(a.step, a.words), Back::whole_card, words);
  panel(look, "step", a.step, Back::card, [&] { draw_step(ws, look); });
  if (a.words.width > 0) panel(look, "words", a.words, Back::whole_card, words);
}

// Memory or the pipeline: the picture, beside it what is picked in it and the lesson's words.
void draw_picture_view(Workspace& ws, const Look& look, const Box& whole) {
  const bool memory = ws.shows == Shows::memory, lesson = !ws.lesson.lines.empty();
  const PictureArrangement a = arrange_picture(whole, look.em, lesson, ws.wider);
  const auto words = [&] { draw_text_panel(ws, nullptr, look); };
  draw_split(ws, look, a.split);
  panel(look, "picture", a.picture, Back::none,
        [&] { memory ? draw_memory(ws, look) : draw_pipeline(ws, look); });
  end_reading(ws, a.picture);
  if (ws.reading && lesson)
    return panel(look, "words", around(a.inspector, a.words), Back::whole_card, words);
  panel(look, "inspector", a.inspector, Back::card, [&] {
    scroll_by(ws.scroll_facts);
    memory ? draw_memory_inspector(ws, look) : draw_pipeline_inspector(ws, look);
  });
  if (a.words.width > 0) panel(look, "words", a.words, Back::whole_card, words);
}

}  // namespace

void draw_trace_view(Workspace& ws, const Look& look, const Box& whole) {
  if (const std::string why = why_nothing(ws); !why.empty())
    return panel(look, "nothing", whole, Back::card, [&] {
      text(look.fonts.text, look.theme.dim, why, ImGui::GetContentRegionAvail().x);
      probe(ws, "nothing");
    });
  ws.shows == Shows::steps ? draw_steps_view(ws, look, whole) : draw_picture_view(ws, look, whole);
}

}  // namespace lanescope::viz
