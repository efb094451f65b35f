// SPDX-License-Identifier: MIT
// How long a frame takes, drawn to its last pixel (glFinish), without a display. Not what a screen
// adds: the swap. Budgets: first frame 150 ms, 12 ms a frame with 64 x 256 cells, on llvmpipe.
#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include <functional>

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

// The pages of the atlas: the whole list, an entry opened and drawn for the first time, a tile, a
// descriptor that is wrong nearly everywhere.
void page(benchmark::State& state, const std::function<void(Workspace&)>& before_each_frame) {
  std::string problem;
  const auto offscreen = Offscreen::make(kWidth, kHeight, problem);
  if (!offscreen) {
    state.SkipWithError(problem.c_str());
    return;
  }
  Renderer renderer(1);
  Workspace ws = workspace_of(*layout::find(synthetic::kF16));
  before_each_frame(ws);
  draw(renderer, ws);
  for (auto _ : state) {
    before_each_frame(ws);
    draw(renderer, ws);
  }
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
}

void atlas_list(benchmark::State& state) {
  page(state, [](Workspace& ws) { go_to(ws, Page::atlas); });
}
BENCHMARK(atlas_list)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

// As if a letter were typed before every frame.
void atlas_search(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    go_to(ws, Page::atlas);
    ws.atlas.filter.words = ws.atlas.filter.words == "wgmma 64" ? "wgmma 6" : "wgmma 64";
  });
}
BENCHMARK(atlas_search)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void open_largest_entry(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    open_entry(ws, only_entry("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16"));
  });
}
BENCHMARK(open_largest_entry)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void swizzle_64x64(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    go_to(ws, Page::swizzle);
    ws.swizzle.form.rows = 64;
  });
}
BENCHMARK(swizzle_64x64)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void descriptor_wrong(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    go_to(ws, Page::descriptor);
    // Another descriptor in every frame, as while one is typed.
    ws.descriptor.form.bits =
        ws.descriptor.form.bits == 0x4000002000010040u ? 0x4000001000010040u : 0x4000002000010040u;
  });
}
BENCHMARK(descriptor_wrong)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace lanescope::viz

BENCHMARK_MAIN();
