// SPDX-License-Identifier: MIT
// Where an H200 does what the emulator does not: it loses updates, reads late, or has code from
// ptxas that is wrong. What it answered is as docs/experiments says, and the emulator does the
// other thing.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/lines_of.hpp"
#include "tests/programs/experiments/answers.hpp"

using namespace lanescope::tests;

namespace {

/// Without the examples, which are indented.
std::vector<std::string> heads(const std::vector<std::string>& lines) {
  std::vector<std::string> kept;
  for (const std::string& line : lines)
    if (line.rfind("  ", 0) != 0) kept.push_back(line);
  return kept;
}

bool has(const std::string& line, const char* part) { return line.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a tensor map that a kernel has changed is the old one on the card without an acquire") {
  const std::vector<std::string> card = lines_of(answer("map_fences")),
                                 emulator = lines_of(ask_emulator("map_fences", {"small"}).out);
  REQUIRE(card.size() == 32);
  REQUIRE(emulator.size() == card.size());
  int old = 0;
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(card[i]);
    const std::string question = card[i].substr(0, card[i].rfind(": "));
    CHECK(emulator[i] == question + ": 0 of 8 old");
    const bool is_old = !has(card[i], "a kernel before") && has(card[i], ", nothing: ");
    CHECK(card[i] == question + (is_old ? ": 26400" : ": 0") + " of 52800 old");
    old += is_old ? 1 : 0;
  }
  CHECK(old == 10);
}

TEST_CASE("TMA overwrites global memory before it has been read, without a fence of proxies") {
  const std::vector<std::string> card = lines_of(answer("global_proxies")),
                                 emulator = lines_of(ask_emulator("global_proxies", {"small"}).out);
  REQUIRE(card.size() == 45);  // three runs
  REQUIRE(emulator.size() == 15);
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(card[i]);
    const std::string question = card[i].substr(0, 74);
    CHECK(has(emulator[i % 15], (question + "0 of ").c_str()));
    const bool is_late =
        has(question, "a warp loads, arrives, bulk copy overwrites") && !has(question, " global ");
    CHECK(has(card[i], (question + "0 of ").c_str()) == !is_late);
  }
}

TEST_CASE("without a fence a block finds on the card what its L1 has from before") {
  const std::vector<std::string> card = lines_of(answer("missing_fences")),
                                 emulator = lines_of(ask_emulator("missing_fences", {"small"}).out);
  REQUIRE(card.size() == 54);  // three runs
  REQUIRE(emulator.size() == 18);
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(card[i]);
    const std::string question = card[i].substr(0, card[i].find(": "));
    CHECK(has(emulator[i % 18], (question + ": 0 of ").c_str()));
    // All but a block's own part, of four; all of a flag's; and but for a block's first turns.
    const std::string old = question == "none, again" ? ": 80938"
                            : question == "a flag, by an atomic, again" ||
                                    question == "a flag, by a volatile load, again"
                                ? ": 33775104 of 33792000"
                            : question == "none, fresh" ? ": "
                                                        : ": 0 of ";
    CHECK(has(card[i], (question + old).c_str()));
    if (question == "none, fresh") CHECK(!has(card[i], ": 0 of "));
  }
}

TEST_CASE("of a word that is loaded the card's L1 keeps the 32 bytes around it") {
  const std::vector<std::string> card = lines_of(answer("l1_sectors")),
                                 emulator = lines_of(ask_emulator("l1_sectors", {"small"}).out);
  REQUIRE(card.size() == 7);
  REQUIRE(emulator.size() == card.size());
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(card[i]);
    const std::string word = card[i].substr(0, card[i].find(": "));
    CHECK(emulator[i] == word + ": 0 of 8448");
    const bool is_near = word == "word 0" || word == "word 1" || word == "word 7";
    CHECK(card[i] == word + (is_near ? ": 4224000" : ": 0") + " of 4224000");
  }
}

TEST_CASE("a kernel that may begin early finds on the card what is not there yet") {
  const std::vector<std::string> card = lines_of(answer("early_launches")),
                                 emulator = lines_of(ask_emulator("early_launches", {"small"}).out);
  REQUIRE(card.size() == 12);
  REQUIRE(emulator.size() == card.size());
  const std::string nothing = ": 0 read too early, 0 overwritten too early, of ";
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(card[i]);
    const std::string question = card[i].substr(0, card[i].find(':'));
    CHECK(has(emulator[i], (question + nothing).c_str()));
    const bool is_early =
        has(question, "does not wait") && has(question, "20 us") && !has(question, "never");
    CHECK(has(card[i], nothing.c_str()) == !is_early);
  }
}

TEST_CASE("a tensor map of zeros is the card's, one of anything else is refused here") {
  const std::vector<std::string> card = lines_of(answer("map_from_zeros")),
                                 emulator = lines_of(ask_emulator("map_from_zeros").out);
  REQUIRE(card.size() == 33);
  REQUIRE(emulator.size() == card.size());
  int else_there = 0;
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(card[i]);
    if (!has(card[i], "in words of 12345678")) {
      CHECK(emulator[i] == card[i]);
      continue;
    }
    CHECK(has(card[i], ": complete, 128 words, "));
    CHECK(has(emulator[i], ": an illegal instruction"));
    ++else_there;
  }
  CHECK(else_there == 4);
}

