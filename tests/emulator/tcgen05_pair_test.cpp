// SPDX-License-Identifier: MIT
// .cta_group::2: what a pair of CTAs must do together, and what the checker says where one of them
// does not wait for the other. Each piece is a whole little kernel of two CTAs of two warps; a
// mistake is made by leaving one piece out. What a pair multiplies is tcgen05_test.cpp's.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

// %p0 is thread 0, %p4 that of the even CTA, %p3 warp 0; %r10 the CTA of the pair, %h1 both as a
// mask. B's 8 x 16 f16 of each CTA are stored by everybody; D, 256 x 16, lies in columns 8 to 23.
const std::string kPlaces =
    "mov.u32 %r1, %tid.x; shr.u32 %r7, %r1, 5; setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p3, %r7, 0; "
    "mov.u32 %r10, %cluster_ctarank; and.b32 %r11, %r10, 2; shl.b32 %r11, 3, %r11; cvt.u16.u32 "
    "%h1, %r11; and.b32 %r10, %r10, 1; setp.eq.and.u32 %p4, %r10, 0, %p0; mov.u32 %r3, tile;\n";
const std::string kAlloc =
    "@%p3 tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r3], 64;\n";
const std::string kBegin =
    kPlaces + kAlloc +
    "@%p0 mbarrier.init.shared::cta.b64 [%r3+8], 1; mad.lo.u32 %r4, %r1, 4, %r3; "
    "st.shared.b32 [%r4+16], %r1; fence.proxy.async.shared::cta;\n";
const std::string kMeet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
const std::string kSync = "bar.sync 0;\n";
const std::string kAfter = "tcgen05.fence::after_thread_sync;\n";
const std::string kAddress =
    "ld.shared.b32 %r2, [%r3]; shl.b32 %r5, %r7, 21; add.u32 %r5, %r5, %r2; add.u32 %r6, %r2, 8; "
    "add.u32 %r8, %r5, 8; setp.ne.u32 %p2, %r1, %r1; "
    "add.u32 %r9, %r3, 16; and.b32 %r9, %r9, 0x3ffff; shr.u32 %r9, %r9, 4; cvt.u64.u32 %rd3, %r9; "
    "or.b64 %rd3, %rd3, 0x0000400800080000;\n";
const std::string kStore =
    "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r5], {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1};\n"
    "tcgen05.wait::st.sync.aligned;\n";
std::string multiply(const std::string& who) {  // A is columns 0 to 7
  return "@" + who + " tcgen05.mma.cta_group::2.kind::f16 [%r6], [%r2], %rd3, 0x10040010, %p2;\n";
}
std::string commit(const std::string& who) {
  return "@" + who +
         " tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster."
         "b64 [%r3+8], %h1;\n";
}
const std::string kWait =
    "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%r3+8], 0; @!%p1 bra W;\n";
const std::string kRead =
    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r20}, [%r8]; tcgen05.wait::ld.sync.aligned; "
    "add.u32 %r21, %r20, 1;\n";
const std::string kFree = kAfter + "@%p3 tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r2, 64;\n";
const std::string kEnd = kMeet + kFree;
const std::string kReady = kBegin + kSync + kAddress + kStore;
const std::string kFilled = kReady + kMeet + kAfter;
const std::string kProduct = multiply("%p4") + commit("%p4");

std::string kinds(const std::string& body, int ctas = 2) {
  const Checked run = check_body(body, 64, ctas, false, "sm_100a");
  return run.error ? run.error.message : run.kinds();
}

}  // namespace

TEST_CASE("a right kernel of a pair gives no report") {
  CHECK(kinds(kFilled + kProduct + kWait + kAfter + kRead + kEnd) == "");
  CHECK(kinds(kFilled + kProduct + kWait + kAfter + kRead + kEnd, 4) == "");
  // Any thread of the pair may multiply.
  const std::string odd = "setp.eq.and.u32 %p4, %r10, 1, %p0;\n";
  CHECK(kinds(kFilled + odd + kProduct + kWait + kAfter + kRead + kEnd) == "");
}

