// SPDX-License-Identifier: MIT
// Swizzled tiles and descriptors as the panels ask for them. Expected numbers are worked out by
// hand: a row of a 128 B atom is 128 bytes, its 16-byte units are XORed with the row.
#include "panels/forms/tile_form.hpp"

#include <doctest/doctest.h>

#include <map>

namespace lanescope::viz {
namespace {

using layout::Major;
using layout::Swizzle;

TEST_CASE("an element says its byte, its bank, and what the swizzle did") {
  const TileForm form;  // 128B K 16 8x64
  const PlaceFacts facts = place_facts(form, 3, 5, true);
  // Row 3: 384; unit 0 ^ 3 = 3: 48; element 5: 10.
  CHECK(facts.where == "byte 442, bank 14");
  CHECK(facts.lines[0] == "line 3, unit 3 of 8, byte 10 of 16");
  CHECK(facts.lines[1] == "before swizzling: byte 394");
  CHECK(facts.lines[2] == "unit 0 ^ (line 3 & 7) = unit 3");
  CHECK(place_facts(form, 3, 5, false).where == "byte 394, bank 2");
}

TEST_CASE("eight rows of one 16-byte column: the swizzle is what keeps them apart") {
  // Rows lie 16, 32, 64, 128 bytes apart: without the swizzle 1, 2, 4, 8 of them meet in a bank.
  const std::map<Swizzle, int> before{
      {Swizzle::none, 1}, {Swizzle::b32, 2}, {Swizzle::b64, 4}, {Swizzle::b128, 8}};
  for (const Major major : {Major::K, Major::MN})
    for (const int bits : {8, 16, 32})
      for (const auto& [mode, count] : before) {
        TileForm form{mode, major, bits, 1, 1};
        const layout::Extent a = layout::atom(mode, major, bits);
        form.rows = a.mn;
        form.cols = a.k;
        CAPTURE(words_of(form));
        const Units units = units_of(form);
        CHECK(units.blocks == 1);
        CHECK(units.units == layout::units_per_row(mode));
        for (int unit = 0; unit < units.units; ++unit) {
          CHECK(eight_lanes(tile_of(form), 0, unit, false).passes == count);
          CHECK(eight_lanes(tile_of(form), 0, unit, true).passes == 1);
        }
      }
}

TEST_CASE("atoms of 32 bytes: what they are for, where an element lies and why") {
  TileForm form;
  REQUIRE(read_words("128B/32B 64x8", form) == "");
  CHECK(words_of(form) == "128B/32B MN 32 64x8");
  CHECK(atom_of(form).mn == 32);
  CHECK(atom_of(form).k == 4);
  const PlaceFacts facts = place_facts(form, 10, 6, true);
  // Atom (0, 1): 1024; column 2 of it: 256; atom 1 ^ 2 = 3: 96; element 2 of 8: 8.
  CHECK(facts.where == "byte 1384, bank 26");
  CHECK(facts.lines[1] == "before swizzling: byte 1320");
  CHECK(facts.lines[2] == "atom 1 ^ (line 10 & 3) = atom 3, of 32 bytes");
  REQUIRE(read_words("64B", form) == "");  // another mode: not of 32-bit MN-major tiles
  CHECK(words_of(form) == "64B MN 16 64x8");
  for (const char* words : {"128B/32B K", "128B/32B 16"}) {
    CHECK(read_words(words, form).find("MN-major tiles of 32-bit") != std::string::npos);
    CHECK_FALSE(form.wide);
  }
}

TEST_CASE("memory has every unit once, in both orders") {
  for (const bool applied : {true, false})
    for (const char* words : {"128B K 16 64x128", "64B MN 16 64x24", "none K 8 24x48",
                              "32B K 32 8x8", "128B K 16 3x5", "none MN 16 1x1", "128B/32B 64x8"}) {
      TileForm form;
      REQUIRE(read_words(words, form) == "");
      const layout::Tile tile = tile_of(form);
      const std::vector<UnitAt> memory = memory_order(tile, applied);
      int there = 0;
      for (std::size_t at = 0; at < memory.size(); ++at) {
        if (memory[at].mn < 0) continue;
        ++there;
        CHECK(offset_of(tile, memory[at].mn, memory[at].k, applied) / 16 == at);
      }
      const bool K = form.major == Major::K;
      CAPTURE(words);
      CHECK(there == (K ? form.rows : form.cols) * units_of(form).units);
    }
}

TEST_CASE("words make a tile and a tile its words") {
  TileForm form;
  for (const char* words : {"128B K 16 8x64", "none MN 8 1024x1024", "32B K 32 1x1"}) {
    CHECK(read_words(words, form) == "");
    CHECK(words_of(form) == words);
  }
  CHECK(read_words("64 mn", form) == "");  // the rest stays
  CHECK(words_of(form) == "64B MN 32 1x1");
  CHECK(read_words("", form) == "");
}

TEST_CASE("nonsense changes nothing and says why") {
  for (const char* words : {"256B", "K 17", "0x8", "8x0", "1025x8", "-1x8", "8x", "x", "8x8x8",
                            "99999999999x8", "%s%n", "\xff", "sbo=512"}) {
    TileForm form;
    const std::string why = read_words(words, form);
    CAPTURE(words);
    CHECK_FALSE(why.empty());
    CHECK(why.find('\n') == std::string::npos);
    CHECK(form == TileForm{});
  }
  int side = 7;
  for (const char* typed : {"", " ", "0", "-3", "1025", "8x", "1e3", "99999999999999999999"}) {
    CAPTURE(typed);
    CHECK_FALSE(read_side("rows", typed, side).empty());
    CHECK(side == 7);
  }
  CHECK(read_side("rows", "1024", side).empty());
  CHECK(side == 1024);
}

TEST_CASE("the right descriptor fetches every element of every step from where it lies") {
  for (const Swizzle mode : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128})
    for (const Major major : {Major::K, Major::MN})
      for (const int bits : {8, 16, 32}) {
        if (major == Major::MN && bits != 16) continue;
        DescriptorForm form{{mode, major, bits, 128, 128}, 0, 0};
        REQUIRE(descriptor_problem(form.tile) == "");
        for (form.step = 0; form.step < steps_of(form.tile); ++form.step) {
          form.bits = right_bits(form.tile, form.step);
          CAPTURE(words_of(form));
          const Fetch all = fetch(form);
          CHECK(all.wrong == 0);
          CHECK(all.rows * all.cols == 128 * k_of_step(form.tile));
        }
      }
}

TEST_CASE("a halved SBO fetches row 4 for row 8, and says so") {
  DescriptorForm form;
  // start 1024, LBO 16, SBO 1024 (all >> 4), mode 1 in bits 63:62.
  CHECK(right_bits(form.tile, 0) == 0x4000004000010040u);
  form.bits = right_bits(form.tile, 0);
  REQUIRE(set_field("sbo", "512", form.bits) == "");
  CHECK(form.bits == 0x4000002000010040u);
  const Fetch all = fetch(form);
  CHECK(all.wrong == 64 * 16 - 8 * 16);  // the first eight rows need no stride
  CHECK(all.at(7, 15).good());
  CHECK(all.at(8, 0).mn == 4);
  CHECK(all.at(8, 0).k == 0);
  const PlaceFacts facts = fetch_facts(form, all, 8, 0);
  CHECK(facts.lines[1] == "there lies (4, 0)");
  // A start outside of the tile: nothing of it.
  REQUIRE(set_field("start", "0", form.bits) == "");
  CHECK(fetch_facts(form, fetch(form), 0, 0).lines[1] == "there is nothing of this tile");
}

TEST_CASE("fields that cannot be are refused and change nothing") {
  const std::uint64_t before = 0x4000004000010040u;
  std::uint64_t bits = before;
  CHECK(set_field("lbo", "17", bits) == "lbo 17: must be a multiple of 16");
  CHECK(set_field("sbo", "262144", bits).find("at most 262128") != std::string::npos);
  CHECK(set_field("base", "8", bits).find("0 to 7") != std::string::npos);
  for (const char* value : {"", "x", "-16", "0x", "99999999999", "16 ", "%n"}) {
    CAPTURE(value);
    CHECK_FALSE(set_field("start", value, bits).empty());
    CHECK_FALSE(set_field("mode", value, bits).empty());
  }
  CHECK_FALSE(set_field("colour", "1", bits).empty());
  CHECK_FALSE(read_hex("0x12345678123456781", bits).empty());
  CHECK_FALSE(read_hex("0x", bits).empty());
  CHECK_FALSE(read_hex("12 34", bits).empty());
  CHECK(bits == before);
  CHECK(set_field("start", "0x400", bits).empty());
  CHECK(bits == before);
  CHECK(read_hex("ffffffffffffffff", bits).empty());
  CHECK(bits == ~std::uint64_t{0});
}

TEST_CASE("bits of no field stay when a field is changed") {
  std::uint64_t bits = std::uint64_t{1} << 60;
  CHECK(set_field("lbo", "32", bits).empty());
  CHECK(bits == ((std::uint64_t{1} << 60) | std::uint64_t{2} << 16));
}

TEST_CASE("any 64 bits can be tried on any tile") {
  std::uint64_t random = 20261120;
  for (int trial = 0; trial < 200; ++trial) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    DescriptorForm form;
    form.bits = random ^ random >> 29;
    const Fetch all = fetch(form);
    REQUIRE(all.elements.size() == 1024);
    fetch_facts(form, all, 63, 15);
    fields_of(form);
    DescriptorForm again;
    REQUIRE(read_words(words_of(form), again) == "");
    CHECK(again == form);
  }
}

TEST_CASE("words of a descriptor: the tile's own where none is given") {
  DescriptorForm form;
  CHECK(read_words("64B MN 16 64x32", form) == "");
  CHECK(form.bits == right_bits(form.tile, 0));
  CHECK(read_words("step=1", form) == "");
  CHECK(form.step == 1);
  CHECK(form.bits == right_bits(form.tile, 1));
  for (const char* words :
       {"step=2", "step=x", "64x33", "512x64", "MN 8", "lbo=17", "0xzz", "foo=1"}) {
    DescriptorForm same = form;
    CAPTURE(words);
    CHECK_FALSE(read_words(words, same).empty());
    CHECK(same == form);
  }
}

}  // namespace
}  // namespace lanescope::viz
