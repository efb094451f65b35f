// SPDX-License-Identifier: MIT
// CuTe's TiledCopy: who copies what, worked out by hand from make_tiled_copy's definition (CUTLASS,
// include/cute/atom/copy_atom.hpp); what it costs in shared memory; what is refused.
#include "layout/tiled_copy.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>

#include "layout/cute_layout.hpp"

namespace lanescope::layout {
namespace {

constexpr const char* kRows =
    "make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{}, "
    "Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})";

SharedMatrix matrix(const char* words, int bits = 16) {
  const CuteReading reading = read_cute_layout(words);
  REQUIRE_MESSAGE(reading.problem.empty(), reading.problem);
  return {reading.layout, bits};
}

WarpAccess access(const char* lies, const char* copy) {
  const TiledCopy read = tiled_copy(copy);
  REQUIRE_MESSAGE(read.problem.empty(), read.problem);
  return warp_access(matrix(lies), read.moved);
}

TEST_CASE("threads stand as their layout says, each with its values beside each other") {
  const TiledCopy copy = tiled_copy(kRows);
  REQUIRE_MESSAGE(copy.problem.empty(), copy.problem);
  const ThreadValues& moved = copy.moved;
  CHECK(moved.threads == 128);
  CHECK(moved.values == 8);
  CHECK(moved.rows == 16);
  CHECK(moved.cols == 64);
  CHECK(moved.bits == 16);
  CHECK(moved.copy_bits == 128);
  for (int thread = 0; thread < 128; ++thread)
    for (int value = 0; value < 8; ++value)
      CHECK(moved.at(thread, value) == Element{thread / 8, thread % 8 * 8 + value, 0});
  CHECK(copy.name == "TiledCopy (16,8):(8,1), (1,8):(1,1)");
}

TEST_CASE("it is the layout from (thread, value) that CuTe makes of it") {
  struct Case {
    const char *copy, *layout;
  };
  for (const auto& [words, layout] :
       {Case{"make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, "
             "Layout<Shape<_32,_8>>{}, Layout<Shape<_4,_1>>{})",
             "((32,8),4):((4,128),1)"},
        Case{"cute::make_tiled_copy(Copy_Atom<DefaultCopy, float>{}, Layout<Shape<_16,_16>>{})",
             "(256,1):(1,0)"},
        Case{"make_tiled_copy(Copy_Atom<UniversalCopy<double>, double>{}, "
             "Layout<Shape<_2,_4>,Stride<_4,_1>>{}, Layout<Shape<_2,_2>,Stride<_2,_1>>{})",
             "((4,2),(2,2)):((8,2),(4,1))"}}) {
    CAPTURE(words);
    const TiledCopy copy = tiled_copy(words);
    REQUIRE_MESSAGE(copy.problem.empty(), copy.problem);
    const ThreadValues wanted =
        thread_values(read_cute_layout(layout).layout, copy.moved.rows, copy.moved.cols);
    CHECK(copy.moved.elements == wanted.elements);
    std::set<std::pair<int, int>> all;
    for (const Element& e : copy.moved.elements) all.insert({e.row, e.col});
    CHECK(all.size() == static_cast<std::size_t>(copy.moved.rows * copy.moved.cols));
  }
}

TEST_CASE("what it costs: passes, and copies that are not possible") {
  CHECK(access("(64,64):(64,1)", kRows).most == 1);
  CHECK(access("(64,64):(72,1)", kRows).most == 1);
  // Eight threads beside each other copy a unit of eight rows: all from the same banks.
  const char* const kColumns =
      "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16,_8>>{}, "
      "Layout<Shape<_1,_8>>{})";
  CHECK(access("(64,64):(64,1)", kColumns).most == 8);
  CHECK(access("Sw<3,3,3> o 0 o (64,64):(64,1)", kColumns).most == 1);
  // Half a copy at a time, though 16 bytes would lie together.
  const WarpAccess narrow =
      access("(64,64):(64,1)",
             "make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>{}, "
             "Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})");
  CHECK(narrow.bytes == 8);
  const WarpAccess apart = access("(64,64):(1,64)", kRows);
  CHECK(apart.most == 0);
  CHECK(apart.none ==
        "a copy of 16 bytes wants values of a thread that lie beside each other, from a multiple "
        "of 16 on");
  CHECK(access("(64,64):(66,1)", kRows).most == 0);  // row 1 begins at byte 132
  CHECK(access("(8,64):(64,1)", kRows).none == "8 x 64 has no room for 16 x 64");
}

TEST_CASE("what is no TiledCopy is refused in a line") {
  CHECK(is_tiled_copy(" cute::make_tiled_copy(1)"));
  CHECK_FALSE(is_tiled_copy("make_tiled_mma(1)"));
  struct Case {
    const char *words, *says;
  };
  for (const auto& [words, says] :
       {Case{"make_tiled_copy(", "its last bracket is missing"},
        Case{"make_tiled_copy(Copy_Atom<DefaultCopy, half_t>{})", "an atom, a layout of threads"},
        Case{"make_tiled_copy(1, (32,1))", "'1' is no atom"},
        Case{"make_tiled_copy(Copy_Atom<DefaultCopy>{}, (32,1))", "the type of an element"},
        Case{"make_tiled_copy(Copy_Atom<DefaultCopy, int7_t>{}, (32,1))", "no type of elements"},
        Case{"make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (32,4):(4,2))",
             "no layout of threads that has each once"},
        Case{"make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, Sw<1,0,2> o 0 o (8,4))",
             "Sw<1,0,2> o 0 o (8,4):(1,8) is no layout of threads that has each once"},
        Case{"make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (32,1), Sw<1,0,1> o (1,4))",
             "no layout of values that has each once"},
        Case{"make_tiled_copy(Copy_Atom<UniversalCopy<any>, half_t>, (32,1))",
             "does not say how much it copies"},
        Case{"make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, (32,1))",
             "gives threads what others name"},
        Case{"make_tiled_copy(Copy_Atom<DefaultCopy, half_t>{}, (64,64))", "1024 at most"},
        Case{"make_tiled_copy(Copy_Atom<DefaultCopy, half_t>{}, (4,4,2))", "over rows and columns"},
        Case{"make_tiled_copy(Copy_Atom<DefaultCopy, half_t>{}, (32,1), (1,8", "missing"}}) {
    CAPTURE(words);
    const std::string problem = tiled_copy(words).problem;
    CHECK_MESSAGE(problem.find(says) != std::string::npos, problem);
    CHECK(problem.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace lanescope::layout
