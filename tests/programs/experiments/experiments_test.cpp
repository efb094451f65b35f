// SPDX-License-Identifier: MIT
// What an H200 answered (h200/*.txt; docs/experiments says how it was asked) against the emulator
// and against the atlas.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "tests/build_folder.hpp"
#include "tests/lines_of.hpp"
#include "tests/programs/run_process.hpp"

using namespace lanescope;
using tests::Finished;
using tests::lines_of;

namespace {

std::string answer(const std::string& name) {
  std::ifstream file(std::string(LANESCOPE_ANSWERS "/") + name + ".txt");
  REQUIRE_MESSAGE(file.good(), name);
  std::stringstream text;
  text << file.rdbuf();
  REQUIRE(!text.str().empty());
  return text.str();
}

Finished emulate(const std::string& name, const std::vector<std::string>& arguments = {}) {
  return tests::emulate(tests::build_folder() / "tests/programs/experiments/built" / name, {},
                        arguments);
}

/// Line by line, so that a difference is a line and not a page.
void check_same(const std::string& name) {
  const Finished ran = emulate(name);
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = lines_of(answer(name)), emulator = lines_of(ran.out);
  CHECK(card.size() == emulator.size());
  int shown = 0;
  for (std::size_t i = 0; i < card.size() && i < emulator.size() && shown < 5; ++i)
    if (card[i] != emulator[i]) {
      CHECK_MESSAGE(card[i] == emulator[i], "line " << i + 1);
      ++shown;
    }
}

struct Answers {
  int done = 0, refused = 0, maps = 0;
};
Answers count(const std::string& name) {
  Answers all;
  for (const std::string& line : lines_of(answer(name))) {
    const bool is_illegal = line.find("illegal instruction") != std::string::npos;
    ++(line.rfind("map ", 0) == 0 ? all.maps : is_illegal ? all.refused : all.done);
  }
  return all;
}

}  // namespace

TEST_CASE("wgmma fetches on the card what it fetches here, whatever the base offset" *
          doctest::test_suite("twice")) {
  check_same("base_offset");
}

TEST_CASE("boxes narrower than their swizzle lie on the card as they lie here") {
  check_same("narrow_box");
}

TEST_CASE("wgmma reads of a descriptor on the card what it reads here, bit by bit") {
  check_same("descriptor_bits");
}

TEST_CASE("lanes meet at collectives on the card where they meet here") { check_same("who_meets"); }

TEST_CASE("NaNs come out on the card as they come out here") { check_same("nan_patterns"); }

TEST_CASE("CUDA's mathematical functions have the card's bits") { check_same("math_functions"); }

TEST_CASE("mul and add become one fma where ptxas makes one") { check_same("contraction"); }

TEST_CASE("numbers that ptxas knows are the card's") { check_same("known_numbers"); }

TEST_CASE("tensor copies round and fill on the card as they do here") {
  check_same("tensor_formats");
}

TEST_CASE(
    "tensor copies write behind the ends of rows what an H200 writes, and reduce what it reduces") {
  check_same("ragged_rows");
}

TEST_CASE("sums in another CTA are the card's, but for pairs, which it adds as whole numbers") {
  const auto heads = [](const std::vector<std::string>& lines) {
    std::vector<std::string> kept;  // examples are indented
    for (const std::string& line : lines)
      if (line.rfind("  ", 0) != 0) kept.push_back(line);
    return kept;
  };
  const Finished ran = emulate("cluster_sums");
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = heads(lines_of(answer("cluster_sums")));
  const std::vector<std::string> emulator = heads(lines_of(ran.out));
  REQUIRE(card.size() == 32);
  REQUIRE(emulator.size() == 32);
  for (std::size_t i = 0; i < card.size(); ++i) {
    const bool is_pair = card[i].find("f16x2, another's") != std::string::npos;
    CAPTURE(emulator[i]);
    if (!is_pair) {
      CHECK(card[i] == emulator[i]);
      continue;
    }
    CHECK(card[i].find(", 441 as whole numbers") != std::string::npos);
    CHECK(emulator[i].find(": 441 as in the own memory") != std::string::npos);
  }
  // Who adds pairs there is told: the kernels of f16x2 and of bf16x2, each once.
  const std::vector<std::string> told = lines_of(ran.err);
  CHECK(told.size() == 2);
  for (const std::string& line : told)
    CHECK_MESSAGE(
        line.find("adds pairs of halves in another CTA's shared memory as whole numbers") !=
            std::string::npos,
        line);
}

