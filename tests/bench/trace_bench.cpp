// SPDX-License-Identifier: MIT
// Reading and writing 50 MB of trace: fragments (long lines of words) and steps (what a stepped run
// of the emulator is made of). The budget is 1 s for reading 50 MB on a 2-core 2.6 GHz machine.
#include <benchmark/benchmark.h>

#include <random>

#include "trace/diff.hpp"
#include "trace/file.hpp"
#include "trace/line.hpp"
#include "trace/reader.hpp"

using namespace lanescope::trace;

namespace {

constexpr std::size_t kTextBytes = 50'000'000;

std::vector<std::uint64_t> random_lanes(std::mt19937& random) {
  std::vector<std::uint64_t> lanes(32);
  for (std::uint64_t& lane : lanes) lane = random();
  return lanes;
}

Fragment fragment(std::mt19937& random, int number) {
  Fragment f;
  f.place.block[0] = number;
  f.name = "A";
  f.instruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  f.operand = "A";
  for (int r = 0; r < 4; ++r) f.registers.push_back(random_lanes(random));
  f.source = {"lesson.cu", 41};
  return f;
}

Step step(std::mt19937& random, int number) {
  Step s;
  s.step = number;
  s.ptx = "mad.lo.s32 %r12, %r3, %r4, %r5;";
  s.ptx_line = number % 400;
  s.source = {"lesson.cu", number % 60};
  s.writes.push_back({"%r12", "offset", 32, random_lanes(random)});
  return s;
}

template <class Make>
Trace filled(const Make& make) {
  Trace trace;
  trace.header = {kVersion, "emulator", "Lanescope emulator", "sm_90a", "bench", ""};
  std::mt19937 random(1);
  const std::size_t line_bytes = to_line(Event{make(random, 0)}).size() + 1;
  for (std::size_t i = 0; i < kTextBytes / line_bytes; ++i)
    trace.events.push_back(make(random, static_cast<int>(i)));
  return trace;
}

Trace trace_of(std::int64_t kind) { return kind == 0 ? filled(fragment) : filled(step); }

void read_text(benchmark::State& state) {
  const std::string text = to_text(trace_of(state.range(0)));
  const std::string bytes = state.range(1) == 0 ? text : compress(text);
  for (auto _ : state) {
    const ReadResult result = read_bytes(bytes);
    if (!result.ok()) state.SkipWithError("the trace is refused");
    benchmark::DoNotOptimize(result.trace.events.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_text)
    ->ArgNames({"steps", "zst"})
    ->ArgsProduct({{0, 1}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

void write_text(benchmark::State& state) {
  const Trace trace = trace_of(state.range(0));
  std::size_t bytes = 0;
  for (auto _ : state) bytes = to_text(trace).size();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}
BENCHMARK(write_text)->ArgNames({"steps"})->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void compare(benchmark::State& state) {
  const Trace a = trace_of(state.range(0));
  const Trace b = a;
  for (auto _ : state) benchmark::DoNotOptimize(first_difference(a, b).has_value());
}
BENCHMARK(compare)->ArgNames({"steps"})->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