TEST_CASE("the card writes an mbarrier back over a tile, where the emulator says that it may") {
  const std::vector<std::string> card = lines_of(answer("mbarrier_reuse"));
  const Finished ran = ask_emulator("mbarrier_reuse", {"small"});
  const std::vector<std::string> emulator = lines_of(ran.out);
  REQUIRE(card.size() == 70);
  REQUIRE(emulator.size() == card.size());
  int wrong = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    CAPTURE(card[i]);
    const bool is_wrong = has(card[i], "64 others") && !has(card[i], "mbarrier.inval");
    CHECK(has(card[i], is_wrong ? ": 13200 of 13200 wrong, word 0 is 001ffffe" : ": 0 of 13200"));
    CHECK(has(emulator[i], ": 0 of 4 wrong"));
    wrong += is_wrong ? 1 : 0;
  }
  CHECK(wrong == 24);
  CHECK(card[64] ==
        " 1 mbarriers, wrong tiles by how many others are used: from 0 0 from 30 13200 of 13200");
  CHECK(has(card[68], "the kernel before has left: 0 of 13200 wrong"));
  CHECK(has(ran.err, "an H200 may write an mbarrier over what is in its memory now"));
  CHECK(has(ran.err, "mbarrier_reuse.cu"));
}

// The emulator runs one kernel after the other: nobody meets there.
TEST_CASE("a kernel beside the one that changes a tensor map keeps the map that it has used") {
  int old = 0;
  const std::vector<std::string> card = lines_of(answer("map_overlaps"));
  REQUIRE(card.size() == 40);
  for (const std::string& line : card) {
    CAPTURE(line);
    const bool is_old = has(line, ", used before: ") && has(line, ", nothing: ");
    CHECK(has(line, is_old ? ": 12736 of 12800 old" : ": 0 of 12800 old"));
    old += is_old ? 1 : 0;
  }
  CHECK(old == 10);
}

TEST_CASE("sums in another CTA are the card's, but for pairs, which it adds as whole numbers") {
  const Finished ran = ask_emulator("cluster_sums");
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
  const Finished ran = ask_emulator("cluster_atomics");
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = heads(lines_of(answer("cluster_atomics")));
  const std::vector<std::string> emulator = heads(lines_of(ran.out));
  REQUIRE(card.size() == 588);
  REQUIRE(emulator.size() == card.size());
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
  const Finished ran = ask_emulator("ptxas_mistakes");
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = lines_of(answer("ptxas_mistakes"));
  const std::vector<std::string> emulator = lines_of(ran.out);
  REQUIRE(card.size() == 23);
  REQUIRE(emulator.size() == 23);
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
  CHECK(differ == 16);
}

TEST_CASE("a cp.async with a policy is made here, where the machine code of ptxas is illegal") {
  const Finished ran = ask_emulator("hinted_copies");
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = lines_of(answer("hinted_copies"));
  const std::vector<std::string> emulator = lines_of(ran.out);
  REQUIRE(card.size() == 11);
  REQUIRE(emulator.size() == 11);
  int illegal = 0;
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(emulator[i]);
    const std::size_t colon = emulator[i].find(": ") + 2;
    CHECK(emulator[i].substr(colon) == "128 of 128");
    if (card[i] != emulator[i]) {
      CHECK(card[i] == emulator[i].substr(0, colon) + "an illegal instruction was encountered");
      ++illegal;
    }
  }
  CHECK(illegal == 7);
  // Ten have a policy.
  const std::string said = "an H200 may end with an illegal instruction: of a cp.async with ";
  int times = 0;
  for (std::size_t at = ran.err.find(said); at != ran.err.npos; at = ran.err.find(said, at + 1))
    ++times;
  CHECK(times == 10);
}

TEST_CASE("of wgmmas that say the same the card makes fewer, where the emulator says so") {
  const Finished ran = ask_emulator("repeated_wgmma");
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = lines_of(answer("repeated_wgmma"));
  const std::vector<std::string> emulator = lines_of(ran.out);
  REQUIRE(card.size() == 20);
  REQUIRE(emulator.size() == 20);
  std::ptrdiff_t differ = 0;
  for (std::size_t i = 0; i < card.size(); ++i) {
    CAPTURE(emulator[i]);
    // "what: N made, wanted M"
    const std::size_t made = emulator[i].find(": ") + 2, wanted = emulator[i].find(", wanted ") + 9;
    CHECK(std::stoi(emulator[i].substr(made)) == std::stoi(emulator[i].substr(wanted)));
    differ += card[i] != emulator[i] ? 1 : 0;
  }
  CHECK(differ == 13);
  const std::vector<std::string> said = lines_of(ran.err);
  CHECK(std::count_if(said.begin(), said.end(), [](const std::string& line) {
          return has(line, "an H200 makes fewer products: of wgmmas that say the same");
        }) == differ);
}

TEST_CASE("reads come late on the card where a bulk copy follows them, stores beside, no fence") {
  // On the emulator a read is over when the next instruction begins.
  const std::vector<std::string> card = lines_of(answer("late_reads")),
                                 emulator = lines_of(ask_emulator("late_reads", {"small"}).out);
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
