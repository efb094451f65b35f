// SPDX-License-Identifier: MIT
// Scale factors of block-scaled mma.sync, by scale_mistakes.cu on the emulator: whose row, column
// and chunk of K each is, and which are another one's.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "panels/way/scale_factors.hpp"
#include "panels/way/verdicts.hpp"
#include "tests/build_folder.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;
using trace::Verdict;

namespace {

const tests::RecordedSteps kSteps{"scale_mistakes", "all", "sm_120a"};

std::vector<viz::SumCheck> scales(const char* name, bool is_right) {
  CHECK((kSteps.record(name).out == "0 of 1024 elements of D are wrong\n") == is_right);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  return viz::Verdicts(model, steps).scales();
}

bool is_known(const std::string& kind) {
  const auto& all = viz::known_scale_mistakes();
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return kind == one.kind; });
}

}  // namespace

TEST_CASE("factors of their own rows, columns and chunks are right") {
  for (const auto& [name, apart] : {std::pair("right", "4"), std::pair("nvfp4", "8")}) {
    const std::vector<viz::SumCheck> all = scales(name, true);
    REQUIRE(all.size() == 2);
    CHECK(all[0].operand == 'S');
    CHECK(all[1].operand == 'T');
    for (const viz::SumCheck& one : all) CHECK(one.check.diagnosis.verdict == Verdict::right);
    CHECK(all[0].check.lies == "row after row, " + std::string(apart) +
                                   " bytes apart, from byte 0 behind parameter 0+16 on");
  }
}

TEST_CASE("factors that a program has packed before are not compared") {
  const std::vector<viz::SumCheck> all = scales("packed", true);
  REQUIRE(all.size() == 2);
  CHECK(all[0].check.diagnosis.verdict == Verdict::right);
  CHECK(all[1].check.diagnosis.verdict == Verdict::not_compared);
  CHECK(all[1].check.diagnosis.mistake ==
        "SFB lies in an order of its own: right if it was packed so before");
}

TEST_CASE("factors of others are named") {
  for (const auto& [name, operand, words] : {
           std::tuple("thread-id", 'T',
                      "column 0, k 0 to 31 is scaled by the factor of column 24, k 0 to 31"),
           std::tuple("byte-id", 'S',
                      "row 0, k 32 to 63 is scaled by the factor of row 0, k 0 to 31"),
           std::tuple("next-word", 'S',
                      "row 0, k 0 to 15 is scaled by the factor of row 0, k 64 to 79"),
           std::tuple("lanes", 'S', "rows 0 to 7 and 8 to 15 are scaled by each other's factors"),
       }) {
    CAPTURE(name);
    const std::vector<viz::SumCheck> all = scales(name, false);
    const auto first = std::find_if(all.begin(), all.end(), [](const viz::SumCheck& one) {
      return one.check.diagnosis.verdict == Verdict::mistake;
    });
    REQUIRE(first != all.end());
    CHECK(first->operand == operand);
    CHECK(first->check.diagnosis.mistake == words);
    CHECK(is_known(first->check.diagnosis.kind));
  }
}
