// SPDX-License-Identifier: MIT
// The checker on what came with sm_90: bulk copies, the async proxy, wgmma, clusters.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/emulator/check.hpp"
#include "tests/emulator/mbarrier_pieces.hpp"

namespace lanescope::emulator::test {

TEST_CASE("who reads what a bulk copy brings waits for its mbarrier") {
  CHECK(check_body(kInit + kSync + kFetch + kWait + kRead, 64).kinds() == "");
  const Checked run = check_body(kInit + kSync + kFetch + kRead, 64);
  CHECK(run.kinds() == "missing-bulk-wait");
  CHECK(run.says("cp.async.bulk.shared::cluster"));
  // One warp waits and tells the others with a barrier.
  const std::string first = "setp.ge.u32 %p2, %r1, 32; @%p2 bra S;\n" + kWait + "S: bar.sync 0;\n";
  CHECK(check_body(kInit + kSync + kFetch + first + kRead, 64).kinds() == "");
  CHECK(check_body(kInit + kSync + kFetch + "setp.ge.u32 %p2, %r1, 32; @%p2 bra S;\n" + kWait +
                       "S:\n" + kRead,
                   64)
            .kinds() == "missing-bulk-wait");
}

TEST_CASE("a bulk copy is over before the CTA ends that it fills, or takes from") {
  const Checked alone = check_body(kInit + kSync + kFetch, 64);
  CHECK(alone.kinds() == "missing-bulk-wait");
  CHECK(alone.says("is not waited for before the CTA ends whose shared memory it fills"));
  CHECK(alone.says("warp 0, lane 0, shared address 0x400"));
  const std::string first = "setp.ge.u32 %p2, %r1, 32; @%p2 bra S;\n" + kWait + "S:\n";
  CHECK(check_body(kInit + kSync + kFetch + first, 64).kinds() == "");
  // Without an acquire, too: that it is over is known, though not what it has brought.
  const std::string relaxed =
      "W: mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p1, [%r2+1024], 0; @!%p1 bra W;\n";
  CHECK(check_body(kInit + kSync + kFetch + relaxed, 64).kinds() == "");
  CHECK(check_body(kInit + kSync + kFetch + relaxed + kRead, 64).kinds() == "missing-acquire");
  // CTA 0 fills both, or each sends the other what it has; and both wait, or one of them.
  const std::string cluster = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
  const std::string begin = kInit +
                            "mov.u32 %r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; "
                            "setp.eq.and.u32 %p3, %r6, 0, %p0; mad.lo.u32 %r3, %r1, 4, %r2; "
                            "st.shared.u32 [%r3+512], %r1; "
                            "fence.proxy.async;\n"
                            "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2+1024], 256;\n" +
                            cluster;
  const std::string both =
      "mov.u16 %h1, 3; @%p3 cp.async.bulk.shared::cluster.global.mbarrier::"
      "complete_tx::bytes.multicast::cluster [%r2], [%rd0], 256, [%r2+1024], %h1;\n";
  const std::string one_waits = "setp.ne.u32 %p2, %r6, 0; @%p2 bra S;\n" + kWait + "S:\n";
  CHECK(check_body(begin + both + kWait, 64, 2).kinds() == "");
  const Checked left = check_body(begin + both + one_waits, 64, 2);
  CHECK(left.kinds() == "missing-bulk-wait");
  CHECK(left.says("of CTA rank 1"));
  const std::string send =
      "mapa.shared::cluster.u32 %r8, %r2, %r7; @%p0 cp.async.bulk.shared::"
      "cluster.shared::cta.mbarrier::complete_tx::bytes [%r8], [%r2+512], 256, [%r8+1024];\n";
  CHECK(check_body(begin + send + kWait + cluster, 64, 2).kinds() == "");
  const Checked source = check_body(begin + send + kWait, 64, 2);
  CHECK(source.kinds() == "missing-bulk-wait");
  CHECK(source.says("need not be over when its CTA ends and its source with it"));
}

TEST_CASE("red.async is over for who waits for its mbarrier, and sums meet") {
  const std::string cluster = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
  const std::string begin = kInit +
                            "mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], 0; "
                            "fence.mbarrier_init.release.cluster; "
                            "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2+1024], 256;\n";
  const std::string add =
      "mapa.shared::cluster.u32 %r8, %r3, 0; mapa.shared::cluster.u32 %r9, %r2, "
      "0; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r8], "
      "%r1, "
      "[%r9+1024];\n";
  const std::string wait =
      "mov.u32 %r6, %cluster_ctarank; setp.ne.u32 %p2, %r6, 0; @%p2 bra S;\n" + kWait + "S:\n";
  const std::string look =
      "xor.b32 %r5, %r1, 31; mad.lo.u32 %r5, %r5, 4, %r2; @!%p2 "
      "ld.shared.u32 %r4, [%r5];\n";
  CHECK(check_body(begin + cluster + add + wait + look + cluster, 32, 2).kinds() == "");
  const Checked early =
      check_body(begin + cluster + add + "setp.ne.u32 %p2, 0, 0;" + look + wait + cluster, 32, 2);
  CHECK(early.kinds().find("race-read-after-write") != std::string::npos);
  CHECK(early.says("red.async"));
  // No barrier is needed behind the wait: CTA 0 ends when all is there, CTA 1 has nothing left to
  // do.
  CHECK(check_body(begin + cluster + add + wait + look, 32, 2).kinds() == "");
  const Checked left = check_body(begin + cluster + add, 32, 2);
  CHECK(left.kinds() == "missing-bulk-wait");
  CHECK(left.says("red.async is not waited for before the CTA ends whose shared memory it fills"));
  // CTA 0 clears what CTA 1 may have added to.
  const std::string apart =
      "mov.u32 %r6, %cluster_ctarank; setp.ne.u32 %p2, %r6, 0; @%p2 bra A; "
      "st.shared.u32 [%r3], 7; bra S;\nA: ";
  CHECK(check_body(begin + cluster + apart + add + "S:\n" + cluster, 32, 2).kinds() ==
        "missing-bulk-wait, race-write-after-write");
}

TEST_CASE("bulk sums may meet in shared memory, a copy and a sum may not") {
  const std::string store =
      "mov.u32 %r2, tile; setp.eq.u32 %p0, %r0, 0; mad.lo.u32 %r3, %r0, 4, %r2; "
      "st.shared.u32 [%r3], %r0; st.shared.u32 [%r3+1024], %r0; mov.u32 %r4, 1;\n"
      "@%p0 mbarrier.init.shared.b64 [%r2+2040], 1; fence.proxy.async; bar.sync 0;\n"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2+2040], 128;\n";
  const auto send = [](const std::string& what, const std::string& of) {
    return "@%p0 cp." + what +
           "async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" + of +
           " [%r2], [%r2+1024], 64, [%r2+2040];\n";
  };
  const std::string add = send("reduce.", ".add.u32"), copy = send("", "");
  const std::string wait =
      "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+2040], 0; @!%p1 bra W;\n";
  const std::string look =
      "and.b32 %r5, %r0, 15; mad.lo.u32 %r5, %r5, 4, %r2; ld.shared.u32 %r4, [%r5];";
  CHECK(check_body(store + add + add + wait + look).kinds() == "");
  CHECK(check_body(store + add + copy + wait + look).kinds() == "missing-bulk-wait");
  CHECK(check_body(store + copy + add + wait + look).kinds() == "missing-bulk-wait");
  CHECK(check_body(store + add + add + look + wait).kinds() == "missing-bulk-wait");
}

