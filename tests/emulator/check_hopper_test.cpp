// SPDX-License-Identifier: MIT
// The checker on what came with sm_90: mbarriers, bulk copies, the async proxy, wgmma, clusters.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

// %r2: shared memory, an mbarrier at [%r2+1024], 2048 bytes in all; %p0: thread 0.
const std::string kInit =
    "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0; and.b64 %rd2, %rd0, -2048;\n"
    "@%p0 mbarrier.init.shared.b64 [%r2+1024], 1;\n";
const std::string kSync = "fence.proxy.async; bar.sync 0;\n";
const std::string kFetch =
    "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1024], 256;\n"
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd0], 256, "
    "[%r2+1024];\n";
const std::string kWait =
    "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 0; @!%p1 bra W;\n";
const std::string kRead = "mad.lo.u32 %r3, %r1, 4, %r2; ld.shared.u32 %r4, [%r3];\n";

}  // namespace

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

TEST_CASE("an mbarrier is used only where its initialisation has been seen") {
  const Checked run = check_body(
      kInit + "setp.eq.u32 %p3, %r1, 32; @%p3 mbarrier.arrive.shared.b64 %rd1, [%r2+1024];", 64);
  CHECK(run.kinds() == "mbarrier-before-init");
  CHECK(run.says("mbarrier.init.shared.b64"));
  // Cards see it after the next barrier; PTX wants a fence before the copy engine does.
  const std::string no_fence = kInit + "bar.sync 0;\n" + kFetch + kWait + kRead;
  CHECK(check_body(no_fence, 64).kinds() == "");
  CHECK(check_body(no_fence, 64, 1, true).kinds() == "missing-proxy-fence");
}

TEST_CASE("an mbarrier is invalidated behind everybody's wait") {
  const std::string begin = kInit + kSync + kFetch + kWait;
  const std::string end = "@%p0 mbarrier.inval.shared.b64 [%r2+1024];\n" + kRead;
  CHECK(check_body(begin + "bar.sync 0;\n" + end, 64).kinds() == "");
  const Checked run = check_body(begin + end, 64);  // the bytes are waited for all the same
  CHECK(run.kinds() == "mbarrier");
  CHECK(run.says("waits at an mbarrier that is invalidated at"));
  // Not a wait on the way out, but one that has yet to begin.
  const Checked late = check_body(begin +
                                      "@%p0 mbarrier.inval.shared.b64 [%r2+1024]; bar.sync 0;\n"
                                      "mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 1;",
                                  64);
  CHECK(late.says("there is no mbarrier at shared address 0x800"));
}

