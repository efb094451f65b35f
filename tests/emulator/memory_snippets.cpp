// SPDX-License-Identifier: MIT
// Moves, loads and stores of every space and width, address conversion, atomics, asynchronous
// copies (PTX ISA 9.2, 9.7.9, 9.7.13).
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

U mixed(U lane) { return lane * 0x9e3779b9u + 0x7f4a7c15u; }
#define MIXED "mad.lo.u32 %r1, %r0, 0x9e3779b9, 0x7f4a7c15; "
// %r2: 16 bytes of `tile` for every lane.
#define TILE "mov.u32 %r2, tile; mad.lo.u32 %r2, %r0, 16, %r2; "

std::vector<Snippet> build() {
  return {
      {"operands and offsets that are computed",
       TILE "st.shared.v2.u32 [%r2+2*4], {(1<<4)|2, -WARP_SZ}; ld.shared.u32 %r3, "
            "[%r2+4+4];"
            "mov.u32 %r4, tile+2*4; mad.lo.u32 %r4, %r0, 4*4, %r4; ld.shared.u32 %r5, [%r4+-8+8]; "
            "mov.f32 %f1, 1.5*2.0; st.global.v2.u32 [%rd0], {%r3, %r5}; st.global.f32 [%rd0+2*4], "
            "%f1;",
       {[](U) { return 18u; }, [](U) { return 18u; }, [](U) { return 0x40400000u; }}},
      {"mov packs and unpacks",
       MIXED "mov.b64 %rd1, {%r0, %r1}; mov.b64 {%r3, %r4}, %rd1; mov.b32 {%h1, %h2}, %r1; mov.b32 "
             "%r5, {%h2, %h1};"
             "st.global.v2.u32 [%rd0], {%r3, %r4}; st.global.u32 [%rd0+8], %r5;",
       {[](U l) { return l; }, [](U l) { return mixed(l); },
        [](U l) { return mixed(l) << 16 | mixed(l) >> 16; }}},
      {"mov.b64 of four halves",
       MIXED "mov.b32 {%h1, %h2}, %r1; mov.b64 %rd1, {%h1, %h1, %h2, %h2}; mov.b64 {%h3, %h4, %h5, "
             "%h6}, %rd1;"
             "mov.b32 %r3, {%h4, %h5}; st.global.u64 [%rd0], %rd1; st.global.u32 [%rd0+8], %r3;",
       {[](U l) { return (mixed(l) & 0xffff) * 0x10001u; },
        [](U l) { return (mixed(l) >> 16) * 0x10001u; }, [](U l) { return mixed(l); }}},
      {"ld.param",
       "ld.param.u32 %r1, [number]; ld.param.u8 %r2, [number+1]; st.global.v2.u32 [%rd0], {%r1, "
       "%r2};",
       {[](U) { return 7u; }, [](U) { return 0u; }}},
      {"kernel parameters by generic address",
       "mov.b64 %rd1, number; cvta.param.u64 %rd2, %rd1; ld.param.u32 %r1, [%rd1]; ld.u32 %r2, "
       "[%rd2];"
       "st.global.v2.u32 [%rd0], {%r1, %r2};",
       {[](U) { return 7u; }, [](U) { return 7u; }},
       "sm_90"},
      {"shared memory",
       MIXED TILE "st.shared.u32 [%r2], %r1; xor.b32 %r3, %r2, 16; bar.warp.sync -1; ld.shared.u32 "
                  "%r4, [%r3]; st.global.u32 [%rd0], %r4;",
       {[](U l) { return mixed(l ^ 1); }}},
      {"narrow loads extend",
       MIXED TILE "st.shared.u32 [%r2], %r1; ld.shared.s8 %r3, [%r2+1]; ld.shared.u8 %r4, [%r2+1]; "
                  "ld.shared.s16 %r5, [%r2+2];"
                  "ld.shared.s8 %h1, [%r2]; cvt.u32.u16 %r6, %h1; st.global.v4.u32 [%rd0], {%r3, "
                  "%r4, %r5, %r6};",
       {[](U l) { return U(std::int8_t(mixed(l) >> 8)); }, [](U l) { return mixed(l) >> 8 & 0xff; },
        [](U l) { return U(std::int16_t(mixed(l) >> 16)); },
        [](U l) { return U(std::uint16_t(std::int8_t(mixed(l)))); }}},
      {"narrow loads into 64 bits",
       MIXED TILE "st.shared.u32 [%r2], %r1; ld.shared.s32 %rd1, [%r2]; ld.shared.u16 %rd2, [%r2]; "
                  "st.global.v2.u64 [%rd0], {%rd1, %rd2};",
       {[](U l) { return mixed(l); }, [](U l) { return (mixed(l) >> 31) != 0 ? ~0u : 0u; },
        [](U l) { return mixed(l) & 0xffff; }, [](U) { return 0u; }}},
      {"narrow stores",
       MIXED TILE "mov.u32 %r3, 0; st.shared.u32 [%r2], %r3; st.shared.u8 [%r2+1], %r1; "
                  "cvt.u16.u32 %h1, %r1; st.shared.u16 [%r2+2], %h1;"
                  "ld.shared.u32 %r4, [%r2]; st.global.u32 [%rd0], %r4;",
       {[](U l) { return (mixed(l) & 0xff) << 8 | mixed(l) << 16; }}},
      {"vectors",
       MIXED TILE "st.shared.v4.u32 [%r2], {%r0, %r1, %r0, %r1}; ld.shared.v2.u64 {%rd1, %rd2}, "
                  "[%r2]; ld.shared.v4.u16 {%h1, %h2, %h3, %h4}, [%r2];"
                  "mov.b32 %r3, {%h2, %h3}; st.global.v2.u64 [%rd0], {%rd1, %rd2}; st.global.u32 "
                  "[%rd0+16], %r3;",
       {[](U l) { return l; }, [](U l) { return mixed(l); }, [](U l) { return l; },
        [](U l) { return mixed(l); }, [](U l) { return mixed(l) << 16; }}},
      {"a vector may leave out parts",
       MIXED TILE "st.shared.v4.u32 [%r2], {%r0, %r1, %r0, %r1}; ld.shared.v4.u32 {_, %r3, _, _}, "
                  "[%r2]; st.global.u32 [%rd0], %r3;",
       {[](U l) { return mixed(l); }},
       "sm_80"},
      {"local memory",
       MIXED "mov.u64 %rd1, depot; st.local.u32 [%rd1+4], %r1; cvta.local.u64 %rd2, %rd1; ld.u32 "
             "%r3, [%rd2+4]; st.u32 [%rd2+8], %r0;"
             "ld.local.u32 %r4, [depot+8]; st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return mixed(l); }, [](U l) { return l; }}},
      {"generic shared addresses",
       MIXED TILE "st.shared.u32 [%r2], %r1; cvt.u64.u32 %rd1, %r2; cvta.shared.u64 %rd2, %rd1; "
                  "ld.u32 %r3, [%rd2];"
                  "cvta.to.shared.u64 %rd3, %rd2; cvt.u32.u64 %r4, %rd3; sub.u32 %r4, %r4, %r2; "
                  "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return mixed(l); }, [](U) { return 0u; }}},
      {"lanes point to different spaces",
       MIXED TILE
       "st.shared.u32 [%r2], %r1; st.global.u32 [%rd0+8], %r0; cvt.u64.u32 %rd1, %r2; "
       "cvta.shared.u64 %rd2, %rd1;"
       "add.u64 %rd3, %rd0, 8; and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 1; selp.b64 %rd4, %rd2, "
       "%rd3, %p1; ld.u32 %r4, [%rd4];"
       "isspacep.shared %p2, %rd4; selp.u32 %r5, 1, 0, %p2; st.global.v2.u32 [%rd0], {%r4, %r5};",
       {[](U l) { return (l & 1) != 0 ? mixed(l) : l; }, [](U l) { return l & 1; }}},
      {"module variables begin as zero",
       "mov.u64 %rd1, words; mad.wide.u32 %rd1, %r0, 0, %rd1; ld.global.u32 %r1, [%rd1+4]; "
       "ld.global.nc.v2.u32 {%r2, %r3}, [words+8];"
       "st.global.v2.u32 [%rd0], {%r1, %r2};",
       {[](U) { return 0u; }, [](U) { return 0u; }}},
      {"fresh shared memory is poisoned",
       TILE "ld.shared.u32 %r3, [%r2+512]; st.global.u32 [%rd0], %r3;",
       {[](U) { return 0xa5a5a5a5u; }}},
      {"cache hints change nothing",
       MIXED "st.global.wt.u32 [%rd0], %r1; ld.volatile.global.u32 %r3, [%rd0]; "
             "ld.global.L1::no_allocate.L2::128B.u32 %r4, [%rd0];"
             "st.release.gpu.global.u32 [%rd0+4], %r4; ld.relaxed.sys.global.u32 %r5, [%rd0+4]; "
             "st.global.u32 [%rd0+8], %r5;",
       {[](U l) { return mixed(l); }, [](U l) { return mixed(l); }, [](U l) { return mixed(l); }}},
      {"atom.add in shared memory",
       "mov.u32 %r2, 0; st.shared.u32 [tile], %r2; bar.warp.sync 0xffffffff; atom.shared.add.u32 "
       "%r3, [tile], %r0; bar.warp.sync 0xffffffff;"
       "ld.shared.u32 %r4, [tile]; st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return l * (l - 1) / 2; }, [](U) { return 496u; }}},
      {"atomics of every kind",
       TILE "mov.u32 %r3, 12; st.shared.v4.u32 [%r2], {%r3, %r3, %r3, %r3}; atom.shared.min.s32 "
            "%r4, [%r2], -5; atom.shared.max.u32 %r5, [%r2+4], %r0;"
            "atom.shared.cas.b32 %r6, [%r2+8], 12, %r0; atom.shared.exch.b32 %r7, [%r2+12], %r0; "
            "ld.shared.v4.u32 {%r4, %r5, %r6, %r8}, [%r2];"
            "st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r8}; st.global.u32 [%rd0+16], %r7;",
       {[](U) { return U(-5); }, [](U l) { return l > 12 ? l : 12; }, [](U l) { return l; },
        [](U l) { return l; }, [](U) { return 12u; }}},
      {"inc and dec wrap at their limit",
       TILE "mov.u32 %r3, 5; st.shared.v2.u32 [%r2], {%r3, %r3}; atom.shared.inc.u32 %r4, [%r2], "
            "5; atom.shared.dec.u32 %r5, [%r2+4], 3;"
            "ld.shared.v2.u32 {%r6, %r7}, [%r2]; st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};",
       {[](U) { return 5u; }, [](U) { return 5u; }, [](U) { return 0u; }, [](U) { return 3u; }}},
      {"red and 64-bit atomics",
       "mov.u64 %rd1, 0; st.global.u64 [%rd0], %rd1; cvt.u64.u32 %rd2, %r0; shl.b64 %rd2, %rd2, "
       "30; red.global.add.u64 [%rd0], %rd2;"
       "atom.global.or.b64 %rd3, [%rd0], 3; red.global.add.f32 [%rd0+8], 0f3F800000; mov.f32 %f1, "
       "0f40000000; st.global.f32 [%rd0+8], %f1;"
       "red.global.add.f32 [%rd0+8], 0f3F800000;",
       {[](U l) { return (l << 30) | 3; }, [](U l) { return l >> 2; },
        [](U) { return 0x40400000u; }}},
      {"f16x2 atomics",
       "mov.u32 %r3, 0x3c003c00; st.global.u32 [%rd0], %r3; atom.global.add.noftz.f16x2 %r4, "
       "[%rd0], %r3; st.global.u32 [%rd0+4], %r4;",
       {[](U) { return 0x40004000u; }, [](U) { return 0x3c003c00u; }}},
      {"cp.async lands at the wait",
       MIXED TILE "st.global.v4.u32 [%rd0+16], {%r1, %r0, %r1, %r0}; add.u64 %rd1, %rd0, 16; "
                  "cp.async.cg.shared.global [%r2], [%rd1], 16; cp.async.commit_group;"
                  "ld.shared.u32 %r3, [%r2]; cp.async.wait_group 0; ld.shared.v2.u32 {%r4, %r5}, "
                  "[%r2]; st.global.v2.u32 [%rd0], {%r3, %r4}; st.global.u32 [%rd0+8], %r5;",
       {[](U) { return 0xa5a5a5a5u; }, [](U l) { return mixed(l); }, [](U l) { return l; }}},
      {"cp.async fills with zeros",
       MIXED TILE "st.global.v4.u32 [%rd0+16], {%r1, %r1, %r1, %r1}; and.b32 %r3, %r0, 15; "
                  "cp.async.ca.shared.global.L2::128B [%r2], [%rd0+16], 16, %r3;"
                  "cp.async.wait_all; ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2]; "
                  "st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};",
       {[](U l) {
          return (l & 15) >= 4  ? mixed(l)
                 : (l & 3) == 0 ? 0
                                : mixed(l) & ((1u << (8 * (l & 3))) - 1);
        },
        [](U l) {
          return (l & 15) >= 8   ? mixed(l)
                 : (l & 15) <= 4 ? 0
                                 : mixed(l) & ((1u << (8 * (l & 3))) - 1);
        },
        [](U l) {
          return (l & 15) >= 12  ? mixed(l)
                 : (l & 15) <= 8 ? 0
                                 : mixed(l) & ((1u << (8 * (l & 3))) - 1);
        },
        [](U l) { return (l & 15) <= 12 ? 0 : mixed(l) & ((1u << (8 * (l & 3))) - 1); }}},
      {"elements of arrays by their index",
       ".shared .align 4 .b32 mine[8][4]; .local .b16 own[4]; cvt.u16.u32 %h1, %r0; "
       "st.shared.b32 mine[%r0], %r0; bar.warp.sync -1; ld.shared.b32 %r2, mine[(1<<3)+1];"
       "and.b32 %r3, %r0, 15; ld.shared.b32 %r4, mine[%r3+3]; st.local.b16 own[2], %h1; "
       "ld.local.u16 %r5, [own+4]; mov.u32 %r6, mine[%h1]; mov.u32 %r7, mine; sub.u32 %r6, %r6, "
       "%r7; st.global.v4.u32 [%rd0], {%r2, %r4, %r5, %r6}; cvta.shared.u64 %rd1, mine[%rd2];"
       "mov.u64 %rd2, words[3]; mov.u64 %rd3, words; sub.u64 %rd2, %rd2, %rd3; cvt.u32.u64 %r8, "
       "%rd2; mov.u32 %r2, -1; mov.u64 %rd4, words[%r2]; sub.u64 %rd4, %rd4, %rd3;"
       "mov.u64 %rd5, words[%r2+3]; sub.u64 %rd5, %rd5, %rd3; st.global.u64 [%rd0+32], %rd5;"
       "st.global.u32 [%rd0+16], %r8; st.global.u64 [%rd0+24], %rd4;",
       {[](U) { return 9u; }, [](U l) { return (l & 15) + 3; }, [](U l) { return l; },
        [](U l) { return 4 * l; }, [](U) { return 3u; }, [](U) { return 0xa5a5a5a5u; },
        [](U) { return ~0u; }, [](U) { return 0u; }, [](U) { return 2u; }, [](U) { return 0u; }}},
      {"wait_group leaves the latest groups",
       TILE "st.global.u32 [%rd0+32], %r0; cp.async.ca.shared.global [%r2], [%rd0+32], 4; "
            "cp.async.commit_group; cp.async.ca.shared.global [%r2+4], [%rd0+32], 4;"
            "cp.async.commit_group; cp.async.wait_group 1; ld.shared.v2.u32 {%r3, %r4}, [%r2]; "
            "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {[](U l) { return l; }, [](U) { return 0xa5a5a5a5u; }}},
      {"numbers beside registers of another size than the type's",
       "cvt.u16.u32 %h1, %r0; cvt.u64.u32 %rd2, %r0; mov.u32 %r1, tile; "
       "shl.b32 %r2, %r0, 4; add.u32 %r1, %r1, %r2; st.shared.v4.b8 [%r1], {%h1, 0, 7, %h1}; "
       "st.shared.v2.b16 [%r1+4], {259, %r0}; st.shared.v2.b32 [%r1+8], {-2, %rd2}; "
       "ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%r1]; st.global.v4.b32 [%rd0], {%r3, %r4, %r5, "
       "%r6};",
       {[](U l) { return l | 7u << 16 | l << 24; }, [](U l) { return 259u | l << 16; },
        [](U) { return 0xfffffffeu; }, [](U l) { return l; }}},
  };
}

}  // namespace

std::span<const Snippet> memory_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
