// SPDX-License-Identifier: MIT
// The checker on reads that TMA overwrites: between the generic and the async proxy belongs a
// fence, whatever else says that they are over.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/emulator/check.hpp"
#include "tests/emulator/mbarrier_pieces.hpp"

namespace lanescope::emulator::test {
namespace {

const std::string kFilled = kInit + kSync + kFetch + kWait;  // 64 words are there
const std::string kMeet = "bar.sync 0;\n", kProxyFence = "fence.proxy.async;\n";
// The same 64 words once more.
const std::string kFilledAnew =
    kFetch + "V: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 1; @!%p1 bra V;\n";
const std::string kReadMatrix =
    "and.b32 %r5, %r0, 15; mad.lo.u32 %r5, %r5, 16, %r2;\n"
    "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r6, %r7}, [%r5];\n";

std::string kinds_of(const std::string& body, int ctas = 1) {
  const std::string usual = check_body(body, 64, ctas).kinds();
  CHECK(check_body(body, 64, ctas, true).kinds() == usual);
  return usual;
}

}  // namespace

TEST_CASE("a bulk copy over what threads have read wants the fence of either side") {
  for (const std::string& read : {kRead, kReadMatrix}) {
    CAPTURE(read);
    CHECK(kinds_of(kFilled + read + kMeet + kFilledAnew) == "late-read");
    CHECK(kinds_of(kFilled + read + kProxyFence + kMeet + kFilledAnew) == "");
    CHECK(kinds_of(kFilled + read + kMeet + kProxyFence + kFilledAnew) == "");
    CHECK(kinds_of(kFilled + read + kMeet + "@%p0 fence.proxy.async.shared::cta;\n" +
                   kFilledAnew) == "");
    // Before the read; of global memory; by one warp of two that have read.
    CHECK(kinds_of(kFilled + kProxyFence + read + kMeet + kFilledAnew) == "late-read");
    CHECK(kinds_of(kFilled + read + kMeet + "fence.proxy.async.global;\n" + kFilledAnew) ==
          "late-read");
    CHECK(kinds_of(kFilled + read + "setp.lt.u32 %p3, %r1, 32; @%p3 " + kProxyFence + kMeet +
                   kFilledAnew) == "late-read");
  }
  const Checked run = check_body(kFilled + kReadMatrix + kMeet + kFilledAnew, 64);
  CHECK(run.says("cp.async.bulk overwrites through the async proxy what was read at "));
  CHECK(run.says("put fence.proxy.async"));
  CHECK(run.says("against warp "));
  CHECK(run.says("`ldmatrix.sync"));
}

TEST_CASE("a vote tells of another lane's fence behind reads that are known") {
  const std::string fenced =
      kFilled + kRead + kMeet + "setp.eq.u32 %p3, %r1, 2; @%p3 " + kProxyFence;
  const std::string vote = "vote.sync.any.pred %p4, %p3, -1;\n";
  CHECK(check_body(fenced + vote + kFilledAnew, 64).kinds() == "");
  CHECK(check_body(fenced + vote + kFilledAnew, 64, 1, true).kinds() == "late-read");
  CHECK(kinds_of(fenced + kFilledAnew) == "late-read");
}

TEST_CASE("reads are remembered where everybody knows of them: it is the fence that is missing") {
  // Another tile comes by the same mbarrier, so that nobody knows less than of the first one's
  // reads.
  std::string other = kFilledAnew, again = kFetch + kWait;
  other.insert(other.find("[%r2], [%rd0]") + 4, "+256");
  std::replace(again.begin(), again.end(), 'W', 'X');
  for (const std::string& read : {kRead, kReadMatrix}) {
    CAPTURE(read);
    const std::string before = kFilled + read + kMeet + other + kMeet;
    CHECK(kinds_of(before + again) == "late-read");
    CHECK(kinds_of(before + kProxyFence + again) == "");
  }
}

TEST_CASE("an mbarrier that hears of reads does not stand for the fence, nor does the own thread") {
  const std::string empty =
      kInit + "@%p0 mbarrier.init.shared.b64 [%r2+1032], 64;\n" + kSync + kFetch + kWait + kRead;
  const std::string arrive = "mbarrier.arrive.shared.b64 %rd1, [%r2+1032];\n";
  const std::string hear =
      "@!%p0 bra D; E: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1032], 0; @!%p1 bra E;\n";
  CHECK(kinds_of(empty + arrive + hear + kFilledAnew + "D:") == "late-read");
  CHECK(kinds_of(empty + kProxyFence + arrive + hear + kFilledAnew + "D:") == "");
  CHECK(kinds_of(empty + arrive + hear + kProxyFence + kFilledAnew + "D:") == "");
  // A fence of the reader that comes behind its arrival is of no use to anybody.
  CHECK(kinds_of(empty + arrive + "@!%p0 " + kProxyFence + hear + kFilledAnew + "D:") ==
        "late-read");
  const std::string own = "@%p0 ld.shared.u32 %r4, [%r2];\n";
  CHECK(kinds_of(kFilled + own + kFilledAnew) == "late-read");
  CHECK(kinds_of(kFilled + own + "@%p0 " + kProxyFence + kFilledAnew) == "");
}

TEST_CASE("what was read is of the generic proxy, and what overwrites it of the async proxy") {
  const std::string read = kFilled + kRead + kMeet;
  CHECK(kinds_of(read + "st.shared.u32 [%r3], %r1;\n") == "");
  CHECK(kinds_of(read + "cp.async.ca.shared.global [%r3], [%rd0], 4; cp.async.wait_all;\n") == "");
  const std::string send =
      "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0+256], [%r2], 256;\n"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\n";
  CHECK(kinds_of(kFilled + send + kFilledAnew) == "");
  // A store between, and its fence: that is behind the read, too.
  const std::string store = "st.shared.u32 [%r3], %r1;\n";
  CHECK(kinds_of(read + store + kProxyFence + kMeet + kFilledAnew) == "");
  CHECK(kinds_of(read + store + kMeet + kFilledAnew) == "missing-proxy-fence");
}

TEST_CASE("reads that only habit calls over, by a wgmma behind them, want the fence, too") {
  // Every thread reads a word, multiplies and waits; then thread 0 alone has TMA overwrite it.
  const auto body = [](const std::string& before, const std::string& after) {
    return "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; setp.eq.u32 %p0, %r1, 0; mov.u64 %rd9, 0; "
           "setp.lt.u32 %p6, %r1, 127; mad.lo.u32 %r3, %r1, 16, %r2; and.b64 %rd2, %rd0, -2048;\n"
           "st.shared.u64 [%r3], %rd9; @%p6 st.shared.u64 [%r3+8], %rd9;\n"
           "@%p0 mbarrier.init.shared.b64 [%r2+2040], 1; fence.proxy.async; bar.sync 0;\n"
           "mad.lo.u32 %r3, %r1, 4, %r2;\n" +
           before +
           "cvt.u64.u32 %rd3, %r2; shr.u64 %rd3, %rd3, 4; mov.u64 %rd4, 0x0000001000080000; "
           "or.b64 %rd3, %rd3, %rd4;\n"
           "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
           "{%f0, %f1, %f2, %f3}, %rd3, %rd3, 0, 1, 1, 0, 0;\n"
           "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n" +
           after +
           "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+2040], 512;\n"
           "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd0], "
           "512, [%r2+2040];\n"
           "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+2040], 0; @!%p1 bra W;\n";
  };
  const std::string read = "ld.shared.u32 %r4, [%r3];\n";
  CHECK(check_body(body("", ""), 128).kinds() == "");  // wgmma reads through the async proxy
  CHECK(check_body(body(read, ""), 128).kinds() == "late-read");
  CHECK(check_body(body(read, "@%p0 " + kProxyFence), 128).kinds() == "");
  // That the others have read, habit tells thread 0, but not that they have fenced.
  CHECK(check_body(body(read + kProxyFence, ""), 128).kinds() == "late-read");
  CHECK(check_body(body(read + kProxyFence, kMeet), 128).kinds() == "");
  // A fence behind the wait is of what was read before the wgmma, not of what was read after it.
  CHECK(check_body(body("", "@%p0 " + kProxyFence + read + kMeet), 128).kinds() == "late-read");
}

TEST_CASE("a copy from another CTA of the cluster overwrites what was read here") {
  const std::string sync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
  const std::string share =
      "mov.u32 %r6, %cluster_ctarank; setp.eq.and.u32 %p3, %r6, 1, %p0; mov.u16 %h1, 3;\n"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1024], 256;\n" +
      sync +
      "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r2], [%rd0], 256, [%r2+1024], %h1;\n"
      "V: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 1; @!%p1 bra V;\n" +
      sync;
  const std::string begin = kInit + kSync + sync + kFetch + kWait + kRead;
  const auto shared = [&](const std::string& before, const std::string& middle) {
    std::string text = share;
    text.insert(text.find("@%p3"), middle);
    return kinds_of(begin + before + text, 2);
  };
  CHECK(shared("", "") == "late-read");
  CHECK(shared(kProxyFence, "") == "");
  CHECK(shared("", kProxyFence) == "");
  // One thread's, in the CTA that copies, is enough for both.
  CHECK(shared("", "@%p3 " + kProxyFence) == "");
}

}  // namespace lanescope::emulator::test
