// SPDX-License-Identifier: MIT
// mma.sp against the ISA: the window of K that each stored element of A lies in, B, and where each
// index of the metadata sits. Written from the text and the figures, not from the table.
//
// Source: PTX ISA 9.2, 9.7.14.6.1 (selectors) and 9.7.14.6.2.1 to .8.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "layout/instruction.hpp"

using namespace lanescope::layout;

namespace {

int group(int lane) { return lane >> 2; }
int in_group(int lane) { return lane % 4; }

struct Window {
  int row, first, last;  // of K, as the text's [firstcol ... lastcol]
};
struct SparseText {
  int K, bits;    // of one element
  int a_values;   // the stored elements of A that a thread has
  int selectors;  // 9.7.14.6.1
  std::function<Window(int lane, int i)> A;
  std::function<int(int lane, int i)> b_row;
  // who hands in the index of the n-th kept element (4-bit types: pair) of a row, and at which bit
  std::function<bool(int lane, int selector)> hands_in;
  std::function<int(int lane, int bit)> e_row;
  std::function<int(int lane, int bit)> e_index;
};

const std::vector<SparseText>& texts() {
  static const auto upper_half = [](int lane, int bit) {
    return bit < 16 ? group(lane) : group(lane) + 8;
  };
  static const std::vector<SparseText> all{
      // .1 m16n8k16 .f16/.bf16
      {16, 16, 4, 4,
       [](int l, int i) {
         return Window{i < 2 ? group(l) : group(l) + 8, in_group(l) * 4, in_group(l) * 4 + 3};
       },
       [](int l, int i) { return in_group(l) * 2 + (i & 1) + (i < 2 ? 0 : 8); },
       [](int l, int s) { return in_group(l) == s; }, upper_half,
       [](int, int bit) { return bit % 16 / 2; }},
      // .2 m16n8k32 .f16/.bf16
      {32, 16, 8, 2,
       [](int l, int i) {
         const bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
         const int first = i < 4 ? in_group(l) * 4 : in_group(l) * 4 + 16;
         return Window{upper ? group(l) : group(l) + 8, first, first + 3};
       },
       [](int l, int i) { return in_group(l) * 2 + (i & 1) + 8 * (i / 2); },
       [](int l, int s) { return in_group(l) / 2 == s; }, upper_half,
       [](int l, int bit) { return bit % 16 / 2 + 8 * (l % 2); }},
      // .3 m16n8k16 .tf32
      {16, 32, 4, 2,
       [](int l, int i) {
         const int first = i < 2 ? in_group(l) * 2 : in_group(l) * 2 + 8;
         return Window{i == 0 || i == 2 ? group(l) : group(l) + 8, first, first + 1};
       },
       [](int l, int i) { return in_group(l) + 4 * i; },
       [](int l, int s) { return in_group(l) / 2 == s; }, upper_half,
       [](int l, int bit) { return bit % 16 / 4 + 4 * (l % 2); }},
      // .4 m16n8k8 .tf32
      {8, 32, 2, 4,
       [](int l, int i) {
         return Window{i == 0 ? group(l) : group(l) + 8, in_group(l) * 2, in_group(l) * 2 + 1};
       },
       [](int l, int i) { return in_group(l) + 4 * i; },
       [](int l, int s) { return in_group(l) == s; }, upper_half,
       [](int, int bit) { return bit % 16 / 4; }},
      // .5 m16n8k32 .u8/.s8
      {32, 8, 8, 2,
       [](int l, int i) {
         return Window{i < 4 ? group(l) : group(l) + 8, in_group(l) * 8, in_group(l) * 8 + 7};
       },
       [](int l, int i) { return in_group(l) * 4 + (i & 3) + (i < 4 ? 0 : 16); },
       [](int l, int s) { return in_group(l) / 2 == s; },
       [](int l, int) { return l % 2 == 0 ? group(l) : group(l) + 8; },
       [](int, int bit) { return bit / 2; }},
      // .6 m16n8k64 8-bit
      {64, 8, 16, 1,
       [](int l, int i) {
         const bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
         const int first = i < 8 ? in_group(l) * 8 : in_group(l) * 8 + 32;
         return Window{upper ? group(l) : group(l) + 8, first, first + 7};
       },
       [](int l, int i) { return in_group(l) * 4 + (i & 3) + 16 * (i / 4); },
       [](int, int) { return true; },
       [](int l, int) { return l % 2 == 0 ? group(l) : group(l) + 8; },
       [](int l, int bit) { return bit / 2 + 16 * (in_group(l) / 2); }},
      // .7 m16n8k64 .u4/.s4
      {64, 4, 16, 2,
       [](int l, int i) {
         return Window{i < 8 ? group(l) : group(l) + 8, in_group(l) * 16, in_group(l) * 16 + 15};
       },
       [](int l, int i) { return in_group(l) * 8 + (i & 7) + (i < 8 ? 0 : 32); },
       [](int l, int s) { return in_group(l) / 2 == s; },
       [](int l, int) { return l % 2 == 0 ? group(l) : group(l) + 8; },
       [](int, int bit) { return bit / 2; }},
      // .8 m16n8k128 .u4/.s4/.e2m1
      {128, 4, 32, 1,
       [](int l, int i) {
         const bool upper = (0 <= i && i < 8) || (16 <= i && i < 24);
         const int first = i < 16 ? in_group(l) * 16 : in_group(l) * 16 + 64;
         return Window{upper ? group(l) : group(l) + 8, first, first + 15};
       },
       [](int l, int i) { return in_group(l) * 8 + (i & 7) + 32 * (i / 8); },
       [](int, int) { return true; },
       [](int l, int) { return l % 2 == 0 ? group(l) : group(l) + 8; },
       [](int l, int bit) { return bit / 2 + 16 * (in_group(l) / 2); }},
  };
  return all;
}

const SparseText& text_of(const Instruction& i) {
  for (const SparseText& t : texts())
    if (t.K == i.K && t.bits == i.A.element_bits) return t;
  FAIL("no text for " << i.mnemonic);
  return texts().front();
}

}  // namespace

