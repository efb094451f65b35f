// SPDX-License-Identifier: MIT
// Fragments handed on as others. The numbers are lesson 14's, which asks the instruction and not
// the table; an order of k is followed with the ISA's formulas, written out here.
#include "layout/handover.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/layout/maps.hpp"

using namespace lanescope::layout;

namespace {

constexpr const char* kF16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kTf32 = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
constexpr const char* kS8 = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";

Party party(const char* mnemonic, char operand) {
  const Instruction* i = find(mnemonic);
  REQUIRE_MESSAGE(i != nullptr, mnemonic);
  return {i, i->operand(operand)};
}

bool has(const std::string& text, const char* line) { return text.find(line) != text.npos; }

}  // namespace

TEST_CASE("D as the next A: what lesson 14 counts") {
  const Handover f16 = handover(party(kF16, 'D'), party(kF16, 'A'));
  CHECK((f16.staying == 256 && f16.elements == 256));
  CHECK((f16.from_across == 2 && f16.from_down == 1 && f16.to_across == 1));
  CHECK(f16.order.empty());
  const Handover tf32 = handover(party(kTf32, 'D'), party(kTf32, 'A'));
  CHECK((tf32.staying == 32 && tf32.elements == 128));
  const Handover s8 = handover(party(kS8, 'D'), party(kS8, 'A'));
  CHECK((s8.staying == 128 && s8.elements == 512));
}

TEST_CASE("an order of k in which nobody moves") {
  // PTX ISA, 9.7.14.5: a lane of D has columns 2 * (lane % 4) and the next one of every eight; all
  // of its rows are lane / 4 modulo 8, as A's are.
  const auto lane_of_d = [](int col) { return col % 8 / 2; };
  const auto follow = [&](const Handover& h, int k, auto lane_of_a) {
    REQUIRE(h.order.size() == static_cast<std::size_t>(k));
    for (int col = 0; col < k; ++col)
      CHECK(lane_of_d(h.order[static_cast<std::size_t>(col)]) == lane_of_a(col));
    CHECK(std::set<int>(h.order.begin(), h.order.end()).size() == h.order.size());
    CHECK(*std::min_element(h.order.begin(), h.order.end()) == 0);
    CHECK(*std::max_element(h.order.begin(), h.order.end()) == k - 1);
  };
  follow(handover(party(kTf32, 'D'), party(kTf32, 'A')), 8, [](int col) { return col % 4; });
  follow(handover(party(kS8, 'D'), party(kS8, 'A')), 32, [](int col) { return col % 16 / 4; });
}

TEST_CASE("in words: registers of registers, and whose they are") {
  const std::string same = text(handover(party(kF16, 'D'), party(kF16, 'A')), 0);
  CHECK(has(same, "256 of 256 elements are in their lane: none has to change it"));
  CHECK(has(same,
            "every lane, parts of a register from the low bits up\n"
            "  A.r0      D0.r0     D0.r1\n"
            "  A.r1      D0.r2     D0.r3\n"
            "  A.r2      D1.r0     D1.r1\n"
            "  A.r3      D1.r2     D1.r3\n"));
  // Lane 6 wants columns 2 and 6 of row 1: lanes 5 and 7 have them.
  const std::string moved = text(handover(party(kTf32, 'D'), party(kTf32, 'A')), 6);
  CHECK(has(moved,
            "lane 6, parts of a register from the low bits up; 4:D.r0 is D.r0 of lane 4\n"
            "  A.r0      5:D.r0\n"));
  CHECK(has(moved, "\n  A.r2      7:D.r0\n"));
  CHECK(has(moved, "B's rows likewise.\n  0 2 4 6 1 3 5 7\n\nevery lane"));
}

TEST_CASE("both ways, and a warpgroup") {
  const Handover back = handover(party(kF16, 'A'), party(kF16, 'D'));
  CHECK((back.staying == 256 && back.to_across == 2));
  const char* wgmma = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16";
  const Handover group = handover(party(wgmma, 'D'), party(wgmma, 'A'));
  CHECK((group.staying == 64 * 64 && group.to_across == 4 && group.from_across == 1));
  CHECK(has(text(group, 0), "\n  A1.r0     D.r8      D.r9\n"));
  CHECK(problem(party(wgmma, 'D'), party(kF16, 'A')) ==
        "D of 128 threads cannot become A of 32 lanes");
}

TEST_CASE("of every instruction that has both, an order names each k once") {
  int orders = 0;
  std::set<std::string> seen;  // many instructions share both maps
  for (const Instruction& i : instructions()) {
    const Party from{&i, i.operand('D')}, to{&i, i.operand('A')};
    if (from.map == nullptr || to.map == nullptr || !problem(from, to).empty()) continue;
    if (i.N > 64 && i.N != 256) continue;  // of wgmma: the same, only longer
    if (!seen.insert(fingerprint(*from.map) + fingerprint(*to.map)).second) continue;
    const Handover h = handover(from, to);
    CAPTURE(i.mnemonic);
    REQUIRE(h.staying <= h.elements);
    const std::set<int> ks(h.order.begin(), h.order.end());
    REQUIRE(ks.size() == h.order.size());
    if (!h.order.empty()) ++orders;
  }
  CHECK(orders > 50);
}
