// SPDX-License-Identifier: MIT
// The atlas against what a card did: every map that sm_90a runs, and nothing called verified that
// was not recorded. The recorded side knows nothing of the table (README.md); this is the third
// witness beside the table and the transcription in tests/layout.
#include <doctest/doctest.h>

#include <fstream>

#include "layout/mover.hpp"
#include "tests/golden/expected.hpp"
#include "tests/golden/recording.hpp"

using namespace lanescope;
using namespace lanescope::golden;

namespace {

const Recording& maps() {
  static const Recording recording = read_recording("maps.txt.zst");
  return recording;
}

// Where two lines of places part, in words; "" when they are the same.
std::string difference(const std::string* recorded, const std::string& expected) {
  if (recorded == nullptr) return "not recorded";
  if (*recorded == expected) return "";
  std::size_t at = 0;
  int part = 0;
  while (at < recorded->size() && at < expected.size() && (*recorded)[at] == expected[at]) {
    part += expected[at] == ' ';
    ++at;
  }
  const auto word = [at](const std::string& text) {
    const std::size_t from = text.rfind(' ', at == 0 ? 0 : at - 1) + 1;
    return text.substr(from, text.find(' ', at) - from);
  };
  return "part " + std::to_string(part) + ": the card says " + word(*recorded) +
         ", the table says " + word(expected);
}

std::string problem(const layout::Instruction& i, const std::string& operand,
                    const std::string& expected) {
  const std::string found = difference(maps().map_of(i.mnemonic, operand), expected);
  return found.empty() ? "" : i.mnemonic + " " + operand + ": " + found;
}

bool has(const layout::Instruction& i) { return maps().entries.count(i.mnemonic) == 1; }

}  // namespace

TEST_CASE("the recording says where it comes from") {
  const std::vector<std::string>& from = maps().provenance;
  REQUIRE(from.size() == 5);
  CHECK(from[0].find("card: NVIDIA H200, 9.0") == 0);
  CHECK(from[1].find("driver: ") == 0);
  CHECK(from[2].find("toolkit: release 13.0") == 0);
  CHECK(from[3].find("date: 2") == 0);
}

TEST_CASE("an entry is verified exactly when a card's recording has it") {
  std::size_t verified = 0;
  for (const layout::Instruction& i : layout::instructions()) {
    CHECK_MESSAGE((i.standing == layout::Standing::verified) == has(i), i.mnemonic);
    verified += i.standing == layout::Standing::verified;
  }
  for (const layout::Mover& m : layout::movers()) {
    const bool recorded = maps().entries.count(m.mnemonic) == 1;
    CHECK_MESSAGE((m.standing == layout::Standing::verified) == recorded, m.mnemonic);
    verified += recorded;
  }
  // and the other way round: what was recorded is in the atlas (loads and stores of wmma are named
  // by their own instructions)
  std::size_t entries = 0;
  for (const auto& [name, operands] : maps().entries) {
    if (name.find("wmma.load") == 0 || name.find("wmma.store") == 0) continue;
    ++entries;
    CHECK_MESSAGE((layout::find(name) != nullptr || layout::find_mover(name) != nullptr), name);
  }
  CHECK(entries == verified);
  CHECK(verified == 126 + 930 + 96 + 13);
}

TEST_CASE("the list that the recorder goes by is the atlas's") {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/golden/instructions.txt");
  std::vector<std::string> listed, atlas;
  for (std::string line; std::getline(file, line);) listed.push_back(line);
  for (const layout::Instruction& i : layout::instructions())
    if (i.family != "wmma" && layout::runs_on(i.target, layout::kRecordedArch))
      atlas.push_back(i.mnemonic);
  CHECK(listed == atlas);
}

TEST_CASE("mma.sync and mma.sp: rows, columns and k are shared out as the card shares them") {
  int checked = 0;
  for (const layout::Instruction& i : layout::instructions()) {
    if ((i.family != "mma" && i.family != "mma.sp") || !has(i)) continue;
    const Renamed table = renamed(i);
    CHECK(problem(i, "D", table.D) == "");
    CHECK(problem(i, "C", table.C) == "");
    CHECK(problem(i, "B", table.B) == "");
    if (i.E.empty()) CHECK(problem(i, "A", table.A) == "");
    for (std::size_t s = 0; s < table.sparse_A.size(); ++s)
      CHECK(problem(i, "A" + std::to_string(s), table.sparse_A[s]) == "");
    ++checked;
  }
  CHECK(checked == 126);
}

