// SPDX-License-Identifier: MIT
// The checker on small pieces of PTX: what it says of shared memory that threads hand to each
// other, and that it says nothing where all is well.
#include <doctest/doctest.h>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

const std::string kWriteOwn =
    "mov.u32 %r2, tile; mad.lo.u32 %r3, %r0, 4, %r2; "
    "st.shared.u32 [%r3], %r0;\n";
const std::string kReadOther =
    "xor.b32 %r4, %r0, 1; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r5, [%r4];\n";

}  // namespace

TEST_CASE("shared memory that nobody wrote is uninitialised") {
  const Checked run = check_body("mov.u32 %r2, tile; ld.shared.u32 %r3, [%r2+12];");
  REQUIRE(run.reports.size() == 1);
  CHECK(run.reports[0].diagnostic.kind == "uninitialised-shared");
  CHECK(run.reports[0].count == 1);
  CHECK(run.says("shared address 0x40c"));
  CHECK(run.says("kernel snippet, CTA (0,0,0), warp 0, lane 0"));
}

// As of struct { signed char value; bool flag; char unused[2]; }: the compiler loads all of it.
TEST_CASE("elements of a vector load that nobody reads need not have been written") {
  const std::string load =
      "mov.u32 %r2, tile; st.shared.u8 [%r2], %r0; bar.warp.sync -1; "
      "ld.shared.v4.u8 {%r3, %r4, %r5, %r6}, [%r2];\n";
  CHECK(check_body(load + "add.u32 %r7, %r3, 1;").kinds() == "");
  CHECK(check_body(load + "add.u32 %r7, %r3, %r5;").says("shared address 0x402"));
  CHECK(check_body(load + "setp.eq.u32 %p1, %r3, 0; @%p1 st.global.u32 [%rd0], %r6;")
            .says("shared address 0x403"));
  CHECK(check_body("mov.u32 %r2, tile; ld.shared.v2.u32 {%r3, _}, [%r2];").kinds() ==
        "uninitialised-shared");
}

// As of struct { int key; char value; }, and of struct { char value; int key; }.
TEST_CASE("an element that other lanes have of an array is no padding") {
  // Each lane but one stores a word, in 4 steps or the 4 of a struct; a quarter of them copy 4.
  const auto kinds = [](const std::string& stores) {
    return check_body(
               "mov.u32 %r2, tile; setp.ne.u32 %p1, %r0, 7; setp.lt.u32 %p2, %r0, 8; "
               "mad.lo.u32 %r3, %r0, 4, %r2; mad.lo.u32 %r4, %r0, 16, %r2;\n" +
               stores +
               "bar.warp.sync -1; @%p2 ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];\n"
               "@%p2 st.global.v4.u32 [%rd0], {%r5, %r6, %r7, %r8};\n")
        .kinds();
  };
  CHECK(kinds("st.shared.u32 [%r3], %r0;\n") == "");
  CHECK(kinds("@%p1 st.shared.u32 [%r3], %r0;\n") == "uninitialised-shared");
  // Three members each; one lane has copied another's whole.
  const std::string members =
      "@%p2 st.shared.u32 [%r4], %r0; @%p2 st.shared.u32 [%r4+4], %r0; @%p2 st.shared.u32 [%r4+8], "
      "%r0;\n";
  CHECK(kinds(members) == "");
  CHECK(kinds(members +
              "bar.warp.sync -1; @!%p1 st.shared.v4.u32 [%r2], {%r0, %r0, %r0, %r0};\n") == "");
}

