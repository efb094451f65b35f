// SPDX-License-Identifier: MIT
// CuTe's algebra: the examples of CUTLASS's document (02_layout_algebra.md), what each operation
// promises, asked of many layouts, and that what has no answer is one line.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "layout/cute_layout.hpp"

namespace lanescope::layout {
namespace {

std::string problem(const std::string& words) { return read_cute_layout(words).problem; }

CuteLayout read(const std::string& words) {
  const CuteReading reading = read_cute_layout(words);
  CAPTURE(words);
  REQUIRE(reading.problem == "");
  return reading.layout;
}

/// Where all its coordinates go.
std::vector<std::int64_t> places(const CuteLayout& layout) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < size(layout); ++i) all.push_back(linear_index(layout, i));
  return all;
}

TEST_CASE("layouts of layouts are those of CUTLASS's document") {
  struct Example {
    const char *written, *is;
  };
  for (const Example& example : {
           Example{"coalesce((2,(1,6)):(1,(6,2)))", "12:1"},
           Example{"composition((6,2):(8,2), (4,3):(3,1))", "((2,2),3):((24,2),8)"},
           Example{"composition(20:2, (5,4):(4,1))", "(5,4):(8,2)"},
           Example{"composition((10,2):(16,4), (5,4):(1,5))", "(5,(2,2)):(16,(80,4))"},
           Example{"composition((12,(4,8)):(59,(13,1)), <3:4, 8:2>)", "(3,(2,4)):(236,(26,1))"},
           Example{"composition((12,(4,8)):(59,(13,1)), make_tile(3:4, 8:2))",
                   "(3,(2,4)):(236,(26,1))"},
           Example{"composition((12,(4,8)):(59,(13,1)), make_shape(3, 8))",
                   "(3,(4,2)):(59,(13,1))"},
           Example{"complement(4:1, 24)", "6:4"},
           Example{"complement(6:4, 24)", "4:1"},
           Example{"complement((4,6):(1,4), 24)", "1:0"},
           Example{"complement(4:2, 24)", "(2,3):(1,8)"},
           Example{"complement((2,4):(1,6), 24)", "3:2"},
           Example{"complement((2,2):(1,6), 24)", "(3,2):(2,12)"},
           Example{"logical_divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))"},
           Example{"logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
                   "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"},
           Example{"zipped_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
                   "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"},
           Example{"tiled_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
                   "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"},
           Example{"flat_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
                   "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"},
           Example{"logical_product((2,2):(4,1), 6:1)", "((2,2),(2,3)):((4,1),(2,8))"},
           Example{"logical_product((2,2):(4,1), (4,2):(2,1))", "((2,2),(4,2)):((4,1),(8,2))"},
           Example{"blocked_product((2,5):(5,1), (3,4):(1,3))", "((2,3),(5,4)):((5,10),(1,30))"},
           Example{"raked_product((2,5):(5,1), (3,4):(1,3))", "((3,2),(4,5)):((10,5),(30,1))"},
           Example{"get<1>((9,(4,8)):(59,(13,1)))", "(4,8):(13,1)"},
           Example{"make_layout(8:1, (4,2):(8,32))", "(8,(4,2)):(1,(8,32))"},
       }) {
    CAPTURE(example.written);
    const CuteReading reading = read_cute_layout(example.written);
    CHECK(reading.problem == "");
    CHECK(text(reading.layout) == example.is);
    CHECK(is_cute_layout(example.written));
  }
}

TEST_CASE("a swizzle stays before what is composed or divided") {
  const std::string rows = "(16,16):(16,1)", lanes = "((4,8),(2,2,2)):((32,1),(16,8,128))";
  // Lesson 23: where the elements of (lane, value) lie.
  CHECK(text(read("composition(" + rows + "," + lanes + ")")) ==
        "((4,8),(2,2,2)):((2,16),(1,128,8))");
  for (const char* before :
       {"Sw<1,3,3> o 0 o ", "Sw<1,3,3> o 64 o ", "Sw<2,4,3> o smem_ptr[16b](unset) o "})
    for (const std::string& with : {lanes, std::string("<8:1, 8:1>")})
      for (const char* does :
           {"composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide"}) {
        if (std::string(does) != "composition" && with == lanes) continue;
        const std::string of = std::string(does) + "(", end = rows + "," + with + ")";
        CHECK(text(read(of + before + end)) == before + text(read(of + end)));
      }
}