TEST_CASE("a phase that never completes names its line") {
  const Checked run = check_body(kInit + kSync + kWait, 32);
  CHECK(run.kinds() == "deadlock");
  CHECK(run.says("misses 1 of 1 arrivals"));
  CHECK(run.reports.at(0).diagnostic.ptx_line > 0);
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

TEST_CASE("wgmma.fence comes first, and after registers were changed") {
  CHECK(check_body(kReady + kMultiply + kCommit + kWaitAll, 128).kinds() == "missing-wgmma-fence");
  const std::string once = kReady + kFence + kMultiply + kCommit + kWaitAll;
  CHECK(check_body(once + kMultiply + kCommit + kWaitAll, 128).kinds() == "");
  const std::string change = "add.f32 %f0, %f0, %f0;\n";
  CHECK(check_body(once + change + kMultiply + kCommit + kWaitAll, 128).kinds() ==
        "missing-wgmma-fence");
  CHECK(check_body(once + change + kFence + kMultiply + kCommit + kWaitAll, 128).kinds() == "");
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

TEST_CASE("an mbarrier that another CTA has not initialised is named with the CTA") {
  const Checked run = check_body(
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.u32 %r2, tile; mov.u32 "
      "%r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; mapa.shared::cluster.u32 %r8, %r2, %r7; "
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];",
      32, 2);
  CHECK(run.kinds() == "mbarrier");
  CHECK(run.says("no mbarrier at shared address 0x400 of CTA rank 1"));
}

TEST_CASE("a copy names the mbarrier of the CTA that its bytes go to") {
  const std::string sync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
  // %r8 and %r9: the box and the mbarrier of the other CTA; its thread 0 waits for 16 bytes.
  const std::string begin =
      kInit + "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1024], 16;\n" +
      "st.shared.v4.u32 [%r2+512], {%r1, %r1, %r1, %r1}; fence.proxy.async;\n" + sync +
      "mov.u32 %r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; add.u32 %r10, %r2, 1024;\n"
      "mapa.shared::cluster.u32 %r8, %r2, %r7; mapa.shared::cluster.u32 %r9, %r10, %r7;\n";
  const std::string end = kWait + sync;
  const auto checked = [&](const std::string& copy) {
    return check_body(begin + "@%p0 " + copy + ";\n" + end, 32, 2);
  };
  const std::string bytes = ".mbarrier::complete_tx::bytes";
  const std::string shared = "cp.async.bulk.shared::cluster.shared::cta" + bytes;
  const std::string store = "st.async.shared::cluster" + bytes + ".v4.b32";
  const std::string four = "{%r1, %r1, %r1, %r1}";
  CHECK(checked(shared + " [%r8], [%r2+512], 16, [%r9]").kinds() == "");
  CHECK(checked(store + " [%r8], " + four + ", [%r9]").kinds() == "");
  const Checked copied = checked(shared + " [%r8], [%r2+512], 16, [%r10]");
  CHECK(copied.kinds() == "mbarrier");
  CHECK(copied.says("cp.async.bulk names an mbarrier of another CTA"));
  CHECK(copied.says("shared address 0x800 of CTA rank 0, bytes for CTA rank 1"));
  const Checked stored = checked(store + " [%r8], " + four + ", [%r10]");
  CHECK(stored.kinds() == "mbarrier");
  CHECK(stored.says("st.async names an mbarrier of another CTA"));
  const Checked added = checked(
      "st.shared.u32 [%r2+512], %r1; setp.lt.u32 %p3, %r1, 4; @%p3 red.async.relaxed.cluster"
      ".shared::cluster" +
      bytes + ".add.u32 [%r8+512], %r1, [%r10]");
  CHECK(added.kinds() == "mbarrier");
  CHECK(added.says("red.async names an mbarrier of another CTA"));
  // Home, with the other's mbarrier.
  CHECK(checked(shared + " [%r2], [%r2+512], 16, [%r9]").kinds() == "mbarrier");
  // Of a multicast both addresses are offsets.
  CHECK(checked("mov.u32 %r11, 1; shl.b32 %r11, %r11, %r7; cvt.u16.u32 %h1, %r11; @%p0 "
                "cp.async.bulk.shared::cluster.global" +
                bytes + ".multicast::cluster [%r2], [%rd0], 16, [%r9], %h1")
            .kinds() == "");
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
}

TEST_CASE("bank conflicts are counted phase by phase") {
  Machine machine({});
  const auto module = machine.load(
      module_of("mov.u32 %r2, tile; mad.lo.u32 %r3, %r0, 8, %r2; st.shared.u32 [%r3], %r0; "
                "mad.lo.u32 %r3, %r0, 4, %r2; st.shared.u32 [%r3], %r0; mad.lo.u32 %r3, %r0, 64, "
                "%r2; st.shared.u32 [%r3], %r0;",
                "sm_90a"),
      "snippet");
  REQUIRE(module.ok());
  const auto out = machine.allocate(2048);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.block = {32, 1, 1};
  request.parameters = parameters;
  request.checks.banks = true;
  const LaunchReport report = machine.launch(request);
  CHECK(report.reports.empty());
  REQUIRE(report.banks.size() == 2);  // the one without conflicts is not listed
  CHECK(report.banks[0].worst == 16);
  CHECK(report.banks[0].passes == 16);
  CHECK(report.banks[1].worst == 2);
  CHECK(report.banks[1].phases == 1);
}

}  // namespace lanescope::emulator::test
