// SPDX-License-Identifier: MIT
// Matrices in shared memory that a layout of CuTe's describes: banks, reckoned here lane by lane,
// and what wgmma's descriptors say of the same tile.
#include "layout/shared_matrix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::layout {
namespace {

SharedMatrix matrix(const std::string& text, int bits) {
  const CuteReading reading = read_cute_layout(text);
  CAPTURE(text);
  REQUIRE(reading.problem == "");
  return {reading.layout, bits};
}

const WarpAccess& access(const std::vector<WarpAccess>& all, const std::string& begin) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const WarpAccess& each) {
    return each.name.rfind(begin, 0) == 0;
  });
  REQUIRE(found != all.end());
  return *found;
}

// The most words that any bank is asked for.
int by_hand(const std::vector<std::int64_t>& words) {
  std::map<std::int64_t, std::set<std::int64_t>> wanted;
  std::size_t most = 0;
  for (const std::int64_t word : words) {
    wanted[word % 32].insert(word);
    most = std::max(most, wanted[word % 32].size());
  }
  return static_cast<int>(most);
}

TEST_CASE("rows of 128 bytes: eight lanes of ldmatrix share banks, and do not with a swizzle") {
  const auto plain = warp_accesses(matrix("(64,64):(64,1)", 16));
  CHECK(access(plain, "ldmatrix").most == 8);
  CHECK(access(plain, "ldmatrix").least == 8);
  CHECK(access(plain, "16 bytes").most == 1);
  CHECK(access(plain, "an element a lane, along").most == 1);
  CHECK(access(plain, "an element a lane, down").most == 32);
  const SharedMatrix swizzled = matrix("Sw<3,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)", 16);
  CHECK(access(warp_accesses(swizzled), "ldmatrix").most == 1);
  CHECK(access(warp_accesses(swizzled), "an element a lane, down").most == 4);
  CHECK(access(warp_accesses(swizzled, false), "ldmatrix").most == 8);  // before swizzling
  // Padded by eight elements instead.
  CHECK(access(warp_accesses(matrix("(64,64):(72,1)", 16)), "ldmatrix").most == 1);
  // By one: nothing begins at a multiple of 16.
  const auto odd = warp_accesses(matrix("(32,32):(33,1)", 32));
  CHECK(access(odd, "an element a lane, down").most == 1);
  CHECK(access(odd, "ldmatrix").most == 0);
  CHECK(access(odd, "ldmatrix").none.find("from (1,0) on are not 4 neighbours") !=
        std::string::npos);
  // Columns that are contiguous: .trans, of 16-bit elements.
  CHECK(access(warp_accesses(matrix("(64,64)", 16)), "ldmatrix.trans").most == 8);
  CHECK(access(warp_accesses(matrix("(64,64)", 32)), "ldmatrix.trans").none ==
        "of 16-bit elements alone");
}

TEST_CASE("a fragment's lanes, counted by hand") {
  const Instruction* mma = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  for (const char* text : {"(32,32):(32,1)", "(32,32):(40,1)", "(32,32):(34,1)", "(32,32):(1,32)",
                           "Sw<2,3,3> o 0 o (32,32):(32,1)"})
    for (const char operand : {'A', 'B'}) {
      CAPTURE(std::string(text));
      CAPTURE(operand);
      const SharedMatrix m = matrix(text, 16);
      const Fragment& f = *mma->operand(operand);
      const bool transposed = operand == 'B';
      const WarpAccess found = warp_access(m, thread_values(f));
      REQUIRE(found.none == "");
      const bool pairs = run_of(m) == Run::along_row;  // two of k are a register
      CHECK(found.name == (pairs ? "4 bytes a lane" : "2 bytes a lane"));
      int least = 99, most = 0;
      for (int row = 0; row < 32; row += transposed ? 8 : 16)
        for (int col = 0; col < 32; col += 16)
          for (int value = 0; value < f.values; value += pairs ? 2 : 1) {
            std::vector<std::int64_t> words;
            for (int lane = 0; lane < 32; ++lane) {
              const Element e = f.element(lane, value);
              words.push_back((transposed ? byte_of(m, row + e.col, col + e.row)
                                          : byte_of(m, row + e.row, col + e.col)) /
                              4);
            }
            least = std::min(least, by_hand(words));
            most = std::max(most, by_hand(words));
          }
      CHECK(found.least == least);
      CHECK(found.most == most);
    }
  const SharedMatrix d = matrix("(64,64):(64,1)", 32);
  CHECK(warp_access(d, thread_values(mma->D)).name == "8 bytes a lane");
  CHECK(warp_access(d, thread_values(mma->D)).lanes == 16);
  CHECK(warp_access(d, thread_values(mma->A)).none.find("16 bits") != std::string::npos);
  CHECK(warp_access(matrix("(8,8)", 16), thread_values(mma->A)).none ==
        "8 x 8 has no room for 16 x 16");
}