/// Layouts of up to 4 numbers, in tuples or not; `apart` has none whose places meet.
class Random {
 public:
  std::int64_t below(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>{0, end - 1}(engine_);
  }
  CuteLayout compact() {  // a bijection: its numbers' strides in any order
    std::vector<std::int64_t> extents, order, strides;
    for (std::int64_t i = 0, many = 1 + below(4); i < many; ++i) {
      extents.push_back(std::int64_t{1} << below(4));
      if (below(3) == 0) extents.back() *= 3;
      order.push_back(i);
    }
    std::shuffle(order.begin(), order.end(), engine_);
    strides.resize(extents.size());
    std::int64_t stride = 1;
    for (const std::int64_t i : order) {
      strides[static_cast<std::size_t>(i)] = stride;
      stride *= extents[static_cast<std::size_t>(i)];
    }
    return nested(extents, strides);
  }
  CuteLayout apart() {  // with holes
    std::vector<std::int64_t> extents, strides;
    std::int64_t stride = 1;
    for (std::int64_t i = 0, many = 1 + below(3); i < many; ++i) {
      stride *= std::int64_t{1} << below(3);
      extents.push_back(1 + below(5));
      strides.push_back(stride);
      stride *= extents.back();
    }
    return nested(extents, strides);
  }

 private:
  CuteLayout nested(const std::vector<std::int64_t>& extents,
                    const std::vector<std::int64_t>& strides) {
    const std::size_t inner =
        static_cast<std::size_t>(below(static_cast<std::int64_t>(extents.size())));
    const auto written = [inner](const std::vector<std::int64_t>& numbers) {
      std::string tuple = "(";
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i != 0) tuple += ",";
        if (i == inner) tuple += "(";
        tuple += std::to_string(numbers[i]);
      }
      return tuple + "))";
    };
    return read(written(extents) + ":" + written(strides));
  }
  std::mt19937 engine_{20261130};
};

TEST_CASE("a composition is one function after the other") {
  Random random;
  int composed = 0;
  for (int round = 0; round < 2000; ++round) {
    const CuteLayout a = random.compact(), b = random.compact();
    const CuteReading both = read_cute_layout("composition(" + text(a) + "," + text(b) + ")");
    if (!both.problem.empty()) continue;
    ++composed;
    CAPTURE(text(a));
    CAPTURE(text(b));
    REQUIRE(size(both.layout) == size(b));
    for (std::int64_t i = 0; i < size(b); ++i)
      if (const std::int64_t at = linear_index(b, i); at < size(a))
        REQUIRE(linear_index(both.layout, i) == linear_index(a, at));
    // b's modes are kept, whatever they are divided into.
    REQUIRE(rank(both.layout) == rank(b));
    for (int i = 0; i < rank(b); ++i) REQUIRE(size(mode(both.layout, i)) == size(mode(b, i)));
  }
  CHECK(composed > 500);
}

TEST_CASE("a layout coalesced is the same function, and has no two numbers that could be one") {
  Random random;
  for (int round = 0; round < 1000; ++round) {
    const CuteLayout layout = round % 2 == 0 ? random.compact() : random.apart();
    const CuteLayout few = read("coalesce(" + text(layout) + ")");
    CAPTURE(text(layout));
    REQUIRE(places(few) == places(layout));
    for (int i = 0; i + 1 < rank(few); ++i) {
      const CuteLayout one = mode(few, i), next = mode(few, i + 1);
      REQUIRE(one.shape.is_number());
      REQUIRE(one.shape.number * one.stride.number != next.stride.number);
    }
  }
}

TEST_CASE("a complement goes where the layout does not, and both together everywhere") {
  Random random;
  for (int round = 0; round < 1000; ++round) {
    const CuteLayout layout = random.apart();
    const std::int64_t end = cosize(layout) * (1 + random.below(3));
    const CuteLayout rest = read("complement(" + text(layout) + "," + std::to_string(end) + ")");
    CAPTURE(text(layout));
    CAPTURE(end);
    std::set<std::int64_t> all;
    for (const std::int64_t there : places(rest))
      for (const std::int64_t here : places(layout)) REQUIRE(all.insert(here + there).second);
    REQUIRE(*all.rbegin() == static_cast<std::int64_t>(all.size()) - 1);  // no hole
    REQUIRE(static_cast<std::int64_t>(all.size()) >= end);
    const std::vector<std::int64_t> increasing = places(rest);
    REQUIRE(std::is_sorted(increasing.begin(), increasing.end()));
  }
}