TEST_CASE("mma.sp: every stored element lies in its window of K, windows in order") {
  int instructions_seen = 0;
  for (const Instruction& i : instructions()) {
    if (i.family != "mma.sp") continue;
    ++instructions_seen;
    CAPTURE(i.mnemonic);
    const SparseText& t = text_of(i);
    CHECK(i.A.values == t.a_values);
    bool inside = true;
    for (int lane = 0; lane < 32; ++lane) {
      for (int n = 0; n < i.A.values; ++n) {
        const Element e = i.A.element(lane, n);
        const Window w = t.A(lane, n);
        // half of each chunk is kept, so stored column s comes from K's columns around 2s
        inside = inside && e.row == w.row && w.first <= 2 * e.col && 2 * e.col + 1 <= w.last;
        if (n > 0 && i.A.element(lane, n - 1).row == e.row)
          inside = inside && i.A.element(lane, n - 1).col < e.col;
      }
    }
    CHECK(inside);
  }
  CHECK(instructions_seen == 28 + 28 + 4 + 50 + 25 + 3);
}

TEST_CASE("mma.sp: B is the dense B of twice the K; C and D are those of every m16n8") {
  for (const Instruction& i : instructions()) {
    if (i.family != "mma.sp") continue;
    CAPTURE(i.mnemonic);
    const SparseText& t = text_of(i);
    bool equal = true;
    for (int lane = 0; lane < 32; ++lane) {
      for (int n = 0; n < i.B.values; ++n)
        equal = equal && i.B.element(lane, n) == Element{t.b_row(lane, n), group(lane)};
      for (int n = 0; n < 4; ++n) {
        const Element c{n < 2 ? group(lane) : group(lane) + 8, in_group(lane) * 2 + (n & 1)};
        equal = equal && i.C.element(lane, n) == c && i.D.element(lane, n) == c;
      }
    }
    CHECK(equal);
  }
}

TEST_CASE("mma.sp: who hands in the metadata, and which index is at which bits") {
  for (const Instruction& i : instructions()) {
    if (i.family != "mma.sp") continue;
    CAPTURE(i.mnemonic);
    const SparseText& t = text_of(i);
    REQUIRE(i.E.size() == static_cast<std::size_t>(t.selectors));
    for (int selector = 0; selector < t.selectors; ++selector) {
      const Fragment& E = i.E[static_cast<std::size_t>(selector)];
      CHECK(E.registers() == 1);
      CHECK(E.values * E.element_bits == 32);  // every bit of the word is used
      bool equal = true;
      for (int lane = 0; lane < 32; ++lane) {
        equal = equal && E.provided_by(lane) == t.hands_in(lane, selector);
        equal = equal && elements(E, lane, 0).empty() == !t.hands_in(lane, selector);
        for (const Held& held : elements(E, lane, 0))
          equal = equal && held.element == Element{t.e_row(lane, held.holder.bit),
                                                   t.e_index(lane, held.holder.bit)};
      }
      CHECK(equal);
    }
  }
}

TEST_CASE("ordered metadata came later and has more types") {
  const Instruction* plain = find("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  const Instruction* ordered =
      find("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  REQUIRE(plain != nullptr);
  REQUIRE(ordered != nullptr);
  CHECK(plain->ptx == "7.1");
  CHECK(ordered->ptx == "8.5");
  CHECK(plain->target == "sm_80");
  CHECK(find("mma.sp.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16") == nullptr);
  CHECK(find("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16")->target ==
        "sm_120a sm_121a");
  CHECK(find("mma.sp.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32") ==
        find("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32"));
}
