// SPDX-License-Identifier: MIT
// What lanes do together: shuffles, votes, reductions, matrices (PTX
// ISA 9.2, 9.7.9.6, 9.7.13, 9.7.14).
#include <cstring>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

// What lane L stored in row L of the 8x8 matrices at `tile`: 16-bit words 8L, 8L+1, ...
#define ROWS                                                                                    \
  "mov.u32 %r2, tile; mad.lo.u32 %r2, %r0, 16, %r2; shl.b32 %r3, %r0, 3; mad.lo.u32 %r4, %r3, " \
  "0x10001, 0x10000; add.u32 %r5, %r4, 0x20002; add.u32 %r6, %r4, 0x40004; add.u32 %r7, %r4, "  \
  "0x60006; st.shared.v4.u32 [%r2], {%r4, %r5, %r6, %r7}; bar.warp.sync -1; "

// Element (row, col) of matrix m, as ROWS wrote it.
U element(U m, U row, U col) { return 8 * (8 * m + row) + col; }
U real(float value) {
  U pattern;
  std::memcpy(&pattern, &value, 4);
  return pattern;
}
U pair(U low, U high) { return low | high << 16; }
U straight(U m, U l) {
  return pair(element(m, l / 4, l % 4 * 2), element(m, l / 4, l % 4 * 2 + 1));
}
U turned(U m, U l) { return pair(element(m, l % 4 * 2, l / 4), element(m, l % 4 * 2 + 1, l / 4)); }

// Element k of row `row`, of so many bits, in the low ones.
U small(U row, U k, U bits) {
  U found = 0;
  for (U bit = 0; bit < bits; ++bit) {
    const U at = k * bits + bit;
    found |= (element(0, row, at / 16) >> at % 16 & 1) << bit;
  }
  return found;
}
// Four bytes of row 8m + l/4; of column l/4, and 8 more in every second register.
U bytes_along(U m, U l, U bits) {
  U word = 0;
  for (U k = 0; k < 4; ++k) word |= small(8 * m + l / 4, l % 4 * 4 + k, bits) << 8 * k;
  return word;
}
U bytes_down(U reg, U l, U bits) {
  U word = 0;
  for (U k = 0; k < 4; ++k)
    word |= small(reg / 2 * 16 + l % 4 * 4 + k, l / 4 + reg % 2 * 8, bits) << 8 * k;
  return word;
}