TEST_CASE("one CTA of a pair does not wait for the other") {
  // The odd CTA has stored A and B, and nobody has told the thread that multiplies.
  CHECK(contains(kinds(kReady + kSync + kAfter + kProduct + kWait + kAfter + kRead + kEnd),
                 "race-read-after-write"));
  // The barrier of the cluster is there, the fence behind it is not.
  CHECK(kinds(kReady + kMeet + kProduct + kWait + kAfter + kRead + kEnd) == "missing-tensor-fence");
  // The odd CTA fetches D at once.
  const std::string even_waits = "setp.ne.u32 %p5, %r10, 0; @%p5 bra S;\n" + kWait + "S:\n";
  CHECK(
      contains(kinds(kFilled + kProduct + even_waits + kAfter + kRead + kEnd), "tensor-in-flight"));
  // Columns are given back while the peer CTA may still fetch from them.
  CHECK(contains(kinds(kFilled + kProduct + kWait + kAfter + kRead + kSync + kFree),
                 "race-write-after-read"));
}

TEST_CASE("a thread of each CTA multiplies, where one must") {
  CHECK(
      contains(kinds(kFilled + "mov.b16 %h1, 1; setp.eq.u32 %p5, %r10, 0; @!%p5 mov.b16 %h1, 2;\n" +
                     multiply("%p0") + commit("%p0") + kWait + kAfter + kRead + kEnd),
               "tensor-in-flight"));
}

TEST_CASE("who takes columns takes them in both CTAs") {
  const auto alloc = [](const std::string& who, const std::string& count) {
    return "@" + who + " tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r3], " + count +
           ";\n";
  };
  const std::string even = "setp.eq.and.u32 %p3, %r10, 0, %p3;\n";
  const std::string stay = "bar.sync 0; " + kMeet;
  CHECK(
      contains(kinds(kPlaces + even + kAlloc + stay), "warp 0 waits at tcgen05.alloc (PTX line "));
  CHECK(contains(kinds(kPlaces + even + kAlloc + stay), "for a warp of the peer CTA"));
  CHECK(contains(kinds(kPlaces + even + kAlloc),
                 ".cta_group::2, and the peer CTA, of rank 1, has "
                 "exited"));
  CHECK(contains(kinds(kPlaces + "shl.b32 %r11, 32, %r10;\n" + alloc("%p3", "%r11")),
                 "columns at 0x0 here, of "));
  CHECK(contains(kinds(kPlaces + kAlloc, 1), "in CTA rank 0 of a cluster of 1: there is no peer"));
  CHECK(contains(kinds(kPlaces + kAlloc + kAlloc + alloc("%p3", "512") + kMeet),
                 "waits for columns of tensor memory (PTX line "));
  CHECK(contains(kinds(kPlaces + kAlloc +
                       "tcgen05.relinquish_alloc_permit.cta_group::2.sync."
                       "aligned; " +
                       kMeet + kAlloc),
                 "tcgen05.alloc after tcgen05.relinquish_alloc_permit"));
  // Only one gives them back: it waits.
  const std::string one = kPlaces + kAlloc + kMeet + "ld.shared.b32 %r2, [%r3];\n" + even +
                          "@%p3 tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r2, 64;\n";
  CHECK(contains(kinds(one + kMeet), "warp 0 waits at tcgen05.dealloc (PTX line "));
  // ... and both do, with other numbers.
  CHECK(contains(kinds(kPlaces + kAlloc + alloc("%p3", "32") + kMeet +
                       "mov.u32 %r2, 0; mov.u32 %r11, 64; setp.ne.u32 %p5, %r10, 0; @%p5 mov.u32 "
                       "%r2, 64; @%p5 mov.u32 %r11, 32;\n" +
                       kAfter + "@%p3 tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r2, %r11;\n"),
                 "of 64 at 0x0 in the peer CTA"));
}