TEST_CASE("the padding of a struct that is only copied need not have been written") {
  const std::string fill =
      "mov.u32 %r2, tile; st.shared.u32 [%r2], %r0; st.shared.u8 [%r2+4], %r0; bar.warp.sync -1;\n";
  const std::string bytes = "ld.shared.v4.u8 {%r3, %r4, %r5, %r6}, [%r2+4];\n";
  const std::string stored = "st.global.v4.u8 [%rd0], {%r3, %r4, %r5, %r6};\n";
  CHECK(check_body(fill + bytes + stored).kinds() == "");
  CHECK(check_body(fill + "ld.shared.u32 %r3, [%r2+4]; st.global.u32 [%rd0], %r3;").kinds() == "");
  CHECK(check_body(fill +
                   "ld.shared.u32 %r3, [%r2+4]; setp.eq.u32 %p1, %r0, 0; shr.u32 %r4, %r3, 8; "
                   "selp.u32 %r5, %r3, %r4, %p1; and.b32 %r6, %r5, 255; "
                   "prmt.b32 %r7, %r6, %r5, 0x1040; st.shared.u32 [%r2+16], %r7;")
            .kinds() == "");
  for (const char* use :
       {"add.u32 %r7, %r3, 1;", "and.b32 %r7, %r3, 15; st.global.u32 [%rd0], %r7;",
        "shl.b32 %r7, %r3, 2; st.global.u32 [%rd0], %r7;", "setp.eq.u32 %p1, %r3, 0;",
        ".local .align 4 .b8 spill[4]; st.local.u32 [spill], %r3;"}) {
    CAPTURE(use);
    const Checked run = check_body(fill + "ld.shared.u32 %r3, [%r2+4];\n" + use);
    CHECK(run.kinds() == "uninitialised-shared");
    CHECK(run.says("shared address 0x405"));
  }
  CHECK(check_body(fill + bytes + "add.u32 %r7, %r5, 1;\n" + stored).kinds() ==
        "uninitialised-shared");
  // Of all that is loaded nothing is there: a copy of an element that nobody has written, but where
  // a member stands beside single bytes.
  CHECK(check_body(fill + "ld.shared.u32 %r3, [%r2+8]; st.global.u32 [%rd0], %r3;").kinds() ==
        "uninitialised-shared");
  const std::string behind = "ld.shared.v4.u8 {%r3, %r4, %r5, %r6}, [%r2+8];\n";
  CHECK(check_body(fill + behind + stored).kinds() == "uninitialised-shared");
  CHECK(check_body(fill + "ld.shared.u32 %r7, [%r2];\n" + behind + stored).kinds() == "");
}

TEST_CASE("lanes of a warp need bar.warp.sync between a write and another's read") {
  CHECK(check_body(kWriteOwn + "bar.warp.sync -1;\n" + kReadOther).kinds() == "");
  const Checked run = check_body(kWriteOwn + kReadOther);
  CHECK(run.kinds() == "race-read-after-write");
  CHECK(run.says("ld.shared.u32 %r5, [%r4]"));
  CHECK(run.says("against warp 0 lane 1"));
  CHECK(run.says("st.shared.u32 [%r3], %r0"));
}

TEST_CASE("a lane may read what it wrote itself") {
  CHECK(check_body(kWriteOwn + "ld.shared.u32 %r5, [%r3];").kinds() == "");
}

TEST_CASE("overwriting what another lane still reads is a race") {
  const std::string body = kWriteOwn + "bar.warp.sync -1;\n" + kReadOther;
  CHECK(check_body(body + "bar.warp.sync -1; st.shared.u32 [%r3], %r5;").kinds() == "");
  CHECK(check_body(body + "st.shared.u32 [%r3], %r5;").kinds() == "race-write-after-read");
}

TEST_CASE("two writes of different values race, of the same value they do no harm") {
  const std::string other = "mul.lo.u32 %r6, %r0, 4; xor.b32 %r6, %r6, 4; add.u32 %r6, %r6, %r2;";
  CHECK(check_body(kWriteOwn + other + "st.shared.u32 [%r6], 99;").kinds() ==
        "race-write-after-write");
  CHECK(check_body("mov.u32 %r2, tile; st.shared.u32 [%r2], 7; bar.warp.sync -1; "
                   "setp.eq.u32 %p1, %r0, 3; @%p1 st.shared.u32 [%r2], 7;")
            .kinds() == "");
  // So do two warps that store the same matrix: layouts of compilers repeat it.
  const std::string rows =
      "mov.u32 %r1, %tid.x; and.b32 %r4, %r1, 31; and.b32 %r6, %r1, 7; mov.u32 %r2, tile; "
      "mad.lo.u32 %r6, %r6, 16, %r2; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r6], ";
  CHECK(check_body(rows + "{%r4};", 64).kinds() == "");
  CHECK(check_body(rows + "{%r1};", 64).kinds() == "race-write-after-write");
}

