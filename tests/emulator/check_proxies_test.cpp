// SPDX-License-Identifier: MIT
// The checker on global memory that threads and bulk copies have in common: between the generic and
// the async proxy belongs a fence for it, on whichever side; a copy's end is one.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/check.hpp"
#include "tests/emulator/mbarrier_pieces.hpp"

namespace lanescope::emulator::test {
namespace {

// %rd9: global memory, %p7, %p8: thread 0 of CTA 0, of the others; 64 threads a CTA.
const std::string kMade =
    kInit +
    "fence.mbarrier_init.release.cluster; bar.sync 0; ld.param.u64 %rd9, [out]; "
    "mov.u32 %r10, %ctaid.x; setp.eq.u32 %p4, %r10, 0; and.pred %p7, %p4, %p0; "
    "setp.ne.u32 %p5, %r10, 0; and.pred %p8, %p5, %p0; mad.wide.u32 %rd8, %r1, 4, %rd9;\n";
const std::string kStored = "@%p4 st.global.u32 [%rd8], %r1;\n", kTogether = "bar.sync 0;\n";
const std::string kLoaded = "@%p4 ld.global.u32 %r12, [%rd8];\n";
const std::string kFences[] = {"fence.proxy.async;\n", "fence.proxy.async.global;\n"};
const std::string kWrongFences[] = {
    "mov.u32 %r14, 0;\n", "fence.proxy.async.shared::cta;\n",
    "fence.proxy.async.shared::cluster;\n",
    "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;\n",
    "fence.acq_rel.gpu;\n"};
// By thread 0 of those that `who` names; it waits.
std::string fetched(const std::string& who) {
  const std::string by = "@" + who + " ";
  return by + "mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1024], 256;\n" + by +
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd9], 256, "
         "[%r2+1024];\n@!" +
         who +
         " bra OVER;\nF: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 0; @!%p1 bra F;\n"
         "OVER:\n";
}
std::string sent(const std::string& how, const std::string& wait) {
  return "mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], %r1; fence.proxy.async.shared::cta; "
         "bar.sync 0;\n@%p7 " +
         how +
         " [%rd9], [%r2], 256;\n@%p7 cp.async.bulk.commit_group;\n@%p7 "
         "cp.async.bulk.wait_group" +
         wait + " 0;\n";
}
const std::string kCopy = "cp.async.bulk.global.shared::cta.bulk_group";
const std::string kSum = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32";
const std::string kRaised = "@%p7 st.release.gpu.global.u32 [%rd9+1024], 1;\n";
const std::string kSeen =
    "@!%p8 bra SEEN;\nLOOK: ld.acquire.gpu.global.u32 %r13, [%rd9+1024]; setp.ne.u32 %p6, %r13, 1; "
    "@%p6 bra LOOK;\nSEEN:\n";

std::string kinds_in_block(const std::string& body) { return check_grid(body, 64, 1).kinds(); }
std::string kinds_across(const std::string& body) { return check_grid(body, 64, 2).kinds(); }

}  // namespace

TEST_CASE(
    "TMA that fetches what threads of the block have stored wants a fence for global memory") {
  for (const std::string& fence : kFences) {
    CHECK(kinds_in_block(kMade + kStored + fence + kTogether + fetched("%p7")) == "");
    CHECK(kinds_in_block(kMade + kStored + kTogether + "@%p7 " + fence + fetched("%p7")) == "");
    CHECK(kinds_in_block(kMade + fence + kStored + kTogether + fetched("%p7")) ==
          "missing-proxy-fence");
  }
  for (const std::string& fence : kWrongFences) {
    CAPTURE(fence);
    const Checked run =
        check_grid(kMade + kStored + fence + kTogether + "@%p7 " + fence + fetched("%p7"), 64, 1);
    CHECK(run.kinds() == "missing-proxy-fence");
    CHECK(run.says("cp.async.bulk reads global memory through the async proxy"));
  }
  // The own thread's stores, too. And it is a race where nothing orders the two.
  CHECK(kinds_in_block(kMade + "@%p7 st.global.u32 [%rd9], 1;\n" + fetched("%p7")) ==
        "missing-proxy-fence");
  CHECK(kinds_in_block(kMade + kStored + kFences[0] + fetched("%p7")) ==
        "race-write-after-read, race-read-after-write");  // warp 1 may come before or after it
}

