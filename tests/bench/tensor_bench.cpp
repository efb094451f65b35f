// SPDX-License-Identifier: MIT
// How long one warp's matrix multiplication takes, per type, accumulator and generation. Operands
// are uniform random numbers of the order of 1 (written seed); "flops" counts a multiplication and
// an addition per product. `empty` multiplies zeros, the other thing that tiles often are.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "emulator/tensor/fragments.hpp"
#include "numeric/format.hpp"
#include "tests/emulator/tensor/format_of.hpp"

using namespace lanescope::emulator;
namespace numeric = lanescope::numeric;

namespace {

struct Case {
  const char* name;
  const char* arch;
  TensorUnit unit;
  TensorShape shape;
};

using enum TensorType;
constexpr TensorUnit mma = TensorUnit::mma, wgmma = TensorUnit::wgmma;
const Case kCases[] = {
    {"m16n8k16.f32.f16", "sm_80", mma, {16, 8, 16, f16, f16, f32}},
    {"m16n8k16.f16.f16", "sm_80", mma, {16, 8, 16, f16, f16, f16}},
    {"m16n8k16.f32.bf16", "sm_80", mma, {16, 8, 16, bf16, bf16, f32}},
    {"m16n8k8.f32.tf32", "sm_80", mma, {16, 8, 8, tf32, tf32, f32}},
    {"m16n8k32.s32.s8", "sm_80", mma, {16, 8, 32, s8, s8, s32}},
    {"m16n8k32.f32.e4m3", "sm_89", mma, {16, 8, 32, e4m3, e4m3, f32}},
    {"m16n8k32.f16.e5m2", "sm_89", mma, {16, 8, 32, e5m2, e5m2, f16}},
    {"m16n8k16.f32.f16", "sm_90a", mma, {16, 8, 16, f16, f16, f32}},
    {"m16n8k16.f16.f16", "sm_90a", mma, {16, 8, 16, f16, f16, f16}},
    {"m16n8k16.f32.bf16", "sm_90a", mma, {16, 8, 16, bf16, bf16, f32}},
    {"m16n8k8.f32.tf32", "sm_90a", mma, {16, 8, 8, tf32, tf32, f32}},
    {"m16n8k32.f32.e4m3", "sm_90a", mma, {16, 8, 32, e4m3, e4m3, f32}},
    {"m64n128k16.f32.f16", "sm_90a", wgmma, {64, 128, 16, f16, f16, f32}},
    {"m64n256k16.f32.f16", "sm_90a", wgmma, {64, 256, 16, f16, f16, f32}},
    {"m64n128k16.f16.f16", "sm_90a", wgmma, {64, 128, 16, f16, f16, f16}},
    {"m64n128k8.f32.tf32", "sm_90a", wgmma, {64, 128, 8, tf32, tf32, f32}},
    {"m64n128k32.f32.e4m3", "sm_90a", wgmma, {64, 128, 32, e4m3, e4m3, f32}},
};

std::vector<std::byte> operand(TensorType type, int count, std::mt19937& random) {
  std::uniform_real_distribution<double> distribution(-2.0, 2.0);
  const auto size = static_cast<std::size_t>(storage_bytes(type));
  std::vector<std::byte> bytes(size * static_cast<std::size_t>(count));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const double value = distribution(random);
    std::uint64_t pattern = static_cast<std::uint64_t>(random());
    if (const numeric::Format* format = format_of(type)) pattern = numeric::encode(*format, value);
    if (type == f64) std::memcpy(&pattern, &value, sizeof pattern);
    std::memcpy(&bytes[at], &pattern, size);
  }
  return bytes;
}

/// Random registers of an operand, or zeros, and pointers to them.
struct Registers {
  Registers(TensorType type, int count, bool zero, std::mt19937& random)
      : bytes(zero ? std::vector<std::byte>(static_cast<std::size_t>(count) * kBytes)
                   : operand(type, count * kBytes / storage_bytes(type), random)) {
    for (int k = 0; k < count; ++k)
      rows.push_back(reinterpret_cast<std::uint32_t*>(bytes.data()) + k * kFragmentLanes);
  }
  static constexpr int kBytes = 4 * kFragmentLanes;
  std::vector<std::byte> bytes;
  std::vector<std::uint32_t*> rows;
};

void multiply_case(benchmark::State& state, const Case& entry, Host host, bool empty) {
  const TensorShape& shape = entry.shape;
  const MmaArithmetic* how = arithmetic(entry.arch, entry.unit, shape);
  std::mt19937 random(1);
  const int panels = shape.M / kPanelRows, tiles = shape.N / kTileCols, slabs = slabs_of(shape);
  const Registers a(shape.a, panels * slabs * 2, empty, random);
  const Registers b(shape.b, tiles * slabs, false, random);
  const int sums = panels * tiles * tile_registers(shape.accumulator);
  const Registers c(shape.accumulator, sums, empty, random),
      d(shape.accumulator, sums, true, random);
  const Fragments fragments{a.rows.data(), b.rows.data(), c.rows.data(), d.rows.data()};
  for (auto _ : state) {
    multiply_fragments(*how, shape, fragments, host);
    benchmark::ClobberMemory();
  }
  state.counters["flops"] = benchmark::Counter(2.0 * shape.M * shape.N * shape.K,
                                               benchmark::Counter::kIsIterationInvariantRate);
}

/// No fragment order, no vectors.
void f64_case(benchmark::State& state) {
  const TensorShape shape{8, 8, 4, f64, f64, f64};
  std::mt19937 random(1);
  const std::vector<std::byte> a = operand(f64, 32, random), b = operand(f64, 32, random);
  const std::vector<std::byte> c = operand(f64, 64, random);
  std::vector<std::byte> d = c;
  for (auto _ : state) {
    multiply_packed(*arithmetic("sm_80", mma, shape), shape, a.data(), b.data(), c.data(),
                    d.data());
    benchmark::ClobberMemory();
  }
}

void reference_case(benchmark::State& state) {
  const TensorShape shape{16, 8, 16, f16, f16, f32};
  std::mt19937 random(1);
  std::vector<std::uint32_t> a(256), b(128), c(128), d(128);
  for (std::uint32_t& pattern : a) pattern = random() % 0x4000;
  for (std::uint32_t& pattern : b) pattern = random() % 0x4000;
  for (auto _ : state) {
    multiply_reference(*arithmetic("sm_80", mma, shape), shape, a, b, c, d);
    benchmark::DoNotOptimize(d.data());
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const Host host : hosts().subspan(1)) {
    const auto add = [&](const std::string& name, const Case& entry, bool empty) {
      const std::string full =
          name + entry.name + "/" + entry.arch + "/" + std::string(lanescope::emulator::name(host));
      benchmark::RegisterBenchmark(full.c_str(), multiply_case, entry, host, empty);
    };
    for (const Case& entry : kCases) add(entry.unit == mma ? "mma." : "wgmma.", entry, false);
    add("empty.mma.", kCases[0], true);
  }
  benchmark::RegisterBenchmark("mma.m8n8k4.f64/sm_80", f64_case);
  benchmark::RegisterBenchmark("reference.mma.m16n8k16.f32.f16/sm_80", reference_case);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
