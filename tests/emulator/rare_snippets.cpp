// SPDX-License-Identifier: MIT
// Pairs of halves, 128-bit registers, asynchronous stores, and other instructions that few programs
// have (execute_rare.cpp).
#include <algorithm>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;
using S = std::int32_t;

// 1.0 and a NaN or 0.5 (f16), against 1.0 and 1.0.
constexpr std::string_view kHalves =
    "setp.lt.u32 %p5, %r0, 16; selp.b32 %r2, 0x7e003c00, 0x38003c00, %p5; mov.b32 %r3, 0x3c003c00;"
    "setp.eq.f16x2 %p1|%p2, %r2, %r3; setp.ltu.f16x2 %p3|%p4, %r2, %r3; selp.u32 %r4, 1, 0, %p1;"
    "@%p2 or.b32 %r4, %r4, 2; @%p3 or.b32 %r4, %r4, 4; @%p4 or.b32 %r4, %r4, 8; set.lt.f16x2.f16x2 "
    "%r5, %r2, %r3; set.neu.u32.f16x2 %r6, %r2, %r3; setp.nan.and.f16x2 %p1|%p2, %r2, %r3, !%p5; "
    "selp.u32 %r7, 1, 0, %p2; st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};";
constexpr std::string_view kHalvesBf16 =
    "mov.b32 %r20, 0; mov.b32 %r21, 0x00010001; mov.b32 %r2, 0x40003f80; mov.b32 %r3, 0x3f803f80; "
    "setp.gt.bf16x2 %p1|%p2, %r2, %r3; selp.u32 "
    "%r4, 1, 0, %p1; @%p2 or.b32 %r4, %r4, 2; set.ge.bf16x2.bf16x2 %r5, %r2, %r3; "
    "set.gt.s32.bf16x2 "
    "%r6, %r2, %r3; set.eq.f16x2.f16x2 %r7, %r21, %r20; set.eq.ftz.f16x2.f16x2 %r8, %r21, %r20; "
    "st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7}; st.global.u32 [%rd0+16], %r8;";
constexpr std::string_view kWide =
    "{ .reg .b128 %q<4>; mul.wide.u32 %rd1, %r0, 3; add.u64 %rd2, %rd1, 0x500000000; mov.b128 %q1, "
    "{%rd1, %rd2}; mov.b128 %q2, %q1; mov.b128 {%rd3, %rd4}, %q2; cvt.u32.u64 %r2, %rd3; shr.u64 "
    "%rd4, %rd4, 32; cvt.u32.u64 %r3, %rd4; mov.u32 %r4, tile; mad.lo.u32 %r4, %r0, 16, %r4; "
    "st.shared.b128 [%r4], %q1; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4]; ld.shared.b128 %q3, "
    "[%r4]; mov.b128 {_, %rd5}, %q3; cvt.u32.u64 %r9, %rd5; st.global.v2.u32 [%rd0], {%r2, %r3}; "
    "st.global.v2.u32 [%rd0+8], {%r5, %r8}; st.global.u32 [%rd0+16], %r9; }";
constexpr std::string_view kQuads =
    "{ .reg .b128 %q<3>; add.u32 %r2, %r0, 100; shl.b32 %r3, %r0, 16; mov.b128 %q1, {%r0, %r2, 7, "
    "%r3}; mov.b128 {%r4, _, %r5, %r6}, %q1; mov.b128 {%rd1, %rd2}, %q1; shr.u64 %rd1, %rd1, 32; "
    "cvt.u32.u64 %r7, %rd1; st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7}; }";
constexpr std::string_view kWideAtomic =
    "{ .reg .b128 %q<5>; mov.u64 %rd1, 1; mov.u64 %rd2, 2; st.global.v2.u64 [%rd0+16], {%rd1, "
    "%rd2}; mov.b128 %q1, {%rd1, %rd2}; mov.b128 %q2, {%rd2, %rd1}; atom.global.cas.b128 %q3, "
    "[%rd0+16], %q1, %q2; atom.global.cas.b128 %q4, [%rd0+16], %q1, %q1; mov.b128 {%rd3, _}, %q3; "
    "mov.b128 {%rd4, _}, %q4; cvt.u32.u64 %r2, %rd3; cvt.u32.u64 %r3, %rd4; mov.u64 %rd5, 7; "
    "mov.b128 %q1, {%rd5, %rd5}; atom.global.exch.b128 %q3, [%rd0+16], %q1; mov.b128 {_, %rd4}, "
    "%q3; cvt.u32.u64 %r4, %rd4; st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], "
    "%r4; }";
