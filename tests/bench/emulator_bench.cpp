// SPDX-License-Identifier: MIT
// How fast the emulator is: an ALU loop, an HGEMM with cp.async in flight, parsing.
//
//     ninja lanescope_emulator_bench && bench/lanescope_emulator_bench
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/machine.hpp"
#include "emulator/record/step.hpp"
#include "trace/writer.hpp"

namespace {

using namespace lanescope::emulator;
namespace trace = lanescope::trace;

std::string kernels() {
  std::ifstream in(std::string(LANESCOPE_BUILD_DIR) + "/tests/emulator/kernels_80.ptx");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

constexpr const char* kAluLoop = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry alu(.param .u32 count)
{
	.reg .pred %p<2>;
	.reg .b32 %r<12>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 1;
	mov.u32 %r3, 2;
	ld.param.u32 %r4, [count];
LOOP:
	add.s32 %r2, %r2, %r1;
	xor.b32 %r3, %r3, %r2;
	shl.b32 %r5, %r2, 3;
	mad.lo.s32 %r6, %r5, %r3, %r2;
	and.b32 %r7, %r6, 255;
	sub.s32 %r2, %r6, %r7;
	or.b32 %r3, %r7, %r3;
	add.s32 %r4, %r4, -1;
	setp.ne.s32 %p1, %r4, 0;
	@%p1 bra LOOP;
	ret;
}
)";

void alu_loop(benchmark::State& state) {
  Machine machine({.arch = "sm_80"});
  const auto module = machine.load(kAluLoop, "alu");
  const std::uint32_t count = 100'000;
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "alu");
  request.block = {128, 1, 1};
  request.parameters = std::as_bytes(std::span(&count, 1));
  std::uint64_t instructions = 0;
  for (auto _ : state) instructions += machine.launch(request).warp_instructions;
  state.counters["lane_instructions"] =
      benchmark::Counter(static_cast<double>(instructions) * 32, benchmark::Counter::kIsRate);
}
BENCHMARK(alu_loop)->Unit(benchmark::kMillisecond);

