// SPDX-License-Identifier: MIT
// Steps, and the time of a pipeline, that go on by themselves: as far as is due since the last
// frame. Whoever chooses another step, or looks at something else, stops them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr double kSteps_per_s = 4;
constexpr double kTicks_per_s = 32;
constexpr double kLongest_s = 60;        // a long pipeline is played in no more than that
constexpr double kLongestFrame_s = 0.1;  // behind a pause, or a trace that was read
constexpr int kMostDoublings = 6;

bool can_play(const Workspace& ws) {
  return ws.page == Page::trace && ws.shows >= Shows::steps && has(ws, ws.shows);
}

bool of_steps(const Workspace& ws) { return ws.shows == Shows::steps; }

double pace(const Workspace& ws) {
  const double usual =
      of_steps(ws) ? kSteps_per_s : std::max(kTicks_per_s, ws.pipeline.made.end / kLongest_s);
  return std::ldexp(usual, ws.play.faster);
}

int last_step(const Workspace& ws) { return static_cast<int>(warp_now(ws.steps).items.size()) - 1; }

bool at_end(const Workspace& ws) {
  return of_steps(ws) ? ws.steps.place.item >= last_step(ws)
                      : ws.pipeline.now >= ws.pipeline.made.end;
}

void note(Workspace& ws) {
  ws.play.place = ws.steps.place;
  ws.play.now = ws.pipeline.now;
  ws.play.copy_ticks = ws.pipeline.copy_ticks;
}

bool is_disturbed(const Workspace& ws) {
  const PlayState& p = ws.play;
  return !can_play(ws) || ws.searching || ws.show_keys || ws.show_traces || ws.quiz.open ||
         p.place.warp != ws.steps.place.warp || p.place.item != ws.steps.place.item ||
         p.now != ws.pipeline.now || p.copy_ticks != ws.pipeline.copy_ticks;
}

}  // namespace

void toggle_play(Workspace& ws) {
  if (ws.play.on) {
    ws.play.on = false;
    return;
  }
  if (!can_play(ws)) return say(ws, "the steps and the pipeline of a trace can be played: i, p");
  if (of_steps(ws) && at_end(ws)) ws.steps.place.item = 0;
  if (!of_steps(ws) && (ws.pipeline.now < 0 || at_end(ws))) ws.pipeline.now = 0;
  ws.steps.reveal = true;
  ws.play.on = true;
  ws.play.owed = 0;
  say(ws, {});
  note(ws);
}

void change_pace(Workspace& ws, int doublings) {
  if (!can_play(ws)) return;
  ws.play.faster = std::clamp(ws.play.faster + doublings, -kMostDoublings, kMostDoublings);
  say(ws, {});
  ws.message = fmt::format("{:.4g} {} a second", pace(ws), of_steps(ws) ? "steps" : "ticks");
}

void go_on(Workspace& ws, double seconds) {
  if (!ws.play.on) return;
  if (is_disturbed(ws)) {
    ws.play.on = false;
    return;
  }
  ws.play.owed += std::clamp(seconds, 0.0, kLongestFrame_s) * pace(ws);
  if (of_steps(ws)) {
    const double whole = std::floor(ws.play.owed);
    ws.play.owed -= whole;
    if (whole >= 1) {
      ws.steps.place.item = std::min(ws.steps.place.item + static_cast<int>(whole), last_step(ws));
      ws.steps.reveal = true;
    }
  } else {
    ws.pipeline.now = std::min(ws.pipeline.now + ws.play.owed, ws.pipeline.made.end);
    ws.play.owed = 0;
  }
  if (at_end(ws)) ws.play.on = false;
  note(ws);
}

void draw_play_button(Workspace& ws, const Look& look) {
  if (button(look, "play", ws.play.on ? "stop" : "play", ws.play.on)) toggle_play(ws);
  probe(ws, "play");
}

}  // namespace lanescope::viz
