// SPDX-License-Identifier: MIT
// What sm_100 has beyond arithmetic and tensor memory, in one warp: st.bulk, cvt.rs, redux of f32,
// stmatrix of bytes, .cp_mask, .mmio (PTX ISA 9.2, 9.7.9 and 9.7.13). ptxas takes them; no card has
// been asked by us. Which random bits an element has: two measurements of a B200 by others.
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

// %r1: the tile, %r2: a lane's word of it, which is all ones.
#define ONES                                                                         \
  "mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r2, %r2, %r1; mov.b32 %r3, -1; " \
  "st.shared.b32 [%r2], %r3; bar.warp.sync -1; setp.eq.u32 %p1, %r0, 0; "
#define SHOWN " bar.warp.sync -1; ld.shared.b32 %r4, [%r2]; st.global.b32 [%rd0], %r4;"
// %f1: 1 and lane / 32 of what an element's last place is worth, with `step` bits of it.
#define BETWEEN(step) "mad.lo.u32 %r1, %r0, " step ", 0x3f800000; mov.b32 %f1, %r1; "

// `one`, or the next number from that lane on.
auto up_from(U lane, U one) {
  return [=](U l) { return l >= lane ? one + 1 : one; };
}
U never(U one) { return one; }

// The byte that stmatrix has put at a place of two matrices: lane * 4 + byte of the register.
U stored(U place) {
  const U row = place % 128 / 16, col = place % 16;
  return ((col % 8) * 4 + row / 2) * 4 + row % 2 + col / 8 * 2 + place / 128 * 128;
}
U stored_word(U first) {
  return stored(first) | stored(first + 1) << 8 | stored(first + 2) << 16 | stored(first + 3) << 24;
}