// 1024^3; `steps`: one CTA's go to a packed trace, as with `lanescope run --steps`; `checked`: as
// with --check. Compare the CPU time: a launch that is checked runs on one thread.
void hgemm(benchmark::State& state) {
  const int size = 1024;
  Machine machine({.arch = state.range(0) == 80 ? "sm_80" : "sm_90a",
                   .threads = static_cast<int>(state.range(1))});
  const bool records = state.range(2) != 0;
  const std::string path = fmt::format("{}/hgemm.lanes.zst", LANESCOPE_BUILD_DIR);
  const auto module = machine.load(kernels(), "kernels_80.ptx");
  if (!module.ok()) return state.SkipWithError("no kernels: built without nvcc");
  std::vector<std::uint16_t> host(static_cast<std::size_t>(size) * size);
  for (std::size_t k = 0; k < host.size(); ++k)
    host[k] = static_cast<std::uint16_t>(0x3800 + k * 2654435761u % 1024);  // 0.5 to 1
  std::byte parameters[32] = {};
  for (int k = 0; k < 3; ++k) {
    const auto made = machine.allocate(host.size() * (k == 2 ? 4 : 2));
    std::memcpy(parameters + 8 * k, &made.value, 8);
    if (k < 2) std::memcpy(reinterpret_cast<void*>(made.value), host.data(), host.size() * 2);
  }
  std::memcpy(parameters + 24, &size, 4);
  std::memcpy(parameters + 28, &size, 4);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "staged_hgemm");
  request.grid = {size / 128, size / 128, 1};
  request.block = {256, 1, 1};
  request.dynamic_shared_bytes = 3 * 2 * 128 * 40 * 2;
  request.parameters = parameters;
  request.checks.races = state.range(3) != 0;
  StepRequest steps;
  steps.block = {3, 5, 0};
  steps.event = [](void* context, const trace::Event& event) {
    static_cast<trace::Writer*>(context)->add(event);
  };
  for (auto _ : state) {
    std::optional<trace::Writer> writer;
    if (records) writer.emplace(path, trace::Header{1, "emulator", "", "sm_80", "hgemm", ""});
    steps.context = writer ? &*writer : nullptr;
    request.steps = records ? &steps : nullptr;
    const LaunchReport report = machine.launch(request);
    if (report.error) return state.SkipWithError(report.error.message.c_str());
    if (!report.reports.empty()) return state.SkipWithError("the checker has something to say");
    if (writer && writer->finish()) return state.SkipWithError("the trace cannot be written");
    if (writer) state.counters["text_bytes"] = static_cast<double>(writer->text_bytes());
  }
  if (records) state.counters["file_bytes"] = static_cast<double>(std::filesystem::file_size(path));
  state.counters["FLOP"] =
      benchmark::Counter(2.0 * size * size * size * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(hgemm)
    ->ArgNames({"sm", "threads", "steps", "checked"})
    ->Args({80, 1, 0, 0})
    ->Args({80, 1, 1, 0})
    ->Args({80, 1, 0, 1})
    ->Args({90, 1, 0, 0})
    ->Args({80, 2, 0, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Tiles of 64 x 64 and 64 x 256 bf16 in shared memory, K-major, 128-byte swizzle, multiplied over
// and over: four wgmma, one commit, one wait.
std::string wgmma_loop() {
  std::string sums;
  for (int reg = 0; reg < 128; ++reg) sums += fmt::format("{}%f{}", reg == 0 ? "" : ",", reg);
  std::string text = R"(.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tiles[];
.visible .entry multiply(.param .u32 count)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	.reg .f32 %f<128>;
	mov.u32 %r1, %tid.x;
	shl.b32 %r1, %r1, 2;
	mov.u32 %r2, tiles;
	add.u32 %r2, %r2, %r1;
FILL:
	and.b32 %r3, %r1, 127;
	add.u32 %r3, %r3, 0x3f803f00;
	st.shared.u32 [%r2], %r3;
	add.u32 %r1, %r1, 512;
	add.u32 %r2, %r2, 512;
	setp.lt.u32 %p1, %r1, 40960;
	@%p1 bra FILL;
	fence.proxy.async;
	bar.sync 0;
	mov.u32 %r2, tiles;
	shr.u32 %r2, %r2, 4;
	cvt.u64.u32 %rd0, %r2;
	or.b64 %rd0, %rd0, 0x4000004000010000;
	add.u64 %rd1, %rd0, 512;
	ld.param.u32 %r4, [count];
	setp.eq.u32 %p2, %r4, %r4;
LOOP:
	wgmma.fence.sync.aligned;
)";
  for (int k = 0; k < 4; ++k)
    text += fmt::format(
        "\tadd.u64 %rd2, %rd0, {0};\n\tadd.u64 %rd3, %rd1, {0};\n"
        "\twgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {{{1}}}, %rd2, %rd3, %p2, 1, 1, "
        "0, "
        "0;\n",
        2 * k, sums);
  return text + R"(	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	add.s32 %r4, %r4, -1;
	setp.ne.s32 %p1, %r4, 0;
	@%p1 bra LOOP;
	ret;
}
)";
}

void wgmma(benchmark::State& state) {
  Machine machine({.arch = "sm_90a"});
  const auto module = machine.load(wgmma_loop(), "wgmma");
  if (!module.ok()) return state.SkipWithError(module.error.message.c_str());
  const std::uint32_t count = 100;
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "multiply");
  request.block = {128, 1, 1};
  request.dynamic_shared_bytes = 40960;
  request.parameters = std::as_bytes(std::span(&count, 1));
  for (auto _ : state) {
    const LaunchReport report = machine.launch(request);
    if (report.error) return state.SkipWithError(report.error.message.c_str());
  }
  state.counters["FLOP"] = benchmark::Counter(2.0 * 64 * 256 * 16 * 4 * count,
                                              benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(wgmma)->Unit(benchmark::kMillisecond);

void load_module(benchmark::State& state) {
  const std::string text = kernels();
  if (text.empty()) return state.SkipWithError("no kernels: built without nvcc");
  for (auto _ : state) {
    Machine machine({.arch = "sm_80"});
    benchmark::DoNotOptimize(machine.load(text, "kernels_80.ptx"));
  }
  std::size_t lines = 0;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  state.counters["lines"] = static_cast<double>(lines);
}
BENCHMARK(load_module)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
