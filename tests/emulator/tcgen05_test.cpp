// SPDX-License-Identifier: MIT
// tcgen05.mma out of shared memory into tensor memory: shapes, types, swizzles, majors, against the
// integer model, and what is there before the wait. The two descriptors, where the elements lie in
// shared memory and where D lies are transcribed here a second time, from the ISA's tables and
// figures (9.7.16.4, 9.7.16.10.5); no card has been asked.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <random>

#include "emulator/machine.hpp"
#include "emulator/tensor/tensor.hpp"
#include "tests/emulator/matrix_image.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr int kSharedBytes = 64 * 1024;
constexpr std::uint32_t kFirstByte = 1024;  // of shared memory: behind the driver's
constexpr std::uint32_t kStartB = 32 * 1024;
constexpr int kLanesOfMemory = 128;

struct Product {
  const char* kind = "f16";
  TensorType a = TensorType::f16, b = TensorType::f16, d = TensorType::f32;
  int M = 128, N = 64;
  layout::Swizzle mode = layout::Swizzle::b128;
  bool a_mn = false, b_mn = false;
  bool negates_a = false, negates_b = false;
  bool adds = true;
  bool lands = true;  // D is what it should be, not what it was
  int d_lane = 0;     // where D begins
  std::string_view disabled = "";
  std::string_view commit =
      "@%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];";
  std::string_view wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra W;";
};

int bits_of(TensorType type) {
  switch (type) {
    case TensorType::f16:
    case TensorType::bf16:
      return 16;
    case TensorType::tf32:
      return 32;
    default:
      return 8;
  }
}

// Table 42, by hand.
std::uint32_t instruction(const Product& p) {
  const auto code = [](TensorType type) {
    switch (type) {
      case TensorType::bf16:
      case TensorType::e5m2:
      case TensorType::s8:
        return 1u;
      case TensorType::tf32:
        return 2u;
      default:
        return 0u;
    }
  };
  const std::uint32_t d = p.d == TensorType::f16 ? 0 : p.d == TensorType::f32 ? 1 : 2;
  return d << 4 | code(p.a) << 7 | code(p.b) << 10 | (p.negates_a ? 1u << 13 : 0) |
         (p.negates_b ? 1u << 14 : 0) | (p.a_mn ? 1u << 15 : 0) | (p.b_mn ? 1u << 16 : 0) |
         static_cast<std::uint32_t>(p.N / 8) << 17 | static_cast<std::uint32_t>(p.M / 16) << 24;
}

// Table 40, by hand.
std::uint64_t descriptor(const Product& p, std::uint32_t start, bool mn_major, int mn) {
  const Strides strides = strides_of(p.mode, mn_major, mn);
  constexpr std::uint64_t kModes[] = {0, 6, 4, 2};
  return (kFirstByte + start) >> 4 | std::uint64_t{strides.lbo >> 4} << 16 |
         std::uint64_t{strides.sbo >> 4} << 32 | std::uint64_t{1} << 46 |
         kModes[static_cast<int>(p.mode)] << 61;
}

// Figures of layouts D and F: the lane of row m.
int lane_of(const Product& p, int m) { return p.M == 128 ? m : m % 16 + m / 16 * 32 + p.d_lane; }

