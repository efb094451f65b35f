// SPDX-License-Identifier: MIT
// What runs as several instructions: set with a combination, lop3 with a predicate, vectors of
// atomics, cvt from a register wider than its type; and testp (PTX ISA 9.2, 9.7.3.2, 9.7.6.1,
// 9.7.8.6, 9.7.13.7).

#include "numeric/format.hpp"
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

U mixed(U lane) { return lane * 0x9e3779b9u + 0x7f4a7c15u; }
#define MIXED "mad.lo.u32 %r1, %r0, 0x9e3779b9, 0x7f4a7c15; "
// Lane 0 0.0, 1 the smallest subnormal, 2 the smallest normal, 3 infinity, 4 NaN, others 1.0.
#define KINDS                                                                       \
  "mov.f32 %f1, 0f3F800000; setp.eq.u32 %p1, %r0, 0; @%p1 mov.f32 %f1, 0f00000000;" \
  "setp.eq.u32 %p1, %r0, 1; @%p1 mov.f32 %f1, 0f00000001;"                          \
  "setp.eq.u32 %p1, %r0, 2; @%p1 mov.f32 %f1, 0f00800000;"                          \
  "setp.eq.u32 %p1, %r0, 3; @%p1 mov.f32 %f1, 0fFF800000;"                          \
  "setp.eq.u32 %p1, %r0, 4; @%p1 mov.f32 %f1, 0f7FC00000; "