TEST_CASE(
    "atomics in a cluster are the card's, but for pairs and what it makes of load and store") {
  const Finished ran = emulate("cluster_atomics");
  CHECK(ran.exit_code == 0);
  const auto heads = [](const std::vector<std::string>& lines) {
    std::vector<std::string> kept;  // examples are indented
    for (const std::string& line : lines)
      if (line.rfind("  ", 0) != 0) kept.push_back(line);
    return kept;
  };
  const std::vector<std::string> card = heads(lines_of(answer("cluster_atomics")));
  const std::vector<std::string> emulator = heads(lines_of(ran.out));
  REQUIRE(card.size() == 588);
  REQUIRE(emulator.size() == card.size());
  const auto has = [](const std::string& line, const char* part) {
    return line.find(part) != std::string::npos;
  };
  int pairs = 0, lost = 0;
  for (std::size_t i = 0; i < card.size(); ++i) {
    CHECK(!has(emulator[i], "LOST"));
    const bool by_others = has(card[i], "another's") && has(card[i], ", by ");
    if (has(card[i], "f16x2, another's")) {
      ++pairs;
      if (!by_others) CHECK(has(emulator[i], "400 of 400 as in the own memory"));
    } else if (has(card[i], "LOST")) {  // and, or, xor, min, max of 64 bits
      ++lost;
      CHECK(by_others);
      CHECK(has(card[i], "64, another's"));
    } else {
      CHECK(card[i] == emulator[i]);
    }
  }
  CHECK(pairs == 18);
  CHECK(lost == 40);
  CHECK(has(ran.err, "adds pairs of halves in another CTA's shared memory as whole numbers"));
  CHECK(has(ran.err, "and, or, xor, min and max of 64 bits in another CTA's shared memory"));
}

TEST_CASE("where ptxas is wrong, the emulator has what the ISA wants") {
  const Finished ran = emulate("ptxas_mistakes");
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = lines_of(answer("ptxas_mistakes"));
  const std::vector<std::string> emulator = lines_of(ran.out);
  REQUIRE(card.size() == 19);
  REQUIRE(emulator.size() == 19);
  int differ = 0;
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(emulator[i]);
    // "what: ... got, wanted expected"
    const std::size_t comma = emulator[i].rfind(", wanted ");
    REQUIRE(comma != std::string::npos);
    const std::size_t got = emulator[i].rfind(' ', comma) + 1;
    CHECK(emulator[i].substr(got, comma - got) == emulator[i].substr(comma + 9));
    differ += card[i] != emulator[i] ? 1 : 0;
  }
  CHECK(differ == 12);
}

TEST_CASE("across a cluster the card's mbarriers hear of what they hear of here") {
  check_same("cluster_barriers");
}

TEST_CASE("im2col copies the pixels on the card that it copies here") {
  check_same("im2col");
  const Answers answers = count("im2col");
  CHECK(answers.done > 300);
  CHECK(answers.refused > 100);
  CHECK(answers.maps > 200);
}

TEST_CASE("interleaved tensors are copied on the card as they are copied here") {
  check_same("interleaved");
  const Answers answers = count("interleaved");
  CHECK(answers.done > 1100);
  CHECK(answers.refused > 200);
  CHECK(answers.maps > 400);
}

TEST_CASE("a tensor map of another rank is refused on the card where it is refused here") {
  check_same("map_ranks");
  const Answers answers = count("map_ranks");
  CHECK(answers.done == 24);
  CHECK(answers.refused == 120);
}

TEST_CASE("reads come late on the card where a bulk copy follows them, stores beside, no fence") {
  // On the emulator a read is over when the next instruction begins.
  const std::vector<std::string> card = lines_of(answer("late_reads")),
                                 emulator = lines_of(emulate("late_reads", {"small"}).out);
  REQUIRE(card.size() == 132);
  REQUIRE(emulator.size() == card.size());
  std::string part;  // one of four
  std::map<std::string, std::set<std::string>> late;
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(card[i]);
    if (card[i][0] != ' ') {
      part = card[i];
      CHECK(emulator[i] == part);
      continue;
    }
    CHECK(emulator[i].find("  0 of 10240 late") != std::string::npos);
    if (card[i].find("  0 of 675840000 late") != std::string::npos) continue;
    CHECK(card[i].find("stores beside it: yes") != std::string::npos);
    const std::string between = card[i].substr(2, card[i].find("  ", 2) - 2);
    late[part].insert(between);
  }
  using Set = std::set<std::string>;
  const Set both = {"nothing between", "bar.arrive, the writer bar.sync", "bar.sync of both"};
  Set of_ldmatrix = both;
  of_ldmatrix.insert("reader: fence.acq_rel.cta");
  CHECK(late == std::map<std::string, Set>{{"ldmatrix, cp.async.bulk overwrites", of_ldmatrix},
                                           {"ld.shared, cp.async.bulk overwrites", both}});
}

TEST_CASE("an mbarrier answers on the card what it answers here") { check_same("mbarrier_phases"); }