std::vector<Snippet> build() {
  return {
      {"st.bulk stores zeros, so many bytes",
       ONES "@%p1 st.bulk.weak.shared::cta [%r1+16], 40, 0;" SHOWN,
       {[](U l) { return l >= 4 && l < 14 ? 0u : 0xffffffffu; }},
       "sm_100"},
      {"st.bulk through a generic address, a size in a register",
       ONES "cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd1, %rd1; mov.u64 %rd2, 24; mov.u32 %r5, 8; "
            "@%p1 st.bulk [%rd1], %rd2, 0; @%p1 st.bulk [%rd1+64], 0, 0; "
            "@%p1 st.bulk.shared::cta [%r1+120], 8, 0;" SHOWN,
       {[](U l) { return l < 6 || l >= 30 ? 0u : 0xffffffffu; }},
       "sm_100"},
      {"cvt.rs.bf16x2: a has the upper half of the random bits, b the lower",
       BETWEEN("0x800") "mov.b32 %r2, 0x80004000; cvt.rs.bf16x2.f32 %r3, %f1, %f1, %r2; "
                        "st.global.b32 [%rd0], %r3;",
       {[](U l) { return up_from(16, 0x3f80)(l) << 16 | up_from(24, 0x3f80)(l); }},
       "sm_100a"},
      {"cvt.rs.f16x2: 13 bits each",
       BETWEEN("0x100") "mov.b32 %r2, 0xf800e800; cvt.rs.f16x2.f32 %r3, %f1, %f1, %r2; "
                        "st.global.b32 [%rd0], %r3;",
       {[](U l) { return up_from(8, 0x3c00)(l) << 16 | up_from(24, 0x3c00)(l); }},
       "sm_100a"},
      {"cvt.rs.e4m3x4: two share a half of the bits, the first from the lowest bit on",
       BETWEEN("0x8000") "mov.b32 %r2, 0x40000003; cvt.rs.satfinite.e4m3x4.f32 %r3, {%f1, %f1, "
                         "%f1, %f1}, %r2; st.global.b32 [%rd0], %r3;",
       {[](U l) {
         return never(0x38) << 24 | up_from(24, 0x38)(l) << 16 | up_from(8, 0x38)(l) << 8 |
                never(0x38);
       }},
       "sm_100a"},
      {"cvt.rs.e2m1x4: two share two bytes of the bits",
       BETWEEN("0x20000") "mov.b32 %r2, 0x00400300; cvt.rs.satfinite.e2m1x4.f32 %h1, {%f1, %f1, "
                          "%f1, %f1}, %r2; cvt.u32.u16 %r3, %h1; st.global.b32 [%rd0], %r3;",
       {[](U l) {
         return up_from(8, 2)(l) << 12 | never(2) << 8 | never(2) << 4 | up_from(24, 2)(l);
       }},
       "sm_100a"},
      {"cvt.rs: relu, satfinite, infinity, NaN",
       "mov.f32 %f1, 0fBF800000; mov.f32 %f2, 0f7149F2CA; mov.f32 %f3, 0f7FC00000; mov.f32 %f4, "
       "0f477FFF00; mov.b32 %r1, -1; cvt.rs.relu.satfinite.e5m2x4.f32 %r2, {%f1, %f2, %f3, %f1}, "
       "%r1; cvt.rs.f16x2.f32 %r3, %f2, %f4, %r1; cvt.rs.satfinite.f16x2.f32 %r4, %f4, %f3, %r1; "
       "cvt.rs.relu.bf16x2.f32 %r5, %f1, %f3, %r1; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};",
       {[](U) { return 0x007b7f00u; }, [](U) { return 0x7c007c00u; }, [](U) { return 0x7bff7fffu; },
        [](U) { return 0x00007fffu; }},
       "sm_100a"},
      {"redux of f32: NaN loses but for .NaN, .abs first",
       "cvt.rn.f32.u32 %f1, %r0; sub.rn.f32 %f1, %f1, 0f40A00000; setp.eq.u32 %p1, %r0, 3; @%p1 "
       "mov.f32 %f1, 0fFFC00001; redux.sync.min.f32 %f2, %f1, -1; redux.sync.max.f32 %f3, %f1, "
       "-1; redux.sync.min.abs.f32 %f4, %f1, -1; redux.sync.max.NaN.f32 %f5, %f1, -1; "
       "st.global.v4.f32 [%rd0], {%f2, %f3, %f4, %f5}; mov.f32 %f6, 0f80000000; @%p1 mov.f32 %f6, "
       "0f00000000; redux.sync.max.f32 %f7, %f6, -1; redux.sync.min.f32 %f8, %f6, -1; "
       "redux.sync.min.abs.NaN.f32 %f9, %f6, -1; st.global.v2.f32 [%rd0+16], {%f7, %f8}; "
       "st.global.f32 [%rd0+24], %f9;",
       {[](U) { return bits(-5.0f); }, [](U) { return bits(26.0f); }, [](U) { return 0u; },
        [](U) { return 0x7fffffffu; }, [](U) { return 0u; }, [](U) { return 0x80000000u; },
        [](U) { return 0u; }},
       "sm_100a"},
      {"redux of f32 among some lanes, of which all may be NaN",
       "cvt.rn.f32.u32 %f1, %r0; setp.lt.u32 %p1, %r0, 2; @%p1 mov.f32 %f1, 0f7FC00001; mov.b32 "
       "%r1, 0xfffffffc; @%p1 mov.b32 %r1, 3; @%p1 bra A; redux.sync.min.f32 %f2, %f1, %r1; bra B; "
       "A: redux.sync.min.f32 %f2, %f1, %r1; B: st.global.f32 [%rd0], %f2;",
       {[](U l) { return l < 2 ? 0x7fffffffu : bits(2.0f); }},
       "sm_100a"},
      {"stmatrix of bytes: a register is two rows of two columns",
       "mul.lo.u32 %r1, %r0, 0x04040404; add.u32 %r1, %r1, 0x03020100; add.u32 %r2, %r1, "
       "0x80808080; mov.u32 %r3, tile; shl.b32 %r4, %r0, 4; add.u32 %r4, %r4, %r3; "
       "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%r4], {%r1, %r2}; bar.warp.sync -1; "
       "shl.b32 %r5, %r0, 3; add.u32 %r5, %r5, %r3; ld.shared.v2.b32 {%r6, %r7}, [%r5]; "
       "st.global.v2.b32 [%rd0], {%r6, %r7};",
       {[](U l) { return stored_word(8 * l); }, [](U l) { return stored_word(8 * l + 4); }},
       "sm_100a"},
      {"a bulk copy of some of each 16 bytes",
       "st.global.v4.u32 [%rd0], {%r0, %r0, %r0, %r0}; st.global.v4.u32 [%rd0+16], {%r0, %r0, "
       "%r0, %r0}; mov.u32 %r1, tile; mov.b32 %r2, 0x11223344; st.shared.v4.u32 [%r1], {%r2, %r2, "
       "%r2, %r2}; st.shared.v4.u32 [%r1+16], {%r2, %r2, %r2, %r2}; fence.proxy.async; "
       "bar.warp.sync -1; setp.eq.u32 %p1, %r0, 0; mov.b16 %h1, 0x40f0; @%p1 "
       "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd0], [%r1], 32, %h1; "
       "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
       {[](U l) { return l; }, [](U l) { return l == 0 ? 0x11223344u : l; }, [](U l) { return l; },
        [](U l) { return l == 0 ? 0x00220000u : l; }, [](U l) { return l; },
        [](U l) { return l == 0 ? 0x11223344u : l; }, [](U l) { return l; },
        [](U l) { return l == 0 ? 0x00220000u : l; }},
       "sm_100"},
      {"st.async and red.async of global memory, which others see",
       "st.async.mmio.release.gpu.global.b32 [%rd0], %r0; st.global.u32 [%rd0+4], %r0; "
       "red.async.mmio.release.sys.global.add.u32 [%rd0+4], 100;",
       {[](U l) { return l; }, [](U l) { return l + 100; }},
       "sm_100"},
  };
}

}  // namespace

std::span<const Snippet> sm100_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