std::vector<Snippet> build() {
  return {
      {"cvt takes the low bits of a wider register",
       MIXED
       "mov.b64 %rd1, {%r1, %r0}; cvt.s64.s32 %rd2, %rd1; cvt.u32.u16 %r2, %rd1; cvt.rn.f32.s8 "
       "%f1, %rd1; st.global.u64 [%rd0], %rd2; st.global.u32 [%rd0+8], %r2; st.global.f32 "
       "[%rd0+12], %f1;",
       {[](U l) { return mixed(l); }, [](U l) { return mixed(l) >> 31 != 0 ? ~0u : 0u; },
        [](U l) { return mixed(l) & 0xffff; },
        [](U l) { return bits(static_cast<float>(static_cast<std::int8_t>(mixed(l)))); }}},
      {"lop3 with a predicate",
       "setp.lt.u32 %p1, %r0, 8; and.b32 %r1, %r0, 1; mov.u32 %r2, 2; mov.u32 %r3, 0;"
       "lop3.or.b32 %r4|%p2, %r0, %r1, %r2, 0x80, %p1; lop3.and.b32 %r5|%p3, %r0, %r1, %r3, 0xfc, "
       "%p1;"
       "selp.u32 %r6, 1, 0, %p2; selp.u32 %r7, 1, 0, %p3; st.global.v4.u32 [%rd0], {%r4, %r5, %r6, "
       "%r7};",
       {[](U l) { return l & (l & 1) & 2; }, [](U l) { return l | (l & 1); },
        [](U l) { return U(l < 8 || (l & (l & 1) & 2) != 0); },
        [](U l) { return U(l < 8 && l != 0); }},
       "sm_90"},
      {"set with a combination",
       "setp.ge.u32 %p1, %r0, 16; set.lt.and.u32.s32 %r1, %r0, 20, %p1; set.eq.or.s32.u32 %r2, "
       "%r0, 3, "
       "%p1; cvt.rn.f32.u32 %f1, %r0; set.gt.xor.f32.f32 %f2, %f1, 0f40A00000, !%p1;"
       "st.global.v2.u32 [%rd0], {%r1, %r2}; st.global.f32 [%rd0+8], %f2;",
       {[](U l) { return l >= 16 && l < 20 ? ~0u : 0u; },
        [](U l) { return l == 3 || l >= 16 ? ~0u : 0u; },
        [](U l) { return bits((l > 5) != (l < 16) ? 1.0f : 0.0f); }}},
      {"set of halves",
       "cvt.rn.f16.u32 %h1, %r0; mov.b16 %h2, 0x4900; set.lt.f16.f16 %h3, %h1, %h2; set.ge.u32.f16 "
       "%r1, "
       "%h1, %h2; set.lt.u16.f16 %h4, %h1, %h2; set.lt.bf16.s32 %h5, %r0, 4;"
       "mov.b32 %r2, {%h3, %h4}; cvt.u32.u16 %r3, %h5; st.global.v2.u32 [%rd0], {%r1, %r2}; "
       "st.global.u32 [%rd0+8], %r3;",
       {[](U l) { return l >= 10 ? ~0u : 0u; }, [](U l) { return l < 10 ? 0xffff3c00u : 0u; },
        [](U l) { return l < 4 ? 0x3f80u : 0u; }},
       "sm_90"},
      {"testp",
       KINDS
       "testp.finite.f32 %p1, %f1; testp.infinite.f32 %p2, %f1; testp.number.f32 %p3, %f1;"
       "testp.notanumber.f32 %p4, %f1; testp.normal.f32 %p5, %f1; testp.subnormal.f32 %p6, %f1;"
       "selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; selp.u32 %r3, 4, 0, %p3; selp.u32 %r4, "
       "8, 0, "
       "%p4; selp.u32 %r5, 16, 0, %p5; selp.u32 %r6, 32, 0, %p6; add.u32 %r1, %r1, %r2; add.u32 "
       "%r3, "
       "%r3, %r4; add.u32 %r5, %r5, %r6; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r5;"
       "cvt.f64.f32 %fd1, %f1; testp.subnormal.f64 %p7, %fd1; selp.u32 %r2, 1, 0, %p7;"
       "st.global.v2.u32 [%rd0], {%r1, %r2};",
       {[](U l) {
          return l == 0 ? 21u : l == 1 ? 37u : l == 3 ? 6u : l == 4 ? 8u : 21u;
        },
        [](U) { return 0u; }}},
      {"red.v4.f32",
       "cvt.rn.f32.u32 %f1, %r0; mov.f32 %f2, 0f3F800000; mov.f32 %f3, 0f00000000; "
       "st.global.v4.f32 "
       "[%rd0], {%f2, %f2, %f3, %f1}; red.global.add.v4.f32 [%rd0], {%f1, %f2, %f2, %f1};",
       {[](U l) { return bits(static_cast<float>(l) + 1); }, [](U) { return bits(2.0f); },
        [](U) { return bits(1.0f); }, [](U l) { return bits(2 * static_cast<float>(l)); }},
       "sm_90"},
      {"atom.v2.f32",
       "cvt.rn.f32.u32 %f1, %r0; mov.f32 %f2, 0f3F800000; st.global.v2.f32 [%rd0], {%f2, %f1};"
       "atom.global.add.v2.f32 {%f3, %f4}, [%rd0], {%f1, %f2}; st.global.v2.f32 [%rd0+8], {%f3, "
       "%f4};",
       {[](U l) { return bits(static_cast<float>(l) + 1); },
        [](U l) { return bits(static_cast<float>(l) + 1); }, [](U) { return bits(1.0f); },
        [](U l) { return bits(static_cast<float>(l)); }},
       "sm_90"},
      {"atom.v2.f32 whose first result is the second value, by a generic address",
       "cvt.rn.f32.u32 %f1, %r0; mov.f32 %f2, 0f3F800000; st.global.v2.f32 [%rd0], {%f2, %f2};"
       "atom.add.v2.f32 {%f1, %f3}, [%rd0], {%f2, %f1}; st.global.v2.f32 [%rd0+8], {%f1, "
       "%f3};",
       {[](U) { return bits(2.0f); }, [](U l) { return bits(static_cast<float>(l) + 1); },
        [](U) { return bits(1.0f); }, [](U) { return bits(1.0f); }},
       "sm_90"},
      {"red.v2.f16 and .v2.bf16x2, min and max",
       "mov.b16 %h1, 0x3c00; mov.b16 %h2, 0xbc00; mov.b16 %h3, 0x4000; mov.b32 %r1, {%h1, %h2};"
       "st.global.v2.u32 [%rd0], {%r1, %r1}; red.global.max.noftz.v2.f16 [%rd0], {%h3, %h3};"
       "mov.u32 %r2, 0xbf803f80; mov.u32 %r3, 0x40003f80; mov.u32 %r4, 0x80000000; "
       "st.global.v2.u32 [%rd0+8], {%r2, %r4};"
       "red.global.min.noftz.v2.bf16x2 [%rd0+8], {%r3, %r3};",
       {[](U) { return 0x40004000u; }, [](U) { return 0xbc003c00u; }, [](U) { return 0xbf803f80u; },
        [](U) { return 0x80000000u; }},
       "sm_90"},
  };
}

}  // namespace

std::span<const Snippet> composite_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
