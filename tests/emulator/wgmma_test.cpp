// SPDX-License-Identifier: MIT
// wgmma: every type with A from registers and from shared memory, every swizzle mode, both majors,
// against the integer model. Where the elements lie in shared memory is matrix_image.hpp's, a
// second transcription.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <random>

#include "emulator/decode/wgmma.hpp"
#include "emulator/machine.hpp"
#include "layout/descriptor.hpp"
#include "layout/instruction.hpp"
#include "tests/emulator/matrix_image.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr int kSharedBytes = 64 * 1024;
constexpr std::uint32_t kFirstByte = 1024;  // of shared memory: behind the driver's
constexpr std::uint32_t kStartB = 32 * 1024;

struct Form {
  layout::Swizzle mode = layout::Swizzle::b128;
  bool a_in_registers = false;
  bool a_mn = false, b_mn = false;
  bool negates = false;
  bool adds = true;
  bool lands = true;  // D is what it should be, not what it was
  std::string_view target = "sm_90a";
  std::string_view end = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
};

std::string registers(const char* name, int count) {
  std::string all;
  for (int r = 0; r < count; ++r) all += fmt::format("{}%{}{}", r == 0 ? "" : ", ", name, r);
  return "{" + all + "}";
}

std::string program(const layout::Instruction& entry, const Form& form, bool scales,
                    std::uint64_t a, std::uint64_t b) {
  const int count = entry.D.registers(), a_count = entry.A.registers();
  std::string text = fmt::format(
      ".version 8.4\n.target {}\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n"
      ".visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out)\n{{\n"
      ".reg .b32 %d<{}>, %a<{}>, %r<8>; .reg .b64 %rd<12>; .reg .pred %p<4>;\n"
      "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out];\n"
      "mov.u32 %r1, %tid.x; mad.wide.u32 %rd4, %r1, 4, %rd1; mov.u32 %r2, sm; mad.lo.u32 %r2, %r1, "
      "4, %r2; mov.u32 %r3, 0;\nL: ld.global.u32 %r4, [%rd4]; st.shared.u32 [%r2], %r4; add.u64 "
      "%rd4, %rd4, 512; add.u32 %r2, %r2, 512; add.u32 %r3, %r3, 512; setp.lt.u32 %p1, %r3, {}; "
      "@%p1 bra L;\nfence.proxy.async; bar.sync 0;\nmad.wide.u32 %rd5, %r1, 4, %rd2; mad.wide.u32 "
      "%rd6, %r1, 4, %rd3;\n",
      form.target, count, a_count, kSharedBytes);
  for (int r = 0; r < count; ++r)
    text += fmt::format("ld.global.u32 %d{}, [%rd5+{}];\n", r, 512 * r);
  for (int r = 0; r < a_count; ++r)
    text += fmt::format("ld.global.u32 %a{}, [%rd5+{}];\n", r, 512 * (count + r));
  text += fmt::format("mov.b64 %rd7, {}; mov.b64 %rd8, {}; setp.ne.u32 %p2, {}, 0;\n", a, b,
                      form.adds ? 1 : 0);
  text += fmt::format("wgmma.fence.sync.aligned;\n{} {}, {}, %rd8, %p2", entry.mnemonic,
                      registers("d", count),
                      form.a_in_registers ? registers("a", a_count) : std::string("%rd7"));
  if (scales) text += form.negates ? ", -1, 1" : ", 1, 1";
  if (entry.A.element_bits == 16)
    text += fmt::format("{}, {}",
                        form.a_in_registers ? ""
                        : form.a_mn         ? ", 1"
                                            : ", 0",
                        form.b_mn ? 1 : 0);
  text += fmt::format(";\n{}\n", form.end);
  for (int r = 0; r < count; ++r)
    text += fmt::format("st.global.u32 [%rd6+{}], %d{};\n", 512 * r, r);
  return text + "ret;\n}\n";
}

