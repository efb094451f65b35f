// SPDX-License-Identifier: MIT
// Sums of products whose A is 2:4 sparse, by sparse_mistakes.cu on the emulator: A keeps half of k,
// and goes on along it as B does all the same.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "panels/way/verdicts.hpp"
#include "tests/build_folder.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;
using trace::Verdict;

namespace {

const tests::RecordedSteps kSteps{"sparse_mistakes", "all"};

viz::OriginCheck sum(const char* name, bool is_right) {
  CHECK(kSteps.record(name).out.starts_with("0 of ") == is_right);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
    const viz::ProductCheck one = verdicts.product(k);
    CHECK(one.a.diagnosis.verdict == Verdict::right);
    CHECK(one.b.diagnosis.verdict == Verdict::right);
  }
  REQUIRE(verdicts.sums().size() == 1);
  return verdicts.sums()[0].check;
}

}  // namespace

TEST_CASE("a sum of a sparse A is told by the k that its kept elements stand for") {
  for (const char* name : {"right", "wgmma"}) {
    const viz::OriginCheck right = sum(name, true);
    CHECK(right.diagnosis.verdict == Verdict::right);
    CHECK(right.lies.ends_with(", sums of k 0 to 127"));
  }
}

TEST_CASE("a sparse A and B that are not at one k, or end too soon, are named") {
  for (const auto& [name, kind, words] :
       {std::tuple("kept-of-b", "k-advance", "A is at k 32 to 63, but B at k 16 to 47"),
        std::tuple("wgmma-kept-of-b", "k-advance", "A is at k 64 to 127, but B at k 32 to 95"),
        std::tuple("a-as-b", "k-advance", "A is at k 64 to 95, but B at k 32 to 63"),
        std::tuple("one-short", "k-short", "k 96 to 127 is never added: ")}) {
    CAPTURE(name);
    const viz::OriginCheck check = sum(name, false);
    CHECK(check.diagnosis.kind == kind);
    CHECK(check.diagnosis.mistake.starts_with(words));
  }
}