TEST_CASE("warps need a barrier, and any of its forms will do") {
  const std::string write =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 4, %r2; "
      "st.shared.u32 [%r3], %r1;\n";
  const std::string read =
      "xor.b32 %r4, %r1, 32; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r5, [%r4];\n";
  for (const char* barrier :
       {"bar.sync 0;", "barrier.sync 1;", "bar.sync 3, 64;", "bar.red.popc.u32 %r6, 0, %p1;"})
    CHECK_MESSAGE(check_body(write + barrier + read, 64).kinds() == "", barrier);
  // Whichever comes first in the emulator: the first warp reads what is not there yet, the second
  // writes what the first has read and reads what the first has written.
  const char* racing = "race-write-after-read, race-read-after-write, uninitialised-shared";
  CHECK(check_body(write + read, 64).kinds() == racing);
  CHECK(check_body(write + "bar.warp.sync -1;" + read, 64).kinds() == racing);
  // A barrier that the first warp only arrives at orders its writes, not its reads of the others'.
  const std::string half = "setp.lt.u32 %p2, %r1, 32; @%p2 bar.arrive 2, 64; @!%p2 bar.sync 2, 64;";
  CHECK(check_body(write + half + "@!%p2 bra B; bra E; B:" + read + "E: ret;", 64).kinds() == "");
  CHECK(check_body(write + half + "@%p2 bra B; bra E; B:" + read + "E: ret;", 64).kinds() ==
        "race-write-after-read, uninitialised-shared");
}

TEST_CASE("padding behind elements of 4 and 6 bits is not read") {
  const std::string halves =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 16, %r2; "
      "st.shared.v2.b32 [%r3], {%r1, %r1}; bar.sync 0;\n"
      "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.";
  const auto kinds = [&](const std::string& type) {
    return check_body(halves + type + " {%r5}, [%r3];\n", 32, 1, false, "sm_120a").kinds();
  };
  CHECK(kinds("b4x16_p64") == "");
  CHECK(kinds("b6x16_p32") == "uninitialised-shared");
}

// Four warps; rows of 16 bytes. Warp 0 reads 32 of them by ldmatrix, warp 1 overwrites one.
TEST_CASE(
    "rows that ldmatrix has read may be overwritten after a barrier, however many there were") {
  const std::string fill =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 16, %r2; shr.u32 %r9, %r1, 5; "
      "setp.eq.u32 %p1, %r9, 0; setp.eq.u32 %p2, %r9, 1; setp.eq.u32 %p3, %r9, 2; "
      "st.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1}; bar.sync 0; and.b32 %r4, %r1, 31; mad.lo.u32 "
      "%r4, %r4, 16, %r2;\n";
  const std::string load =
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r4];\n";
  const std::string read = "@!%p1 bra READ; " + load + "READ:\n";
  const std::string write = "@!%p2 bra WRITTEN; st.shared.u32 [%r2+36], 5; WRITTEN:\n";
  const std::string many =
      "@!%p1 bra READ; " + load +
      "mov.u32 %r10, 0; AGAIN: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r4+128]; "
      "add.u32 %r10, %r10, 1; setp.lt.u32 %p4, %r10, 5000; @%p4 bra AGAIN; READ:\n";
  for (const std::string& reads : {read, many}) {
    CHECK(check_body(fill + reads + "bar.sync 0;\n" + write, 128).kinds() == "");
    const Checked run = check_body(fill + reads + write, 128);
    REQUIRE(run.kinds() == "race-write-after-read");
    CHECK(run.says("warp 1, lane 0, shared address 0x424"));
    CHECK(run.says("against warp 0"));
    CHECK(run.says("ldmatrix.sync.aligned"));
  }
  // Whoever was not at the barrier has not heard of it, even if it comes later.
  const std::string some =
      "@%p3 bra ALONE; bar.sync 1, 96; @%p1 st.volatile.shared.u32 [%r2+1024], 1; ALONE:\n";
  const std::string other =
      "@!%p3 bra WRITTEN; LOOK: ld.volatile.shared.u32 %r5, [%r2+1024]; setp.ne.u32 %p4, %r5, 1; "
      "@%p4 bra LOOK; st.shared.u32 [%r2+36], 5; WRITTEN:\n";
  CHECK(check_body(fill + read + some + write, 128).kinds() == "");
  CHECK(check_body(fill + read + some + other, 128).kinds() == "race-write-after-read");
  // Warps that have exited are not waited for.
  const std::string exits = "@!%p3 bra GO; exit; GO:\n";
  CHECK(check_body(fill + exits + read + "bar.sync 0;\n" + write, 128).kinds() == "");
  CHECK(check_body(fill + exits + "bar.sync 0;\n" + read + write, 128).kinds() ==
        "race-write-after-read");
  // The same warp's later reads are not hidden by those of ldmatrix, nor the other way round.
  const std::string later =
      "@!%p1 bra READ; " + load + "ld.shared.u32 %r5, [%r2+36]; READ: @!%p1 bra.uni OVER; OVER:\n";
  CHECK(check_body(fill + later + "bar.sync 0;\n" + write, 128).kinds() == "");
  CHECK(check_body(fill + later + write, 128).kinds() == "race-write-after-read");
  // What was read before it was overwritten rightly does not count against the next write.
  CHECK(check_body(fill + read + "bar.sync 0;\n" + write +
                       "@!%p2 bra DONE; bar.warp.sync -1; st.shared.u32 [%r2+36], "
                       "6; DONE: bar.sync 0;\n" +
                       "@!%p1 bra LAST; st.shared.v4.u32 [%r2+32], {%r1, %r1, %r1, %r1}; LAST:\n",
                   128)
            .kinds() == "");
}

