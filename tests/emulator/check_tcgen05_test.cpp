// SPDX-License-Identifier: MIT
// The checker on tensor memory: waits, fences, and who overwrites what others still read. Each
// piece is a whole little kernel of two warps; a mistake is made by leaving one piece out.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

// Warp 0 allocates 64 columns; B of 8 x 16 f16 is stored by everybody; D lies in columns 8 to 15.
const std::string kBegin =
    "mov.u32 %r1, %tid.x; shr.u32 %r7, %r1, 5; setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p3, %r7, 0; "
    "mov.u32 %r3, tile; @%p3 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 64; "
    "@%p0 mbarrier.init.shared::cta.b64 [%r3+8], 1; mad.lo.u32 %r4, %r1, 4, %r3; "
    "st.shared.b32 [%r4+16], %r1;\n";
const std::string kProxy = "fence.proxy.async.shared::cta;\n";
const std::string kSync = "bar.sync 0;\n";
const std::string kAfter = "tcgen05.fence::after_thread_sync;\n";
const std::string kAddress =
    "ld.shared.b32 %r2, [%r3]; shl.b32 %r5, %r7, 21; add.u32 %r5, %r5, %r2; add.u32 %r6, %r2, 8; "
    "add.u32 %r8, %r5, 8; setp.ne.u32 %p2, %r1, %r1; "
    "add.u32 %r9, %r3, 16; shr.u32 %r9, %r9, 4; cvt.u64.u32 %rd3, %r9; "
    "or.b64 %rd3, %rd3, 0x0000400800080000;\n";
const std::string kMultiply =  // A is columns 0 to 7
    "@%p0 tcgen05.mma.cta_group::1.kind::f16 [%r6], [%r2], %rd3, 0x04020010, %p2;\n";
const std::string kStore =
    "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r5], {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1};\n";
const std::string kStored = "tcgen05.wait::st.sync.aligned;\n";
const std::string kCommit =
    "@%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r3+8];\n";
const std::string kWait =
    "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3+8], 0; @!%p1 bra W;\n";
const std::string kLoad = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r20}, [%r8];\n";
const std::string kLoaded = "tcgen05.wait::ld.sync.aligned;\n";
const std::string kUse = "add.u32 %r21, %r20, 1;\n";
const std::string kEnd =
    kSync + kAfter + "@%p3 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;\n";
const std::string kReady = kBegin + kProxy + kSync + kAfter + kAddress;
const std::string kFilled = kReady + kStore + kStored + kSync + kAfter;
const std::string kRead = kLoad + kLoaded + kUse;

std::string kinds(const std::string& body, std::string_view arch = "sm_100a") {
  const Checked run = check_body(body, 64, 1, false, arch);
  return run.error ? run.error.message : run.kinds();
}

}  // namespace

TEST_CASE("a right kernel of tensor memory gives no report") {
  CHECK(kinds(kFilled + kMultiply + kCommit + kWait + kAfter + kRead + kEnd) == "");
  // One waits, a barrier tells the others.
  CHECK(kinds(kFilled + kMultiply + kCommit + "@!%p3 bra S;\n" + kWait + "S:\n" + kSync + kAfter +
              kRead + kEnd) == "");
}

TEST_CASE("D is read, or given back, before the commit was waited for") {
  CHECK(kinds(kFilled + kMultiply + kCommit + kRead + kWait + kEnd) == "tensor-in-flight");
  const std::string late = kFilled + kMultiply + kCommit + kSync + kAfter + kRead + kWait + kEnd;
  CHECK(kinds(late) == "tensor-in-flight");
  CHECK(check_body(late, 64, 1, false, "sm_100a").says("the tcgen05 at PTX line "));
  CHECK(kinds(kFilled + kMultiply + kEnd) == "tensor-in-flight");
}

TEST_CASE("what has been read behind a barrier is given back without a fence") {
  const std::string end = "@%p3 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;\n";
  const std::string read = kFilled + kMultiply + kCommit + kWait + kAfter + kRead;
  CHECK(kinds(read + kSync + end) == "");
  CHECK(kinds(kFilled + kMultiply + kCommit + kSync + end) == "tensor-in-flight");
}

