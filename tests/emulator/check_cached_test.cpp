// SPDX-License-Identifier: MIT
// What a CTA has loaded stays in its L1 when another CTA stores there, until a fence.
#include <doctest/doctest.h>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

struct Told {
  std::string who_first = "%p2";                // these threads, %p2: all, of CTA 1
  std::string first = "ld.global.u32";          // load a word each, and it says so
  std::string stored = "@%p1 st.global.u32";    // CTA 0 stores there, and raises a flag
  std::string look = "ld.volatile.global.u32";  // thread 0 of CTA 1 looks at it
  std::string behind;                           // then this, and a barrier
  std::string who_second = "%p2";
  std::string second = "ld.global.u32";  // and these load
};

std::string kinds(const Told& how, bool strict = false) {
  const std::string body =
      "ld.param.u64 %rd9, [out]; mov.u32 %r10, %ctaid.x; mov.u32 %r11, %tid.x;\n"
      "setp.eq.u32 %p1, %r10, 0; setp.ne.u32 %p2, %r10, 0; setp.eq.u32 %p3, %r11, 0;\n"
      "and.pred %p4, %p1, %p3; and.pred %p5, %p2, %p3; mad.wide.u32 %rd1, %r11, 4, %rd9;\n"
      "setp.ge.u32 %p9, %r11, 8; and.pred %p9, %p9, %p2; sub.u32 %r24, %r11, 1;\n"
      "setp.lt.u32 %p8, %r24, 7; and.pred %p8, %p8, %p2;\n@" +
      how.who_first + " " + how.first +
      " %r20, [%rd1]; bar.sync 0;\n@%p5 st.volatile.global.u32 [%rd9+1028], 1;\n"
      "@!%p4 bra TOLD;\nASK: ld.volatile.global.u32 %r22, [%rd9+1028]; setp.ne.u32 %p7, %r22, 1; "
      "@%p7 bra ASK;\nTOLD: bar.sync 0;\n" +
      how.stored +
      " [%rd1], %r11; @%p1 membar.gl; bar.sync 0;\n@%p4 st.volatile.global.u32 [%rd9+1024], 1;\n"
      "@!%p5 bra SEEN;\nLOOK: " +
      how.look +
      " %r21, [%rd9+1024]; setp.ne.u32 %p6, %r21, 1; @%p6 bra LOOK;\nSEEN: " + how.behind +
      " bar.sync 0;\n@" + how.who_second + " " + how.second + " %r23, [%rd1];\n";
  const Checked run = check_grid(body, 64, 2, strict);
  REQUIRE_MESSAGE(run.error.message.empty(), run.error.message);
  if (!run.reports.empty() && !strict) CHECK(run.says("this one had loaded before"));
  return run.kinds();
}

}  // namespace

TEST_CASE("a load may find in the L1 what was there before another CTA stored") {
  CHECK(kinds({}) == "missing-acquire");
  CHECK(kinds({}, true) ==
        "race-write-after-read, missing-acquire");  // and it told without a fence
  Told fenced_near;
  fenced_near.behind = "membar.cta;";
  CHECK(kinds(fenced_near) == "missing-acquire");
  Told released;  // which takes nothing out of an L1
  released.behind = "st.release.gpu.global.u32 [%rd9+1032], 1;";
  CHECK(kinds(released) == "missing-acquire");
}

TEST_CASE("it is the 32 bytes around what is loaded that stay") {
  Told beside;
  beside.who_first = "%p5";   // word 0
  beside.who_second = "%p8";  // words 1 to 7
  CHECK(kinds(beside) == "missing-acquire");
  beside.who_second = "%p9";  // words 8 to 63
  CHECK(kinds(beside) == "");
  Told others;
  others.who_first = "%p9";
  others.who_second = "%p8";
  CHECK(kinds(others) == "");
}

TEST_CASE("a fence empties the L1, of whichever warp, and so does an acquire") {
  for (const char* fence :
       {"membar.gl;", "@%p5 membar.gl;", "fence.acq_rel.gpu;", "fence.sc.sys;"}) {
    CAPTURE(fence);
    Told fenced;
    fenced.behind = fence;
    CHECK(kinds(fenced) == "");
  }
  Told acquired;
  acquired.look = "ld.acquire.gpu.global.u32";
  CHECK(kinds(acquired) == "");
}

TEST_CASE("what goes round the L1 finds what is there, and leaves nothing in it") {
  for (const char* load : {"ld.global.cg.u32", "ld.volatile.global.u32",
                           "ld.relaxed.gpu.global.u32", "ld.global.L1::no_allocate.u32"}) {
    CAPTURE(load);
    Told first, second;
    first.first = load;
    CHECK(kinds(first) == "");
    second.second = load;
    CHECK(kinds(second) == "");
  }
}

TEST_CASE("a CTA's own store is in its L1") {
  Told own;
  own.behind = "bar.sync 0; @%p2 st.global.u32 [%rd1], %r11;";
  CHECK(kinds(own) == "");
}

}  // namespace lanescope::emulator::test