TEST_CASE("lanes hand on by shfl what one of them has learnt, not what it has done") {
  // Warp 0 writes and tells lane 0 of warp 1, through an mbarrier.
  const std::string tell =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 4, %r2; and.b32 %r9, %r1, 31; "
      "setp.eq.u32 %p1, %r1, 0; setp.ge.u32 %p2, %r1, 32; setp.eq.u32 %p3, %r9, 0; "
      "@%p1 mbarrier.init.shared.b64 [%r2+1024], 32; bar.sync 0; @%p2 bra ONE;\n"
      "st.shared.u32 [%r3], %r1; mbarrier.arrive.shared.b64 _, [%r2+1024]; ret;\n"
      "ONE: @!%p3 bra HEARD; LOOK: mbarrier.try_wait.parity.shared.b64 %p4, [%r2+1024], 0; "
      "@!%p4 bra LOOK; HEARD:\n";
  const std::string read = "ld.shared.u32 %r4, [%r3+-128];\n";
  const std::string shuffle = "shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;\n";
  CHECK(check_body(tell + "bar.warp.sync -1;\n" + read, 64).kinds() == "");
  CHECK(check_body(tell + shuffle + read, 64).kinds() == "");
  CHECK(check_body(tell + "vote.sync.any.pred %p5, %p4, -1;\n" + read, 64).kinds() == "");
  CHECK(check_body(tell + read, 64).kinds() == "race-read-after-write");
  CHECK(check_body(tell + shuffle + read, 64, 1, true).kinds() == "race-read-after-write");
  CHECK(check_body(kWriteOwn + shuffle + kReadOther).kinds() == "race-read-after-write");
  // The same of what they have read: it may be overwritten.
  const std::string over = kWriteOwn + "bar.warp.sync -1;\n" + kReadOther;
  const std::string some =
      "setp.lt.u32 %p1, %r0, 16; @%p1 shfl.sync.idx.b32 %r5, %r5, 0, 31, 0xffff;\n";
  CHECK(check_body(over + shuffle + "st.shared.u32 [%r3], %r5;").kinds() == "");
  CHECK(check_body(over + some + "st.shared.u32 [%r3], %r5;").kinds() == "race-write-after-read");
}

TEST_CASE("halves of a word may be written by two lanes") {
  const std::string write =
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r0, 2, %r2; cvt.u16.u32 %h1, "
      "%r0; st.shared.u16 [%r3], %h1;";
  CHECK(check_body(write).kinds() == "");
  CHECK(check_body(write + "bar.warp.sync -1; ld.shared.u32 %r5, [%r2];").kinds() == "");
  CHECK(check_body(write + "ld.shared.u32 %r5, [%r2];").kinds() == "race-read-after-write");
}

