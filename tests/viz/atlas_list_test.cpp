// SPDX-License-Identifier: MIT
// The list of the atlas: what each facet and the words leave of it.
#include "panels/atlas/atlas_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace lanescope::viz {
namespace {

TEST_CASE("without a filter the list is the whole atlas, each entry once") {
  const std::vector<Entry> all = entries({});
  CHECK(all.size() == layout::instructions().size() + layout::movers().size());
  CHECK(all.size() == entry_count());
  std::set<std::string_view> names;
  for (const Entry& e : all) names.insert(e.mnemonic());
  CHECK(names.size() == all.size());
}

TEST_CASE("families share out the atlas; every choice has as many entries as it says") {
  int sum = 0;
  for (const Choice& c : families()) {
    sum += c.count;
    CAPTURE(c.name);
    CHECK(static_cast<int>(entries({"", c.name, "", ""}).size()) == c.count);
  }
  CHECK(sum == static_cast<int>(entry_count()));
  for (const Choice& c : types()) {
    CAPTURE(c.name);
    CHECK(c.count > 0);
    for (const Entry& e : entries({"", "", c.name, ""}))
      CHECK(e.mnemonic().find("." + c.name) != std::string_view::npos);
  }
}

TEST_CASE("a type is a whole word of the name: b8 is not b8x16") {
  const std::vector<Entry> found = entries({"", "", "b8", ""});
  CHECK(found.size() == 5);
  for (const Entry& e : found) CHECK(e.mnemonic().find("b8x16") == std::string_view::npos);
}

TEST_CASE("a target has what it asks for and what came before, but not another chip's own") {
  const auto has = [](const char* arch, const char* mnemonic) {
    const std::vector<Entry> all = entries({"", "", "", arch});
    return std::any_of(all.begin(), all.end(),
                       [&](const Entry& e) { return e.mnemonic() == mnemonic; });
  };
  CHECK(has("sm_90a", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"));
  CHECK(has("sm_90a", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
  CHECK_FALSE(has("sm_90", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"));
  CHECK_FALSE(has("sm_75", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
  std::vector<std::string> names;
  for (const Choice& c : arches()) names.push_back(c.name);
  const auto at = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  CHECK(at("sm_75") < at("sm_80"));
  CHECK(at("sm_90") < at("sm_90a"));
  CHECK(at("sm_90a") < at("sm_100a"));
}

TEST_CASE("words are parts of names, in any order and either case") {
  for (const char* words : {"m16n8 s4", "s4 m16n8", "M16N8 S4"}) {
    const std::vector<Entry> found = entries({words, "", "", ""});
    CAPTURE(words);
    REQUIRE_FALSE(found.empty());
    for (const Entry& e : found) {
      CHECK(e.mnemonic().find("m16n8") != std::string_view::npos);
      CHECK(e.mnemonic().find("s4") != std::string_view::npos);
    }
  }
  for (const Entry& e : entries({"wgmma f16", "", "", ""}))
    CHECK(e.mnemonic().find(".bf16") == std::string_view::npos);
  CHECK_FALSE(entries({"scale_vec::4X", "", "", ""}).empty());
  CHECK(entries({"m16n8 s4", "wgmma", "", ""}).empty());
}

TEST_CASE("what nothing matches has neighbours, however long or strange it is") {
  const std::vector<std::string> near = near_misses("wgma m64n8k16 bf17", 3);
  REQUIRE(near.size() == 3);
  CHECK(near[0].find("wgmma") == 0);
  CHECK(near_misses(std::string(100'000, 'x'), 2).size() == 2);
  CHECK(near_misses("", 2).size() == 2);
}

TEST_CASE("a name too long for its line is shortened where it says little, and differs still") {
  const char* name =
      "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f16.e4m3.e2m1.f16";
  CHECK(shortened_mnemonic(name, 200) == name);
  CHECK(shortened_mnemonic(name, 75) ==
        "mma.sp::ordered_metadata\u2026m16n8k64.row.col.kind::f8f6f4.f16.e4m3.e2m1.f16");
  CHECK(shortened_mnemonic(name, 70) ==
        "mma.sp::ordered_metadata\u2026m16n8k64\u2026kind::f8f6f4.f16.e4m3.e2m1.f16");
  CHECK(shortened_mnemonic(name, 20) == "mma.sp\u2026e4m3.e2m1.f16");
  CHECK(shortened_mnemonic(name, 1) == "\u2026");
  CHECK(shortened_mnemonic(name, 0).empty());
  // 72 characters: what a window of 1280 has for them.
  std::set<std::string> all;
  for (const Entry& entry : entries({})) {
    const std::string shown = shortened_mnemonic(entry.mnemonic(), 72);
    CHECK_MESSAGE(all.insert(shown).second, shown);
  }
  CHECK(all.size() == entry_count());
}

TEST_CASE("one entry is meant by its name, or by words that only it has") {
  CHECK(only_entry("").empty());
  CHECK(only_entry("m16n8").empty());
  CHECK(only_entry("movmatrix").mover != nullptr);
  const char* name = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  REQUIRE(only_entry(name).instruction != nullptr);
  CHECK(only_entry(name).mnemonic() == name);
  // Part of another name, and a name itself.
  CHECK(only_entry("ldmatrix.sync.aligned.m8n8.x1.shared.b16").mover != nullptr);
}

TEST_CASE("an entry says where it is from, since when, and its operands") {
  const Entry sparse =
      only_entry("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  const std::vector<Known> known = known_of(sparse);
  const auto words = [&](const char* what) {
    for (const Known& k : known)
      if (k.what == what) return k.words;
    return std::string();
  };
  CHECK(words("family") == "mma.sp");
  CHECK(words("shape") == "M 16, N 8, K 32");
  CHECK(words("since") == "PTX 8.5, sm_80");
  CHECK(words("source").find("PTX ISA") == 0);
  const std::vector<std::string> operands = operand_lines(sparse);
  CHECK(std::find(operands.begin(), operands.end(),
                  "E  16 x 16 b2: 1 register, 16 values, 2 selectors") != operands.end());
  for (const Entry& e : entries({})) {
    CAPTURE(e.mnemonic());
    CHECK_FALSE(known_of(e).empty());
    CHECK_FALSE(operand_lines(e).empty());
    CHECK_FALSE(e.source().empty());
  }
  CHECK(known_of({}).empty());
}

}  // namespace
}  // namespace lanescope::viz