// Registers [register][128 threads] to a row-major matrix.
Words elements_of(const layout::Fragment& fragment, const std::uint32_t* words) {
  Words matrix(static_cast<std::size_t>(fragment.rows * fragment.cols));
  const std::uint64_t mask = (std::uint64_t{1} << fragment.element_bits) - 1;
  for (const layout::Held& held : layout::register_layout(fragment))
    matrix[static_cast<std::size_t>(held.element.row * fragment.cols + held.element.col)] =
        static_cast<std::uint32_t>(
            (words[held.holder.register_index * 128 + held.holder.thread] >> held.holder.bit) &
            mask);
  return matrix;
}

void check_on(Host host, const layout::Instruction& entry, const Form& form, unsigned seed) {
  CAPTURE(entry.mnemonic);
  CAPTURE(name(host));
  WgmmaPlan plan;
  REQUIRE(plan_wgmma(entry, "sm_90a", false, plan) == "");
  const int bits = entry.A.element_bits, N = entry.N, K = entry.K;
  std::mt19937 random(seed);
  const std::uint32_t mask = bits == 32 ? 0xffffffffu : (1u << bits) - 1;
  Words a(static_cast<std::size_t>(64 * K)), b(static_cast<std::size_t>(N * K));
  for (Words* all : {&a, &b})
    for (std::uint32_t& value : *all) value = static_cast<std::uint32_t>(random()) & mask;
  std::vector<std::byte> image(kSharedBytes);
  store(image, 0, a, 64, K, bits, form.mode, form.a_mn);
  store(image, kStartB, b, N, K, bits, form.mode, form.b_mn);
  const auto descriptor = [&](std::uint32_t start, bool mn_major, int mn) {
    const Strides strides = strides_of(form.mode, mn_major, mn);
    return layout::encode({kFirstByte + start, strides.lbo, strides.sbo, 0, form.mode});
  };
  Words in(static_cast<std::size_t>((entry.D.registers() + entry.A.registers()) * 128));
  for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random());
  if (form.a_in_registers) a = elements_of(entry.A, in.data() + entry.D.registers() * 128);
  const Words c =
      form.adds ? elements_of(entry.D, in.data()) : Words(static_cast<std::size_t>(64 * N), 0);

  const bool scales = plan.shape.accumulator != TensorType::s32;
  if (form.negates && scales)
    for (std::uint32_t& value : a) value ^= 1u << (bits - 1);
  Words turned(b.size()), expected(c.size());
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < K; ++k)
      turned[static_cast<std::size_t>(k * N + n)] = b[static_cast<std::size_t>(n * K + k)];
  multiply_reference(*plan.arithmetic, plan.shape, a, turned, c, expected);

  Machine machine({.host = host});
  const auto module = machine.load(
      program(entry, form, scales, descriptor(0, form.a_mn, 64), descriptor(kStartB, form.b_mn, N)),
      entry.mnemonic);
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
  request.block = {128, 1, 1};
  request.dynamic_shared_bytes = kSharedBytes;
  request.parameters = std::as_bytes(std::span(parameters));
  const LaunchReport report = machine.launch(request);
  REQUIRE_MESSAGE(!report.error, report.error.message);
  Words found(static_cast<std::size_t>(entry.D.registers() * 128));
  std::memcpy(found.data(), reinterpret_cast<const void*>(parameters[2]), found.size() * 4);
  const Words d = elements_of(entry.D, found.data());
  if (form.lands)
    CHECK_MESSAGE(d == expected, entry.mnemonic);
  else
    CHECK_MESSAGE(d == c, entry.mnemonic);
  CHECK((report.warning == "") == form.lands);
  if (!form.lands)
    CHECK(
        report.warning.find("nobody waited for them before the warp ended, kernel k, CTA (0,0,0), "
                            "warp 0, PTX line ") != std::string::npos);
}

