// SPDX-License-Identifier: MIT
// Tensor memory in one warp, whose lanes are 0 to 31 of it: every shape of ld and st, cp, and a
// product with A in tensor memory (PTX ISA 9.2, 9.7.16). Who gets what is written down here from
// the ISA's figures; no card has been asked.
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

// 32 columns; %r2 is their address. %r3 is the address of 2 KiB of shared memory behind it.
#define ALLOC                                                                                   \
  "mov.u32 %r3, tile; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32; "      \
  "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; bar.warp.sync -1; ld.shared.b32 " \
  "%r2, [%r3]; "
#define FREE "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;"
// Row l, column c has 100 * l + c, for 8 columns.
#define FILL                                                                                      \
  ALLOC                                                                                           \
  "mul.lo.u32 %r10, %r0, 100; add.u32 %r11, %r10, 1; add.u32 %r12, %r10, 2; add.u32 %r13, %r10, " \
  "3; add.u32 %r14, %r10, 4; add.u32 %r15, %r10, 5; add.u32 %r16, %r10, 6; add.u32 %r17, %r10, "  \
  "7; "                                                                                           \
  "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r2], {%r10, %r11, %r12, %r13, %r14, %r15, %r16, "      \
  "%r17}; "                                                                                       \
  "tcgen05.wait::st.sync.aligned; "
#define DONE "tcgen05.wait::ld.sync.aligned; "
#define OUT4 "st.global.v4.u32 [%rd0], {%r20, %r21, %r22, %r23}; " FREE
// mbarrier at tile + 1024; lane 0 commits and all wait.
#define BARRIER                                                                 \
  "setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared::cta.b64 [%r3+1024], 1; " \
  "bar.warp.sync -1; "
#define COMMIT                                                                              \
  "@%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r3+1024]; " \
  "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3+1024], 0; @!%p1 bra W; "           \
  "tcgen05.fence::after_thread_sync; "
// The descriptor of what lies at tile + 16: no swizzle, strides of 128 bytes, version 1.
#define DESCRIPTOR                                                     \
  "add.u32 %r4, %r3, 16; shr.u32 %r4, %r4, 4; cvt.u64.u32 %rd3, %r4; " \
  "or.b64 %rd3, %rd3, 0x0000400800080000; "

U at(U row, U col) { return 100 * row + col; }