TEST_CASE("behind a flag the fence may stand with who stores, who tells or who copies") {
  const std::string told = kTogether + kRaised + kSeen;
  CHECK(kinds_across(kMade + kStored + told + fetched("%p8")) == "missing-proxy-fence");
  for (const std::string& fence : kFences) {
    CAPTURE(fence);
    CHECK(kinds_across(kMade + kStored + fence + told + fetched("%p8")) == "");
    CHECK(kinds_across(kMade + kStored + kTogether + "@%p7 " + fence + kRaised + kSeen +
                       fetched("%p8")) == "");
    CHECK(kinds_across(kMade + kStored + told + "@%p8 " + fence + fetched("%p8")) == "");
    // Too early on either side; on the side of who has nothing to do with it.
    CHECK(kinds_across(kMade + fence + kStored + kTogether + kRaised + "@%p8 " + fence + kSeen +
                       fetched("%p8")) == "missing-proxy-fence");
    CHECK(kinds_across(kMade + kStored + told + "@!%p8 " + fence + fetched("%p8")) ==
          "missing-proxy-fence");
  }
  // A third one between the two hands on the fence, and what it knows.
  const std::string third =
      "setp.eq.u32 %p4, %r10, 1; and.pred %p3, %p4, %p0; setp.eq.u32 %p5, %r10, 2; "
      "and.pred %p8, %p5, %p0;\n@!%p3 bra PASSED;\nPASS: ld.acquire.gpu.global.u32 %r13, "
      "[%rd9+1024]; setp.ne.u32 %p6, %r13, 1; @%p6 bra PASS;\n";
  const std::string passed =
      "st.release.gpu.global.u32 [%rd9+1028], 1;\nPASSED: @!%p8 bra SEEN;\nLOOK: "
      "ld.acquire.gpu.global.u32 %r13, [%rd9+1028]; setp.ne.u32 %p6, %r13, 1; @%p6 bra "
      "LOOK;\nSEEN:\n";
  const std::string stored = kMade + kStored + kTogether + kRaised + third;
  CHECK(check_grid(stored + passed + fetched("%p8"), 64, 3).kinds() == "missing-proxy-fence");
  CHECK(check_grid(stored + kFences[1] + passed + fetched("%p8"), 64, 3).kinds() == "");
}

TEST_CASE("a copy or sum over what threads have stored wants the fence; over reads by the letter") {
  for (const std::string& how : {kCopy, kSum}) {
    CAPTURE(how);
    CHECK(kinds_in_block(kMade + kStored + kTogether + sent(how, "")) == "missing-proxy-fence");
    CHECK(kinds_in_block(kMade + kStored + kFences[1] + kTogether + sent(how, "")) == "");
    const std::string over_reads = kMade + kLoaded + kTogether + sent(how, "");
    CHECK(kinds_in_block(over_reads) == "");
    CHECK(check_grid(over_reads, 64, 1, true).kinds() == "late-read");
    CHECK(
        check_grid(kMade + kLoaded + kFences[1] + kTogether + sent(how, ""), 64, 1, true).kinds() ==
        "");
  }
}

TEST_CASE("the end of a copy is a fence: for loads, stores and other copies") {
  const std::string over = kMade + sent(kCopy, "") + kTogether;
  CHECK(kinds_in_block(over + kLoaded) == "");
  CHECK(kinds_in_block(over + kStored) == "");
  CHECK(kinds_in_block(over + fetched("%p7")) == "");
  CHECK(kinds_across(over + kRaised + kSeen + fetched("%p8")) == "");
  // .read waits for what is read of shared memory alone.
  const std::string begun = kMade + sent(kCopy, ".read") + kTogether;
  CHECK(kinds_in_block(begun + kLoaded) == "race-read-after-write");
  CHECK(kinds_in_block(begun + fetched("%p7")) == "race-read-after-write");
  CHECK(kinds_across(begun + kRaised + kSeen + fetched("%p8")) == "race-read-after-write");
}

TEST_CASE("what a copy fetches may be overwritten by whoever knows that it is there") {
  std::string under_way = fetched("%p7"), waited = under_way;
  under_way.resize(under_way.find("@!%p7 bra OVER"));
  CHECK(kinds_in_block(kMade + waited + kTogether + kStored) == "");
  CHECK(kinds_in_block(kMade + under_way + kWait + kStored) == "");  // each has waited
  const Checked run = check_grid(kMade + under_way + kTogether + kStored + kWait, 64, 1);
  CHECK(run.kinds() == "race-write-after-read");
  CHECK(run.says("overwrites global memory that the copy at "));
  CHECK(run.says("against a copy, "));
  CHECK(kinds_in_block(kMade + under_way + "@%p7 st.global.u32 [%rd9], 1;\n" + kWait) ==
        "race-write-after-read");
}

}  // namespace lanescope::emulator::test