// The baseline computes by the model, which is what the others are compared with.
void check(const layout::Instruction& entry, const Form& form, unsigned seed) {
  for (const Host host : hosts().size() > 1 ? hosts().subspan(1) : hosts())
    check_on(host, entry, form, seed);
}

const layout::Instruction& find(std::string_view mnemonic) {
  const layout::Instruction* found = layout::find(mnemonic);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("every type of wgmma, A from registers and from shared memory") {
  int checked = 0;
  for (const layout::Instruction& entry : layout::instructions()) {
    if (entry.family != "wgmma" || (entry.N != 8 && entry.N != 24 && entry.N != 256)) continue;
    if (entry.N == 256 && entry.D.type == layout::ElementType::f16) continue;
    check(entry, {}, 1);
    check(entry, {.a_in_registers = true}, 2);
    checked += 2;
  }
  MESSAGE("checked " << checked << " forms");
  CHECK(checked > 50);
}

TEST_CASE("every swizzle mode of every element size, K-major") {
  for (const char* type : {"m64n40k16.f32.f16.f16", "m64n40k8.f32.tf32.tf32", "m64n48k32.s32.s8.u8",
                           "m64n40k32.f32.e4m3.e5m2", "m64n32k256.s32.b1.b1.and.popc"})
    for (const auto mode :
         {layout::Swizzle::none, layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128})
      check(find(fmt::format("wgmma.mma_async.sync.aligned.{}", type)), {.mode = mode}, 3);
}

TEST_CASE("MN-major, every mode, either operand") {
  const auto& entry = find("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16");
  for (const auto mode :
       {layout::Swizzle::none, layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128}) {
    check(entry, {.mode = mode, .a_mn = true}, 4);
    check(entry, {.mode = mode, .b_mn = true}, 5);
    check(entry, {.mode = mode, .a_mn = true, .b_mn = true}, 6);
    check(entry, {.mode = mode, .a_in_registers = true, .b_mn = true}, 7);
  }
}

TEST_CASE("negated operands, and D = A*B without what D held") {
  check(find("wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16"), {.negates = true}, 8);
  check(find("wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32"), {.negates = true}, 9);
  check(find("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16"), {.adds = false}, 10);
}

TEST_CASE("D is in flight until a wait covers the group") {
  const auto& entry = find("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16");
  const auto ends = [&](std::string_view end, bool lands) {
    check(entry, {.lands = lands, .end = end}, 11);
  };
  ends("", false);
  ends("wgmma.commit_group.sync.aligned;", false);
  ends("wgmma.wait_group.sync.aligned 0;", false);  // of no group
  ends("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;", false);
  ends(
      "wgmma.commit_group.sync.aligned; wgmma.commit_group.sync.aligned; "
      "wgmma.wait_group.sync.aligned 1;",
      true);
  // A compiler's copy of every register in flight: ptxas would wait for it.
  ends("wgmma.commit_group.sync.aligned; mov.b32 %r5, %d0;", true);
  // Its way of taking sums of f16 apart before the wait, as Triton has it.
  ends(".reg .b16 %low, %high; wgmma.commit_group.sync.aligned; mov.b32 {%low, %high}, %d0;", true);
  ends(".reg .b16 %low, %high; wgmma.commit_group.sync.aligned; mov.b32 {%low, %high}, %r5;",
       false);
}

// ptxas waits behind each wgmma of such a function.
TEST_CASE("D that lies in local memory, and D of nvcc -G, is not in flight") {
  const auto& entry = find("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16");
  check(entry, {.end = ".local .b32 array[4]; st.local.b32 [array+4], %d3;"}, 12);
  check(entry, {.end = ".local .v4 .b32 all; st.local.v4.b32 [all], {%d0, %r3, %d1, %r3};"}, 13);
  check(entry, {.target = "sm_90a, debug", .end = ""}, 14);
  check(entry, {.lands = false, .end = ".local .b32 other; st.local.b32 [other], %r3;"}, 15);
}

}  // namespace lanescope::emulator::test
