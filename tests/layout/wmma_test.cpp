// SPDX-License-Identifier: MIT
// wmma fragments: against the index arithmetic of a library that works on those of sm_80, and,
// where it has none, against the mma fragments that they are made of. What a card does is in
// tests/golden.
//
// Source of the arithmetic: wmmae/wmma_extension, sm_80.hpp and sm_80_tf32.hpp (facts, not code).
#include <doctest/doctest.h>

#include "layout/instruction.hpp"
#include "tests/layout/maps.hpp"

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

TEST_CASE("m8n32k16 is m32n8k16 turned, sums included; m32n8k16 is two m16n8k16 tiles") {
  const Instruction* tall = find("wmma.mma.sync.aligned.row.col.m32n8k16.f32.bf16.bf16.f32");
  const Instruction* wide = find("wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32");
  const Instruction* mma = find("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
  REQUIRE(tall != nullptr);
  REQUIRE(wide != nullptr);
  const auto turned = [](Element e) { return Element{e.col, e.row}; };
  bool equal = true;
  for (int lane = 0; lane < 32; ++lane) {
    for (int x = 0; x < 8; ++x)
      equal = equal && wide->D.element(lane, x) == turned(tall->D.element(lane, x));
    for (int x = 0; x < 4; ++x)
      equal = equal && wide->A.element(lane, x) == turned(tall->B.element(lane, x));
    for (int x = 0; x < 8; ++x) {
      const Element tile = mma->A.element(lane, x);
      equal = equal && tall->A.element(lane, x) == tile;
      equal = equal && tall->A.element(lane, x + 8) == Element{tile.row + 16, tile.col};
    }
  }
  CHECK(equal);
}

TEST_CASE("wmma of bytes, nibbles, bits and .f64: mma tiles side by side") {
  const Instruction* tall = find("wmma.mma.sync.aligned.col.row.m32n8k16.s32.u8.u8.s32");
  const Instruction* square =
      find("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32.satfinite");
  const Instruction* bytes = find("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32");
  REQUIRE(tall != nullptr);
  REQUIRE(square != nullptr);
  bool equal = true;
  for (int lane = 0; lane < 32; ++lane) {
    for (int x = 0; x < 8; ++x) {
      const Element a = bytes->A.element(lane, x);
      equal = equal && tall->A.element(lane, x) == a && square->A.element(lane, x) == a;
    }
    for (int x = 0; x < 4; ++x) {
      const Element b = bytes->B.element(lane, x);
      equal = equal && tall->B.element(lane, x) == b && square->B.element(lane, x) == b;
      equal = equal && square->B.element(lane, x + 4) == Element{b.row, b.col + 8};
    }
  }
  CHECK(equal);
  struct Same {
    const char *wmma, *mma;
  };
  for (const Same& same : {Same{"wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32",
                                "mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32"},
                           Same{"wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32",
                                "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc"},
                           Same{"wmma.mma.sync.aligned.col.row.m8n8k4.f64.f64.f64.f64",
                                "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"}}) {
    const Instruction* w = find(same.wmma);
    const Instruction* m = find(same.mma);
    REQUIRE_MESSAGE(w != nullptr, same.wmma);
    REQUIRE_MESSAGE(m != nullptr, same.mma);
    CHECK(fingerprint(w->A) == fingerprint(m->A));
    CHECK(fingerprint(w->B) == fingerprint(m->B));
    CHECK(fingerprint(w->C) == fingerprint(m->C));
    CHECK(fingerprint(w->D) == fingerprint(m->D));
  }
}

TEST_CASE("wmma is never called specified") {
  int seen = 0;
  for (const Instruction& i : instructions()) {
    if (i.family != "wmma") continue;
    CHECK(i.standing == Standing::verified);
    CHECK(i.note.find("derived on sm_90a") != std::string_view::npos);
    CHECK(i.source.find("unspecified") != std::string_view::npos);
    ++seen;
  }
  CHECK(seen == 48 + 12 + 4 + 4 + 24 + 2 + 2);
}
