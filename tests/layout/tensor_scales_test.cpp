// SPDX-License-Identifier: MIT
// Scale factors of tcgen05.mma in tensor memory: a second reading of where they are, through the
// 512 bytes that programs lay out for tcgen05.cp.32x128b.warpx4 (row r of 128 at r % 32 * 16 +
// r / 32 * 4, chunk c at + c): byte b of the 32 rows of 16 bytes goes to lane b / 16 of each 32
// lanes, column b % 16 / 4, byte b % 4 of the word.
#include <doctest/doctest.h>

#include <string>

#include "layout/mover.hpp"

using namespace lanescope::layout;

namespace {

struct Form {
  std::string name;
  int ctas, M, N;  // N 0: of A
};

// Which row of A, or column of B, of all that the pair has, is `index` of those in these lanes.
int wanted(const Form& form, int cta, int lane, int index) {
  if (form.N == 0) return cta * (form.M / form.ctas) + index;
  return form.ctas == 2 && form.M == 128 && lane >= 64 ? form.N / 2 + index : index;
}

void check(const Form& form) {
  CAPTURE(form.name);
  const Mover* m = find_mover(form.name);
  REQUIRE(m != nullptr);
  CHECK(m->standing == Standing::specified);
  const Fragment& f = m->registers;
  const int parts = form.N == 0 ? form.ctas : form.ctas == 2 && form.M == 128 ? 2 : 1;
  const int here = (form.N == 0 ? form.M : form.N) / parts;
  REQUIRE(f.threads() == 128 * form.ctas);
  REQUIRE(f.registers() == here / 32);
  int wrong = 0;
  for (int cta = 0; cta < form.ctas; ++cta)
    for (int lane = 0; lane < 128; ++lane)
      for (int index = lane % 32; index < here; index += 32)
        for (int chunk = 0; chunk < 4; ++chunk) {
          const int at = index % 128 % 32 * 16 + index % 128 / 32 * 4 + chunk;  // of its 512 bytes
          const int column = index / 128 * 4 + at % 16 / 4;
          const Element e = f.element(128 * cta + lane, column * 4 + at % 4);
          const int which = wanted(form, cta, lane, index);
          wrong += at / 16 != lane % 32;
          wrong += !(e == (form.N == 0 ? Element{which, chunk, 0} : Element{chunk, which, 0}));
        }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("scale factors of tcgen05.mma lie where tcgen05.cp puts them") {
  const std::string mma = "tcgen05.mma.cta_group::";
  check({mma + "1.block_scale.sfa.m128", 1, 128, 0});
  check({mma + "2.block_scale.sfa.m256", 2, 256, 0});
  check({mma + "2.block_scale.sfa.m128", 2, 128, 0});
  for (int N = 32; N <= 256; N += 32) {
    const std::string n = ".n" + std::to_string(N);
    check({mma + "1.block_scale.sfb.m128" + n, 1, 128, N});
    check({mma + "2.block_scale.sfb.m256" + n, 2, 256, N});
    if (N % 64 == 0) check({mma + "2.block_scale.sfb.m128" + n, 2, 128, N});
  }
}

TEST_CASE("scale factors of tcgen05.mma, asked in both directions and said in words") {
  const Mover& a = *find_mover("tcgen05.mma.cta_group::1.block_scale.sfa.m128");
  const auto who = who_holds(a, {37, 2, 0});
  REQUIRE(who.size() == 4);
  CHECK(who[0] == "lane 5, column 1, bits 16 to 23");
  CHECK(who[3] == "lane 101, column 1, bits 16 to 23");
  CHECK(what_holds(a, 5, 1).front() == "lane 5, column 1: [37][0] [37][1] [37][2] [37][3]");
  CHECK(
      picture(a).find("lane   = row % 32, and the same again 32 lanes on\n    column = row / 32") !=
      std::string::npos);
  const Mover& b = *find_mover("tcgen05.mma.cta_group::2.block_scale.sfb.m128.n128");
  CHECK(who_holds(b, {3, 100, 0}).front() == "CTA 0 lane 68, column 1, bits 24 to 31");
  CHECK(b.rules.lane == "col % 32 + col / 64 * 64");
  CHECK(factor_lines(b)[1] ==
        "CTA 0 lanes 64 to 127, columns 0 to 1: columns 64 to 127 of B, the same in each 32 lanes");
}
