// SPDX-License-Identifier: MIT
// What is said of kernels whose addresses tell less than elsewhere, by loose_ends.cu on the
// emulator: nothing that is right is called wrong, and mistakes beside it keep their names.
#include <doctest/doctest.h>

#include "panels/way/verdicts.hpp"
#include "panels/way/way.hpp"
#include "tests/build_folder.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;
using trace::Verdict;

namespace {

const tests::RecordedSteps kSteps{"loose_ends", "all"};

// Of all products, the sums asked first: they have a word in it.
std::vector<viz::ProductCheck> recorded(const char* name, const char* said,
                                        std::size_t products = 2) {
  CHECK(kSteps.record(name).out == said);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  verdicts.sums();
  REQUIRE(model.multiplications.size() == products);
  std::vector<viz::ProductCheck> all;
  for (std::size_t k = 0; k < products; ++k) all.push_back(verdicts.product(k));
  return all;
}
constexpr const char* kRight = "0 of 128 elements of D are wrong\n";
constexpr const char* kRightIn13 = "0 of 104 elements of D are wrong\n";

}  // namespace

TEST_CASE("rows of B that a list names are found by its numbers") {
  for (const viz::ProductCheck& one : recorded("gathered", kRight)) {
    CHECK(one.in_order);
    CHECK(
        one.b.lies.starts_with("row after row of parameter 0+8, found by 16 numbers in memory, "));
  }
}

TEST_CASE("elements of a sparse A that a list puts in their columns are not compared") {
  for (const viz::ProductCheck& one : recorded("scattered", kRight)) {
    CHECK(one.a.diagnosis.verdict == Verdict::not_compared);
    CHECK(
        one.a.diagnosis.mistake.starts_with("where its elements are put in shared memory is found "
                                            "by numbers in memory, the first at "));
    CHECK(one.b.diagnosis.verdict == Verdict::right);
  }
}

TEST_CASE("a table that tells a tile's elements all the same hides no mistake") {
  for (const viz::ProductCheck& one : recorded("by-table", "126 of 128 elements of D are wrong\n"))
    CHECK(one.a.diagnosis.mistake == "registers A.r1 and A.r2 are exchanged");
}

TEST_CASE("rows that nobody fetches are right where nobody stores theirs of D") {
  for (const viz::ProductCheck& one : recorded("ragged", kRightIn13)) {
    CHECK(one.a.diagnosis.verdict == Verdict::right);
    CHECK(one.a.lies.ends_with("on, but for rows 13 to 15 of A, which nobody has written"));
  }
  for (const viz::ProductCheck& one : recorded("all-stored", kRightIn13)) {
    CHECK(!one.in_order);
    CHECK(one.a.diagnosis.kind == "unwritten");
    CHECK(one.a.diagnosis.mistake.starts_with("A[13][0] is read from byte 0x"));
  }
}

TEST_CASE("a tile that nobody fetches is not called wrong where nobody stores its D") {
  const std::vector<viz::ProductCheck> all = recorded("outside", kRight, 4);
  for (const std::size_t beyond : {1, 3}) {
    CHECK(all[beyond - 1].a.diagnosis.verdict == Verdict::right);
    CHECK(all[beyond].a.diagnosis.verdict == Verdict::not_compared);
    CHECK(all[beyond].a.diagnosis.mistake ==
          "nobody has written A in shared memory: right if what becomes of that is not stored");
  }
}

TEST_CASE("registers of inline assembly are followed, whatever they are called") {
  for (const viz::ProductCheck& one : recorded("own-names", kRight)) CHECK(one.in_order);
}

TEST_CASE("numbers of 8 bytes that leave shared memory in halves are whole") {
  CHECK(kSteps.record("doubles").out == "0 of 64 elements of D are wrong\n");
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  REQUIRE(verdicts.sums().size() == 1);
  const viz::OriginCheck& d = verdicts.sums().front().check;
  CHECK(d.diagnosis.verdict == Verdict::right);
  CHECK(d.lies ==
        "row after row, 64 bytes apart, from byte 0 behind parameter 2 on, sums of k 0 to 7");
}

TEST_CASE("the highest bits of a word are a weight without a mask, and a zero point is none") {
  for (const viz::ProductCheck& one : recorded("nibbles", kRight)) {
    CHECK(one.b.diagnosis.verdict == Verdict::right);
    CHECK(one.b.lies.starts_with("column after column, 16 bytes apart, 4 bits each, from byte "));
    CHECK(one.b.lies.ends_with(" behind parameter 0+16 on"));
  }
}

TEST_CASE("blocks of memory for each step of k are not rows of a matrix") {
  for (const viz::ProductCheck& one : recorded("blocks", kRight)) CHECK(one.in_order);
  const viz::Model model = kSteps.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  REQUIRE(verdicts.sums().size() == 1);
  CHECK(verdicts.sums().front().check.lies ==
        "row after row, 32 bytes apart, from byte 0 behind parameter 2 on");
}
