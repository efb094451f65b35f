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

// 4 KiB of shared memory, each word its own number, times `factor`; thread 0 copies from there, 128
// bytes from one 8 rows of 16 bytes to the next, 2 KiB from one 16 bytes of a row to the next. Word
// w of a lane's output is column `first` + w % 4 of its lane in the warp w / 4.
std::string copy(const std::string& form, int first, const std::string& commit,
                 std::uint32_t factor = 1) {
  return ".shared .align 128 .b8 source[4096]; .shared .align 8 .b8 done[8];\n"
         "mov.u32 %r1, %tid.x; shr.u32 %r7, %r1, 5; setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p3, %r7, "
         "0; mov.u32 %r3, tile; mov.u32 %r6, source; mov.u32 %r8, done; mov.u32 %r10, %r1;\n"
         "F: mad.lo.u32 %r11, %r10, 4, %r6; mul.lo.u32 %r12, %r10, " +
         fmt::to_string(factor) +
         "; st.shared.b32 [%r11], %r12; add.u32 %r10, %r10, 128; "
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

// A lane's word has four bytes of its row, each with an element of the first 12 or 8 of the row's
// 16 bytes: 00abcdef of six bits, 00abcd00 of four (the ISA's figures 195 to 198, as others write
// them).
TEST_CASE("tcgen05.cp .b8x16: elements of six and four bits come to a byte each") {
  constexpr std::uint32_t kFactor = 0x9e3779b1;
  for (const int bits : {6, 4}) {
    CAPTURE(bits);
    const Run run =
        run_body(copy(fmt::format("32x128b.warpx4.b8x16.{}", bits == 6 ? "b6x16_p32" : "b4x16_p64"),
                      0, kCommit, kFactor),
                 "sm_100a", 128);
    REQUIRE_MESSAGE(!run.load_error, run.load_error.message);
    REQUIRE_MESSAGE(!run.report.error, run.report.error.message);
    int wrong = 0;
    for (int lane = 0; lane < 128; ++lane)
      for (int k = 0; k < 16; ++k) {
        const int row = lane % 32, bit = k * bits;
        std::uint64_t packed = 0;  // of the two words that the element may lie in
        for (int half = 1; half >= 0; --half)
          packed =
              packed << 32 |
              static_cast<std::uint32_t>(row / 8 * 32 + row % 8 * 4 + bit / 32 + half) * kFactor;
        const auto element = static_cast<std::uint32_t>(packed >> bit % 32 & ((1u << bits) - 1));
        const std::uint32_t word =
            run.words[static_cast<std::size_t>(row * 16 + lane / 32 * 4 + k / 4)];
        wrong += (word >> k % 4 * 8 & 0xff) != (bits == 4 ? element << 2 : element);
      }
    CHECK(wrong == 0);
  }
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
