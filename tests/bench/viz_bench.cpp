// SPDX-License-Identifier: MIT
// How long a frame takes, drawn to its last pixel (glFinish), without a display. Not what a screen
// adds: the swap. Budgets: first frame 150 ms, 12 ms a frame with 64 x 256 cells, on llvmpipe.
#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include "app/offscreen.hpp"
#include "app/renderer.hpp"
#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

constexpr int kWidth = 1440;
constexpr int kHeight = 920;

Workspace workspace_of(const layout::Instruction& instruction) {
  trace::Trace trace;
  synthetic::add(trace, instruction);
  Workspace ws;
  show_model(ws, make_model(std::move(trace), [&](std::string_view) { return &instruction; }),
             "t.lanes");
  return ws;
}

void draw(Renderer& renderer, Workspace& ws) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(kWidth, kHeight);
  io.DeltaTime = 1.0f / 60;
  renderer.frame(ws, kWidth, kHeight);
  glFinish();
}

// From no OpenGL at all: context, fonts, layout, pixels.
void first_frame(benchmark::State& state) {
  for (auto _ : state) {
    Workspace ws = workspace_of(*layout::find(synthetic::kF16));
    std::string problem;
    const auto offscreen = Offscreen::make(kWidth, kHeight, problem);
    if (!offscreen) {
      state.SkipWithError(problem.c_str());
      return;
    }
    Renderer renderer(1);
    draw(renderer, ws);
  }
}
BENCHMARK(first_frame)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void frames(benchmark::State& state, const layout::Instruction& instruction, LabelMode mode,
            const Selection& selection, float zoom = 1) {
  std::string problem;
  const auto offscreen = Offscreen::make(kWidth, kHeight, problem);
  if (!offscreen) {
    state.SkipWithError(problem.c_str());
    return;
  }
  Renderer renderer(1);
  Workspace ws = workspace_of(instruction);
  ws.labels = mode;
  ws.selection = selection;
  ws.zoom = zoom;
  draw(renderer, ws);
  for (auto _ : state) draw(renderer, ws);
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
}

void m16n8k16_lanes(benchmark::State& state) {
  frames(state, *layout::find(synthetic::kF16), LabelMode::lane, {});
}
BENCHMARK(m16n8k16_lanes)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void m16n8k32_both_selected(benchmark::State& state) {
  frames(state, *layout::find(synthetic::kE4m3), LabelMode::both, select_lane(13));
}
BENCHMARK(m16n8k32_both_selected)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void m64n256_overview(benchmark::State& state) {
  const layout::Instruction instruction = synthetic::warpgroup(256);
  frames(state, instruction, LabelMode::lane, select_lane(77));
}
BENCHMARK(m64n256_overview)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

// Small enough that all 17,408 cells are in sight.
void m64n256_all_cells(benchmark::State& state) {
  const layout::Instruction instruction = synthetic::warpgroup(256);
  frames(state, instruction, LabelMode::lane, select_lane(77), 0.55f);
}
BENCHMARK(m64n256_all_cells)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace lanescope::viz

BENCHMARK_MAIN();
