// SPDX-License-Identifier: MIT
// Every mistake between the two products of attention that diagnose knows, made by
// attention_mistakes.cu on the emulator and named from its steps; what is right is called right.
#include <doctest/doctest.h>

#include <set>
#include <string>

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
  std::vector<std::string> of_b;       // and what is said of B
  std::vector<viz::SumCheck> sums;     // of out
};

Said recorded(const char* name, bool is_right, const tests::RecordedSteps& recorded = kSteps) {
  CHECK((recorded.record(name).out == "0 of 512 elements of out are wrong\n") == is_right);
  const viz::Model model = recorded.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  const std::size_t count = model.multiplications.size();
  Said said;
  for (const viz::SumCheck& one : verdicts.sums())
    if (one.products.size() > 1) said.sums.push_back(one);
  // "two-passes" begins with two times two products more.
  for (const std::size_t k : {count - 6, count - 5, count - 2, count - 1})
    said.of_a.push_back(verdicts.product(k).a),
        said.of_b.push_back(
            viz::in_words(verdicts.product(k).b, 'B', verdicts.product(k).in_order).headline);
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
    for (const std::string& b : said.of_b)
      CHECK(b.ends_with("; k in another order, the same in A and B") ==
            (std::string(name) == "reordered"));
    REQUIRE(said.sums.size() == 2);
    for (const viz::SumCheck& one : said.sums)
      CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
  }
}

// All that a mask leaves of row 0 is its first score, which is the maximum, too: what is masked is
// made of that alone.
TEST_CASE("attention with a causal mask is not called wrong in its first rows") {
  const Said said = recorded("causal", true, {"attention_mistakes", "block=0,0,0"});
  for (std::size_t k = 0; k < 4; ++k)  // the last two have masked keys alone
    CHECK(said.of_a[k].diagnosis.verdict ==
          (k < 2 ? trace::Verdict::right : trace::Verdict::not_compared));
}

// Where the keys of the scores are not recorded nobody knows which of them P's columns are.
TEST_CASE("an order of k beside one that is not known is not called wrong") {
  const tests::RecordedSteps steps{"attention_mistakes", "block=1,0,0,from=140"};
  steps.record("reordered");
  const viz::Model model = steps.model();
  const viz::StepList list = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, list);
  const viz::ProductCheck last = verdicts.product(model.multiplications.size() - 1);
  CHECK(last.a.diagnosis.verdict == trace::Verdict::not_compared);
  CHECK(last.b.diagnosis.mistake ==
        "its k is in another order, and that of A is not known: right if it is the same");
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

TEST_CASE("keys and values in pages are compared where one table finds both") {
  for (const viz::OriginCheck& a : recorded("paged", true).of_a)
    CHECK(a.diagnosis.verdict == trace::Verdict::right);
  for (const viz::OriginCheck& a : recorded("paged-columns", false).of_a) {
    CHECK(a.diagnosis.kind == "scores-order");
    CHECK(a.diagnosis.verdict == trace::Verdict::mistake);
  }
  for (const viz::OriginCheck& a : recorded("paged-apart", true).of_a) {
    CHECK(a.diagnosis.verdict == trace::Verdict::not_compared);
    CHECK(a.diagnosis.mistake ==
          "A is made of scores of its own rows: of which columns is not known");
  }
}
