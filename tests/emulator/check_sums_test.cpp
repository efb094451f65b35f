// SPDX-License-Identifier: MIT
// The checker on sums of several CTAs in global memory: who reads them by a plain load, or stores
// over them, must know of all who have added, not of the last one alone.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

// Thread 0 of each CTA adds to [%rd9], says so at [%rd9+64], and the last one reads.
const std::string kOne = "ld.param.u64 %rd9, [out]; setp.ne.u32 %p1, %r0, 0; @%p1 bra OVER;\n";
const std::string kAdds = "red.global.add.u32 [%rd9], 1;\n", kFence = "fence.acq_rel.gpu;\n";
std::string last(const std::string& does, int ctas = 3) {
  return "atom.global.add.u32 %r20, [%rd9+64], 1; setp.eq.u32 %p2, %r20, " +
         std::to_string(0xa5a5a5a5u + static_cast<unsigned>(ctas) - 1) + ";\n@!%p2 bra OVER; " +
         kFence + does + "OVER:\n";
}
const std::string kGetsSum = "ld.global.u32 %r21, [%rd9];\n";
const std::string kClearsSum = "st.global.u32 [%rd9], 0;\n";

std::string kinds(const std::string& body, int ctas = 3) {
  return check_grid(body, 32, ctas).kinds();
}

}  // namespace

TEST_CASE("the last of those who add must have heard of the others, each of whom has fenced") {
  for (const std::string& does : {kGetsSum, kClearsSum}) {
    const std::string kind = does == kGetsSum ? "race-read-after-write" : "race-write-after-write";
    CHECK(kinds(kOne + kAdds + kFence + last(does)) == "");
    CHECK(kinds(kOne + kAdds + last(does)) == kind);
    // One of them alone, and not the last.
    const std::string others = "mov.u32 %r22, %ctaid.x; setp.eq.u32 %p3, %r22, 0; @!%p3 ";
    CHECK(kinds(kOne + kAdds + others + kFence + last(does)) == kind);
  }
  const Checked run = check_grid(kOne + kAdds + last(kGetsSum), 32, 3);
  CHECK(run.says("reads global memory that another CTA wrote at "));
  CHECK(run.says("`red.global.add.u32 [%rd9], 1`"));
}

TEST_CASE("who counts has seen those who counted before, and may clear the counter") {
  CHECK(kinds(kOne + last("st.global.u32 [%rd9+64], 0;\n")) == "");
  CHECK(kinds(kOne + kAdds + kFence + last("st.global.u32 [%rd9+64], 0;\n" + kClearsSum)) == "");
}

TEST_CASE("words and vectors of sums are told apart") {
  const std::string four = "red.global.add.v4.f32 [%rd9], {%f1, %f2, %f3, %f4};\n";
  CHECK(kinds(kOne + four + kFence + last(kGetsSum)) == "");
  CHECK(kinds(kOne + four + last(kGetsSum)) == "race-read-after-write");
  CHECK(kinds(kOne + four + kFence + "red.global.add.u32 [%rd9+8], 1;\n" + last(kGetsSum)) == "");
  CHECK(kinds(kOne + four + kFence + "red.global.add.u32 [%rd9], 1;\n" + last(kGetsSum)) ==
        "race-read-after-write");
}

}  // namespace lanescope::emulator::test