TEST_CASE("the bytes in front of a kernel's own are the system's, unless PTX asks where they are") {
  const auto kinds = [](const std::string& body) { return check_body(body).kinds(); };
  const std::string index = "mul.lo.u32 %r3, %r0, 4;\n";  // and no address of `tile`
  CHECK(kinds(index + "st.shared.u32 [%r3], %r0;") == "reserved-shared");
  CHECK(kinds(index + "ld.shared.u32 %r5, [%r3];") == "reserved-shared");
  CHECK(kinds("mov.u32 %r3, 1020; st.shared.u32 [%r3], %r0;") == "reserved-shared");
  CHECK(kinds(index + "atom.shared.add.u32 %r5, [%r3], 1;") == "reserved-shared");
  CHECK(kinds("mul.lo.u32 %r3, %r0, 16; and.b64 %rd2, %rd0, -16; "
              "cp.async.ca.shared.global [%r3], [%rd2], 16; cp.async.wait_all;") ==
        "reserved-shared");
  CHECK(kinds("mov.u32 %r2, tile;\n" + index +
              "add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r0;") == "");
  CHECK(kinds("mov.u32 %r2, %reserved_smem_offset_0; " + index +
              "add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r0;") == "");
}

TEST_CASE("cp.async must be waited for by whom issued it, and a barrier tells the others") {
  const std::string copy =
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r0, 16, %r2; and.b64 %rd2, %rd0, -16; "
      "cp.async.ca.shared.global [%r3], [%rd2], 16; cp.async.commit_group;\n";
  const std::string own = "ld.shared.u32 %r5, [%r3];";
  const std::string other =
      "xor.b32 %r4, %r0, 1; mad.lo.u32 %r4, %r4, 16, %r2; ld.shared.u32 %r5, [%r4];";
  const std::string wait = "cp.async.wait_group 0;\n";
  CHECK(check_body(copy + wait + own).kinds() == "");
  CHECK(check_body(copy + own).kinds() == "missing-cp-async-wait");
  CHECK(check_body(copy + "cp.async.wait_group 1;" + own).kinds() == "missing-cp-async-wait");
  CHECK(check_body(copy + wait + "bar.warp.sync -1;" + other).kinds() == "");
  CHECK(check_body(copy + wait + other).kinds() == "race-read-after-write");
  CHECK(check_body(copy + "bar.warp.sync -1;" + other).kinds() == "missing-cp-async-wait");
  const Checked run = check_body(copy + own);
  CHECK(run.says("against warp 0 lane 0"));
  CHECK(run.says("still filling; wait for it with cp.async.wait_group"));
  CHECK(run.says("cp.async.ca.shared.global"));
  // A copy that is in no group is not waited for, by whatever wait but wait_all.
  const std::string started = copy.substr(0, copy.find("cp.async.commit_group"));
  CHECK(check_body(started + wait + own).says("no cp.async.commit_group has put that copy into"));
  CHECK(check_body(started + wait + own).kinds() == "missing-cp-async-wait");
  CHECK(check_body(started + "cp.async.wait_all;" + own).kinds() == "");
  CHECK(!check_body(copy + "cp.async.wait_group 1;" + own).says("has put that copy into"));
  CHECK(check_body(started + "bar.warp.sync -1;" + other).says("has put that copy into a group"));
  // Zeros are there at once, on a card, too; no rule says so.
  const std::string nothing =
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r0, 16, %r2; and.b64 %rd2, %rd0, -16; "
      "cp.async.ca.shared.global [%r3], [%rd2], 16, 0; cp.async.commit_group;\n";
  CHECK(check_body(nothing + own).kinds() == "missing-cp-async-wait");
  CHECK(check_body(nothing + "st.shared.u32 [%r3], %r0;").kinds() == "missing-cp-async-wait");
  CHECK(check_body(nothing + wait + own).kinds() == "");
}

