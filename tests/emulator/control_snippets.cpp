// SPDX-License-Identifier: MIT
// Branches, loops, scopes, special registers, fences (PTX ISA 9.2, 9.7.12, section 10).
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

std::vector<Snippet> build() {
  return {
      {"guards",
       "setp.lt.u32 %p1, %r0, 9; mov.u32 %r2, 1; @%p1 mov.u32 %r2, 2; @!%p1 add.u32 %r2, %r2, %r0; "
       "st.global.u32 [%rd0], %r2;",
       {[](U l) { return l < 9 ? 2 : 1 + l; }}},
      {"if and else",
       "setp.lt.u32 %p1, %r0, 9; @%p1 bra LESS; mul.lo.u32 %r2, %r0, 3; bra DONE; LESS: add.u32 "
       "%r2, %r0, 100; DONE: st.global.u32 [%rd0], %r2;",
       {[](U l) { return l < 9 ? l + 100 : l * 3; }}},
      {"lanes leave a loop one by one",
       "mov.u32 %r2, 0; mov.u32 %r3, 0; LOOP: add.u32 %r3, %r3, %r2; add.u32 %r2, %r2, 1; "
       "setp.le.u32 %p1, %r2, %r0; @%p1 bra LOOP; activemask.b32 %r4;"
       "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return l * (l + 1) / 2; }, [](U) { return ~0u; }}},
      {"nested divergence meets again",
       "mov.u32 %r2, 0; and.b32 %r3, %r0, 1; and.b32 %r4, %r0, 2; setp.eq.u32 %p1, %r3, 0; "
       "setp.eq.u32 %p2, %r4, 0; @%p1 bra EVEN; @%p2 bra ODD_LOW; add.u32 %r2, %r2, 8;"
       "bra ODD; ODD_LOW: add.u32 %r2, %r2, 4; ODD: activemask.b32 %r5; bra END; EVEN: add.u32 "
       "%r2, %r2, 1; mov.u32 %r5, 0; END: activemask.b32 %r6;"
       "st.global.v2.u32 [%rd0], {%r2, %r5}; st.global.u32 [%rd0+8], %r6;",
       {[](U l) { return (l & 1) == 0   ? 1u
                         : (l & 2) == 0 ? 4u
                                        : 8u; },
        [](U l) { return (l & 1) == 0 ? 0u : 0xaaaaaaaau; }, [](U) { return ~0u; }}},
      {"braces declare anew",
       "mov.u32 %r2, 5; { .reg .b32 %r2; .reg .pred %p1; mov.u32 %r2, 9; setp.eq.u32 %p1, %r2, 9; "
       "@%p1 bra OUT; mov.u32 %r2, 0; OUT: st.global.u32 [%rd0], %r2; }"
       "{ .reg .b32 t; mov.b32 t, %r2; bra OUT; mov.b32 t, 0; OUT: st.global.u32 [%rd0+4], t; }",
       {[](U) { return 9u; }, [](U) { return 5u; }}},
      {"early exit of some lanes",
       "setp.ge.u32 %p1, %r0, 16; st.global.u32 [%rd0], %r0; @%p1 exit; activemask.b32 %r2; "
       "bar.warp.sync 0xffff; st.global.u32 [%rd0+4], %r2;",
       {[](U l) { return l; }, [](U l) { return l < 16 ? 0xffffu : 0xa5a5a5a5u; }}},
      {"a barrier does not wait for the dead",
       "setp.ge.u32 %p1, %r0, 16; @%p1 ret; bar.sync 0; st.global.u32 [%rd0], %r0;",
       {[](U l) { return l < 16 ? l : 0xa5a5a5a5u; }}},
      {"code out of line before a barrier",
       "mov.u32 %r2, 1; setp.eq.u32 %p1, %r0, 5; @%p1 bra COLD; BACK: bar.sync 0; st.global.u32 "
       "[%rd0], %r2; bra END; COLD: mov.u32 %r2, 2; bra BACK; END:",
       {[](U l) { return l == 5 ? 2u : 1u; }}},
      {"bar.warp.sync from two places",
       "setp.lt.u32 %p1, %r0, 16; mov.u32 %r2, tile; mad.lo.u32 %r2, %r0, 4, %r2; @%p1 bra LOW; "
       "st.shared.u32 [%r2], %r0; bar.warp.sync -1; bra JOIN; LOW: st.shared.u32 [%r2], %r0;"
       "bar.warp.sync -1; JOIN: xor.b32 %r3, %r0, 16; mov.u32 %r4, tile; mad.lo.u32 %r4, %r3, 4, "
       "%r4; ld.shared.u32 %r5, [%r4]; st.global.u32 [%rd0], %r5;",
       {[](U l) { return l ^ 16; }}},
      {"special registers",
       "mov.u32 %r2, %tid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, %nctaid.z; "
       "mov.u32 %r6, %lanemask_lt; mov.u32 %r7, %lanemask_ge; mov.u32 %r8, %warpid;"
       "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5}; st.global.v2.u32 [%rd0+16], {%r6, %r7}; "
       "st.global.u32 [%rd0+24], %r8;",
       {[](U l) { return l; }, [](U) { return 32u; }, [](U) { return 0u; }, [](U) { return 1u; },
        [](U l) { return (1u << l) - 1; }, [](U l) { return ~((1u << l) - 1); },
        [](U) { return 0u; }}},
      {"clocks do not run backwards",
       "mov.u64 %rd1, %clock64; mov.u32 %r2, %clock; mov.u64 %rd2, %clock64; setp.ge.u64 %p1, "
       "%rd2, %rd1; selp.u32 %r3, 1, 0, %p1; st.global.u32 [%rd0], %r3;",
       {[](U) { return 1u; }}},
      {"calls through a table of functions, each lane another",
       "{ .param .b32 given; .param .b32 made; .reg .b64 at; and.b32 %r2, %r0, 1; mov.u64 at, "
       "functions; mad.wide.u32 at, %r2, 8, at; ld.global.u64 at, [at]; st.param.b32 [given], %r0; "
       "prototype: .callprototype (.param .b32 _) _ (.param .b32 _); call (made), at, (given), "
       "prototype; ld.param.b32 %r3, [made]; activemask.b32 %r4; }"
       "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return (l & 1) == 0 ? 2 * l : 3 * l; }, [](U) { return ~0u; }}},
      {"the address of a function, and targets that are named",
       "{ .param .b32 given; .param .b32 made; .reg .b64 at; mov.u64 at, thrice; st.param.b32 "
       "[given], 5; targets: .calltargets twice, thrice; call.uni (made), at, (given), targets; "
       "ld.param.b32 %r3, [made]; } st.global.u32 [%rd0], %r3;",
       {[](U) { return 15u; }}},
      {"the address of a kernel's parameter is good in functions, too",
       "{ .param .b64 given; .param .b32 made; mov.b64 %rd1, out; cvta.param.u64 %rd1, %rd1; "
       "mad.wide.u32 %rd1, %r0, 0, %rd1; st.param.b64 [given], %rd1; call (made), fetched, "
       "(given); ld.param.b32 %r3, [made]; } ld.param.u32 %r4, [out]; sub.u32 %r3, %r3, %r4; "
       "st.global.u32 [%rd0], %r3;",
       {[](U) { return 0u; }},
       "sm_90"},
      {"the address of a function's parameter leads to a copy among its local variables",
       "{ .param .b32 which; .param .align 8 .b8 given[24]; .param .b32 made; .local .b32 mine; "
       "st.local.u32 [mine], 5; rem.u32 %r2, %r0, 6; st.param.b32 [which], %r2; st.param.b32 "
       "[given], 10; st.param.b32 [given+4], 20; st.param.b32 [given+8], 30; st.param.b32 "
       "[given+12], %r0; st.param.b32 [given+16], 50; st.param.b32 [given+20], 60; call (made), "
       "picked, (which, given); ld.param.b32 %r3, [made]; ld.local.u32 %r4, [mine]; .reg .b64 at; "
       "mov.u64 at, picked; PICKS: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align "
       "8 "
       ".b8 _[24]); call (made), at, (which, given), PICKS; ld.param.b32 %r5, [made]; }"
       "st.global.v2.u32 [%rd0], {%r3, %r4}; st.global.u32 [%rd0+8], %r5;",
       {[](U l) { return l % 6 == 3 ? l + 1003 : (l % 6 + 1) * 10 + l + l % 6; },
        [](U) { return 5u; },
        [](U l) { return l % 6 == 3 ? l + 1003 : (l % 6 + 1) * 10 + l + l % 6; }}},
      {"a function reads its kernel's parameters by address",
       "{ .param .b64 given; .param .b32 made; mov.b64 %rd1, number; st.param.b64 [given], %rd1; "
       "call (made), of_kernel, (given); ld.param.b32 %r3, [made]; } ld.param.u32 %r4, [number]; "
       "sub.u32 %r3, %r3, %r4; st.global.u32 [%rd0], %r3;",
       {[](U) { return 0u; }},
       "sm_90"},
      {"an alias is the same function",
       "{ .param .b32 given; .param .b32 made; st.param.b32 [given], %r0; call (made), doubled, "
       "(given); ld.param.b32 %r3, [made]; } ld.global.v2.u64 {%rd1, %rd2}, [functions]; "
       "ld.global.u64 %rd3, [functions+16]; setp.eq.u64 %p1, %rd1, %rd3; selp.u32 %r4, 1, 0, %p1; "
       "ld.global.u64 %rd4, [function_bytes]; setp.eq.u64 %p1, %rd1, %rd4; selp.u32 %r5, 1, 0, %p1;"
       "st.global.v2.u32 [%rd0], {%r3, %r4}; st.global.u32 [%rd0+8], %r5;",
       {[](U l) { return 2 * l; }, [](U) { return 1u; }, [](U) { return 1u; }},
       "sm_90"},
      {"brx.idx takes each lane to its label",
       "rem.u32 %r2, %r0, 3; list: .branchtargets A, B, C; brx.idx %r2, list; A: mov.u32 %r3, 10; "
       "bra END; B: add.u32 %r3, %r0, 100; bra END; C: activemask.b32 %r3; END: activemask.b32 "
       "%r4; st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return l % 3 == 0   ? 10u
                         : l % 3 == 1 ? l + 100
                                      : 0x24924924u; },
        [](U) { return ~0u; }}},
      {"alloca, each lane as much as it wants",
       "add.u32 %r2, %r0, 1; mul.wide.u32 %rd1, %r2, 4; stacksave.u64 %rd5; alloca.u64 %rd2, %rd1, "
       "16; alloca.u64 %rd3, 4; st.local.u32 [%rd2], %r0; st.local.u32 [%rd3], 77; mad.wide.u32 "
       "%rd4, %r0, 4, %rd2; setp.ne.u32 %p1, %r0, 0; @%p1 st.local.u32 [%rd4], %r2; ld.local.u32 "
       "%r3, [%rd4]; ld.local.u32 %r4, [%rd3]; and.b64 %rd4, %rd2, 15; cvt.u32.u64 %r5, %rd4; "
       "stackrestore.u64 %rd5; stacksave.u64 %rd6; sub.u64 %rd6, %rd6, %rd5; cvt.u32.u64 %r6, "
       "%rd6; st.global.v4.u32 [%rd0], {%r3, %r4, %r5, %r6};",
       {[](U l) { return l == 0 ? 0 : l + 1; }, [](U) { return 77u; }, [](U) { return 0u; },
        [](U) { return 0u; }}},
      {"arguments and results in registers",
       "call (%r2), triangle, (%r0); call (%r3), triangle, (5); mov.u32 %r4, 9; setp.lt.u32 %p1, "
       "%r0, 4; @%p1 call (%r4), triangle, (4); call (_), triangle, (1);"
       "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], %r4;",
       {[](U l) { return l * (l + 1) / 2; }, [](U) { return 15u; },
        [](U l) { return l < 4 ? 10u : 9u; }}},
      {"registers and numbers for parameters that are none",
       "call (%r2), thrice, (%r0); call (%r3), thrice, (7); mov.u64 %rd1, triangle; KIND: "
       ".callprototype (.reg .b32 _) _ (.reg .b32 _); call (%r4), %rd1, (%r0), KIND;"
       "{ .param .b32 x; st.param.b32 [x], %r0; call (x), twice, (x); ld.param.b32 %r5, [x]; }"
       "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};",
       {[](U l) { return 3 * l; }, [](U) { return 21u; }, [](U l) { return l * (l + 1) / 2; },
        [](U l) { return 2 * l; }}},
      {"fences",
       "membar.gl; membar.cta; fence.acq_rel.gpu; fence.sc.sys; nanosleep.u32 10; st.global.u32 "
       "[%rd0], %r0;",
       {[](U l) { return l; }}},
  };
}

}  // namespace

std::span<const Snippet> control_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