TEST_CASE("wgmma and wgmma.sp: D, A in registers, A in shared memory, and the metadata") {
  int checked = 0;
  for (const layout::Instruction& i : layout::instructions()) {
    if (i.family != "wgmma" && i.family != "wgmma.sp") continue;
    const Named table = named(i);
    CHECK(problem(i, "D", table.D) == "");
    if (i.E.empty()) CHECK(problem(i, "A", table.A) == "");
    if (i.E.empty()) CHECK(problem(i, "M", table.M) == "");
    for (std::size_t s = 0; s < table.sparse_A.size(); ++s) {
      CHECK(problem(i, "A" + std::to_string(s), table.sparse_A[s]) == "");
      CHECK(problem(i, "M" + std::to_string(s), table.sparse_M[s]) == "");
    }
    ++checked;
  }
  CHECK(checked == 930);
}

TEST_CASE("wmma: what is loaded and stored lies where the table says, and the products are right") {
  int checked = 0;
  for (const layout::Instruction& i : layout::instructions()) {
    if (i.family != "wmma") continue;
    // wmma.mma[.xor.popc].sync.aligned.ALAYOUT.BLAYOUT.SHAPE.TYPES
    const std::size_t aligned = i.mnemonic.find(".sync.aligned.") + 14;
    const std::string a_layout = i.mnemonic.substr(aligned, 3);
    const std::string b_layout = i.mnemonic.substr(aligned + 4, 3);
    const std::size_t shape_at = aligned + 8;
    const std::string shape =
        i.mnemonic.substr(shape_at, i.mnemonic.find('.', shape_at) - shape_at);
    const auto moved = [&](const std::string& what, const std::string& layout,
                           const layout::Fragment& f) {
      const std::string name = "wmma." + what + ".sync.aligned." + layout + "." + shape + "." +
                               std::string(layout::name(f.type));
      const std::string found = difference(maps().map_of(name, "reg"), places(f));
      CHECK_MESSAGE(found == "", name << ": " << found);
    };
    moved("load.a", a_layout, i.A);
    moved("load.b", b_layout, i.B);
    for (const char* layout : {"row", "col"}) {
      moved("load.c", layout, i.C);
      moved("store.d", layout, i.D);
    }
    REQUIRE_MESSAGE(has(i), i.mnemonic);
    CHECK(maps().entries.at(i.mnemonic).at("products") == 32);
    CHECK(maps().entries.at(i.mnemonic).at("wrong") == 0);
    ++checked;
  }
  CHECK(checked == 96);
}

TEST_CASE("wmma.mma of .f16 reads the first copy of what its registers hold more than once") {
  int checked = 0;
  for (const layout::Instruction& i : layout::instructions()) {
    if (i.family != "wmma") continue;
    for (const layout::Fragment* f : {&i.A, &i.B}) {
      const auto copies = static_cast<int>(layout::holders(*f, {0, 0}).size());
      std::string expected;
      for (int r = 0; r < f->registers(); ++r)
        expected += std::string(r == 0 ? "" : " ") + (r < f->registers() / copies ? "1" : "0");
      const std::string* found = maps().map_of(i.mnemonic, f == &i.A ? "readsA" : "readsB");
      REQUIRE_MESSAGE(found != nullptr, i.mnemonic);
      CHECK_MESSAGE(*found == expected, i.mnemonic);
      checked += copies > 1;
    }
  }
  CHECK(checked == 16 * 4);
}

TEST_CASE("ldmatrix, stmatrix, movmatrix: every lane gets what the table says") {
  int checked = 0;
  for (const layout::Mover& m : layout::movers()) {
    if (m.standing != layout::Standing::verified) continue;
    const layout::Fragment& f = m.registers;
    std::string expected;
    for (int lane = 0; lane < 32; ++lane)
      for (int value = 0; value < f.values; ++value) {
        const layout::Element e = f.element(lane, value);
        if (!expected.empty()) expected += ' ';
        expected += std::to_string(8 * e.matrix + e.row) + "." + std::to_string(e.col);
      }
    CHECK_MESSAGE(difference(maps().map_of(m.mnemonic, "reg"), expected) == "", m.mnemonic);
    ++checked;
  }
  CHECK(checked == 13);
}