constexpr std::string_view kAsyncStore =
    "{ .shared .align 8 .b64 bar; mov.u32 %r2, bar; setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init"
    ".shared.b64 [%r2], 1; bar.warp.sync -1; mov.u32 %r3, tile; mad.lo.u32 %r4, %r0, 16, %r3; mov"
    ".b32 %r5, 0; st.shared.u32 [%r3+512], %r5; @%p1 mbarrier.arrive.expect_tx.shared.b64 %rd1, "
    "[%r2], 640; bar.warp.sync -1; st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4"
    ".u32 [%r4], {%r0, %r4, %r3, %r0}, [%r2]; red.async.relaxed.cluster.shared::cluster"
    ".mbarrier::complete_tx::bytes.add.u32 [%r3+512], %r0, [%r2]; WAIT: mbarrier.try_wait.parity"
    ".shared.b64 %p2, [%r2], 0; @!%p2 bra WAIT; xor.b32 %r6, %r0, 5; mad.lo.u32 %r6, %r6, 16, %r3; "
    "ld.shared.u32 %r7, [%r6+12]; ld.shared.u32 %r8, [%r3+512]; st.global.v2.u32 [%rd0], {%r7, "
    "%r8}; }";

std::vector<Snippet> pairs_and_wide() {
  return {
      {"comparisons of both halves",
       kHalves,
       {[](U) { return 1u | 8u; }, [](U l) { return l < 16 ? 0u : 0x3c000000u; },
        [](U) { return 0xffff0000u; }, [](U) { return 0u; }}},
      {"comparisons of both halves, bf16 and flushed",
       kHalvesBf16,
       {[](U) { return 2u; }, [](U) { return 0x3f803f80u; }, [](U) { return 0xffff0000u; },
        [](U) { return 0u; }, [](U) { return 0x3c003c00u; }},
       "sm_90"},
      {"registers of 128 bits",
       kWide,
       {[](U l) { return 3 * l; }, [](U) { return 5u; }, [](U l) { return 3 * l; },
        [](U) { return 5u; }, [](U l) { return 3 * l; }},
       "sm_90"},
      {"128 bits as four words",
       kQuads,
       {[](U l) { return l; }, [](U) { return 7u; }, [](U l) { return l << 16; },
        [](U l) { return l + 100; }},
       "sm_90"},
      {"atomics of 128 bits",
       kWideAtomic,
       {[](U) { return 1u; }, [](U) { return 2u; }, [](U) { return 1u; },
        [](U) { return 0xa5a5a5a5u; }, [](U) { return 7u; }, [](U) { return 0u; },
        [](U) { return 7u; }, [](U) { return 0u; }},
       "sm_90"},
      {"st.async and red.async tell the mbarrier",
       kAsyncStore,
       {[](U l) { return l ^ 5; }, [](U) { return 31u * 16; }},
       "sm_90"},
  };
}

