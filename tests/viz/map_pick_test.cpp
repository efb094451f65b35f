// SPDX-License-Identifier: MIT
// Picking in a map seen from both sides: metadata, scales, ldmatrix, stmatrix, movmatrix. Expected
// numbers are worked out by hand from the ISA's figures.
#include "panels/atlas/map_pick.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace lanescope::viz {
namespace {

MapView mover(const char* name) {
  const layout::Mover* m = layout::find_mover(name);
  REQUIRE(m != nullptr);
  return {&m->registers, m, nullptr, -1};
}

MapView operand(const char* name, char letter, int selector = 0) {
  const layout::Instruction* i = layout::find(name);
  REQUIRE(i != nullptr);
  return {i->operand(letter, selector), nullptr, i, letter == 'E' ? selector : -1};
}

constexpr const char* kLoad4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
constexpr const char* kSparse =
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST_CASE("ldmatrix x4: lane 13's address is row 5 of matrix 1, its registers hold [3][2..3]") {
  const MapView view = mover(kLoad4);
  const MapFacts lane = map_facts(view, pick_lane(13));
  CHECK(lane.where == "its address: row 5 of matrix 1");
  CHECK(has(lane.lines, "r2  m2[3][2] m2[3][3]"));
  // Element [3][5] of matrix 1: lane 3*4 + 5/2 = 14, the high half of r1; row 3 is lane 8 + 3's.
  const MapFacts element = map_facts(view, pick_element({3, 5, 1}));
  CHECK(element.title == "m1[3][5]");
  CHECK(element.where == "lane 14, r1, bits 16 to 31");
  CHECK(has(element.lines, "its row: the address of lane 11"));
  CHECK(lane_lit(view, pick_element({3, 5, 1}), 11));
  CHECK_FALSE(lane_lit(view, pick_element({3, 5, 1}), 14));
  CHECK(lit(view, pick_element({3, 5, 1}), {3, 5, 1}, 14));
  CHECK_FALSE(lit(view, pick_element({3, 5, 1}), {3, 5, 0}, 14));
}

TEST_CASE("ldmatrix x1: only eight lanes have an address") {
  const MapView view = mover("ldmatrix.sync.aligned.m8n8.x1.shared.b16");
  CHECK(map_facts(view, pick_lane(7)).where == "its address: row 7 of matrix 0");
  CHECK(map_facts(view, pick_lane(8)).where == "its address is not used");
}

TEST_CASE("movmatrix: an element says from which lane to which it goes") {
  const MapView view = mover("movmatrix.sync.aligned.m8n8.trans.b16");
  CHECK_FALSE(view.addresses());
  // Source [3][5]: lane 3*4 + 2 = 14, high half. Transposed it is held as [5][3]: lane 21, high.
  const MapFacts facts = map_facts(view, pick_element({3, 5, 0}));
  CHECK(facts.where == "lane 21, r0, bits 16 to 31");
  CHECK(has(facts.lines, "from lane 14, r0, bits 16 to 31"));
}

TEST_CASE("tcgen05.ld: nobody's address, nobody's register before") {
  const MapView view = mover("tcgen05.ld.sync.aligned.16x64b.x2.b32");
  CHECK_FALSE(view.addresses());
  // Row 8 is the odd lanes': lanes 1 and 3 have columns 0 and 1, then 2 and 3.
  const MapFacts facts = map_facts(view, pick_element({8, 3, 0}));
  CHECK(facts.where == "lane 3, r1, bits 0 to 31");
  CHECK(facts.lines.empty());
}

TEST_CASE("metadata: who hands it in depends on the selector") {
  const MapView first = operand(kSparse, 'E', 0);
  const MapView second = operand(kSparse, 'E', 1);
  CHECK(map_title(second) == "E, selector 1");
  CHECK(map_facts(first, pick_element({3, 5, 0})).where == "lane 12, r0, bits 10 to 11");
  CHECK(map_facts(second, pick_element({3, 5, 0})).where == "lane 14, r0, bits 10 to 11");
  CHECK(map_facts(first, pick_lane(14)).where == "not read: other lanes hand in this operand");
  CHECK_FALSE(lit(first, pick_lane(14), {3, 5, 0}, 14));
}

TEST_CASE("words name what is picked, for elements and lanes all over every such map") {
  std::vector<MapView> views;
  int results = 0;
  for (const layout::Mover& m :
       layout::movers())  // D of tcgen05.mma has every N: one of five is asked
    if (m.memory != layout::MoverMemory::result || results++ % 5 == 0)
      views.push_back({&m.registers, &m, nullptr, -1});
  for (const layout::Instruction& i : layout::instructions()) {
    if (i.family == "wgmma.sp" && i.N != 8) continue;  // the same metadata for every N
    for (std::size_t s = 0; s < i.E.size(); ++s)
      views.push_back({&i.E[s], nullptr, &i, static_cast<int>(s)});
    for (const char letter : {'S', 'T'})
      if (i.operand(letter) != nullptr) views.push_back({i.operand(letter), nullptr, &i, -1});
  }
  CHECK(views.size() > 100);
  for (const MapView& view : views) {
    const layout::Fragment& f = *view.map;
    int wrong = 0;
    const auto there_and_back = [&](const MapPick& pick) {
      const ParsedPick parsed = parse_pick(words_of(pick, view), view);
      if (!parsed.ok() || !(parsed.pick == pick)) ++wrong;
      if (map_facts(view, pick).title.empty()) ++wrong;
    };
    // Who holds an element is found by looking at all that lanes hold: large maps are asked less.
    const int elements = f.matrices * f.rows * f.cols;
    for (int n = 0; n < elements; n += std::max(13, elements / 40 | 1))
      there_and_back(pick_element({n / f.cols % f.rows, n % f.cols, n / (f.cols * f.rows)}));
    for (int lane = 0; lane < f.threads(); lane += 7) there_and_back(pick_lane(lane));
    CAPTURE(map_title(view));
    CHECK(wrong == 0);
  }
}

TEST_CASE("nonsense is answered with the ranges") {
  const MapView view = mover(kLoad4);
  CHECK(parse_pick("lane 32", view).error == "which lane? there are 0 to 31");
  CHECK(parse_pick("4 0,0", view).error ==
        "no element '4 0,0': matrices are 0 to 3, rows are 0 to 7, columns 0 to 7");
  for (const char* words :
       {"", "   ", "x", "lane", "lane x", "1,2,3,4", "-1,2", "9,9", "3", "%s%n",
        "99999999999999999999,1", "lane 99999999999999999999", "\xff\xfe", "--"}) {
    CAPTURE(words);
    const ParsedPick parsed = parse_pick(words, view);
    CHECK_FALSE(parsed.ok());
    CHECK(parsed.error.find('\n') == std::string::npos);
  }
  CHECK(parse_pick(std::string(100'000, '1'), view).error.size() < 200);
}

TEST_CASE("arrows stop at the edges and go from matrix to matrix; Tab changes sides") {
  const MapView view = mover(kLoad4);
  CHECK(moved({}, view, 1, 0) == pick_element({0, 0, 0}));
  CHECK(moved(pick_element({0, 0, 0}), view, -1, -1) == pick_element({0, 0, 0}));
  CHECK(moved(pick_element({7, 2, 0}), view, 1, 0) == pick_element({0, 2, 1}));
  CHECK(moved(pick_element({7, 7, 3}), view, 1, 1) == pick_element({7, 7, 3}));
  CHECK(moved(pick_lane(30), view, 5, 0) == pick_lane(31));
  CHECK(moved(pick_lane(0), view, -1, 0) == pick_lane(0));
  CHECK(other_side(pick_element({3, 5, 1}), view) == pick_lane(14));
  CHECK(other_side(pick_lane(14), view) == pick_element({3, 4, 0}));
  CHECK(carried_over(pick_element({3, 5, 1}), mover("ldmatrix.sync.aligned.m8n8.x1.shared.b16")) ==
        MapPick{});
}

}  // namespace
}  // namespace lanescope::viz
