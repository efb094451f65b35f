// SPDX-License-Identifier: MIT
// The proofs of docs/errata.md that need only arithmetic: layouts as public sources print them, and
// how many places they really reach. (What ptxas takes and refuses is in ptxas_test.cpp; the ISA's
// 32B K-major example in swizzle_test.cpp.)
#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "layout/instruction.hpp"

using namespace lanescope::layout;

TEST_CASE("erratum 1: m16n8k32 s4 B with lane stride 32 reaches 160 of 256 places") {
  // ((4,8),8):((S,1),8) over N x K, N = 8: lane = (t, g), value v -> S*t + g + 8*v
  const auto places = [](int stride) {
    std::set<int> all;
    for (int t = 0; t < 4; ++t)
      for (int g = 0; g < 8; ++g)
        for (int v = 0; v < 8; ++v) all.insert(stride * t + g + 8 * v);
    return all.size();
  };
  CHECK(places(32) == 160);
  CHECK(places(64) == 256);
  // and 64 is the ISA's row = 8t + i, col = g
  const Instruction* i = find("mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32");
  REQUIRE(i != nullptr);
  for (int lane = 0; lane < 32; ++lane)
    for (int v = 0; v < 8; ++v) {
      const Element e = i->B.element(lane, v);  // row = k, col = n
      REQUIRE(e.col + 8 * e.row == 64 * (lane % 4) + lane / 4 + 8 * v);
    }
}

TEST_CASE("erratum 3: m16n8k256 A as the text has it reaches 3,840 of 4,096 places") {
  const auto places = [](bool as_printed) {
    std::set<std::pair<int, int>> all;
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 128; ++i) {
        const bool upper = (0 <= i && i < 32) || (64 <= i && i < 96);
        const int t = lane % 4, g = lane >> 2;
        const int low = t * 32 + (as_printed ? i : i & 0x1F);
        all.insert({upper ? g : g + 8, i < 64 ? low : t * 32 + (i & 0x1F) + 128});
      }
    return all.size();
  };
  CHECK(places(true) == 3840);
  CHECK(places(false) == 4096);
}

TEST_CASE("erratum 15: e2m1 from ldmatrix lies two bits below where mma wants it") {
  const Instruction* i = find("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32");
  REQUIRE(i != nullptr);
  CHECK(i->A.holder(0, 0).bit == 2);
  CHECK(i->A.holder(0, 0).bit + i->A.payload_bits() - 1 == 5);
}