TEST_CASE("lanes that copy the same to one place by one cp.async do no harm, others race") {
  const auto copied = [](const std::string& from) {  // to the places of lanes 0 to 3, from `from`
    return check_body("mov.u32 %r2, tile; min.u32 %r4, %r0, 3; mad.lo.u32 %r3, %r4, 4, %r2; " +
                      from +
                      "cp.async.ca.shared.global [%r3], [%rd2], 4; cp.async.commit_group; "
                      "cp.async.wait_group 0; bar.warp.sync -1; ld.shared.u32 %r5, [%r2+12];")
        .kinds();
  };
  const std::string same =
      "ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r4, 4; "
      "add.u64 %rd2, %rd2, %rd3; ";
  const std::string others =
      "ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r0, 4; "
      "add.u64 %rd2, %rd2, %rd3; st.global.u32 [%rd2], %r0; ";
  CHECK(copied(same) == "");
  CHECK(copied(others) == "missing-cp-async-wait");
}

TEST_CASE("lanes that store to one place in different rounds of a loop race, those of one do not") {
  // Round k is lane k's, and stores k; or all lanes store to a place a round.
  const std::string loop =
      "mov.u32 %r2, tile; ld.param.u64 %rd9, [out]; mov.u32 %r4, 0;\n"
      "R: setp.eq.u32 %p0, %r4, %r0; mad.lo.u32 %r5, %r4, 4, %r2;\n";
  const std::string end = "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 8; @%p1 bra R;\n";
  const char* race = "race-write-after-write";
  for (const char* place : {".shared.u32 [%r2]", ".global.u32 [%rd9]"}) {
    CAPTURE(place);
    const std::string store = "@%p0 st" + std::string(place) + ", %r4;\n";
    CHECK(check_body(loop + store + end).kinds() == race);
    CHECK(check_body(loop + store + "bar.warp.sync -1;\n" + end).kinds() == "");
  }
  CHECK(check_body(loop + "@%p0 st.shared.u32 [%r2], 7;\n" + end).kinds() == "");
  CHECK(check_body(loop + "st.shared.u32 [%r5], %r0;\n" + end).kinds() == "");
  const std::string rows =
      "add.u32 %r6, %r0, %r4; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r6};\n";
  CHECK(check_body(loop + rows + end).kinds() == race);
  CHECK(check_body(loop + rows + "bar.warp.sync -1;\n" + end).kinds() == "");
}

TEST_CASE("16-bit atomics in one word are kept apart") {
  // Warps 0 and 1 add to the lower half, 2 and 3 to the upper one.
  const std::string add =
      "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; shr.u32 %r5, %r1, 6; mad.lo.u32 %r4, %r5, 2, %r2;\n"
      "add.u32 %r6, %r5, 1; mov.u32 %r7, 0; mov.b16 %h2, 0; setp.eq.u32 %p0, %r1, 0;\n"
      "@%p0 st.shared.u32 [%r2], %r7; bar.sync 0; atom.shared.add.noftz.f16 %h1, [%r4], %h2;\n";
  const std::string look = "ld.shared.u16 %h3, [%r4];\n";
  CHECK(check_body(add + "bar.sync %r6, 64;\n" + look, 128).kinds() == "");
  // Warps 1 to 3 meet: warp 1 does not know of warp 0 alone.
  const Checked run = check_body(add +
                                     "shr.u32 %r8, %r1, 5; setp.ge.u32 %p2, %r8, 1; setp.eq.u32 "
                                     "%p1, %r8, 1; @%p2 bar.sync 3, 96; @%p1 " +
                                     look,
                                 128);
  CHECK(run.kinds() == "race-read-after-write");
  CHECK(run.says("against warp 0"));
}

TEST_CASE("a plain store under the storer's own atomic is still one") {
  const std::string begin =
      "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; ld.param.u64 %rd9, [out]; mov.u32 %r7, 0;\n"
      "setp.eq.u32 %p0, %r1, 0;\n";
  for (const std::string place : {".shared.u32 [%r2]", ".global.u32 [%rd9]"}) {
    CAPTURE(place);
    const std::string store = "@%p0 st" + place + ", %r7;\n";
    std::string add = place;
    add = "atom" + add.insert(add.find(".u32"), ".add") + ", 1;\n";
    add.replace(add.find('['), 0, "%r3, ");
    // Each warp's lanes must know of it; bar.warp.sync tells those of the storer's alone.
    const Checked run = check_body(begin + store + "bar.warp.sync -1;\n" + add, 64);
    CHECK(run.kinds() == "race-write-after-write");
    CHECK(run.says("warp 1, lane 0"));
    CHECK(run.says("against warp 0 lane 0"));
    CHECK(check_body(begin + store + "bar.sync 0;\n" + add, 64).kinds() == "");
    const std::string poll = "setp.ge.u32 %p1, %r1, 32; @%p1 ld.volatile" + place + ";\n";
    std::string look = poll;
    look.replace(look.find('['), 0, "%r4, ");
    CHECK(check_body(begin + store + "@%p0 " + add + look, 64).kinds() == "race-read-after-write");
    CHECK(check_body(begin + store + "bar.sync 0;\n@%p0 " + add + look, 64).kinds() == "");
  }
  // Of lanes that act as one, one is named that is not the other.
  const Checked beside =
      check_body(begin + "@%p0 st.shared.u32 [%r2], %r7; ld.shared.u32 %r3, [%r2];\n", 32);
  CHECK(beside.says("warp 0, lane 1,"));
  CHECK(beside.says("against warp 0 lane 0"));
}