TEST_CASE("swizzles and paddings that take every access in one pass") {
  const SharedMatrix m = matrix("(64,64):(64,1)", 16);
  const auto all = warp_accesses(m);
  const std::vector<WarpAccess> wanted{access(all, "ldmatrix"), access(all, "16 bytes")};
  const auto found = remedies(m, wanted);
  REQUIRE(found.size() == 2);  // eight rows: no other three bits
  CHECK(text(found[0].matrix.layout) == "Sw<3,3,3> o 0 o (64,64):(64,1)");  // 128B
  CHECK(as_tile(found[0].matrix)->mode == Swizzle::b128);
  CHECK(text(found[1].matrix.layout) == "(64,64):(72,1)");
  CHECK(found[1].more_bytes == 63 * 16);
  for (const Remedy& remedy : found)
    for (const WarpAccess& each : warp_accesses(remedy.matrix))
      if (each.name == wanted[0].name || each.name == wanted[1].name) CHECK(each.most == 1);
  // Of bytes, where the layout's swizzle is; whatever swizzle it has now.
  const SharedMatrix of_bytes = matrix("Sw<1,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)", 16);
  CHECK(text(remedies(of_bytes, wanted)[0].matrix.layout) ==
        "Sw<3,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)");
  // f32 by rows and by columns: five bits, or a word more a row.
  const SharedMatrix words = matrix("(32,32):(32,1)", 32);
  const auto both = warp_accesses(words);
  const auto by_words = remedies(
      words, {access(both, "an element a lane, along"), access(both, "an element a lane, down")});
  REQUIRE(by_words.size() >= 2);
  CHECK(text(by_words[0].matrix.layout) == "Sw<5,0,5> o 0 o (32,32):(32,1)");
  CHECK(text(by_words.back().matrix.layout) == "(32,32):(33,1)");
  // 32 rows of one column, and 16 bytes that stay together: eight places, four passes at least.
  CHECK(remedies(m, {wanted[0], access(all, "an element a lane, down")}).empty());
  // Rows that lie in the same place are not drawn apart.
  for (const Remedy& remedy : remedies(matrix("(64,64):(0,1)", 16), wanted))
    CHECK(remedy.more_bytes == 0);
}

TEST_CASE("who is served together, and who wants the same bank") {
  const SharedMatrix m = matrix("(64,64):(64,1)", 16);
  const auto all = warp_accesses(m);
  // ldmatrix: rows 8 to 15 of columns 8 to 15; every row begins 128 bytes after the one before.
  const auto rows = served_with(m, access(all, "ldmatrix"), 10, 13);
  REQUIRE(rows.size() == 8);
  for (int i = 0; i < 8; ++i) {
    CHECK(rows[static_cast<std::size_t>(i)].first == Element{8 + i, 8});
    CHECK(rows[static_cast<std::size_t>(i)].clashes == (i != 2));
  }
  // Two neighbours of 16 bits want the same word.
  const auto along = served_with(m, access(all, "an element a lane, along"), 0, 33);
  REQUIRE(along.size() == 32);
  CHECK(along.front().first == Element{0, 32});
  CHECK(along[1].lane == 1);
  for (const ServedLane& lane : along) CHECK_FALSE(lane.clashes);
  const auto worst = worst_clash(m, access(all, "an element a lane, down"));
  CHECK(worst.size() == 32);
  CHECK(worst_clash(m, access(all, "16 bytes")).empty());
  // A fragment: lanes of a column of A, whose rows are 128 bytes apart.
  const Fragment& a = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")->A;
  const WarpAccess of_a = warp_access(m, thread_values(a));
  CHECK(of_a.most == 8);
  const auto with = served_with(m, of_a, 16 + 9, 5);  // lane 6, its second register
  CHECK(with.size() == 32);
  CHECK(with[6].first == Element{16 + 9, 4});
  for (const ServedLane& lane : with) CHECK(lane.clashes == (lane.lane != 6 && lane.lane % 4 == 2));
}

TEST_CASE("threads and values of a layout of one's own") {
  // 128 threads fill 16 x 64, eight neighbours each: eight threads a row.
  const CuteLayout threads = read_cute_layout("((8,16),8):((128,1),16)").layout;
  const ThreadValues moved = thread_values(threads, 16, 64);
  CHECK(moved.at(1, 2) == Element{0, 10});
  CHECK(moved.at(9, 0) == Element{1, 8});
  const WarpAccess plain = warp_access(matrix("(16,64):(64,1)", 16), moved);
  CHECK(plain.name == "16 bytes a lane");
  CHECK(plain.lanes == 8);
  CHECK(plain.most == 1);  // each eight lanes have a row
  // Column after column of units: eight lanes in eight rows.
  const CuteLayout down = read_cute_layout("((16,8),8):((1,128),16)").layout;
  CHECK(warp_access(matrix("(16,64):(64,1)", 16), thread_values(down, 16, 64)).most == 8);
  CHECK(
      warp_access(matrix("Sw<3,3,3> o 0 o (16,64):(64,1)", 16), thread_values(down, 16, 64)).most ==
      1);
}

