// SPDX-License-Identifier: MIT
// mbarriers, bulk copies and what clusters add, in one warp (PTX ISA 9.2, 9.7.9.25, 9.7.13.15).
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

using U = std::uint32_t;

// Lane 0 initialises the mbarrier at tile+1024 with `count`; %r2 is its address.
#define INIT(count)                                                      \
  "mov.u32 %r2, tile; add.u32 %r2, %r2, 1024; setp.eq.u32 %p0, %r0, 0; " \
  "@%p0 mbarrier.init.shared::cta.b64 [%r2], " count                     \
  "; fence.mbarrier_init.release.cluster; "                              \
  "bar.sync 0; "
// The answer of a test of `parity` as 0 or 1 in `to`.
#define TEST(to, parity)                                                           \
  "mbarrier.test_wait.parity.shared::cta.b64 %p9, [%r2], " parity "; selp.u32 " to \
  ", 1, "                                                                          \
  "0, %p9; "
#define WAIT(label, parity) \
  label ": mbarrier.try_wait.parity.shared::cta.b64 %p8, [%r2], " parity "; @!%p8 bra " label "; "
// 512 bytes of words at `words` are not there; the output's own 2048 bytes are.
#define OUT "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd2, %rd1; "

U zero(U) { return 0; }
U one(U) { return 1; }