TEST_CASE("waits of a warp's own ld and st") {
  CHECK(kinds(kReady + kStore + kSync + kAfter + kMultiply + kCommit + kWait + kAfter + kRead +
              kEnd) == "missing-tensor-wait");
  CHECK(kinds(kFilled + kMultiply + kCommit + kWait + kAfter + kLoad + kUse + kLoaded + kEnd) ==
        "missing-tensor-wait");
  // What ld.red found is as late as what it loads.
  const std::string before = kFilled + kMultiply + kCommit + kWait + kAfter +
                             "tcgen05.ld.red.sync.aligned.32x32b.x2.max.f32 {%r20, %r22}, %r23, "
                             "[%r8];\n";
  const std::string use = "add.u32 %r21, %r23, 1;\n";
  CHECK(kinds(before + kLoaded + use + kEnd, "sm_103a") == "");
  CHECK(kinds(before + use + kLoaded + kEnd, "sm_103a") == "missing-tensor-wait");
}

TEST_CASE("fence::after_thread_sync behind what orders two warps") {
  CHECK(kinds(kReady + kStore + kStored + kSync + kMultiply + kCommit + kWait + kAfter + kRead +
              kEnd) == "missing-tensor-fence");
  CHECK(kinds(kFilled + kMultiply + kCommit + kWait + kRead + kEnd) == "missing-tensor-fence");
}

TEST_CASE("nothing orders what two warps do to the same columns") {
  CHECK(kinds(kReady + kStore + kStored + kMultiply + kCommit + kWait + kAfter + kRead + kEnd) ==
        "tensor-in-flight");  // a store into what the product reads
  // Warp 1 multiplies, without a word from warp 0, which has stored.
  const std::string other = "setp.eq.u32 %p0, %r1, 32;\n";
  CHECK(kinds(kReady + other + kStore + kStored + kMultiply + kCommit + kWait + kAfter + kRead +
              kEnd) == "race-read-after-write");
  // The second product overwrites what the first one's readers may still read.
  const std::string again = kFilled + kMultiply + kCommit + kWait + kAfter + kRead;
  const std::string second =
      kMultiply + kCommit +
      "V: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3+8], 1; @!%p1 bra V;\n" + kEnd;
  CHECK(kinds(again + kSync + kAfter + second) == "");
  CHECK(kinds(again + second) == "tensor-in-flight");
  CHECK(kinds(again + other + second) == "race-write-after-read");
}

TEST_CASE("an mbarrier is ended once what was committed to it has been waited for") {
  const std::string end = kSync + "@%p0 mbarrier.inval.shared::cta.b64 [%r3+8];\n" + kEnd;
  CHECK(kinds(kFilled + kMultiply + kCommit + kWait + kAfter + kRead + end) == "");
  CHECK(kinds(kFilled + kMultiply + kCommit + end) == "mbarrier, tensor-in-flight");
}

// B in the even words of tile + 16: of e2m1 that is all that there is of it.
TEST_CASE("padding of elements of 4 and 6 bits need not be there") {
  const auto multiply = [](const std::string& descriptor) {
    const std::string halves =
        "and.b32 %r10, %r1, 2; setp.eq.u32 %p4, %r10, 0; @%p4 st.shared.b32 [%r4+16], %r1;\n";
    std::string begin = kBegin;
    begin.replace(begin.find("st.shared.b32 [%r4+16]"), std::string::npos, halves);
    return kinds(begin + kProxy + kSync + kAfter + kAddress + kStore + kStored + kSync + kAfter +
                 "@%p0 tcgen05.mma.cta_group::1.kind::f8f6f4 [%r6], [%r2], %rd3, " + descriptor +
                 ", %p2;\n" + kCommit + kWait + kAfter + kRead + kEnd);
  };
  CHECK(multiply("0x04021410") == "");                      // e2m1
  CHECK(multiply("0x04021010") == "uninitialised-shared");  // e3m2
  CHECK(multiply("0x04020010") == "uninitialised-shared");  // e4m3
}

