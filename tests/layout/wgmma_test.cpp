// SPDX-License-Identifier: MIT
// wgmma: fragments as the figures show them, the list of shapes, and the sparse metadata.
//
// Source: PTX ISA 9.2, 9.7.15.2, 9.7.15.5.1.1 (figures 148 to 155), 9.7.15.6.2 (175 to 181).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "layout/instruction.hpp"

using namespace lanescope::layout;

namespace {

// The figures: warp w has rows 16w..16w+15; T0..T3 hold row 0, T4..T7 row 1 ... of its 8x8 tiles.
Element d_place(int thread, int i) {
  const int warp = thread / 32, lane = thread % 32;
  const int pair = i % 4;  // d0 d1 | d2 d3: the same columns, eight rows down
  return {16 * warp + lane / 4 + (pair < 2 ? 0 : 8), 8 * (i / 4) + lane % 4 * 2 + i % 2};
}

Element a_place(int bits, int thread, int i) {
  const int warp = thread / 32, lane = thread % 32;
  const int per_register = 32 / bits;
  const int reg = i / per_register, part = i % per_register;
  // four registers: rows g, g+8, then the same for the other half of K; a quad spans K's half
  return {16 * warp + lane / 4 + 8 * (reg % 2),
          4 * per_register * (reg / 2) + lane % 4 * per_register + part};
}

}  // namespace

TEST_CASE("D and A of every wgmma are where the figures show them") {
  std::set<std::string> seen;
  for (const Instruction& i : instructions()) {
    if (i.family != "wgmma" && i.family != "wgmma.sp") continue;
    const std::string key = fmt::format("{} {} {}", i.N, name(i.D.type), i.A.element_bits);
    if (!seen.insert(key).second) continue;
    CAPTURE(i.mnemonic);
    REQUIRE(i.operand('D') != nullptr);
    REQUIRE(i.operand('A') != nullptr);
    CHECK(i.operand('B') == nullptr);  // shared memory only
    CHECK(i.operand('C') == nullptr);  // D is added to
    CHECK(i.D.threads() == 128);
    CHECK(i.D.values == i.N / 2);
    CHECK(i.A.registers() == 4);
    CHECK(i.D.registers() == (i.D.type == ElementType::f16 ? i.N / 4 : i.N / 2));
    bool equal = true;
    for (int thread = 0; thread < 128; ++thread) {
      for (int n = 0; n < i.D.values; ++n)
        equal = equal && i.D.element(thread, n) == d_place(thread, n);
      for (int n = 0; n < i.A.values; ++n)
        equal = equal && i.A.element(thread, n) == a_place(i.A.element_bits, thread, n);
    }
    CHECK(equal);
  }
  CHECK(seen.size() > 150);
}

TEST_CASE("the shapes: 32 N for floating point, 18 for s8/u8 and b1") {
  std::set<std::string> expected;
  for (int N = 8; N <= 256; N += 8) {
    for (const char* sparse : {"", ".sp"}) {
      const int twice = *sparse == '\0' ? 1 : 2;
      const auto add = [&](int K, const std::string& types) {
        expected.insert(fmt::format("wgmma.mma_async{}.sync.aligned.m64n{}k{}.{}", sparse, N,
                                    K * twice, types));
      };
      for (const char* d : {"f16", "f32"}) {
        add(16, fmt::format("{}.f16.f16", d));
        for (const char* a : {"e4m3", "e5m2"})
          for (const char* b : {"e4m3", "e5m2"}) add(32, fmt::format("{}.{}.{}", d, a, b));
      }
      add(16, "f32.bf16.bf16");
      add(8, "f32.tf32.tf32");
      // 9.7.15.2: n8, n16, n24, n32, n48, n64, n80 ... n256
      const bool eighteen = N <= 32 || N % 16 == 0;
      if (!eighteen) continue;
      for (const char* a : {"s8", "u8"})
        for (const char* b : {"s8", "u8"}) add(32, fmt::format("s32.{}.{}", a, b));
      if (twice == 1) add(256, "s32.b1.b1.and.popc");
    }
  }
  std::set<std::string> found;
  for (const Instruction& i : instructions())
    if (i.family == "wgmma" || i.family == "wgmma.sp") found.insert(i.mnemonic);
  CHECK(found == expected);
  CHECK(found.size() == 474 + 456);
}

TEST_CASE("versions: mixed signs came with 8.4, sparse with 8.2, all on sm_90a only") {
  CHECK(find("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8")->ptx == "8.0");
  CHECK(find("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8")->ptx == "8.4");
  CHECK(find("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8")->ptx == "8.2");
  CHECK(find("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite") ==
        find("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8"));
  CHECK(find("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16")->target == "sm_90a");
  CHECK(find("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc")->standing ==
        Standing::verified);
}

TEST_CASE("sparse metadata of a warpgroup: mma.sp's in each warp, 16 rows a warp") {
  // 9.7.15.6.2: "each warp provides sparsity information for 16 rows"; figures 176, 178, 180, 181
  // are those of mma.sp m16n8k32 .f16, m16n8k16 .tf32 and m16n8k64 8-bit.
  struct Pair {
    const char *wgmma, *mma;
  };
  for (const Pair& pair : {Pair{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16",
                                "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"},
                           Pair{"wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32",
                                "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32"},
                           Pair{"wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8",
                                "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32"}}) {
    const Instruction* group = find(pair.wgmma);
    const Instruction* warp = find(pair.mma);
    REQUIRE(group != nullptr);
    REQUIRE(warp != nullptr);
    REQUIRE(group->E.size() == warp->E.size());
    for (std::size_t s = 0; s < warp->E.size(); ++s) {
      bool equal = true;
      for (int thread = 0; thread < 128; ++thread) {
        equal = equal && group->E[s].provided_by(thread) == warp->E[s].provided_by(thread % 32);
        for (int n = 0; n < warp->E[s].values; ++n) {
          Element e = warp->E[s].element(thread % 32, n);
          e.row += 16 * (thread / 32);
          equal = equal && group->E[s].element(thread, n) == e;
        }
      }
      CHECK(equal);
    }
  }
}
