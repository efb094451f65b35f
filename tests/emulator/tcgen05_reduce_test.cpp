// SPDX-License-Identifier: MIT
// tcgen05.ld.red: what it loads is what tcgen05.ld loads, and each lane's least or greatest comes
// along (PTX ISA 9.2, 9.7.16.8.3). The values of the f32 cases and what an sm_103a makes of them
// were published by somebody who ran them there; we have no such card.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

const std::string kTake =
    "mov.u32 %r3, tile; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32; "
    "ld.shared.b32 %r2, [%r3]; ";
const std::string kGive =
    "st.global.v4.u32 [%rd0], {%r20, %r21, %r22, %r23}; st.global.u32 [%rd0+16], %r24; "
    "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;";

// Four words in columns 0 to 3 of every lane, loaded again; behind them what was reduced.
std::string body_of(const std::vector<std::uint32_t>& words, const std::string& load) {
  std::string text = kTake;
  for (std::size_t k = 0; k < 4; ++k)
    text += fmt::format("mov.b32 %r{}, {:#x}; ", 10 + k, words[k]);
  return text +
         "tcgen05.st.sync.aligned.32x32b.x4.b32 [%r2], {%r10, %r11, %r12, %r13}; "
         "tcgen05.wait::st.sync.aligned; mov.b32 %r24, 0; " +
         load + " tcgen05.wait::ld.sync.aligned; " + kGive;
}

std::vector<std::uint32_t> lane_of(const std::string& body, std::uint32_t lane) {
  const Run run = run_body(body, "sm_103a");
  REQUIRE_MESSAGE(run.load_error.message.empty(), run.load_error.message);
  REQUIRE_MESSAGE(run.report.error.message.empty(), run.report.error.message);
  if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, "sm_103a"), "sm_103a") == "");
  const auto first = run.words.begin() + 16 * static_cast<std::ptrdiff_t>(lane);
  return {first, first + 5};
}

std::uint32_t reduced(const std::vector<std::uint32_t>& words, const std::string& how) {
  const std::vector<std::uint32_t> lane = lane_of(
      body_of(words, fmt::format("tcgen05.ld.red.sync.aligned.32x32b.x4.{} {{%r20, %r21, %r22, "
                                 "%r23}}, %r24, [%r2];",
                                 how)),
      7);
  CHECK(std::vector<std::uint32_t>(lane.begin(), lane.begin() + 4) == words);
  return lane[4];
}

TEST_CASE("tcgen05.ld.red: the least and the greatest of a lane") {
  CHECK(reduced({9, 2, 15, 4}, "max.u32") == 15);
  CHECK(reduced({9, 2, 15, 4}, "u32.min") == 2);  // the other order, as the ISA's example has it
  CHECK(reduced({0xfffffffb, 7, 0xffffffec, 3}, "min.s32") == 0xffffffec);
  CHECK(reduced({0xfffffffb, 7, 0xffffffec, 3}, "max.s32") == 7);
  CHECK(reduced({0xfffffffb, 7, 0xffffffec, 3}, "max.u32") == 0xfffffffb);
}

TEST_CASE("tcgen05.ld.red: floats, their magnitudes, NaN and -0") {
  constexpr std::uint32_t kNan = 0x7fc12345, kCanonical = 0x7fffffff;
  const std::vector<std::uint32_t> some{bits(1), bits(-4), kNan, bits(2)};
  CHECK(reduced(some, "max.abs.NaN.f32") == kCanonical);
  CHECK(reduced(some, "max.abs.f32") == bits(4));
  CHECK(reduced(some, "max.f32") == bits(2));
  CHECK(reduced(some, "min.f32") == bits(-4));
  CHECK(reduced(some, "min.NaN.f32") == kCanonical);
  CHECK(reduced({bits(4), bits(-2), bits(.5f), bits(-8)}, "min.abs.f32") == bits(.5f));
  CHECK(reduced({kNan, kNan, kNan, 0xffc00001}, "min.f32") == kCanonical);
  CHECK(reduced({bits(0.0f), bits(-0.0f), bits(0.0f), bits(3)}, "min.f32") == bits(-0.0f));
  CHECK(reduced({bits(-0.0f), bits(0.0f), bits(-0.0f), bits(-3)}, "max.f32") == bits(0.0f));
}

TEST_CASE("tcgen05.ld.red .16x32bx2: each lane of the warp has its own") {
  const std::string body = body_of(
      {9, 2, 15, 4},
      "tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.u32 {%r20, %r21}, %r24, [%r2], 2; mov.b32 %r22, "
      "0; mov.b32 %r23, 0;");
  CHECK(lane_of(body, 3) == std::vector<std::uint32_t>{9, 2, 0, 0, 2});
  CHECK(lane_of(body, 19) == std::vector<std::uint32_t>{15, 4, 0, 0, 4});
}

TEST_CASE("tcgen05.ld.red: before the wait none of its registers is there") {
  const std::vector<std::uint32_t> lane = lane_of(
      body_of({9, 2, 15, 4},
              "mov.b32 %r20, 1; tcgen05.ld.red.sync.aligned.32x32b.x2.max.u32 {%r20, %r21}, %r24, "
              "[%r2]; add.u32 %r22, %r20, 0; add.u32 %r23, %r24, 0;"),
      0);
  CHECK(lane == std::vector<std::uint32_t>{9, 2, 1, 0, 9});
}

TEST_CASE("tcgen05.ld.red that is none is refused, by ptxas, too") {
  const auto said = [](const std::string& load, const std::string& target) {
    const std::string body = "mov.b32 %r2, 0; " + load;
    const Run run = run_body(body, target);
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, target), target) != "");
    return run.load_error.message;
  };
  CHECK(contains(
      said("tcgen05.ld.red.sync.aligned.32x32b.x2.max.u32 {%r20, %r21}, %r24, [%r2];", "sm_100a"),
      "this needs sm_103a or sm_110a"));
  for (const char* how :
       {"32x32b.x1.max.u32 {%r20}", "16x64b.x2.max.u32 {%r20, %r21}",
        "32x32b.x2.max.abs.u32 {%r20, %r21}", "32x32b.x2.max.b32 {%r20, %r21}",
        "32x32b.x2.max.min.f32 {%r20, %r21}", "32x32b.x2.max.pack::16b.f32 {%r20, %r21}"}) {
    CAPTURE(std::string(how));
    const std::string refused =
        said(fmt::format("tcgen05.ld.red.sync.aligned.{}, %r24, [%r2];", how), "sm_103a");
    CHECK(contains(refused, "tcgen05.ld.red"));
    CHECK(contains(refused, "is not modelled"));
  }
  CHECK(contains(
      said("tcgen05.ld.red.sync.aligned.32x32b.x2.max.u32 {%r20, %r21}, [%r2];", "sm_103a"),
      "operands"));
}

}  // namespace
}  // namespace lanescope::emulator::test
