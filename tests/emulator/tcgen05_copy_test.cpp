// SPDX-License-Identifier: MIT
// tcgen05.cp in four warps: which row of shared memory comes to which lane of tensor memory. Shapes
// and their names are the ISA's (9.7.16.2.3, 9.7.16.9); that a name's digits are warps is read from
// the name. No card has been asked.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

// 4 KiB of shared memory, each word its own number; thread 0 copies from there, 128 bytes from one
// 8 rows of 16 bytes to the next, 2 KiB from one 16 bytes of a row to the next. Word w of a lane's
// output is column `first` + w % 4 of its lane in the warp w / 4.
std::string copy(const std::string& form, int first, const std::string& commit) {
  return ".shared .align 128 .b8 source[4096]; .shared .align 8 .b8 done[8];\n"
         "mov.u32 %r1, %tid.x; shr.u32 %r7, %r1, 5; setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p3, %r7, "
         "0; mov.u32 %r3, tile; mov.u32 %r6, source; mov.u32 %r8, done; mov.u32 %r10, %r1;\n"
         "F: mad.lo.u32 %r11, %r10, 4, %r6; st.shared.b32 [%r11], %r10; add.u32 %r10, %r10, 128; "
         "setp.lt.u32 %p1, %r10, 1024; @%p1 bra F;\n"
         "@%p3 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32;\n"
         "@%p0 mbarrier.init.shared::cta.b64 [%r8], 1; fence.proxy.async; bar.sync 0; "
         "ld.shared.b32 "
         "%r2, [%r3];\n"
         "shr.u32 %r4, %r6, 4; cvt.u64.u32 %rd3, %r4; or.b64 %rd3, %rd3, 0x0000400800800000;\n"
         "@%p0 tcgen05.cp.cta_group::1." +
         form + " [%r2], %rd3;\n" + commit +
         "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r8], 0; @!%p1 bra W;\n"
         "tcgen05.fence::after_thread_sync; shl.b32 %r5, %r7, 21; add.u32 %r5, %r5, %r2; add.u32 "
         "%r5, %r5, " +
         fmt::to_string(first) +
         ";\ntcgen05.ld.sync.aligned.32x32b.x4.b32 {%r20, %r21, %r22, %r23}, [%r5]; "
         "tcgen05.wait::ld.sync.aligned;\n"
         "mad.wide.u32 %rd0, %r7, 16, %rd0; st.global.v4.u32 [%rd0], {%r20, %r21, %r22, %r23}; "
         "bar.sync 0;\n@%p3 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;";
}

const std::string kCommit =
    "@%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r8];\n";

// `row_of` says which row's 16 bytes a lane of tensor memory has; the second 16 lie `behind` words
// on.
void check(const std::string& form, int first, int behind, const std::function<int(int)>& row_of,
           const std::string& commit = kCommit) {
  CAPTURE(form);
  CAPTURE(first);
  const Run run = run_body(copy(form, first, commit), "sm_100a", 128);
  REQUIRE_MESSAGE(!run.load_error, run.load_error.message);
  REQUIRE_MESSAGE(!run.report.error, run.report.error.message);
  int wrong = 0;
  for (int lane = 0; lane < 128; ++lane)
    for (int column = 0; column < 4; ++column) {
      const int row = row_of(lane);
      const auto word = static_cast<std::uint32_t>(row / 8 * 32 + row % 8 * 4 + behind + column);
      wrong += run.words[static_cast<std::size_t>(lane % 32 * 16 + lane / 32 * 4 + column)] != word;
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("tcgen05.cp .128x128b and .128x256b: row r to lane r") {
  const auto own = [](int lane) { return lane; };
  check("128x128b", 0, 0, own);
  check("128x256b", 0, 0, own);
  check("128x256b", 4, 512, own);
}

TEST_CASE("tcgen05.cp .64x128b: either half of the rows for two of the warps") {
  check("64x128b.warpx2::02_13", 0, 0, [](int lane) { return lane % 64; });
  check("64x128b.warpx2::01_23", 0, 0, [](int lane) { return lane / 64 * 32 + lane % 32; });
}

TEST_CASE("tcgen05.cp .32x128b.warpx4: row r for each warp") {
  check("32x128b.warpx4", 0, 0, [](int lane) { return lane % 32; });
}

TEST_CASE("tcgen05.commit by a generic address, and by a shared one that was only widened") {
  for (const char* address : {"cvta.shared::cta.u64 %rd4, %rd4; ", ""}) {
    CAPTURE(address);
    check(
        "32x128b.warpx4", 0, 0, [](int lane) { return lane % 32; },
        "cvt.u64.u32 %rd4, %r8; " + std::string(address) +
            "@%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd4];\n");
  }
}

}  // namespace lanescope::emulator::test
