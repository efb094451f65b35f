// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix, movmatrix, tcgen05.ld and .st: addresses and registers against the ISA's text
// and figures, and against each other (what stmatrix stores, ldmatrix loads; .trans is the
// transpose).
//
// Source: PTX ISA 9.2, 9.7.14.5.15 to .17; 9.7.16.2.3, 9.7.16.8.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "layout/match.hpp"
#include "layout/mover.hpp"

using namespace lanescope::layout;

namespace {

const Mover& get(std::string_view name) {
  const Mover* m = find_mover(name);
  REQUIRE_MESSAGE(m != nullptr, name);
  return *m;
}

Element stored(const Mover& m, int lane, int reg, int part) {
  return elements(m.registers, lane, reg)[static_cast<std::size_t>(part)].element;
}

}  // namespace

TEST_CASE("the forms: 8 families of counts, as the syntax boxes allow") {
  CHECK(movers().size() == 3 + 3 + 2 + 2 + 2 + 3 + 3 + 3 + 3 + 3 + 1 + 2 * 2 * (8 + 8 + 7 + 6 + 8) +
                               2 * (32 + 32 + 3 * 3 + 16 + 16 + 16) + 3 + 8 + 8 + 4 + 4 + 7 + 4 +
                               7 + 3 * 4);
  std::set<std::string> names;
  for (const Mover& m : movers()) CHECK(names.insert(m.mnemonic).second);
  for (const Mover& m : movers()) CHECK(find_mover(m.mnemonic) == &m);
  CHECK(find_mover("ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16") ==
        find_mover("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"));
  CHECK(find_mover("ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8") == nullptr);
  CHECK(find_mover("ldmatrix.sync.aligned.m8n8.x4.b16") ==
        find_mover("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16"));
  CHECK(with_words("stmatrix trans b16").movers.size() == 3);
}

TEST_CASE("addresses: threads 0-7 the first matrix's rows, 8-15 the second's, ...") {
  // the table of 9.7.14.5.15: addr0-addr7 are the rows of the first matrix, addr8-addr15 ...
  for (const char* name :
       {"ldmatrix.sync.aligned.m8n8.x1.b16", "ldmatrix.sync.aligned.m8n8.x2.b16",
        "ldmatrix.sync.aligned.m8n8.x4.trans.b16", "stmatrix.sync.aligned.m8n8.x4.b16",
        "ldmatrix.sync.aligned.m8n16.x2.b8x16.b4x16_p64",
        "stmatrix.sync.aligned.m16n8.x4.trans.b8"}) {
    const Mover& m = get(name);
    for (int lane = 0; lane < 32; ++lane) {
      const auto row = m.addressed_row(lane);
      CHECK(row.has_value() == (lane < 8 * m.registers.matrices));
      if (row) CHECK(*row == Element{lane % 8, 0, lane / 8});
    }
  }
  const Mover& two = get("ldmatrix.sync.aligned.m16n16.x2.trans.b8");
  for (int lane = 0; lane < 32; ++lane)
    CHECK(two.addressed_row(lane) == Element{lane % 16, 0, lane / 16});
  CHECK(!get("ldmatrix.sync.aligned.m16n16.x1.trans.b8").addressed_row(16).has_value());
  CHECK(!get("movmatrix.sync.aligned.m8n8.trans.b16").addressed_row(0).has_value());
}

TEST_CASE("registers: figures 104 to 108") {
  for (int lane = 0; lane < 32; ++lane) {
    const int g = lane / 4, t = lane % 4;
    for (int j = 0; j < 4; ++j) {
      for (int e = 0; e < 2; ++e) {
        CHECK(stored(get("ldmatrix.sync.aligned.m8n8.x4.b16"), lane, j, e) ==
              Element{g, 2 * t + e, j});
        CHECK(stored(get("ldmatrix.sync.aligned.m8n8.x4.trans.b16"), lane, j, e) ==
              Element{2 * t + e, g, j});
        CHECK(stored(get("stmatrix.sync.aligned.m8n8.x4.b16"), lane, j, e) ==
              Element{g, 2 * t + e, j});
      }
      for (int e = 0; e < 4; ++e) {
        CHECK(stored(get("ldmatrix.sync.aligned.m8n16.x4.b8x16.b6x16_p32"), lane, j, e) ==
              Element{g, 4 * t + e, j});
        CHECK(stored(get("stmatrix.sync.aligned.m16n8.x4.trans.b8"), lane, j, e) ==
              Element{2 * t + (e & 1), g + 8 * (e >> 1), j});
        // two registers a matrix
        CHECK(stored(get("ldmatrix.sync.aligned.m16n16.x2.trans.b8"), lane, j, e) ==
              Element{4 * t + e, g + 8 * (j % 2), j / 2});
      }
    }
  }
}

