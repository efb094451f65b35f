// SPDX-License-Identifier: MIT
// Loads of lanes, which the checker keeps in a list of whole instructions until somebody writes:
// whoever overwrites what was read is told of, however the lanes were spread.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

// Four warps. All fill 2048 bytes, in words or in 16 bytes a thread; %r4: 4 times the lane.
// %p1, %p2, %p3: warps 0, 1 and 2.
const std::string kWarps =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; shr.u32 %r9, %r1, 5; setp.eq.u32 %p1, %r9, 0; "
    "setp.eq.u32 %p2, %r9, 1; setp.eq.u32 %p3, %r9, 2; mad.lo.u32 %r3, %r1, 16, %r2; "
    "and.b32 %r4, %r1, 31; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r2;\n";
const std::string kWords =
    kWarps +
    "st.shared.u32 [%r3], %r1; st.shared.u32 [%r3+4], %r1; st.shared.u32 [%r3+8], %r1; "
    "st.shared.u32 [%r3+12], %r1; bar.sync 0;\n";
const std::string kRows = kWarps + "st.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1}; bar.sync 0;\n";

// Warp 1 hears of all the others, which but for warp 0 have heard of nobody.
const std::string kTells =
    "or.pred %p5, %p1, %p2; @%p5 bar.sync 1, 128; @!%p5 bar.arrive 1, 128;\n";

std::string reads(std::string_view address, std::string_view load) {
  return fmt::format("@!%p1 bra READ; {} {} READ:\n", address, load);
}

std::string writes(int offset) {
  return fmt::format("@!%p2 bra WRITTEN; st.shared.u32 [%r2+{}], 5; WRITTEN:\n", offset);
}

}  // namespace

TEST_CASE("what lanes have read may be overwritten after a barrier, and not before") {
  const char* const word = "ld.shared.u32 %r5, [%r6];";
  const struct {
    std::string fill, address, load;
    int offset;
    const char* who;
  } all[] = {
      {kWords, "mov.u32 %r6, %r4;", word, 36, "against warp 0 lane 9"},
      {kWords, "sub.u32 %r6, %r4, %r2; mad.lo.u32 %r6, %r6, 4, %r2;", word, 48, "lane 3"},
      {kWords, "mov.u32 %r6, %r2;", word, 0, "against warp 0"},
      {kWords, "and.b32 %r6, %r4, 0x438;", word, 8, "against warp 0, PTX"},
      {kRows, "mov.u32 %r6, %r3;", "ld.shared.v4.u32 {%r5, %r7, %r8, %r10}, [%r6];", 36, "lane 2"},
  };
  for (const auto& [fill, address, load, offset, who] : all) {
    CAPTURE(address);
    const std::string read = reads(address, load);
    CHECK(check_body(fill + read + "bar.sync 0;\n" + writes(offset), 128).kinds() == "");
    const Checked run = check_body(fill + read + writes(offset), 128);
    REQUIRE(run.kinds() == "race-write-after-read");
    CHECK(run.says(fmt::format("warp 1, lane 0, shared address {:#x}", 0x400 + offset)));
    CHECK_MESSAGE(run.says(who), run.reports[0].diagnostic.message,
                  run.reports[0].diagnostic.details.back());
    CHECK(run.says(load.substr(0, load.find(','))));
    CHECK(check_body(fill + read + writes(1024), 128).kinds() == "");  // which nobody has read
  }
}

TEST_CASE("a list of loads that is full loses none of them") {
  const std::string many =
      "@!%p1 bra READ; ld.shared.u32 %r5, [%r4]; mov.u32 %r10, 0; "
      "AGAIN: ld.shared.u32 %r5, [%r4+128]; add.u32 %r10, %r10, 1; "
      "setp.lt.u32 %p4, %r10, 5000; @%p4 bra AGAIN; READ:\n";
  CHECK(check_body(kWords + many + "bar.sync 0;\n" + writes(36), 128).kinds() == "");
  const Checked run = check_body(kWords + many + writes(36), 128);
  CHECK(run.kinds() == "race-write-after-read");
  CHECK(run.says("ld.shared.u32 %r5, [%r4]"));
}

TEST_CASE("an atomic of one who knows of a load does not hide it from another") {
  const std::string read = reads("mov.u32 %r6, %r4;", "ld.shared.u32 %r5, [%r6];");
  const std::string add =
      "@%p2 red.shared.add.u32 [%r2+36], 1; @%p2 st.volatile.shared.u32 [%r2+1024], 1;\n";
  const std::string other =
      "@!%p3 bra DONE; LOOK: ld.volatile.shared.u32 %r5, [%r2+1024]; setp.ne.u32 %p4, %r5, 1; "
      "@%p4 bra LOOK; red.shared.add.u32 [%r2+36], 1; DONE:\n";
  CHECK(check_body(kWords + read + kTells + add, 128).kinds() == "");
  CHECK(check_body(kWords + read + kTells + add + other, 128).kinds() == "race-write-after-read");
}

