// SPDX-License-Identifier: MIT
// Barriers of blocks whose last warp is not whole, and of lanes that come one after another, as an
// H200 answered them (driver 580.159.04, CUDA 13.0). All threads count themselves in shared memory
// before the barrier, and say what they see behind it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

Run meet(std::string_view barrier, int threads) {
  return run_body(
      fmt::format(
          "mov.u32 %r10, %tid.x; shr.u32 %r11, %r10, 5; setp.eq.u32 %p1, %r10, 0;"
          "setp.lt.u32 %p2, %r0, 4; and.b32 %r12, %r0, 1; setp.ne.u32 %p3, %r12, 0;"
          "setp.eq.u32 %p4, %r11, 0; mov.u32 %r20, 7; @%p1 st.shared.u32 [tile], 0;"
          "bar.sync 0; atom.shared.add.u32 %r13, [tile], 1; {} "
          "L: ld.volatile.shared.u32 %r14, [tile]; st.global.v2.u32 [%rd0], {{%r20, %r14}};",
          barrier),
      "sm_90", threads);
}

constexpr std::string_view kByLanes =
    "@%p2 bra FEW; barrier.cta.sync 1, 64; bra.uni L; FEW: barrier.cta.sync 1, 64;";

}  // namespace

TEST_CASE("a whole warp counts for 32, the last of a block too") {
  for (const std::string_view barrier :
       {std::string_view("barrier.cta.sync 1, 64;"), std::string_view("bar.sync 1, 64;"),
        std::string_view("barrier.cta.sync.aligned 1, 64;"),
        std::string_view("barrier.cta.sync 1, 64; barrier.cta.sync 1, 64;"), kByLanes})
    for (const int threads : {40, 64}) {
      CAPTURE(barrier);
      CAPTURE(threads);
      const Run run = meet(barrier, threads);
      REQUIRE_MESSAGE(!run.report.error, run.report.error.message);
      for (int lane = 0; lane < 32; ++lane)
        CHECK(run.words[static_cast<std::size_t>(lane) * 16 + 1] == static_cast<unsigned>(threads));
    }
}

TEST_CASE("lanes that ended are not waited for, and what a reduction counts are lanes") {
  for (const int threads : {40, 64}) {
    CAPTURE(threads);
    const Run few = meet("@!%p2 exit; barrier.cta.sync 1, 64;", threads);
    REQUIRE_MESSAGE(!few.report.error, few.report.error.message);
    CHECK(few.words[1] == static_cast<unsigned>(threads));
    const Run late = meet("@%p2 bra W; bra L; W: barrier.cta.sync 1, 64;", threads);
    REQUIRE_MESSAGE(!late.report.error, late.report.error.message);
    const Run odd = meet("barrier.cta.red.popc.u32 %r20, 1, 64, %p3;", threads);
    REQUIRE_MESSAGE(!odd.report.error, odd.report.error.message);
    CHECK(odd.words[0] == static_cast<unsigned>(threads) / 2);
    const Run split =
        meet("@%p4 bra A; barrier.cta.sync 1, 64; bra L; A: barrier.cta.arrive 1, 64;", threads);
    REQUIRE_MESSAGE(!split.report.error, split.report.error.message);
  }
}

TEST_CASE("a warp does not arrive and wait at one barrier") {
  const auto refused = [](std::string_view barrier, ErrorCode code, const char* part) {
    CAPTURE(barrier);
    const Run run = meet(barrier, 64);
    CAPTURE(run.report.error.message);
    CHECK(run.report.error.code == code);
    CHECK(run.report.error.message.find(part) != std::string::npos);
  };
  // As on the card: whatever the number of threads, and whoever comes first.
  for (const std::string_view barrier :
       {"@%p2 bra FEW; barrier.cta.sync 1, 64; bra.uni L; FEW: barrier.cta.arrive 1, 64;",
        "@!%p2 bra FEW; barrier.cta.sync 1, 96; bra.uni L; FEW: barrier.cta.arrive 1, 96;",
        "@%p2 bra FEW; barrier.cta.arrive 1, 128; bra.uni L; FEW: barrier.cta.sync 1, 128;"})
    refused(barrier, ErrorCode::illegal_instruction, "of the same warp");
  refused("@%p2 barrier.cta.arrive 1, 64; bar.warp.sync -1; barrier.cta.sync 1, 64;",
          ErrorCode::launch_timeout,
          "lanes 0xffffffff wait at barrier 1, where lanes 0x0000000f of the same warp have only "
          "arrived");
}

TEST_CASE("who arrives at a barrier that is complete begins it anew, as on an H200") {
  for (const std::string_view barrier :
       {"@%p4 bra THRICE; nanosleep.u32 100; bar.sync 1, 64; bra L; THRICE: bar.arrive 1, 64; "
        "bar.arrive 1, 64;"
        "bar.arrive 1, 64;",
        "@%p4 bra THRICE; nanosleep.u32 100; barrier.cta.sync 1, 64; bra L; THRICE: "
        "barrier.cta.arrive 1, 64;"
        "barrier.cta.arrive 1, 64; barrier.cta.arrive 1, 64;",
        "@%p4 bra WAIT; bar.arrive 1, 64; bar.arrive 1, 64; bra L; WAIT: bar.sync 1, 64;"
        "bar.sync 1, 64;",
        "@%p4 bra WAIT; bar.arrive 1, 64; bar.arrive 1, 64; bra L; WAIT:"
        "bar.red.popc.u32 %r20, 1, 64, %p3; add.u32 %r20, %r20, -9; bar.sync 1, 64;"})
    for (const int threads : {40, 64}) {
      CAPTURE(barrier);
      CAPTURE(threads);
      const Run run = meet(barrier, threads);
      REQUIRE_MESSAGE(!run.report.error, run.report.error.message);
      CHECK(run.words[31 * 16] == 7);
    }
}

TEST_CASE("a barrier of more threads than ever come hangs on a card, and is a deadlock here") {
  for (const int threads : {40, 64}) {
    const Run run = meet("barrier.cta.sync 1, 96;", threads);
    CHECK(run.report.error.code == ErrorCode::launch_timeout);
    CHECK_MESSAGE(
        run.report.error.message.find("where 64 of 96 threads have arrived") != std::string::npos,
        run.report.error.message);
  }
}

}  // namespace lanescope::emulator::test
