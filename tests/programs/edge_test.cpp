// SPDX-License-Identifier: MIT
// Every mistake at the end of k, where that is no multiple of a step, and with the leading
// dimension of D, made by edge_mistakes.cu on the emulator and named from its steps; what is right
// is called right.
#include <doctest/doctest.h>

#include <set>

#include "panels/way/verdicts.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;

namespace {

const tests::RecordedSteps kSteps{"edge_mistakes", "block=1,1,0"};

struct Made {
  const char *name, *kind, *words;
};

const Made kMade[] = {
    {"unfilled", "k-over",
     "k 40 to 47 does not exist: A's rows and B's columns have 40 elements, and what follows these "
     "is multiplied, too"},
    {"copied-whole", "k-over",
     "k 40 to 47 does not exist: A's rows and B's columns have 40 elements, and what follows these "
     "is multiplied, too"},
    {"dropped", "k-short",
     "k 32 to 39 is never added: A's rows and B's columns have 40 elements, and these sums end at "
     "k 31"},
    {"narrow", "d-rows",
     "D's rows are stored 352 bytes apart; it has room for 64 rows of 96, as A has rows and B "
     "columns"},
    {"two-lengths", "d-rows",
     "D's rows are stored 352 bytes apart, but a tile begins where they would be 384 bytes apart"},
    {"of-block", "d-rows",
     "D's rows are stored 352 bytes apart, but a tile begins where they would be 384 bytes apart"},
    {"of-tile", "d-rows",
     "D's rows are stored 128 bytes apart, and column 32 does not fit into that: it is stored over "
     "other sums"},
};

std::vector<viz::SumCheck> recorded(const char* name, bool is_right) {
  CHECK((kSteps.record(name).out == "0 of 6144 elements of D are wrong\n") == is_right);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  return viz::Verdicts(model, steps).sums();
}

}  // namespace

TEST_CASE(
    "a last step of k that is filled up, a D of longer rows, in parts or cut off, are right") {
  for (const char* name : {"right", "one-filled", "copied", "wide", "heads", "ragged"}) {
    CAPTURE(name);
    const std::vector<viz::SumCheck> all = recorded(name, true);
    REQUIRE(all.size() == 8);
    for (const viz::SumCheck& one : all) {
      CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
      CHECK(one.check.lies.find(", sums of k 0 to 39") != std::string::npos);
    }
  }
}

// A part as wide as a tile has lines that may also be all of D's, and too short.
TEST_CASE("the first part of a D that is cut into several is right, too") {
  const tests::RecordedSteps steps{"edge_mistakes", "block=0,1,0"};
  steps.record("heads");
  const viz::Model model = steps.model();
  const viz::StepList list = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, list);
  REQUIRE(verdicts.sums().size() == 8);
  for (const viz::SumCheck& one : verdicts.sums())
    CHECK(one.check.diagnosis.verdict == trace::Verdict::right);
}

TEST_CASE("each mistake at the end of k and with D's rows is named") {
  std::set<std::string> kinds;
  for (const Made& made : kMade) {
    CAPTURE(made.name);
    const std::vector<viz::SumCheck> all = recorded(made.name, false);
    REQUIRE(all.size() == 8);
    for (const viz::SumCheck& one : all) CHECK(one.check.diagnosis.kind == made.kind);
    CHECK(all[0].check.diagnosis.mistake == made.words);
    kinds.insert(made.kind);
  }
  for (const trace::KnownMistake& known : viz::known_edge_mistakes())
    CHECK(kinds.count(known.kind) == 1);
}

// Of two lengths of its rows nobody but another tile of the same D says which it is.
TEST_CASE("where nothing says how large D is, other tiles tell that its rows have two lengths") {
  kSteps.record("two-lengths");
  viz::Model model = kSteps.model();
  for (trace::Event& event : model.trace.events)
    if (auto* launch = std::get_if<trace::Launch>(&event)) launch->allocations.clear();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  CHECK(verdicts.sums().size() == 8);
  for (const viz::SumCheck& one : verdicts.sums()) CHECK(one.check.diagnosis.kind == "d-rows");
}
