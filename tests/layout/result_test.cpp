// SPDX-License-Identifier: MIT
// D of tcgen05.mma in tensor memory: the maps against the ISA's figures 205 to 218, written down a
// second time as loops over what a warp's tcgen05.ld finds, and against the rules that readers get.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "layout/mover.hpp"
#include "tests/layout/evaluate.hpp"

namespace lanescope::layout {
namespace {

const Mover& get(const std::string& name) {
  const Mover* m = find_mover(name);
  REQUIRE_MESSAGE(m != nullptr, name);
  return *m;
}

struct Form {
  const char* form;
  int M;
  std::vector<int> N;
  char letter;
};

std::vector<int> steps(int first, int step) {
  std::vector<int> all;
  for (int N = first; N <= 256; N += step) all.push_back(N);
  return all;
}

// Table 39, and which layout the table of 9.7.16.10.5 gives each.
std::vector<Form> forms() {
  return {
      {".cta_group::1", 64, steps(8, 8), 'F'},        {".cta_group::1", 128, steps(8, 8), 'D'},
      {".ws.cta_group::1", 32, {64, 128, 256}, 'G'},  {".ws.cta_group::1", 64, {64, 128, 256}, 'E'},
      {".ws.cta_group::1", 128, {64, 128, 256}, 'D'}, {".cta_group::2", 128, steps(16, 16), 'B'},
      {".sp.cta_group::2", 128, steps(16, 16), 'C'},  {".cta_group::2", 256, steps(16, 16), 'A'}};
}

// What warp w of a CTA finds in row r of its 32 lanes and in a column: the figures are drawn so. A
// row of -1: nothing.
Element found(char letter, int N, int cta, int warp, int r, int column) {
  switch (letter) {
    case 'A':  // four warps on top of each other, the second CTA below the first
      return {128 * cta + 32 * warp + r, column};
    case 'B':  // warps 0 and 1 have the left half of the columns, 2 and 3 the right half
      return {64 * cta + 32 * (warp % 2) + r, column + (warp / 2) * N / 2};
    case 'C':  // half of each warp's lanes
      return r < 16 ? Element{64 * cta + 16 * warp + r, column} : Element{-1, -1};
    case 'D':
      return {32 * warp + r, column};
    case 'E':
      return {32 * (warp % 2) + r, column + (warp / 2) * N / 2};
    case 'F':
      return r < 16 ? Element{16 * warp + r, column} : Element{-1, -1};
    default:  // G: every warp has all rows and a quarter of the columns
      return {r, column + warp * N / 4};
  }
}

int columns_of(char letter, int N) {
  return letter == 'G' ? N / 4 : letter == 'B' || letter == 'E' ? N / 2 : N;
}

TEST_CASE("D of tcgen05.mma: every lane and column of every form is what the figures show") {
  std::size_t entries = 0;
  for (const Form& form : forms())
    for (int N : form.N)
      for (const char* type : {"f32", "f16"}) {
        const Mover& m = get(fmt::format("tcgen05.mma{}.m{}n{}.{}", form.form, form.M, N, type));
        CAPTURE(m.mnemonic);
        ++entries;
        const Fragment& f = m.registers;
        const int ctas = form.letter <= 'C' ? 2 : 1;
        REQUIRE(f.threads() == 128 * ctas);
        REQUIRE(f.registers() == columns_of(form.letter, N));
        CHECK(m.standing == Standing::specified);
        int wrong = 0;
        for (int thread = 0; thread < f.threads(); ++thread)
          for (int column = 0; column < f.registers(); ++column) {
            const Element e =
                found(form.letter, N, thread / 128, thread % 128 / 32, thread % 32, column);
            if (e.row < 0)
              wrong += f.provided_by(thread) ? 1 : 0;
            else if (!f.provided_by(thread) || !(f.element(thread, column) == e))
              ++wrong;
          }
        CHECK(wrong == 0);
      }
  std::size_t listed = 0;
  for (const Mover& m : movers()) listed += m.memory == MoverMemory::result ? 1 : 0;
  CHECK(listed == entries);
}

TEST_CASE("D of tcgen05.mma: the rules that readers get say where each element is") {
  for (const Mover& m : movers()) {
    if (m.memory != MoverMemory::result || m.registers.type == ElementType::f16) continue;
    const Fragment& f = m.registers;
    if (f.cols % 48 != 0 && f.cols != 64 && f.cols != 256) continue;  // powers of two and others
    CAPTURE(m.mnemonic);
    int wrong = 0;
    for (const Held& held : register_layout(f)) {
      if (held.element.row % 7 != 0 && held.element.col % 11 != 0) continue;
      const std::map<std::string, int> names{{"row", held.element.row}, {"col", held.element.col}};
      const int cta = evaluate::Calculator(m.rules.cta, names).value();
      const int lane = evaluate::Calculator(m.rules.lane, names).value();
      const int column = evaluate::Calculator(m.rules.column, names).value();
      wrong +=
          128 * cta + lane == held.holder.thread && column == held.holder.register_index ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("D of tcgen05.mma: asked for an element, for a lane, for the blocks") {
  const Mover& pair = get("tcgen05.mma.cta_group::2.m128n64.f32");
  CHECK(who_holds(pair, {100, 40, 0}) ==
        std::vector<std::string>{
            "CTA 1 lane 100, column 8 (warp 3 reads it: tcgen05.ld.32x32b, lane 4)"});
  CHECK(what_holds(pair, 128 + 100, 8) ==
        std::vector<std::string>{"CTA 1 lane 100, column 8: [100][40]"});
  CHECK(what_holds(pair, 5, std::nullopt) ==
        std::vector<std::string>{"CTA 0 lane 5: D[5][0 to 31] in columns 0 to 31"});
  CHECK(result_blocks(pair).size() == 4);
  CHECK(result_blocks(pair).back() ==
        "CTA 1 lanes 64 to 127, columns 0 to 31: D rows 64 to 127, columns 32 to 63; warps 2 to 3");
  const Mover& half = get("tcgen05.mma.cta_group::1.m64n16.f16");
  CHECK(what_holds(half, 17, std::nullopt) == std::vector<std::string>{"lane 17: nothing of D"});
  CHECK(who_holds(half, {17, 3, 0}) ==
        std::vector<std::string>{
            "lane 33, column 3, bits 0 to 15 (warp 1 reads it: tcgen05.ld.32x32b, lane 1)"});
  CHECK(result_blocks(half).size() == 4);
}

TEST_CASE("tcgen05.ld.32x32b of four warps reads D of M 128 row after row") {
  const Mover& D = get("tcgen05.mma.cta_group::1.m128n8.f32");
  const Mover& load = get("tcgen05.ld.sync.aligned.32x32b.x8.b32");
  for (int thread = 0; thread < 128; ++thread)
    for (int reg = 0; reg < 8; ++reg) {
      const Element place = load.registers.element(thread % 32, reg);  // of the warp's lanes
      CHECK(D.registers.element(thread / 32 * 32 + place.row, place.col) == Element{thread, reg});
    }
}

TEST_CASE("what a trace names is an instruction, or D of tcgen05.mma in one CTA") {
  const Instruction* mma = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  CHECK(find_recorded(mma->mnemonic) == mma);
  CHECK(find_recorded("tcgen05.mma.cta_group::2.m256n16.f32") == nullptr);  // lanes of two CTAs
  CHECK(find_recorded("tcgen05.ld.sync.aligned.32x32b.x16.b32") == nullptr);
  const Instruction* result = find_recorded("tcgen05.mma.cta_group::1.m64n16.f32");
  REQUIRE(result != nullptr);
  CHECK(result->M == 64);
  CHECK(result->N == 16);
  CHECK(result->standing == Standing::specified);
  CHECK(result->operand('A') == nullptr);
  CHECK(result->operand('C') == nullptr);
  const Fragment& D = *result->operand('D');
  CHECK(D.threads() == 128);
  CHECK(D.registers() == 16);
  CHECK(D.element(73, 9) == Element{41, 9});
  CHECK_FALSE(D.provided_by(89));
}

}  // namespace
}  // namespace lanescope::layout