TEST_CASE("inverses go back") {
  Random random;
  for (int round = 0; round < 1000; ++round) {
    const CuteLayout layout = random.compact();
    CAPTURE(text(layout));
    const CuteLayout right = read("right_inverse(" + text(layout) + ")");
    REQUIRE(size(right) == size(layout));  // of a bijection, all of it
    for (std::int64_t i = 0; i < size(right); ++i)
      REQUIRE(linear_index(layout, linear_index(right, i)) == i);

    const CuteLayout holes = random.apart();
    CAPTURE(text(holes));
    const CuteLayout left = read("left_inverse(" + text(holes) + ")");
    for (std::int64_t i = 0; i < size(holes); ++i)
      REQUIRE(linear_index(left, linear_index(holes, i)) % size(holes) == i);
  }
  CHECK(text(read("right_inverse((2,2):(4,1))")) == "2:2");  // as far as it goes: 2 is nowhere
}

TEST_CASE("tiles divide a layout, and their product puts it together") {
  Random random;
  int divided = 0, multiplied = 0;
  for (int round = 0; round < 1000; ++round) {
    const CuteLayout a = random.compact(), b = random.apart();
    CAPTURE(text(a));
    CAPTURE(text(b));
    const CuteReading tiles = read_cute_layout("logical_divide(" + text(a) + "," + text(b) + ")");
    if (tiles.problem.empty() && size(tiles.layout) == size(a)) {
      ++divided;
      REQUIRE(size(mode(tiles.layout, 0)) == size(b));
      std::vector<std::int64_t> all = places(tiles.layout), before = places(a);
      std::sort(all.begin(), all.end());
      std::sort(before.begin(), before.end());
      REQUIRE(all == before);
    }
    const CuteReading copies = read_cute_layout("logical_product(" + text(b) + "," + text(a) + ")");
    if (!copies.problem.empty()) continue;
    ++multiplied;
    REQUIRE(places(mode(copies.layout, 0)) == places(b));  // the block, as it was
    const std::vector<std::int64_t> all = places(copies.layout);
    REQUIRE(std::set<std::int64_t>(all.begin(), all.end()).size() == all.size());
  }
  CHECK(divided > 100);
  CHECK(multiplied > 100);
}

TEST_CASE("what has no answer is one line") {
  struct Refused {
    const char *written, *says;
  };
  for (const Refused& line : {
           Refused{"composition((6,2):(8,2), 4:5)", "unevenly: no layout does that"},
           Refused{"complement((2,2):(1,1), 24)", "it goes to places twice, or unevenly"},
           Refused{"complement(4:1, 0)", "the shape has the extent 0"},
           Refused{"complement(4:1, 4:1)", "a complement is taken up to a number"},
           Refused{"complement(4:1)", "complement has 2 arguments"},
           Refused{"coalesce(4:1, 4:1)", "coalesce has 1 argument"},
           Refused{"coalesce(Sw<3,3,3> o (8,64):(64,1))", "swizzle"},
           Refused{"logical_divide((8,64):(64,1), Sw<3,3,3> o 8:1)", "swizzle"},
           Refused{"composition((8,64):(64,1), Sw<3,3,3> o 8:1)", "swizzle"},
           Refused{"logical_divide((8,64):(64,1), <4, 4, 4>)", "a tiler of 3 modes"},
           Refused{"logical_divide((8,64):(64,1), ((2,2),4))", "a tile's sizes are numbers"},
           Refused{"get<2>((8,64):(64,1))", "mode 2 of (8,64):(64,1), which has 2"},
           Refused{"get((8,64):(64,1))", "get"},
           Refused{"logical_divide((8,64):(64,1), <4, 4)", ">"},
           Refused{"logical_product((1024,1024):(1,1024), 2:1)", "1048576"},
           Refused{"make_layout(8:1, 8)", "make_layout of layouts has only layouts"},
       }) {
    CAPTURE(line.written);
    const std::string said = problem(line.written);
    CAPTURE(said);
    CHECK(said != "");
    CHECK(said.find('\n') == said.npos);
    CHECK(said.find(line.says) != said.npos);
  }
}

}  // namespace
}  // namespace lanescope::layout