TEST_CASE("a bulk copy out of shared memory needs the fence of who stored, and its wait") {
  const std::string store =
      "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0; "
      "and.b64 %rd2, %rd0, -2048; mad.lo.u32 %r3, %r1, 4, %r2; "
      "st.shared.u32 [%r3], %r1;\n";
  const std::string fence = "fence.proxy.async.shared::cta;\n", sync = "bar.sync 0;\n";
  const std::string send = "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r2], 256;\n";
  const std::string commit = "cp.async.bulk.commit_group;\n";
  const std::string wait = "cp.async.bulk.wait_group.read 0;\n";
  CHECK(check_body(store + fence + sync + send + commit + wait, 64).kinds() == "");
  CHECK(check_body(store + sync + send + commit + wait, 64).kinds() == "missing-proxy-fence");
  // Anywhere between the store and the copy.
  CHECK(check_body(store + sync + fence + send + commit + wait, 64).kinds() == "");
  CHECK(check_body(store + fence + sync + send + commit, 64).kinds() == "missing-bulk-wait");
  CHECK(check_body(store + fence + sync + send + wait, 64).kinds() == "missing-bulk-wait");
  const std::string again = "st.shared.u32 [%r3], %r0;\n";
  CHECK(check_body(store + fence + sync + send + commit + wait + sync + again, 64).kinds() == "");
  CHECK(check_body(store + fence + sync + send + commit + sync + again + wait, 64).kinds() ==
        "race-write-after-read");
}

