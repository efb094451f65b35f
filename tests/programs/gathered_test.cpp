// SPDX-License-Identifier: MIT
// Rows that are found by numbers in memory, by gathered_mistakes.cu and gathered_wgmma.cu on the
// emulator: whichever these are, what is right is never called wrong, and what can be known without
// the numbers' meaning is still named.
#include <doctest/doctest.h>

#include <string>

#include "panels/way/verdicts.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;

namespace {

const tests::RecordedSteps kSteps{"gathered_mistakes", "block=1,1,0"};
const tests::RecordedSteps kWgmma{"gathered_wgmma", "block=1,1,0"};

struct Said {
  int right = 0, wrong = 0, not_compared = 0;
  std::string first;  // headline, of the first product, of sums of the first one
  void add(const viz::OperandVerdict& words) {
    ++(words.is_wrong() ? wrong : words.verdict == trace::Verdict::right ? right : not_compared);
    if (first.empty()) first = words.headline;
  }
  bool all_right() const { return right > 0 && wrong == 0 && not_compared == 0; }
};
struct Judged {
  Said a, b, d;
};

Judged judged(const char* how, const char* mistake, const tests::RecordedSteps& steps = kSteps) {
  CHECK(steps.record_told({how, mistake}).out.starts_with("bits: "));
  const viz::Model model = steps.model();
  const viz::StepList list = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, list);
  Judged found;
  for (const viz::SumCheck& one : verdicts.sums())
    found.d.add(viz::in_words(one.check, one.operand, false));
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
    const viz::ProductCheck& product = verdicts.product(k);
    found.a.add(viz::in_words(product.a, 'A', product.in_order));
    found.b.add(viz::in_words(product.b, 'B', product.in_order));
  }
  return found;
}

const std::string kRows =
    "right: row after row of parameter 0, found by 16 numbers in memory, the first at byte 128 "
    "behind parameter 0+24, the last 60 bytes behind it";

}  // namespace

TEST_CASE("what numbers in memory find is right, wherever that is") {
  for (const char* how :
       {"gathered", "repeated", "scattered", "stored", "experts", "ragged", "packed", "paged8",
        "paged16", "keys8", "keys16", "values8", "values16", "blocks", "begun16", "clamped"}) {
    CAPTURE(std::string(how));
    const Judged found = judged(how, "right");
    CHECK(found.a.all_right());
    CHECK(found.b.all_right());
    CHECK(found.d.all_right());
  }
}

TEST_CASE("it is said by which numbers rows were found, of A, of B and of D") {
  CHECK(judged("gathered", "right").a.first == kRows);
  CHECK(
      judged("stored", "right").d.first ==
      "right: row after row, found by 16 numbers in memory, the first at byte 128 behind parameter "
      "0+24, the last 60 bytes behind it, sums of k 0 to 63");
  CHECK(judged("values8", "right").b.first ==
        "right: row after row of parameter 0+8, found by 2 numbers in memory, the first at byte 0 "
        "behind parameter 0+40, the last 4 bytes behind it");
  CHECK(judged("experts", "right").a.first.ends_with("zeros that were filled in"));
  CHECK(judged("clamped", "right").a.first.find(", but for 3 rows whose D is not stored") ==
        std::string::npos);  // of warp 0: all are
}

TEST_CASE("a weight that a number in memory finds is not said to be another row's") {
  const Judged found = judged("scaled16", "right");
  CHECK(found.d.wrong == 0);
  CHECK(found.d.right == 4);
  CHECK(found.d.not_compared == 1);
  CHECK(found.d.first ==
        "not compared: what D is given of parameter 0+64 is found by numbers in memory: right if "
        "these "
        "are of its own rows and columns");
}

// Whether it is the row that is wanted only the user knows.
TEST_CASE("a number of another row is no mistake by itself, and no order is seen then") {
  CHECK(judged("gathered", "row-below").a.first == kRows);
  const Judged found = judged("gathered", "neighbour");
  CHECK(found.a.wrong == 0);
  CHECK(found.a.first ==
        "not compared: lines of A are found by 15 numbers in memory, the first at byte 128 behind "
        "parameter 0+24, the last 60 bytes behind it, and do not lie in their order: right if that "
        "is meant");
  CHECK(judged("values8", "other-page").b.first.ends_with("the last 8 bytes behind it"));
}

TEST_CASE("of gathered rows exchanged registers are named, and a row that does not go on along k") {
  const Judged exchanged = judged("gathered", "exchanged");
  CHECK(exchanged.a.first == "registers A.r1 and A.r2 are exchanged");
  CHECK(exchanged.a.right + exchanged.a.not_compared == 0);
  const Judged behind = judged("gathered", "left-behind");
  CHECK(behind.d.wrong == 4);
  CHECK(behind.d.first ==
        "from product 1 to product 5 row 5 of A goes on by 0 bytes, the others by 32");
}

TEST_CASE("a row of A found by another number than it is stored by is named") {
  for (const auto& [mistake, of_a, of_d] :
       {std::tuple{"neighbour", 152, 148}, std::tuple{"stored-as-neighbour", 148, 152}}) {
    CAPTURE(mistake);
    const Judged found = judged("scattered", mistake);
    CHECK(found.a.wrong == 0);
    CHECK(found.d.wrong == 4);
    CHECK(found.d.first == "row 5 of A is found by the number at byte " + std::to_string(of_a) +
                               " behind parameter 0+24, row 5 of D by that at byte " +
                               std::to_string(of_d) +
                               " behind parameter 0+24; 15 other rows of both by the same");
  }
  CHECK(std::string(viz::known_gathered_mistakes().front().kind) == "rows-apart");
}

TEST_CASE("so it is with wgmma, by cp.async and by TMA") {
  for (const char* how : {"gathered", "scattered", "pages8", "pages32", "steps"}) {
    CAPTURE(std::string(how));
    const Judged found = judged(how, "right", kWgmma);
    CHECK(found.a.all_right());
    CHECK(found.b.all_right());
    CHECK(found.d.all_right());
  }
  CHECK(
      judged("gathered", "right", kWgmma).a.first ==
      "right: row after row, found by 64 numbers in memory, the first at byte 256 behind parameter "
      "2+16, the last 252 bytes behind it");
  const Judged neighbour = judged("gathered", "neighbour", kWgmma);
  CHECK(neighbour.a.wrong == 0);
  CHECK(neighbour.a.not_compared == 2);
  const Judged other = judged("pages8", "other-page", kWgmma);
  CHECK(other.b.wrong == 0);
  CHECK(other.b.first.starts_with("not compared: lines of B are found by 3 numbers in memory"));
}