TEST_CASE("atomics do not race with each other, but with a plain read") {
  const std::string add =
      "mov.u32 %r2, tile; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [%r2], 0;"
      "bar.warp.sync -1; atom.shared.add.u32 %r3, [%r2], 1;";
  CHECK(check_body(add + "bar.warp.sync -1; ld.shared.u32 %r4, [%r2];").kinds() == "");
  CHECK(check_body(add + "ld.shared.u32 %r4, [%r2];").kinds() == "race-read-after-write");
}

TEST_CASE("a fault is a report, too") {
  const Checked run = check_body("ld.global.u32 %r1, [%rd0+2048];");
  CHECK(run.kinds() == "out-of-bounds");
  CHECK(run.says("0 bytes after the end of the allocation of 2048 bytes"));
}

TEST_CASE("who finds a barrier filled by others must know of it, or may be counted with them") {
  const std::string begin = "mov.u32 %r1, %tid.x; setp.lt.u32 %p4, %r1, 64; ";
  const Checked pairs = check_body(begin + "bar.sync 1, 64;", 128);
  CHECK(pairs.kinds() == "barrier");
  CHECK(pairs.says("comes to a barrier that those have filled who came at "));
  CHECK(check_body(begin + "@%p4 bar.sync 1, 64; @!%p4 bar.sync 2, 64;", 128).kinds() == "");
  // The second pair has heard of the first, or of one of them.
  CHECK(check_body(begin + "@%p4 bra FIRST; bar.sync 2, 128; bra ALL; FIRST: bar.sync 1, 64; "
                           "bar.arrive 2, 128; bra END; ALL: bar.sync 1, 64;\nEND:",
                   128)
            .kinds() == "");
  CHECK(check_body(begin + "setp.lt.u32 %p5, %r1, 32; @%p4 bra FIRST; bar.sync 2, 96; bra ALL; "
                           "FIRST: bar.sync 1, 64; @%p5 bar.arrive 2, 96; bra END; ALL: "
                           "bar.sync 1, 64;\nEND:",
                   128)
            .kinds() == "");
  CHECK(check_body(begin + "@%p4 bra FIRST; bar.sync 2, 128; bra ALL; FIRST: bar.arrive 2, 128; "
                           "bar.sync 1, 64; bra END; ALL: bar.sync 1, 64;\nEND:",
                   128)
            .kinds() == "barrier");
  // Who has only arrived may come again before the others, and fill the barrier alone; to a barrier
  // of all as well.
  const std::string twice = begin + "setp.lt.u32 %p5, %r1, 32; @%p5 bra GIVE; bar.sync 1, 64;\n";
  for (const char* again : {"1, 64", "1"})
    CHECK(check_body(twice + "bar.sync " + again + "; bra END;\nGIVE: bar.arrive 1, 64; bar.sync " +
                         again + ";\nEND:",
                     64)
              .kinds()
              .find("barrier") != std::string::npos);
  // One tells the other again and again, and is told when to.
  CHECK(check_body(begin + "setp.lt.u32 %p5, %r1, 32; mov.u32 %r9, 3;\n"
                           "L: @%p5 bra GIVE; bar.sync 1, 64; bar.arrive 2, 64; bra ON;\n"
                           "GIVE: bar.arrive 1, 64; bar.sync 2, 64;\n"
                           "ON: sub.u32 %r9, %r9, 1; setp.ne.u32 %p6, %r9, 0; @%p6 bra L;",
                   64)
            .kinds() == "");
}