namespace {

// A and B of m64n8k16 in 2304 bytes would not fit the snippet's tile: both begin at its start, as
// one tile of 64 x 16 without swizzle (LBO 128, SBO 256).
const std::string kFill =
    "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; mad.lo.u32 %r3, %r1, 16, %r2; mov.u32 %r9, 0; "
    "st.shared.v4.u32 [%r3], {%r9, %r9, %r9, %r9};\n";
const std::string kDescriptor =
    "cvt.u64.u32 %rd3, %r2; shr.u64 %rd3, %rd3, 4; "
    "mov.u64 %rd4, 0x0000001000080000; or.b64 %rd3, %rd3, %rd4;\n"
    "mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000; "
    "mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000;\n";
const std::string kFence = "wgmma.fence.sync.aligned;\n";
const std::string kMultiply =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd3, %rd3, 1, 1, 1, "
    "0, 0;\n";
const std::string kCommit = "wgmma.commit_group.sync.aligned;\n";
const std::string kWaitAll = "wgmma.wait_group.sync.aligned 0;\n";
const std::string kUse = "add.f32 %f4, %f0, %f1;\n";
const std::string kReady = kFill + kSync + kDescriptor;

}  // namespace

TEST_CASE("wgmma reads what was stored after a fence of the async proxy and a barrier") {
  CHECK(check_body(kReady + kFence + kMultiply + kCommit + kWaitAll + kUse, 128).kinds() == "");
  CHECK(check_body(kFill + "bar.sync 0;\n" + kDescriptor + kFence + kMultiply + kCommit + kWaitAll,
                   128)
            .kinds() == "missing-proxy-fence");
  CHECK(check_body(
            kFill + "fence.proxy.async;\n" + kDescriptor + kFence + kMultiply + kCommit + kWaitAll,
            128)
            .kinds() == "race-read-after-write");
}

TEST_CASE("--strict: each warp of a wgmma has heard of the fence") {
  const std::string multiply = kDescriptor + kFence + kMultiply + kCommit + kWaitAll;
  const std::string one = "setp.ge.u32 %p5, %r1, 32; @!%p5 fence.proxy.async;\n";
  const std::string sync = "bar.sync 0;\n";
  CHECK(check_body(kFill + sync + one + multiply, 128).kinds() == "");
  CHECK(check_body(kFill + sync + one + multiply, 128, 1, true).kinds() == "missing-proxy-fence");
  CHECK(check_body(kFill + sync + one + sync + multiply, 128, 1, true).kinds() == "");
}

TEST_CASE("--strict: lanes that know different things know together what their warp has fenced") {
  // Lane 5 has fenced once more than the others when all of warp 0 store to one place; then all of
  // them fence, and tell the other warps, but hear nothing themselves.
  const std::string apart =
      kFill +
      "fence.proxy.async; bar.sync 0; setp.eq.u32 %p6, %r0, 5; setp.lt.u32 %p7, %r1, 32;\n"
      "@%p6 fence.proxy.async;\n@%p7 st.shared.u32 [%r2], %r9;\n";
  const std::string tell = "@%p7 bar.arrive 1, 128; @!%p7 bar.sync 1, 128;\n";
  const std::string multiply = kDescriptor + kFence + kMultiply + kCommit + kWaitAll;
  const std::string all = "fence.proxy.async;\n", but_one = "@!%p6 fence.proxy.async;\n";
  CHECK(check_body(apart + all + tell + multiply, 128, 1, true).kinds() == "");
  CHECK(check_body(apart + but_one + tell + multiply, 128, 1, true).kinds() ==
        "missing-proxy-fence");
}

