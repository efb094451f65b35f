// SPDX-License-Identifier: MIT
// CuTe's layouts: what is read, what it is as a function, and that nonsense is one line. Figures
// are those of CUTLASS's documents (01_layout.md, 02_layout_algebra.md) or reckoned here anew.
#include "layout/cute_layout.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "layout/swizzle.hpp"

namespace lanescope::layout {
namespace {

CuteLayout read(const std::string& text) {
  const CuteReading reading = read_cute_layout(text);
  CAPTURE(text);
  REQUIRE(reading.problem == "");
  return reading.layout;
}

std::vector<std::int64_t> indices(const std::string& text) {
  const CuteLayout layout = read(text);
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < size(layout); ++i) all.push_back(linear_index(layout, i));
  return all;
}

TEST_CASE("a layout counts through its modes from the left") {
  CHECK(indices("(2,4):(4,1)") == std::vector<std::int64_t>{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(indices("(2,(2,2)):(4,(2,1))") == std::vector<std::int64_t>{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(indices("8:2") == std::vector<std::int64_t>{0, 2, 4, 6, 8, 10, 12, 14});
  // 01_layout.md: coordinate 16, which is (1,5) and (1,(1,2)), is at 17.
  const CuteLayout nested = read("(3,(2,3)):(3,(12,1))");
  CHECK(linear_index(nested, 16) == 17);
  CHECK(linear_index(nested, std::array<std::int64_t, 2>{1, 5}) == 17);
  CHECK(rank(nested) == 2);
  CHECK(size(nested) == 18);
  CHECK(cosize(nested) == 21);
  CHECK(text(mode(nested, 1)) == "(2,3):(12,1)");
  CHECK(cosize(read("(4,8):(0,1)")) == 8);  // copies
}

TEST_CASE("a layout is read as CuTe prints it and as C++ writes it") {
  struct Means {
    const char *written, *means;
  };
  for (const Means& line : {
           Means{"(_8,_64):(_64,_1)", "(8,64):(64,1)"},
           Means{" ( 8 , 64 ) : ( 64 , 1 ) ;", "(8,64):(64,1)"},
           Means{"(8,64)", "(8,64):(1,8)"},
           Means{"(2,(3,4))", "(2,(3,4)):(1,(2,6))"},
           Means{"_32", "32:1"},
           Means{"Layout<Shape<_8,_64>,Stride<_64,_1>>{}", "(8,64):(64,1)"},
           Means{"cute::Layout<cute::Shape<cute::_4,cute::Int<8>>>", "(4,8):(1,4)"},
           Means{"make_layout(make_shape(Int<8>{}, 64), LayoutRight{})", "(8,64):(64,1)"},
           Means{"make_layout(Shape<_2,Shape<_3,_4>>{}, GenRowMajor{})", "(2,(3,4)):(12,(4,1))"},
           Means{"make_layout(make_shape(8,8), make_stride(C<9>{}, constant<int, 1>{}))",
                 "(8,8):(9,1)"},
           Means{"Layout<tuple<C<8>,C<8>>,tuple<C<1>,C<8>>>", "(8,8):(1,8)"},
           Means{"Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
           Means{"Sw<3,3,3> o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
           Means{"Sw<2,3,3> o 64 o (8,32):(32,1)", "Sw<2,3,3> o 64 o (8,32):(32,1)"},
           Means{"composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{})",
                 "Sw<3,3,3> o 0 o (8,64):(64,1)"},
           Means{"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
                 "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"},
           Means{"Sw<3,4,3> o smem_ptr[16b](0x7f1200000400) o (8,64):(64,1)",
                 "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"},
           Means{"ComposedLayout<Swizzle<2,4,3>, smem_ptr_flag_bits<8>, Layout<Shape<_8,_64>, "
                 "Stride<_64,_1>>>",
                 "Sw<2,4,3> o smem_ptr[8b](unset) o (8,64):(64,1)"},
           Means{"GMMA::Layout_K_SW128_Atom<half_t>{}",
                 "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"},
           Means{"cute::UMMA::Layout_MN_SW64_Atom<cutlass::float_e4m3_t>",
                 "Sw<2,4,3> o smem_ptr[8b](unset) o (64,8):(1,64)"},
           Means{"Layout_K_INTER_Atom_Bits", "Sw<0,4,3> o smem_ptr[1b](unset) o (8,128):(128,1)"},
           Means{"tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128,_128>{})",
                 "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,2)):((64,512),(1,8192))"},
           Means{"tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(128, 128), "
                 "Step<_2,_1>{})",
                 "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,2)):((64,1024),(1,512))"},
       }) {
    CHECK(text(read(line.written)) == line.means);
    CHECK(text(read(line.means)) == line.means);
    CHECK(is_cute_layout(line.written) == (std::string(line.written) != "_32"));
  }
  CHECK(is_cute_layout("64:1"));
  CHECK(is_cute_layout("_64:_1"));
  for (const char* words :
       {"mma.m16n8k16", ":1", "_:1", "m64:1", "16x8", "m16n8 s4", "SM80_16x8x16_F32F16F16F32_TN",
        "wmma::fragment<wmma::matrix_a, 16, 16, 16, half>", "", "SWIZZLE"})
    CHECK_FALSE(is_cute_layout(words));
}

TEST_CASE("CuTe's atoms for wgmma lie as the ISA's canonical layouts do") {
  const std::array<const char*, 4> names{"INTER", "SW32", "SW64", "SW128"};
  const std::array<const char*, 3> types{"int8_t", "half_t", "tfloat32_t"};
  for (const Swizzle how : kSwizzles)
    for (const Major major : {Major::K, Major::MN})
      for (std::size_t type = 0; type < types.size(); ++type) {
        const int bits = 8 << type;
        const Extent one = atom(how, major, bits);
        const int mn = one.mn * 3, k = one.k * 2;
        const std::string name = std::string("tile_to_shape(GMMA::Layout_") +
                                 (major == Major::K ? "K_" : "MN_") +
                                 names[static_cast<std::size_t>(how)] + "_Atom<" + types[type] +
                                 ">, (" + std::to_string(mn) + "," + std::to_string(k) + "))";
        CAPTURE(name);
        const CuteLayout layout = read(name);
        const Tile tile = packed(how, major, bits, mn, k);
        bool same = true;
        for (int row = 0; row < mn; ++row)
          for (int col = 0; col < k; ++col) {
            const std::int64_t at = linear_index(layout, std::array<std::int64_t, 2>{row, col});
            same = same && byte_of(layout, at, bits) == byte_offset(tile, row, col);
            same = same && byte_of(layout, at, bits, false) == linear_offset(tile, row, col);
          }
        CHECK(same);
      }
}

TEST_CASE("a swizzle is of the index, of a pointer into shared memory of its bytes") {
  const CuteLayout of_index = read("Sw<3,3,3> o 0 o (8,64):(64,1)");
  const CuteLayout of_bytes = read("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)");
  for (std::int64_t i = 0; i < 512; ++i) {
    CHECK(byte_of(of_index, i, 16) == byte_of(of_bytes, i, 16));
    CHECK(byte_of(of_bytes, i, 16) == swizzled(static_cast<std::uint32_t>(2 * i), Swizzle::b128));
  }
  CHECK(byte_of(of_index, 64, 32) == (64 ^ 8) * 4);  // of f32 the same swizzle does something else
  const CuteSwizzle back{2, 5, -2};                  // S < 0: the low bits into the high ones
  CHECK(back(32) == (32 ^ 32 << 2));
}

TEST_CASE("what is no layout is one line that says why") {
  struct Wrong {
    const char *written, *says;
  };
  for (const Wrong& line : {
           Wrong{"", "it ends where a number or a tuple is missing"},
           Wrong{"(8,64", "it ends where a ')' is missing behind a tuple"},
           Wrong{"(8,64):", "it ends where a number or a tuple is missing"},
           Wrong{"(8,64):(64)", "(8,64) and (64) are not tuples of the same form"},
           Wrong{"(8,64):64", "(8,64) and 64 are not tuples of the same form"},
           Wrong{"(8,64):(64,1) x", "'x' behind the layout"},
           Wrong{"(8,0):(64,1)", "the shape has the extent 0"},
           Wrong{"(8,M):(64,1)", "'M' is no number and no layout; numbers are wanted"},
           Wrong{"(1048576,2)", "more than 1048576 elements"},
           Wrong{"(99999999999)", "the number 99999999999 is too large"},
           Wrong{"(2,2):(999999999,1)", "indices of 268435456 and more"},
           Wrong{"(8,64):(1@0,1@1)", "a stride as 1@0 is of coordinates, for TMA"},
           Wrong{"Sw<3,4,2> o (8,64)", "Sw<3,4,2> is no swizzle"},
           Wrong{"Sw<3,4,3> o Sw<3,4,3> o (8,64)", "two swizzles"},
           Wrong{"Sw<3,4,3>", "there is no shape"},
           Wrong{"Sw<3,4,3> o smem_ptr[7b](unset) o (8,64)", "no element has '7' bits"},
           Wrong{"smem_ptr[16b](unset) o Sw<3,4,3> o (8,64)", "no layout"},
           Wrong{"(1,2) o (8,64)", "before a layout may stand a swizzle, an offset or smem_ptr"},
           Wrong{"GMMA::Layout_K_SW256_Atom<half_t>", "is no atom of shared memory"},
           Wrong{"GMMA::Layout_K_SW128_Atom<Element>", "'Element' is no type of elements"},
           Wrong{"tile_to_shape((8,64), (12,64))", "12 is no multiple of the atom's 8"},
           Wrong{"tile_to_shape((8,64), 64)", "wants a shape of 2 extents"},
           Wrong{"tile_to_shape((8,64), (8,64), Step<_1>)", "Step has 1 numbers, its shape 2"},
           Wrong{"((((((((((((((((((((8))))))))))))))))))))", "tuples within tuples, too many"},
       }) {
    CAPTURE(std::string(line.written));
    const std::string problem = read_cute_layout(line.written).problem;
    CAPTURE(problem);
    CHECK(problem.find(line.says) != problem.npos);
    CHECK(problem.find('\n') == problem.npos);
  }
}

TEST_CASE("a tuple alone") {
  CHECK(text(read_cute_tuple("Tile<_128,_256,_64>{}").tuple) == "(128,256,64)");
  CHECK(text(read_cute_tuple("make_shape(8, (2,4))").tuple) == "(8,(2,4))");
  CHECK(read_cute_tuple("(8,64):(64,1)").problem.find("no tuple of numbers") != std::string::npos);
  CHECK(read_cute_tuple("(8,").problem.find("it ends where") != std::string::npos);
}

TEST_CASE("layouts that are damaged are read or refused, and end") {
  std::mt19937 random(20261130);
  const std::vector<std::string> good{
      "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,2)):((64,512),(1,8192))",
      "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128,_128>{}, Step<_2,_1>{})",
      "composition(Swizzle<3,3,3>{}, make_layout(make_shape(Int<8>{},64), LayoutRight{}))",
      "zipped_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
      "left_inverse(raked_product((2,5):(5,1), complement((3,4):(1,6), 96)))",
      "get<1>(composition((12,(4,8)):(59,(13,1)), make_tile(3:4, 8)))"};
  const std::string signs = "()<>,:{}[]_-@ o0189SwL";
  int refused = 0, read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = good[random() % good.size()];
    for (auto left = 1 + random() % 3; left > 0; --left) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = signs[random() % signs.size()];
      else
        text.erase(at, 1 + random() % 4);
      if (text.empty()) text = "(";
    }
    const CuteReading reading = read_cute_layout(text);
    if (!reading.problem.empty()) {
      ++refused;
      continue;
    }
    ++read;
    CAPTURE(text);
    const std::int64_t last = size(reading.layout) - 1;
    CHECK(last >= 0);
    CHECK(linear_index(reading.layout, last) == cosize(reading.layout) - 1);
    CHECK(read_cute_layout(layout::text(reading.layout)).layout == reading.layout);
  }
  CHECK(refused > 1000);
  CHECK(read > 100);
}

}  // namespace
}  // namespace lanescope::layout