TEST_CASE("every mover is a bijection, and .trans is the transpose") {
  for (const Mover& m : movers()) {
    CAPTURE(m.mnemonic);
    const Fragment& f = m.registers;
    const auto all = static_cast<std::size_t>(f.matrices * f.rows * f.cols);
    std::vector<int> times(all, 0);
    int outside = 0;
    for (const Held& held : register_layout(f)) {
      const Element& e = held.element;
      if (f.contains(e))
        ++times[static_cast<std::size_t>((e.matrix * f.rows + e.row) * f.cols + e.col)];
      else
        ++outside;
    }
    CHECK(outside == 0);
    // Scale factors, and some metadata, lie in tensor memory several times, every one as often.
    const int copies = m.feeds_product() ? times.front() : 1;
    CHECK(std::count(times.begin(), times.end(), copies) == static_cast<std::ptrdiff_t>(all));
  }
  const Mover& plain = get("ldmatrix.sync.aligned.m8n8.x2.b16");
  const Mover& trans = get("ldmatrix.sync.aligned.m8n8.x2.trans.b16");
  for (int lane = 0; lane < 32; ++lane)
    for (int value = 0; value < 4; ++value) {
      const Element e = plain.registers.element(lane, value);
      CHECK(trans.registers.element(lane, value) == Element{e.col, e.row, e.matrix});
    }
}

TEST_CASE("movmatrix: the source's rows become the result's columns") {
  const Mover& m = get("movmatrix.sync.aligned.m8n8.trans.b16");
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < 2; ++e) {
      CHECK(m.source_registers.element(lane, e) == Element{lane / 4, lane % 4 * 2 + e});
      CHECK(m.registers.element(lane, e) == Element{lane % 4 * 2 + e, lane / 4});
    }
}

// Where register r of lane l lies in tensor memory: matrix 1 is .16x32bx2's second place.
Element in_tensor_memory(std::string_view shape, int l, int r) {
  if (shape == "32x32b") return {l, r};
  if (shape == "16x64b") return {l / 4 + 8 * (l % 2), l / 2 % 2 + 2 * r};
  if (shape == "16x128b") return {l / 4 + 8 * (r % 2), l % 4 + 4 * (r / 2)};
  if (shape == "16x256b") return {l / 4 + 8 * (r / 2 % 2), r % 2 + 2 * (l % 4) + 8 * (r / 4)};
  return {l % 16, r, l / 16};
}

TEST_CASE("a picture says how its cells are read, as that of a product does") {
  const Mover* x4 = find_mover("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
  REQUIRE(x4 != nullptr);
  const std::string drawn = picture(*x4);
  CHECK(drawn.find("who holds an element (a cell is lane:register.part, parts of 16 bits") !=
        std::string::npos);
  CHECK(drawn.find("what each register holds, (row,col) from the low bits up") !=
        std::string::npos);
  const Mover* moved = find_mover("movmatrix.sync.aligned.m8n8.trans.b16");
  REQUIRE(moved != nullptr);
  CHECK(picture(*moved).find("col = threadID_in_group*2 + i (a cell is lane:register.part") !=
        std::string::npos);
}

TEST_CASE("tcgen05.ld and .st: every register of every lane, for every shape and repetition") {
  struct Shape {
    const char* name;
    int registers, columns, most;  // of .x1, and the largest .xN
  };
  for (const Shape& shape :
       {Shape{"32x32b", 1, 1, 128}, Shape{"16x64b", 1, 2, 128}, Shape{"16x128b", 2, 4, 64},
        Shape{"16x256b", 4, 8, 32}, Shape{"16x32bx2", 1, 1, 128}})
    for (const char* family : {"tcgen05.ld", "tcgen05.st"}) {
      const auto named = [&](int count) {
        return std::string(family) + ".sync.aligned." + shape.name + ".x" + std::to_string(count) +
               ".b32";
      };
      CHECK(find_mover(named(2 * shape.most)) == nullptr);
      for (int count = 1; count <= shape.most; count *= 2) {
        const Mover& m = get(named(count));
        CAPTURE(m.mnemonic);
        CHECK(!m.addressed_row(0).has_value());
        CHECK(m.standing != Standing::verified);
        REQUIRE(m.registers.registers() == count * shape.registers);
        CHECK(m.registers.cols == count * shape.columns);
        for (int lane = 0; lane < 32; ++lane)
          for (int reg = 0; reg < m.registers.registers(); ++reg)
            CHECK(m.registers.element(lane, reg) == in_tensor_memory(shape.name, lane, reg));
      }
    }
}

TEST_CASE("tcgen05.ld .pack::16b and .st .unpack::16b: a register is two columns' low halves") {
  int found = 0;
  for (const Mover& m : movers()) {
    if (m.mnemonic.find("pack::16b") == std::string::npos) continue;
    ++found;
    CAPTURE(m.mnemonic);
    CHECK((m.family == "tcgen05.st") == (m.mnemonic.find(".unpack::16b") != std::string::npos));
    std::string plain = m.mnemonic;
    plain.erase(plain.find(m.family == "tcgen05.st" ? ".unpack::16b" : ".pack::16b"),
                m.family == "tcgen05.st" ? 12 : 10);
    const Mover& whole = get(plain);
    REQUIRE(m.registers.registers() == whole.registers.registers());
    CHECK(m.registers.cols == 2 * whole.registers.cols);
    for (int lane = 0; lane < 32; ++lane)
      for (int reg = 0; reg < m.registers.registers(); ++reg) {
        const Element e = whole.registers.element(lane, reg);
        const std::vector<Held> halves = elements(m.registers, lane, reg);
        REQUIRE(halves.size() == 2);
        CHECK(halves[0].holder.bit == 0);
        CHECK(halves[0].element == Element{e.row, 2 * e.col, e.matrix});
        CHECK(halves[1].holder.bit == 16);
        CHECK(halves[1].element == Element{e.row, 2 * e.col + 1, e.matrix});
      }
  }
  CHECK(found == 74);
}

TEST_CASE("tcgen05.ld.16x256b hands out rows as mma.sync hands out those of D") {
  const Mover& m = get("tcgen05.ld.sync.aligned.16x256b.x1.b32");
  const Instruction* i = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(i != nullptr);
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg)
      CHECK(m.registers.element(lane, reg) == i->D.element(lane, reg));
}

