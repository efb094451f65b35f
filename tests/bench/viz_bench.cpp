// SPDX-License-Identifier: MIT
// How long a frame takes, drawn to its last pixel (glFinish), without a display. Not what a screen
// adds: the swap. Budgets: first frame 150 ms, 12 ms a frame with 64 x 256 cells, on llvmpipe.
#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include <functional>

#include "app/offscreen.hpp"
#include "app/renderer.hpp"
#include "tests/viz/recorded.hpp"
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

#define FRAMES(name) \
  BENCHMARK(name)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

/// Without OpenGL the benchmark is skipped, and the answer false.
bool with_renderer(benchmark::State& state, const std::function<void(Renderer&)>& work) {
  std::string problem;
  const auto offscreen = Offscreen::make(kWidth, kHeight, problem);
  if (!offscreen) return state.SkipWithError(problem.c_str()), false;
  Renderer renderer(1);
  work(renderer);
  return true;
}

/// One frame after the other, the first `settling` of them outside of the time.
void time_frames(benchmark::State& state, Workspace& ws, int settling,
                 const std::function<void(Workspace&)>& before_each_frame) {
  with_renderer(state, [&](Renderer& renderer) {
    const auto frame = [&] {
      before_each_frame(ws);
      draw(renderer, ws);
    };
    for (int k = 0; k < settling; ++k) frame();
    for (auto _ : state) frame();
    state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
  });
}

// From no OpenGL at all: context, fonts, layout, pixels.
void first_frame(benchmark::State& state) {
  for (auto _ : state) {
    Workspace ws = workspace_of(*layout::find(synthetic::kF16));
    if (!with_renderer(state, [&ws](Renderer& renderer) { draw(renderer, ws); })) return;
  }
}
FRAMES(first_frame)

void frames(benchmark::State& state, const layout::Instruction& instruction, LabelMode mode,
            const Selection& selection, float zoom = 1) {
  Workspace ws = workspace_of(instruction);
  ws.labels = mode;
  ws.selection = selection;
  ws.zoom = zoom;
  time_frames(state, ws, 1, [](Workspace&) {});
}

void m16n8k16_lanes(benchmark::State& state) {
  frames(state, *layout::find(synthetic::kF16), LabelMode::lane, {});
}
FRAMES(m16n8k16_lanes)

void m16n8k32_both_selected(benchmark::State& state) {
  frames(state, *layout::find(synthetic::kE4m3), LabelMode::both, select_lane(13));
}
FRAMES(m16n8k32_both_selected)

void m64n256_overview(benchmark::State& state) {
  const layout::Instruction instruction = synthetic::warpgroup(256);
  frames(state, instruction, LabelMode::lane, select_lane(77));
}
FRAMES(m64n256_overview)

// Small enough that all 17,408 cells are in sight.
void m64n256_all_cells(benchmark::State& state) {
  const layout::Instruction instruction = synthetic::warpgroup(256);
  frames(state, instruction, LabelMode::lane, select_lane(77), 0.55f);
}
FRAMES(m64n256_all_cells)

// A trace that is no cross: steps, a pipeline, a tile.
void view(benchmark::State& state, trace::Trace trace, Shows shows,
          const std::function<void(Workspace&)>& before_each_frame) {
  Workspace ws;
  show_model(ws, make_model(std::move(trace)), "t.lanes");
  if (!show(ws, shows)) return state.SkipWithError("not there");
  time_frames(state, ws, 3, before_each_frame);
}

// Every frame another of 100,000 steps: four registers written, shared memory read with conflicts.
void scrub_100000_steps(benchmark::State& state) {
  trace::Trace trace;
  trace::Access access = std::get<trace::Access>(recorded::steps().events[4]);
  for (int k = 0; k < 100'000; ++k) {
    std::vector<trace::Write> writes;
    for (const char* name : {"%f1", "%f2", "%f3", "%f4"}) {
      writes.push_back(recorded::write(name, "D.r0"));
      for (std::uint64_t& word : writes.back().lanes) word = word * 2654435761u + 12345u * k;
      for (std::uint64_t& word : writes.back().lanes) word &= 0xffffffffu;
    }
    trace.events.emplace_back(recorded::step(
        0, k, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2}, {%r1}, {%r2};",
        1 + k % 90, std::move(writes)));
    access.step = k;
    trace.events.emplace_back(access);
  }
  view(state, std::move(trace), Shows::steps, [](Workspace& ws) {
    ws.steps.place.item = (ws.steps.place.item + 9973) % 100'000;
    ws.steps.reveal = true;
  });
}
FRAMES(scrub_100000_steps)