// Word k of a CTA's source is k + 1000 * its rank; whoever finds another one ends the kernel.
TEST_CASE("tcgen05.cp of a pair: into each CTA from its own shared memory") {
  const std::string source =
      "@%p0 mbarrier.init.shared::cta.b64 [%r3+8], 1; mad.lo.u32 %r4, %r1, 4, %r3; mad.lo.u32 "
      "%r12, "
      "%r10, 1000, %r1; st.shared.b32 [%r4+16], %r12; add.u32 %r12, %r12, 64; st.shared.b32 "
      "[%r4+272], %r12; fence.proxy.async.shared::cta;\n";
  const std::string look =
      "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r20, %r21, %r22, %r23}, [%r8]; "
      "tcgen05.wait::ld.sync.aligned; shl.b32 %r13, %r0, 2; mad.lo.u32 %r13, %r10, 1000, %r13; "
      "setp.ne.u32 %p6, %r20, %r13; @%p6 trap; add.u32 %r13, %r13, 3; setp.ne.u32 %p6, %r23, %r13; "
      "@%p6 trap;\n";
  const std::string copy = "@%p4 tcgen05.cp.cta_group::2.32x128b.warpx4 [%r6], %rd3;\n";
  const std::string begin = kPlaces + kAlloc + source + kMeet + kAfter + kAddress + copy;
  CHECK(kinds(begin + commit("%p4") + kWait + kAfter + look + kEnd) == "");
  CHECK(contains(kinds(begin + look + commit("%p4") + kWait + kEnd), "trap"));  // not there yet
}

TEST_CASE("columns of a pair that nobody gives back") {
  CHECK(kinds(kFilled + kProduct + kWait + kAfter + kRead + kMeet) == "tensor-memory");
}

TEST_CASE("what a pair may multiply, and that a kernel has one group") {
  const auto product = [](const std::string& rest) {
    return kinds(kFilled + "@%p4 tcgen05.mma.cta_group::2.kind::" + rest + "\n" + kEnd);
  };
  CHECK(contains(product("f16 [%r6], %rd3, %rd3, 0x04040010, %p2;"),
                 "M is 64: .cta_group::2 has 128 and 256"));
  CHECK(contains(product("f16 [%r6], %rd3, %rd3, 0x10020010, %p2;"),
                 "N is 8: .cta_group::2 has multiples of 16 up to 256"));
  CHECK(contains(product("i8 [%r6], %rd3, %rd3, 0x100c0020, %p2;"),
                 "N is 48: .kind::i8 with .cta_group::2 has multiples of 32"));
  CHECK(contains(kinds(kFilled + kProduct + kWait + kAfter +
                       "@%p3 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;\n"),
                 ".cta_group::1 in a kernel that has .cta_group::2, too"));
  // The even CTA multiplies when the odd one has gone.
  CHECK(contains(kinds(kPlaces + kAlloc + kMeet + kAfter + "ld.shared.b32 %r2, [%r3];\n" +
                       "@%p3 tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r2, 64;\n"
                       "setp.ne.u32 %p5, %r10, 0; @%p5 exit; mov.u32 %r30, 0; P: add.u32 %r30, "
                       "%r30, 1; setp.lt.u32 %p5, %r30, 10000; @%p5 bra P;\n" +
                       commit("%p4")),
                 "and the peer CTA, of rank 1, has exited"));
}

TEST_CASE("a commit tells the CTAs of its mask, at the same place") {
  // Each CTA waits at its own mbarrier, of which only the odd one's is told.
  CHECK(contains(kinds(kFilled + "mov.b16 %h1, 2;\n" + kProduct + kWait + kAfter + kRead + kEnd),
                 "whose phase 0 (parity 0) misses 1 of 1 arrivals"));
  CHECK(contains(kinds(kFilled + "mov.b16 %h1, 7;\n" + kProduct + kWait + kEnd),
                 "ctaMask 0x7 in a cluster of 2"));
}

}  // namespace lanescope::emulator::test