// SFA in columns 16 to 19, SFB in column 20 to 23: both are what lies at tile + 16.
TEST_CASE("scale factors that a copy or a store has not finished") {
  const auto copy = [](const std::string& who) {
    return "@" + who + " tcgen05.cp.cta_group::1.32x128b.warpx4 [%r2+16], %rd3;\n@" + who +
           " tcgen05.cp.cta_group::1.32x128b.warpx4 [%r2+20], %rd3;\n";
  };
  const std::string scaled =
      "@%p0 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r6], [%r2], %rd3, 0x08820000, "
      "[%r2+16], [%r2+20], %p2;\n";
  const std::string more = "st.shared.b32 [%r4+272], %r1;\n";
  const std::string filled =
      kBegin + more + kProxy + kSync + kAfter + kAddress + kStore + kStored + kSync + kAfter;
  const std::string rest = kCommit + kWait + kAfter + kRead + kEnd;
  CHECK(kinds(filled + copy("%p0") + scaled + rest) == "");
  // Another thread copies: the one that multiplies must hear of it.
  const std::string other = "setp.eq.u32 %p4, %r1, 32;\n" + copy("%p4");
  CHECK(contains(kinds(filled + other + scaled + rest), "tensor-in-flight"));
  const std::string told =
      "@%p4 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r3+8];\n" +
      kWait + kAfter;
  const std::string second =
      kCommit + "V: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3+8], 1; @!%p1 bra V;\n" +
      kAfter + kRead + kEnd;
  CHECK(kinds(filled + other + told + scaled + second) == "");
  // A warp stores them, in its own lanes, and does not wait; or while the product may read them.
  const std::string store =
      "add.u32 %r10, %r5, 20; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r10], {%r1};\n";
  CHECK(contains(kinds(filled + copy("%p0") + kCommit + kWait + kAfter + store + kSync + kAfter +
                       scaled + kEnd),
                 "missing-tensor-wait"));
  CHECK(
      contains(kinds(filled + copy("%p0") + scaled + store + kStored + rest), "tensor-in-flight"));
}

TEST_CASE("tensor memory that nobody gives back") {
  CHECK(kinds(kFilled + kMultiply + kCommit + kWait + kAfter + kRead) == "tensor-memory");
}

TEST_CASE("a CTA that takes more columns than the time before") {
  const auto takes = [](const std::string& first, const std::string& second) {
    const std::string alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], ";
    const std::string free =
        "; bar.warp.sync -1; ld.shared.b32 %r2, [%r3]; "
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, ";
    return kinds("mov.u32 %r1, %tid.x; mov.u32 %r3, tile; setp.gt.u32 %p1, %r1, 31; @%p1 bra E;\n" +
                 alloc + first + free + first + ";\nbar.warp.sync -1;\n" + alloc + second + free +
                 second + ";\nE:\n");
  };
  CHECK(takes("64", "128") == "tensor-memory");
  CHECK(takes("64", "64") == "");
  CHECK(takes("128", "32") == "");
}

TEST_CASE("a commit at an mbarrier that its thread has not seen initialised") {
  const std::string other = "setp.eq.u32 %p0, %r1, 32;\n";
  const std::string late = kBegin + other + kProxy + kAddress + kCommit + kSync + kAfter + kEnd;
  CHECK(kinds(late).find("mbarrier") != std::string::npos);
}

TEST_CASE("what threads stored a tcgen05.mma reads through the async proxy") {
  CHECK(kinds(kBegin + kSync + kAfter + kAddress + kStore + kStored + kSync + kAfter + kMultiply +
              kCommit + kWait + kAfter + kRead + kEnd) == "missing-proxy-fence");
  // B is stored anew while it may still be read, and once it has been.
  const std::string anew = "st.shared.b32 [%r4+16], %r1;\n";
  CHECK(kinds(kFilled + kMultiply + kCommit + anew + kWait + kAfter + kRead + kEnd) ==
        "race-write-after-read");
  CHECK(kinds(kFilled + kMultiply + kCommit + kWait + anew + kAfter + kRead + kEnd) == "");
}

}  // namespace lanescope::emulator::test