void memory_tile(benchmark::State& state) {
  trace::Trace trace;
  trace::Memory tile = recorded::tile();
  tile.rows = 64;
  tile.cols = 64;
  tile.bytes.resize(64 * 128);
  trace.events.emplace_back(tile);
  view(state, std::move(trace), Shows::memory, [](Workspace&) {});
}
FRAMES(memory_tile)

// 12 warps that wait 500 times each, four stages.
void pipeline(benchmark::State& state) {
  trace::Trace trace;
  for (int round = 0; round < 500; ++round) {
    const std::string full = fmt::format("mbarrier 0x{:x}", round % 4 * 8);
    const int phase = round / 4;
    trace.events.emplace_back(
        recorded::sync(8, 10 * round, "copy", full, phase, 4096, round % 4 * 4096));
    trace.events.emplace_back(
        recorded::sync(8, 10 * round, "land", full, phase, 4096, round % 4 * 4096));
    for (int warp = 0; warp < 12; ++warp)
      if (warp != 8)
        trace.events.emplace_back(recorded::sync(warp, 5 * round, "pass", full, phase));
  }
  view(state, std::move(trace), Shows::pipeline, [](Workspace&) {});
}
FRAMES(pipeline)

// The pages of the atlas: the whole list, an entry opened and drawn for the first time, a tile, a
// descriptor that is wrong nearly everywhere.
void page(benchmark::State& state, const std::function<void(Workspace&)>& before_each_frame) {
  Workspace ws = workspace_of(*layout::find(synthetic::kF16));
  time_frames(state, ws, 1, before_each_frame);
}

void atlas_list(benchmark::State& state) {
  page(state, [](Workspace& ws) { go_to(ws, Page::atlas); });
}
FRAMES(atlas_list)

// As if a letter were typed before every frame.
void atlas_search(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    go_to(ws, Page::atlas);
    ws.atlas.filter.words = ws.atlas.filter.words == "wgmma 64" ? "wgmma 6" : "wgmma 64";
  });
}
FRAMES(atlas_search)

void open_largest_entry(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    open_entry(ws, only_entry("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16"));
  });
}
FRAMES(open_largest_entry)

void swizzle_64x64(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    go_to(ws, Page::swizzle);
    ws.swizzle.form.rows = 64;
  });
}
FRAMES(swizzle_64x64)

void descriptor_wrong(benchmark::State& state) {
  page(state, [](Workspace& ws) {
    go_to(ws, Page::descriptor);
    // Another descriptor in every frame, as while one is typed.
    ws.descriptor.form.bits =
        ws.descriptor.form.bits == 0x4000002000010040u ? 0x4000001000010040u : 0x4000002000010040u;
  });
}
FRAMES(descriptor_wrong)

// Two accumulators of 64 x 256 beside each other, all of whose cells are in sight; every second
// register of b differs.
void compare_m64n256(benchmark::State& state) {
  const layout::Instruction& wgmma =
      *layout::find("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16");
  trace::Trace a;
  synthetic::add(a, wgmma, "D");
  trace::Trace b = a;
  auto& registers = std::get<trace::Fragment>(b.events[0]).registers;
  for (std::size_t r = 0; r < registers.size(); r += 2)
    for (std::uint64_t& word : registers[r]) word ^= 1;
  page(state, [&](Workspace& ws) {
    if (!ws.compare.there) show_comparison(ws, compare(a, b, "a", "b"));
    ws.zoom = 0.5f;
  });
}
FRAMES(compare_m64n256)

}  // namespace
}  // namespace lanescope::viz

BENCHMARK_MAIN();