std::vector<Snippet> build() {
  return {
      {"mbarrier phases: the parity flips when all have arrived",
       INIT("32") TEST("%r3", "0")
           TEST("%r4", "1") "bar.warp.sync -1; mbarrier.arrive.shared::cta.b64 %rd1, [%r2]; "
                            "bar.warp.sync -1; " TEST("%r5", "0")
                                TEST("%r6", "1") "st.global.v4.u32 [%rd0], {%r3, %r4, %r5, %r6};",
       {zero, one, one, zero},
       "sm_90"},
      {"mbarrier tests: lanes that ask for different phases, and of different mbarriers",
       INIT("32") "@%p0 mbarrier.init.shared.b64 [%r2+8], 1; @%p0 mbarrier.arrive.shared.b64 _, "
                  "[%r2+8]; bar.sync 0; and.b32 %r3, %r0, 1; " TEST(
                      "%r4", "%r3") "shr.u32 %r5, %r0, 4; shl.b32 %r5, %r5, 3; add.u32 %r2, %r2, "
                                    "%r5; " TEST("%r5", "0") "st.global.v2.u32 [%rd0], {%r4, %r5};",
       {[](U l) { return l & 1; }, [](U l) { return l / 16; }},
       "sm_90"},
      {"mbarrier states: the phase that an arrival belongs to",
       INIT("64") "mbarrier.arrive.shared.b64 %rd1, [%r2]; bar.warp.sync -1; "
                  "mbarrier.test_wait.shared.b64 %p1, [%r2], %rd1; "
                  "mbarrier.arrive.release.cta.shared::cta.b64 _, [%r2], 1; bar.warp.sync -1; "
                  "mbarrier.test_wait.acquire.cta.shared.b64 %p2, [%r2], %rd1; "
                  "mbarrier.pending_count.b64 %r5, %rd1; selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, "
                  "1, 0, %p2; st.global.v2.u32 [%rd0], {%r3, %r4}; st.global.u32 [%rd0+8], %r5;",
       {zero, one, [](U l) { return 64 - l; }},
       "sm_90"},
      {"mbarrier generic addresses, a count, and invalidation",
       INIT(
           "7") "cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd3, %rd3; @%p0 mbarrier.arrive.b64 %rd1, "
                "[%rd3], 7; bar.warp.sync -1; mbarrier.test_wait.parity.b64 %p1, [%rd3], 0; "
                "selp.u32 "
                "%r3, 1, 0, %p1; bar.warp.sync -1; @%p0 mbarrier.inval.b64 [%rd3]; @%p0 "
                "mbarrier.init.b64 [%rd3], 1; bar.warp.sync -1; " TEST(
                    "%r4", "0") "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {one, zero},
       "sm_90"},
      {"mbarrier arrive_drop: the next phase waits for fewer",
       INIT("33") "mbarrier.arrive_drop.shared.b64 %rd1, [%r2]; bar.warp.sync -1; @%p0 "
                  "mbarrier.arrive.shared.b64 %rd1, [%r2]; bar.warp.sync -1; " TEST(
                      "%r3", "0") "@%p0 mbarrier.arrive.shared.b64 %rd1, [%r2]; bar.warp.sync "
                                  "-1; " TEST("%r4", "1") "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {one, one},
       "sm_90"},
      {"mbarrier arrive.noComplete",
       INIT("2") "@%p0 mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %rd1, [%r2], 1; "
                 "bar.warp.sync -1; " TEST(
                     "%r3", "0") "@%p0 mbarrier.arrive.shared.b64 %rd1, [%r2]; bar.warp.sync "
                                 "-1; " TEST("%r4", "0") "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {zero, one},
       "sm_90"},
      {"mbarrier bytes: a phase waits for what was announced",
       INIT("1") "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r2], 48; bar.warp.sync "
                 "-1; " TEST("%r3", "0") "@%p0 "
                                         "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 "
                                         "[%r2], 32; bar.warp.sync -1; " TEST(
                                             "%r4",
                                             "0") "@%p0 mbarrier.complete_tx.shared::cluster.b64 "
                                                  "[%r2], 16; bar.warp.sync "
                                                  "-1; " TEST("%r5",
                                                              "0") "st.global.v4.u32 [%rd0], {%r3, "
                                                                   "%r4, %r5, %r0};",
       {zero, zero, one, [](U l) { return l; }},
       "sm_90"},
      {"mbarrier bytes that come before they are announced",
       INIT("2") "@%p0 mbarrier.complete_tx.shared::cta.b64 [%r2], 16; @%p0 "
                 "mbarrier.arrive.shared.b64 %rd1, [%r2]; @%p0 "
                 "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], "
                 "16; bar.warp.sync -1; " TEST(
                     "%r3", "0") "@%p0 mbarrier.arrive.shared.b64 %rd1, [%r2]; bar.warp.sync "
                                 "-1; " TEST("%r4", "0") "st.global.v2.u32 [%rd0], {%r3, %r4};",
       {zero, one},
       "sm_90"},
      {"try_wait with a hint, nanosleep",
       INIT("1") "setp.ge.u32 %p1, %r0, 16; @%p1 bra WAITS; nanosleep.u32 100; @%p0 "
                 "mbarrier.arrive.shared.b64 %rd1, [%r2]; bra DONE; WAITS: "
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [%r2], 0, 1000; @!%p2 "
                 "bra WAITS; DONE: st.global.u32 [%rd0], %r0;",
       {[](U l) { return l; }},
       "sm_90"},
      {"cp.async arrives at an mbarrier",
       INIT("32") OUT
       "mad.wide.u32 %rd2, %r0, 4, %rd2; mul.lo.u32 %r3, %r0, 7; st.global.u32 [%rd2], %r3; "
       "bar.warp.sync -1; mov.u32 %r4, tile; mad.lo.u32 %r4, %r0, 4, %r4; "
       "cp.async.ca.shared.global [%r4], [%rd2], 4; "
       "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r2]; " WAIT(
           "W", "0") "xor.b32 %r5, %r0, 1; mov.u32 %r4, tile; mad.lo.u32 %r4, %r5, 4, %r4; "
                     "ld.shared.u32 "
                     "%r6, [%r4]; bar.warp.sync -1; st.global.u32 [%rd0], %r6;",
       {[](U l) { return 7 * (l ^ 1); }},
       "sm_90"},
      {"cp.async arrives without being counted",
       INIT("32") OUT
       "mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r0; mov.u32 %r4, tile; mad.lo.u32 "
       "%r4, %r0, 4, %r4; cp.async.ca.shared.global [%r4], [%rd2], 4; "
       "cp.async.mbarrier.arrive.shared.b64 [%r2]; mbarrier.arrive.shared.b64 %rd3, [%r2]; " WAIT(
           "W", "0") "ld.shared.u32 %r6, [%r4]; bar.warp.sync -1; st.global.u32 [%rd0], %r6;",
       {[](U l) { return l; }},
       "sm_90"},
      {"cp.async.bulk into shared memory and out of it",
       INIT("1") OUT
       "mad.wide.u32 %rd3, %r0, 4, %rd2; mul.lo.u32 %r3, %r0, 3; st.global.u32 [%rd3], %r3; "
       "bar.warp.sync -1; mov.u32 %r4, tile; @%p0 mbarrier.arrive.expect_tx.shared.b64 %rd4, "
       "[%r2], 128; @%p0 "
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd2], 128, "
       "[%r2]; " WAIT("W", "0") "mad.lo.u32 %r5, %r0, 4, %r4; ld.shared.u32 %r6, [%r5]; add.u32 "
                                "%r6, %r6, 1; st.shared.u32 [%r5], %r6; "
                                "fence.proxy.async.shared::cta; bar.warp.sync -1; @%p0 "
                                "cp.async.bulk.global.shared::cta.bulk_group [%rd2+256], [%r4], "
                                "128; @%p0 cp.async.bulk.commit_group; @%p0 "
                                "cp.async.bulk.wait_group 0; bar.warp.sync -1; ld.global.u32 %r7, "
                                "[%rd3+256]; bar.warp.sync -1; st.global.u32 [%rd0], %r7;",
       {[](U l) { return 3 * l + 1; }},
       "sm_90"},
      {"cp.async.bulk does not land before its wait, nor is it read late",
       INIT("1") OUT
       "mad.wide.u32 %rd3, %r0, 4, %rd2; st.global.u32 [%rd3], 5; mov.u32 %r4, tile; mad.lo.u32 "
       "%r5, %r0, 4, %r4; st.shared.u32 [%r5], 9; bar.warp.sync -1; @%p0 "
       "mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r2], 128; @%p0 "
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r4], "
       "[%rd2], 128, [%r2], 0; ld.shared.u32 %r6, [%r5]; " WAIT(
           "W",
           "0") "ld.shared.u32 %r7, [%r5]; bar.warp.sync -1; st.global.v2.u32 [%rd0], {%r6, %r7};",
       {[](U) { return 9u; }, [](U) { return 5u; }},
       "sm_90"},
      {"cp.async.bulk of 0 bytes copies nothing, and nobody hears of it",
       INIT("1") OUT
       "mov.u32 %r4, tile; mad.lo.u32 %r5, %r0, 4, %r4; st.shared.u32 [%r5], 9; mov.b32 %r3, 0; "
       "fence.proxy.async; bar.warp.sync -1; @%p0 "
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd2], %r3, "
       "[%r2]; @%p0 mbarrier.arrive.shared.b64 %rd4, [%r2]; " WAIT(
           "W", "0") "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r4], %r3; @%p0 "
                     "cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0; ld.shared.u32 "
                     "%r6, [%r5]; bar.warp.sync -1; st.global.u32 [%rd0], %r6;",
       {[](U) { return 9u; }},
       "sm_90"},
      {"cp.reduce.async.bulk adds in global memory",
       OUT "mad.wide.u32 %rd3, %r0, 4, %rd2; st.global.u32 [%rd3], 100; mov.u32 %r4, tile; "
           "mad.lo.u32 %r5, %r0, 4, %r4; st.shared.u32 [%r5], %r0; fence.proxy.async; setp.eq.u32 "
           "%p0, %r0, 0; bar.warp.sync -1; @%p0 "
           "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r4], 128; @%p0 "
           "cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group.read 0; bar.warp.sync -1; "
           "ld.global.u32 %r7, [%rd3]; bar.warp.sync -1; st.global.u32 [%rd0], %r7;",
       {[](U l) { return 100 + l; }},
       "sm_90"},
      // 1 + a signalling NaN, and a NaN in memory + 1: what an H200 leaves there
      {"cp.reduce.async.bulk.add.f64 leaves a NaN as it is",
       OUT "mov.u32 %r4, tile; mov.b64 %rd3, 0x3ff0000000000000; mov.b64 %rd4, 0xfff0000000000001; "
           "setp.eq.u32 %p0, %r0, 0; @%p0 st.global.v2.u64 [%rd2], {%rd3, %rd4}; @%p0 "
           "st.shared.v2.u64 [%r4], {%rd4, %rd3}; fence.proxy.async; bar.warp.sync -1; @%p0 "
           "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%rd2], [%r4], 16; @%p0 "
           "cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0; bar.warp.sync -1; "
           "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd2]; bar.warp.sync -1; st.global.v4.u32 "
           "[%rd0], {%r4, %r5, %r6, %r7};",
       {one, [](U) { return 0xfff00000u; }, one, [](U) { return 0xfff00000u; }},
       "sm_90"},
      {"a cluster of one: registers, mapa, barrier",
       "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, tile; "
       "mad.lo.u32 %r4, %r0, 4, %r3; st.shared.u32 [%r4], %r0; mapa.shared::cluster.u32 %r5, %r4, "
       "0; barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; "
       "ld.shared::cluster.u32 %r6, [%r5]; getctarank.shared::cluster.u32 %r7, %r5; "
       "st.global.v4.u32 [%rd0], {%r1, %r2, %r6, %r7}; mov.u32 %r1, %clusterid.x; mov.u32 %r2, "
       "%nclusterid.x; st.global.v2.u32 [%rd0+16], {%r1, %r2};",
       {zero, one, [](U l) { return l; }, zero, zero, one},
       "sm_90"},
      {"hints that change nothing",
       "createpolicy.fractional.L2::evict_first.b64 %rd1, 1.0; prefetch.global.L2 [words]; "
       "cp.async.bulk.prefetch.L2.global [words], 64; griddepcontrol.wait; "
       "griddepcontrol.launch_dependents; st.global.u32 [%rd0], %r0;",
       {[](U l) { return l; }},
       "sm_90"},
  };
}

}  // namespace

std::span<const Snippet> hopper_snippets() {
  static const std::vector<Snippet> all = build();
  return all;
}

}  // namespace lanescope::emulator::test