std::vector<Snippet> others() {
  return {
      {"cvt.pack saturates and packs",
       "shl.b32 %r2, %r0, 11; neg.s32 %r3, %r0; cvt.pack.sat.s16.s32 %r4, %r2, %r3; cvt.pack.sat.u8"
       ".s32.b32 %r5, %r2, %r3, 0x1234; cvt.pack.sat.s4.s32.b32 %r6, %r0, %r3, 0x56; st.global.v2"
       ".u32 [%rd0], {%r4, %r5}; st.global.u32 [%rd0+8], %r6;",
       {[](U l) {
          return std::min(l << 11, 32767u) << 16 | (static_cast<U>(-static_cast<S>(l)) & 0xffff);
        },
        [](U l) { return 0x12340000u | std::min(l << 11, 255u) << 8; },
        [](U l) {
          return 0x5600u | std::min(l, 7u) << 4 |
                 (static_cast<U>(std::max(-static_cast<S>(l), -8)) & 0xf);
        }},
       "sm_80"},
      {"fns finds the n-th set bit",
       "mov.b32 %r2, 0x8421a5f0; fns.b32 %r3, %r2, %r0, 1; fns.b32 %r4, %r2, %r0, -3; fns.b32 %r5, "
       "%r2, %r0, 0; st.global.v2.u32 [%rd0], {%r3, %r4}; st.global.u32 [%rd0+8], %r5;",
       {[](U l) {
          for (U bit = l; bit < 32; ++bit)
            if (0x8421a5f0u >> bit & 1) return bit;
          return ~0u;
        },
        [](U l) {
          int left = 3;
          for (int bit = static_cast<int>(l); bit >= 0; --bit)
            if ((0x8421a5f0u >> bit & 1) != 0 && --left == 0) return static_cast<U>(bit);
          return ~0u;
        },
        [](U l) { return 0x8421a5f0u >> l & 1 ? l : ~0u; }}},
      {"24-bit products, their high words",
       "mul.lo.u32 %r2, %r0, 0x00351bf7; not.b32 %r3, %r2; mul24.hi.u32 %r4, %r2, %r3; "
       "mul24.hi.s32 "
       "%r5, %r2, %r3; mad24.hi.u32 %r6, %r2, %r3, %r0; mad24.hi.sat.s32 %r7, %r2, %r3, 0x7fffffff;"
       "mad.hi.sat.s32 %r8, %r2, %r2, 0x7ffffff0; st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7}; "
       "st.global.u32 [%rd0+16], %r8;",
       {[](U l) {
          const std::uint64_t a = (l * 0x351bf7u) & 0xffffff, b = ~(l * 0x351bf7u) & 0xffffff;
          return static_cast<U>(a * b >> 16);
        },
        [](U l) {
          const S a = static_cast<S>(l * 0x351bf7u << 8) >> 8;
          const S b = static_cast<S>(~(l * 0x351bf7u) << 8) >> 8;
          return static_cast<U>(std::int64_t{a} * b >> 16);
        },
        [](U l) {
          const std::uint64_t a = (l * 0x351bf7u) & 0xffffff, b = ~(l * 0x351bf7u) & 0xffffff;
          return static_cast<U>(a * b >> 16) + l;
        },
        [](U l) {
          const S a = static_cast<S>(l * 0x351bf7u << 8) >> 8;
          const S b = static_cast<S>(~(l * 0x351bf7u) << 8) >> 8;
          const std::int64_t sum = (std::int64_t{a} * b >> 16) + 0x7fffffff;
          return static_cast<U>(std::min<std::int64_t>(sum, 0x7fffffff));
        },
        [](U l) {
          const std::int64_t a = static_cast<S>(l * 0x351bf7u);
          return static_cast<U>(std::min<std::int64_t>((a * a >> 32) + 0x7ffffff0, 0x7fffffff));
        }}},
      {"carries out of signed products",
       "sub.s32 %r2, %r0, 16; mad.lo.cc.s32 %r3, %r2, %r2, -1; madc.hi.s32 %r4, %r2, %r2, 0; "
       "mad.hi.cc.s32 %r5, %r2, 7, 1; madc.lo.s32 %r6, %r0, 2, 0; st.global.v4.u32 [%rd0], {%r3, "
       "%r4, %r5, %r6};",
       {[](U l) { return (l - 16) * (l - 16) - 1; },
        [](U l) { return l == 16 ? 0u : 1u; },  // -1 carries out of everything but 0
        [](U l) { return l < 16 ? 0u : 1u; }, [](U l) { return 2 * l + (l < 16 ? 1 : 0); }}},
      {"the carry of a difference says that nothing was borrowed",
       "sub.cc.u32 %r2, %r0, 5; addc.u32 %r3, 0, 0; sub.cc.u32 %r2, %r0, 5; subc.u32 %r4, 0, 0; "
       "add.cc.u32 %r2, %r0, -5; subc.u32 %r5, 7, 0; st.global.v2.u32 [%rd0], {%r3, %r4}; "
       "st.global.u32 [%rd0+8], %r5;",
       {[](U l) { return l >= 5 ? 1u : 0u; }, [](U l) { return l >= 5 ? 0u : ~0u; },
        [](U l) { return l >= 5 ? 7u : 6u; }}},
      {"a carry into 16 bits",
       "mul.lo.u32 %r1, %r0, 0x9e3779b9; mov.b32 {%h1, %h2}, %r1; mov.b16 %h3, 0xfff0; "
       "sub.cc.u32 %r2, %r0, 7; addc.u16 %h4, %h1, %h3; subc.s16 %h5, %h1, %h3; madc.lo.u16 %h6, "
       "%h1, %h2, %h3; madc.hi.s16 %h7, %h1, %h2, "
       "%h3; madc.hi.u16 %h8, %h1, %h2, %h3; mov.b32 %r3, {%h4, %h5}; mov.b32 %r4, {%h6, %h7}; "
       "cvt.u32.u16 %r5, %h8; st.global.v2.u32 [%rd0], {%r3, %r4}; st.global.u32 [%rd0+8], %r5;",
       {[](U l) {
          const U a = l * 0x9e3779b9 & 0xffff, in = l >= 7 ? 1 : 0;
          return ((a + 0xfff0 + in) & 0xffff) | (a - 0xfff0 - 1 + in) << 16;
        },
        [](U l) {
          const U m = l * 0x9e3779b9, in = l >= 7 ? 1 : 0;
          const U low = (m & 0xffff) * (m >> 16) + 0xfff0 + in;
          const S high = (std::int16_t(m) * std::int16_t(m >> 16)) >> 16;
          return (low & 0xffff) | (U(high) + 0xfff0 + in) << 16;
        },
        [](U l) {
          const U m = l * 0x9e3779b9;
          return (((m & 0xffff) * (m >> 16) >> 16) + 0xfff0 + (l >= 7 ? 1 : 0)) & 0xffff;
        }}},
      {"min.relu and max.relu of integers",
       "sub.s32 %r2, %r0, 16; min.relu.s32 %r3, %r2, 5; max.relu.s32 %r4, %r2, -3; mov.b32 %r5, "
       "0xfffe0003; mov.b32 %r8, 0x00020002; mov.b32 %r9, 0x00010001; min.relu.s16x2 %r6, %r5, "
       "%r8; max.relu.s16x2 %r7, %r5, %r9; "
       "st.global.v4.u32 [%rd0], {%r3, %r4, %r6, %r7};",
       {[](U l) { return static_cast<U>(std::max(0, std::min(static_cast<S>(l) - 16, 5))); },
        [](U l) { return static_cast<U>(std::max(0, static_cast<S>(l) - 16)); },
        [](U) { return 0x00000002u; }, [](U) { return 0x00010003u; }},
       "sm_90"},
      {"slct of 16 bits",
       "sub.s32 %r2, %r0, 16; mov.b16 %h1, 11; mov.b16 %h2, 22; slct.b16.s32 %h3, %h1, %h2, %r2; "
       "cvt.u32.u16 %r3, %h3; st.global.u32 [%rd0], %r3;",
       {[](U l) { return l < 16 ? 22u : 11u; }}},
      {"64-bit integers to reals, every rounding",
       "mov.u64 %rd1, 0x7fffffffffffffff; cvt.rn.f64.s64 %fd1, %rd1; cvt.rz.f64.s64 %fd2, %rd1; "
       "neg.s64 %rd2, %rd1; cvt.rp.f64.s64 %fd3, %rd2; cvt.rm.f64.s64 %fd4, %rd2; mov.b64 {_, "
       "%r1}, "
       "%fd1; mov.b64 {%r2, _}, %fd2; mov.b64 {%r3, _}, %fd3; mov.b64 {%r4, _}, %fd4; "
       "cvt.rz.f32.u64"
       " %f1, %rd1; cvt.rp.f32.u64 %f2, %rd1; mov.u64 %rd3, 0x1000001000001; cvt.rz.bf16.u64 %h1, "
       "%rd3; cvt.rp.bf16.u64 %h2, %rd3; cvt.u32.u16 %r7, %h1; cvt.u32.u16 %r8, %h2; cvt.rp.sat.f64"
       ".s32 %fd5, %r0; mov.b64 {_, %r9}, %fd5; mov.u64 %rd4, 2049; cvt.rp.f16.u64 %h3, %rd4; "
       "cvt.rn.f16.u64 %h4, %rd4; cvt.u32.u16 %r10, %h3; cvt.u32.u16 %r11, %h4; st.global.v4.u32 "
       "[%rd0], {%r1, %r2, %r3, %r4}; st.global.v2.f32 [%rd0+16], {%f1, %f2}; st.global.v2.u32 "
       "[%rd0+24], {%r7, %r8}; st.global.v2.u32 [%rd0+32], {%r9, %r10}; st.global.u32 [%rd0+40], "
       "%r11;",
       {[](U) { return 0x43e00000u; }, [](U) { return 0xffffffffu; }, [](U) { return 0xffffffffu; },
        [](U) { return 0u; }, [](U) { return 0x5effffffu; }, [](U) { return 0x5f000000u; },
        [](U) { return 0x5780u; }, [](U) { return 0x5781u; },
        [](U l) { return l == 0 ? 0u : 0x3ff00000u; }, [](U) { return 0x6801u; },
        [](U) { return 0x6800u; }},
       "sm_90"},
      {"fma of pairs of bf16 rounds to nearest, whatever it is told",
       "mov.b32 %r2, 0x3f813f81; mov.b32 %r3, 0x3f81bf81; fma.rz.bf16x2 %r4, %r2, %r3, %r2; "
       "fma.rp.bf16x2 %r5, %r2, %r3, %r2; fma.rm.relu.bf16x2 %r6, %r2, %r3, %r2; fma.rn.bf16x2 "
       "%r7, "
       "%r2, %r3, %r2; xor.b32 %r4, %r4, %r7; xor.b32 %r5, %r5, %r7; st.global.v4.u32 [%rd0], "
       "{%r4, %r5, %r6, %r7};",
       {[](U) { return 0u; }, [](U) { return 0u; }, [](U) { return 0x40020000u; },
        [](U) { return 0x4002bc01u; }},
       "sm_90"},
      {"fma.oob of what lies outside",
       "mov.b32 %r2, 0x7ff73c00; mov.b32 %r3, 0x40004000; fma.rn.oob.f16x2 %r4, %r2, %r3, %r3; "
       "mov.b32 %r6, 0xfff73f80; mov.b32 %r7, 0xc0804080; fma.rn.oob.relu.bf16x2 %r5, %r6, %r3, "
       "%r7; st.global.v2.u32 [%rd0], "
       "{%r4, %r5};",
       {[](U) { return 0x00004400u; }, [](U) { return 0x000040c0u; }},
       "sm_90"},
      {"wmma sums in f32 and rounds to f16 at the end",
       "mov.b32 %r2, 0x3c003c00; mov.b32 %r3, 0xec00ec00; mov.f32 %f1, 0f47c35000; wmma.mma.sync"
       ".aligned.row.col.m16n16k16.f16.f32 {%r4, %r5, %r6, %r7}, {%r2, %r2, %r2, %r2, %r2, %r2, "
       "%r2,"
       " %r2}, {%r3, %r3, %r3, %r3, %r3, %r3, %r3, %r3}, {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1}; "
       "st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};",  // 100000 - 16 * 4096
       {[](U) { return 0x78357835u; }, [](U) { return 0x78357835u; }, [](U) { return 0x78357835u; },
        [](U) { return 0x78357835u; }}},
      {"vectors of registers",
       ".reg .v4 .u32 v; .reg .v2 .f32 w; mov.u32 v.x, %r0; mov.u32 v.y, 2; mov.u32 v.b, 3; "
       "mov.u32 "
       "v.a, 4; st.global.v4.u32 [%rd0], v; ld.global.v2.f32 w, [%rd0+8]; mov.b32 %r2, w.x; "
       "st.global.u32 [%rd0+16], %r2;",
       {[](U l) { return l; }, [](U) { return 2u; }, [](U) { return 3u; }, [](U) { return 4u; },
        [](U) { return 3u; }}},
      {"many vectors of registers at once",
       ".reg .v4 .u32 %v<3>; .reg .v2 .u32 %v1w<2>; mov.u32 %v0.w, 7; mov.v4.u32 %v1, %tid; "
       "mov.u32 %v2.x, 9; mov.u32 %v1.y, %v0.w; mov.u32 %v1w1.y, 5; mov.u32 %v1.z, %v1w1.y; "
       "mov.u32 %v1.w, %v2.x; st.global.v4.u32 [%rd0], %v1;",
       {[](U l) { return l; }, [](U) { return 7u; }, [](U) { return 5u; }, [](U) { return 9u; }}},
      {"vectors moved element for element",
       ".reg .v4 .u32 v; mov.v4.u32 v, %tid; mov.v4.u32 {%r2, %r3, _, %r4}, %ntid; add.u32 %r3, "
       "%r3, v.w; mov.v2.b32 {%r5, %r6}, {%r2, v.x}; mov.v2.b32 {%r5, %r6}, {%r6, %r5}; mov.v2.f64 "
       "{%fd1, %fd2}, {0d4000000000000000, 0d4008000000000000}; add.f64 %fd1, %fd1, %fd2; "
       "cvt.rzi.u32.f64 %r7, %fd1; st.global.v4.u32 [%rd0], {v.x, %r3, %r4, %r5}; "
       "st.global.v2.u32 [%rd0+16], {%r6, %r7};",
       {[](U l) { return l; }, [](U) { return 1u; }, [](U) { return 0u; }, [](U l) { return l; },
        [](U) { return 32u; }, [](U) { return 5u; }}},
      {"clocks as operands, registers that nobody fills",
       "cvt.u64.u32 %rd1, %clock; cvt.u32.u64 %r2, %clock64; cvt.u32.u64 %r9, %clock64; sub.u32 "
       "%r3, %r2, %r9; setp.le.s32 "
       "%p1, %r3, 0; selp.u32 %r3, 1, 0, %p1; mov.u32 %r4, %pm3; mov.u64 %rd2, %pm0_64; "
       "cvt.u32.u64 "
       "%r5, %rd2; mov.u32 %r6, %reserved_smem_offset_end; mov.u32 %r7, WARP_SZ; mov.u32 %r8, "
       "%aggr_smem_size; mov.u32 %r9, %total_smem_size; sub.u32 %r8, %r8, %r9; mov.u32 %r9, "
       "%envreg3; add.u32 %r8, %r8, %r9; mov.pred %p2, "
       "%is_explicit_cluster; @%p2 add.u32 %r8, %r8, 1; st.global.v4.u32 [%rd0], {%r3, %r4, %r5, "
       "%r6}; st.global.v2.u32 [%rd0+16], {%r7, %r8};",
       {[](U) { return 1u; }, [](U) { return 0u; }, [](U) { return 0u; }, [](U) { return 288u; },
        [](U) { return 32u; }, [](U) { return 1024u; }},
       "sm_90"},
      {"hints of other kinds that change nothing",
       "fence.acquire.sync_restrict::shared::cluster.cluster; fence.release.sync_restrict::shared"
       "::cta.cluster; fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster; "
       "mov.u64 %rd1, words; prefetch.global.L2::evict_last [%rd1]; pmevent 3; pmevent.mask 5; "
       "cp.async.bulk.prefetch.L2.global [%rd1], 16; st.global.u32 [%rd0], %r0;",
       {[](U l) { return l; }},
       "sm_90"},
  };
}

std::vector<Snippet> build() {
  std::vector<Snippet> all = pairs_and_wide();
  const auto more = others();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

std::span<const Snippet> rare_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