TEST_CASE("ldmatrix feeds mma: A of m16n8k16 is four 8x8 matrices, B is two") {
  // the classic use: matrices (0,0) (8,0) (0,8) (8,8) of A row-major, x4
  const Instruction* i = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(i != nullptr);
  const Mover& x4 = get("ldmatrix.sync.aligned.m8n8.x4.b16");
  const Mover& x2 = get("ldmatrix.sync.aligned.m8n8.x2.trans.b16");
  for (int lane = 0; lane < 32; ++lane) {
    for (int value = 0; value < 8; ++value) {
      const Element e = x4.registers.element(lane, value);
      CHECK(i->A.element(lane, value) ==
            Element{e.row + 8 * (e.matrix % 2), e.col + 8 * (e.matrix / 2)});
    }
    for (int value = 0; value < 4; ++value) {  // B stored k-major (row = k): .trans
      const Element e = x2.registers.element(lane, value);
      CHECK(i->B.element(lane, value) == Element{e.row + 8 * e.matrix, e.col});
    }
  }
}

TEST_CASE("CSV of a mover: both sides") {
  std::istringstream text(csv(get("ldmatrix.sync.aligned.m8n8.x2.b16")));
  std::string line;
  std::getline(text, line);
  CHECK(line == "side,thread,value,register,bit,matrix,row,col");
  int addresses = 0, parts = 0;
  while (std::getline(text, line)) {
    addresses += line.rfind("addr,", 0) == 0 ? 1 : 0;
    parts += line.rfind("reg,", 0) == 0 ? 1 : 0;
    if (line.rfind("addr,9,", 0) == 0) CHECK(line == "addr,9,0,0,0,1,1,0");
    if (line.rfind("reg,5,3,", 0) == 0) CHECK(line == "reg,5,3,1,16,1,1,3");
  }
  CHECK(addresses == 16);
  CHECK(parts == 128);
}

TEST_CASE("tcgen05.ld.red has the registers of tcgen05.ld, where there is such a one") {
  const auto name_of = [](std::string_view typed) {
    const Mover* m = find_mover(typed);
    return m == nullptr ? std::string() : m->mnemonic;
  };
  CHECK(name_of("tcgen05.ld.red.sync.aligned.32x32b.x8.max.f32") ==
        "tcgen05.ld.sync.aligned.32x32b.x8.b32");
  CHECK(name_of("tcgen05.ld.red.sync.aligned.16x32bx2.x2.s32.min") ==
        "tcgen05.ld.sync.aligned.16x32bx2.x2.b32");
  CHECK(name_of("tcgen05.ld.red.sync.aligned.32x32b.x64.min.abs.NaN.f32") ==
        "tcgen05.ld.sync.aligned.32x32b.x64.b32");
  for (const char* none :
       {"tcgen05.ld.red.sync.aligned.32x32b.x1.max.f32",
        "tcgen05.ld.red.sync.aligned.16x64b.x2.max.f32",
        "tcgen05.ld.red.sync.aligned.32x32b.x2.max.abs.u32",
        "tcgen05.ld.red.sync.aligned.32x32b.x2.max.f32.pack::16b",
        "tcgen05.ld.red.sync.aligned.32x32b.x2.max.b32",
        "tcgen05.ld.red.sync.aligned.32x32b.x2.f32", "tcgen05.ld.red.sync.aligned.32x32b.x2.max",
        "tcgen05.st.red.sync.aligned.32x32b.x2.max.f32"}) {
    CAPTURE(std::string(none));
    CHECK(name_of(none).empty());
  }
}

TEST_CASE("every mover says since when, where and by whose word") {
  for (const Mover& m : movers()) {
    CAPTURE(m.mnemonic);
    CHECK(m.ptx.find('.') != std::string_view::npos);
    CHECK(m.target.substr(0, 3) == "sm_");
    CHECK(m.source.substr(0, 11) == "PTX ISA 9.2");
    CHECK_FALSE(m.family.empty());
  }
}
