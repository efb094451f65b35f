// SPDX-License-Identifier: MIT
// The metadata of tcgen05.mma.sp in tensor memory, read a second time: from how CUTLASS lays out
// the bits of a matrix (tmem_e_frg: for each k, also of those that are not kept, one bit of 8- and
// 16-bit types, two of tf32, half a one of mxf4; strides over 128 lanes, then bits), and for 16
// rows a warp from how TVM's tests put it into the lanes of A's rows. No card has been asked.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "layout/mover.hpp"

using namespace lanescope::layout;

namespace {

struct SparseForm {
  std::string form;
  int ctas, M;
  bool stationary = false;
};
struct KindOfA {
  std::string name;
  int K;              // of the product: not kept ones, too
  double bits_a_k;    // of metadata
  bool in_squares;    // strides 1, 1024 or 2048, 16 for rows; else a row a lane
  int kept_of_index;  // elements that an index stands for
};
const std::vector<KindOfA> kKindsOfA{{"f16", 32, 1, true, 1},         {"tf32", 16, 2, true, 1},
                                     {"f8f6f4", 64, 1, false, 1},     {"i8", 64, 1, false, 1},
                                     {"mxf8f6f4", 64, 1, false, 1},   {"mxf4", 128, 0.5, false, 2},
                                     {"mxf4nvf4", 128, 0.5, false, 2}};

struct BitPlace {
  int lane, bit;  // bit 32 is the next column's first
};
// Of row m of a CTA's M 128, the first bit that belongs to index `index` of the row.
BitPlace in_cutlass(const KindOfA& kind, int m, int index) {
  const int k = index * 2 * kind.kept_of_index;  // two of four are kept, one of two
  const int bit = static_cast<int>(k * kind.bits_a_k);
  if (!kind.in_squares) return {m, bit};
  const int address = m % 8 + m / 8 % 2 * 2048 + m / 16 * 16 + bit % 16 * 128 + bit / 16 * 8;
  return {address % 128, address / 128};
}

void check_metadata(const SparseForm& form, const KindOfA& kind) {
  const std::string name =
      "tcgen05.mma" + form.form + ".metadata.m" + std::to_string(form.M) + "." + kind.name;
  CAPTURE(name);
  const Mover* m = find_mover(name);
  REQUIRE(m != nullptr);
  CHECK(m->standing == Standing::derived);
  const Fragment& f = m->registers;
  const int indices = kind.K / 2 / kind.kept_of_index, rows = form.M / form.ctas;
  REQUIRE(f.rows == form.M);
  REQUIRE(f.cols == indices);
  CHECK(f.registers() == (kind.in_squares ? 1 : 2));
  const bool halved = rows == 64 && !form.stationary;
  const int copies = form.stationary ? 128 / rows : 1;
  int wrong = 0;
  for (int row = 0; row < form.M; ++row)
    for (int index = 0; index < indices; ++index) {
      const std::vector<Holder> all = holders(f, {row, index, 0});
      wrong += static_cast<int>(all.size()) != copies;
      for (std::size_t copy = 0; copy < all.size(); ++copy) {
        const int in_cta = row % rows;
        const int as =
            halved ? in_cta / 16 * 32 + in_cta % 16 : static_cast<int>(copy) * rows + in_cta;
        const BitPlace at = in_cutlass(kind, as, index);
        wrong += all[copy].thread != row / rows * 128 + at.lane;
        wrong += 32 * all[copy].register_index + all[copy].bit != at.bit;
      }
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("metadata of tcgen05.mma.sp lies where others say") {
  int checked = 0;
  for (const SparseForm& form :
       {SparseForm{".sp.cta_group::1", 1, 64}, SparseForm{".sp.cta_group::1", 1, 128},
        SparseForm{".sp.cta_group::2", 2, 128}, SparseForm{".sp.cta_group::2", 2, 256},
        SparseForm{".ws.sp.cta_group::1", 1, 32, true},
        SparseForm{".ws.sp.cta_group::1", 1, 64, true},
        SparseForm{".ws.sp.cta_group::1", 1, 128, true}})
    for (const KindOfA& kind : kKindsOfA) {
      const bool scaled = kind.name.substr(0, 2) == "mx";
      if (scaled && (form.stationary || form.M != 128 * form.ctas)) continue;
      check_metadata(form, kind);
      ++checked;
    }
  const auto is_metadata = [](const Mover& m) { return m.memory == MoverMemory::metadata; };
  CHECK(std::count_if(movers().begin(), movers().end(), is_metadata) == checked);
}

TEST_CASE("metadata of tcgen05.mma.sp, asked in both directions and said in words") {
  const Mover& f16 = *find_mover("tcgen05.mma.sp.cta_group::1.metadata.m128.f16");
  // Row 27, kept element 9: of the 16 rows from 16 on the fourth of the upper eight.
  CHECK(who_holds(f16, {27, 9, 0}) == std::vector<std::string>{"lane 27, column 0, bits 18 to 19"});
  CHECK(what_holds(f16, 27, 0).front().rfind("lane 27, column 0: [19][8] [19][9]", 0) == 0);
  CHECK(f16.rules.lane == "row % 8 + col / 8 * 8 + row / 16 * 16");
  CHECK(f16.rules.column == "sel");
  CHECK(tensor_memory_lines(f16)[1] == "lanes 32 to 63: rows 32 to 63 of A");
  const Mover& half = *find_mover("tcgen05.mma.sp.cta_group::2.metadata.m128.i8");
  CHECK(tensor_memory_lines(half)[5] == "CTA 1 lanes 32 to 47, columns 0 to 1: rows 80 to 95 of A");
  CHECK(what_holds(half, 20, 0).front() == "CTA 0 lane 20: nothing of A's metadata");
  const Mover& again = *find_mover("tcgen05.mma.ws.sp.cta_group::1.metadata.m32.f8f6f4");
  CHECK(who_holds(again, {5, 17, 0}).size() == 4);
  CHECK(again.rules.lane == "row, and the same again 32 lanes on");
  const std::string picture = lanescope::layout::picture(f16);
  CHECK(picture.find("    lane   = row % 8 + col / 8 * 8 + row / 16 * 16\n    column = sel\n"
                     "    bit    = col % 8 * 2 + row / 8 % 2 * 16\n") != std::string::npos);
  CHECK(picture.find("nobody says") != std::string::npos);
}