// The words become one cell again, which has been read as a whole since.
TEST_CASE("loads of words are forgotten where 16 bytes are written over them, later ones are not") {
  const std::string words = reads("mov.u32 %r6, %r4;", "ld.shared.u32 %r5, [%r6];");
  const std::string write = "@%p2 st.shared.v4.u32 [%r2+32], {%r1, %r1, %r1, %r1};\n";
  const std::string again =
      "@%p5 bar.sync 2, 64; @%p1 ld.shared.v4.u32 {%r5, %r7, %r8, %r10}, [%r2+32];\n";
  const std::string fine = kWords + words + kTells + write + again;
  CHECK(check_body(fine + "bar.sync 0;\n" + write, 128).kinds() == "");
  const Checked run = check_body(fine + write, 128);
  CHECK(run.kinds() == "race-write-after-read");
  CHECK(run.says("ld.shared.v4.u32"));
}

TEST_CASE("lanes that add by volatile memory as if they ran in step are told, flags are not") {
  const std::string begin =
      "mov.u32 %r1, tile; mad.lo.u32 %r2, %r0, 4, %r1; st.volatile.shared.u32 [%r2], %r0;\n";
  const std::string load =
      "xor.b32 %r3, %r0, 1; mad.lo.u32 %r3, %r3, 4, %r1; "
      "ld.volatile.shared.u32 %r4, [%r3];\n";
  const std::string meet = "bar.warp.sync -1;\n";
  const std::string add = "add.u32 %r5, %r4, %r0; st.global.u32 [%rd0], %r5;\n";
  const Checked run = check_body(begin + load + add);
  CHECK(run.kinds() == "race-read-after-write");
  CHECK(run.says("that another lane of the warp wrote"));
  CHECK(run.says("put __syncwarp() between them"));
  CHECK(check_body(begin + meet + load + add).kinds() == "");
  const std::string over = "st.volatile.shared.u32 [%r2], %r4;\n";
  CHECK(check_body(begin + meet + load + over).kinds() == "race-write-after-read");
  CHECK(check_body(begin + meet + load + meet + over).kinds() == "");
  // Of several warps it may be a value that only gets better.
  CHECK(check_body("mov.u32 %r1, tile; mov.u32 %r2, %tid.x; setp.eq.u32 %p5, %r2, 0; @%p5 "
                   "st.volatile.shared.u32 [%r1], 9; bar.sync 0; setp.lt.u32 %p6, %r2, 32; @%p6 "
                   "ld.volatile.shared.u32 %r4, [%r1]; @%p6 st.global.u32 [%rd0], %r4; setp.eq.u32 "
                   "%p7, %r2, 32; @%p7 st.volatile.shared.u32 [%r1], 8;\n",
                   64)
            .kinds() == "");
  // What lanes learn by a shuffle is not what they wrote.
  CHECK(check_body(begin + "shfl.sync.idx.b32 %r9, %r0, 0, 31, -1;\n" + load + add).kinds() ==
        "race-read-after-write");
  for (const char* decides :
       {"setp.eq.u32 %p1, %r4, 7; selp.u32 %r5, 1, 2, %p1; st.global.u32 [%rd0], %r5;\n",
        "and.b32 %r5, %r4, 12; add.u32 %r5, %r5, %r1; ld.shared.u32 %r6, [%r5+1024];\n",
        "shl.b32 %r5, %r4, 1; redux.sync.add.u32 %r5, %r5, -1;\n", "st.local.u32 [depot], %r4;\n",
        "atom.global.add.u32 %r5, [%rd0], %r4;\n"}) {
    CAPTURE(decides);
    CHECK(
        check_body("mov.u32 %r6, tile; mad.lo.u32 %r6, %r0, 4, %r6; st.shared.u32 [%r6+1024], 0; " +
                   meet + begin + load + decides)
            .kinds() == "");
  }
  // One that polls, and what it then finds.
  const std::string tells =
      "setp.eq.u32 %p1, %r0, 0; mov.u32 %r1, tile; @%p1 st.volatile.shared.u32 [%r1], 5; @%p1 "
      "fence.acq_rel.cta; @%p1 st.volatile.shared.u32 [%r1+4], 1;\nLOOK: ld.volatile.shared.u32 "
      "%r3, [%r1+4]; setp.ne.u32 %p2, %r3, 1; @%p2 bra LOOK; ";
  const std::string finds = "ld.volatile.shared.u32 %r4, [%r1]; st.global.u32 [%rd0], %r4;\n";
  CHECK(check_body(tells + finds).kinds() == "");
}

}  // namespace lanescope::emulator::test
