// SPDX-License-Identifier: MIT
// wmma fragments as they are on sm_80, against the index arithmetic of a library that works on
// them.
//
// Source of the arithmetic: wmmae/wmma_extension, sm_80.hpp and sm_80_tf32.hpp (facts, not code).
#include <doctest/doctest.h>

#include "layout/instruction.hpp"

using namespace lanescope::layout;

TEST_CASE("m16n16k16 .f16: every element of A and B twice, eight values apart") {
  const Instruction* i = find("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32");
  REQUIRE(i != nullptr);
  CHECK(i->A.registers() == 8);
  CHECK(i->D.registers() == 8);
  bool equal = true;
  for (int lane = 0; lane < 32; ++lane) {
    for (int x = 0; x < 8; ++x) {
      const Element a{lane / 4 + (x & 2) * 4, (lane & 3) * 2 + (x & 1) + (x & 4) * 2};
      const Element b{(lane & 3) * 2 + (x & 1) + (x & 2) * 4, lane / 4 + (x & 4) * 2};
      equal = equal && i->A.element(lane, x) == a && i->A.element(lane, x + 8) == a;
      equal = equal && i->B.element(lane, x) == b && i->B.element(lane, x + 8) == b;
      equal = equal && i->D.element(lane, x) == a;  // the accumulator has A's shape
    }
  }
  CHECK(equal);
  CHECK(holders(i->A, {9, 5}).size() == 2);
  CHECK(holders(i->D, {9, 5}).size() == 1);
}

TEST_CASE("m16n16k8 .tf32 and .bf16 once") {
  const Instruction* tf32 = find("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32");
  const Instruction* bf16 = find("wmma.mma.sync.aligned.col.row.m16n16k16.f32.bf16.bf16.f32");
  REQUIRE(tf32 != nullptr);
  REQUIRE(bf16 != nullptr);
  CHECK(bf16->A.registers() == 4);
  bool equal = true;
  for (int lane = 0; lane < 32; ++lane)
    for (int x = 0; x < 4; ++x) {
      equal = equal &&
              tf32->A.element(lane, x) == Element{lane / 4 + (x & 1) * 8, (lane & 3) + (x & 2) * 2};
      equal = equal &&
              tf32->B.element(lane, x) == Element{(lane & 3) + (x & 1) * 4, lane / 4 + (x & 2) * 4};
    }
  CHECK(equal);
}

TEST_CASE("wmma is never called specified") {
  int seen = 0;
  for (const Instruction& i : instructions()) {
    if (i.family != "wmma") continue;
    CHECK(i.standing == Standing::derived);
    CHECK(i.note.find("sm_80") != std::string_view::npos);
    ++seen;
  }
  CHECK(seen == 16 + 4 + 4);
}