TEST_CASE("the registers of a wgmma are its own until the wait") {
  CHECK(check_body(kReady + kFence + kMultiply + kCommit + kUse + kWaitAll, 128).kinds() ==
        "accumulator-in-flight");
  CHECK(check_body(kReady + kFence + kMultiply + kWaitAll + kUse, 128).kinds() ==
        "accumulator-in-flight");
  CHECK(check_body(kReady + kFence + kMultiply + kCommit + "wgmma.wait_group.sync.aligned 1;" +
                       kUse + kWaitAll,
                   128)
            .kinds() == "accumulator-in-flight");
  // Copies are the compiler's; what they copy is in flight all the same.
  CHECK(check_body(kReady + kFence + kMultiply + kCommit +
                       "mov.f32 %f7, %f0; add.f32 %f8, %f7, %f7;" + kWaitAll,
                   128)
            .kinds() == "accumulator-in-flight");
}

TEST_CASE("D's registers under way are another wgmma's in the same order, and in no A") {
  const auto other = [](const std::string& from, const std::string& to) {
    std::string text = kMultiply;
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string twice = kReady + kFence + kMultiply;
  CHECK(check_body(twice + kMultiply + kCommit + kWaitAll, 128).kinds() == "");
  const std::string order = other("%f1, %f2", "%f2, %f1");
  const Checked run = check_body(twice + order + kCommit + kWaitAll, 128);
  CHECK(run.kinds() == "accumulator-in-flight");
  CHECK(run.says("has D in registers that the wgmma at "));
  CHECK(check_body(kReady + kFence + order + kMultiply + kCommit + kWaitAll, 128).kinds() ==
        "accumulator-in-flight");
  CHECK(check_body(twice + kCommit + kWaitAll + kFence + order + kCommit + kWaitAll, 128).kinds() ==
        "");
}

TEST_CASE("wgmma.fence comes first, and after registers were changed") {
  CHECK(check_body(kReady + kMultiply + kCommit + kWaitAll, 128).kinds() == "missing-wgmma-fence");
  const std::string once = kReady + kFence + kMultiply + kCommit + kWaitAll;
  CHECK(check_body(once + kMultiply + kCommit + kWaitAll, 128).kinds() == "");
  const std::string change = "add.f32 %f0, %f0, %f0;\n";
  CHECK(check_body(once + change + kMultiply + kCommit + kWaitAll, 128).kinds() ==
        "missing-wgmma-fence");
  CHECK(check_body(once + change + kFence + kMultiply + kCommit + kWaitAll, 128).kinds() == "");
  // What was only read is overwritten then (9.7.15.7.1 asks it of every access).
  const std::string read = "add.f32 %f8, %f0, %f0;\n";
  const Checked late = check_body(once + read + kMultiply + kCommit + kWaitAll, 128);
  CHECK(late.kinds() == "missing-wgmma-fence");
  CHECK(late.says("uses registers that were read at "));
  CHECK(check_body(once + read + change + kMultiply + kCommit + kWaitAll, 128)
            .says("uses registers that were written at "));
  CHECK(check_body(once + read + kFence + kMultiply + kCommit + kWaitAll, 128).kinds() == "");
  CHECK(check_body(once + "mov.f32 %f8, %f0;\n" + kMultiply + kCommit + kWaitAll, 128).kinds() ==
        "");
  // Arithmetic that the compiler has moved behind the fence is no more in the second one's way.
  CHECK(check_body(kReady + kFence + change + kMultiply + kCommit + kWaitAll + kMultiply + kCommit +
                       kWaitAll,
                   128)
            .kinds() == "");
}

TEST_CASE("what a wgmma reads is not overwritten before its wait") {
  const std::string again = "bar.sync 0;\n st.shared.u32 [%r3], %r1;\n";
  const std::string start = kReady + kFence + kMultiply + kCommit;
  CHECK(check_body(start + kWaitAll + again, 128).kinds() == "");
  CHECK(check_body(start + again + kWaitAll, 128).kinds() == "race-write-after-read");
}

TEST_CASE("--strict: that one warp has waited does not say that all four have read") {
  // Thread 0 tells the producer, a fifth warp, on behalf of its warpgroup.
  const std::string body =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; setp.ge.u32 %p5, %r1, 128; setp.eq.u32 %p0, %r1, "
      "0;\n"
      "@%p0 mbarrier.init.shared.b64 [%r2+2040], 1; bar.sync 0; @%p5 bra P;\n"
      "mad.lo.u32 %r3, %r1, 8, %r2; mov.u64 %rd9, 0; setp.lt.u32 %p6, %r3, 2040; @%p6 "
      "st.shared.u64 [%r3], %rd9; @%p6 st.shared.u64 [%r3+1016], %rd9; fence.proxy.async; "
      "bar.sync 1, 128;\n" +
      kDescriptor + kFence + kMultiply + kCommit + kWaitAll +
      "@%p0 mbarrier.arrive.shared.b64 _, [%r2+2040]; ret;\n"
      "P: " +
      "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+2040], 0; @!%p1 bra W;\n"
      "and.b32 %r5, %r1, 31; mad.lo.u32 %r5, %r5, 4, %r2; st.shared.u32 [%r5], %r1;";
  const std::string loose = check_body(body, 160).kinds();
  const std::string strict = check_body(body, 160, 1, true).kinds();
  CAPTURE(loose);
  CAPTURE(strict);
  CHECK(loose.find("warpgroup-lockstep") == std::string::npos);
  CHECK(loose.find("race") == std::string::npos);
  CHECK(strict.find("warpgroup-lockstep") != std::string::npos);
  // The same behind thousands of mbarriers: its warps are not taken for the block's first ones. Of
  // mbarriers that another lane uses, unknown to thread 0, each is one of its own.
  const std::string use =
      "setp.eq.u32 %p8, %r1, 1; @%p8 mbarrier.arrive.shared.b64 _, [%r2+2032];\n";
  for (const std::string& renewed : {renewals(6000), renewals(4060, use), renewals(6000, use)}) {
    const std::string late =
        body.substr(0, body.find("bar.sync 0;")) + renewed + body.substr(body.find("bar.sync 0;"));
    const std::string kinds = check_body(late, 160, 1, true).kinds();
    CAPTURE(kinds);
    CHECK(kinds.find("warpgroup-lockstep") != std::string::npos);
    CHECK(kinds.find("race") == std::string::npos);
  }
}

TEST_CASE("what lanes had read when they came to a wgmma they have read when it is waited for") {
  // Every thread reads a word, multiplies and waits; then thread 0 alone tells the fifth warp.
  const auto body = [](const std::string& before, const std::string& after) {
    return "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; setp.ge.u32 %p5, %r1, 128; setp.eq.u32 %p0, "
           "%r1, 0; mov.u64 %rd9, 0; setp.lt.u32 %p6, %r1, 127; mad.lo.u32 %r3, %r1, 16, %r2;\n"
           "@!%p5 st.shared.u64 [%r3], %rd9; @%p6 st.shared.u64 [%r3+8], %rd9;\n"
           "@%p0 mbarrier.init.shared.b64 [%r2+2040], 1; fence.proxy.async; bar.sync 0; "
           "@%p5 bra P; mad.lo.u32 %r3, %r1, 4, %r2;\n" +
           before + kDescriptor + kFence + kMultiply + kCommit + kWaitAll + after +
           "@%p0 mbarrier.arrive.shared.b64 _, [%r2+2040]; ret;\n"
           "P: W: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+2040], 0; @!%p1 bra W;\n"
           "and.b32 %r5, %r1, 31; mad.lo.u32 %r5, %r5, 4, %r2; st.shared.u32 [%r5+256], %r1;";
  };
  const std::string read = "ld.shared.u32 %r4, [%r3];\n";
  CHECK(check_body(body(read, ""), 160).kinds() == "");
  CHECK(check_body(body("", read), 160).kinds() == "race-write-after-read");
  CHECK(check_body(body("", read + "bar.sync 1, 128;\n"), 160).kinds() == "");
  const std::string strict = check_body(body(read, ""), 160, 1, true).kinds();
  CHECK_MESSAGE(strict.find("race-write-after-read") != std::string::npos, strict);
}

TEST_CASE("CTAs of a cluster reach into each other between two barriers of the cluster") {
  const std::string sync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
  const std::string reach =
      "mov.u32 %r2, tile; mov.u32 %r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; mapa.shared::cluster."
      "u32 %r8, %r2, %r7; mad.lo.u32 %r8, %r0, 4, %r8; st.shared::cluster.u32 [%r8], %r0;\n";
  const std::string look = "mad.lo.u32 %r3, %r0, 4, %r2; ld.shared.u32 %r4, [%r3];";
  CHECK(check_body(sync + reach + sync + look, 32, 2).kinds() == "");
  CHECK(check_body(reach + sync + look, 32, 2).kinds() == "cluster-start");
  CHECK(check_body(sync + reach, 32, 2).kinds() == "cluster-exit");
  const Checked run = check_body(
      sync + reach + "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" + look,
      32, 2);
  CHECK(run.says("of CTA rank"));
  CHECK(run.kinds().find("race-read-after-write") != std::string::npos);
  CHECK(run.says("put barrier.cluster between them"));
  CHECK(run.says("end with barrier.cluster in every CTA, whose arrival is not .relaxed"));
  const std::string first = "mov.u32 %r6, %cluster_ctarank; setp.ne.u32 %p1, %r6, 0; @%p1 ret;\n";
  CHECK(check_body(sync + first + reach, 32, 2).says(", lane 0, shared memory of CTA rank 1"));
  // 9.7.13.3: with a fence before it the relaxed arrival is as good.
  const std::string fenced =
      "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed.aligned; "
      "barrier.cluster.wait.aligned;\n";
  CHECK(check_body(sync + reach + fenced + look, 32, 2).kinds() == "");
}

/// What a launch of one warp reports, with these checks.
LaunchReport counted(const std::string& body, const CheckOptions& checks) {
  Machine machine({});
  const auto module = machine.load(module_of(body, "sm_90a"), "snippet");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(2048);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.block = {32, 1, 1};
  request.parameters = parameters;
  request.checks = checks;
  return machine.launch(request);
}

TEST_CASE("bank conflicts are counted phase by phase") {
  const LaunchReport report = counted(
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r0, 8, %r2; st.shared.u32 [%r3], %r0; "
      "mad.lo.u32 %r3, %r0, 4, %r2; st.shared.u32 [%r3], %r0; mad.lo.u32 %r3, %r0, 64, "
      "%r2; st.shared.u32 [%r3], %r0;",
      {.banks = true});
  CHECK(report.reports.empty());
  REQUIRE(report.banks.size() == 2);  // the one without conflicts is not listed
  CHECK(report.banks[0].worst == 16);
  CHECK(report.banks[0].passes == 16);
  CHECK(report.banks[1].worst == 2);
  CHECK(report.banks[1].phases == 1);
}

// A word of each lane: 4 sectors; every second word: 8; of every second lane the same, so that a
// quarter of it is wanted; an atomic; cp.async.cg of what all want, and one that fetches nothing.
TEST_CASE("sectors of global memory are counted for each instruction that loses some") {
  const LaunchReport report = counted(
      "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r0, 4; add.s64 %rd3, %rd1, %rd2; "
      "ld.global.u32 %r3, [%rd3]; add.s64 %rd4, %rd3, %rd2; ld.global.u32 %r3, [%rd4]; "
      "and.b32 %r4, %r0, 1; setp.eq.u32 %p1, %r4, 0; @%p1 st.global.u32 [%rd4], %r0; "
      "mov.u32 %r2, tile; mov.u32 %r5, 0; red.global.add.u32 [%rd1], %r0; "
      "cp.async.cg.shared.global [%r2], [%rd1], 16; "
      "cp.async.cg.shared.global [%r2], [%rd1], 16, %r5;",
      {.sectors = true});
  CHECK_FALSE(report.error);
  const auto is = [&](std::size_t at, const char* begins, std::uint64_t sectors,
                      std::uint64_t least, std::uint64_t bytes) {
    const SectorReport& found = report.sectors[at];
    CAPTURE(found.instruction);
    CHECK(found.instruction.rfind(begins, 0) == 0);
    CHECK(found.accesses == 1);
    CHECK(found.sectors == sectors);
    CHECK(found.least == least);
    CHECK(found.bytes == bytes);
  };
  REQUIRE(report.sectors.size() == 4);  // those that are as few as can be are not listed
  is(0, "red.global", 32, 1, 4);
  is(1, "cp.async.cg", 32, 1, 16);
  is(2, "@%p1 st.global", 8, 2, 64);
  is(3, "ld.global", 8, 4, 128);
}

}  // namespace lanescope::emulator::test