std::vector<Snippet> build() {
  return {
      {"shfl up",
       "shfl.sync.up.b32 %r2|%p1, %r0, 3, 0, -1; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 [%rd0], "
       "{%r2, %r3};",
       {[](U l) { return l >= 3 ? l - 3 : l; }, [](U l) { return l >= 3 ? 1u : 0u; }}},
      {"shfl down",
       "shfl.sync.down.b32 %r2|%p1, %r0, 3, 31, -1; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 "
       "[%rd0], {%r2, %r3};",
       {[](U l) { return l + 3 < 32 ? l + 3 : l; }, [](U l) { return l + 3 < 32 ? 1u : 0u; }}},
      {"shfl bfly", "shfl.sync.bfly.b32 %r2, %r0, 5, 31, -1; st.global.u32 [%rd0], %r2;", {[](U l) {
         return l ^ 5;
       }}},
      {"shfl idx in segments of eight",
       "shfl.sync.idx.b32 %r2|%p1, %r0, 11, 0x1807, -1; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 "
       "[%rd0], {%r2, %r3};",
       {[](U l) { return (l & 24) | 3; }, [](U) { return 1u; }}},
      {"shfl down in segments clamps",
       "shfl.sync.down.b32 %r2|%p1, %r0, 2, 0x1c03, -1; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 "
       "[%rd0], {%r2, %r3};",
       {[](U l) { return l % 4 < 2 ? l + 2 : l; }, [](U l) { return l % 4 < 2 ? 1u : 0u; }}},
      {"shfl by half a warp",
       "mov.u32 %r2, 99; setp.lt.u32 %p1, %r0, 16; @%p1 shfl.sync.bfly.b32 %r2, %r0, 1, 31, "
       "0xffff; st.global.u32 [%rd0], %r2;",
       {[](U l) { return l < 16 ? l ^ 1 : 99; }}},
      {"vote",
       "setp.lt.u32 %p1, %r0, 5; vote.sync.all.pred %p2, %p1, -1; vote.sync.any.pred %p3, %p1, -1; "
       "vote.sync.ballot.b32 %r2, %p1, -1;"
       "vote.sync.uni.pred %p4, %p1, -1; vote.sync.ballot.b32 %r3, !%p1, -1; selp.u32 %r4, 1, 0, "
       "%p2; selp.u32 %r5, 1, 0, %p3; selp.u32 %r6, 1, 0, %p4;"
       "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.v2.u32 [%rd0+8], {%r4, %r5}; st.global.u32 "
       "[%rd0+16], %r6;",
       {[](U) { return 0x1fu; }, [](U) { return ~0x1fu; }, [](U) { return 0u; },
        [](U) { return 1u; }, [](U) { return 0u; }}},
      // Lanes that count long enough to lose their turn: those with fewer rounds are then at the
      // first vote of the next ones, the same instruction with another mask.
      {"votes of nested loops meet by their masks",
       "and.b32 %r1, %r0, 3; mul.lo.u32 %r1, %r1, 4000; mov.u32 %r2, 0; mov.u32 %r3, 3; "
       "OUTER: mov.u32 %r4, %r1; mov.b32 %r5, -1; "
       "INNER: setp.ne.u32 %p1, %r4, 0; vote.sync.ballot.b32 %r5, %p1, %r5; popc.b32 %r6, %r5; "
       "add.u32 %r2, %r2, %r6; @!%p1 bra LEAVE; sub.u32 %r4, %r4, 1; bra INNER; "
       "LEAVE: sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra OUTER; "
       "st.global.u32 [%rd0], %r2;",
       {[](U l) { return 3 * (4000 * (l % 4 * 28 - l % 4 * (l % 4) * 4) + 24 - l % 4 * 8); }}},
      // nvcc makes two instructions of one where one way round knows what is asked.
      {"lanes meet at collectives that stand at different places",
       "setp.lt.u32 %p1, %r0, 10; and.b32 %r1, %r0, 1; setp.ne.u32 %p2, %r1, 0; setp.eq.u32 %p3, "
       "%r1, 0; add.u32 %r9, %r0, 100; @%p1 bra LOW; "
       "vote.sync.ballot.b32 %r2, !%p3, -1; shfl.sync.idx.b32 %r3|%p4, %r9, 5, 31, -1; "
       "redux.sync.add.u32 %r4, %r0, -1; match.any.sync.b32 %r5, %r1, -1; vote.sync.any.pred %p5, "
       "%p1, -1; bra DONE; "
       "LOW: shl.b32 %r10, %r0, 1; mov.u32 %r11, 1000; mov.u32 %r12, 1; vote.sync.ballot.b32 %r2, "
       "%p2, -1; shfl.sync.idx.b32 %r3|%p4, "
       "%r10, 12, 31, -1; redux.sync.add.u32 %r4, %r11, -1; match.any.sync.b32 %r5, %r12, -1; "
       "vote.sync.any.pred %p5, %p1, -1; "
       "DONE: selp.u32 %r6, 1, 0, %p5; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5}; "
       "st.global.u32 [%rd0+16], %r6;",
       {[](U) { return 0xaaaaaaaau; }, [](U l) { return l < 10 ? 112u : 10u; },
        [](U) { return 10000u + 451; },
        [](U l) { return l < 10 || l % 2 == 1 ? 0xaaaaabffu : 0x55555400u; },
        [](U) { return 1u; }}},
      {"nobody waits for lanes that have exited, and shfl takes zeros from them",
       "setp.lt.u32 %p1, %r0, 8; mov.u32 %r2, 9; @%p1 st.global.v4.u32 [%rd0], {%r2, %r2, %r2, "
       "%r2}; @%p1 exit; and.b32 %r1, %r0, 1; add.u32 %r2, %r0, 100; xor.b32 %r3, %r0, 8; "
       "shfl.sync.idx.b32 %r4, %r2, "
       "%r3, 31, -1; redux.sync.min.u32 %r5, %r2, -1; match.any.sync.b32 %r6, %r1, -1; "
       "setp.ne.u32 %p3, %r2, 0; vote.sync.ballot.b32 %r7, %p3, -1; "
       "st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};",
       {[](U l) { return l < 8    ? 9
                         : l < 16 ? 0u
                                  : 100 + (l ^ 8); },
        [](U l) { return l < 8 ? 9 : 108u; },
        [](U l) { return l < 8 ? 9 : 0x55555500u << (l & 1); },
        [](U l) { return l < 8 ? 9 : 0xffffff00u; }}},
      {"only those of the same mask meet",
       "setp.lt.u32 %p1, %r0, 8; and.b32 %r1, %r0, 1; setp.eq.u32 %p2, %r1, 0; selp.b32 %r2, "
       "0x55555555, 0xaaaaaaaa, %p2; mov.u32 %r4, 7; @%p1 bra LOW; "
       "redux.sync.min.u32 %r3, %r0, %r2; bra DONE; "
       "LOW: add.u32 %r4, %r0, 5; redux.sync.min.u32 %r3, %r4, %r2; "
       "DONE: st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return 5 + l % 2; }, [](U l) { return l < 8 ? l + 5 : 7; }}},
      {"those of the second mask meet, too, where all are waited for behind it",
       "setp.lt.u32 %p1, %r0, 8; and.b32 %r1, %r0, 1; setp.eq.u32 %p2, %r1, 0; selp.b32 %r2, "
       "0x55555555, 0xaaaaaaaa, %p2; @%p1 bra LOW; redux.sync.add.u32 %r3, %r0, %r2; bra DONE; "
       "LOW: redux.sync.add.u32 %r3, %r0, %r2; "
       "DONE: redux.sync.max.u32 %r4, %r3, -1; st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return 240 + l % 2 * 16; }, [](U) { return 256u; }}},
      {"match",
       "and.b32 %r1, %r0, 3; match.any.sync.b32 %r2, %r1, -1; match.all.sync.b32 %r3|%p1, %r1, -1; "
       "mov.u32 %r9, 5; match.all.sync.b32 %r4|%p2, %r9, -1;"
       "selp.u32 %r5, 1, 0, %p2; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};",
       {[](U l) { return 0x11111111u << (l & 3); }, [](U) { return 0u; }, [](U) { return ~0u; },
        [](U) { return 1u; }}},
      {"activemask of half a warp",
       "mov.u32 %r2, 0; setp.ge.u32 %p1, %r0, 20; @%p1 activemask.b32 %r2; st.global.u32 [%rd0], "
       "%r2;",
       {[](U l) { return l >= 20 ? 0xfff00000u : 0u; }}},
      {"redux",
       "sub.u32 %r1, %r0, 7; redux.sync.add.s32 %r2, %r1, -1; redux.sync.min.s32 %r3, %r1, -1; "
       "redux.sync.max.u32 %r4, %r1, -1; redux.sync.xor.b32 %r5, %r1, -1;"
       "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};",
       {[](U) { return 496u - 7 * 32; }, [](U) { return U(-7); }, [](U) { return ~0u; },
        [](U) {
          U all = 0;
          for (U l = 0; l < 32; ++l) all ^= l - 7;
          return all;
        }}},
      {"elect",
       "mov.u32 %r2, 9; setp.ne.u32 %p1, %r0, %r0; setp.ge.u32 %p2, %r0, 4; @%p2 elect.sync "
       "%r2|%p1, "
       "0xfffffff0; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 [%rd0], {%r2, %r3};",
       {[](U l) { return l >= 4 ? 4u : 9u; }, [](U l) { return l == 4 ? 1u : 0u; }},
       "sm_90"},
      {"ldmatrix x1",
       ROWS "and.b32 %r8, %r0, 7; mov.u32 %r9, tile; mad.lo.u32 %r9, %r8, 16, %r9; "
            "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r9];"
            "ldmatrix.sync.aligned.x1.trans.m8n8.shared.b16 {%r11}, [%r9]; st.global.v2.u32 "
            "[%rd0], {%r10, %r11};",
       {[](U l) { return straight(0, l); }, [](U l) { return turned(0, l); }}},
      {"ldmatrix x2",
       ROWS "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r10, %r11}, [%r2]; "
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r12, %r13}, [%r2];"
            "st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};",
       {[](U l) { return straight(0, l); }, [](U l) { return straight(1, l); },
        [](U l) { return turned(0, l); }, [](U l) { return turned(1, l); }}},
      {"ldmatrix of bytes",
       ROWS "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%r10, %r11, %r12, %r13}, [%r2]; "
            "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b6x16_p32 {%r14, %r15}, [%r2]; "
            "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64 {%r16, %r17}, [%r2];"
            "st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13}; st.global.v4.u32 [%rd0+16], {%r14, "
            "%r15, %r16, %r17};",
       {[](U l) { return bytes_down(0, l, 8); }, [](U l) { return bytes_down(1, l, 8); },
        [](U l) { return bytes_down(2, l, 8); }, [](U l) { return bytes_down(3, l, 8); },
        [](U l) { return bytes_down(0, l, 6); }, [](U l) { return bytes_down(1, l, 6); },
        [](U l) { return bytes_along(0, l, 4); }, [](U l) { return bytes_along(1, l, 4); }},
       "sm_120a"},
      {"ldmatrix of bytes, of 6 bits along",
       ROWS "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {%r10, %r11, %r12, %r13}, "
            "[%r2]; ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64 {%r14, %r15}, "
            "[%r2]; st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13}; st.global.v2.u32 [%rd0+16], "
            "{%r14, %r15};",
       {[](U l) { return bytes_along(0, l, 6); }, [](U l) { return bytes_along(1, l, 6); },
        [](U l) { return bytes_along(2, l, 6); }, [](U l) { return bytes_along(3, l, 6); },
        [](U l) { return bytes_down(0, l, 4); }, [](U l) { return bytes_down(1, l, 4); }},
       "sm_120a"},
      {"mma of mxf4nvf4: 64 ones, scales 1, 2, 0.5 and 8 by 1",
       "mov.b32 %r1, 0x22222222; mov.b32 %r2, 0x50304038; mov.b32 %r3, 0x38383838; "
       "cvt.rn.f32.u32 %f1, %r0; mov.u16 %h1, 0;"
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
       "f32.ue4m3 {%f2, %f3, %f4, %f5}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1}, "
       "%r2, {%h1, %h1}, %r3, {0, 3}; st.global.v4.f32 [%rd0], {%f2, %f3, %f4, %f5};",
       {[](U l) { return real(static_cast<float>(l) + 184); },
        [](U l) { return real(static_cast<float>(l) + 184); },
        [](U l) { return real(static_cast<float>(l) + 184); },
        [](U l) { return real(static_cast<float>(l) + 184); }},
       "sm_120a"},
      {"ldmatrix x4 in both orders of modifiers",
       ROWS "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%r10, %r11, %r12, %r13}, [%r2]; "
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r14, %r15, %r16, %r17}, [%r2];"
            "st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13}; st.global.v4.u32 [%rd0+16], {%r14, "
            "%r15, %r16, %r17};",
       {[](U l) { return straight(0, l); }, [](U l) { return straight(1, l); },
        [](U l) { return straight(2, l); }, [](U l) { return straight(3, l); },
        [](U l) { return turned(0, l); }, [](U l) { return turned(1, l); },
        [](U l) { return turned(2, l); }, [](U l) { return turned(3, l); }}},
      {"ldmatrix overwrites its address",
       ROWS "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r11, %r12, %r13}, [%r2]; "
            "st.global.v2.u32 [%rd0], {%r2, %r13};",
       {[](U l) { return straight(0, l); }, [](U l) { return straight(3, l); }}},
      {"stmatrix is ldmatrix backwards",
       ROWS "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r10, %r11}, [%r2]; add.u32 %r12, %r2, "
            "1024; stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r12], {%r10, %r11};"
            "bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r13, %r14}, [%r12]; "
            "st.global.v2.u32 [%rd0], {%r13, %r14};",
       {[](U l) { return turned(0, l); }, [](U l) { return turned(1, l); }},
       "sm_90"},
      {"stmatrix of four, rows as they are",
       ROWS "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r2]; "
            "add.u32 %r14, %r2, "
            "1024; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r14], {%r10, %r11, %r12, %r13}; "
            "bar.warp.sync -1; "
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r15, %r16, %r17, %r18}, [%r14]; "
            "st.global.v4.u32 [%rd0], {%r15, %r16, %r17, %r18};",
       {[](U l) { return turned(0, l); }, [](U l) { return turned(1, l); },
        [](U l) { return turned(2, l); }, [](U l) { return turned(3, l); }},
       "sm_90"},
      {"movmatrix",
       ROWS "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r2]; "
            "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10; st.global.u32 [%rd0], %r11;",
       {[](U l) { return turned(0, l); }}},
      {"mma of ones",
       "mov.u32 %r2, 0x3c003c00; mov.f32 %f1, 0f3F800000; "
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r2, %r2, %r2, "
       "%r2}, {%r2, %r2}, {%f1, %f1, %f1, %f1};"
       "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r3, %r4}, {%r2, %r2, %r2, %r2}, {%r2, "
       "%r2}, {%r2, %r2}; st.global.v2.f32 [%rd0], {%f2, %f5}; st.global.v2.u32 [%rd0+8], {%r3, "
       "%r4};",
       {[](U) { return 0x41880000u; }, [](U) { return 0x41880000u; }, [](U) { return 0x4c404c40u; },
        [](U) { return 0x4c404c40u; }}},
      {"fp8 mma is a sum of C, which takes products in",  // A and B: -1 is added
       "and.b32 %r2, %r0, 0; or.b32 %r3, %r2, 0x38000000; or.b32 %r4, %r2, 0xa0000000;"
       "or.b32 %r5, %r2, 0x3c033c03; or.b32 %r6, %r2, 0x3f800800; mov.b32 %f1, %r6;"
       "mul.f32 %f2, %f1, %f1; mul.rn.f32 %f3, %f1, %f1; mul.f16x2 %r7, %r5, %r5;"
       "mul.rn.f16x2 %r8, %r5, %r5; mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
       "{%f4, %f5, %f6, %f7}, {%r3, %r3, %r3, %r3}, {%r4, %r4}, {%f2, %f3, %f1, %f1};"
       "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 "
       "{%r9, %r10}, {%r3, %r3, %r3, %r3}, {%r4, %r4}, {%r7, %r8};"
       "st.global.v2.f32 [%rd0], {%f4, %f5}; st.global.v2.u32 [%rd0+8], {%r9, %r10};",
       {[](U) { return 0x3a000400u; }, [](U) { return 0x3a000000u; }, [](U) { return 0x1e021e02u; },
        [](U) { return 0x1e001e00u; }},
       "sm_90"},
      {"mma of integers",
       "mov.u32 %r2, 0x01ff01ff; mov.u32 %r3, 0x02020202; mov.u32 %r4, 5; "
       "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r5, %r6, %r7, %r8}, {%r2, %r2, %r2, "
       "%r2}, {%r3, %r3}, {%r4, %r4, %r4, %r0};"
       "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%r9, %r10, %r11, %r12}, {%r2, "
       "%r2, %r2, %r2}, {%r3, %r3}, {%r4, %r4, %r4, %r4};"
       "st.global.v2.u32 [%rd0], {%r5, %r8}; st.global.u32 [%rd0+8], %r9;",
       {[](U) { return 5u; }, [](U l) { return l; }, [](U) { return 16u * 2 * 256 + 5; }}},
      {"bar.red",
       "setp.lt.u32 %p1, %r0, 5; bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 0, %p1; "
       "bar.red.or.pred %p3, 1, !%p1; selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 1, 0, %p3;"
       "st.global.v2.u32 [%rd0], {%r2, %r3}; st.global.u32 [%rd0+8], %r4;",
       {[](U) { return 5u; }, [](U) { return 0u; }, [](U) { return 1u; }}},
  };
}

}  // namespace

std::span<const Snippet> warp_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