std::string program(const Product& p, int columns) {
  std::string text = fmt::format(
      ".version 8.6\n.target sm_100a\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n"
      ".visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out)\n{{\n"
      ".reg .b32 %r<20>, %v<8>; .reg .b64 %rd<12>; .reg .pred %p<5>;\n"
      "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out];\n"
      "mov.u32 %r1, %tid.x; mad.wide.u32 %rd4, %r1, 4, %rd1; mov.u32 %r2, sm; mad.lo.u32 %r2, %r1, "
      "4, %r2; mov.u32 %r3, 0;\nL: ld.global.u32 %r4, [%rd4]; st.shared.u32 [%r2], %r4; add.u64 "
      "%rd4, %rd4, 512; add.u32 %r2, %r2, 512; add.u32 %r3, %r3, 512; setp.lt.u32 %p1, %r3, {}; "
      "@%p1 bra L;\n"
      "mov.u32 %r5, sm; add.u32 %r6, %r5, 65032; add.u32 %r5, %r5, 65024; setp.eq.u32 %p1, %r1, 0; "
      "shr.u32 %r7, %r1, 5; "
      "setp.eq.u32 %p3, %r7, 0;\n"
      "@%p1 mbarrier.init.shared::cta.b64 [%r5], 1;\n"
      "@%p3 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r6], {};\n"
      "fence.proxy.async; bar.sync 0;\nld.shared.b32 %r8, [%r6];\n"
      "shl.b32 %r9, %r7, 21; add.u32 %r9, %r9, %r8;\n"
      "mul.lo.u32 %r10, %r1, {}; mul.wide.u32 %rd5, %r10, 4; add.u64 %rd6, %rd5, %rd3; add.u64 "
      "%rd5, %rd5, %rd2;\n",
      kSharedBytes, columns, p.N * 4 / 4);
  for (int c = 0; c < p.N; c += 8) {
    for (int k = 0; k < 8; ++k)
      text += fmt::format("ld.global.u32 %v{}, [%rd5+{}];\n", k, 4 * (c + k));
    text += fmt::format(
        "add.u32 %r11, %r9, {}; tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}};\n",
        c);
  }
  text += fmt::format(
      "tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; "
      "tcgen05.fence::after_thread_sync;\n"
      "mov.b64 %rd7, {}; mov.b64 %rd8, {}; setp.ne.u32 %p4, {}, 0; add.u32 %r12, %r8, {};\n"
      "mov.u32 %r13, 0x0; mov.u32 %r14, 0xffff0001;\n"
      "@%p1 tcgen05.mma.cta_group::1.kind::{} [%r12], %rd7, %rd8, 0x{:x}{}, %p4;\n{}\n{}\n"
      "tcgen05.fence::after_thread_sync;\n",
      descriptor(p, 0, p.a_mn, p.M), descriptor(p, kStartB, p.b_mn, p.N), p.adds ? 1 : 0,
      p.d_lane << 16, p.kind, instruction(p), p.disabled, p.commit, p.wait);
  for (int c = 0; c < p.N; c += 8) {
    text += fmt::format(
        "add.u32 %r11, %r9, {}; tcgen05.ld.sync.aligned.32x32b.x8.b32 "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}}, [%r11]; tcgen05.wait::ld.sync.aligned;\n",
        c);
    for (int k = 0; k < 8; ++k)
      text += fmt::format("st.global.u32 [%rd6+{}], %v{};\n", 4 * (c + k), k);
  }
  return text + fmt::format(
                    "bar.sync 0;\n@%p3 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r8, {};\n"
                    "ret;\n}}\n",
                    columns);
}

struct Ran {
  Error error;
  Words d;  // [lane][column]
};

Ran run(const Product& p, const std::vector<std::byte>& image, const Words& in) {
  Machine machine({.arch = "sm_100a"});
  int columns = 32;
  while (columns < p.N) columns *= 2;
  const auto module = machine.load(program(p, columns), "tcgen05");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto copy = [&](const void* from, std::size_t bytes) {
    const auto made = machine.allocate(bytes);
    std::memcpy(reinterpret_cast<void*>(made.value), from, bytes);
    return made.value;
  };
  const std::uint64_t parameters[] = {copy(image.data(), image.size()),
                                      copy(in.data(), in.size() * 4),
                                      copy(in.data(), in.size() * 4)};
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {kLanesOfMemory, 1, 1};
  request.dynamic_shared_bytes = kSharedBytes;
  request.parameters = std::as_bytes(std::span(parameters));
  Ran ran{machine.launch(request).error, Words(in.size())};
  std::memcpy(ran.d.data(), reinterpret_cast<const void*>(parameters[2]), ran.d.size() * 4);
  return ran;
}

