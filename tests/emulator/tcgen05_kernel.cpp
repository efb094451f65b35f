// SPDX-License-Identifier: MIT
// See tcgen05_parts.hpp: the kernel of a product. The two descriptors are transcribed here a second
// time, from the ISA's tables (9.7.16.4); no card has been asked.
#include <fmt/format.h>

#include "tests/emulator/tcgen05_parts.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr std::uint32_t kFirstByte = 1024;  // of shared memory: behind the driver's

// Tables 42, and 43 and 44, by hand.
std::uint32_t instruction(const Product& p) {
  const auto code = [](TensorType type) {
    switch (type) {
      case TensorType::bf16:
      case TensorType::e5m2:
      case TensorType::s8:
        return 1u;
      case TensorType::tf32:
        return 2u;
      case TensorType::e2m3:
        return 3u;
      case TensorType::e3m2:
        return 4u;
      case TensorType::e2m1:
        return 5u;
      default:
        return 0u;
    }
  };
  const std::uint32_t both = (p.negates_a ? 1u << 13 : 0) | (p.negates_b ? 1u << 14 : 0) |
                             (p.a_mn ? 1u << 15 : 0) | (p.b_mn ? 1u << 16 : 0) |
                             static_cast<std::uint32_t>(p.N / 8) << 17;
  if (p.vectors > 0)
    return both | static_cast<std::uint32_t>(p.b_byte) << 4 |
           (has_two_a_byte(p) ? 1u << 7 | 1u << 10 : code(p.a) << 7 | code(p.b) << 10) |
           (p.ue4m3 ? 0 : 1u << 23) | static_cast<std::uint32_t>(p.M / 128) << 27 |
           static_cast<std::uint32_t>(p.a_byte) << 29 | (p.sparse ? 4u : 0u);
  const std::uint32_t d = p.d == TensorType::f16 ? 0 : p.d == TensorType::f32 ? 1 : 2;
  return both | (p.sparse ? 4u | static_cast<std::uint32_t>(p.selector) : 0u) |
         (p.saturates ? 1u << 3 : 0) | d << 4 | code(p.a) << 7 | code(p.b) << 10 |
         static_cast<std::uint32_t>(p.M / 16) << 24;
}

// Table 40, by hand.
std::uint64_t descriptor(const Product& p, std::uint32_t start, bool mn_major, int mn, int k) {
  Strides strides = strides_of(p.mode, mn_major, mn, k);
  const bool is_wide = mn_major && p.a == TensorType::tf32;  // mode 1
  if (is_wide) strides = {512, static_cast<std::uint32_t>(mn / 32 * 512)};
  constexpr std::uint64_t kModes[] = {0, 6, 4, 2};
  return (kFirstByte + start) >> 4 | std::uint64_t{strides.lbo >> 4} << 16 |
         std::uint64_t{strides.sbo >> 4} << 32 | std::uint64_t{1} << 46 |
         (is_wide ? 1 : kModes[static_cast<int>(p.mode)]) << 61;
}

}  // namespace

