// SPDX-License-Identifier: MIT
// Two maps beside each other. The counts are worked out from the ISA's formulas, written out here.
#include "layout/beside.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/layout/maps.hpp"

using namespace lanescope::layout;

namespace {

constexpr const char* kK8 = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
constexpr const char* kK16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kE4m3 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
constexpr const char* kWgmma = "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16";

MapOf of(const char* mnemonic) {
  const MapOf found{find(mnemonic), find_mover(mnemonic)};
  REQUIRE_MESSAGE((found.instruction != nullptr || found.mover != nullptr), mnemonic);
  return found;
}

Pair pair_of(const char* a, const char* b, char operand) {
  const std::vector<Pair> all = pairs(of(a), of(b), operand);
  REQUIRE(all.size() == 1);
  REQUIRE(all.front().whole());
  return all.front();
}

Beside both(const char* a, const char* b, char operand = 0) {
  const Pair pair = pair_of(a, b, operand);
  return beside(*pair.a.map, *pair.b.map);
}

std::string said(const Beside& of) {
  std::string out;
  for (const std::string& line : sentences(of)) out += line + "\n";
  return out;
}

}  // namespace

TEST_CASE("from k8 to k16: A goes on in two more registers, D stays") {
  CHECK(said(both(kK8, kK16, 'A')) ==
        "128 elements in both: all at the same place\n"
        "128 in b alone, columns 8 to 15: all of A.r2, A.r3\n");
  CHECK(said(both(kK8, kK16, 'B')) ==
        "64 elements in both: all at the same place\n"
        "64 in b alone, rows 8 to 15: all of B.r1\n");
  CHECK(both(kK8, kK16, 'D').one_map());
  CHECK(said(both(kK8, kK16, 'D')) == "the same map: each of 128 elements at the same place\n");
}

TEST_CASE("f16 and fp8: two columns of sixteen stay in their lanes and registers") {
  const Beside A = both(kK16, kE4m3, 'A');
  // f16: lane g*4 + col % 8 / 2, register col / 8 * 2 + row / 8; e4m3: col % 16 / 4, col / 16.
  int bits = 0, place = 0, threads = 0;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 16; ++col) {
      const bool thread = col % 8 / 2 == col % 16 / 4, reg = col / 8 == col / 16;
      const Alike how = !thread ? Alike::threads : reg ? Alike::bits : Alike::place;
      CHECK(A.at({row, col, 0}) == how);
      ++(how == Alike::threads ? threads : how == Alike::bits ? bits : place);
    }
  CHECK(A.count(Alike::bits) == bits);
  CHECK(A.count(Alike::place) == place);
  CHECK(A.count(Alike::threads) == threads);
  CHECK(bits == 32);
  CHECK(place == 32);
  CHECK(A.count(Alike::b_alone) == 256);
  CHECK_FALSE(A.one_map());
}

TEST_CASE("D of mma is the corner of D of wgmma") {
  const Beside D = both(kK16, kWgmma, 'D');
  CHECK(D.count(Alike::same) == 128);
  CHECK(D.count(Alike::b_alone) == 64 * 256 - 128);
  CHECK(said(D) ==
        "128 elements in both: all at the same place\n"
        "16256 in b alone, rows 16 to 63 and columns 8 to 255: all of threads 32 to 127, "
        "D.r4 to D.r127\n");
  const std::vector<Pair> all = pairs(of(kK16), of(kWgmma));
  REQUIRE(all.size() == 3);
  CHECK(all[1].operand == 'B');
  CHECK_FALSE(all[1].whole());  // B of wgmma is in no registers
}

TEST_CASE("ldmatrix and its transposition agree on the diagonals") {
  const Beside moved = both("ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
  CHECK(moved.count(Alike::same) == 4 * 8);
  CHECK(moved.count(Alike::threads) == 4 * 56);
}

TEST_CASE("every map beside itself is one map, beside another all elements are counted once") {
  const Instruction& other = *find(kK16);
  std::set<std::string> seen, beside_other;  // many instructions share a map
  for (const Instruction& i : instructions())
    for (const Pair& pair : pairs({&i, nullptr}, {&other, nullptr})) {
      CAPTURE(i.mnemonic);
      if (pair.a.map == nullptr || pair.a.map->rows * pair.a.map->cols > 4096) continue;
      if (pair.a.selector < 0 && seen.insert(fingerprint(*pair.a.map)).second)
        CHECK(beside(*pair.a.map, *pair.a.map).one_map());
      if (!pair.whole()) continue;
      const std::string both = fingerprint(*pair.a.map) + fingerprint(*pair.b.map);
      if (!beside_other.insert(both).second) continue;
      const Beside there = beside(*pair.a.map, *pair.b.map);
      int sum = 0;
      for (const int count : there.counts) sum += count;
      CHECK(sum == there.rows * there.cols * there.matrices);
      CHECK_FALSE(sentences(there).empty());
      CHECK_FALSE(text(pair.a, pair.b, 5).empty());
    }
}

TEST_CASE("in words: shapes, formulas, what a lane has; as grids: beside or below each other") {
  const Pair A = pair_of(kK8, kK16, 'A');
  const std::string words = text(A.a, A.b, 5);
  CHECK(words.find("  a  16 x 8 f16, 2 registers a lane    row = ") != words.npos);
  CHECK(words.find("  lane 5  a  A.r0 (1,2..3)  A.r1 (9,2..3)\n") != words.npos);
  CHECK(
      words.find("          b  A.r0 (1,2..3)  A.r1 (9,2..3)  A.r2 (1,10..11)  A.r3 (9,10..11)\n") !=
      words.npos);
  const std::string wide = grids(A.a, A.b, 250), narrow = grids(A.a, A.b, 80);
  CHECK(std::count(narrow.begin(), narrow.end(), '\n') >
        std::count(wide.begin(), wide.end(), '\n') + 15);
  CHECK(wide.find("a: a cell is lane:register.part, parts of 16 bits") == 0);
  CHECK(place_of(A.b, {9, 13, 0}) == "lane 6, A.r3.hi (bits 16 to 31)");
  CHECK(place_of(A.a, {9, 13, 0}).empty());
}

TEST_CASE("as a drawing: framed is what the other holds elsewhere") {
  const auto frames = [](const Pair& pair) {
    const std::string drawn = svg(pair.a, pair.b);
    int count = 0;
    for (std::size_t at = 0; (at = drawn.find("<path", at)) != drawn.npos; ++at) ++count;
    return count;
  };
  CHECK(frames(pair_of(kK8, kK16, 'A')) == 0);
  CHECK(frames(pair_of(kK16, kE4m3, 'A')) == 2 * 256);
}
