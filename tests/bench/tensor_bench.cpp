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

#include "emulator/tensor/tensor.hpp"
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
    {"m8n8k4.f64", "sm_80", mma, {8, 8, 4, f64, f64, f64}},
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

void multiply_case(benchmark::State& state, const Case& entry, bool empty) {
  const TensorShape& shape = entry.shape;
  const MmaArithmetic* how = arithmetic(entry.arch, entry.unit, shape);
  std::mt19937 random(1);
  std::vector<std::byte> a = operand(shape.a, shape.M * shape.K, random);
  const std::vector<std::byte> b = operand(shape.b, shape.K * shape.N, random);
  std::vector<std::byte> c = operand(shape.accumulator, shape.M * shape.N, random);
  if (empty) {
    a.assign(a.size(), std::byte{0});
    c.assign(c.size(), std::byte{0});
  }
  std::vector<std::byte> d = c;
  for (auto _ : state) {
    multiply_packed(*how, shape, a.data(), b.data(), c.data(), d.data());
    benchmark::DoNotOptimize(d.data());
    benchmark::ClobberMemory();
  }
  state.counters["flops"] = benchmark::Counter(2.0 * shape.M * shape.N * shape.K,
                                               benchmark::Counter::kIsIterationInvariantRate);
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
  for (const Case& entry : kCases) {
    const std::string name = std::string(entry.unit == mma ? "mma." : "wgmma.") + entry.name;
    benchmark::RegisterBenchmark((name + "/" + entry.arch).c_str(), multiply_case, entry, false);
  }
  benchmark::RegisterBenchmark("empty.mma.m16n8k16.f32.f16/sm_90a", multiply_case, kCases[8], true);
  benchmark::RegisterBenchmark("reference.mma.m16n8k16.f32.f16/sm_80", reference_case);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