TEST_CASE("wgmma's tiles are recognised, with the strides of their descriptors") {
  for (const Swizzle how : kSwizzles)
    for (const Major major : {Major::K, Major::MN})
      for (const int bits : {8, 16, 32}) {
        const Extent one = atom(how, major, bits);
        const Tile tile = packed(how, major, bits, 2 * one.mn, 4 * one.k);
        const std::string name =
            std::string("tile_to_shape(GMMA::Layout_") + (major == Major::K ? "K_" : "MN_") +
            (how == Swizzle::none  ? "INTER"
             : how == Swizzle::b32 ? "SW32"
             : how == Swizzle::b64 ? "SW64"
                                   : "SW128") +
            "_Atom<" +
            (bits == 8    ? "int8_t"
             : bits == 16 ? "half_t"
                          : "float") +
            ">, (" + std::to_string(2 * one.mn) + "," + std::to_string(4 * one.k) + "))";
        CAPTURE(name);
        const auto found = as_tile(matrix(name, bits));
        REQUIRE(found.has_value());
        CHECK(found->mode == how);
        CHECK(found->major == major);
        CHECK(found->sbo_bytes == tile.sbo_bytes);
        CHECK(found->lbo_bytes == tile.lbo_bytes);
      }
  const auto wide =
      as_tile(matrix("tile_to_shape(UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>, (64,8))", 32));
  REQUIRE(wide.has_value());
  CHECK(wide->wide);
  CHECK(wide->lbo_bytes == packed_wide(64, 8).lbo_bytes);
  CHECK(wide->sbo_bytes == packed_wide(64, 8).sbo_bytes);
  // Atoms the other way round: other strides, the same mode.
  const auto other = as_tile(
      matrix("tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>, (128,64), Step<_2,_1>)", 16));
  REQUIRE(other.has_value());
  CHECK(other->sbo_bytes == 1024);
  CHECK(other->lbo_bytes == 8 * 1024);
  CHECK_FALSE(as_tile(matrix("(64,64):(64,1)", 16)).has_value());  // rows of 128 bytes, unswizzled
  CHECK_FALSE(as_tile(matrix("(64,64):(72,1)", 16)).has_value());
  CHECK_FALSE(as_tile(matrix("Sw<2,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)", 16)).has_value());
}

TEST_CASE("what a matrix is, and how a byte comes about") {
  const SharedMatrix m =
      matrix("Sw<3,4,3> o smem_ptr[16b](unset) o ((8,2),64,3):((64,512),1,1024)", 16);
  CHECK(rows(m) == 16);
  CHECK(cols(m) == 64);
  CHECK(bytes_of(m) == 2048);
  CHECK(run_of(m) == Run::along_row);
  CHECK_FALSE(clash(m).has_value());
  CHECK(derivation(m, 11, 20) ==
        std::vector<std::string>{"row 11 is (3,1): 3*64 + 1*512 = 704", "col 20: 20*1 = 20",
                                 "index 724", "16 bits each: byte 1448",
                                 "Sw<3,4,3>: bits 7 to 9, 3, into those from bit 4 on: byte 1448 ^ "
                                 "48 = 1432"});
  CHECK(byte_of(m, 11, 20) == 1432);
  CHECK(units_of(m)[9].name == "(1,0..7)");  // unit 0 of row 1 changed places with unit 1
  const SharedMatrix twice = matrix("(4,4):(0,1)", 32);
  REQUIRE(clash(twice).has_value());
  CHECK(clash(twice)->row == 1);
  CHECK(clash(twice)->other_row == 0);
  CHECK(rows(matrix("64", 16)) == 1);
  CHECK(cols(matrix("64", 16)) == 64);
  CHECK(units_of(matrix("(4,4):(1,4)", 32))[1].name == "(0..3,1)");
  const auto apart = units_of(matrix("(2,2):(1,8)", 32));
  REQUIRE(apart.size() == 3);
  CHECK(apart[0].name == "(0..1,0)");
  CHECK(apart[1].name == "");
  CHECK(apart[1].row == -1);
  CHECK(apart[2].name == "(0..1,1)");
  CHECK(apart[2].col == 1);
}

}  // namespace
}  // namespace lanescope::layout