TEST_CASE("boxes begin on the card where they may begin here" * doctest::test_suite("twice")) {
  int refused = 0, done = 0;
  for (const std::string& line : lines_of(answer("coordinates"))) {
    // "load at -4,0: 0 0 0 0 0 1 2 ..."
    std::istringstream words(line);
    std::string way, at, place;
    words >> way >> at >> place;
    const std::size_t comma = place.find(',');
    REQUIRE(comma != std::string::npos);
    CAPTURE(line);
    const Finished ran =
        emulate("coordinates",
                {way, place.substr(0, comma), place.substr(comma + 1, place.size() - comma - 2)});
    CHECK(ran.exit_code == 0);
    CHECK(ran.out == line + "\n");
    const bool illegal = line.find("an illegal instruction was encountered") != std::string::npos;
    CHECK((ran.err.find("coordinate") != std::string::npos) == illegal);  // and says why
    ++(illegal ? refused : done);
  }
  CHECK(refused > 10);
  CHECK(done > 10);
}

TEST_CASE("boxes of every element size and dimension begin on the card where they may here" *
          doctest::test_suite("twice")) {
  std::vector<std::string> allowed, refused;
  std::string expected;
  for (const std::string& line : lines_of(answer("box_begins"))) {
    const std::string question = line.substr(0, line.find(' '));
    const bool illegal = line.find("an illegal instruction was encountered") != std::string::npos;
    (illegal ? refused : allowed).push_back(question);
    if (!illegal) expected += line + "\n";
  }
  CHECK(allowed.size() == 282);
  CHECK(refused.size() == 200);
  const Finished ran = emulate("box_begins", allowed);
  CHECK(ran.exit_code == 0);
  CHECK(ran.out == expected);
  for (std::size_t i = 0; i < refused.size(); i += 9) {  // a program each: some of them will do
    CAPTURE(refused[i]);
    const Finished one = emulate("box_begins", {refused[i]});
    CHECK(one.out == refused[i] + " an illegal instruction was encountered\n");
    CHECK(one.err.find("coordinate") != std::string::npos);  // and says why
  }
}

namespace {

struct Probed {
  const char* name;  // in the recording
  const char* mnemonic;
  int k_of_kept;  // columns of K that one kept element (4-bit types: pair) stands for
};
constexpr Probed kProbed[] = {
    {"m16n8k16.f16", "m16n8k16.row.col.f32.f16.f16.f32", 2},
    {"m16n8k32.f16", "m16n8k32.row.col.f32.f16.f16.f32", 2},
    {"m16n8k8.tf32", "m16n8k8.row.col.f32.tf32.tf32.f32", 2},
    {"m16n8k16.tf32", "m16n8k16.row.col.f32.tf32.tf32.f32", 2},
    {"m16n8k32.s8", "m16n8k32.row.col.s32.s8.s8.s32", 2},
    {"m16n8k64.s8", "m16n8k64.row.col.s32.s8.s8.s32", 2},
    {"m16n8k64.s4", "m16n8k64.row.col.s32.s4.s4.s32", 4},
    {"m16n8k128.s4", "m16n8k128.row.col.s32.s4.s4.s32", 4},
};

/// The lines that the atlas's map of the metadata predicts.
std::set<std::string> predicted(const Probed& probed) {
  const layout::Instruction* instruction =
      layout::find(std::string("mma.sp::ordered_metadata.sync.aligned.") + probed.mnemonic);
  REQUIRE_MESSAGE(instruction != nullptr, probed.mnemonic);
  std::set<std::string> lines;
  for (std::size_t selector = 0; selector < instruction->E.size(); ++selector) {
    const layout::Fragment& e = instruction->E[selector];
    const int per_nibble = 4 / e.element_bits;  // indices: two, or one of tf32
    for (int lane = 0; lane < 32; ++lane)
      for (int nibble = 0; nibble < 8 && e.provided_by(lane); ++nibble) {
        const layout::Element first = e.element(lane, nibble * per_nibble);
        // Both indices move from the lower half of their columns of K to the upper half.
        const int k = first.col * probed.k_of_kept;
        const int moved = per_nibble * probed.k_of_kept / 2;
        std::string lost, gained;
        for (int i = 0; i < moved; ++i) {
          lost += " " + std::to_string(k + i);
          gained += " " + std::to_string(k + moved + i);
        }
        lines.insert(std::string(probed.name) + " selector " + std::to_string(selector) + " lane " +
                     std::to_string(lane) + " nibble " + std::to_string(nibble) + " row " +
                     std::to_string(first.row) + " lost" + lost + " gained" + gained);
      }
  }
  return lines;
}

}  // namespace

TEST_CASE("the card takes mma.sp's metadata from where the atlas has it, and from nowhere else") {
  const std::vector<std::string> recorded = lines_of(answer("sparse_metadata"));
  for (const Probed& probed : kProbed) {
    CAPTURE(probed.name);
    const std::set<std::string> expected = predicted(probed);
    std::set<std::string> found;
    for (const std::string& line : recorded)
      if (line.rfind(std::string(probed.name) + " ", 0) == 0 &&
          line.find(" before:") == std::string::npos)
        found.insert(line);
    CHECK(found.size() >= 128);
    for (const std::string& line : found)
      CHECK_MESSAGE(expected.count(line) == 1, "card: " << line);
    for (const std::string& line : expected)
      CHECK_MESSAGE(found.count(line) == 1, "atlas: " << line);
  }
}
