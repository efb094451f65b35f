// SPDX-License-Identifier: MIT
// Every mistake between the two products of attention that diagnose knows, made by
// attention_mistakes.cu on the emulator and named from its steps; what is right is called right.
#include <doctest/doctest.h>

#include <set>

#include "panels/way/verdicts.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;

namespace {

const tests::RecordedSteps kSteps{"attention_mistakes", "block=1,0,0"};

struct Made {
  const char* name;
  char operand;
  const char *kind, *words;
};

const Made kMade[] = {
    {"not-rescaled", 'D', "not-rescaled",
     "A is made with another maximum than that of product 3, and what that has summed up is not "
     "scaled to it"},
    {"other-maximum", 'A', "scores-rows",
     "row 0 of A is made of its scores and of the maximum of row 8"},
    {"shrunk-by-row", 'D', "scaled-by-row",
     "row 0 of the sums is scaled by what is made of row 8 of the scores"},
    {"divided-by-row", 'D', "scaled-by-row",
     "row 0 of D is scaled by what is made of row 8 of the scores"},
    {"rows", 'A', "scores-rows", "A[0][0] is made of a score of row 8"},
    {"columns", 'A', "scores-order",
     "A[0][0] is made of the score of column 8, and meets row 0 of B"},
    {"pairs", 'A', "scores-order",
     "A[0][0] is made of the score of column 1, and meets row 0 of B"},
};

struct Said {
  std::vector<viz::OriginCheck> of_a;  // of the four products of P and V
  std::vector<viz::SumCheck> sums;     // of out
};

Said recorded(const char* name, bool is_right) {
  CHECK((kSteps.record(name).out == "0 of 512 elements of out are wrong\n") == is_right);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  const std::size_t count = model.multiplications.size();
  Said said;
  for (const viz::SumCheck& one : verdicts.sums())
    if (one.products.size() > 1) said.sums.push_back(one);
  // "two-passes" begins with two times two products more.
  for (const std::size_t k : {count - 6, count - 5, count - 2, count - 1})
    said.of_a.push_back(verdicts.product(k).a);
  return said;
}

}  // namespace

TEST_CASE("attention's P is followed to the scores that it is made of") {
  for (const char* name : {"right", "two-passes", "reordered"}) {
    CAPTURE(name);
    const Said said = recorded(name, true);
    for (const viz::OriginCheck& a : said.of_a) {
      CHECK(a.diagnosis.verdict == trace::Verdict::right);
      CHECK(a.lies ==
            "made of scores of its own rows and of those columns whose rows of B it meets");
    }
    REQUIRE(said.sums.size() == 2);
    for (const viz::SumCheck& one : said.sums)
      CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
  }
}

TEST_CASE("each mistake between the two products of attention is named") {
  std::set<std::string> kinds;
  for (const Made& made : kMade) {
    CAPTURE(made.name);
    const Said said = recorded(made.name, false);
    REQUIRE(!said.sums.empty());
    const trace::Diagnosis d =
        made.operand == 'A' ? said.of_a.front().diagnosis : said.sums.front().check.diagnosis;
    CHECK(d.verdict == trace::Verdict::mistake);
    CHECK(d.kind == made.kind);
    CHECK(d.mistake == made.words);
    kinds.insert(d.kind);
  }
  for (const trace::KnownMistake& known : viz::known_score_mistakes()) {
    CAPTURE(known.kind);
    CHECK(kinds.count(known.kind) == 1);
  }
}
