// SPDX-License-Identifier: MIT
// Weights of 4 bits that a kernel widens in registers, by packed_mistakes.cu on the emulator: each
// is followed to its bits of a word, what is used twice is named, and which k a place of a word has
// is said where only who packed it knows that it is right.
#include <doctest/doctest.h>

#include <tuple>

#include "panels/way/verdicts.hpp"
#include "tests/build_folder.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;

namespace {

const tests::RecordedSteps kSteps{"packed_mistakes", "all"};

std::vector<viz::ProductCheck> recorded(const char* name, bool is_right) {
  CHECK((kSteps.record(name).out == "0 of 256 elements of D are wrong\n") == is_right);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  verdicts.sums();  // what two products have in common is found then
  std::vector<viz::ProductCheck> all;
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) all.push_back(verdicts.product(k));
  REQUIRE(all.size() == 4);
  return all;
}

}  // namespace

TEST_CASE("weights of 4 bits in the order of k are right, through shared memory, too") {
  for (const char* name : {"masks", "copied"})
    for (const viz::ProductCheck& one : recorded(name, true)) {
      CHECK(one.b.diagnosis.verdict == trace::Verdict::right);
      CHECK(one.b.lies.starts_with("column after column, 16 bytes apart, 4 bits each, from byte "));
      CHECK(one.b.tile->line_length() == 32);
    }
}

TEST_CASE("the order that lop3 gives a word is right where A has the same") {
  for (const viz::ProductCheck& one : recorded("reordered", true)) CHECK(one.in_order);
}

TEST_CASE("which place of a word has which k only its packer knows") {
  for (const auto& [name, is_right, order] :
       {std::tuple("interleaved", true, "0, 4, 1, 5, 2, 6, 3, 7"),
        std::tuple("in-order", false, "0, 4, 1, 5, 2, 6, 3, 7"),
        std::tuple("swapped", false, "1, 0, 3, 2, 5, 4, 7, 6")})
    for (const viz::ProductCheck& one : recorded(name, is_right)) {
      CHECK(one.b.diagnosis.verdict == trace::Verdict::not_compared);
      CHECK(one.b.diagnosis.mistake == "B of 4 bits lies packed, k 0, 1, 2, ... are elements " +
                                           std::string(order) +
                                           ", ...: right if it was packed so before, wrong if k "
                                           "lies in order");
    }
}

TEST_CASE("bits that become two elements are named, and a 1024 that is never taken off is told") {
  const viz::ProductCheck twice = recorded("not-shifted", false).front();
  CHECK(twice.b.diagnosis.kind == viz::known_packed_mistakes()[0].kind);
  CHECK(twice.b.diagnosis.mistake ==
        "B[0][0] and B[2][0] are both made of bits 0 to 3 of byte 0 behind parameter 1");
  const viz::ProductCheck above = recorded("magic", false).front();
  CHECK(above.b.diagnosis.verdict == trace::Verdict::not_compared);
  CHECK(above.b.diagnosis.mistake.starts_with("every element of B is 1024 and 4 bits: right if"));
}

TEST_CASE("bits that become elements of two products are named, those of a word for both are not") {
  for (const viz::ProductCheck& one : recorded("lane-words", true)) {
    CHECK(one.b.diagnosis.verdict == trace::Verdict::not_compared);
    CHECK(one.b.diagnosis.mistake.starts_with("B of 4 bits lies packed"));
  }
  const std::vector<viz::ProductCheck> all = recorded("overlapping", false);
  for (const std::size_t second : {1, 3}) {
    CHECK(all[second - 1].b.diagnosis.verdict == trace::Verdict::not_compared);
    CHECK(all[second].b.diagnosis.kind == viz::kBitsTwice);
  }
  CHECK(all[1].b.diagnosis.mistake ==
        "64 of 128 elements of B are made of the same bits as elements of B of product 1, which "
        "the same A is multiplied by, too: the first is bits 4 to 7 of byte 0 behind parameter 1");
}

TEST_CASE("the way of a weight begins at its bits of a byte") {
  recorded("interleaved", true);
  const std::string said = tests::run_process({tests::build_folder() / "bin/lanescope", "view",
                                               kSteps.file, "--text", "--select", "B 5,2"})
                               .out;
  CHECK(said.find("global memory, byte 35 behind parameter 1, bits 0 to 3, to") != said.npos);
  CHECK(said.find("lop3: from bits 16 to 19 of %r") != said.npos);
}