// What each lane and column must hold afterwards, by the integer model.
Words expected_of(const Product& p, const Words& a, const Words& b, const Words& in) {
  Words expected = in;
  if (!p.lands) return expected;
  const int bits = bits_of(p.a), K = 256 / bits;
  const TensorShape shape{1, 1, K, p.a, p.b, p.d};
  const MmaArithmetic* how = arithmetic("sm_100a", TensorUnit::tcgen05, shape);
  REQUIRE(how != nullptr);
  const std::uint32_t sign = 1u << (bits - 1), mask = p.d == TensorType::f16 ? 0xffff : ~0u;
  for (int m = 0; m < p.M; ++m) {
    const int lane = lane_of(p, m);
    if (!p.disabled.empty() && (lane == 32 || lane >= 48) && lane < 64) continue;
    for (int n = 0; n < p.N; ++n) {
      Words row(a.begin() + m * K, a.begin() + (m + 1) * K);
      Words col(b.begin() + n * K, b.begin() + (n + 1) * K);
      for (std::uint32_t& value : row) value ^= p.negates_a ? sign : 0;
      for (std::uint32_t& value : col) value ^= p.negates_b ? sign : 0;
      std::uint32_t& d = expected[static_cast<std::size_t>(lane * p.N + n)];
      const Words c{p.adds ? d & mask : 0};
      Words sum(1);
      multiply_reference(*how, shape, row, col, c, sum);
      d = (d & ~mask) | sum[0];
    }
  }
  return expected;
}

void check(const Product& p, unsigned seed) {
  CAPTURE(p.kind);
  CAPTURE(p.M);
  CAPTURE(p.N);
  CAPTURE(static_cast<int>(p.mode));
  const int bits = bits_of(p.a), K = 256 / bits;
  std::mt19937 random(seed);
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  Words a(static_cast<std::size_t>(p.M * K)), b(static_cast<std::size_t>(p.N * K));
  Words in(static_cast<std::size_t>(kLanesOfMemory * p.N));
  for (Words* all : {&a, &b})
    for (std::uint32_t& value : *all) value = static_cast<std::uint32_t>(random()) & mask;
  for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random());
  std::vector<std::byte> image(kSharedBytes);
  store(image, 0, a, p.M, K, bits, p.mode, p.a_mn);
  store(image, kStartB, b, p.N, K, bits, p.mode, p.b_mn);
  const Ran ran = run(p, image, in);
  REQUIRE_MESSAGE(!ran.error, ran.error.message);
  CHECK(ran.d == expected_of(p, a, b, in));
}

TEST_CASE("tcgen05.mma: shapes and types of .kind::f16") {
  for (const int M : {64, 128})
    for (const int N : {16, 40, 48, 256}) {
      if (M == 128 && N == 40) continue;
      check({.M = M, .N = N}, 1);
      check({.d = TensorType::f16, .M = M, .N = N}, 2);
      check({.a = TensorType::bf16, .b = TensorType::bf16, .M = M, .N = N}, 3);
    }
}

TEST_CASE("tcgen05.mma: every swizzle mode, either major") {
  for (const auto mode :
       {layout::Swizzle::none, layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128})
    for (int majors = 0; majors < 4; ++majors)
      check({.M = majors == 3 ? 64 : 128,
             .mode = mode,
             .a_mn = (majors & 1) != 0,
             .b_mn = (majors & 2) != 0},
            4);
}

TEST_CASE("tcgen05.mma: signs, and D = A*B without what D held") {
  check({.N = 16, .negates_a = true}, 5);
  check({.N = 16, .negates_b = true}, 6);
  check({.N = 16, .adds = false}, 7);
  check({.d = TensorType::f16, .N = 16, .adds = false}, 8);
}

TEST_CASE("tcgen05.mma: with M 64 D may lie in the upper lanes of each warp") {
  check({.M = 64, .N = 16, .d_lane = 16}, 9);
}

TEST_CASE("tcgen05.mma: lanes that are disabled keep what they had") {
  check({.N = 16, .disabled = ", {%r13, %r14, %r13, %r13}"}, 14);
  check({.d = TensorType::f16, .M = 64, .N = 16, .disabled = ", {%r13, %r14, %r13, %r13}"}, 15);
}

TEST_CASE("D in tensor memory is what it was until somebody waits for the commit") {
  check({.N = 16, .lands = false, .wait = ""}, 10);
  check({.N = 16, .lands = false, .commit = "", .wait = ""}, 11);
  check({.N = 16, .lands = false, .wait = "bar.sync 0;"}, 12);
  // A commit of another thread than the one that multiplied stands for nothing.
  check({.N = 16,
         .lands = false,
         .commit = "setp.eq.u32 %p2, %r1, 1; @%p2 "
                   "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];",
         .wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra W;"},
        13);
}

}  // namespace
}  // namespace lanescope::emulator::test
