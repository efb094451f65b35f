// SPDX-License-Identifier: MIT
// A layout of CuTe's as it is asked for: words, what is said of it, and what is refused.
#include "panels/forms/cute_tile.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace lanescope::viz {
namespace {

CuteTile tile(const std::string& words) {
  CuteTile made;
  CAPTURE(words);
  REQUIRE(read_words(words, made) == "");
  return made;
}

TEST_CASE("words of a layout are read, and are written so that they are read again") {
  struct Means {
    const char *words, *again;
    int bits;
  };
  for (const Means& line : {Means{"(8,64):(64,1)", "(8,64):(64,1)", 16},
                            Means{"(8,64):(64,1) bits=32", "(8,64):(64,1) bits=32", 32},
                            Means{"GMMA::Layout_K_SW64_Atom<int8_t>",
                                  "Sw<2,4,3> o smem_ptr[8b](unset) o (8,64):(64,1)", 8},
                            Means{"  (16,64):(72,1)   access=A mma.m16n8k16.f32.f16 ",
                                  "(16,64):(72,1) access=A mma.m16n8k16.f32.f16", 16},
                            Means{"(16,64):(64,1) access=((8,16),8):((128,1),16) bits=8",
                                  "(16,64):(64,1) bits=8 access=((8,16),8):((128,1),16)", 8}}) {
    const CuteTile made = tile(line.words);
    CHECK(made.matrix.bits == line.bits);
    CHECK(words_of(made) == line.again);
    CHECK(tile(line.again) == made);
  }
  CHECK(tile("(16,64):(64,1) access=A mma.m16n8k16.f32.f16").asked[0].moved.values == 8);
  CHECK(tile("(16,64):(64,1) access=((8,16),8):((128,1),16)").asked[0].moved.threads == 128);
  const std::string copy =
      "(16,64):(64,1) access=make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, "
      "Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})";
  CHECK(words_of(tile(copy)) == copy);
  CHECK(accesses_of(tile(copy), true)[0].name ==
        "TiledCopy (16,8):(8,1), (1,8):(1,1), 16 bytes a lane");
}

TEST_CASE("every tile of wgmma's is one of CuTe's, byte for byte") {
  for (const std::string mode : {"none", "32B", "64B", "128B", "128B/32B"})
    for (const layout::Major major : {layout::Major::K, layout::Major::MN})
      for (const int bits : {8, 16, 32}) {
        TileForm form;
        form.major = major;
        form.bits = bits;
        REQUIRE(set_mode(mode, form));
        if (form.bits != bits || form.major != major) continue;  // 128B/32B is of one kind alone
        form.rows = atom_of(form).mn * 2;
        form.cols = atom_of(form).k * 4;
        const CuteTile made = tile(cute_words(form));
        const layout::Tile t = tile_of(form);
        bool same = true;
        for (int mn = 0; mn < form.rows; ++mn)
          for (int k = 0; k < form.cols; ++k)
            same = same && layout::byte_of(made.matrix, mn, k) == layout::byte_offset(t, mn, k);
        CAPTURE(words_of(form));
        CHECK(same);
        // "wgmma reads it: mode 128B, K-major": the same mode is found in it again.
        const std::string found = facts_of(made).back();
        CHECK(found.find("reads it: mode " + mode + ", ") != found.npos);
      }
}

TEST_CASE("what is said of it") {
  CHECK(facts_of(tile("(8,64):(64,1)")) ==
        std::vector<std::string>{"8 x 64 elements of 16 bits, in 1024 bytes",
                                 "neighbours of a row lie next to each other",
                                 "no descriptor of wgmma describes it"});
  CHECK(facts_of(tile("(8,8,3):(0,1,64)"))[3] == "(1,0) lies where (0,0) does");
  CHECK(facts_of(tile("(8,8,3):(0,1,64)"))[1].find("coordinate 0") != std::string::npos);
  const CuteTile plain = tile("(64,64):(64,1) access=A mma.m16n8k16.f32.f16");
  const auto all = accesses_of(plain, true);
  REQUIRE(all.size() == 5);
  CHECK(all[0].name == "A mma.m16n8k16.f32.f16, 4 bytes a lane");
  CHECK(passes_text(all[0]) == "8 passes");
  CHECK(clash_text(plain, all[0], true) == "(0,0), (1,0), (2,0), (3,0) and 4 more want bank 0");
  CHECK(passes_text(all[1]) == "8 passes for each 8 lanes");
  CHECK(passes_text(all[3]) == "1 pass: no conflict");
  CHECK(clash_text(plain, all[3], true) == "");
  CHECK(passes_text(accesses_of(tile("(8,9):(9,1)"), true)[0]).rfind("not possible: ", 0) == 0);
  const PlaceFacts facts = place_facts(plain, 3, 5, true);
  CHECK(facts.title == "(3, 5)");
  CHECK(facts.where == "byte 394, bank 2");
  CHECK(facts.lines.front() == "row 3: 3*64 = 192");
}

TEST_CASE("several accesses, and the layouts in which all of them take one pass") {
  const CuteTile two =
      tile("(64,64):(64,1) access=A mma.m16n8k16.f32.f16 access=((8,16),8):((512,1),64)");
  REQUIRE(two.asked.size() == 2);
  const auto all = accesses_of(two, true);
  REQUIRE(all.size() == 6);
  CHECK(all[1].name == "((8,16),8):((512,1),64), 16 bytes a lane");
  const Remedies remedies = remedies_of(two);
  CHECK(remedies.needed);
  const std::vector<CuteRemedy>& found = remedies.found;
  REQUIRE(found.size() == 2);
  CHECK(found[0].words ==
        "Sw<3,3,3> o 0 o (64,64):(64,1) access=A mma.m16n8k16.f32.f16 "
        "access=((8,16),8):((512,1),64)");
  CHECK(found[0].layout == "Sw<3,3,3> o 0 o (64,64):(64,1)");
  CHECK(found[0].what == "wgmma's 128B, K-major");
  CHECK(found[1].what == "1008 bytes more");
  for (const CuteRemedy& remedy : found)
    for (std::size_t i = 0; i < 2; ++i) CHECK(accesses_of(tile(remedy.words), true)[i].most == 1);
  CHECK(remedies.of ==
        "A mma.m16n8k16.f32.f16, 4 bytes a lane and ((8,16),8):((512,1),64), 16 bytes a lane");
  CHECK(remedies_of(tile("(64,64):(64,1)")).of == "ldmatrix and 16 bytes a lane");
  CHECK_FALSE(remedies_of(tile("(64,64):(72,1)")).needed);
  // Down a column of 16-bit elements whose 16 bytes stay together: there is none, and that is said.
  const Remedies none = remedies_of(
      tile("(64,64):(64,1) access=((64,64),1):((1,64),0) access=((8,16),8):((512,1),64)"));
  CHECK(none.needed);
  CHECK(none.found.empty());
}

TEST_CASE("what cannot be is one line, and changes nothing") {
  const CuteTile before = tile("(8,64):(64,1) bits=32");
  struct Wrong {
    const char *words, *says;
  };
  for (const Wrong& line :
       {Wrong{"(8,64):(64", "a ')' is missing"}, Wrong{"(8,64) bits=12", "bits=12: 4, 8, 16, 32"},
        Wrong{"(8,64) bits=", "bits=: 4, 8"}, Wrong{"(8,64) bits=x", "bits=x"},
        Wrong{"GMMA::Layout_K_SW64_Atom<int8_t> bits=16", "the layout says 8 bits, bits= says 16"},
        Wrong{"(2048,2)", "a matrix of 2048 x 2: at most 1024 each"},
        Wrong{"(1024,512)", "a matrix of 1048576 bytes: a block has 232448"},
        Wrong{"(8,64) access=Q mma", "access=Q mma: an operand and its instruction"},
        Wrong{"(8,64) access=A", "an operand and its instruction"},
        Wrong{"(8,64) access=", "access=: an operand and its instruction"},
        Wrong{"(8,64) access=A mma.m16n8k8.f32.f16 access=B nonsense", "no instruction 'nonsense'"},
        Wrong{"(8,64) access=A nonsense", "no instruction 'nonsense' has one A in registers"},
        Wrong{"(8,64) access=A wgmma", "name one of them"},
        Wrong{"(8,64) access=make_tiled_copy(1)", "access=: TiledCopy: it has an atom"},
        Wrong{"(8,64) access=A mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
              "has one A in registers"},
        Wrong{"(8,64) access=((4,8),2", "access=: layout '((4,8),2'"},
        Wrong{"(8,64) access=(4,8,2):(1,4,32)", "has two modes, and indices below 512"},
        Wrong{"(8,64) access=(32,32):(1,32)", "has two modes, and indices below 512"}}) {
    CuteTile now = before;
    const std::string problem = read_words(line.words, now);
    CAPTURE(std::string(line.words));
    CAPTURE(problem);
    CHECK(problem.empty() == (line.says[0] == '\0'));
    CHECK(problem.find(line.says) != problem.npos);
    CHECK(problem.find('\n') == problem.npos);
    if (!problem.empty()) CHECK(now == before);
  }
}

}  // namespace
}  // namespace lanescope::viz