TEST_CASE("of loads before a decision those lanes have read that keep what they loaded") {
  // Each warp has a word of its own, and takes it by a choice between the two.
  const std::string begin =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; setp.lt.u32 %p4, %r1, 32; setp.eq.u32 %p5, %r1, 0; "
      "setp.eq.u32 %p6, %r1, 32; @%p5 st.shared.u32 [%r2], %r1; @%p6 st.shared.u32 [%r2+4], %r1; "
      "bar.warp.sync -1;\n";
  const std::string loads = "ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r4, [%r2+4];\n";
  const std::string choice = "selp.u32 %r5, %r3, %r4, %p4;\n";
  const auto is_race = [](const std::string& body) {
    return check_body(body, 64).kinds().find("race-read-after-write") != std::string::npos;
  };
  CHECK(check_body(begin + loads + choice, 64).kinds() == "");
  // The other way around; a use of what is dropped; another predicate by then.
  CHECK(is_race(begin + loads + "selp.u32 %r5, %r4, %r3, %p4;\n"));
  CHECK(is_race(begin + loads + choice + "add.u32 %r6, %r3, 1;"));
  CHECK(is_race(begin + loads + "setp.lt.u32 %p4, %r1, 32;\n" + choice));
  // Decided in another part, which somebody else comes to with a value of his own; once, and not in
  // the same turn of a loop.
  const std::string one =
      "@%p5 bra T; ld.shared.u32 %r3, [%r2]; bra S;\nT: mov.u32 %r3, %r1;\n"
      "S: selp.u32 %r5, %r3, 0, %p5;\n";
  CHECK(check_body(begin + one, 64).kinds() == "");
  CHECK(is_race(begin + one + "add.u32 %r6, %r3, 1;"));
  const std::string loop =
      "mov.u32 %r9, 2; mov.u32 %r3, 0;\nL: selp.u32 %r5, %r3, 0, %p7; setp.lt.u32 %p7, %r1, 32; "
      "ld.shared.u32 %r3, [%r2]; sub.u32 %r9, %r9, 1; setp.ne.u32 %p8, %r9, 0; @%p8 bra L;";
  CHECK(check_body(begin + "setp.lt.u32 %p7, %r1, 32;\n" + loop, 64).kinds() == "");
  CHECK(is_race(begin + "setp.lt.u32 %p7, %r1, 32;\n" + loop + "add.u32 %r6, %r3, 1;"));
  const std::string late =
      "mov.u32 %r9, 2; mov.u32 %r3, 0;\nL: setp.lt.u32 %p7, %r1, 32; selp.u32 %r5, %r3, 0, %p7; "
      "ld.shared.u32 %r3, [%r2]; sub.u32 %r9, %r9, 1; setp.ne.u32 %p8, %r9, 0; @%p8 bra L;";
  CHECK(is_race(begin + late));
}

TEST_CASE("without --check nothing is reported") {
  const Run run = run_body("mov.u32 %r2, tile; ld.shared.u32 %r3, [%r2+12];");
  CHECK(run.report.reports.empty());
}

TEST_CASE("of a barrier that begins anew in one turn each round tells what was before it") {
  const auto read_first = [](const std::string& what) {
    return check_body(
        "mov.u32 %r1, %tid.x; setp.lt.u32 %p4, %r1, 32; mov.u32 %r2, tile; @%p4 bra WAIT; "
        "st.shared.u32 [%r2], 1; bar.arrive 1, 64; st.shared.u32 [%r2+4], 2; bar.arrive 1, 64; "
        "bra END; WAIT: bar.sync 1, 64; ld.shared.u32 %r3, [%r2" +
            what + "]; bar.sync 1, 64; ld.shared.u32 %r4, [%r2+4];\nEND:",
        64);
  };
  // That who arrives need not be the other's round behind is reported beside it.
  const Checked right = read_first("");
  CHECK(right.error.message == "");
  CHECK(right.kinds() == "barrier");
  CHECK(read_first("+4").kinds() == "barrier, race-read-after-write");
}

}  // namespace lanescope::emulator::test