std::vector<Snippet> build() {
  return {
      {"tcgen05.st and .ld .32x32b: lane l has row l",
       FILL "add.u32 %r5, %r2, 4; tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r20, %r21, %r22, %r23}, "
            "[%r5]; " DONE OUT4,
       {[](U l) { return at(l, 4); }, [](U l) { return at(l, 5); }, [](U l) { return at(l, 6); },
        [](U l) { return at(l, 7); }},
       "sm_100a"},
      {"tcgen05.ld .16x64b",
       FILL "tcgen05.ld.sync.aligned.16x64b.x4.b32 {%r20, %r21, %r22, %r23}, [%r2]; " DONE OUT4,
       {[](U l) { return at(l / 4 + l % 2 * 8, l / 2 % 2); },
        [](U l) { return at(l / 4 + l % 2 * 8, 2 + l / 2 % 2); },
        [](U l) { return at(l / 4 + l % 2 * 8, 4 + l / 2 % 2); },
        [](U l) { return at(l / 4 + l % 2 * 8, 6 + l / 2 % 2); }},
       "sm_100a"},
      {"tcgen05.ld .16x128b",
       FILL "add.u32 %r5, %r2, 0x100000; tcgen05.ld.sync.aligned.16x128b.x2.b32 {%r20, %r21, %r22, "
            "%r23}, [%r5]; " DONE OUT4,
       {[](U l) { return at(16 + l / 4, l % 4); }, [](U l) { return at(24 + l / 4, l % 4); },
        [](U l) { return at(16 + l / 4, 4 + l % 4); },
        [](U l) { return at(24 + l / 4, 4 + l % 4); }},
       "sm_100a"},
      {"tcgen05.ld .16x256b: as D of mma.m16n8 lies",
       FILL "tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r20, %r21, %r22, %r23}, [%r2]; " DONE OUT4,
       {[](U l) { return at(l / 4, l % 4 * 2); }, [](U l) { return at(l / 4, l % 4 * 2 + 1); },
        [](U l) { return at(8 + l / 4, l % 4 * 2); },
        [](U l) { return at(8 + l / 4, l % 4 * 2 + 1); }},
       "sm_100a"},
      {"tcgen05.ld .16x32bx2: lanes 16 to 31 get the second place, of the same lanes there",
       FILL "add.u32 %r5, %r2, 0x100000; tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%r20, %r21}, "
            "[%r5], 4; " DONE "st.global.v2.u32 [%rd0], {%r20, %r21}; " FREE,
       {[](U l) { return l < 16 ? at(16 + l, 0) : at(l, 4); },
        [](U l) { return l < 16 ? at(16 + l, 1) : at(l, 5); }},
       "sm_100a"},
      {"tcgen05.ld .pack::16b: the low halves of two columns",
       FILL "tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%r20, %r21}, [%r2]; " DONE
            "st.global.v2.u32 [%rd0], {%r20, %r21}; " FREE,
       {[](U l) { return at(l, 0) | at(l, 1) << 16; },
        [](U l) { return at(l, 2) | at(l, 3) << 16; }},
       "sm_100a"},
      {"tcgen05.st .unpack::16b: into the low halves of two columns",
       FILL "mov.u32 %r18, 0x00070009; tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [%r2], "
            "{%r18}; tcgen05.wait::st.sync.aligned; tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r20, "
            "%r21}, [%r2]; " DONE "st.global.v2.u32 [%rd0], {%r20, %r21}; " FREE,
       {[](U) { return 9u; }, [](U) { return 7u; }},
       "sm_100a"},
      {"registers of a tcgen05.ld hold what they held until the wait",
       FILL "mov.u32 %r20, 5; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r20}, [%r2]; add.u32 %r21, "
            "%r20, 0; " DONE "st.global.v2.u32 [%rd0], {%r20, %r21}; " FREE,
       {[](U l) { return at(l, 0); }, [](U) { return 5u; }},
       "sm_100a"},
      {"tensor memory holds what it held until the wait::st",
       FILL
       "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r17}; "
       "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r20}, [%r2]; " DONE
       "tcgen05.wait::st.sync.aligned; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r21}, [%r2]; " DONE
       "st.global.v2.u32 [%rd0], {%r20, %r21}; " FREE,
       {[](U l) { return at(l, 0); }, [](U l) { return at(l, 7); }},
       "sm_100a"},
      {"tcgen05.cp .32x128b.warpx4: row r to lane r",
       ALLOC "mad.lo.u32 %r5, %r0, 16, %r3; st.shared.v4.b32 [%r5+16], {%r0, %r0, %r0, %r5}; "
             "fence.proxy.async; " BARRIER DESCRIPTOR
             "@%p0 tcgen05.cp.cta_group::1.32x128b.warpx4 [%r2], %rd3; " COMMIT
             "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r20, %r21, %r22, %r23}, [%r2]; " DONE
             "sub.u32 %r23, %r23, %r3; " OUT4,
       {[](U l) { return l; }, [](U l) { return l; }, [](U l) { return l; },
        [](U l) { return 16 * l; }},
       "sm_100a"},
      {"tcgen05.cp .4x256b: row 0 to lane 0, the second 16 bytes LBO on",
       ALLOC "mad.lo.u32 %r5, %r0, 16, %r3; st.shared.v4.b32 [%r5+16], {%r0, %r0, %r0, %r0}; "
             "fence.proxy.async; " BARRIER DESCRIPTOR
             "@%p0 tcgen05.cp.cta_group::1.4x256b [%r2], %rd3; " COMMIT
             "tcgen05.ld.sync.aligned.32x32b.x8.b32 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, "
             "%r27}, [%r2]; " DONE "st.global.v2.u32 [%rd0], {%r20, %r24}; " FREE,
       {[](U l) { return l == 0 ? 0 : 0xa5a5a5a5; }, [](U l) { return l == 0 ? 8 : 0xa5a5a5a5; }},
       "sm_100a"},
      // A[row][k] = row in lanes 0 to 15, B[n][k] = n: D = 16 * row * n. M 64, N 8.
      {"tcgen05.mma with A in tensor memory",
       ALLOC "cvt.rn.f16.u32 %h1, %r0; mov.b32 %r10, {%h1, %h1}; shr.u32 %r11, %r0, 2; "
             "cvt.rn.f16.u32 %h2, %r11; mov.b32 %r12, {%h2, %h2}; mad.lo.u32 %r5, %r0, 4, %r3; "
             "st.shared.b32 [%r5+16], %r12; st.shared.b32 [%r5+144], %r12; fence.proxy.async; "
             "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r2], {%r10, %r10, %r10, %r10, %r10, %r10, "
             "%r10, %r10}; tcgen05.wait::st.sync.aligned; " BARRIER DESCRIPTOR
             "add.u32 %r6, %r2, 8; setp.ne.u32 %p2, %r0, %r0; "
             "@%p0 tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%r6], [%r2], %rd3, "
             "0x04020010, %p2; " COMMIT
             "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r20, %r21, %r22, %r23}, [%r6]; " DONE
             "cvt.rzi.u32.f32 %r21, %r21; cvt.rzi.u32.f32 %r23, %r23; setp.gt.u32 %p3, %r0, 15; "
             "@%p3 mov.u32 %r21, 0; @%p3 mov.u32 %r23, 0; "
             "st.global.v2.u32 [%rd0], {%r21, %r23}; " FREE,
       {[](U l) { return l < 16 ? 16 * l : 0; }, [](U l) { return l < 16 ? 48 * l : 0; }},
       "sm_100a"},
  };
}

}  // namespace

std::span<const Snippet> tcgen05_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
