// SPDX-License-Identifier: MIT
// A TiledMMA as one instruction: which element each thread's value is, reckoned here as CuTe's
// thrfrg_A, _B and _C divide a tile: by atoms, then by threads along each direction.
#include "layout/tiled_mma.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>

#include "layout/cute_layout.hpp"
#include "layout/query.hpp"

namespace lanescope::layout {
namespace {

struct Case {
  const char *words, *atom;
  std::array<int, 3> atoms, strides, tile;
};

// `first` and `second` are the operand's directions (0 m, 1 n, 2 k), in the order of its values.
void check_operand(const Case& c, const Instruction& atom, const Instruction& whole, char operand,
                   std::size_t first, std::size_t second) {
  const Fragment& one = *atom.operand(operand);
  const Fragment& all = *whole.operand(operand);
  const std::array<int, 3> size{atom.M, atom.N, atom.K};
  const int atom_count = c.atoms[0] * c.atoms[1] * c.atoms[2];
  const auto rest = [&](std::size_t d) { return c.tile[d] / (size[d] * c.atoms[d]); };
  CHECK(all.threads() == one.threads() * atom_count);
  REQUIRE(all.values == one.values * rest(first) * rest(second));
  bool same = true;
  for (int thread = 0; thread < all.threads(); ++thread)
    for (int value = 0; value < all.values; ++value) {
      const Element e = one.element(thread % one.threads(), value % one.values);
      const int group = thread / one.threads(), more = value / one.values;
      const auto place = [&](std::size_t d, int within, int turn) {
        return within + size[d] * (group / c.strides[d] % c.atoms[d] + c.atoms[d] * turn);
      };
      // B's rows are k, its columns n.
      const int in_first = operand == 'B' ? e.col : e.row;
      const int in_second = operand == 'B' ? e.row : e.col;
      const int a = place(first, in_first, more % rest(first));
      const int b = place(second, in_second, more / rest(first));
      const Element wanted = operand == 'B' ? Element{b, a} : Element{a, b};
      same = same && all.element(thread, value) == wanted;
    }
  CHECK(same);
  // Each element as often as the direction that it lacks has atoms, times what the atom repeats.
  std::map<std::pair<int, int>, int> held;
  for (const Held& each : register_layout(all)) ++held[{each.element.row, each.element.col}];
  CHECK(held.size() == static_cast<std::size_t>(all.rows * all.cols));
  const std::size_t lacks = 3 - first - second;
  for (const auto& [element, count] : held) CHECK(count == c.atoms[lacks]);
}

TEST_CASE("a tile's threads and values are those of CuTe's division") {
  for (const Case& c :
       {Case{"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{}, "
             "Tile<_32,_32,_16>{})",
             "SM80_16x8x16_F32F16F16F32_TN",
             {2, 2, 1},
             {1, 2, 4},
             {32, 32, 16}},
        Case{"TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, "
             "Layout<Shape<_2,_4,_1>,Stride<_4,_1,_0>>, Tile<_64,_64,_32>>",
             "SM80_16x8x16_F32F16F16F32_TN",
             {2, 4, 1},
             {4, 1, 1},
             {64, 64, 32}},
        Case{"cute::make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{}, (1,2,2))",
             "SM80_16x8x8_F32TF32TF32F32_TN",
             {1, 2, 2},
             {1, 1, 2},
             {16, 16, 16}},
        Case{"make_tiled_mma(mma.m16n8k32.s8.s8, (4,1,1))",
             "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
             {4, 1, 1},
             {1, 4, 4},
             {64, 8, 32}},
        Case{"make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN{})",
             "SM80_8x8x4_F64F64F64F64_TN",
             {1, 1, 1},
             {1, 1, 1},
             {8, 8, 4}}}) {
    CAPTURE(std::string(c.words));
    CHECK(is_tiled_mma(c.words));
    const TiledMma made = tiled_mma(c.words);
    CHECK(made.problem == "");
    REQUIRE(made.instruction != nullptr);
    const Instruction& whole = *made.instruction;
    const Instruction& atom = *look_up(c.atom).instructions.at(0);
    CHECK(std::array<int, 3>{whole.M, whole.N, whole.K} == c.tile);
    CHECK(whole.standing == Standing::derived);
    check_operand(c, atom, whole, 'A', 0, 2);
    check_operand(c, atom, whole, 'B', 1, 2);
    check_operand(c, atom, whole, 'D', 0, 1);
    // The same by the search, and by its own name.
    REQUIRE(look_up(c.words).count() == 1);
    const TiledMma again = tiled_mma(whole.mnemonic);
    CHECK(again.problem == "");
    REQUIRE(again.instruction != nullptr);
    CHECK(same_maps(*again.instruction, whole));
    CHECK(again.instruction->mnemonic == whole.mnemonic);
  }
}

// CUTLASS's thrfrg_A, _B and _C, step by step, in CuTe's own algebra: the tile divided as its
// permutations say, that by atoms, and of these the thread's.
TEST_CASE("a tile with permutations is what CuTe's algebra makes of it") {
  struct Permuted {
    const char* atom;
    std::array<int, 3> atoms;
    std::array<std::string, 3> lies;
    const char* tile;  // as C++ has it
  };
  const auto read = [](const std::string& text) {
    const CuteReading reading = read_cute_layout(text);
    REQUIRE(reading.problem == "");
    return reading.layout;
  };
  for (const Permuted& c :
       {Permuted{"SM80_16x8x16_F32F16F16F32_TN",
                 {2, 2, 1},
                 {"32:1", "(8,2,2):(1,16,8)", "16:1"},
                 "Tile<_32,Layout<Shape<_8,_2,_2>,Stride<_1,_16,_8>>,_16>"},
        Permuted{"SM80_16x8x16_F32F16F16F32_TN",
                 {4, 1, 1},
                 {"64:1", "(2,4,4):(1,8,2)", "(2,4,2,2):(1,4,2,16)"},
                 "make_tile(_, Layout<Shape<_2,_4,_4>,Stride<_1,_8,_2>>{}, (2,4,2,2):(1,4,2,16))"},
        Permuted{"SM80_16x8x8_F32TF32TF32F32_TN",
                 {2, 4, 1},
                 {"(16,2,2):(1,32,16)", "32:1", "(4,2):(2,1)"},
                 "(Layout<Shape<_16,_2,_2>,Stride<_1,_32,_16>>{}, Underscore, (4,2):(2,1))"}}) {
    const auto [m, n, k] = c.atoms;
    const std::string words = std::string("make_tiled_mma(") + c.atom + "{}, (" +
                              std::to_string(m) + "," + std::to_string(n) + "," +
                              std::to_string(k) + "), " + c.tile + ")";
    CAPTURE(words);
    const TiledMma made = tiled_mma(words);
    CHECK(made.problem == "");
    REQUIRE(made.instruction != nullptr);
    const Instruction& whole = *made.instruction;
    const Instruction& atom = *look_up(c.atom).instructions.at(0);
    const std::array<int, 3> size{atom.M, atom.N, atom.K};
    for (const char operand : {'A', 'B', 'D'}) {
      CAPTURE(operand);
      const std::size_t first = operand == 'B' ? 1 : 0, second = operand == 'D' ? 1 : 2;
      const Fragment& one = *atom.operand(operand);
      const Fragment& all = *whole.operand(operand);
      const std::int64_t rows = layout::size(read(c.lies[first]));
      const std::int64_t cols = layout::size(read(c.lies[second]));
      // ((AtomM,AtomN),(RestM,RestN)), to m + rows n.
      const std::string matrix = "(" + std::to_string(rows) + "," + std::to_string(cols) + ")";
      const CuteLayout tiles = read(
          "zipped_divide(logical_divide(" + matrix + ",<" + c.lies[first] + "," + c.lies[second] +
          ">),<" + std::to_string(size[first]) + "," + std::to_string(size[second]) + ">)");
      const std::array<int, 3> strides{1, m, m * n};
      const std::int64_t rests = rows / size[first];
      REQUIRE(all.threads() == one.threads() * m * n * k);
      bool same = true;
      for (int thread = 0; thread < all.threads(); ++thread)
        for (int value = 0; value < all.values; ++value) {
          const Element e = one.element(thread % one.threads(), value % one.values);
          const int group = thread / one.threads(), more = value / one.values;
          const auto turns = static_cast<int>(rests) / c.atoms[first];
          const auto tile = [&](std::size_t d, int turn) {
            return group / strides[d] % c.atoms[d] + c.atoms[d] * turn;
          };
          const int a = operand == 'B' ? e.col : e.row, b = operand == 'B' ? e.row : e.col;
          const std::int64_t at =
              linear_index(tiles, std::array<std::int64_t, 2>{
                                      a + size[first] * b, tile(first, more % turns) +
                                                               rests * tile(second, more / turns)});
          const int in_first = static_cast<int>(at % rows), in_second = static_cast<int>(at / rows);
          same = same &&
                 all.element(thread, value) ==
                     (operand == 'B' ? Element{in_second, in_first} : Element{in_first, in_second});
        }
      CHECK(same);
    }
    const TiledMma again = tiled_mma(whole.mnemonic);  // by its own name
    CHECK(again.problem == "");
    REQUIRE(again.instruction != nullptr);
    CHECK(same_maps(*again.instruction, whole));
    CHECK(again.instruction->mnemonic == whole.mnemonic);
  }
}

TEST_CASE("two warpgroups by wgmma: A and B in shared memory, D in registers") {
  const TiledMma made = tiled_mma(
      "make_tiled_mma(SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{}, "
      "Layout<Shape<_2,_1,_1>>{})");
  CHECK(made.problem == "");
  REQUIRE(made.instruction != nullptr);
  const Fragment& D = made.instruction->D;
  CHECK(D.threads() == 256);
  CHECK(D.rows == 128);
  CHECK(D.element(128, 0) == Element{64, 0});
  CHECK(D.element(130, 5) == Element{64 + D.element(2, 5).row, D.element(2, 5).col});
}

TEST_CASE("what is no such tile is one line") {
  struct Wrong {
    const char *words, *says;
  };
  for (const Wrong& line :
       {Wrong{"make_tiled_mma(", "its last bracket is missing"},
        Wrong{"make_tiled_mma()", "no atom is called ''"},
        Wrong{"make_tiled_mma(nonsense)", "no atom is called 'nonsense'"},
        Wrong{"make_tiled_mma(make_tiled_mma(mma))", "no atom is called"},
        Wrong{"make_tiled_mma(mma)", "and others: name one of them"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (3,1,1))", "3 atoms along m are no power of two"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1):(1,4,0))", "leaves threads out"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, 2)", "no layout of atoms along m, n and k"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,M,1))", "'M' is no number"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), (32,24,32))", "24 along n is not the"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), Tile<Layout<_2>,_32,_32>)",
              "2 along m is not the atoms' 32"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), Tile<_32,_32>)",
              "no tile of three numbers"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), 32)", "no tile of three numbers"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), (32,(8,4):(1,16),32))",
              "(8,4):(1,16) along n is no permutation of 32"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), (32,(8,4):(1,4),32))",
              "(8,4):(1,4) along n is no permutation of 32"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), (32,Sw<1,3,1> o (8,4),32))",
              "is no permutation of 32"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (2,2,1), (32,(8,M):(1,8),32))",
              "'M' is no number"},
        Wrong{"make_tiled_mma(wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16, (1,1,1), "
              "(64,(8,3):(3,1),16))",
              "extents and strides that are powers of two"},
        Wrong{"make_tiled_mma(wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16, (1,1,1), "
              "(64,(3,8):(8,1),16))",
              "extents and strides that are powers of two"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (8,8,1))", "more than 256 threads"},
        Wrong{"make_tiled_mma(mma.m16n8k32.s8.s8, (1,1,1), (512,256,32))", "more than 256 values"},
        Wrong{"make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN)", "which have no tile here"},
        Wrong{"make_tiled_mma(a,b,c,d)", "no more"},
        Wrong{"make_tiled_mma(wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16, (1,1,1), "
              "(64,48,16))",
              "12 values a thread are no power of two"}}) {
    CAPTURE(std::string(line.words));
    const TiledMma made = tiled_mma(line.words);
    CAPTURE(made.problem);
    CHECK(made.instruction == nullptr);
    CHECK(made.problem.find(line.says) != std::string::npos);
    CHECK(look_up(line.words).count() == 0);
    CHECK(not_in_atlas(line.words) == made.problem);
  }
  CHECK_FALSE(is_tiled_mma("mma.m16n8k16"));
}

}  // namespace
}  // namespace lanescope::layout
