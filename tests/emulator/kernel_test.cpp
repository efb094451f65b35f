// SPDX-License-Identifier: MIT
// Kernels compiled by nvcc (kernels.cu), in several ways, against a reference that multiplies whole
// matrices block after block with the integer model of the tensor cores: every bit must agree.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <random>

#include "emulator/machine.hpp"
#include "emulator/tensor/tensor.hpp"
#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"

namespace lanescope::emulator::test {
namespace {

struct Build {
  std::string_view file;
  std::string_view arch;  // that it runs on
};
constexpr Build kBuilds[] = {{"kernels_80.ptx", "sm_80"},
                             {"kernels_80.ptx", "sm_90a"},
                             {"kernels_80_debug.ptx", "sm_80"},
                             {"kernels_90a.ptx", "sm_90a"}};

std::filesystem::path ptx_file(std::string_view file) {
  return tests::build_folder() / "tests/emulator" / file;
}

struct Bytes {
  std::vector<std::byte> all;
  template <class T>
  void add(T value) {
    all.resize((all.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    all.insert(all.end(), from, from + sizeof(T));
  }
};

// One kernel of one build, with device copies of host vectors.
class Session {
 public:
  Session(const Build& build, int threads = 1)
      : machine_({.arch = std::string(build.arch), .threads = threads}) {
    const std::string text = tests::contents_of(ptx_file(build.file));
    REQUIRE_MESSAGE(!text.empty(), build.file);
    const auto module = machine_.load(text, build.file);
    REQUIRE_MESSAGE(module.ok(), module.error.message);
    module_ = module.value;
  }
  bool has(std::string_view kernel) const {
    return machine_.find_kernel(module_, kernel) != nullptr;
  }
  template <class T>
  std::uint64_t copy(const std::vector<T>& host) {
    const auto made = machine_.allocate(host.size() * sizeof(T));
    REQUIRE(made.ok());
    std::memcpy(reinterpret_cast<void*>(made.value), host.data(), host.size() * sizeof(T));
    return made.value;
  }
  std::vector<std::uint32_t> read(std::uint64_t address, std::size_t words) {
    std::vector<std::uint32_t> host(words);
    std::memcpy(host.data(), reinterpret_cast<const void*>(address), words * 4);
    return host;
  }
  void launch(std::string_view kernel, std::array<int, 3> grid, int threads,
              const Bytes& parameters, int shared_bytes = 0) {
    LaunchRequest request;
    request.kernel = machine_.find_kernel(module_, kernel);
    REQUIRE(request.kernel != nullptr);
    request.grid = grid;
    request.block = {threads, 1, 1};
    request.dynamic_shared_bytes = shared_bytes;
    request.parameters = parameters.all;
    const LaunchReport report = machine_.launch(request);
    REQUIRE_MESSAGE(!report.error, report.error.message);
    CHECK(report.warp_instructions > 0);
  }

 private:
  Machine machine_;
  ModuleId module_ = 0;
};

using Words = std::vector<std::uint32_t>;

Words random_elements(const numeric::Format& format, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-4.0, 4.0);
  Words made(count);
  for (std::uint32_t& element : made) element = numeric::encode(format, value(random));
  return made;
}

std::vector<std::uint16_t> narrow(const Words& words) { return {words.begin(), words.end()}; }

// D of M x N from A (M x K) and Bt (N x K), 16 of K at a time, as the kernels do.
Words reference(std::string_view arch, const Words& a, const Words& bt, int M, int N, int K) {
  const TensorShape shape{16, 8, 16, TensorType::f16, TensorType::f16, TensorType::f32};
  const MmaArithmetic* how = arithmetic(arch, TensorUnit::mma, shape);
  REQUIRE(how != nullptr);
  Words d(static_cast<std::size_t>(M * N));
  for (int row0 = 0; row0 < M; row0 += 16) {
    for (int col0 = 0; col0 < N; col0 += 8) {
      Words tile(16 * 8, 0), ta(16 * 16), tb(16 * 8);
      for (int k0 = 0; k0 < K; k0 += 16) {
        for (int r = 0; r < 16; ++r)
          for (int k = 0; k < 16; ++k)
            ta[static_cast<std::size_t>(r * 16 + k)] =
                row0 + r < M && k0 + k < K ? a[static_cast<std::size_t>((row0 + r) * K + k0 + k)]
                                           : 0;
        for (int k = 0; k < 16; ++k)
          for (int c = 0; c < 8; ++c)
            tb[static_cast<std::size_t>(k * 8 + c)] =
                col0 + c < N && k0 + k < K ? bt[static_cast<std::size_t>((col0 + c) * K + k0 + k)]
                                           : 0;
        multiply_reference(*how, shape, ta, tb, tile, tile);
      }
      for (int r = 0; r < 16 && row0 + r < M; ++r)
        for (int c = 0; c < 8 && col0 + c < N; ++c)
          d[static_cast<std::size_t>((row0 + r) * N + col0 + c)] =
              tile[static_cast<std::size_t>(r * 8 + c)];
    }
  }
  return d;
}

// Matrix elements into registers [register][lane], by the atlas.
Words to_registers(const layout::Fragment& fragment, const Words& matrix) {
  Words registers(static_cast<std::size_t>(fragment.registers()) * 32, 0);
  for (const layout::Held& held : layout::register_layout(fragment))
    registers[static_cast<std::size_t>(held.holder.register_index * 32 + held.holder.thread)] |=
        matrix[static_cast<std::size_t>(held.element.row * fragment.cols + held.element.col)]
        << held.holder.bit;
  return registers;
}

void check_registers(const Build& build, std::string_view kernel, std::string_view mnemonic,
                     const numeric::Format& format, TensorType type) {
  Session session(build);
  if (!session.has(kernel)) return;
  const layout::Instruction* entry = layout::find(mnemonic);
  REQUIRE(entry != nullptr);
  const TensorShape shape{entry->M, entry->N, entry->K, type, type, TensorType::f32};
  const auto a = random_elements(format, static_cast<std::size_t>(entry->M * entry->K), 1);
  const auto b = random_elements(format, static_cast<std::size_t>(entry->K * entry->N), 2);
  const auto c = random_elements(numeric::kF32, static_cast<std::size_t>(entry->M * entry->N), 3);
  Words d(c.size());
  multiply_reference(*arithmetic(build.arch, TensorUnit::mma, shape), shape, a, b, c, d);
  const std::uint64_t out = session.copy(Words(4 * 32, 0x7fc00000));
  Bytes parameters;
  parameters.add(session.copy(to_registers(entry->A, a)));
  parameters.add(session.copy(to_registers(entry->B, b)));
  parameters.add(session.copy(to_registers(entry->C, c)));
  parameters.add(out);
  session.launch(kernel, {1, 1, 1}, 32, parameters);
  CHECK(session.read(out, 4 * 32) == to_registers(entry->D, d));
}

// Only a build without nvcc may do without them.
bool has_kernels() {
  const bool found = std::filesystem::exists(ptx_file("kernels_80.ptx"));
#ifdef LANESCOPE_TEST_KERNELS
  REQUIRE(found);
#endif
  if (!found) MESSAGE("built without nvcc: no kernels");
  return found;
}

}  // namespace

TEST_CASE("mma straight from registers: f16, bf16, e4m3") {
  if (!has_kernels()) return;
  for (const Build& build : kBuilds) {
    CAPTURE(build.file);
    check_registers(build, "registers_f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                    numeric::kF16, TensorType::f16);
    check_registers(build, "registers_bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                    numeric::kBf16, TensorType::bf16);
    check_registers(build, "registers_e4m3", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
                    numeric::kE4m3, TensorType::e4m3);
  }
  CHECK(Session({"kernels_90a.ptx", "sm_90a"}).has("registers_e4m3"));
}

TEST_CASE("cp.async, ldmatrix and mma in one warp") {
  if (!has_kernels()) return;
  for (const Build& build : kBuilds) {
    CAPTURE(build.file);
    Session session(build);
    const Words a = random_elements(numeric::kF16, 16 * 16, 4);
    const Words b = random_elements(numeric::kF16, 8 * 16, 5);
    const std::uint64_t out = session.copy(Words(16 * 8, 0x7fc00000));
    Bytes parameters;
    parameters.add(session.copy(narrow(a)));
    parameters.add(session.copy(narrow(b)));
    parameters.add(out);
    session.launch("chain", {1, 1, 1}, 32, parameters);
    CHECK(session.read(out, 16 * 8) == reference(build.arch, a, b, 16, 8, 16));
  }
}

TEST_CASE("a warp a tile with ragged edges") {
  if (!has_kernels()) return;
  constexpr int kM = 37, kN = 21, kK = 40;
  for (const Build& build : kBuilds) {
    CAPTURE(build.file);
    Session session(build);
    const Words a = random_elements(numeric::kF16, kM * kK, 6);
    const Words b = random_elements(numeric::kF16, kN * kK, 7);
    const std::uint64_t out = session.copy(Words(kM * kN, 0x7fc00000));
    Bytes parameters;
    parameters.add(session.copy(narrow(a)));
    parameters.add(session.copy(narrow(b)));
    parameters.add(out);
    for (const int size : {kM, kN, kK}) parameters.add(size);
    session.launch("ragged_hgemm", {(kN + 7) / 8, (kM + 15) / 16, 1}, 32, parameters);
    CHECK(session.read(out, kM * kN) == reference(build.arch, a, b, kM, kN, kK));
  }
}

TEST_CASE("several stages in flight, on one thread and on two") {
  if (!has_kernels()) return;
  constexpr int kM = 128, kN = 256, kK = 96;
  for (const int threads : {1, 2}) {
    Session session({"kernels_80.ptx", "sm_80"}, threads);
    const Words a = random_elements(numeric::kF16, kM * kK, 8);
    const Words b = random_elements(numeric::kF16, kN * kK, 9);
    const std::uint64_t out = session.copy(Words(kM * kN, 0x7fc00000));
    Bytes parameters;
    parameters.add(session.copy(narrow(a)));
    parameters.add(session.copy(narrow(b)));
    parameters.add(out);
    parameters.add(kN);
    parameters.add(kK);
    session.launch("staged_hgemm", {kN / 128, kM / 128, 1}, 256, parameters, 3 * 2 * 128 * 40 * 2);
    CHECK(session.read(out, kM * kN) == reference("sm_80", a, b, kM, kN, kK));
  }
}

namespace {
struct Seen {
  std::vector<std::string> texts;
  std::vector<std::uint32_t> active;
};
}  // namespace

TEST_CASE("an observer sees the instructions of its CTA, and only those") {
  Machine machine({});
  const auto module = machine.load(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
	.reg .pred %p<2>;
	.reg .b32 %r<3>;
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 4;
	@%p1 add.u32 %r2, %r1, 1;
	@!%p1 bra END;
	mov.u32 %r2, 5;
END:
	ret;
})",
                                   "k");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  Seen seen;
  Observer observer;
  observer.context = &seen;
  observer.block = {1, 0, 0};
  observer.executed = [](void* context, const ExecutedInstruction& step) {
    auto& all = *static_cast<Seen*>(context);
    CHECK(step.block == std::array<int, 3>{1, 0, 0});
    all.texts.emplace_back(step.text);
    all.active.push_back(step.active);
  };
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.grid = {3, 1, 1};
  request.block = {32, 1, 1};
  request.observer = &observer;
  const LaunchReport report = machine.launch(request);
  REQUIRE(!report.error);
  CHECK(seen.texts == std::vector<std::string>{"mov.u32 %r1, %tid.x", "setp.lt.u32 %p1, %r1, 4",
                                               "@%p1 add.u32 %r2, %r1, 1", "@!%p1 bra END",
                                               "mov.u32 %r2, 5", "ret"});
  CHECK(seen.active == std::vector<std::uint32_t>{~0u, ~0u, 0xf, 0xfffffff0, 0xf, ~0u});
}

}  // namespace lanescope::emulator::test