std::string kernel_of(const Product& p, int columns) {
  std::string text = fmt::format(
      ".version 8.8\n.target sm_100a\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n"
      ".visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out)\n{{\n"
      ".reg .b32 %r<22>, %v<8>; .reg .b64 %rd<12>; .reg .pred %p<7>; .reg .b16 %h<2>;\n"
      "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out];\n"
      // Each CTA of a pair has its own image and its own lanes; each pair writes its own results.
      "mov.u32 %r16, %cluster_ctarank; and.b32 %r17, %r16, 1; mad.wide.u32 %rd1, %r17, {6}, %rd1; "
      "mad.wide.u32 %rd2, %r17, {3}, %rd2; mad.wide.u32 %rd3, %r16, {3}, %rd3; and.b32 %r18, %r16, "
      "2; shl.b32 %r18, 3, %r18; cvt.u16.u32 %h1, %r18;\n"
      "mov.u32 %r1, %tid.x; mad.wide.u32 %rd4, %r1, 4, %rd1; mov.u32 %r2, sm; mad.lo.u32 %r2, %r1, "
      "4, %r2; mov.u32 %r3, 0;\nL: ld.global.u32 %r4, [%rd4]; st.shared.u32 [%r2], %r4; add.u64 "
      "%rd4, %rd4, 512; add.u32 %r2, %r2, 512; add.u32 %r3, %r3, 512; setp.lt.u32 %p1, %r3, {0}; "
      "@%p1 bra L;\n"
      "mov.u32 %r5, sm; add.u32 %r6, %r5, 65032; add.u32 %r5, %r5, 65024; setp.eq.u32 %p5, %r1, 0; "
      "shr.u32 %r7, %r1, 5; "
      "setp.eq.u32 %p3, %r7, 0; setp.eq.and.u32 %p1, %r17, {4}, %p5;\n"
      "@%p5 mbarrier.init.shared::cta.b64 [%r5], 1;\n"
      "@%p3 tcgen05.alloc.cta_group::{5}.sync.aligned.shared::cta.b32 [%r6], {1};\n"
      "fence.proxy.async; bar.sync 0;\nld.shared.b32 %r8, [%r6];\n"
      "shl.b32 %r9, %r7, 21; add.u32 %r9, %r9, %r8;\n"
      "mul.lo.u32 %r10, %r1, {2}; mul.wide.u32 %rd5, %r10, 4; add.u64 %rd6, %rd5, %rd3; add.u64 "
      "%rd5, %rd5, %rd2;\n",
      kSharedBytes, columns, p.N, kLanesOfMemory * p.N * 4, p.issuer, p.ctas, kImageBytes);
  const std::string_view all =
      p.ctas == 1 ? "bar.sync 0;" : "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
  for (int c = 0; c < p.N; c += 8) {
    for (int k = 0; k < 8; ++k)
      text += fmt::format("ld.global.u32 %v{}, [%rd5+{}];\n", k, 4 * (c + k));
    text += fmt::format(
        "add.u32 %r11, %r9, {}; tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}};\n",
        c);
  }
  if (p.a_in_tensor)
    text += fmt::format(
        "mad.wide.u32 %rd9, %r1, 32, %rd1; add.u32 %r11, %r9, 256;\n"
        "ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%rd9]; ld.global.v4.b32 {{%v4,%v5,%v6,%v7}}, "
        "[%rd9+16];\ntcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}};\n");
  if (p.vectors > 0 || p.sparse)
    text += fmt::format(
        "mad.wide.u32 %rd9, %r1, {}, %rd1; add.u64 %rd9, %rd9, {}; add.u32 %r11, %r9, {};\n"
        "ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%rd9]; tcgen05.st.sync.aligned.32x32b.x4.b32 "
        "[%r11], {{%v0,%v1,%v2,%v3}};\n"
        "ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%rd9+16]; ld.global.v4.b32 {{%v4,%v5,%v6,%v7}}, "
        "[%rd9+32]; add.u32 %r11, %r11, 4;\n"
        "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], {{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}};\n"
        "ld.global.v2.b32 {{%v0,%v1}}, [%rd9+{}]; add.u32 %r11, %r9, {}; "
        "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r11], {{%v0,%v1}};\n",
        4 * kFactorWords, kSharedBytes, kFactorColumn, 4 * kMetadataWord, kMetadataColumn);
  const std::string factors =
      p.vectors > 0 ? fmt::format(", [%r8+{}], [%r8+{}]", kFactorColumn, kFactorColumn + 4) : "";
  // The warps' loads and stores are in flight side by side.
  text += fmt::format(
      "bar.sync 0; tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; {} "
      "tcgen05.fence::after_thread_sync;\n"
      "mov.b64 %rd7, {}; mov.b64 %rd8, {}; setp.ne.u32 %p4, {}, 0; add.u32 %r12, %r8, {};\n"
      "mov.u32 %r13, 0x0; mov.u32 %r14, 0xffff0001;\n"
      "add.u32 %r15, %r8, {};\n"
      "@%p1 tcgen05.mma{}.cta_group::{}.kind::{} [%r12], {}, %rd8, {}0x{:x}{}{}, "
      "%p4{};\n{}\n{}\n"
      "tcgen05.fence::after_thread_sync;\n",
      all, descriptor(p, 0, p.a_mn, p.M / p.ctas, k_stored(p)),
      descriptor(p, kStartB, p.b_mn, columns_of_b(p) / p.ctas, k_stored(p) * (p.sparse ? 2 : 1)),
      p.adds ? 1 : 0, p.d_lane << 16, 256 + (p.d_lane << 16),
      fmt::format("{}{}", p.stationary ? ".ws" : "", p.sparse ? ".sp" : ""), p.ctas, p.kind,
      p.a_in_tensor ? "[%r15]" : "%rd7",
      p.sparse ? fmt::format("[%r8+{}], ", kMetadataColumn + (p.d_lane << 16)) : "", instruction(p),
      factors, p.disabled,
      p.input_shift != 0        ? fmt::format(", {}", p.input_shift)
      : p.zeros.descriptor != 0 ? fmt::format(", {:#x}", p.zeros.descriptor)
                                : "",
      p.ctas == 1 ? p.commit : p.pair_commit, p.wait);
  for (int c = 0; c < p.N; c += 8) {
    text += fmt::format(
        "add.u32 %r11, %r9, {}; tcgen05.ld.sync.aligned.32x32b.x8.b32 "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}}, [%r11]; bar.sync 0; tcgen05.wait::ld.sync.aligned;\n",
        c);
    for (int k = 0; k < 8; ++k)
      text += fmt::format("st.global.u32 [%rd6+{}], %v{};\n", 4 * (c + k), k);
  }
  return text + fmt::format(
                    "{}\n@%p3 tcgen05.dealloc.cta_group::{}.sync.aligned.b32 %r8, {};\n"
                    "ret;\n}}\n",
                    all, p.ctas, columns);
}

}  // namespace lanescope::emulator::test
